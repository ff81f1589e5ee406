/*
 * The ranges that this session holds.
 *
 * A range is taken out of an entry before it is given back, and put into one
 * after it is on disk: an error in between costs a gap, never a repeat.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "session/session.h"
#include "source/source.h"

PG_FUNCTION_INFO_V1(hilo_release);
PG_FUNCTION_INFO_V1(hilo_session);

static bool prefetch_is_due(const SessionEntry *entry);
static void prefetch_range(SessionEntry *entry);
static void refill(SessionEntry *entry, int64 wanted);
static StoreResult reserve(SessionEntry *entry, int64 wanted, bool wait,
						   HeldRange *held);
static void install(SessionEntry *entry, const HeldRange *held);
static bool holds_ids(const SessionEntry *entry);
static int64 release(SessionEntry *entry, bool complain);
static int64 give_range_back(SessionEntry *entry);
static void give_back_at_exit(SessionEntry *entry);
static int64 give_range_piece(SessionEntry *entry, Range own, int64 next);
static void put_session_row(ReturnSetInfo *rsinfo, SessionEntry *entry);

/*
 * hilo_release(name): gives back what this session holds of a generator, or
 * of all it may use.  Waits for nobody: what somebody else has in hand at the
 * moment is lost.
 */
Datum
hilo_release(PG_FUNCTION_ARGS)
{
	text	   *name = PG_ARGISNULL(0) ? NULL : definition_argument(fcinfo);
	SessionEntry *entry;
	int64		ids = 0;

	catalog_require_writable("hilo_release()");

	if (name != NULL)
	{
		entry = session_find(name);
		PG_RETURN_INT64(entry == NULL ? 0 : release(entry, true));
	}

	for (entry = session_latest_entry; entry != NULL; entry = entry->older)
		ids += release(entry, false);
	PG_RETURN_INT64(ids);
}

Datum
hilo_session(PG_FUNCTION_ARGS)
{
	SessionEntry *entry;

	InitMaterializedSRF(fcinfo, 0);
	for (entry = session_latest_entry; entry != NULL; entry = entry->older)
	{
		Definition	definition;
		FormData_hilo_hi hi;

		if (definition_find(entry->name, &definition, NULL) &&
			privilege_may_use(entry->name, definition.is_public,
							  GetUserId()) &&
			store_read(entry->name, &hi) &&
			hi.incarnation == entry->incarnation)
			put_session_row((ReturnSetInfo *) fcinfo->resultinfo, entry);
	}
	return (Datum) 0;
}

/*
 * Make an entry that has been checked ready to hand out at least one id, from a
 * range taken now if need be; wanted says how many ids the caller knows it will
 * need.
 */
void
session_fill(SessionEntry *entry, int64 wanted)
{
	if (prefetch_is_due(entry))
		prefetch_range(entry);
	if (entry->last >= entry->range.high)
		refill(entry, wanted);
	else if (entry->synced < synchronous_commit)
	{
		/* the range was taken by a setting that asked for less */
		entry->standbys = flush_wal(entry->lsn, entry->incarnation);
		entry->synced = synchronous_commit;
	}

	entry->stop = entry->range.high;
	if (session_prefetch && RangeIsEmpty(entry->prefetched.range) &&
		entry->prefetch_at > entry->last)
		entry->stop = Min(entry->stop, entry->prefetch_at);
}

static bool
prefetch_is_due(const SessionEntry *entry)
{
	return session_prefetch &&
		entry->last >= entry->prefetch_at &&
		entry->last < entry->range.high &&
		RangeIsEmpty(entry->prefetched.range);
}

/*
 * Reserve the next range, if that needs no waiting, and leave it to the
 * walwriter to bring it to disk; else put it off to half of what is left.
 */
static void
prefetch_range(SessionEntry *entry)
{
	HeldRange	held;

	session_settle(entry);
	if (reserve(entry, 0, false, &held) == STORE_OK)
	{
		entry->prefetched = held;
		entry->size = held.size;
		entry->taken_at = GetCurrentTimestamp();
		tally(entry->incarnation, TALLY_PREFETCHED, 1);
		XLogSetAsyncXactLSN(held.lsn);
		session_warn_of_end(entry, held.range.high);
	}
	else
	{
		entry->prefetch_at = entry->last + (entry->range.high - entry->last + 1) / 2;
		tally(entry->incarnation, TALLY_PREFETCH_BUSY, 1);
	}
}

/*
 * Put the next range in place of one that is used up: the one reserved before,
 * or one taken now.
 */
static void
refill(SessionEntry *entry, int64 wanted)
{
	HeldRange	held = entry->prefetched;
	bool		is_new = RangeIsEmpty(held.range);

	session_at_exit(give_back_at_exit);

	if (is_new)
	{
		StoreResult result = reserve(entry, wanted, true, &held);

		/* the window for clients may have the last ids */
		if (result == STORE_EXHAUSTED)
		{
			shared_close(entry->incarnation);
			result = reserve(entry, wanted, true, &held);
		}
		session_require_taken(entry, result, entry->definition.max_value);
	}
	else
	{
		entry->prefetched.range = EMPTY_RANGE;
		tally_prefetched(entry->incarnation, held.lsn);
	}

	held.standbys = flush_wal(held.lsn, entry->incarnation);
	install(entry, &held);
	/* one that was lost in the wait says nothing of how fast ids go */
	if (is_new)
	{
		entry->size = held.size;
		entry->taken_at = GetCurrentTimestamp();
	}
	session_warn_of_end(entry, held.range.high);
}

