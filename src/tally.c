/*-------------------------------------------------------------------------
 *
 * tally.c
 *	  Counters of what was done with each generator, in shared memory.
 *
 * They are counted where a range is taken, used up or given back, never where
 * an id is handed out, by one atomic add for the generator and one for the
 * server.  A slot is a generator's until another one needs it: when all are
 * taken, that of the generator that was counted least lately is; it counts
 * from zero then, the server's counters go on.
 *
 * A slot changes hands under the lock in exclusive mode, and is counted in
 * under the shared lock.
 *
 * The counters are in no file: a restart of the server sets them to zero.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/tally.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "utils/timestamp.h"

#include "attempt.h"
#include "compat.h"
#include "shared_memory.h"
#include "tally.h"

/* tells the layout: see shared_memory */
#define SEGMENT_NAME "hilo tally 1"
#define SLOTS 1024

/* where a session looks first for the slot of a generator */
#define HINTS 64

typedef struct TallySlot
{
	int64		incarnation;	/* 0: free */
	Oid			database;
	uint64		used_at;		/* the claims there were when it was last used */
	TimestampTz since;
	pg_atomic_uint64 counters[TALLY_COUNTERS];
} TallySlot;

typedef struct TallySegment
{
	LWLock		lock;
	uint64		claims;			/* of slots, so far */
	TallySlot	server;
	TallySlot	slots[SLOTS];
} TallySegment;

static TallySegment *segment;
static bool unavailable = false;

static TallySlot *lock_slot(Oid database, int64 incarnation);
static inline void add(TallySlot *slot, TallyCounter counter, int64 count);
static void attach(void *arg);
static void attach_if_possible(void);
static void init_segment(SegmentInitArguments);
static TallySlot *find(Oid database, int64 incarnation);
static TallySlot *claim(Oid database, int64 incarnation);
static TallySlot *slot_to_claim(void);
static void start(TallySlot *slot);
static void read_slot(TallySlot *slot, Tally *result);

/*
 * Maps the memory, if that can be done, for what is to be counted when the
 * session ends: it is too late for that then.
 */
void
tally_attach(void)
{
	if (segment == NULL)
		attach_if_possible();
}

/*
 * Counts something of a generator of this database.
 *
 * Raises no error but that of a cancelled query: where there is no shared memory
 * to be had, nothing is counted.
 */
void
tally(int64 incarnation, TallyCounter counter, int64 count)
{
	tally_in(MyDatabaseId, incarnation, counter, count);
}

/*
 * Counts something of a generator.
 */
void
tally_in(Oid database, int64 incarnation, TallyCounter counter, int64 count)
{
	TallySlot  *slot;

	if (count == 0 || (slot = lock_slot(database, incarnation)) == NULL)
		return;
	add(slot, counter, count);
	LWLockRelease(&segment->lock);
}

/*
 * Counts two things of a generator of this database at once.
 */
void
tally_both(int64 incarnation, TallyCounter one, int64 count_of_one,
		   TallyCounter other, int64 count_of_other)
{
	TallySlot  *slot = lock_slot(MyDatabaseId, incarnation);

	if (slot == NULL)
		return;
	add(slot, one, count_of_one);
	add(slot, other, count_of_other);
	LWLockRelease(&segment->lock);
}

/*
 * Counts a range reserved ahead, up to a place in WAL, that is needed now.
 */
void
tally_prefetched(int64 incarnation, XLogRecPtr lsn)
{
	bool		on_disk = lsn <= GetFlushRecPtr(NULL);

	tally(incarnation, on_disk ? TALLY_PREFETCH_HITS : TALLY_PREFETCH_MISSES, 1);
}

/*
 * Gives what was counted of a generator of this database.
 */
void
tally_read(int64 incarnation, Tally *result)
{
	TallySlot  *slot;

	attach(NULL);
	memset(result, 0, sizeof(*result));
	LWLockAcquire(&segment->lock, LW_SHARED);
	slot = find(MyDatabaseId, incarnation);
	if (slot != NULL)
		read_slot(slot, result);
	LWLockRelease(&segment->lock);
}

/*
 * Gives what was counted of all generators of the server.
 */
void
tally_read_server(Tally *result)
{
	attach(NULL);
	LWLockAcquire(&segment->lock, LW_SHARED);
	read_slot(&segment->server, result);
	LWLockRelease(&segment->lock);
}

/*
 * Has a generator of this database counted from zero.
 */
