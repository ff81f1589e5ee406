/*
 * Raising the last id of a generator by hand, or lowering it.
 */
#include "postgres.h"

#include "call/call.h"
#include "source/source.h"

PG_FUNCTION_INFO_V1(hilo_seed);

static int64 raise_last(text *name, const Definition *definition,
						const FormData_hilo_hi *hi, const int64 *to,
						SeedKind kind);
static void require_in_limits(const Definition *definition, int64 value,
							  SeedKind kind);

/*
 * hilo_seed(name, value, force): raises "last" to value, or sets it.
 *
 * Not undone by a rollback, unless the generator is gapless.  Whoever takes ids
 * waits for the transaction of a forced seed.
 */
Datum
hilo_seed(PG_FUNCTION_ARGS)
{
	catalog_require_writable("hilo_seed()");
	definition_argument(fcinfo);
	return seed_by_arguments(fcinfo, PG_GETARG_TEXT_PP(0));
}

Datum
seed_by_arguments(FunctionCallInfo fcinfo, text *written)
{
	int64		value = PG_ARGISNULL(1) ? 0 : PG_GETARG_INT64(1);
	bool		force = !PG_ARGISNULL(2) && PG_GETARG_BOOL(2);

	PG_RETURN_INT64(seed_generator(written, PG_ARGISNULL(1) ? NULL : &value,
								   force ? SEED_FORCE : SEED_RAISE));
}

/* Report the error that raising "last" of a generator to a value would. */
void
seed_check(text *written, int64 value)
{
	text	   *name = definition_name(written);
	Definition	definition = definition_default(name);

	if (definition_exists(name))
		definition = generator_require_owned(name);
	else if (!first_use_is_on)
		first_use(name, written);
	else
		definition_require_name(name, GetUserId());
	require_in_limits(&definition, value, SEED_RAISE);
}

/*
 * Raise "last" of a generator to a value, or set it if forced, and return the
 * result; no value changes nothing.
 */
int64
seed_generator(text *written, const int64 *to, SeedKind kind)
{
	text	   *name = definition_name(written);
	int64		value = to == NULL ? 0 : *to;
	Definition	definition;
	FormData_hilo_hi hi;

	if (to == NULL)
		kind = SEED_RAISE;
	if (!definition_exists(name))
	{
		definition = definition_default(name);
		if (to == NULL && first_use_is_on)
			return definition.first - 1;
		require_in_limits(&definition, value, kind);
		first_use(name, written);
	}
	definition = generator_require_owned(name);
	require_in_limits(&definition, value, kind);
	generator_lock_complete(name, kind == SEED_FORCE ? AccessExclusiveLock :
							RowExclusiveLock, &hi);
	/* it may be another one of that name after the wait */
	definition = generator_require_owned(name);
	require_in_limits(&definition, value, kind);
	value = raise_last(name, &definition, &hi, to, kind);
	/* whoever drops it does not wait for a transaction of anybody's */
	if (kind != SEED_FORCE)
		unlock_incarnation(hi.incarnation, RowExclusiveLock);
	return value;
}

/*
 * Let no id up to value be handed out, as those are in use.  Without may_raise,
 * that is about ids that are reserved already, so whoever may take ids may do
 * it.
 */
void
seed_pass(text *name, int64 value, bool may_raise)
{
	Definition	definition;
	FormData_hilo_hi hi;

	if (!store_lock(name, RowExclusiveLock, &hi) ||
		!definition_find(name, &definition, NULL))
		return;
	value = Min(value, may_raise ? definition.max_value : hi.reserved);
	if (!may_raise && source_of(&definition)->seed != NULL)
		(void) store_seed(name, value, SEED_PASS, SEED_SKIPS_NONE);
	else
		(void) raise_last(name, &definition, &hi, &value, SEED_PASS);
	unlock_incarnation(hi.incarnation, RowExclusiveLock);
}

/*
 * Raise or set "last" where the generator keeps it: hub, shared memory, ORM,
 * row.
 */
static int64
raise_last(text *name, const Definition *definition,
		   const FormData_hilo_hi *hi, const int64 *to, SeedKind kind)
{
	const Source *source = source_of(definition);
	int64		value = to == NULL ? 0 : *to;

	if (source->seed != NULL)
	{
		if (to == NULL)
			return hi->reserved;
		value = source->seed(name, definition, hi->incarnation, value);
		if (kind == SEED_PASS)
			(void) store_seed(name, *to, SEED_PASS, SEED_SKIPS_NONE);
		return value;
	}
	return session_seed(name, definition, hi->incarnation, value, kind);
}

static void
require_in_limits(const Definition *definition, int64 value, SeedKind kind)
{
	if (kind == SEED_FORCE && source_of(definition)->seed != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot force the seed of a generator with a hub or an ORM's source"),
				 errdetail("Others take ids from the source, too."),
				 errhint("To raise the generator, leave force out. To lower it, drop all generators on the source, set that back, and create or adopt the generators again.")));
	if (value > definition->max_value)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("seed (%lld) must not be greater than max_value (%lld)",
						(long long) value, (long long) definition->max_value)));
	if (kind == SEED_FORCE && value < definition->first - 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("seed (%lld) must not be less than first - 1 (%lld)",
						(long long) value, (long long) definition->first - 1)));
}
