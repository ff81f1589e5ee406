/*
 * Threads at the windows of src/session, without a server.
 *
 * usage: window THREADS IDS
 *
 * The code under test is the real one, included below.  The rows of hilo_hi, the
 * locks and the rest of a server are replaced by as little as will do, so that
 * millions of ids go by in seconds, while windows are opened, prepared, closed,
 * raised by seeds and evicted under the feet of the threads.  Prints
 *
 * - repeats: ids that came twice, and numbers of ranges that did;
 * - disorder: calls that got an id below one that had come before they began, to
 *   any session or, if sessions carve ranges, to the same session;
 * - missing: ids below the last one that no session got, and nothing has skipped.
 */
#include "postgres.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#undef fprintf
#undef printf
#undef snprintf
#include "port/atomics.h"

/*
 * Another thread may come in before each step that others can see; now and
 * then it gets a good while.
 */
static __thread unsigned int random_state;
static void interrupt_at_random(void);
static void hold_up(int microseconds);

#define pg_atomic_read_u64(word) \
	(interrupt_at_random(), pg_atomic_read_u64(word))
#define pg_atomic_write_u64(word, value) \
	(interrupt_at_random(), pg_atomic_write_u64(word, value))
#define pg_atomic_fetch_add_u64(word, value) \
	(interrupt_at_random(), pg_atomic_fetch_add_u64(word, value))
#define pg_atomic_exchange_u64(word, value) \
	(interrupt_at_random(), pg_atomic_exchange_u64(word, value))
#define pg_atomic_compare_exchange_u64(word, expected, value) \
	(interrupt_at_random(), pg_atomic_compare_exchange_u64(word, expected, value))
#define pg_atomic_add_fetch_u64(word, value) \
	(interrupt_at_random(), pg_atomic_add_fetch_u64(word, value))
#undef pg_read_barrier
#define pg_read_barrier() \
	do { interrupt_at_random(); pg_read_barrier_impl(); } while (0)
#undef pg_write_barrier
#define pg_write_barrier() \
	do { interrupt_at_random(); pg_write_barrier_impl(); } while (0)
#define pg_usleep(microseconds) sched_yield()

/* a spinlock that lets the others go on */
#include "storage/spin.h"
#undef SpinLockInit
#undef SpinLockAcquire
#undef SpinLockRelease
#define SpinLockInit(lock) ((void) 0)
#define SpinLockAcquire(lock) \
	do { while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE)) sched_yield(); interrupt_at_random(); } while (0)
#define SpinLockRelease(lock) \
	do { interrupt_at_random(); __atomic_clear(lock, __ATOMIC_RELEASE); } while (0)

/* the code under test */
#include "base/range.c"
#define range_adapted_size(last_size, last_at, floor, ceiling) \
	(2 + rand_r(&random_state) % 14)
#include "session/slot.c"
#include "session/carve.c"
#include "session/reserve.c"
#include "session/return.c"
#include "session/end.c"
#include "utils/builtins.h"

#define MAX_IDS (1 << 24)
#define GENERATORS 3

/* a row of hilo_hi */
typedef struct Row
{
	FormData_hilo_hi hi;
	pthread_mutex_t lock;
	text	   *name;
	atomic_llong highest;		/* id that any session got */
	atomic_uchar *seen;
	atomic_uchar *numbers;		/* of ranges for clients */
	atomic_long ids;			/* that came */
	atomic_long skipped;		/* that never will */
} Row;

static Row	rows[GENERATORS];

/* the first one is of new slots, the last of a generator that no session uses */
static pthread_rwlock_t window_locks[GENERATORS + 2];
static atomic_long wanted;
static atomic_long repeats;
static atomic_long disorder;
/* in place of shared_lock */
static pthread_mutex_t lwlock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *number);
static void use(SessionEntry *entry, Row *row);
static void use_own_range(SessionEntry *entry, Row *row);
static void use_range(SessionEntry *entry, Row *row, int64 before);
static void saw(Row *row, int64 low, int64 high, int64 before);
static void raise_highest(Row *row, long long to);
static void disturb(SessionEntry *entry, Row *row);
static Row *row_of(text *name);

