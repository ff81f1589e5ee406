/*
 * Decimal ids: counter, generator and launch, each in digits of its own.
 *
 * The counter runs in shared memory.  What is persistent is which
 * generator_ids of a launch were taken, each of them once: a counter that is
 * lost with the memory, or is used up, goes on from 1 with the next
 * generator_id.
 *
 * The counter and whose it is are one word, so that one atomic step takes the
 * next one and tells of which generator_id it is: see TENANCY below.
 *
 * A counter belongs to the generator whose row says that its generator_id is
 * the last one taken.  A row that says more was restored.  Under another
 * generator, as after a rollback of DROP and CREATE EXTENSION, or in another
 * database that takes over the launch, or the OID, of one that was dropped,
 * the row may say less, so the next generator_id lies above the counter's.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "commands/dbcommands.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "scheme/scheme.h"
#include "source/source.h"

PG_FUNCTION_INFO_V1(decimal_id);
PG_FUNCTION_INFO_V1(decimal_id_parts);
PG_FUNCTION_INFO_V1(decimal_id_next);
PG_FUNCTION_INFO_V1(hilo_decimal_id_skip);
PG_FUNCTION_INFO_V1(decimal_launch);
PG_FUNCTION_INFO_V1(hilo_hub_launch);
PG_FUNCTION_INFO_V1(hilo_hub_generator_id);

/* id = counter * 10^10 + generator_id * 10^5 + launch_id */
#define COUNTER_UNIT INT64CONST(10000000000)
#define GENERATOR_UNIT INT64CONST(100000)

/* so that all of the generators and launches are there for each counter */
#define COUNTER_MAX INT64CONST(922337202)

/*
 * A word: above the counter of the ids handed out, a number that every
 * generator_id in use has of its own.  What a counter can hold beyond
 * COUNTER_MAX is for calls that come too late.
 */
#define COUNTER_BITS 30
#define TENANCY(word) ((word) >> COUNTER_BITS)
#define COUNTER(word) \
	((int64) ((word) & ((UINT64CONST(1) << COUNTER_BITS) - 1)))

#define SLOTS 256

