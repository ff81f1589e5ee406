/*
 * What shared memory holds of a generator: slots, and the windows in them.
 *
 * A slot is a generator's until another generator needs it more.  Its window
 * is changed under the window lock of that generator, and read without; it is
 * open until it is used up, or something ends it.  Nothing goes back from here
 * to the row: what is left of a window that ends is lost.
 *
 * Slots have numbers from 1 on.  Those of generators are in chains, by a hash
 * of their keys, and the free ones in another chain.
 *
 * Generations come from one counter and never repeat, not even when a slot has
 * changed hands, so a session that knows an old window finds that out by
 * itself.
 *
 * A window is closed by putting another generation into the word, in one
 * step, which tells how many ids were taken.
 *
 * A session's range is carved by one change of the word, and returned by
 * another while it is on top; else it goes to a list in the slot.  A client's
 * range is carved and returned by a change of the word as well, under a
 * spinlock, so that what the slot knows of the last one fits the word.  The
 * list is changed under the spinlock, too, and outlives a window that is used
 * up.  Ids up to the floor of the slot, such as those that were handed out
 * before it was the generator's, or that a seed says are in use, are not taken
 * back; nor are those of another epoch.
 *
 * An error costs a gap, never a repeat: a range is taken out of the slot
 * before anything is done about it, and put there when it is on disk.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "session/shared_slot.h"
#include "source/source.h"

#define SLOTS 8192
#define CHAINS 8192

/* in the lists of all slots */
#define LISTED_RANGES 32768

/* a window has at most this share of max_value */
#define WINDOW_SHARE 32768

/* how many slots the one to be evicted is chosen from: bits of a word */
#define CHOSEN_FROM 64

/* A range that a session has returned from below the top of a window. */
typedef struct ListedRange
{
	Range		range;
	uint32		chain;			/* the next one; 0: none */
} ListedRange;

typedef struct SharedSegment
{
	pg_atomic_uint64 generations;	/* the last one in use */
	pg_atomic_uint64 numbers;	/* of ranges for clients; the last one */
	uint32		hand;			/* the next slots to evict are above it */

	/* changed under the segment's lock */
	Tally		counted;		/* of all generators */
	uint32		nslots;			/* that have been claimed ever */
	uint32		free;			/* the first free slot; 0: none */
	uint32		chains[CHAINS]; /* the first slot of each; 0: none */

	/*
	 * those of no list: changes << 32 | the first one; how many ever were in
	 * use
	 */
	pg_atomic_uint64 unlisted;
	pg_atomic_uint64 nlisted;
	ListedRange listed[LISTED_RANGES];

	SharedSlot	slots[SLOTS];
} SharedSegment;

static SharedSegment *segment;

static uint32 *link_to(const WindowKey *key);
static uint32 take_free(void);
static SharedSlot *slot_at(uint32 number);
static uint64 next_generation(void);
static void begin_change(SharedSlot *slot);
static void end_change(SharedSlot *slot, uint64 generation);
static StoreResult window_reserve(SharedSlot *slot, SessionEntry *entry,
								  int64 count, bool wait, HeldRange *held);
static void slot_set_next(SharedSlot *slot, const HeldRange *held);
static Range slot_open(SharedSlot *slot, HeldRange *held, int64 count,
					   int64 max_value);
static Range end_window(SharedSlot *slot, uint64 generation);
static Tally *counted_of(int64 incarnation);
static void start_counting(Tally *counted);
static void count_in(SharedSlot *slot, TallyCounter counter, int64 count);
static bool list_range(SharedSlot *slot, Range range);
static void unlist_range(uint32 *link);
static ListedRange *listed_at(uint32 number);
static bool carve_listed(SharedSlot *slot, const SessionWindow *known,
						 int64 above, int64 size, Range *range);
static int64 size_by_pace(const SharedSlot *slot, const Definition *definition);
static Range carve_from(const StoreRequest *request, Range rest);

void
slot_init(void)
{
	shared_memory_reserve((void **) &segment, sizeof(SharedSegment), true);
}

/*
 * Return the slot of a generator, NULL if it has none.  It stays the
 * generator's only under its window lock.
 */