int
main(int argc, char **argv)
{
	int			nthreads = argc > 1 ? atoi(argv[1]) : 8;
	pthread_t  *threads = calloc(nthreads, sizeof(*threads));
	const char *letters = "abcdefghijklmnopqrstuvwxyz";
	long		missing = 0;
	long		ids = 0;

	wanted = argc > 2 ? atol(argv[2]) : 1000000;
	for (int i = 0; i < GENERATORS + 2; i++)
		pthread_rwlock_init(&window_locks[i], NULL);
	for (int i = 0; i < GENERATORS; i++)
	{
		rows[i].hi.incarnation = (int64) (i + 1) << 32;
		rows[i].name = cstring_to_text_with_len(&letters[i], 1);
		rows[i].seen = calloc(MAX_IDS, 1);
		rows[i].numbers = calloc(MAX_IDS, 1);
		pthread_mutex_init(&rows[i].lock, NULL);
	}
	slot_init();
	returned_init();
	for (intptr_t i = 0; i < nthreads; i++)
		pthread_create(&threads[i], NULL, work, (void *) (i + 1));
	for (int i = 0; i < nthreads; i++)
		pthread_join(threads[i], NULL);

	for (int i = 0; i < GENERATORS; i++)
	{
		end_generator_use(rows[i].hi.incarnation, WINDOW_CLOSES, false);
		missing += rows[i].hi.reserved - rows[i].ids - rows[i].skipped;
		ids += rows[i].ids;
	}
	missing -= pg_atomic_read_u64(&segment->counted.counters[TALLY_LOST]);
	printf("ids %ld\nrepeats %ld\ndisorder %ld\nmissing %ld\n", ids,
		   (long) repeats, (long) disorder, missing);
	return 0;
}

/*
 * A session, and the next one when it ends.
 */
static void *
work(void *number)
{
	random_state = (unsigned int) (intptr_t) number;

	while (wanted > 0)
	{
		SessionEntry entries[GENERATORS] = {0};
		int			calls = rand_r(&random_state) % 5000;

		for (int i = 0; i < GENERATORS; i++)
		{
			entries[i].name = entries[i].definition.written = rows[i].name;
			entries[i].incarnation = rows[i].hi.incarnation;
			entries[i].definition.max_value = PG_INT64_MAX;
			entries[i].definition.holder = i > 0 ? HELD_BY_SESSION : HELD_BY_SERVER;
			entries[i].range = EMPTY_RANGE;
		}
		for (int i = 0; i < calls && wanted > 0; i++)
		{
			int			g = rand_r(&random_state) % 16 < 14 ?
				rand_r(&random_state) % 2 : rand_r(&random_state) % GENERATORS;

			if (rand_r(&random_state) % 300 == 0)
				disturb(&entries[g], &rows[g]);
			else
				use(&entries[g], &rows[g]);
		}
		for (int i = 0; i < GENERATORS; i++)
			(void) session_give_back(&entries[i]);
	}
	return NULL;
}

static void
use(SessionEntry *entry, Row *row)
{
	int64		before = entry->definition.holder == HELD_BY_SERVER ? row->highest : 0;

	if (rand_r(&random_state) % 20 == 0)
		use_range(entry, row, before);
	else if (entry->definition.holder == HELD_BY_SESSION)
		use_own_range(entry, row);
	else if (rand_r(&random_state) % 50 == 0)
	{
		Range		block = shared_next_block(entry, 1 + rand_r(&random_state) % 20,
											  PG_INT64_MAX);

		saw(row, block.low, block.high, before);
	}
	else
	{
		if (!shared_try_next(entry))
			(void) shared_next_block(entry, 1, PG_INT64_MAX);
		saw(row, entry->current, entry->current, before);
	}
}

/*
 * The session hands out an id of its range, and now and then returns the rest.
 */
