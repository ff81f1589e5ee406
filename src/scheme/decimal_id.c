/*
 * Decimal ids: digits of a counter, of a generator_id and of a launch_id.
 *
 * Each launch has a generator.  The counter and the generator_id are the digits
 * of its number, so a decimal id repeats only if a number does.  Each database
 * has its own generators: so the launch is set for a database.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "commands/dbcommands.h"

#include "scheme/scheme.h"

PG_FUNCTION_INFO_V1(decimal_id);
PG_FUNCTION_INFO_V1(decimal_id_parts);
PG_FUNCTION_INFO_V1(decimal_id_next);

/* id = counter * 10^10 + generator_id * 10^5 + launch_id */
#define COUNTER_UNIT INT64CONST(10000000000)
#define GENERATOR_UNIT INT64CONST(100000)
#define MAKE_ID(counter, generator_id, launch_id) \
	((counter) * COUNTER_UNIT + (generator_id) * GENERATOR_UNIT + (launch_id))

#define GENERATOR_MAX 99999

/* the highest counter for which every id fits into bigint */
#define COUNTER_MAX INT64CONST(922337202)

/* the highest number of a launch: its generator_ids begin with 1 */
#define NUMBER_MAX (COUNTER_MAX * GENERATOR_MAX)

int			decimal_launch_id;

static SessionEntry *launch_entry(void);
static void launch_require(void);
static void launch_create(text *name);

Datum
decimal_id(PG_FUNCTION_ARGS)
{
	int64		counter = PG_GETARG_INT64(0);
	int32		generator_id = PG_GETARG_INT32(1);
	int32		launch_id = PG_GETARG_INT32(2);

	id_domain_check("counter", counter, 1, COUNTER_MAX);
	id_domain_check("generator_id", generator_id, 0, GENERATOR_MAX);
	id_domain_check("launch_id", launch_id, 1, LAUNCH_MAX);
	PG_RETURN_INT64(MAKE_ID(counter, generator_id, launch_id));
}

/* The launch_id may be 0, that of tests. */
Datum
decimal_id_parts(PG_FUNCTION_ARGS)
{
	int64		id = PG_GETARG_INT64(0);
	Datum		values[] = {
		Int64GetDatum(id / COUNTER_UNIT),
		Int32GetDatum((int32) (id % COUNTER_UNIT / GENERATOR_UNIT)),
		Int32GetDatum((int32) (id % GENERATOR_UNIT))
	};

	id_domain_check("id", id, COUNTER_UNIT,
					(COUNTER_MAX + 1) * COUNTER_UNIT - 1);
	return call_row(fcinfo, values, NULL);
}

/* Works for any role: the launch's generator is hilo's own. */
Datum
decimal_id_next(PG_FUNCTION_ARGS)
{
	Oid			role;
	int			context;
	int64		number;

	GetUserIdAndSecContext(&role, &context);
	SetUserIdAndSecContext(BOOTSTRAP_SUPERUSERID,
						   context | SECURITY_LOCAL_USERID_CHANGE);
	number = next_id(launch_entry(), "decimal_id_next()", 0);
	SetUserIdAndSecContext(role, context);

	if (number > NUMBER_MAX)
		ereport(ERROR,
				errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				errmsg("launch %d has used up its numbers", decimal_launch_id),
				errhint("Set hilo.launch_id to a launch that has numbers left."));
	PG_RETURN_INT64(MAKE_ID((number - 1) % COUNTER_MAX + 1,
							(number - 1) / COUNTER_MAX + 1,
							decimal_launch_id));
}

/* Return the entry of the launch's generator, which is made if need be. */
static SessionEntry *
launch_entry(void)
{
	static SessionEntry *entry;
	static int	launch_id;
	text	   *name;
	FormData_hilo_hi hi;

	if (entry != NULL && launch_id == decimal_launch_id &&
		entry_is_current(entry))
		return entry;
	require_writable("decimal_id_next()");
	launch_require();
	name = cstring_to_text(psprintf(INTERNAL_PREFIX "decimal_id/%d",
									decimal_launch_id));
	if (!definition_exists(name) || !store_read(name, &hi))
		launch_create(name);
	entry = session_entry_of(name, name);
	launch_id = decimal_launch_id;
	return entry;
}

/* Report an error unless the launch is set for this database. */
static void
launch_require(void)
{
	if (decimal_launch_id != 0 &&
		setting_find("hilo.launch_id")->source >= PGC_S_DATABASE)
		return;
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("hilo.launch_id is not set for this database"),
			errdetail("Decimal ids of two databases with one launch would repeat."),
			errhint("A superuser can set it to a number that no other database has, with ALTER DATABASE %s SET hilo.launch_id = ... and a new connection.",
					quote_identifier(get_database_name(MyDatabaseId))));
}

/* On a Citus worker the numbers come from the coordinator. */
static void
launch_create(text *name)
{
	Definition	definition = definition_default(name);
	Oid			owner = InvalidOid;

	if (citus_is_worker())
	{
		definition_set_hub(&definition, CITUS_HUB);
		owner = BOOTSTRAP_SUPERUSERID;
	}
	else
		definition_set_ordering(&definition, "global");
	(void) first_use_of_tag(name, &definition, owner, true);
}