SharedSlot *
slot_find(const WindowKey *key)
{
	SharedSlot *slot = NULL;
	uint32		number;

	LWLockAcquire(shared_lock, LW_SHARED);
	number = *link_to(key);
	if (number != 0)
		slot = slot_at(number);
	LWLockRelease(shared_lock);
	return slot;
}

/*
 * Give a generator a free slot, NULL if there is none; or have the one that it
 * has, whose window is closed, begin anew.  There is no window yet, and last is
 * the last id handed out.  The caller holds the window lock.
 */
SharedSlot *
slot_claim(const WindowKey *key, int64 epoch, int64 last)
{
	TransactionId database_xmin = catalog_row_xmin(DATABASEOID, MyDatabaseId);
	uint64		generation = next_generation();
	SharedSlot *slot = NULL;
	uint32	   *link;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	link = link_to(key);
	if (*link == 0)
		*link = take_free();
	if (*link != 0)
	{
		slot = slot_at(*link);
		slot->database_xmin = database_xmin;
		slot->found.stamp = 0;
		/* the window of the owner before must not be taken for this one's */
		begin_change(slot);
		SpinLockAcquire(&slot->spinlock);
		slot->window.key = *key;
		/* at once: it says which ranges may come back */
		slot->window.epoch = epoch;
		slot->floor = last;
		SpinLockRelease(&slot->spinlock);
	}
	LWLockRelease(shared_lock);
	if (slot == NULL)
		return NULL;

	pg_atomic_write_u64(&slot->word, MakeWord(generation, WINDOW_CLOSED));
	slot->window.range = slot->window.ahead = slot->next.range = EMPTY_RANGE;
	slot->window.handed_out = last;
	end_change(slot, generation);
	slot->taken_at = GetCurrentTimestamp();
	return slot;
}

/*
 * Return what a session found of a generator, and the slot has kept; false if
 * nothing, or of a database that is gone, whose OID this one has.
 */
bool
slot_found(const WindowKey *key, Found *found)
{
	TransactionId database_xmin = catalog_row_xmin(DATABASEOID, MyDatabaseId);
	uint32		number;

	LWLockAcquire(shared_lock, LW_SHARED);
	number = *link_to(key);
	if (number != 0 && slot_at(number)->database_xmin == database_xmin)
		*found = slot_at(number)->found;
	else
		found->stamp = 0;
	LWLockRelease(shared_lock);
	return found->stamp != 0;
}

/* Keep what was found of a generator, if it has a slot. */
void
slot_keep(const WindowKey *key, const Found *found)
{
	uint32		number;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	number = *link_to(key);
	if (number != 0)
		slot_at(number)->found = *found;
	LWLockRelease(shared_lock);
}

/*
 * Count something of a generator of this database, in its slot, if it has one,
 * and for the server.
 *
 * It is counted where a range is taken, used up or given back, never where an
 * id is handed out.  Raises no error.
 */
void
tally(int64 incarnation, TallyCounter counter, int64 count)
{
	WindowKey	key = {MyDatabaseId, InvalidOid, incarnation};
	uint32		number;

	if (count == 0 || shared_lock == NULL)
		return;
	LWLockAcquire(shared_lock, LW_SHARED);
	number = *link_to(&key);
	count_in(number == 0 ? NULL : slot_at(number), counter, count);
	LWLockRelease(shared_lock);
}

/*
 * Read what was counted of a generator of this database, or, for the
 * incarnation 0, of all generators of the server.
 */
void
tally_read(int64 incarnation, TimestampTz *since, int64 *counters)
{
	Tally	   *counted;

	shared_memory_attach();
	LWLockAcquire(shared_lock, LW_SHARED);
	counted = counted_of(incarnation);
	*since = counted == NULL ? 0 : counted->since;
	for (int i = 0; i < TALLY_COUNTERS; i++)
		counters[i] = counted == NULL ? 0 :
			(int64) pg_atomic_read_u64(&counted->counters[i]);
	LWLockRelease(shared_lock);
}

/*
 * Count from zero, and do not count the ids taken from windows that are open,
 * which will count when they end.
 */
