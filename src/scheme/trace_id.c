/*
 * Trace ids: second, node, chunk and counter, like in elfo.
 *
 * From the top: a bit that is 0, 25 bits of the second since 1970, 16 bits of
 * the node, 12 bits of the chunk, 10 bits of the counter.  The seconds wrap
 * after 2^25, which is 388 days, so they are compared on a circle.
 *
 * A word in shared memory has the whole second, the chunk and the counter of
 * the last id of a node.  It only rises: to the current second or, if that is
 * not higher, by one, also into the next second.  It is ahead of the clock by
 * at most hilo.trace_ahead.
 *
 * An id is issued only if its second is not above a bound on disk.  After a
 * restart or a seed, ids up to the bound may have been issued, so the word is
 * raised above it first.  After a start it is also raised above the ids that
 * other databases may have issued.  Their seconds were at most trace_ahead
 * above the clock, and pg_control has a later time of the clock.
 */
#include "postgres.h"

#include <time.h>

#include "common/controldata_utils.h"

#include "scheme/scheme.h"

PG_FUNCTION_INFO_V1(trace_id);
PG_FUNCTION_INFO_V1(trace_id_parts);
PG_FUNCTION_INFO_V1(trace_id_next);

#define SECOND_BITS 25
#define NODE_BITS 16
#define CHUNK_BITS 12
#define COUNTER_BITS 10

#define CHUNK_SHIFT COUNTER_BITS
#define NODE_SHIFT (CHUNK_SHIFT + CHUNK_BITS)
#define SECOND_SHIFT (NODE_SHIFT + NODE_BITS)

#define MAX_OF_BITS(bits) ((INT64CONST(1) << (bits)) - 1)
#define PartOfId(id, shift, bits) ((int64) (id) >> (shift) & MAX_OF_BITS(bits))

/* a word: the second, and below it chunk and counter */
#define WORD_BITS NODE_SHIFT
#define FirstOfSecond(second) ((uint64) (second) << WORD_BITS | 1)
#define LastOfSecond(second) \
	((uint64) (second) << WORD_BITS | MAX_OF_BITS(WORD_BITS))
#define SecondOfWord(word) ((int64) ((word) >> WORD_BITS))
/* the word after the last one of this second must not wrap */
#define MAX_SECOND (MAX_OF_BITS(64 - WORD_BITS) - 1)

int			trace_ahead = 1000; /* milliseconds */

/* The second up to which this session may issue ids without raise_bound. */
static struct
{
	int			node_no;
	uint64		as_of;			/* generators_as_of */
	int64		bound;
}			issuable;

static void raise_bound(pg_atomic_uint64 *word, int64 second);
static int64 unix_second(TimestampTz ts);
static TimestampTz timestamp_of_second(int64 second);

Datum
trace_id(PG_FUNCTION_ARGS)
{
	int64		second = Max(unix_second(PG_GETARG_TIMESTAMPTZ(0)), 0);
	int32		node = PG_GETARG_INT32(1);
	int32		chunk = PG_GETARG_INT32(2);
	int32		counter = PG_GETARG_INT32(3);

	id_domain_check("node_no", node, 0, MAX_OF_BITS(NODE_BITS));
	id_domain_check("chunk", chunk, 0, MAX_OF_BITS(CHUNK_BITS));
	id_domain_check("counter", counter, 1, MAX_OF_BITS(COUNTER_BITS));
	PG_RETURN_INT64((second & MAX_OF_BITS(SECOND_BITS)) << SECOND_SHIFT |
					(int64) node << NODE_SHIFT | (int64) chunk << CHUNK_SHIFT | counter);
}

Datum
trace_id_parts(PG_FUNCTION_ARGS)
{
	int64		id = PG_GETARG_INT64(0);
	int64		second = unix_second(PG_GETARG_TIMESTAMPTZ(1));
	int64		half = INT64CONST(1) << (SECOND_BITS - 1);
	int64		ahead = (PartOfId(id, SECOND_SHIFT, SECOND_BITS) - second) &
		MAX_OF_BITS(SECOND_BITS);

	/* at most 2^24 before the moment */
	int64		nearest = second + (ahead < half ? ahead : ahead - 2 * half);
	Datum		row[] = {
		TimestampTzGetDatum(timestamp_of_second(nearest)),
		Int32GetDatum((int32) PartOfId(id, NODE_SHIFT, NODE_BITS)),
		Int32GetDatum((int32) PartOfId(id, CHUNK_SHIFT, CHUNK_BITS)),
		Int32GetDatum((int32) PartOfId(id, 0, COUNTER_BITS))
	};

	id_domain_check("id", id, 1, PG_INT64_MAX);
	return call_row(fcinfo, row, NULL);
}

