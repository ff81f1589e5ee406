/*
 * Lists of generators and of the columns that draw from them; the counters of
 * each generator, and those of the server.
 */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_columns);
PG_FUNCTION_INFO_V1(hilo_generator_list);
PG_FUNCTION_INFO_V1(hilo_stats);
PG_FUNCTION_INFO_V1(hilo_stats_server);
PG_FUNCTION_INFO_V1(hilo_stats_reset);

/* the counters, and the time of their last reset */
#define COLUMNS (TALLY_COUNTERS + 1)

static void put_generator_row(text *name, HeapTuple tuple, void *rsinfo);
static void put_stats_row(text *name, HeapTuple tuple, void *rsinfo);
static void fill_columns(int64 incarnation, int64 held, Datum *values,
						 bool *nulls);

Datum
hilo_columns(PG_FUNCTION_ARGS)
{
	text	   *only = PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0);

	InitMaterializedSRF(fcinfo, 0);
	foreach_ptr(ColumnDefault, column,
				column_default_list(only, false, InvalidOid))
	{
		text	   *generator = column->written;
		bool		nulls[] = {false, false, generator == NULL,
		column->generator == NULL};
		Datum		values[] = {
			ObjectIdGetDatum(column->relid), Int16GetDatum(column->attnum),
			generator == NULL ? 0 :
			PointerGetDatum(name_shown(column->generator, generator)),
			PointerGetDatum(column->generator)
		};

		put_row(fcinfo->resultinfo, values, nulls);
	}
	return (Datum) 0;
}

/* "last" is null if only a part of the generator has been restored. */
Datum
hilo_generator_list(PG_FUNCTION_ARGS)
{
	/* report one that has been altered, whether it has rows or not */
	for (OwnTable table = 0; table < OWN_TABLES; table++)
		table_close(own_table_open(table, AccessShareLock), AccessShareLock);
	InitMaterializedSRF(fcinfo, 0);
	own_table_each(OWN_DEFINITION, put_generator_row, fcinfo->resultinfo);
	return (Datum) 0;
}

Datum
hilo_stats(PG_FUNCTION_ARGS)
{
	InitMaterializedSRF(fcinfo, 0);
	own_table_each(OWN_DEFINITION, put_stats_row, fcinfo->resultinfo);
	return (Datum) 0;
}

Datum
hilo_stats_server(PG_FUNCTION_ARGS)
{
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {0};

	fill_columns(0, 0, values, nulls);
	return call_row(fcinfo, values, nulls);
}

Datum
hilo_stats_reset(PG_FUNCTION_ARGS)
{
	tally_reset();
	PG_RETURN_VOID();
}

static void
put_generator_row(text *name, HeapTuple tuple, void *rsinfo)
{
	Definition	definition = definition_from_tuple(name, tuple);
	Oid			owner = privilege_owner(name);

	if (privilege_may_see(name, &definition))
	{
		int64		last = generator_last(name, &definition);
		Datum		values[] = {
			PointerGetDatum(name),
			PointerGetDatum(name_shown(name, definition.written)),
			CStringGetTextDatum(definition_ordering(&definition)),
			ObjectIdGetDatum(owner), BoolGetDatum(definition.is_public),
			Int64GetDatum(definition.first), Int64GetDatum(last),
			Int64GetDatum(definition.max_value),
			Int64GetDatum(definition.range_size),
			Int64GetDatum(definition.max_range_size),
			Int32GetDatum(definition.domain_bits),
			TimestampTzGetDatum(definition.created),
			Float8GetDatum(definition_used_ratio(&definition, last)),
			PointerGetDatum(privilege_grants(name)),
			NameGetDatum(&definition.hub)
		};
		bool		nulls[lengthof(values)] = {0};

		nulls[3] = !OidIsValid(owner);
		nulls[6] = own_table_row(OWN_HI, name) == NULL;
		/* a gapless generator has no ranges */
		nulls[8] = nulls[9] = definition.holder == HELD_BY_TRANSACTION;
		put_row(rsinfo, values, nulls);
	}
}

static void
put_stats_row(text *name, HeapTuple tuple, void *rsinfo)
{
	Definition	definition = definition_from_tuple(name, tuple);
	FormData_hilo_hi hi;
	SessionEntry *entry;
	int64		held = 0;
	Datum		values[1 + COLUMNS];
	bool		nulls[1 + COLUMNS] = {0};

	if (!store_read(name, &hi) || !privilege_may_see(name, &definition))
		return;

	entry = session_find(name);
	if (entry != NULL && SameGenerator(entry->incarnation, hi.incarnation))
		held = session_held(entry);
	values[0] = PointerGetDatum(name_shown(name, definition.written));
	fill_columns(hi.incarnation, held, values + 1, nulls + 1);
	put_row(rsinfo, values, nulls);
}

/*
 * Fill the columns with the counters.  The ids that this session holds do not
 * count as handed out.
 */
static void
fill_columns(int64 incarnation, int64 held, Datum *values, bool *nulls)
{
	int64		counters[TALLY_COUNTERS];
	TimestampTz since;

	tally_read(incarnation, &since, counters);
	counters[TALLY_HANDED_OUT] -= held;
	for (int i = 0; i < TALLY_COUNTERS; i++)
		values[i] = Int64GetDatum(Max(counters[i], 0));
	values[TALLY_FLUSH_TIME] =
		Float8GetDatum(counters[TALLY_FLUSH_TIME] / 1000.0);
	values[TALLY_COUNTERS] = TimestampTzGetDatum(since);
	nulls[TALLY_COUNTERS] = since == 0;
}
