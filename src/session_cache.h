/*-------------------------------------------------------------------------
 *
 * session_cache.h
 *	  The ranges that this session holds.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/session_cache.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SESSION_CACHE_H
#define HILO_SESSION_CACHE_H

#include "session_entry.h"

extern bool session_prefetch;
extern bool session_return_on_exit;

extern void session_fill(SessionEntry *entry, const char *function,
						 int64 wanted);
extern void session_warn_of_end(SessionEntry *entry, int64 last);
pg_noreturn extern void session_exhausted(SessionEntry *entry);

#endif							/* HILO_SESSION_CACHE_H */