void
tally_reset(int64 incarnation, int64 taken)
{
	Tally	   *counted;

	shared_memory_attach();
	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	counted = counted_of(incarnation);
	if (counted != NULL)
	{
		start_counting(counted);
		pg_atomic_write_u64(&counted->counters[TALLY_HANDED_OUT], -taken);
	}
	LWLockRelease(shared_lock);
}

/*
 * Return the one of the next CHOSEN_FROM slots whose last reservation is the
 * oldest, but for those marked in passed, and mark it; NULL if there is none.
 */
SharedSlot *
slot_least_used(uint64 *passed)
{
	SharedSlot *found = NULL;
	uint64		mark = 0;

	LWLockAcquire(shared_lock, LW_SHARED);
	/* a concurrent caller only changes which slots are looked at */
	if (*passed == 0)
		segment->hand += CHOSEN_FROM;
	for (uint32 i = 0; i < Min(CHOSEN_FROM, segment->nslots); i++)
	{
		SharedSlot *slot = slot_at((segment->hand + i) % segment->nslots + 1);

		if (slot->window.key.incarnation == 0 || (*passed & UINT64CONST(1) << i) != 0 ||
			(found != NULL && slot->taken_at >= found->taken_at))
			continue;
		found = slot;
		mark = UINT64CONST(1) << i;
	}
	LWLockRelease(shared_lock);
	*passed |= mark;
	return found;
}

bool
window_is_of(const SharedWindow *window, const WindowKey *key)
{
	return window->key.incarnation == key->incarnation &&
		window->key.database == key->database;
}

/*
 * Carve a range for a session out of the window that it knows: one that was
 * returned and lies above, or the next ids, up to size; false if the window is
 * not open any more, or has none left.
 */
bool
slot_carve_for_session(SharedSlot *slot, const SessionWindow *known,
					   int64 above, int64 size, Range *range)
{
	uint64		word = pg_atomic_read_u64(&slot->word);

	if (slot->listed != 0 && carve_listed(slot, known, above, size, range))
		return true;
	while (WordGeneration(word) == known->generation &&
		   WordOffset(word) < known->length)
	{
		uint64		end = Min(WordOffset(word) + (uint64) size, known->length);

		delay_at_random();
		if (!pg_atomic_compare_exchange_u64(&slot->word, &word,
											MakeWord(known->generation, end)))
			continue;
		range->low = known->low + (int64) WordOffset(word);
		range->high = known->low + (int64) end - 1;
		return true;
	}
	return false;
}

/* Check whether a range was returned that lies above. */
bool
slot_lists_above(SharedSlot *slot, int64 above)
{
	uint32		number;

	SpinLockAcquire(&slot->spinlock);
	number = slot->listed;
	while (number != 0 && listed_at(number)->range.low <= above)
		number = listed_at(number)->chain;
	SpinLockRelease(&slot->spinlock);
	return number != 0;
}

/*
 * Take back the rest of a session's range, of a generator and its epoch.  If
 * the word is still top_word, as while the range was on top (offset 0: it never
 * was), lower it; else put the rest into the list, if there is room.
 */
bool
slot_give_back(SharedSlot *slot, const WindowKey *key, int64 epoch,
			   uint64 top_word, Range rest)
{
	uint64		word = top_word;
	bool		done;

	SpinLockAcquire(&slot->spinlock);
	done = window_is_of(&slot->window, key) && slot->window.epoch == epoch &&
		rest.low > slot->floor;
	if (done && (WordOffset(top_word) < (uint64) RangeLength(rest) ||
				 !pg_atomic_compare_exchange_u64(&slot->word, &word,
												 top_word - (uint64) RangeLength(rest))))
		done = list_range(slot, rest);
	SpinLockRelease(&slot->spinlock);
	return done;
}

/*
 * Refuse ids up to value from now on, and lose those that were taken back;
 * return the word at that moment, which no return takes below value any more.
 */
uint64
slot_refuse(SharedSlot *slot, int64 value)
{
	uint32	   *link = &slot->listed;
	uint64		word;
	int64		ids = 0;

	SpinLockAcquire(&slot->spinlock);
	slot->floor = Max(slot->floor, value);
	while (*link != 0)
	{
		ListedRange *listed = listed_at(*link);
		Range		range = range_above_id(listed->range, value);

		ids += RangeLength(listed->range) - RangeLength(range);
		listed->range = range;
		if (RangeIsEmpty(range))
			unlist_range(link);
		else
			link = &listed->chain;
	}
	word = pg_atomic_read_u64(&slot->word);
	SpinLockRelease(&slot->spinlock);
	count_in(slot, TALLY_LOST, ids);
	count_in(slot, TALLY_HANDED_OUT, -ids);
	return word;
}

