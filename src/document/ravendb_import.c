/* The counters of a RavenDB database, which ravendb_import.sql reads. */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_raise_counter);

/*
 * Raise a generator above a value up to which RavenDB has used ids.  Report an
 * error if its ids are scattered: they do not follow each other.
 */
Datum
hilo_raise_counter(PG_FUNCTION_ARGS)
{
	text	   *written = PG_GETARG_TEXT_PP(0);
	int64		value = PG_GETARG_INT64(1);
	text	   *name = name_of_tag(written);
	Definition	definition;

	require_writable("hilo_import_ravendb()");
	definition = seed_check(name, written, value, SEED_SKIP);
	definition_refuse_scattered(&definition, written);
	PG_RETURN_INT64(seed_generator(name, written, value, SEED_SKIP));
}
