/*
 * Decimal ids: digits of a counter, of a generator_id and of a launch_id.
 *
 * The counter is in shared memory.  Each launch has a generator, which gives
 * out each generator_id once.  A counter that is used up, or lost with the
 * memory, starts again at 1 with the next generator_id.
 *
 * A counter is used only while its generator_id is the last one in the
 * generator's row.  The row may have a higher one after a restore.  It may have
 * a lower one if the counter belonged to a former generator: before a rollback
 * of DROP and CREATE EXTENSION, or in a database that was dropped, so that
 * another one got its launch or its OID.  So the next generator_id lies above
 * both.
 */
#include "postgres.h"

#include "commands/dbcommands.h"

#include "scheme/scheme.h"

PG_FUNCTION_INFO_V1(decimal_id);
PG_FUNCTION_INFO_V1(decimal_id_parts);
PG_FUNCTION_INFO_V1(decimal_id_next);
PG_FUNCTION_INFO_V1(hilo_hub_number);

/* id = counter * 10^10 + generator_id * 10^5 + launch_id */
#define COUNTER_UNIT INT64CONST(10000000000)
#define GENERATOR_UNIT INT64CONST(100000)
#define MAKE_ID(counter, generator_id, launch_id) \
	((counter) * COUNTER_UNIT + (generator_id) * GENERATOR_UNIT + (launch_id))

#define GENERATOR_MAX 99999

/* the highest counter for which every id fits into bigint */
#define COUNTER_MAX INT64CONST(922337202)

/*
 * The word of a slot: the low bits are the counter of the last id, the others
 * the tenancy, which changes with each generator_id of the slot.  So one atomic
 * step takes the next counter and proves that its generator_id is still in use.
 */
#define COUNTER_BITS 30
#define TENANCY(word) ((word) >> COUNTER_BITS)
#define COUNTER(word) \
	((int64) ((word) & ((UINT64CONST(1) << COUNTER_BITS) - 1)))

int			decimal_launch_id;
bool		decimal_launch_testing;
char	   *decimal_hub = "";

/*
 * The slot of the launch, and a copy of it.  The copy is valid until the
 * tenancy or generators_as_of() changes.  An error may leave a slot here with
 * an old copy; take_counter checks both, so no id is taken from it.
 */
static struct
{
	SchemeSlot *slot;			/* NULL: not looked up */
	SchemeSlot	copy;
	uint64		as_of;			/* generators_as_of() of the copy */
}			launch;

static inline bool take_counter(int64 *counter);
static void launch_refresh(void);
static void start_counter(InternalGenerator *internal, bool of_server);
static InternalGenerator launch_generator(int32 launch_id);
static const char *hub_name(void);
static int64 hub_generator_id(const char *hub, int64 at_least);

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

Datum
decimal_id_next(PG_FUNCTION_ARGS)
{
	int64		counter;

	require_writable("decimal_id_next()");
	if (decimal_launch_id == 0 && !decimal_launch_testing)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("hilo.launch_id is not set"),
				errhint("Set it in the server's configuration to the number of this launch of the system."));
	while (!take_counter(&counter))
		launch_refresh();
	PG_RETURN_INT64(MAKE_ID(counter, launch.copy.taken, launch.copy.number));
}

/* Return a new generator_id to a server that has this one as its hub. */
Datum
hilo_hub_number(PG_FUNCTION_ARGS)
{
	require_writable("hilo_hub_number()");
	if (*decimal_hub != '\0')
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("hilo.hub is set on the hub, too"),
				errhint("Set hilo.hub only on the servers that use the hub."));
	PG_RETURN_INT64(internal_take(launch_generator(PG_GETARG_INT32(0)),
								  PG_GETARG_INT64(1)));
}

/*
 * Take the next counter of the generator_id in use.  Return false if this
 * session has not looked it up, if it is used up, or if it has been replaced.
 */