/*
 * Carve a range for a client out of the window that a session knows; false if
 * that is not open any more, or has too little left.
 */
bool
slot_carve_for_client(SharedSlot *slot, const SessionWindow *known,
					  const StoreRequest *request, StoreRange *taken)
{
	Range		rest = {known->low, known->low + (int64) known->length - 1};
	int64		number = client_number();
	bool		carved = false;
	uint64		word;

	SpinLockAcquire(&slot->spinlock);
	word = pg_atomic_read_u64(&slot->word);
	while (!carved && WordGeneration(word) == known->generation &&
		   WordOffset(word) < known->length)
	{
		CarvedRange now;

		rest.low = known->low + (int64) WordOffset(word);
		now.client.range = carve_from(request, rest);
		if (RangeIsEmpty(now.client.range))
			break;
		now.generation = known->generation;
		now.end = (uint64) (now.client.range.high + 1 - known->low);
		carved = pg_atomic_compare_exchange_u64(&slot->word, &word,
												MakeWord(now.generation,
														 now.end));
		if (carved)
		{
			now.client.role = request->role;
			now.client.number = number;
			slot->carved = now;
			taken->range = now.client.range;
			taken->number = now.client.number;
			taken->skipped = now.client.range.low - rest.low;
		}
	}
	SpinLockRelease(&slot->spinlock);
	return carved;
}

/*
 * Check whether a range can be carved now.  The caller holds the window lock.
 */
bool
slot_can_carve(SharedSlot *slot, const StoreRequest *request)
{
	Range		rest = range_clip(window_unused(slot), request->max_value);

	return !RangeIsEmpty(rest) && !RangeIsEmpty(carve_from(request, rest));
}

/*
 * Take the ids above last_used of a client's range back into the window, if
 * that is open still, and nothing of it was taken since.
 */
bool
slot_return(SharedSlot *slot, const WindowKey *key, int64 epoch,
			const ClientRange *client, bool whole, int64 last_used)
{
	CarvedRange *carved = &slot->carved;
	bool		done;

	SpinLockAcquire(&slot->spinlock);
	done = window_is_of(&slot->window, key) && slot->window.epoch == epoch &&
		OidIsValid(carved->client.role) &&
		carved->client.role == client->role &&
		carved->client.number == client->number &&
		carved->client.range.high == client->range.high &&
		last_used <= client->range.high &&
		last_used >= carved->client.range.low - (whole ? 1 : 0) &&
		last_used >= slot->floor;
	if (done)
	{
		uint64		word = MakeWord(carved->generation, carved->end);
		uint64		ids = (uint64) (client->range.high - last_used);

		done = pg_atomic_compare_exchange_u64(&slot->word, &word, word - ids);
		/* a return counts once */
		if (done)
			carved->client.role = InvalidOid;
	}
	SpinLockRelease(&slot->spinlock);
	return done;
}

/*
 * Read a slot's window, and its word, without a lock.  False if it is being
 * changed at the moment.
 */
bool
slot_read(SharedSlot *slot, SharedWindow *window, uint64 *word)
{
	const volatile uint64 *changes = &slot->window.changes;
	uint64		before = *changes;

	pg_read_barrier();
	*window = slot->window;
	*word = pg_atomic_read_u64(&slot->word);
	pg_read_barrier();
	return before % 2 == 0 && *changes == before &&
		WordGeneration(*word) == window->generation;
}

int64
slot_taken(const SharedWindow *window, uint64 word)
{
	return Min((int64) WordOffset(word), RangeLength(window->range));
}

/* Return how many ids were taken from the open windows of all databases. */
int64
slot_taken_in_all(void)
{
	int64		ids = 0;

	shared_memory_attach();
	LWLockAcquire(shared_lock, LW_SHARED);
	for (uint32 number = 1; number <= segment->nslots; number++)
	{
		SharedWindow window;
		uint64		word;

		/* one that is being changed is counted the next time */
		if (slot_read(slot_at(number), &window, &word))
			ids += slot_taken(&window, word);
	}
	LWLockRelease(shared_lock);
	return ids;
}

