/*
 * Decimal ids: counter, generator and launch, each in digits of its own.
 *
 * The counter runs in shared memory.  On disk is which generator_ids of a
 * launch were taken, each of them once: a counter that is lost with the memory,
 * or is used up, begins again at 1 with the next generator_id.
 *
 * A counter belongs to the generator with a row that says that the counter's
 * generator_id is the last one taken.  A row that says more was restored.
 * Under another generator, as after a rollback of DROP and CREATE EXTENSION, or
 * in another database that takes over the launch of one that was dropped, or in
 * a copy of it with its OID, the row may say less, so the next generator_id
 * lies above the counter's.
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

/* the greatest that fits into bigint with any generator and launch */
#define COUNTER_MAX INT64CONST(922337202)

/*
 * A word: above the counter of the ids handed out, a number that each
 * generator_id has of its own in the slot: one atomic step takes the next
 * counter and shows which generator_id it belongs to.
 */
#define COUNTER_BITS 30
#define TENANCY(word) ((word) >> COUNTER_BITS)
#define COUNTER(word) \
	((int64) ((word) & ((UINT64CONST(1) << COUNTER_BITS) - 1)))

int			decimal_launch_id;
bool		decimal_launch_testing;
char	   *decimal_hub = "";

/*
 * A slot as it was found, known while it keeps its tenancy and no generator
 * has changed.
 */
static struct
{
	SchemeSlot *slot;			/* NULL: nothing is known */
	SchemeSlot	found;
	uint64		as_of;			/* generators_as_of */
}			known;

static inline bool take_counter(int64 *counter);
static void look_at_launch_again(void);
static void start_counter(InternalGenerator *internal, bool of_server);
static InternalGenerator open_numbers(int32 launch_id);
static const char *hub_name(void);
static int32 ask_hub(int32 launch_id, int64 at_least);

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
	while (!take_counter(&counter))
		look_at_launch_again();
	PG_RETURN_INT64(MAKE_ID(counter, known.found.taken, known.found.number));
}

/* Take a generator_id of a launch for a server that has this one as its hub. */
Datum
hilo_hub_number(PG_FUNCTION_ARGS)
{
	require_writable("hilo_hub_number()");
	if (*decimal_hub != '\0')
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("hilo.hub is set on the hub, too"),
				errhint("Set hilo.hub only on the servers that use the hub."));
	id_domain_check("launch_id", PG_GETARG_INT32(0), 0, LAUNCH_MAX);
	id_domain_check("at_least", PG_GETARG_INT64(1), 1, GENERATOR_MAX + 1);
	PG_RETURN_INT64(internal_take(open_numbers(PG_GETARG_INT32(0)),
								  PG_GETARG_INT64(1)));
}

/*
 * Take the next counter of the known generator_id; false if one has to look
 * again.
 */
static inline bool
take_counter(int64 *counter)
{
	uint64		word;

	if (known.slot == NULL || known.found.number != decimal_launch_id ||
		known.as_of != generators_as_of() ||
		(decimal_launch_id == 0 && !decimal_launch_testing))
		return false;
	word = pg_atomic_read_u64(&known.slot->word);
	do
	{
		if (TENANCY(word) != TENANCY(pg_atomic_read_u64(&known.found.word)) ||
			COUNTER(word) >= COUNTER_MAX)
			return false;
	} while (!pg_atomic_compare_exchange_u64(&known.slot->word, &word,
											 word + 1));
	*counter = COUNTER(word) + 1;
	return true;
}

/*
 * Learn the generator_id in use; take the next one if there is none or it is
 * used up.
 */
static void
look_at_launch_again(void)
{
	LOCKTAG		launch =
		lock_of_generator(InvalidOid, (int64) decimal_launch_id << 32,
						  WINDOW_LOCK);
	InternalGenerator internal;
	uint64		as_of;

	/* databases do not meet if a hub keeps them apart, or in tests */
	bool		of_server = hub_name() == NULL && decimal_launch_id != 0;

	if (decimal_launch_id == 0 && !decimal_launch_testing)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("hilo.launch_id is not set"),
				errhint("Set it in the server's configuration to the number of this launch of the system."));
	shared_memory_attach();
	/* before the rows are read, which may change meanwhile */
	as_of = generators_as_of();
	internal = open_numbers(decimal_launch_id);

	/*
	 * the others, in all databases, wait for the one who takes a generator_id
	 */
	(void) lock_acquire(launch, true);
	known.slot = internal_find(&internal, decimal_launch_id, of_server,
							   &known.found);
	if (known.slot == NULL ||
		COUNTER(pg_atomic_read_u64(&known.found.word)) >= COUNTER_MAX)
		start_counter(&internal, of_server);
	lock_release(launch);
	known.as_of = as_of;
}

/*
 * Start the counter of a generator_id above the one that was found, and make
 * the session know it.  Report an error if a database that has the launch is
 * still there, and is not this one: each counts generator_ids from 1.
 */
static void
start_counter(InternalGenerator *internal, bool of_server)
{
	Oid			database = known.found.key.database;
	char	   *name = OidIsValid(database) && database != MyDatabaseId ?
		get_database_name(database) : NULL;
	int64		at_least = known.found.taken + 1;
	int64		generator_id;

	if (name != NULL)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_IN_USE),
				errmsg("launch %d is in use by database \"%s\"",
					   decimal_launch_id, name),
				errdetail("Decimal ids of two databases with one launch would repeat."),
				errhint("Set hilo.launch_id for one of them with ALTER DATABASE, or get the numbers from a hub."));
	/* above those that this server has had, wherever they came from */
	if (hub_name() != NULL)
		at_least = ask_hub(decimal_launch_id,
						   Max(internal->last + 1, at_least));
	generator_id = internal_take(*internal, at_least);
	/* after a failover, the row gives a higher one, which is not the hub's */
	if (hub_name() != NULL)
		generator_id = at_least;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	known.slot = internal_slot(decimal_launch_id, of_server,
							   internal->incarnation);
	known.slot->taken = generator_id;
	pg_atomic_write_u64(&known.slot->word,
						(TENANCY(pg_atomic_read_u64(&known.slot->word)) + 1) << COUNTER_BITS);
	known.found = *known.slot;
	LWLockRelease(shared_lock);
}

static InternalGenerator
open_numbers(int32 launch_id)
{
	return internal_open(psprintf(INTERNAL_PREFIX "decimal_id/%d", launch_id),
						 GENERATOR_MAX);
}

/* Return the hub that decimal ids have numbers from, NULL if there is none. */
static const char *
hub_name(void)
{
	if (*decimal_hub != '\0')
		return decimal_hub;
	return citus_is_worker() ? CITUS_HUB : NULL;
}

/* Take a number, at_least so much, on the hub, by a superuser's mapping. */
static int32
ask_hub(int32 launch_id, int64 at_least)
{
	int64		result = *hub_call(hub_name(), InvalidOid, "hilo_hub_number",
								   psprintf("%d, " INT64_FORMAT, launch_id,
											at_least),
								   0, 1, NULL);

	if (result < at_least || result > GENERATOR_MAX)
		hub_refuse_answer(psprintf("It gave %lld, which is not between %lld and %d.",
								   (long long) result, (long long) at_least,
								   GENERATOR_MAX));
	return (int32) result;
}
