/* The next id of the generator that a table draws from. */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_next_for);
PG_FUNCTION_INFO_V1(hilo_generator_of);

typedef struct NextForCall
{
	Oid			relid;
	uint64		generation;		/* of the defaults when it was looked up */
	SessionEntry *entry;
} NextForCall;

static text *generator_of_table(Oid relid);

Datum
hilo_next_for(PG_FUNCTION_ARGS)
{
	NextForCall *call = fcinfo->flinfo->fn_extra;
	Relation	rel = NULL;
	Oid			relid = PG_GETARG_OID(0);
	int64		id;

	argument_require(fcinfo, 0, "table");
	if (call == NULL)
		fcinfo->flinfo->fn_extra = call =
			MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(*call));
	if (call->relid != relid || call->generation != catalog_default_generation)
	{
		uint64		generation = catalog_default_generation;
		text	   *generator = generator_of_table(relid);
		Definition	definition;

		/* a first use is the table's, as by an INSERT */
		if (!definition_find_alive(definition_name(generator), &definition) &&
			relation_may_insert(relid, GetUserId()))
			rel = try_table_open(relid, RowExclusiveLock);
		call->entry = session_entry(generator);
		/* nothing is remembered of a first use, which may fail */
		call->relid = rel == NULL ? relid : InvalidOid;
		call->generation = generation;
	}
	id = next_id(call->entry, "hilo_next_for()", 0);
	if (rel != NULL)
		table_close(rel, NoLock);
	PG_RETURN_INT64(id);
}

Datum
hilo_generator_of(PG_FUNCTION_ARGS)
{
	ColumnDefault found;

	argument_require(fcinfo, 0, "table");
	argument_require(fcinfo, 1, "column");
	(void) column_number(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)));
	found = column_default_find(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)));
	if (found.generator == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(found.generator);
}

static text *
generator_of_table(Oid relid)
{
	text	   *found = NULL;

	(void) relation_owner(relid);
	foreach_ptr(ColumnDefault, column, column_default_of_table(relid, 0, NULL))
	{
		if (column->generator == NULL || !column_default_is_by_owner(column, false))
			continue;
		if (found != NULL)
			ereport(ERROR,
					(errcode(ERRCODE_AMBIGUOUS_COLUMN),
					 errmsg("more than one column of table \"%s\" draws from a generator",
							get_rel_name(relid)),
					 errhint("Call hilo_next with the name of the generator.")));
		found = column->generator;
	}

	if (found == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("no column of table \"%s\" draws from a generator",
						get_rel_name(relid)),
				 errdetail(UNRECOGNIZED_DEFAULT)));
	return found;
}