int64
slot_handed_out(const SharedWindow *window, uint64 word)
{
	int64		used = slot_taken(window, word);

	return used > 0 ? window->range.low - 1 + used : window->handed_out;
}

/*
 * Return a number that names one range of a client for ever: the first one is
 * random, and so low that all to come are exact in JavaScript.
 */
int64
client_number(void)
{
	if (pg_atomic_read_u64(&segment->numbers) == 0)
	{
		uint64		random;
		uint64		none = 0;

		if (!pg_strong_random(&random, sizeof(random)))
			ereport(ERROR,
					(errcode(ERRCODE_INTERNAL_ERROR),
					 errmsg("could not generate random values")));
		(void) pg_atomic_compare_exchange_u64(&segment->numbers, &none,
											  random >> 13);
	}
	return (int64) pg_atomic_add_fetch_u64(&segment->numbers, 1);
}

/*
 * Return the ids of the slot's window that nobody has taken yet.  A rolled-back
 * hilo_alter may leave some above max_value.
 */
Range
window_unused(SharedSlot *slot)
{
	Range		range = slot->window.range;
	int64		used = (int64) WordOffset(pg_atomic_read_u64(&slot->word));

	if (used >= RangeLength(range))
		return EMPTY_RANGE;
	range.low += used;
	return range;
}

/*
 * Open a window over ids reserved ahead of need, or now, size of them at least.
 * Their WAL has reached the disk and the standbys, if there are any, whatever
 * this session asks for: the others trust in it.  What is left of the window
 * before comes first, if it adjoins.  Keep the first count ids out of the
 * window and return them, if there are so many up to max_value.
 *
 * An error loses the ids.
 */
Range
window_open(SharedSlot *slot, SessionEntry *entry, int64 size, int64 count,
			int64 max_value)
{
	HeldRange	held = slot->next;
	HeldRange	none = {.range = EMPTY_RANGE};

	slot_set_next(slot, &none);
	if (RangeIsEmpty(held.range))
		session_require_taken(entry, window_reserve(slot, entry, size, true, &held),
							  entry->definition.max_value);
	else
		count_in(slot, held.lsn <= GetFlushRecPtr(NULL) ?
				 TALLY_PREFETCH_HITS : TALLY_PREFETCH_MISSES, 1);
	session_flush(entry, held.lsn);
	slot->size = held.size;
	count_in(slot, TALLY_WINDOWS, 1);
	return slot_open(slot, &held, count, max_value);
}

/*
 * Reserve the range that follows the window; the caller holds its lock.  Waits
 * for nothing.
 */
StoreResult
window_reserve_next(SharedSlot *slot, SessionEntry *entry, HeldRange *held)
{
	StoreResult result = window_reserve(slot, entry, 1, false, held);

	if (result == STORE_OK)
		slot_set_next(slot, held);
	return result;
}

/*
 * Close the window, of which nothing is handed out any more.  The caller holds
 * the window lock.
 */
void
window_close(SharedSlot *slot)
{
	uint64		generation = next_generation();
	int64		taken = RangeLength(slot->window.range);
	Range		rest;

	begin_change(slot);
	rest = end_window(slot, generation);
	taken -= RangeLength(rest);
	count_in(slot, TALLY_HANDED_OUT, taken);
	count_in(slot, TALLY_LOST,
			 RangeLength(rest) + RangeLength(slot->next.range));
	slot->window.range = slot->window.ahead = slot->next.range = EMPTY_RANGE;
	end_change(slot, generation);
	(void) slot_refuse(slot, slot->window.handed_out);
	slot->taken_at = 0;
}

/*
 * Go on above value, in a window of that epoch: what the slot has of ids up to
 * there is lost.  Return the last id handed out, or value.  The caller holds
 * the window lock.
 */
