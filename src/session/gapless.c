/*
 * The next number of a generator without gaps.
 *
 * Whoever takes one keeps everybody else from it to the end of the transaction,
 * by a lock of the generator, not by waiting for its row: that would fail with
 * 40001 above READ COMMITTED.
 */
#include "postgres.h"

#include "utils/inval.h"

#include "session/slot.h"

/*
 * Hand out the next numbers, which a rollback gives back, and keep everybody
 * else from them to the end of the transaction.  Return none if the generator
 * is no longer gapless after the wait.
 */
Range
gapless_next_block(SessionEntry *entry, int64 count, const char *function)
{
	Range		block;
	int64		locked;

	do
	{
		locked = entry->incarnation;
		/* no mode that conflicts with the one of a look */
		lock_incarnation(locked, ShareUpdateExclusiveLock);
		AcceptInvalidationMessages();
		if (!session_checked(entry))
			session_check(entry, function);
	} while (entry->incarnation != locked);
	if (entry->definition.holder != HELD_BY_NOBODY)
		return EMPTY_RANGE;

	block = range_above(gapless_require_last(entry->name), count,
						entry->definition.max_value);
	if (RangeIsEmpty(block) || RangeLength(block) < count)
		session_exhausted(entry, entry->definition.max_value);
	delay_at_random();
	gapless_update(entry->name, block.high);
	entry->current = block.high;
	tally(entry->incarnation, TALLY_IDS, count);
	tally(entry->incarnation, TALLY_HANDED_OUT, count);
	strlcpy(entry->node_tag, hilo_node_tag, sizeof(entry->node_tag));
	session_warn_of_end(entry, block.high);
	return block;
}

/*
 * Raise the last number to value, or set it if forced, in the current
 * transaction; return the result.
 */
int64
gapless_seed(text *name, int64 incarnation, int64 value, bool force)
{
	int64		last;

	lock_incarnation(incarnation, ShareUpdateExclusiveLock);
	last = gapless_require_last(name);
	if (!force && value <= last)
		return last;
	gapless_update(name, value);
	return value;
}
