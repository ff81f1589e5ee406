/*-------------------------------------------------------------------------
 *
 * gapless_row.h
 *	  hilo_gapless: the last id of each generator without gaps.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_GAPLESS_ROW_H
#define HILO_GAPLESS_ROW_H

#include "access/htup.h"
#include "utils/relcache.h"

extern bool gapless_last(text *name, int64 *last);
extern int64 gapless_require_last(text *name);
extern void gapless_insert(text *name, int64 last);
extern void gapless_update(text *name, int64 last);
extern void gapless_delete(text *name);
extern bool gapless_raise(text *name, int64 to);
extern HeapTuple gapless_restore(Relation rel, HeapTuple tuple);

#endif							/* HILO_GAPLESS_ROW_H */
