/*
 * What was done with each generator, and with all of the server.
 */
#include "postgres.h"

#include "session/session.h"

PG_FUNCTION_INFO_V1(hilo_stats);
PG_FUNCTION_INFO_V1(hilo_stats_server);
PG_FUNCTION_INFO_V1(hilo_stats_reset);

/* of the counters, and since when they count */
#define COLUMNS (TALLY_COUNTERS + 1)

static void put_stats_row(text *name, HeapTuple tuple, void *rsinfo);
static void fill_columns(int64 incarnation, int64 held, Datum *values,
						 bool *nulls);

Datum
hilo_stats(PG_FUNCTION_ARGS)
{
	InitMaterializedSRF(fcinfo, 0);
	catalog_each(CATALOG_DEFINITION, put_stats_row, fcinfo->resultinfo);
	return (Datum) 0;
}

Datum
hilo_stats_server(PG_FUNCTION_ARGS)
{
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {0};

	fill_columns(0, 0, values, nulls);
	PG_RETURN_DATUM(call_row(fcinfo, values, nulls));
}

Datum
hilo_stats_reset(PG_FUNCTION_ARGS)
{
	tally_reset();
	PG_RETURN_VOID();
}

static void
put_stats_row(text *name, HeapTuple tuple, void *rsinfo)
{
	ReturnSetInfo *result = rsinfo;
	text	   *written;
	Definition	definition;
	FormData_hilo_hi hi;
	SessionEntry *entry;
	int64		held = 0;
	Datum		values[1 + COLUMNS];
	bool		nulls[1 + COLUMNS] = {0};

	definition_from_tuple(tuple, &definition, &written);
	if (!store_read(name, &hi) ||
		!privilege_may_see(name, &definition, GetUserId()))
		return;

	entry = session_find(name);
	if (entry != NULL && SameGenerator(entry->incarnation, hi.incarnation))
		held = session_held(entry);
	values[0] = PointerGetDatum(written);
	fill_columns(hi.incarnation, held, values + 1, nulls + 1);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* Fill the columns with what was counted, but for ids that this session holds. */
static void
fill_columns(int64 incarnation, int64 held, Datum *values, bool *nulls)
{
	int64		counters[TALLY_COUNTERS];
	TimestampTz since;

	tally_read(incarnation, &since, counters);
	counters[TALLY_HANDED_OUT] -= held;
	for (int i = 0; i < TALLY_COUNTERS; i++)
		values[i] = i == TALLY_FLUSH_TIME ?
			Float8GetDatum(counters[i] / 1000.0) :
			Int64GetDatum(Max(counters[i], 0));
	values[TALLY_COUNTERS] = TimestampTzGetDatum(since);
	nulls[TALLY_COUNTERS] = since == 0;
}
