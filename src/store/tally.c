/*
 * Counters of what was done with each generator, in shared memory.
 *
 * They are counted where a range is taken, used up or given back, never where
 * an id is handed out, by one atomic add for the generator and one for the
 * server.  A slot is a generator's until another one needs it.  When all slots
 * of a set are taken, the least recently used one goes to the new generator and
 * counts from zero; the server's counters go on.
 *
 * A slot changes hands under the lock in exclusive mode, and is counted in
 * under the shared lock.
 *
 * A restart sets the counters to zero, but for an orderly one of a preloaded
 * server.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"

#include "store/store.h"

#define SLOTS 2048

/* a generator has one of so many that are next to each other */
#define SLOTS_IN_SET Min(SLOTS, 16)

typedef struct TallySlot
{
	int64		incarnation;
	Oid			database;
	uint64		used_at;		/* how many claims there were by then */
	TimestampTz since;
	pg_atomic_uint64 counters[TALLY_COUNTERS];
} TallySlot;

typedef struct TallySegment
{
	uint64		claims;			/* of slots, so far */
	TallySlot	server;
	TallySlot	slots[SLOTS];
} TallySegment;

static TallySegment *segment;

static TallySlot *lock_slot(Oid database, int64 incarnation);
static TallySlot *tally_slot(Oid database, int64 incarnation);
static TallySlot *set_of(Oid database, int64 incarnation);
static TallySlot *claim_tally(Oid database, int64 incarnation);
static void tally_start(TallySlot *slot);

void
tally_init(void)
{
	shared_memory_reserve((void **) &segment, sizeof(TallySegment), true);
}

/*
 * Count something of a generator of this database.
 *
 * Raises no error.  What a session does before shared_memory_attach is not
 * counted.
 */
void
tally(int64 incarnation, TallyCounter counter, int64 count)
{
	tally_in(MyDatabaseId, incarnation, counter, count);
}

void
tally_in(Oid database, int64 incarnation, TallyCounter counter, int64 count)
{
	TallySlot  *slot;

	if (count == 0 || (slot = lock_slot(database, incarnation)) == NULL)
		return;
	pg_atomic_fetch_add_u64(&slot->counters[counter], count);
	pg_atomic_fetch_add_u64(&segment->server.counters[counter], count);
	LWLockRelease(shared_lock);
}

/*
 * Return what was counted of a generator of this database, or, for the
 * incarnation 0, of all generators of the server.
 */
void
tally_read(int64 incarnation, Tally *result)
{
	TallySlot  *slot;

	shared_memory_attach();
	memset(result, 0, sizeof(*result));
	LWLockAcquire(shared_lock, LW_SHARED);
	slot = tally_slot(MyDatabaseId, incarnation);
	if (slot != NULL)
	{
		result->since = slot->since;
		for (int i = 0; i < TALLY_COUNTERS; i++)
			result->counters[i] = (int64) pg_atomic_read_u64(&slot->counters[i]);
	}
	LWLockRelease(shared_lock);
}

/*
 * Count from zero, and do not count the ids taken from windows that are open,
 * which will count when they end.
 */
void
tally_reset(int64 incarnation, int64 taken)
{
	TallySlot  *slot;

	shared_memory_attach();
	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	slot = tally_slot(MyDatabaseId, incarnation);
	if (slot == NULL)
		slot = claim_tally(MyDatabaseId, incarnation);
	tally_start(slot);
	pg_atomic_write_u64(&slot->counters[TALLY_HANDED_OUT], -taken);
	LWLockRelease(shared_lock);
}

/*
 * Take the lock and return the slot of a generator; NULL, and no lock, before
 * shared_memory_attach.
 */
static TallySlot *
lock_slot(Oid database, int64 incarnation)
{
	TallySlot  *slot;

	if (shared_lock == NULL)
		return NULL;

	LWLockAcquire(shared_lock, LW_SHARED);
	slot = tally_slot(database, incarnation);
	if (slot == NULL)
	{
		LWLockRelease(shared_lock);
		LWLockAcquire(shared_lock, LW_EXCLUSIVE);
		slot = tally_slot(database, incarnation);
		if (slot == NULL)
			slot = claim_tally(database, incarnation);
	}
	slot->used_at = segment->claims;
	return slot;
}

/*
 * Return the slot of a generator, or of the server; NULL if it has none.  The
 * caller holds the lock.
 */
static TallySlot *
tally_slot(Oid database, int64 incarnation)
{
	TallySlot  *set = set_of(database, incarnation);

	if (incarnation == 0)
		return &segment->server;
	for (TallySlot *slot = set; slot < set + SLOTS_IN_SET; slot++)
	{
		if (slot->incarnation == incarnation && slot->database == database)
			return slot;
	}
	return NULL;
}

/* Return the slots of which a generator may have one. */
static TallySlot *
set_of(Oid database, int64 incarnation)
{
	return &segment->slots[murmurhash32((uint32) incarnation ^ database) %
						   (SLOTS / SLOTS_IN_SET) * SLOTS_IN_SET];
}

/*
 * Give a generator that has none a free slot, or else the least recently used
 * one.  The caller holds the lock in exclusive mode.
 */
static TallySlot *
claim_tally(Oid database, int64 incarnation)
{
	TallySlot  *set = set_of(database, incarnation);
	TallySlot  *slot = set;

	if (segment->claims == 0)
		tally_start(&segment->server);
	for (TallySlot *other = set + 1; other < set + SLOTS_IN_SET; other++)
	{
		if (other->used_at < slot->used_at)
			slot = other;
	}
	slot->incarnation = incarnation;
	slot->database = database;
	slot->used_at = ++segment->claims;
	tally_start(slot);
	return slot;
}

static void
tally_start(TallySlot *slot)
{
	for (int i = 0; i < TALLY_COUNTERS; i++)
		pg_atomic_write_u64(&slot->counters[i], 0);
	slot->since = GetCurrentTimestamp();
}
