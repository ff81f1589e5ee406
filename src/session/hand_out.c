/*
 * Hand out ids from the session's range, the shared window, a hub, the gapless
 * row, or a sequence.
 */
#include "postgres.h"

#include "session/slot.h"

static Range gapless_next_block(SessionEntry *entry, int64 count);
static void say_generator(void *entry);
static Range hub_next_block(SessionEntry *entry, int64 count);
static Range sequence_next_value(Oid sequence);

/*
 * Hand out the next id when next_id has none at hand; the caller will need
 * wanted ids.  If the generator is altered meanwhile, continue with the new
 * holder of its ids.
 *
 * The life word is read once more after a range was carved.  So whatever ended
 * the life of the range before that is seen; what ends it later closes the
 * window.
 */
int64
session_next(SessionEntry *entry, const char *function, int64 wanted)
{
	Range		block = EMPTY_RANGE;

	/* each transaction locks the sequence of an adopted generator */
	if (!entry_is_current(entry) || OidIsValid(entry->sequence))
	{
		require_writable(function);
		session_revalidate(entry);
	}
	while (RangeIsEmpty(block))
	{
		if (!entry_is_current(entry))
			session_revalidate(entry);
		else if (entry->definition.holder != HELD_BY_SESSION)
		{
			/* fails for a hub and a gapless row, which have no window */
			if (shared_try_next(entry))
				return entry->current;
			block = session_next_block(entry, 1);
		}
		else if (entry->handed_out >= entry->stop)
			session_refill(entry, wanted);
		else
		{
			/* come here for each id: a new transaction locks the sequence */
			if (OidIsValid(entry->sequence))
				entry->stop = 0;
			return session_id(entry, ++entry->handed_out);
		}
	}
	return block.low;
}

/*
 * Hand out count consecutive ids of a generator whose ids no session holds; of
 * a sequence one.  Return an empty range if the generator was altered.
 */
Range
session_next_block(SessionEntry *entry, int64 count)
{
	Range		block;

	if (entry->definition.holder == HELD_BY_TRANSACTION)
		block = gapless_next_block(entry, count);
	else if (entry->definition.holder == HELD_BY_SEQUENCE)
		return sequence_next_value(entry->definition.table);
	else if (entry->definition.origin == FROM_HUB)
		block = hub_next_block(entry, count);
	else
		return shared_next_block(entry, count, PG_INT64_MAX);
	if (RangeIsEmpty(block))
		return block;
	entry->current = block.high;
	strlcpy(entry->node_tag, hilo_node_tag, sizeof(entry->node_tag));
	return block;
}

/*
 * Take the next numbers, which a rollback gives back.
 *
 * The generator's lock keeps all other transactions from them until this one
 * ends: without it, a scan may miss the row while another session replaces it.
 * The mode does not conflict with that of a session that looks the generator
 * up.
 */
static Range
gapless_next_block(SessionEntry *entry, int64 count)
{
	NumberChange change =
	{.count = count,.max_value = entry->definition.max_value};
	ErrorContextCallback context = {error_context_stack, say_generator, entry};
	bool		is_locked;

	error_context_stack = &context;
	is_locked = session_lock(entry, ShareUpdateExclusiveLock, false);
	error_context_stack = context.previous;
	if (!is_locked)
		return EMPTY_RANGE;
	if (gapless_change(entry->name, &change) == STORE_EXHAUSTED)
		session_report_exhausted(entry, change.max_value, 0);
	tally(entry, TALLY_IDS, count);
	tally(entry, TALLY_HANDED_OUT, count);
	session_warn_of_end(entry, change.last);
	return RANGE_OF(change.last - count + 1, change.last);
}

/* Callback: tell whoever stops waiting for a number whose it is. */
static void
say_generator(void *entry)
{
	errcontext("next number of generator \"%s\"",
			   text_to_cstring(((SessionEntry *) entry)->definition.written));
}

/*
 * Take the next ids of a hub, which are above all that it gave to any server,
 * and on its disk.
 *
 * "reserved" is on disk here, too.  That shows if the hub is set back, and is
 * the only account of the ids if the hub is gone.
 */
static Range
hub_next_block(SessionEntry *entry, int64 count)
{
	StoreRequest request = {.size = count,.is_exact = true};

	if (!session_lock(entry, RowExclusiveLock, false))
		return EMPTY_RANGE;
	if (!session_take(entry, &request))
	{
		unlock_generator(entry->incarnation, RowExclusiveLock);
		hub_rest(entry->name);
		return EMPTY_RANGE;
	}
	unlock_generator(entry->incarnation, RowExclusiveLock);
	if (RangeLength(request.taken.range) < count)
		session_report_exhausted(entry, request.max_value, 0);
	return request.taken.range;
}

/*
 * Take the next value of a sequence, which is lastval() then, too.  A value
 * that nextval gives is on disk only when its transaction commits; here it is
 * before it is handed out.
 */
static Range
sequence_next_value(Oid sequence)
{
	int64		value;

	/* it may be dropped during the wait */
	LockRelationOid(sequence, RowExclusiveLock);
	(void) relation_owner(sequence);
	value = nextval_internal(sequence, false);
	(void) flush_wal(sequence_lsn(sequence));
	return RANGE_OF(value, value);
}

/*
 * Take values of a sequence in one step, and wait until they are on disk.  With
 * is_for_client, report an error if a rollback could give them again.
 */
SequenceTake
session_take_values(SessionEntry *entry, SequenceTake take, bool is_for_client)
{
	Oid			sequence = entry->definition.table;

	if (is_for_client)
		(void) orm_sequence_lock(sequence, false);
	else
		LockRelationOid(sequence, RowExclusiveLock);
	if (!sequence_take(sequence, &take))
		ereport(ERROR,
				errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				errmsg("sequence \"%s\" has fewer than %lld values left",
					   get_rel_name(sequence), (long long) take.count),
				errhint("Raise its limit with ALTER SEQUENCE ... AS bigint or MAXVALUE."));
	(void) flush_wal(take.lsn);
	return take;
}
