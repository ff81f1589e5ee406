/*-------------------------------------------------------------------------
 *
 * call_entry.h
 *	  The generator that a call of an SQL function is about.
 *
 * A call remembers the session's entry in fn_extra, and the name it was for,
 * unless that is a constant.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_CALL_ENTRY_H
#define HILO_CALL_ENTRY_H

#include "fmgr.h"

#include "session/session_entry.h"

/*
 * Finds the entry of a name as somebody wrote it.
 */
typedef SessionEntry *(*EntryFinder) (text *written);

/*
 * What fn_extra points at.
 */
typedef struct CallEntry
{
	SessionEntry *entry;
	bool		is_constant;	/* the name is the same in every call */
	Size		length;
	char		written[FLEXIBLE_ARRAY_MEMBER];
} CallEntry;

extern SessionEntry *call_entry_find(FunctionCallInfo fcinfo,
									 EntryFinder find);

/*
 * Gives the entry of the name in the first argument, at once if the last call
 * was for the same one.
 */
static inline SessionEntry *
call_entry(FunctionCallInfo fcinfo, EntryFinder find)
{
	CallEntry  *call = fcinfo->flinfo->fn_extra;
	text	   *written;

	if (unlikely(call == NULL || PG_ARGISNULL(0)))
		return call_entry_find(fcinfo, find);
	if (call->is_constant)
		return call->entry;

	written = PG_GETARG_TEXT_PP(0);
	if (likely(VARSIZE_ANY_EXHDR(written) == call->length &&
			   memcmp(VARDATA_ANY(written), call->written, call->length) == 0))
		return call->entry;
	return call_entry_find(fcinfo, find);
}

#endif							/* HILO_CALL_ENTRY_H */