typedef struct DecimalSlot
{
	pg_atomic_uint64 word;		/* alone on its cache line */
	char		padding[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	/* changed under the segment's lock */
	Oid			database;		/* InvalidOid: free */
	TransactionId made_by;		/* of the database's row, as OIDs repeat */
	int64		incarnation;	/* of the generator of generator_ids */
	int32		launch_id;
	int32		generator_id;
} DecimalSlot;

typedef struct DecimalSegment
{
	DecimalSlot slots[SLOTS];
	uint64		tenancies;		/* the last one given */
	int			next_victim;
} DecimalSegment;

int			decimal_launch_id;
bool		decimal_launch_testing;
char	   *decimal_hub = "";

static DecimalSegment *segment;

/*
 * What this session knows: whose the word is, as long as it has this tenancy
 * and the catalog has this generation.
 */
static struct
{
	pg_atomic_uint64 *word;
	uint64		tenancy;		/* 0: nothing */
	uint64		generation;
	int32		launch_id;
	int32		generator_id;
}			known;

static int64 make_id(int64 counter, int32 generator_id, int32 launch_id);
static inline bool take_counter(int64 *counter);
static void look_at_launch_again(void);
static InternalGenerator open_launch(int32 launch_id);
static int32 generator_id_of_hub(InternalGenerator *internal, int64 at_least);
static int32 next_generator_id(InternalGenerator *internal, int64 at_least);
static DecimalSlot *find_slot(bool is_shared);
static DecimalSlot *claim_decimal_slot(bool is_shared, Oid before);
static void refuse_launch_of(Oid database);
static void know_slot(DecimalSlot *slot);
static int32 launch_next(text *note, const char *function);
static void refuse_decimal_hub(void);
static const char *hub_name(void);
static int32 ask_hub(const char *function, int64 low, int64 high);

void
decimal_id_init(void)
{
	shared_memory_reserve((void **) &segment, sizeof(DecimalSegment), false);
}

Datum
decimal_id(PG_FUNCTION_ARGS)
{
	int64		counter = PG_GETARG_INT64(0);
	int32		generator_id = PG_GETARG_INT32(1);
	int32		launch_id = PG_GETARG_INT32(2);

	id_domain_check("counter", counter, 1, COUNTER_MAX);
	id_domain_check("generator_id", generator_id, 0, GENERATOR_MAX);
	id_domain_check("launch_id", launch_id, 1, LAUNCH_MAX);
	PG_RETURN_INT64(make_id(counter, generator_id, launch_id));
}

/* decimal_id_parts(id): its parts; the launch_id may be 0, that of tests. */
Datum
decimal_id_parts(PG_FUNCTION_ARGS)
{
	int64		id = PG_GETARG_INT64(0);
	Datum		values[] = {
		Int64GetDatum(id / COUNTER_UNIT),
		Int32GetDatum((int32) (id % COUNTER_UNIT / GENERATOR_UNIT)),
		Int32GetDatum((int32) (id % GENERATOR_UNIT))
	};

	id_domain_check("id", id, COUNTER_UNIT, (COUNTER_MAX + 1) * COUNTER_UNIT - 1);
	PG_RETURN_DATUM(call_row(fcinfo, values, NULL));
}

/* decimal_id_next(): the next id in the launch that hilo.launch_id says. */
Datum
decimal_id_next(PG_FUNCTION_ARGS)
{
	int64		counter;

	catalog_require_writable("decimal_id_next()");
	if (flush_is_told())
		flush_look_at_standbys(true);

	while (!take_counter(&counter))
		look_at_launch_again();
	PG_RETURN_INT64(make_id(counter, known.generator_id, known.launch_id));
}

/*
 * hilo_decimal_id_skip(counters): leaves so many counters out.  For tests; the
 * extension does not declare it.
 */
Datum
hilo_decimal_id_skip(PG_FUNCTION_ARGS)
{
	if (known.tenancy != 0)
		(void) pg_atomic_fetch_add_u64(known.word,
									   Min(PG_GETARG_INT64(0),
										   COUNTER_MAX - COUNTER(pg_atomic_read_u64(known.word))));
	PG_RETURN_VOID();
}

/*
 * decimal_launch(note): the next number of a launch, the hub's if there is one.
 * It is taken, and in the server's log, whatever becomes of the transaction.
 */
Datum
decimal_launch(PG_FUNCTION_ARGS)
{
	text	   *note = PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0);

	if (hub_name() == NULL)
		PG_RETURN_INT32(launch_next(note, "decimal_launch()"));
	catalog_require_writable("decimal_launch()");
	PG_RETURN_INT32(ask_hub(psprintf("hilo_hub_launch(%s)",
									 note == NULL ? "NULL" :
									 quote_literal_cstr(text_to_cstring(note))),
							1, LAUNCH_MAX));
}

Datum
hilo_hub_launch(PG_FUNCTION_ARGS)
{
	refuse_decimal_hub();
	PG_RETURN_INT64(launch_next(PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0),
								"hilo_hub_launch()"));
}

Datum
hilo_hub_generator_id(PG_FUNCTION_ARGS)
{
	InternalGenerator internal;

	refuse_decimal_hub();
	catalog_require_writable("hilo_hub_generator_id()");
	id_domain_check("launch_id", PG_GETARG_INT32(0), 0, LAUNCH_MAX);
	id_domain_check("at_least", PG_GETARG_INT64(1), 1, GENERATOR_MAX + 1);
	internal = open_launch(PG_GETARG_INT32(0));
	PG_RETURN_INT64(next_generator_id(&internal, PG_GETARG_INT64(1)));
}

/* Take the next number of a launch of this server's own, and log it. */
static int32
launch_next(text *note, const char *function)
{
	InternalGenerator internal;
	int32		id;

	catalog_require_writable(function);
	internal = internal_open("launch", LAUNCH_MAX);
	id = (int32) internal_take(&internal, 1, NULL);
	if (id == 0)
		ereport(ERROR,
				(errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				 errmsg("no launch_id is left"),
				 errdetail("All %d launch_ids have been taken.", LAUNCH_MAX)));
	ereport(LOG,
			(errmsg("launch %d was taken by role \"%s\"", id,
					GetUserNameFromId(GetUserId(), false)),
			 note == NULL ? 0 : errdetail_internal("%s", text_to_cstring(note))));
	return id;
}

