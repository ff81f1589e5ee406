/*
 * Decimal ids: digits of a counter, of a generator_id and of a launch_id.
 *
 * The counter runs in shared memory.  The row of a generator, one for each
 * launch, says which generator_ids were taken, each of them once: a counter
 * that is lost with the memory, or is used up, begins again at 1 with the next
 * generator_id.
 *
 * A counter is used only while the row says that its generator_id is the last
 * one taken.  A restored row may say more.  It may say less if the counter is
 * another generator's: one of before a rollback of DROP and CREATE EXTENSION,
 * or of a database that was dropped, after which another one took over the
 * launch or the OID.  So the next generator_id lies above both.
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

/* the greatest that fits into bigint with any generator and launch */
#define COUNTER_MAX INT64CONST(922337202)

/*
 * A word: the counter of the ids handed out and, above it, the tenancy, which
 * is another number for each generator_id of the slot.  So one atomic step
 * takes the next counter and shows which generator_id it belongs to.
 */
#define COUNTER_BITS 30
#define TENANCY(word) ((word) >> COUNTER_BITS)
#define COUNTER(word) \
	((int64) ((word) & ((UINT64CONST(1) << COUNTER_BITS) - 1)))

int			decimal_launch_id;
bool		decimal_launch_testing;
char	   *decimal_hub = "";

/*
 * The slot of the launch, and a copy of it.  The copy is valid while neither the
 * tenancy nor known_generation changes.
 */
static struct
{
	SchemeSlot *slot;			/* NULL: nothing is known */
	SchemeSlot	found;
	uint64		generation;
}			known;

static inline bool take_counter(int64 *counter);
static void look_at_launch_again(void);
static void start_counter(InternalGenerator *internal, bool of_server);
static InternalGenerator open_numbers(int32 launch_id);
static const char *hub_name(void);
static int64 ask_hub(const char *hub, int64 at_least);

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
		look_at_launch_again();
	PG_RETURN_INT64(MAKE_ID(counter, known.found.taken, known.found.number));
}

/* Take a generator_id for a server that has this one as its hub. */
Datum
hilo_hub_number(PG_FUNCTION_ARGS)
{
	require_writable("hilo_hub_number()");
	if (*decimal_hub != '\0')
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("hilo.hub is set on the hub, too"),
				errhint("Set hilo.hub only on the servers that use the hub."));
	PG_RETURN_INT64(internal_take(open_numbers(PG_GETARG_INT32(0)),
								  PG_GETARG_INT64(1)));
}

/*
 * Take the next counter of the known generator_id.  Return false if none is
 * known, it is used up, or another one has taken its place.
 */
static inline bool
take_counter(int64 *counter)
{
	uint64		word;

	if (known.slot == NULL || known.found.number != decimal_launch_id ||
		known.generation != known_generation)
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
 * Look up the generator_id in use; take the next one if there is none or it is
 * used up.
 */
static void
look_at_launch_again(void)
{
	LOCKTAG		launch =
		lock_of_generator(InvalidOid, (int64) decimal_launch_id << 32,
						  WINDOW_LOCK);
	InternalGenerator internal;

	/* a hub keeps databases apart, and tests may repeat ids */
	bool		of_server = hub_name() == NULL && decimal_launch_id != 0;

	shared_memory_attach();
	internal = open_numbers(decimal_launch_id);

	/* sessions of all databases wait for the one that takes a generator_id */
	(void) lock_acquire(launch, true);
	known.slot = internal_find(&internal, decimal_launch_id, of_server,
							   &known.found);
	if (known.slot == NULL ||
		COUNTER(pg_atomic_read_u64(&known.found.word)) >= COUNTER_MAX)
		start_counter(&internal, of_server);
	lock_release(launch);
	known.generation = known_generation;
}

/*
 * Take a generator_id above the one that was found, and start its counter.
 * Report an error if another database has the launch and still exists: each
 * database counts generator_ids from 1.
 */
static void
start_counter(InternalGenerator *internal, bool of_server)
{
	Oid			database = known.found.key.database;
	const char *hub = hub_name();
	const char *name;
	int64		generator_id = known.found.taken + 1;

	if (database != MyDatabaseId &&
		(name = get_database_name(database)) != NULL)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_IN_USE),
				errmsg("launch %d is in use by database \"%s\"",
					   decimal_launch_id, name),
				errdetail("Decimal ids of two databases with one launch would repeat."),
				errhint("Set hilo.launch_id for one of them with ALTER DATABASE, or get the numbers from a hub."));
	/* above those that this server has had, wherever they came from */
	if (hub == NULL)
		generator_id = internal_take(*internal, generator_id);
	else
	{
		generator_id = ask_hub(hub, Max(internal->last + 1, generator_id));

		/* after a failover, the row gives a higher one than the hub */
		(void) internal_take(*internal, generator_id);
	}

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

/* Return the hub that generator_ids come from, NULL if there is none. */
static const char *
hub_name(void)
{
	if (*decimal_hub != '\0')
		return decimal_hub;
	return citus_is_worker() ? CITUS_HUB : NULL;
}

/* Take a generator_id from the hub, by a superuser's user mapping. */
static int64
ask_hub(const char *hub, int64 at_least)
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