/*
 * Take a range from its source, which the caller puts into the entry or loses.
 */
static StoreResult
reserve(SessionEntry *entry, int64 wanted, bool wait, HeldRange *held)
{
	const Definition *definition = &entry->definition;
	int64		size = definition_next_size(definition, entry->size,
											entry->taken_at);
	StoreRequest request = {
		.name = entry->name,
		.incarnation = entry->incarnation,
		.max_value = definition->max_value,
		.size = Min(Max(size, wanted), definition->max_range_size),
		.recycle = definition->recycle,
		.wait = wait,
		.own = entry->range,
	};
	StoreRange	taken;
	StoreResult result = source_of(definition)->take(definition, &request,
													 &taken);

	if (result != STORE_OK)
		return result;

	/* somebody has seeded it since the entry was looked at */
	if (taken.epoch != entry->epoch)
	{
		session_forget(entry);
		entry->epoch = taken.epoch;
	}

	held->range = taken.range;
	held->continues = taken.continues;
	held->lsn = taken.lsn;
	strlcpy(held->node_tag, hilo_node_tag, sizeof(held->node_tag));
	held->size = request.size;
	return STORE_OK;
}

/*
 * Put a range that is on disk in place of one that is used up.
 */
static void
install(SessionEntry *entry, const HeldRange *held)
{
	session_settle(entry);
	entry->current = session_current(entry);
	if (held->continues)
		entry->range.high = held->range.high;
	else
		entry->range = held->range;
	entry->lsn = held->lsn;
	entry->standbys = held->standbys;
	entry->synced = synchronous_commit;
	entry->start = held->range.low;
	entry->stop = 0;
	entry->last = entry->counted = held->range.low - 1;
	entry->prefetch_at = source_of(&entry->definition)->reserves_ahead ?
		entry->last + RangeLength(held->range) / 2 : held->range.high;
	memcpy(entry->node_tag, held->node_tag, sizeof(entry->node_tag));
}

static bool
holds_ids(const SessionEntry *entry)
{
	return entry->last < entry->range.high ||
		!RangeIsEmpty(entry->prefetched.range);
}

/*
 * Give back what the entry holds, if the current role may use the generator;
 * return how many ids.  If it may not: an error if so wanted, else nothing
 * happens.
 */
static int64
release(SessionEntry *entry, bool complain)
{
	if (!holds_ids(entry))
		return 0;

	if (entry->generation != catalog_generation || entry->role != GetUserId())
	{
		Definition	definition;

		/* if it was dropped, what is held is lost anyway */
		if (!definition_find(entry->name, &definition, NULL))
			return 0;
		if (complain)
			session_require_use(entry, &definition);
		else if (!privilege_may_use(entry->name, definition.is_public,
									GetUserId()))
			return 0;
	}
	return give_range_back(entry);
}

/*
 * Give back what the entry holds; return how many ids.
 */
static int64
give_range_back(SessionEntry *entry)
{
	Range		own = entry->range;
	int64		used = Min(entry->last, own.high);
	HeldRange	prefetched = entry->prefetched;
	int64		ids = 0;

	session_let_go(entry);

	if (!RangeIsEmpty(prefetched.range) && prefetched.continues)
		own.high = prefetched.range.high;
	else if (!RangeIsEmpty(prefetched.range))
		ids += give_range_piece(entry, prefetched.range, prefetched.range.low);

	if (used < own.high)
		ids += give_range_piece(entry, own, used + 1);
	return ids;
}

/*
 * Give the ids next .. own.high back; return how many, 0 if they are lost.
 */
static int64
give_range_piece(SessionEntry *entry, Range own, int64 next)
{
	int64		ids = own.high - next + 1;
	bool		done =
		source_of(&entry->definition)->give_back(entry->name, entry->incarnation,
												 entry->epoch, own, next,
												 entry->definition.recycle);

	tally(entry->incarnation, done ? TALLY_GIVEN_BACK : TALLY_LOST, ids);
	return done ? ids : 0;
}

static void
give_back_at_exit(SessionEntry *entry)
{
	if (session_return_on_exit && holds_ids(entry))
		give_range_back(entry);
	else
		session_forget(entry);
}

static void
put_session_row(ReturnSetInfo *rsinfo, SessionEntry *entry)
{
	Datum		values[9];
	bool		nulls[9] = {0};
	int			i = 0;
	bool		has_next = entry->last < entry->range.high;
	bool		has_prefetched = !RangeIsEmpty(entry->prefetched.range);

	values[i++] = PointerGetDatum(entry->written);
	nulls[i] = session_current(entry) == 0;
	values[i++] = Int64GetDatum(session_id(entry, session_current(entry)));
	nulls[i] = !has_next;
	values[i++] = Int64GetDatum(has_next ? entry->last + 1 : 0);
	nulls[i] = !has_next;
	values[i++] = Int64GetDatum(entry->range.high);
	nulls[i] = !has_prefetched;
	values[i++] = Int64GetDatum(entry->prefetched.range.low);
	nulls[i] = !has_prefetched;
	values[i++] = Int64GetDatum(entry->prefetched.range.high);
	nulls[i] = !has_next;
	values[i++] = CStringGetTextDatum(entry->node_tag);
	nulls[i] = entry->taken_at == 0;
	values[i++] = Int64GetDatum(entry->size);
	nulls[i] = entry->taken_at == 0;
	values[i++] = TimestampTzGetDatum(entry->taken_at);
	Assert(i == lengthof(values));
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}
