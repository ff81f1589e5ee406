/*
 * What a call of a C function costs that does nothing: the baseline.
 */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(empty);
PG_FUNCTION_INFO_V1(bench_mark);

/*
 * empty(text): a number, for nothing.
 */
Datum
empty(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(1);
}

/*
 * bench_mark(): a place that callgrind knows by its name.
 */
Datum
bench_mark(PG_FUNCTION_ARGS)
{
	PG_RETURN_VOID();
}