static int64
make_id(int64 counter, int32 generator_id, int32 launch_id)
{
	return counter * COUNTER_UNIT + generator_id * GENERATOR_UNIT + launch_id;
}

/*
 * Take the next counter of the generator_id that the session knows; false if it
 * has to look again.
 *
 * The word is read first so that calls that fail never push the counter.  An
 * add that comes too late meets another tenancy, and is lost.
 */
static inline bool
take_counter(int64 *counter)
{
	uint64		word;

	if (known.launch_id != decimal_launch_id || known.tenancy == 0 ||
		known.generation != catalog_generation ||
		(known.launch_id == 0 && !decimal_launch_testing))
		return false;
	word = pg_atomic_read_u64(known.word);
	if (TENANCY(word) != known.tenancy || COUNTER(word) >= COUNTER_MAX)
		return false;

	word = pg_atomic_fetch_add_u64(known.word, 1);
	*counter = COUNTER(word) + 1;
	return TENANCY(word) == known.tenancy && *counter <= COUNTER_MAX;
}

/*
 * Make the session know the generator_id in use, and take the next one if there
 * is none or it is used up.
 */
static void
look_at_launch_again(void)
{
	InternalGenerator internal;
	DecimalSlot *slot;
	TransactionId made;
	Oid			before = InvalidOid;

	/* databases do not meet if a hub keeps them apart, or in tests */
	bool		is_shared = hub_name() != NULL || decimal_launch_id == 0;
	int64		at_least = 1;
	int32		generator_id;

	if (decimal_launch_id == 0 && !decimal_launch_testing)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("hilo.launch_id is not set"),
				 errhint("Set it in the server's configuration to the number of this launch of the system, such as one from decimal_launch().")));
	shared_memory_attach();
	internal = open_launch(decimal_launch_id);

	/* the others wait for the one who takes a generator_id */
	(void) lock_window(&internal.key, true);
	made = catalog_row_xmin(DATABASEOID, MyDatabaseId);
	LWLockAcquire(shared_lock, LW_SHARED);
	slot = find_slot(is_shared);
	if (slot != NULL && (slot->database != MyDatabaseId ||
						 slot->incarnation != internal.key.incarnation ||
						 slot->made_by != made ||
						 slot->generator_id < internal_last(&internal)))
	{
		before = slot->database;
		at_least = (int64) slot->generator_id + 1;
		slot = NULL;
	}
	if (slot != NULL && COUNTER(pg_atomic_read_u64(&slot->word)) < COUNTER_MAX)
		know_slot(slot);
	else
		slot = NULL;
	LWLockRelease(shared_lock);

	if (slot == NULL)
	{
		refuse_launch_of(is_shared ? InvalidOid : before);
		generator_id = hub_name() == NULL ?
			next_generator_id(&internal, at_least) :
			generator_id_of_hub(&internal, at_least);
		LWLockAcquire(shared_lock, LW_EXCLUSIVE);
		slot = claim_decimal_slot(is_shared, before);
		/* else another database was faster: the next look refuses this one */
		if (slot != NULL)
		{
			slot->incarnation = internal.key.incarnation;
			slot->made_by = made;
			slot->generator_id = generator_id;
			pg_atomic_write_u64(&slot->word,
								++segment->tenancies << COUNTER_BITS);
			know_slot(slot);
		}
		LWLockRelease(shared_lock);
	}
	unlock_window(&internal.key);
}

static InternalGenerator
open_launch(int32 launch_id)
{
	return internal_open(psprintf("decimal_id/%d", launch_id), GENERATOR_MAX);
}

/*
 * Take a generator_id from the hub, and note it here.  It is at_least so much,
 * and above those that this server has had, wherever they came from.
 */
static int32
generator_id_of_hub(InternalGenerator *internal, int64 at_least)
{
	int64		last = Max(internal_last(internal), at_least - 1);
	int32		generator_id =
		ask_hub(psprintf("hilo_hub_generator_id(%d, " INT64_FORMAT ")",
						 decimal_launch_id, last + 1), last + 1, GENERATOR_MAX);

	(void) next_generator_id(internal, generator_id);
	return generator_id;
}

