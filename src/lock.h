/*-------------------------------------------------------------------------
 *
 * lock.h
 *	  The locks of names and of generators.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/lock.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_LOCK_H
#define HILO_LOCK_H

#include "storage/lockdefs.h"

#include "store.h"

extern void lock_name(text *name);
extern void unlock_name(text *name);
extern bool lock_generator(text *name, LOCKMODE lockmode,
						   FormData_hilo_hi *hi);
extern void lock_incarnation(int64 incarnation, LOCKMODE lockmode);

#endif							/* HILO_LOCK_H */