int64
window_raise(SharedSlot *slot, int64 value, int64 epoch)
{
	uint64		generation = next_generation();
	int64		ids = RangeLength(slot->window.range);
	int64		ahead = RangeLength(slot->next.range);
	bool		forgets = epoch != slot->window.epoch;
	Range		rest;
	int64		left;

	begin_change(slot);
	rest = end_window(slot, slot->window.generation);
	left = RangeLength(rest);
	slot->window.range = range_above_id(rest, value);
	slot->next.range = range_above_id(slot->next.range, value);
	slot->window.ahead = slot->next.range;
	slot->window.handed_out = Max(slot->window.handed_out, value);
	slot->window.epoch = epoch;
	end_change(slot, generation);
	(void) slot_refuse(slot, forgets ? slot->window.handed_out : value);
	delay_at_random();
	pg_write_barrier();
	pg_atomic_write_u64(&slot->word, MakeWord(generation, RangeIsEmpty(slot->window.range) ?
											  WINDOW_CLOSED : 0));
	count_in(slot, TALLY_HANDED_OUT, ids - left);
	count_in(slot, TALLY_LOST, left - RangeLength(slot->window.range) +
			 ahead - RangeLength(slot->next.range));
	return slot->window.handed_out;
}

/*
 * Take a slot that is free, of which nothing is counted yet; 0 if there is
 * none.  The caller holds the segment's lock.
 */
static uint32
take_free(void)
{
	uint32		number = segment->free;
	SharedSlot *slot;

	if (number == 0 && segment->nslots == SLOTS)
		return 0;
	if (number == 0)
	{
		number = ++segment->nslots;
		SpinLockInit(&slot_at(number)->spinlock);
	}
	else
		segment->free = slot_at(number)->chain;
	slot = slot_at(number);
	slot->chain = 0;
	slot->size = 0;
	start_counting(&slot->counted);
	if (segment->counted.since == 0)
		segment->counted.since = slot->counted.since;
	return number;
}

/* Free a slot whose window is closed.  The caller holds the window lock. */
void
slot_free(SharedSlot *slot)
{
	uint32	   *link;
	uint32		number;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	link = link_to(&slot->window.key);
	number = *link;
	*link = slot->chain;
	slot->chain = segment->free;
	segment->free = number;
	begin_change(slot);
	slot->window.key.incarnation = 0;
	end_change(slot, slot->window.generation);
	LWLockRelease(shared_lock);
}

/*
 * Return the link that has, or would have, the number of a generator's slot.
 * The caller holds the segment's lock.
 */
static uint32 *
link_to(const WindowKey *key)
{
	uint32		hash = murmurhash32((uint32) key->incarnation ^ key->database);
	uint32	   *link = &segment->chains[hash % CHAINS];

	while (*link != 0 && !window_is_of(&slot_at(*link)->window, key))
		link = &slot_at(*link)->chain;
	return link;
}

static SharedSlot *
slot_at(uint32 number)
{
	return &segment->slots[number - 1];
}

static uint64
next_generation(void)
{
	uint64		generation = pg_atomic_add_fetch_u64(&segment->generations, 1);

	if (generation > WINDOW_MAX_GENERATION)
		elog(ERROR, "out of generations of windows, until the next restart");
	return generation;
}

/*
 * Make slot_read fail while the window is changed.  Nothing in between may
 * raise an error.
 */
static void
begin_change(SharedSlot *slot)
{
	slot->window.changes++;
	pg_write_barrier();
}

static void
end_change(SharedSlot *slot, uint64 generation)
{
	slot->window.generation = generation;
	pg_write_barrier();
	slot->window.changes++;
}

/*
 * Take a range from the source: half of what the pace asks for, as the next
 * window is reserved beside it; count ids at least.
 */
static StoreResult
window_reserve(SharedSlot *slot, SessionEntry *entry, int64 count, bool wait,
			   HeldRange *held)
{
	const Definition *definition = &entry->definition;
	int64		size = size_by_pace(slot, definition);
	int64		half = Min(size / 2 + size % 2, WINDOW_MAX_LENGTH);
	StoreRequest request = {
		.name = entry->name,
		.incarnation = entry->incarnation,
		.max_value = definition->max_value,
		.size = source_of(definition)->reserves_ahead ? Max(half, count) : count,
		.wait = wait,
	};
	StoreRange	taken;
	StoreResult result = session_reserve(entry, &request, &taken);

	if (result != STORE_OK)
		return result;

	/* a restore has raised it since the entry was looked at */
	if (taken.epoch != slot->window.epoch)
	{
		if (entry->epoch != taken.epoch)
			(void) session_give_back(entry, false);
		entry->epoch = taken.epoch;
		window_close(slot);
		(void) slot_claim(&slot->window.key, taken.epoch, taken.range.low - 1);
	}

	held->range = taken.range;
	held->lsn = taken.lsn;
	strlcpy(held->node_tag, hilo_node_tag, sizeof(held->node_tag));
	held->size = size;
	slot->taken_at = GetCurrentTimestamp();
	return STORE_OK;
}

