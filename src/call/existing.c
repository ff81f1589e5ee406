/*
 * Generators that there are: the list of them, and what those ask first who
 * change one.
 */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_columns);
PG_FUNCTION_INFO_V1(hilo_generator_list);

static void put_generator_row(text *name, HeapTuple tuple, void *arg);

Datum
hilo_columns(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	foreach_ptr(ColumnDefault, column, column_default_list(NULL, NULL, InvalidOid))
	{
		Datum		values[] = {ObjectIdGetDatum(column->relid), Int16GetDatum(column->attnum), PointerGetDatum(column->generator), PointerGetDatum(column->folded)};
		bool		nulls[] = {false, false, column->generator == NULL, column->folded == NULL};

		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* "last" is null if a restore brought only a part of a generator. */
Datum
hilo_generator_list(PG_FUNCTION_ARGS)
{
	InitMaterializedSRF(fcinfo, 0);
	catalog_each(CATALOG_DEFINITION, put_generator_row, fcinfo->resultinfo);
	return (Datum) 0;
}

/* Return the definition of a generator that the current role may change. */
Definition
generator_require_owned(text *name)
{
	Definition	definition;

	if (!definition_find(name, &definition, NULL))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("generator \"%s\" does not exist", text_to_cstring(name))));
	privilege_require_owner(name);
	return definition;
}

/* Take the lock of a generator that must have a row in hilo_hi. */
void
generator_lock_complete(text *name, LOCKMODE lockmode,
						FormData_hilo_hi *hi)
{
	if (store_lock(name, lockmode, hi))
		return;

	/* it may have been dropped meanwhile */
	(void) generator_require_owned(name);
	definition_refuse_incomplete(name);
}

int64
generator_last(text *name, const Definition *definition)
{
	FormData_hilo_hi hi;
	int64		last;

	if (definition->holder == HELD_BY_NOBODY && gapless_last(name, &last))
		return last;
	if (!store_read(name, &hi))
		return definition->first - 1;
	return shared_last_carved(&hi);
}

static void
put_generator_row(text *name, HeapTuple tuple, void *arg)
{
	ReturnSetInfo *rsinfo = arg;
	text	   *written;
	Oid			owner = privilege_owner(name);
	Definition	definition;
	FormData_hilo_hi hi;

	definition_from_tuple(tuple, &definition, &written);
	if (privilege_may_see(name, &definition, GetUserId()))
	{
		int64		last = generator_last(name, &definition);
		Datum		values[] = {
			PointerGetDatum(name), PointerGetDatum(written),
			CStringGetTextDatum(definition_ordering(&definition)),
			ObjectIdGetDatum(owner), BoolGetDatum(definition.is_public),
			Int64GetDatum(definition.first), Int64GetDatum(last),
			Int64GetDatum(definition.max_value), Int64GetDatum(definition.range_size),
			Int64GetDatum(definition.max_range_size),
			Int32GetDatum(definition.domain_bits), TimestampTzGetDatum(definition.created),
			Float8GetDatum(definition_used_ratio(&definition, last)),
			PointerGetDatum(privilege_grants(name)), NameGetDatum(&definition.hub)
		};
		bool		nulls[lengthof(values)] = {0};

		nulls[3] = !OidIsValid(owner);
		nulls[6] = !store_read(name, &hi);
		/* no ranges are taken of one without gaps */
		nulls[8] = nulls[9] = definition.holder == HELD_BY_NOBODY;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}