static void
use_own_range(SessionEntry *entry, Row *row)
{
	int64		before = session_current(entry);

	if (session_held(entry) == 0)
		carve_into_entry(entry, 1 + rand_r(&random_state) % 20);
	else if (entry->handed_out >= entry->stop)
	{
		entry->stop = entry->range.high;
		prefetch_when_halfway(entry);
	}
	entry->handed_out++;
	saw(row, entry->handed_out, entry->handed_out, before);
	if (rand_r(&random_state) % 20 == 0)
		(void) session_give_back(entry);
}

/*
 * A client gets a range, uses a part of it, and returns the rest, more than once,
 * and some time after.
 */
static void
use_range(SessionEntry *entry, Row *row, int64 before)
{
	static __thread ClientRange older;
	static __thread Row *of_older;
	StoreRequest request = {
		.name = entry->name,
		.max_value = PG_INT64_MAX,
		.size = 1 + rand_r(&random_state) % 20,
		.taken.role = 10,
		.taken.number = client_number(),
	};
	ClientRange client;
	int64		rest;
	bool		is_returned;

	shared_next_range(entry, &request);
	client = request.taken;
	if (atomic_fetch_add(&row->numbers[client.number % MAX_IDS], 1) != 0)
		repeats++;
	rest = rand_r(&random_state) % (request.size + 1);
	saw(row, client.range.low, client.range.high - rest, before);

	is_returned = rest > 0 &&
		shared_return_range(entry, &client, true, client.range.high - rest);
	if (!is_returned)
		row->skipped += rest;
	if (of_older == row && older.number != 0)
		(void) shared_return_range(entry, &older, true, older.range.low - 1);

	/*
	 * a session that is refused keeps what it has: later, it could not say
	 * what of it
	 */
	if (!is_returned)
		return;
	(void) shared_return_range(entry, &client, true, client.range.high - rest);
	older = client;
	of_older = row;
}

/*
 * Judges ids of a call, before which another one had come.
 */
static void
saw(Row *row, int64 low, int64 high, int64 before)
{
	if (low <= before)
		disorder++;
	for (int64 id = low; id <= high; id++)
	{
		if (id >= MAX_IDS)
			abort();
		if (atomic_fetch_add(&row->seen[id], 1) != 0)
			repeats++;
	}
	if (low <= high)
		raise_highest(row, high);
	row->ids += high - low + 1;
	wanted -= high - low + 1;
}

static void
raise_highest(Row *row, long long to)
{
	long long	highest = row->highest;

	while (to > highest &&
		   !atomic_compare_exchange_weak(&row->highest, &highest, to))
		;
}

/* Look at the window of a generator as a session does; false if there is none. */
static bool
look_at_window(const FormData_hilo_hi *hi, int64 *last)
{
	SharedSlot *slot = slot_find(hi->incarnation);
	SharedWindow window;
	uint64		word;

	if (slot == NULL)
		return false;
	word = slot_read(slot, &window);
	*last = window.last + (int64) WordOffset(word);
	return window_is_of(&window, hi->incarnation);
}

/*
 * Do what other functions of hilo do to a window.
 */
static void
disturb(SessionEntry *entry, Row *row)
{
	const Definition definition = {.max_value = PG_INT64_MAX};
	int64		before = row->highest;
	FormData_hilo_hi hi;
	int64		value;
	int64		last;

	switch (rand_r(&random_state) % 6)
	{
		case 0:
			/* of what may be below, or a bit above */
			value = before + rand_r(&random_state) % 3;
			hi.incarnation = entry->incarnation;
			last = session_seed(row->name, &definition, &hi, value, SEED_RAISE);
			if (last < before)
				disorder++;
			/* what is above may be a client's, who returns it */
			raise_highest(row, value);
			break;
		case 1:
			/* or a drop that is rolled back */
			end_generator_use(entry->incarnation, WINDOW_CLOSES,
							  rand_r(&random_state) % 2 == 0);
			break;
		case 2:
			value = (int64) (GENERATORS + 1) << 32;
			lock_window(value);
			(void) slot_for(row->name, value);
			unlock_window(value);
			break;
		case 3:
			(void) session_give_back(entry);
			break;
		case 4:
			/* one of its own, for a client or a session */
			pthread_mutex_lock(&row->lock);
			row->skipped += 5;
			row->hi.reserved += 5;
			pthread_mutex_unlock(&row->lock);
			break;
		case 5:
			/* of any: not below what had come, nor what only another one has */
			row = &rows[rand_r(&random_state) % GENERATORS];
			before = row->highest;
			for (int i = 0; i < 10; i++)
			{
				store_read(row->name, &hi);
				last = shared_last_carved(&hi);
				/* more may have been reserved meanwhile */
				store_read(row->name, &hi);
				if (last < before || last > hi.reserved)
					disorder++;
			}
			value = hi.reserved;
			if (!look_at_window(&hi, &last))
				break;
			/* a return may have lowered it since */
			store_read(row->name, &hi);
			if (last < before || last > Max(value, hi.reserved))
				disorder++;
			break;
	}
}