/* Set the range that follows the window, whose lock the caller holds. */
static void
slot_set_next(SharedSlot *slot, const HeldRange *held)
{
	begin_change(slot);
	slot->next = *held;
	slot->window.ahead = held->range;
	end_change(slot, slot->window.generation);
}

/*
 * Open a window in place of the former one, and return the first count ids, if
 * there are so many up to max_value; see window_open.
 */
static Range
slot_open(SharedSlot *slot, HeldRange *held, int64 count, int64 max_value)
{
	uint64		generation = next_generation();
	bool		same_tag = strcmp(slot->window.node_tag, held->node_tag) == 0;
	int64		taken = RangeLength(slot->window.range);
	HeldRange	next = {.range = EMPTY_RANGE};
	Range		block = EMPTY_RANGE;
	Range		rest;
	int64		lost = 0;

	begin_change(slot);
	/* nobody takes or returns an id of the former window any more */
	rest = end_window(slot, slot->window.generation);
	taken -= RangeLength(rest);
	if (same_tag && rest.high + 1 == held->range.low)
		held->range.low = rest.low;
	else
		lost = RangeLength(rest);
	if (RangeLength(range_clip(held->range, max_value)) >= count)
		block = range_split(&held->range, count);
	if (RangeLength(block) > 0)
		slot->window.handed_out = block.high;
	if (RangeLength(held->range) > WINDOW_MAX_LENGTH)
	{
		next = *held;
		next.range.low = held->range.low + WINDOW_MAX_LENGTH;
		held->range.high = next.range.low - 1;
	}
	slot->window.range = held->range;
	slot->window.ahead = next.range;
	slot->next = next;
	memcpy(slot->window.node_tag, held->node_tag, sizeof(held->node_tag));
	end_change(slot, generation);
	if (!same_tag)
		(void) slot_refuse(slot, held->range.low - 1);

	/* an id that is taken before the word is read can be told by slot_read */
	delay_at_random();
	pg_write_barrier();
	pg_atomic_write_u64(&slot->word, MakeWord(generation, 0));
	count_in(slot, TALLY_HANDED_OUT, taken + RangeLength(block));
	count_in(slot, TALLY_LOST, lost);
	return block;
}

/*
 * Put another generation into the word, in one step, so that nobody takes an id
 * or returns one; return what was left.  The window is being changed.
 */
static Range
end_window(SharedSlot *slot, uint64 generation)
{
	Range		rest = slot->window.range;
	uint64		word = pg_atomic_exchange_u64(&slot->word,
											  MakeWord(generation, WINDOW_CLOSED));

	delay_at_random();
	slot->window.handed_out = slot_handed_out(&slot->window, word);
	rest = slot_taken(&slot->window, word) < RangeLength(rest) ?
		range_above_id(rest, rest.low - 1 + slot_taken(&slot->window, word)) :
		EMPTY_RANGE;
	SpinLockAcquire(&slot->spinlock);
	slot->carved.client.role = InvalidOid;
	SpinLockRelease(&slot->spinlock);
	return rest;
}

/* Return the counters of a generator, NULL if it has no slot; 0: the server's. */
static Tally *
counted_of(int64 incarnation)
{
	WindowKey	key = {MyDatabaseId, InvalidOid, incarnation};
	uint32		number = incarnation == 0 ? 0 : *link_to(&key);

	return incarnation == 0 ? &segment->counted :
		number == 0 ? NULL : &slot_at(number)->counted;
}

static void
start_counting(Tally *counted)
{
	for (int i = 0; i < TALLY_COUNTERS; i++)
		pg_atomic_write_u64(&counted->counters[i], 0);
	counted->since = GetCurrentTimestamp();
}

