/*-------------------------------------------------------------------------
 *
 * next.h
 *	  The next id of a generator, whatever its ordering.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_NEXT_H
#define HILO_NEXT_H

#include "session/session_entry.h"

extern int64 next_id_slowly(SessionEntry *entry, const char *function,
							int64 wanted);
extern text *next_text_id(SessionEntry *entry, const char *function);

/*
 * Hands out the next id.  Function is for the error where nextval would raise
 * it, wanted says how many ids the caller knows it will need.
 */
static inline int64
next_id(SessionEntry *entry, const char *function, int64 wanted)
{
	if (likely(session_ready(entry)))
		return session_id(entry, ++entry->last);
	return next_id_slowly(entry, function, wanted);
}

#endif							/* HILO_NEXT_H */