static inline bool
take_counter(int64 *counter)
{
	uint64		word;

	if (launch.slot == NULL ||
		launch.copy.number != decimal_launch_id ||
		launch.as_of != generators_as_of())
		return false;
	word = pg_atomic_read_u64(&launch.slot->word);
	do
	{
		if (TENANCY(word) != TENANCY(pg_atomic_read_u64(&launch.copy.word)) ||
			COUNTER(word) >= COUNTER_MAX)
			return false;
	} while (!pg_atomic_compare_exchange_u64(&launch.slot->word, &word,
											 word + 1));
	*counter = COUNTER(word) + 1;
	return true;
}

/*
 * Look up the generator_id in use; take the next one if there is none or it is
 * used up.
 */
static void
launch_refresh(void)
{
	LOCKTAG		tag =
		lock_of_generator(InvalidOid, (int64) decimal_launch_id << 32,
						  WINDOW_LOCK);
	InternalGenerator internal;
	uint64		as_of;

	/* a hub separates databases, and ids of tests may repeat */
	bool		of_server = hub_name() == NULL && decimal_launch_id != 0;

	shared_memory_attach();
	/* before the rows are read: a change of them after that shows */
	as_of = generators_as_of();
	internal = launch_generator(decimal_launch_id);

	/* sessions of all databases wait for the one that takes a generator_id */
	(void) lock_acquire(tag, true);
	launch.slot = internal_find(&internal, decimal_launch_id, of_server,
								&launch.copy);
	if (launch.slot == NULL ||
		COUNTER(pg_atomic_read_u64(&launch.copy.word)) >= COUNTER_MAX)
		start_counter(&internal, of_server);
	lock_release(tag);
	launch.as_of = as_of;
}

/*
 * Take a generator_id above that of the slot, and start its counter.
 *
 * Report an error if the slot belongs to another database that still exists.
 * Each database counts generator_ids from 1, so their ids would repeat.
 */
static void
start_counter(InternalGenerator *internal, bool of_server)
{
	Oid			database = launch.copy.key.database;
	const char *hub = hub_name();
	const char *name;
	int64		generator_id = launch.copy.taken + 1;
	uint64		word;

	if (database != MyDatabaseId &&
		(name = get_database_name(database)) != NULL)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_IN_USE),
				errmsg("launch %d is in use by database \"%s\"",
					   decimal_launch_id, name),
				errdetail("Decimal ids of two databases with one launch would repeat."),
				errhint("Set hilo.launch_id for one of them with ALTER DATABASE, or get the numbers from a hub."));
	/* above all that this server has had, from any hub or none */
	if (hub == NULL)
		generator_id = internal_take(*internal, generator_id);
	else
	{
		generator_id = hub_generator_id(hub, Max(internal->last + 1,
												 generator_id));

		/* count it here, too: after a failover the hub may give a lower one */
		(void) internal_take(*internal, generator_id);
	}

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	launch.slot = internal_slot(decimal_launch_id, of_server,
								internal->incarnation);
	launch.slot->taken = generator_id;
	word = pg_atomic_read_u64(&launch.slot->word);
	pg_atomic_write_u64(&launch.slot->word,
						(TENANCY(word) + 1) << COUNTER_BITS);
	launch.copy = *launch.slot;
	LWLockRelease(shared_lock);
}

static InternalGenerator
launch_generator(int32 launch_id)
{
	return internal_open(psprintf(INTERNAL_PREFIX "decimal_id/%d", launch_id),
						 GENERATOR_MAX);
}

/* Return the hub for generator_ids, NULL if there is none. */
static const char *
hub_name(void)
{
	if (*decimal_hub != '\0')
		return decimal_hub;
	return citus_is_worker() ? CITUS_HUB : NULL;
}

/* Get a generator_id from the hub with the user mapping of a superuser. */
static int64
hub_generator_id(const char *hub, int64 at_least)
{
	int64		result = *hub_call(hub, InvalidOid, "hilo_hub_number",
								   psprintf("%d, " INT64_FORMAT,
											decimal_launch_id, at_least),
								   0, 1, NULL);

	if (result < at_least || result > GENERATOR_MAX)
		hub_refuse_answer(psprintf("It gave %lld, which is not between %lld and %d.",
								   (long long) result, (long long) at_least,
								   GENERATOR_MAX));
	return result;
}