/* Count something of a slot that stays its generator's; NULL: of the server. */
static void
count_in(SharedSlot *slot, TallyCounter counter, int64 count)
{
	if (slot != NULL)
		pg_atomic_fetch_add_u64(&slot->counted.counters[counter], count);
	pg_atomic_fetch_add_u64(&segment->counted.counters[counter], count);
}

/*
 * Put a range into the list of a slot, whose spinlock the caller holds; false if
 * there is no room.
 */
static bool
list_range(SharedSlot *slot, Range range)
{
	uint64		head = pg_atomic_read_u64(&segment->unlisted);
	uint64		number;

	while ((uint32) head != 0 &&
		   !pg_atomic_compare_exchange_u64(&segment->unlisted, &head,
										   ((head >> 32) + 1) << 32 |
										   listed_at((uint32) head)->chain))
		;
	number = (uint32) head != 0 ? (uint32) head :
		pg_atomic_add_fetch_u64(&segment->nlisted, 1);
	if (number > LISTED_RANGES)
		return false;
	listed_at((uint32) number)->range = range;
	listed_at((uint32) number)->chain = slot->listed;
	slot->listed = (uint32) number;
	return true;
}

/* Take a range out of the list that the link is of. */
static void
unlist_range(uint32 *link)
{
	uint64		head = pg_atomic_read_u64(&segment->unlisted);
	uint32		number = *link;

	*link = listed_at(number)->chain;
	do
		listed_at(number)->chain = (uint32) head;
	while (!pg_atomic_compare_exchange_u64(&segment->unlisted, &head,
										   ((head >> 32) + 1) << 32 | number));
}

static ListedRange *
listed_at(uint32 number)
{
	return &segment->listed[number - 1];
}

/*
 * Carve up to size ids of the lowest range that was returned to the window
 * that a session knows, of those that lie above all that it has had.
 */
static bool
carve_listed(SharedSlot *slot, const SessionWindow *known, int64 above,
			 int64 size, Range *range)
{
	uint32	   *link = &slot->listed;
	uint32	   *found = NULL;

	SpinLockAcquire(&slot->spinlock);
	if (WordGeneration(pg_atomic_read_u64(&slot->word)) == known->generation)
	{
		for (; *link != 0; link = &listed_at(*link)->chain)
		{
			if (listed_at(*link)->range.low > above &&
				(found == NULL ||
				 listed_at(*link)->range.low < listed_at(*found)->range.low))
				found = link;
		}
	}
	if (found != NULL)
	{
		Range	   *rest = &listed_at(*found)->range;

		*range = range_split(rest, Min(size, RangeLength(*rest)));
		if (RangeIsEmpty(*rest))
			unlist_range(found);
		/* a rolled-back hilo_alter may leave ids above what is known */
		*range = range_clip(*range, known->low + (int64) known->length - 1);
	}
	SpinLockRelease(&slot->spinlock);
	return found != NULL && !RangeIsEmpty(*range);
}

/*
 * Return how many ids the window and the one after it should have, by the pace
 * at which the last ones were taken: a small share of all the ids there are, if
 * they are here, else no more than the source gives at once.
 */
static int64
size_by_pace(const SharedSlot *slot, const Definition *definition)
{
	int64		ceiling = definition->max_range_size;

	if (source_of(definition)->is_here)
		ceiling = Max(ceiling, Min(RANGE_DEFAULT_MAX_SIZE,
								   definition->max_value / WINDOW_SHARE));
	return Min(range_adapted_size(slot->size, slot->taken_at,
								  GetCurrentTimestamp(), definition->range_size,
								  ceiling), ceiling);
}

/*
 * Return the ids that a request takes from the low end of what is left; fewer
 * than it asks for only where max_value comes first.  Empty if these are too
 * few.
 */
static Range
carve_from(const StoreRequest *request, Range rest)
{
	Range		range;

	if (request->whole_block)
		return range_block_above(rest.low - 1, request->size, rest.high);
	range = range_above(rest.low - 1, request->size, rest.high);
	return RangeLength(range) < request->size && rest.high < request->max_value ?
		EMPTY_RANGE : range;
}
