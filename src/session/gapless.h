/*-------------------------------------------------------------------------
 *
 * gapless.h
 *	  hilo_gapless: generators without gaps.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_GAPLESS_H
#define HILO_GAPLESS_H

#include "access/htup.h"

#include "session/session_entry.h"

extern int64 gapless_next(SessionEntry *entry);
extern Range gapless_next_block(SessionEntry *entry, int64 count);
extern int64 gapless_seed(text *name, int64 incarnation, int64 value,
						  bool force);
extern bool gapless_last(text *name, int64 *last);
extern int64 gapless_require_last(text *name);
extern void gapless_insert(text *name, int64 last);
extern void gapless_delete(text *name);
extern bool gapless_raise(text *name, int64 to);
extern HeapTuple gapless_restore(Relation rel, HeapTuple tuple);

#endif							/* HILO_GAPLESS_H */
