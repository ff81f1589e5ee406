/*
 * A library that takes as many of the session's slots for relcache callbacks as it is
 * asked to.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/inval.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(relcache_slots_take);

static void
ignore(Datum arg, Oid relid)
{
}

Datum
relcache_slots_take(PG_FUNCTION_ARGS)
{
	for (int i = 0; i < PG_GETARG_INT32(0); i++)
		CacheRegisterRelcacheCallback(ignore, (Datum) 0);
	PG_RETURN_VOID();
}