static void
interrupt_at_random(void)
{
	if (rand_r(&random_state) % 128 == 0)
	{
		if (rand_r(&random_state) % 64 == 0)
			hold_up(50);
		else
			sched_yield();
	}
}

/*
 * Let the other threads go on meanwhile.  Faults call it, too, where what they
 * do would be seen once in a thousand runs.
 */
static void
hold_up(int microseconds)
{
	usleep(microseconds);
}

static Row *
row_of(text *name)
{
	return &rows[*VARDATA_ANY(name) - 'a'];
}

/*
 * The rest of a server.
 */
StoreResult
source_take(StoreRequest *request)
{
	Row		   *row = row_of(request->name);

	if (!request->nowait)
		pthread_mutex_lock(&row->lock);
	else if (pthread_mutex_trylock(&row->lock) != 0)
		return STORE_BUSY;
	request->taken.range.low = row->hi.reserved + 1;
	request->taken.range.high = row->hi.reserved + request->size;
	request->incarnation = row->hi.incarnation;
	request->lsn = 1;
	row->hi.timeline = (int64) request->tenancy << 32;
	row->hi.reserved = request->taken.range.high;
	pthread_mutex_unlock(&row->lock);
	return STORE_OK;
}

/*
 * Leaves out that sessions look again: the incarnation stays.
 */
int64
store_seed(text *name, int64 value, SeedKind kind)
{
	Row		   *row = row_of(name);
	int64		last;

	pthread_mutex_lock(&row->lock);
	if (value > row->hi.reserved)
	{
		row->skipped += value - row->hi.reserved;
		row->hi.reserved = value;
	}
	last = row->hi.reserved;
	pthread_mutex_unlock(&row->lock);
	return last;
}

bool
store_read(text *name, FormData_hilo_hi *hi)
{
	Row		   *row = row_of(name);

	pthread_mutex_lock(&row->lock);
	*hi = row->hi;
	pthread_mutex_unlock(&row->lock);
	return true;
}

LOCKTAG
lock_of_generator(Oid database, int64 incarnation, uint16 kind)
{
	LOCKTAG		tag = {.locktag_field3 = GeneratorOf(incarnation)};

	return tag;
}

bool
lock_acquire(LOCKTAG tag, bool wait)
{
	pthread_rwlock_t *lock = &window_locks[tag.locktag_field3];

	if (!wait)
		return pthread_rwlock_trywrlock(lock) == 0;
	pthread_rwlock_wrlock(lock);
	return true;
}

void
lock_release(LOCKTAG tag)
{
	pthread_rwlock_unlock(&window_locks[tag.locktag_field3]);
}

void
shared_memory_reserve(void **memory, Size size, bool is_saved)
{
	*memory = aligned_alloc(PG_CACHE_LINE_SIZE,
							TYPEALIGN(PG_CACHE_LINE_SIZE, size));
	memset(*memory, 0, size);
}

