/* The counters of a RavenDB database, as SQL has read them. */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_raise_counter);

/*
 * hilo_raise_counter(name, value, only_check): raises a generator above the
 * value, up to which RavenDB has used ids; returns its name and last if it was
 * behind.  With only_check, only its error is reported.  Scattered ids come
 * from other numbers.
 */
Datum
hilo_raise_counter(PG_FUNCTION_ARGS)
{
	text	   *written = PG_GETARG_TEXT_PP(0);
	int64		value = PG_GETARG_INT64(1);
	text	   *name = name_of_generator(written, NAME_TAKES);
	Definition	definition = {.written = written};
	int64		before = 0;
	Datum		row[2];

	require_writable("hilo_import_ravendb()");
	if (definition_is_identity(written))
		(void) identity_name(written);
	(void) seed_check(name, written, value, SEED_PASS);
	if (definition_find(name, &definition))
	{
		definition_refuse_scattered(&definition, written);
		before = identity_last(name, &definition);
	}
	if (PG_GETARG_BOOL(2))
		PG_RETURN_NULL();
	row[0] = PointerGetDatum(definition.written);
	row[1] = Int64GetDatum(seed_generator(name, written, value, SEED_PASS));
	if (value <= before)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(call_row(fcinfo, row, NULL));
}
