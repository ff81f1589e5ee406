/* The generator that a column of a table draws from. */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_column_generator);

typedef struct KnownGenerator
{
	Oid			relid;
	uint64		generation;		/* of the defaults when it was looked up */
	text	   *name;
} KnownGenerator;

static text *generator_of_table(Oid relid);

/* Of a column, or null; without a name, of the only one that draws from any, for an id. */
Datum
hilo_column_generator(PG_FUNCTION_ARGS)
{
	KnownGenerator *known = fcinfo->flinfo->fn_extra;
	uint64		generation = catalog_default_generation;
	Oid			relid = PG_GETARG_OID(0);
	Definition	definition;
	text	   *name;

	argument_require(fcinfo, 0, "table");
	argument_require(fcinfo, 1, "column");
	if (NameStr(*PG_GETARG_NAME(1))[0] != '\0')
	{
		(void) column_number(relid, NameStr(*PG_GETARG_NAME(1)));
		name = column_default_find(relid, NameStr(*PG_GETARG_NAME(1))).generator;
		fcinfo->isnull = name == NULL;
		return PointerGetDatum(name);
	}

	if (known != NULL && known->relid == relid && known->generation == generation)
		PG_RETURN_TEXT_P(known->name);
	name = generator_of_table(relid);
	if (definition_find_alive(definition_name(name), &definition))
	{
		MemoryContext before = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

		fcinfo->flinfo->fn_extra = known = palloc(sizeof(*known));
		known->relid = relid;
		known->generation = generation;
		known->name = DatumGetTextPCopy(PointerGetDatum(name));
		MemoryContextSwitchTo(before);
	}
	else
	{
		Relation	rel = relation_may_insert(relid, GetUserId()) ? table_open(relid, RowExclusiveLock) : NULL;

		/* a first use is the table's, as by an INSERT; it may be rolled back */
		catalog_require_writable("hilo_next_for()");
		session_check(session_entry(name));
		if (rel != NULL)
			table_close(rel, NoLock);
	}
	PG_RETURN_TEXT_P(name);
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
					 errmsg("more than one column of table \"%s\" draws from a generator", get_rel_name(relid)),
					 errhint("Call hilo_next with the name of the generator.")));
		found = column->generator;
	}
	if (found == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("no column of table \"%s\" draws from a generator", get_rel_name(relid)),
				 errdetail(UNRECOGNIZED_DEFAULT)));
	return found;
}
