/*-------------------------------------------------------------------------
 *
 * gapless.h
 *	  The next number of a generator without gaps.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_GAPLESS_H
#define HILO_GAPLESS_H

#include "base/range.h"
#include "session/session_entry.h"

extern int64 gapless_next(SessionEntry *entry);
extern Range gapless_next_block(SessionEntry *entry, int64 count);
extern int64 gapless_seed(text *name, int64 incarnation, int64 value,
						  bool force);

#endif							/* HILO_GAPLESS_H */
