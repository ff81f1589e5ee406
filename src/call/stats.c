/*
 * What was done with each generator, and with all of the server.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/tuplestore.h"

#include "session/session.h"

PG_FUNCTION_INFO_V1(hilo_stats);
PG_FUNCTION_INFO_V1(hilo_stats_server);
PG_FUNCTION_INFO_V1(hilo_stats_reset);

/* of the counters, and since when they count */
#define COLUMNS (TALLY_COUNTERS + 1)

/*
 * A generator in a scan of them all.
 */
typedef struct Generator
{
	text	   *name;
	text	   *written;
	Definition	definition;
	FormData_hilo_hi hi;
} Generator;

static bool read_generator(Relation rel, HeapTuple tuple,
						   Generator *generator);
static void put_stats_row(Relation rel, HeapTuple tuple, void *rsinfo);
static void reset_generator(Relation rel, HeapTuple tuple, void *arg);
static void settle_all_entries(void);
static void fill_columns(const Tally *counted, Datum *values, bool *nulls);

Datum
hilo_stats(PG_FUNCTION_ARGS)
{
	InitMaterializedSRF(fcinfo, 0);
	settle_all_entries();
	catalog_each(CATALOG_DEFINITION, put_stats_row, fcinfo->resultinfo);
	return (Datum) 0;
}

Datum
hilo_stats_server(PG_FUNCTION_ARGS)
{
	Tally		counted;
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {0};

	settle_all_entries();
	tally_read(0, &counted);
	fill_columns(&counted, values, nulls);
	PG_RETURN_DATUM(call_row(fcinfo, values, nulls));
}

/*
 * hilo_stats_reset(): has the generators of the database, and the server, counted
 * from zero.
 */
Datum
hilo_stats_reset(PG_FUNCTION_ARGS)
{
	settle_all_entries();
	catalog_each(CATALOG_DEFINITION, reset_generator, NULL);
	tally_reset(0);
	PG_RETURN_VOID();
}

/*
 * Read a generator from its row in hilo_generator; false if it is incomplete.
 */
static bool
read_generator(Relation rel, HeapTuple tuple, Generator *generator)
{
	definition_from_tuple(tuple, rel, &generator->definition,
						  &generator->name, &generator->written);
	return store_read(generator->name, &generator->hi);
}

/*
 * Put the counters of a generator into the result, if the current role may see
 * it.
 */
static void
put_stats_row(Relation rel, HeapTuple tuple, void *rsinfo)
{
	ReturnSetInfo *result = rsinfo;
	Generator	generator;
	Tally		counted;
	Datum		values[1 + COLUMNS];
	bool		nulls[1 + COLUMNS] = {0};

	if (!read_generator(rel, tuple, &generator) ||
		!privilege_may_see(generator.name, generator.definition.is_public,
						   GetUserId()))
		return;

	tally_read(generator.hi.incarnation, &counted);
	if (holder_of(&generator.definition)->taken != NULL)
		counted.counters[TALLY_HANDED_OUT] +=
			holder_of(&generator.definition)->taken(&generator.hi);
	values[0] = PointerGetDatum(generator.written);
	fill_columns(&counted, values + 1, nulls + 1);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

static void
reset_generator(Relation rel, HeapTuple tuple, void *arg)
{
	Generator	generator;

	if (read_generator(rel, tuple, &generator))
		tally_reset(generator.hi.incarnation);
}

static void
settle_all_entries(void)
{
	SessionEntry *entry;

	for (entry = session_latest_entry; entry != NULL; entry = entry->older)
		session_settle(entry);
}

/*
 * Return the columns of what was counted, in the order of the counters.
 */
static void
fill_columns(const Tally *counted, Datum *values, bool *nulls)
{
	for (int i = 0; i < TALLY_COUNTERS; i++)
		values[i] = i == TALLY_FLUSH_TIME ?
			Float8GetDatum(counted->counters[i] / 1000.0) :
			Int64GetDatum(counted->counters[i]);
	values[TALLY_COUNTERS] = TimestampTzGetDatum(counted->since);
	nulls[TALLY_COUNTERS] = counted->since == 0;
}
