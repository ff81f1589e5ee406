/*
 * The counters of a RavenDB database, as SQL has read them.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/tuplestore.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_raise_counters);

static void check_counter(text *written, int64 value);
static void raise_counter(text *written, int64 value, ReturnSetInfo *result);

/*
 * hilo_raise_counters(names, values): raises each generator above its value, as
 * RavenDB has used the ids up to there; returns those that were behind.  All
 * are checked before the first is raised, as raising is not undone by a
 * rollback.
 */
Datum
hilo_raise_counters(PG_FUNCTION_ARGS)
{
	Datum	   *names;
	Datum	   *values;
	int			count;
	int			nvalues;

	catalog_require_writable("hilo_import_ravendb()");
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(0), TEXTOID, -1, false,
					  TYPALIGN_INT, &names, NULL, &count);
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), INT8OID, sizeof(int64),
					  FLOAT8PASSBYVAL,
					  TYPALIGN_DOUBLE, &values, NULL, &nvalues);
	count = Min(count, nvalues);
	for (int i = 0; i < count; i++)
		check_counter(DatumGetTextPP(names[i]), DatumGetInt64(values[i]));
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < count; i++)
		raise_counter(DatumGetTextPP(names[i]), DatumGetInt64(values[i]),
					  (ReturnSetInfo *) fcinfo->resultinfo);
	return (Datum) 0;
}

/*
 * Report an error if a counter cannot be raised.  Scattered ids come from other
 * numbers than those that RavenDB has used.
 */
static void
check_counter(text *written, int64 value)
{
	Definition	definition;

	if (definition_is_identity(written))
		(void) identity_name(written);
	seed_check(written, value, SEED_PASS);
	if (definition_find(definition_name(written), &definition, NULL))
		definition_refuse_scattered(&definition, written);
}

static void
raise_counter(text *written, int64 value, ReturnSetInfo *result)
{
	text	   *name = definition_name(written);
	text	   *shown = written;
	Definition	definition;
	Datum		row[2];
	bool		nulls[2] = {false};
	int64		before = 0;

	if (value == 0)
		return;
	if (definition_find(name, &definition, &shown))
		before = identity_last(name, &definition);
	row[0] = PointerGetDatum(shown);
	row[1] = Int64GetDatum(seed_generator(written, value, SEED_PASS));
	if (value > before)
		tuplestore_putvalues(result->setResult, result->setDesc, row, nulls);
}
