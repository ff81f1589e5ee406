/* What a trigger watches, as this session knows it; private to this folder. */
#ifndef HILO_FOLLOWED_H
#define HILO_FOLLOWED_H

#include "follow/follow.h"

/* the arguments of the trigger hilo_follow */
enum
{
	FOLLOW_TAG,					/* empty if the source is not a tag */
	FOLLOW_COLUMN,				/* by name: a dump has other numbers */
	FOLLOW_ARGUMENTS
};

/* follow_trigger.c: the triggers themselves */
extern AttrNumber follow_column(Oid relid, const Trigger *trigger);

/* follow_sequence.c: sequences that are raised by rows */

/*
 * A sequence that a followed column draws from.
 *
 * All rows of a command are in the table before the first trigger fires.  So
 * what a trigger of this command has seen the sequence pass, it has passed: if
 * it is set back afterwards, that comes after these rows.
 */
typedef struct FollowedSequence
{
	Oid			relid;			/* InvalidOid: none is followed */
	Oid			table;
	AttrNumber	attnum;
	FormData_pg_sequence form;
	int64		end;			/* of the ids: the sequence's, or the type's */
	bool		is_checked;		/* when it first was to be raised */
	bool		may_raise;		/* the table's owner may */

	int64		passed;			/* no value up to this comes any more */
	Moment		passed_at;
	int64		far;			/* as passed, from the commit on */
	Moment		far_at;
	Moment		warned_at;

	LocalTransactionId stepped_in;	/* the last transaction with a step */
	LocalTransactionId locked_in;	/* the one that keeps the lock */
} FollowedSequence;

/* Check whether the current command has seen the sequence pass an id. */
static inline bool
sequence_has_passed(const FollowedSequence *sequence, int64 id)
{
	return id <= sequence->passed && is_now(sequence->passed_at);
}

extern void follow_sequence_look_up(FollowedSequence *followed, Oid sequence,
									Oid table, AttrNumber attnum);
extern void follow_sequence(FollowedSequence *followed, int64 id);
extern void follow_at_commit(Oid sequence, SessionEntry *entry, int64 id);

#endif							/* HILO_FOLLOWED_H */
