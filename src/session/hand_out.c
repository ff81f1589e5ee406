/*
 * Hand out ids from the session's range, the shared window, a hub, or the
 * gapless row.
 */
#include "postgres.h"

#include "session/slot.h"

static Range gapless_next_block(SessionEntry *entry, int64 count);

/*
 * Hand out the next id when none is at hand; the caller will need wanted ids.
 * If the generator is altered meanwhile, continue with the new holder of its
 * ids.
 */
int64
session_next(SessionEntry *entry, const char *function, int64 wanted)
{
	Range		block = EMPTY_RANGE;

	if (!entry_is_current(entry) || OidIsValid(entry->sequence))
	{
		require_writable(function);
		session_revalidate(entry);
	}
	while (RangeIsEmpty(block))
	{
		if (!entry_is_current(entry))
			session_revalidate(entry);
		if (entry->definition.holder == HELD_BY_SESSION)
		{
			if (session_fill(entry, wanted))
				return session_id(entry, ++entry->handed_out);
		}
		/* a hub and a gapless row have no window */
		else if (shared_try_next(entry))
			return entry->current;
		else
			block = session_next_block(entry, 1);
	}
	return block.low;
}

/*
 * Hand out count ids in a row in one order; none if the generator was altered.
 */
Range
session_next_block(SessionEntry *entry, int64 count)
{
	bool		is_gapless = entry->definition.holder == HELD_BY_NONE;

	/* no mode that conflicts with the one of a look */
	LOCKMODE	lockmode =
		is_gapless ? ShareUpdateExclusiveLock : RowExclusiveLock;
	StoreRequest request = {.size = count,.is_exact = true};
	Range		block;

	if (!is_gapless && entry->definition.origin != FROM_HUB)
		return shared_next_block(entry, count, PG_INT64_MAX);
	if (!session_lock(entry, lockmode, false))
		return EMPTY_RANGE;
	if (is_gapless)
		block = gapless_next_block(entry, count);
	else
	{
		/*
		 * The ids are above all that any server was given, and on disk at the
		 * hub.  "reserved" is on disk here, too: that shows if a hub is set
		 * back, and is the only account of the ids if the hub is gone.
		 */
		session_take(entry, &request);
		unlock_generator(entry->incarnation, lockmode);
		block = request.taken.range;
		if (RangeLength(block) < count)
			session_exhausted(entry, request.max_value);
	}
	entry->current = block.high;
	strlcpy(entry->node_tag, hilo_node_tag, sizeof(entry->node_tag));
	return block;
}

/*
 * Take the next numbers, which a rollback gives back, and keep all other
 * transactions from them until this one ends: by the lock of the generator, as
 * a look for the row may miss it while it is being replaced.
 */
static Range
gapless_next_block(SessionEntry *entry, int64 count)
{
	NumberChange change =
	{.count = count,.max_value = entry->definition.max_value};

	if (gapless_change(entry->name, &change) == STORE_EXHAUSTED)
		session_exhausted(entry, change.max_value);
	tally(entry, TALLY_IDS, count);
	tally(entry, TALLY_HANDED_OUT, count);
	session_warn_of_end(entry, change.last);
	return RANGE_OF(change.last - count + 1, change.last);
}
