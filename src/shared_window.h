/*-------------------------------------------------------------------------
 *
 * shared_window.h
 *	  Windows in shared memory, opened and closed.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/shared_window.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SHARED_WINDOW_H
#define HILO_SHARED_WINDOW_H

#include "shared_slot.h"

extern Range window_unused(SharedSlot *slot);
extern Range window_open(SharedSlot *slot, SessionEntry *entry, int64 count,
						 int64 max_value);
extern StoreResult window_reserve(SharedSlot *slot, SessionEntry *entry,
								  int64 count, bool wait, HeldRange *held);
extern void window_close(SharedSlot *slot, bool wait);
extern void window_end(SharedSlot *slot, bool return_rest);

#endif							/* HILO_SHARED_WINDOW_H */
