/*-------------------------------------------------------------------------
 *
 * range_protocol.h
 *	  Ranges for clients that hold them themselves.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/range_protocol.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_RANGE_PROTOCOL_H
#define HILO_RANGE_PROTOCOL_H

#include "session_entry.h"
#include "store.h"

extern SessionEntry *range_entry(text *written, const char *function);
extern void range_require_hi(const SessionEntry *entry);
extern int64 range_last_max(SessionEntry *entry, int64 last_max);
extern void range_take(SessionEntry *entry, const StoreRequest *request,
					   StoreRange *taken);

#endif							/* HILO_RANGE_PROTOCOL_H */
