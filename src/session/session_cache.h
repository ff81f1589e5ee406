/*-------------------------------------------------------------------------
 *
 * session_cache.h
 *	  The ranges that this session holds.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SESSION_CACHE_H
#define HILO_SESSION_CACHE_H

#include "session/session_entry.h"
#include "store/hi_row.h"
#include "store/store.h"
#include "table/definition.h"

extern void session_fill(SessionEntry *entry, int64 wanted);

extern StoreResult source_take(const Definition *definition,
							   const StoreRequest *request,
							   StoreRange *taken);

#endif							/* HILO_SESSION_CACHE_H */
