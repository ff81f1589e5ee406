/*-------------------------------------------------------------------------
 *
 * trace_id.c
 *	  Trace ids: second, node, chunk and counter, as elfo has them.
 *
 * From the top: a bit that is 0, 25 bits of the second since 1970, 16 bits of
 * the node, 12 bits of the chunk, 10 bits of the counter.  The seconds come
 * round every 2^25 of them, which is 388 days, so they are compared on a
 * circle.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/trace_id.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/xact.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/timestamp.h"

#include "id_domain.h"

PG_FUNCTION_INFO_V1(trace_id);
PG_FUNCTION_INFO_V1(trace_id_parts);
PG_FUNCTION_INFO_V1(trace_id_valid);
PG_FUNCTION_INFO_V1(trace_id_valid_near);

#define SECOND_BITS 25
#define NODE_BITS 16
#define CHUNK_BITS 12
#define COUNTER_BITS 10

#define CHUNK_SHIFT COUNTER_BITS
#define NODE_SHIFT (CHUNK_SHIFT + CHUNK_BITS)
#define SECOND_SHIFT (NODE_SHIFT + NODE_BITS)

#define MAX_OF_BITS(bits) ((INT64CONST(1) << (bits)) - 1)

/* between the epoch of timestamps and 1970 */
#define EPOCH_SECONDS \
	((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY)

static int64 unix_second(TimestampTz ts);
static TimestampTz timestamp_of_second(int64 second);
static int64 nearest_second(int64 id, TimestampTz near);
static bool is_valid(int64 id, Interval *max_skew, TimestampTz near);
static double seconds_of_skew(Interval *max_skew);
static int64 part(int64 id, int shift, int bits);

/*
 * trace_id(ts, node, chunk, counter): the id of these parts.
 */
Datum
trace_id(PG_FUNCTION_ARGS)
{
	int64		second = unix_second(PG_GETARG_TIMESTAMPTZ(0));
	int32		node = PG_GETARG_INT32(1);
	int32		chunk = PG_GETARG_INT32(2);
	int32		counter = PG_GETARG_INT32(3);

	id_domain_check_part("node", node, 0, MAX_OF_BITS(NODE_BITS));
	id_domain_check_part("chunk", chunk, 0, MAX_OF_BITS(CHUNK_BITS));
	id_domain_check_part("counter", counter, 1, MAX_OF_BITS(COUNTER_BITS));
	PG_RETURN_INT64((second & MAX_OF_BITS(SECOND_BITS)) << SECOND_SHIFT |
					(int64) node << NODE_SHIFT |
					(int64) chunk << CHUNK_SHIFT | counter);
}

/*
 * trace_id_parts(id, near): the parts of an id; its second is the nearest to
 * a moment that it can be.
 */
Datum
trace_id_parts(PG_FUNCTION_ARGS)
{
	int64		id = PG_GETARG_INT64(0);
	int64		second;
	TupleDesc	desc;
	Datum		values[4];
	bool		nulls[4] = {0};

	id_domain_check(id, 1, PG_INT64_MAX);
	second = nearest_second(id, PG_GETARG_TIMESTAMPTZ(1));
	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	values[0] = TimestampTzGetDatum(timestamp_of_second(second));
	values[1] = Int32GetDatum((int32) part(id, NODE_SHIFT, NODE_BITS));
	values[2] = Int32GetDatum((int32) part(id, CHUNK_SHIFT, CHUNK_BITS));
	values[3] = Int32GetDatum((int32) part(id, 0, COUNTER_BITS));
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc),
													  values, nulls)));
}

/*
 * trace_id_valid(id, max_skew): says whether it can be a trace id, and, with
 * a max_skew, one of so much before or after the start of the statement.
 */
Datum
trace_id_valid(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	PG_RETURN_BOOL(is_valid(PG_GETARG_INT64(0),
							PG_ARGISNULL(1) ? NULL : PG_GETARG_INTERVAL_P(1),
							GetCurrentStatementStartTimestamp()));
}

/*
 * trace_id_valid(id, max_skew, near): the same, around any moment.
 */
Datum
trace_id_valid_near(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_valid(PG_GETARG_INT64(0), PG_GETARG_INTERVAL_P(1),
							PG_GETARG_TIMESTAMPTZ(2)));
}

/*
 * Gives the second that a moment is in, since 1970.
 */
static int64
unix_second(TimestampTz ts)
{
	int64		second = ts / USECS_PER_SEC;

	if (TIMESTAMP_NOT_FINITE(ts))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp must be finite")));
	if (ts % USECS_PER_SEC < 0)
		second--;
	return second + EPOCH_SECONDS;
}

static TimestampTz
timestamp_of_second(int64 second)
{
	TimestampTz ts = (second - EPOCH_SECONDS) * USECS_PER_SEC;

	if (!IS_VALID_TIMESTAMP(ts))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	return ts;
}

/*
 * Gives the second of an id, since 1970, that is the nearest to a moment: at
 * most 2^24 before and less than that after it.
 */
static int64
nearest_second(int64 id, TimestampTz near)
{
	int64		half = INT64CONST(1) << (SECOND_BITS - 1);
	int64		second = unix_second(near);
	int64		ahead = (part(id, SECOND_SHIFT, SECOND_BITS) - second) &
		MAX_OF_BITS(SECOND_BITS);

	return second + (ahead < half ? ahead : ahead - 2 * half);
}

static bool
is_valid(int64 id, Interval *max_skew, TimestampTz near)
{
	double		skew = max_skew == NULL ? 0 : seconds_of_skew(max_skew);

	if (id < 1)
		return false;
	return max_skew == NULL ||
		fabs((double) (nearest_second(id, near) - unix_second(near))) <= skew;
}

static double
seconds_of_skew(Interval *max_skew)
{
	double		seconds = ((double) max_skew->month * DAYS_PER_MONTH +
						   max_skew->day) * SECS_PER_DAY +
		(double) max_skew->time / USECS_PER_SEC;

	if (seconds < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("max_skew must not be negative")));
	return seconds;
}

static int64
part(int64 id, int shift, int bits)
{
	return id >> shift & MAX_OF_BITS(bits);
}
