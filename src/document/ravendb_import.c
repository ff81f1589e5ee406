/* The counters of a RavenDB database, as SQL has read them. */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_raise_counter);

/*
 * Let a generator hand out no id up to a value, up to which RavenDB has used
 * ids.  Scattered ids come from other numbers.
 */
Datum
hilo_raise_counter(PG_FUNCTION_ARGS)
{
	text	   *written = PG_GETARG_TEXT_PP(0);
	int64		value = PG_GETARG_INT64(1);
	text	   *name = name_of_generator(written, NAME_TAKES);
	Definition	definition;

	require_writable("hilo_import_ravendb()");
	definition = seed_check(name, written, value, SEED_SKIP);
	definition_refuse_scattered(&definition, written);
	PG_RETURN_INT64(seed_generator(name, written, value, SEED_SKIP));
}