void
tally_reset(int64 incarnation)
{
	TallySlot  *slot;

	attach(NULL);
	LWLockAcquire(&segment->lock, LW_EXCLUSIVE);
	slot = find(MyDatabaseId, incarnation);
	start(slot != NULL ? slot : claim(MyDatabaseId, incarnation));
	LWLockRelease(&segment->lock);
}

/*
 * Has the server counted from zero.
 */
void
tally_reset_server(void)
{
	attach(NULL);
	LWLockAcquire(&segment->lock, LW_EXCLUSIVE);
	start(&segment->server);
	LWLockRelease(&segment->lock);
}

/*
 * Takes the lock and gives the slot of a generator; NULL, and no lock, where
 * there is no memory.
 */
static TallySlot *
lock_slot(Oid database, int64 incarnation)
{
	TallySlot  *slot;

	tally_attach();
	if (segment == NULL)
		return NULL;

	LWLockAcquire(&segment->lock, LW_SHARED);
	slot = find(database, incarnation);
	if (slot == NULL)
	{
		LWLockRelease(&segment->lock);
		LWLockAcquire(&segment->lock, LW_EXCLUSIVE);
		slot = find(database, incarnation);
		if (slot == NULL)
			slot = claim(database, incarnation);
	}
	slot->used_at = segment->claims;
	return slot;
}

/*
 * Counts in a slot and for the server.  The caller holds the lock.
 */
static inline void
add(TallySlot *slot, TallyCounter counter, int64 count)
{
	pg_atomic_fetch_add_u64(&slot->counters[counter], count);
	pg_atomic_fetch_add_u64(&segment->server.counters[counter], count);
}

/*
 * Maps the segment, which the first session makes.
 */
static void
attach(void *arg)
{
	TallySegment *memory;

	if (segment != NULL)
		return;
	memory = shared_memory(SEGMENT_NAME, sizeof(TallySegment), init_segment);
	NameTranche(memory->lock.tranche, "hilo_tally");
	segment = memory;
}

/*
 * Maps the segment where that can be done; if it fails, the log says why, and
 * the session does not try again.
 */
static void
attach_if_possible(void)
{
	ErrorData  *error;

	if (unavailable || proc_exit_inprogress || !IsTransactionState())
		return;
	error = attempt(attach, NULL);
	if (error == NULL)
		return;
	unavailable = true;
	error->elevel = LOG;
	ThrowErrorData(error);
}

static void
init_segment(SegmentInitArguments)
{
	TallySegment *shared = memory;

	memset(shared, 0, sizeof(*shared));
	for (int i = 0; i < TALLY_COUNTERS; i++)
		pg_atomic_init_u64(&shared->server.counters[i], 0);
	shared->server.since = GetCurrentTimestamp();
	LWLockInitialize(&shared->lock, NewTranche("hilo_tally"));
}

/*
 * Gives the slot of a generator, NULL if it has none.  The caller holds the
 * lock.
 */
static TallySlot *
find(Oid database, int64 incarnation)
{
	static uint16 hints[HINTS];
	uint16	   *hint = &hints[((uint64) incarnation >> 1) % HINTS];

	for (int i = -1; i < SLOTS; i++)
	{
		TallySlot  *slot = &segment->slots[i < 0 ? *hint : i];

		if (slot->incarnation == incarnation && slot->database == database)
		{
			*hint = slot - segment->slots;
			return slot;
		}
	}
	return NULL;
}

/*
 * Gives a generator that has none a slot.  The caller holds the lock in
 * exclusive mode.
 */
static TallySlot *
claim(Oid database, int64 incarnation)
{
	TallySlot  *slot = slot_to_claim();

	slot->incarnation = incarnation;
	slot->database = database;
	slot->used_at = ++segment->claims;
	start(slot);
	return slot;
}

/*
 * Gives a free slot, or else the one that was used least lately.
 */
static TallySlot *
slot_to_claim(void)
{
	TallySlot  *oldest = &segment->slots[0];

	for (int i = 0; i < SLOTS; i++)
	{
		TallySlot  *slot = &segment->slots[i];

		if (slot->incarnation == 0)
			return slot;
		if (slot->used_at < oldest->used_at)
			oldest = slot;
	}
	return oldest;
}

/*
 * Has a slot count from zero.
 */
static void
start(TallySlot *slot)
{
	for (int i = 0; i < TALLY_COUNTERS; i++)
		pg_atomic_write_u64(&slot->counters[i], 0);
	slot->since = GetCurrentTimestamp();
}

static void
read_slot(TallySlot *slot, Tally *result)
{
	result->since = slot->since;
	for (int i = 0; i < TALLY_COUNTERS; i++)
		result->counters[i] = (int64) pg_atomic_read_u64(&slot->counters[i]);
}