#ifdef USE_ASSERT_CHECKING
void
#if PG_VERSION_NUM >= 160000
ExceptionalCondition(const char *condition, const char *file, int line)
#else
ExceptionalCondition(const char *condition, const char *type, const char *file, int line)
#endif
{
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
	abort();
}
#endif

bool
LWLockAcquire(LWLock *lock, LWLockMode mode)
{
	pthread_mutex_lock(&lwlock);
	return true;
}

void
LWLockRelease(LWLock *lock)
{
	pthread_mutex_unlock(&lwlock);
}

TimestampTz
GetCurrentTimestamp(void)
{
	return rand_r(&random_state);
}

text *
cstring_to_text_with_len(const char *bytes, int length)
{
	text	   *result = malloc(VARHDRSZ + length);

	SET_VARSIZE(result, VARHDRSZ + length);
	memcpy(VARDATA(result), bytes, length);
	return result;
}

void
pfree(void *pointer)
{
	free(pointer);
}

bool
errstart(int elevel, const char *domain)
{
	abort();
}

/* nothing ends a life here except for a moment */
static pg_atomic_uint64 life;
pg_atomic_uint64 *life_word = &life;

bool
session_lock(SessionEntry *entry, LOCKMODE lockmode, bool with_window)
{
	lock_window(entry->incarnation);
	entry->as_of = generators_as_of();
	entry->role = GetUserId();
	return true;
}

bool		XactReadOnly;
Oid			MyDatabaseId = 1;
volatile sig_atomic_t InterruptPending;
uint64		generator_changes;
bool		session_prefetch = true;
SessionEntry *session_latest_entry;
char	   *hilo_node_tag = "A";
/* INDENT OFF */
int64 flush_wal(XLogRecPtr lsn) { return -1; }
void wait_event_for_latch(const char *event, long milliseconds) { sched_yield(); }
pg_prng_state pg_global_prng_state;
uint64 pg_prng_uint64(pg_prng_state *state) { static atomic_ulong last; return ++last << 11; }
void shared_memory_attach(void) {}
int64 gapless_seed(text *name, int64 incarnation, int64 value, bool force) { abort(); }
void hub_rest(text *name) { abort(); }
int64 source_seed(text *name, const Definition *definition, int64 value) { abort(); }
bool store_lock(text *name, LOCKMODE lockmode, FormData_hilo_hi *hi) { abort(); }
text *definition_argument(FunctionCallInfo fcinfo) { abort(); }
void session_require_use(const SessionEntry *entry, const Definition *definition) { abort(); }
bool privilege_may_use(text *name, const Definition *definition, Oid role) { abort(); }
void PreventCommandIfReadOnly(const char *name) { abort(); }
void PreventCommandIfParallelMode(const char *name) { abort(); }
XLogRecPtr GetFlushRecPtr(TimeLineID *timeline) { return 0; }
bool definition_find(text *name, Definition *definition) { abort(); }
void session_revalidate(SessionEntry *entry) {}
void session_warn_of_end(SessionEntry *entry, int64 last) {}
void session_report_exhausted(SessionEntry *entry, int64 max_value, int64 skipped) { abort(); }
void id_domain_check(const char *what, int64 value, int64 low, int64 high) {}
Oid GetUserId(void) { return 10; }
bool IsInParallelMode(void) { return false; }
void lock_generator(int64 incarnation, LOCKMODE lockmode) {}
void unlock_generator(int64 incarnation, LOCKMODE lockmode) {}
void XLogSetAsyncXactLSN(XLogRecPtr lsn) {}
bool RecoveryInProgress(void) { return false; }
void ProcessInterrupts(void) {}
static LWLock dummy_lock;
LWLock *shared_lock = &dummy_lock;
char *text_to_cstring(const text *value) { return NULL; }
bool errstart_cold(int elevel, const char *domain) { abort(); }
int errmsg_internal(const char *format,...) { return 0; }
void errfinish(const char *file, int line, const char *function) { abort(); }
/* INDENT ON */

/* in the library of some systems */
__attribute__((weak))
size_t
strlcpy(char *to, const char *from, size_t size)
{
	return snprintf(to, size, "%s", from);
}
