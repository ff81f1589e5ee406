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
 * The memory is a segment of our own, or, where hilo.stats_kind says so, that of
 * a kind of statistics in core's cumulative statistics system: that writes it to
 * disk when the server is shut down, and reads it again.
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
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "attempt.h"
#include "compat.h"
#include "shared_memory.h"
#include "tally.h"

#ifdef HAVE_STATS_KINDS
#include "utils/pgstat_internal.h"
#endif

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

/* what core writes to disk */
StaticAssertDecl(sizeof(pg_atomic_uint64) == sizeof(uint64),
				 "a counter is its bytes");

static TallySegment *segment;
static bool unavailable = false;

#ifdef HAVE_STATS_KINDS
static int	stats_kind = 0;		/* 0: none */

static bool check_stats_kind(int *newval, void **extra, GucSource source);
static void init_kind(void *memory);
static void reset_kind(TimestampTz at);
static void copy_kind(void);
#endif

static TallySlot *lock_slot(Oid database, int64 incarnation);
static inline void add(TallySlot *slot, TallyCounter counter, int64 count);
static void attach(void *arg);
static void attach_if_possible(void);
static void init_segment(SegmentInitArguments);
static void start_segment(TallySegment *shared);
static void clear(TallySegment *shared, TimestampTz since);
static TallySlot *find(Oid database, int64 incarnation);
static TallySlot *claim(Oid database, int64 incarnation);
static TallySlot *slot_to_claim(void);
static void start(TallySlot *slot);
static void read_slot(TallySlot *slot, Tally *result);

/*
 * Called when the library is loaded.
 */
void
tally_init(void)
{
#ifdef HAVE_STATS_KINDS
	static const PgStat_KindInfo info = {
		.name = "hilo",
		.fixed_amount = true,
		.write_to_file = true,
		.shared_size = sizeof(TallySegment),
		.shared_data_off = offsetof(TallySegment, claims),
		.shared_data_len = sizeof(TallySegment) - offsetof(TallySegment, claims),
		.init_shmem_cb = init_kind,
		.reset_all_cb = reset_kind,
		.snapshot_cb = copy_kind,
	};

	if (!process_shared_preload_libraries_in_progress)
		return;
	DefineCustomIntVariable("hilo.stats_kind",
							"ID of hilo's kind of statistics in the cumulative statistics system.",
							"0 is none: a restart of the server sets the counters to zero.",
							&stats_kind,
							0, 0, PGSTAT_KIND_CUSTOM_MAX,
							PGC_POSTMASTER, 0, check_stats_kind, NULL, NULL);
	if (stats_kind != 0)
		pgstat_register_kind(stats_kind, &info);
#endif
}

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
#ifdef HAVE_STATS_KINDS
	if (stats_kind != 0)
		memory = pgstat_get_custom_shmem_data(stats_kind);
	else
#endif
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
	start_segment(memory);
}

/*
 * Makes the segment out of bare memory.
 */
static void
start_segment(TallySegment *shared)
{
	LWLockInitialize(&shared->lock, NewTranche("hilo_tally"));
	clear(shared, GetCurrentTimestamp());
}

/*
 * Has nothing been counted since then.
 */
static void
clear(TallySegment *shared, TimestampTz since)
{
	memset(&shared->claims, 0,
		   sizeof(*shared) - offsetof(TallySegment, claims));
	shared->server.since = since;
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

#ifdef HAVE_STATS_KINDS
/*
 * Check hook: none, or one of those that are for extensions.
 */
static bool
check_stats_kind(int *newval, void **extra, GucSource source)
{
	if (*newval == 0 || pgstat_is_kind_custom(*newval))
		return true;

	GUC_check_errdetail("Extensions have the IDs %d to %d.",
						PGSTAT_KIND_CUSTOM_MIN, PGSTAT_KIND_CUSTOM_MAX);
	return false;
}

/*
 * Callback: the server makes its shared memory.
 */
static void
init_kind(void *memory)
{
	start_segment(memory);
}

/*
 * Callback: nothing is known of before, after a crash.
 */
static void
reset_kind(TimestampTz at)
{
	TallySegment *shared = pgstat_get_custom_shmem_data(stats_kind);

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	clear(shared, at);
	LWLockRelease(&shared->lock);
}

/*
 * Callback: copies what is to be written.
 */
static void
copy_kind(void)
{
	TallySegment *shared = pgstat_get_custom_shmem_data(stats_kind);

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	memcpy(pgstat_get_custom_snapshot_data(stats_kind), &shared->claims,
		   sizeof(*shared) - offsetof(TallySegment, claims));
	LWLockRelease(&shared->lock);
}
#endif