/* Take a generator_id of this launch never taken before, at_least so much. */
static int32
next_generator_id(InternalGenerator *internal, int64 at_least)
{
	int64		generator_id = internal_take(internal, at_least, NULL);

	if (generator_id == 0)
		ereport(ERROR,
				(errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				 errmsg("launch %s has no generator_id left",
						strrchr(text_to_cstring(internal->name), '/') + 1),
				 errdetail("Each start of a server takes one of %d generator_ids.",
						   GENERATOR_MAX),
				 errhint("Set hilo.launch_id to another launch, such as one from decimal_launch().")));
	return (int32) generator_id;
}

/*
 * Find the slot of the launch: this database's; else another's, unless
 * databases share the launch; NULL if there is none.
 */
static DecimalSlot *
find_slot(bool is_shared)
{
	DecimalSlot *found = NULL;

	for (int i = 0; i < SLOTS; i++)
	{
		DecimalSlot *slot = &segment->slots[i];

		if (!OidIsValid(slot->database) || slot->launch_id != decimal_launch_id)
			continue;
		if (slot->database == MyDatabaseId)
			return slot;
		if (!is_shared)
			found = slot;
	}
	return found;
}

/*
 * Give a slot to this database and the launch: the one it has, that of the
 * database that had the launch before, a free one, or in turn that of another
 * launch, which loses its generator_id by it; NULL if another database has the
 * launch now.
 */
static DecimalSlot *
claim_decimal_slot(bool is_shared, Oid before)
{
	DecimalSlot *slot = find_slot(is_shared);

	if (slot != NULL && slot->database != MyDatabaseId &&
		slot->database != before)
		return NULL;
	for (int i = 0; slot == NULL && i < SLOTS; i++)
	{
		if (!OidIsValid(segment->slots[i].database))
			slot = &segment->slots[i];
	}
	if (slot == NULL)
	{
		slot = &segment->slots[segment->next_victim];
		segment->next_victim = (segment->next_victim + 1) % SLOTS;
	}
	slot->database = MyDatabaseId;
	slot->launch_id = decimal_launch_id;
	return slot;
}

/*
 * Report an error if a database that has the launch is still there, and is not
 * this one: each counts generator_ids from 1.
 */
static void
refuse_launch_of(Oid database)
{
	char	   *name = OidIsValid(database) && database != MyDatabaseId ?
		get_database_name(database) : NULL;

	if (name != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("launch %d is in use by database \"%s\"",
						decimal_launch_id, name),
				 errdetail("Decimal ids of two databases with one launch would repeat."),
				 errhint("Set hilo.launch_id for one of them with ALTER DATABASE, or take the numbers from a hub.")));
}

static void
know_slot(DecimalSlot *slot)
{
	known.word = &slot->word;
	known.tenancy = TENANCY(pg_atomic_read_u64(&slot->word));
	known.generation = catalog_generation;
	known.launch_id = slot->launch_id;
	known.generator_id = slot->generator_id;
}

static void
refuse_decimal_hub(void)
{
	if (*decimal_hub != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("hilo.hub is set on the hub, too"),
				 errhint("Set hilo.hub only on the servers that use the hub.")));
}

/* Return the hub that decimal ids have numbers from, NULL if there is none. */
static const char *
hub_name(void)
{
	return *decimal_hub != '\0' ? decimal_hub : citus_hub();
}

/*
 * Call a function of the hub for decimal ids, by a superuser's mapping; return
 * its result, which is from low to high.
 */
static int32
ask_hub(const char *function, int64 low, int64 high)
{
	const char *hub = hub_name();
	int64		result;

	hub_call(hub, BOOTSTRAP_SUPERUSERID, function, 0, 1, &result, NULL);
	if (result < low || result > high)
		hub_refuse_answer(hub, psprintf("It gave %lld, which is not between %lld and %lld.",
										(long long) result, (long long) low,
										(long long) high));
	return (int32) result;
}