Datum
trace_id_next(PG_FUNCTION_ARGS)
{
	pg_atomic_uint64 *word;
	uint64		next;

	require_writable("trace_id_next()");
	if (hilo_node_no == 0)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("hilo.node_no is not set"),
				errhint("Set it in the server's configuration to a number that no other server has."));

	shared_memory_attach();
	/* nodes that share a word skip each other's ids */
	word = &trace_segment->words[(uint32) hilo_node_no % TRACE_WORDS];
	for (;;)
	{
		uint64		last = pg_atomic_read_u64(word);
		TimestampTz now = GetCurrentTimestamp();
		int64		ahead;

		/* the next word, or the first of this second; no counter is 0 */
		next = last + 1;
		if (PartOfId(next, 0, COUNTER_BITS) == 0)
			next++;
		next = Max(next, FirstOfSecond(Max(unix_second(now), 0)));
		ahead = timestamp_of_second(SecondOfWord(next)) - now -
			trace_ahead * INT64CONST(1000);
		if (unlikely(ahead > 0))
			wait_event_for_latch(WAIT_TRACE_CLOCK,
								 (long) Min(ahead / 1000 + 1, 1000));
		else if (unlikely(SecondOfWord(next) > issuable.bound ||
						  issuable.node_no != hilo_node_no ||
						  issuable.as_of != generators_as_of()))
			raise_bound(word, SecondOfWord(next));
		else if (pg_atomic_compare_exchange_u64(word, &last, next))
			break;
	}
	PG_RETURN_INT64((SecondOfWord(next) & MAX_OF_BITS(SECOND_BITS)) << SECOND_SHIFT |
					(int64) hilo_node_no << NODE_SHIFT |
					(int64) (next & MAX_OF_BITS(WORD_BITS)));
}

/*
 * Raise the bound on disk, so that this session may issue ids up to a second.
 *
 * If ids may have been issued up to the bound that the word does not count,
 * only raise the word, to the end of the bound's second.  The caller tries
 * again with the next word.
 */
static void
raise_bound(pg_atomic_uint64 *word, int64 second)
{
	/* before the rows are read: a change of them after that shows */
	uint64		as_of = generators_as_of();
	TraceBound	bound = trace_bound_open(hilo_node_no);
	uint64		last = pg_atomic_read_u64(word);

	if (!bound.is_of_this_start)
	{
		bool		has_right_crc;
		ControlFileData *control = get_controlfile(DataDir, &has_right_crc);

		/* before the start, other databases may have issued ids up to here */
		int64		floor = (trace_ahead + INT64CONST(999)) / 1000 +
			(has_right_crc ? (int64) control->time : (int64) time(NULL));
		uint64		least =
			LastOfSecond(Min(Max(bound.second, floor), MAX_SECOND));

		while (last < least &&
			   !pg_atomic_compare_exchange_u64(word, &last, least))
			;
	}
	else if (bound.second < second)
		trace_bound_raise(&bound, second + 1);
	trace_bound_close(&bound);

	issuable.node_no = hilo_node_no;
	issuable.as_of = as_of;
	issuable.bound = bound.second;
}

/* Return the second since 1970 that a moment is in. */
static int64
unix_second(TimestampTz ts)
{
	if (TIMESTAMP_NOT_FINITE(ts))
		ereport(ERROR,
				errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				errmsg("timestamp must be finite"));
	return timestamptz_to_time_t(ts) - (ts % USECS_PER_SEC < 0 ? 1 : 0);
}

static TimestampTz
timestamp_of_second(int64 second)
{
	TimestampTz ts = time_t_to_timestamptz(second);

	if (!IS_VALID_TIMESTAMP(ts))
		ereport(ERROR,
				errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				errmsg("timestamp out of range"));
	return ts;
}
