/*
 * What shared memory holds of a generator: slots, and the windows in them.
 *
 * A slot is a generator's as long as a session has a part in it, or until
 * another generator needs it more.  Its window is changed under the window
 * lock of that generator, and read without.
 *
 * Slots are in chunks, each twice as large as the one before, which are made
 * when they are needed and stay: what sessions know of a slot is memory of a
 * slot for ever.  Slots have numbers from 1 on.  Those of generators are in
 * chains, by a hash of their keys, and the free ones in another chain.
 *
 * Generations come from one counter and never repeat, not even when a slot has
 * changed hands, so a session that knows an old window finds that out by
 * itself.
 *
 * A window is closed by putting another generation into the word, in one
 * step, which tells how many ids were taken: what is left can then be given
 * back, as nobody can take it any more.
 *
 * A session's range is carved by one change of the word, and returned by
 * another while it is on top; else it goes to a list in the slot.  A client's
 * range is carved and returned by a change of the word as well, under a
 * spinlock, so that what the slot knows of the last one fits the word.  The
 * list is changed under the spinlock, too, and outlives a window that is used
 * up.  Whoever closes a window that may have ids left gives the list to the
 * row, from which whoever opens the next one takes it, and begins another era,
 * in which nothing is returned to the windows before.
 *
 * An error costs a gap, never a repeat: a range is taken out of the slot
 * before anything is done about it, and put there when it is on disk.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"

#include "session/shared_slot.h"
#include "source/source.h"

/* the most slots there can be, and those of the first chunk, a power of two */
#define SLOTS 130048
#define FIRST_SLOTS 1024
#define MAX_CHUNKS 7

/* slots in so many chunks */
#define SlotsIn(chunks) (((uint32) FIRST_SLOTS << (chunks)) - FIRST_SLOTS)

#define CHAINS 32768

/* a window has at most this share of max_value */
#define WINDOW_SHARE 32768

/* how many slots the one to be evicted is chosen from: bits of a word */
#define CHOSEN_FROM 64

typedef struct SharedSegment
{
	pg_atomic_uint64 generations;	/* the last one in use */
	uint32		hand;			/* the next slots to evict are above it */

	/* changed under the segment's lock */
	uint32		nslots;			/* that have been claimed ever */
	uint32		nadded;			/* chunks beside the first */
	uint32		free;			/* the first free slot; 0: none */
	uint32		chains[CHAINS]; /* the first slot of each; 0: none */
	dsm_handle	added[MAX_CHUNKS];
	bool		is_full;		/* there was no memory for another chunk */

	SharedSlot	slots[FIRST_SLOTS];
} SharedSegment;

static SharedSegment *segment;

/* as this session has mapped them */
static SharedSlot *chunks[MAX_CHUNKS];

static uint32 *link_to(const WindowKey *key);
static void slot_free(SharedSlot *slot);
static SharedSlot *slot_at(uint32 number);
static void add_chunk(void *arg);
static uint64 next_generation(void);
static void begin_change(SharedSlot *slot);
static void end_change(SharedSlot *slot, uint64 generation);
static Remainder take_remainder(SharedSlot *slot);
static void take_listed(SharedSlot *slot, Remainder *rest);
static void put_listed(SharedSlot *slot, const Remainder *kept);
static void give_window_back(const SharedSlot *slot, Remainder *rest,
							 bool may_return, bool wait);
static int64 ids_in(const Remainder *rest);
static int64 slot_open(SharedSlot *slot, HeldRange *held, int64 last);
static ClientRange slot_close(SharedSlot *slot);
static ClientRange take_client(SharedSlot *slot, uint64 word);
static void begin_era(SharedSlot *slot);
static bool carve_listed(SharedSlot *slot, const SessionWindow *known,
						 int64 above, int64 size, Range *range);
static bool list_range(SharedSlot *slot, uint64 generation, Range range);
static int64 size_by_pace(const SharedSlot *slot, const Definition *definition);
static Range carve_from(const StoreRequest *request, Range rest);

void
slot_init(void)
{
	shared_memory_reserve((void **) &segment, sizeof(SharedSegment));
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
 * Give a generator a free slot, with no window yet; NULL if there is none.
 * Last is its last id handed out.  The caller holds the window lock.
 */
SharedSlot *
slot_claim(const WindowKey *key, const SessionEntry *entry, int64 last)
{
	text	   *name = entry->name;
	SharedSlot *slot = NULL;
	uint64		generation = next_generation();
	uint32		number;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	number = segment->free;
	if (number == 0 && segment->nslots < Min(SLOTS, SlotsIn(segment->nadded + 1)))
		number = segment->nslots + 1;
	if (number != 0)
	{
		uint32	   *link = link_to(key);

		slot = slot_at(number);
		if (number == segment->free)
			segment->free = slot->chain;
		else
		{
			SpinLockInit(&slot->spinlock);
			segment->nslots = number;
		}
		slot->chain = 0;
		*link = number;
		/* the window of the owner before must not be taken for this one's */
		begin_change(slot);
		slot->key = *key;
		slot->tenancy = generation;
		pg_atomic_write_u32(&slot->sessions, 0);
	}
	LWLockRelease(shared_lock);
	if (slot == NULL)
		return NULL;

	pg_atomic_write_u64(&slot->word, MakeWord(generation, WINDOW_CLOSED));
	slot->window.range = slot->window.ahead = slot->next.range = EMPTY_RANGE;
	slot->window.handed_out = last;
	slot->window.epoch = entry->epoch;
	end_change(slot, generation);
	begin_era(slot);
	slot->size = 0;
	slot->taken_at = GetCurrentTimestamp();
	slot->definition = entry->definition;
	slot->name_length = VARSIZE_ANY_EXHDR(name);
	memcpy(slot->name, VARDATA_ANY(name), slot->name_length);
	return slot;
}

/*
 * Make room for more slots; false if there are enough, or is no memory for
 * them, which is for good.
 */
bool
slot_add_chunk(void)
{
	ErrorData  *error;

	if (segment->is_full || SlotsIn(segment->nadded + 1) >= SLOTS)
		return false;
	error = attempt(add_chunk, NULL);
	if (error == NULL)
		return true;
	segment->is_full = true;
	ereport(LOG,
			(errmsg_internal("hilo has room for the windows of %u generators: %s",
							 SlotsIn(segment->nadded + 1), error->message)));
	FreeErrorData(error);
	return false;
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

		if (slot->tenancy == 0 || (*passed & UINT64CONST(1) << i) != 0 ||
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
slot_is_of(const SharedSlot *slot, const WindowKey *key)
{
	return slot->tenancy != 0 &&
		slot->key.incarnation == key->incarnation &&
		slot->key.database == key->database;
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

	if (slot->nlisted > 0 && carve_listed(slot, known, above, size, range))
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

/* Check, without a lock, whether a range was returned that lies above. */
bool
slot_lists_above(SharedSlot *slot, int64 above)
{
	for (int i = 0; i < slot->nlisted; i++)
	{
		if (slot->listed[i].low > above)
			return true;
	}
	return false;
}

/*
 * Take back the rest of a session's range.  If the word is still top_word, as
 * while the range was on top (offset 0: it never was), lower it; else put the
 * rest into the list, if the era is the same.
 */
bool
slot_give_back(SharedSlot *slot, uint64 top_word, Range rest)
{
	uint64		word = top_word;

	if (WordOffset(top_word) >= (uint64) RangeLength(rest) &&
		pg_atomic_compare_exchange_u64(&slot->word, &word,
									   top_word - (uint64) RangeLength(rest)))
		return true;
	return list_range(slot, WordGeneration(top_word), rest);
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
	bool		carved = false;
	uint64		word;

	SpinLockAcquire(&slot->spinlock);
	word = pg_atomic_read_u64(&slot->word);
	while (!carved && WordGeneration(word) == known->generation &&
		   WordOffset(word) < known->length && slot->number < slot->last_number)
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
			now.client.number = ++slot->number;
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

	return !RangeIsEmpty(rest) && slot->number < slot->last_number &&
		!RangeIsEmpty(carve_from(request, rest));
}

/*
 * Refuse returns of ids up to value, which must not be handed out again; return
 * the word at that moment, below which only later ranges lower it.
 */
uint64
slot_refuse_return(SharedSlot *slot, int64 value)
{
	uint64		word;

	SpinLockAcquire(&slot->spinlock);
	if (value >= slot->carved.client.range.low)
		slot->carved.client.role = InvalidOid;
	word = pg_atomic_read_u64(&slot->word);
	SpinLockRelease(&slot->spinlock);
	return word;
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
	done = slot_is_of(slot, key) && slot->window.epoch == epoch &&
		OidIsValid(carved->client.role) &&
		carved->client.role == client->role &&
		carved->client.number == client->number &&
		carved->client.range.high == client->range.high &&
		last_used <= client->range.high &&
		last_used >= carved->client.range.low - (whole ? 1 : 0);
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

int64
slot_handed_out(const SharedWindow *window, uint64 word)
{
	int64		used = slot_taken(window, word);

	return used > 0 ? window->range.low - 1 + used : window->handed_out;
}

/*
 * End a session's part in a slot.  Return true if it was the last one in a slot
 * that is still the generator's of that key.  Only the window lock keeps others
 * from joining.
 */
bool
slot_leave(SharedSlot *slot, SessionWindow *session, WindowKey *key)
{
	bool		was_last = false;

	LWLockAcquire(shared_lock, LW_SHARED);
	if (slot->tenancy == session->tenancy)
		was_last = pg_atomic_sub_fetch_u32(&slot->sessions, 1) == 0;
	*key = slot->key;
	LWLockRelease(shared_lock);
	session->tenancy = 0;
	session->length = 0;
	return was_last;
}

/*
 * Check whether no session has a part in a slot that is still the same
 * generator's.
 */
bool
slot_is_left(SharedSlot *slot, uint64 tenancy)
{
	return slot->tenancy == tenancy && pg_atomic_read_u32(&slot->sessions) == 0;
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
 * this session asks for: the others trust in it.  Keep the first count ids out
 * of the window and return them; none of these lies above max_value.
 *
 * An error loses the ids.
 */
Range
window_open(SharedSlot *slot, SessionEntry *entry, int64 size, int64 count,
			int64 max_value)
{
	HeldRange	held = slot->next;
	HeldRange	rest = {.range = EMPTY_RANGE};
	Range		block = EMPTY_RANGE;
	Remainder	kept = {.nlisted = 0};

	window_set_next(slot, &rest);
	if (RangeIsEmpty(held.range))
		session_require_taken(entry,
							  window_reserve(slot, entry, size, &kept, &held),
							  entry->definition.max_value);
	else
		tally(entry->incarnation, held.lsn <= GetFlushRecPtr(NULL) ?
			  TALLY_PREFETCH_HITS : TALLY_PREFETCH_MISSES, 1);
	flush_wal(held.lsn, entry->incarnation);
	slot->size = held.size;

	if (RangeLength(range_clip(held.range, max_value)) < count)
	{
		/* not by way of the slot, as more than a window can have */
		Remainder	unused = {.handed_out = held.range.low - 1,.high = held.range.high};

		give_window_back(slot, &unused, true, true);
		session_exhausted(entry, max_value);
	}
	if (count > 0)
		block = range_split(&held.range, count);
	if (RangeLength(held.range) > WINDOW_MAX_LENGTH)
	{
		/* a block of an ORM */
		rest = held;
		rest.range.low = held.range.low + WINDOW_MAX_LENGTH;
		held.range.high = rest.range.low - 1;
	}
	tally(entry->incarnation, TALLY_WINDOWS, 1);
	tally(entry->incarnation, TALLY_HANDED_OUT,
		  slot_open(slot, &held, block.high) + RangeLength(block));
	put_listed(slot, &kept);
	if (!RangeIsEmpty(rest.range))
		window_set_next(slot, &rest);
	return block;
}

/* Set the range that follows the window, whose lock the caller holds. */
void
window_set_next(SharedSlot *slot, const HeldRange *held)
{
	begin_change(slot);
	slot->next = *held;
	slot->window.ahead = held->range;
	end_change(slot, slot->window.generation);
}

/*
 * Take a range from the source: half of what the pace asks for, as the next
 * window is reserved beside it; count ids at least.  The ranges that the row
 * has kept go into kept; if that is NULL, they stay, and nothing is waited
 * for.
 */
StoreResult
window_reserve(SharedSlot *slot, SessionEntry *entry, int64 count,
			   Remainder *kept, HeldRange *held)
{
	const Definition *definition = &entry->definition;
	const Source *source = source_of(definition);
	int64		size = size_by_pace(slot, definition);
	int64		half = Min(size / 2 + size % 2, WINDOW_MAX_LENGTH);
	StoreRequest request = {
		.name = entry->name,
		.incarnation = entry->incarnation,
		.max_value = definition->max_value,
		.size = source->reserves_ahead ? Max(half, count) : count,
		.wait = kept != NULL,
	};
	StoreRange	taken;
	StoreResult result = STORE_OK;

	if (source->is_here)
		request.numbers = request.size;
	if (kept != NULL && definition->holder == HELD_BY_SESSION)
	{
		request.spare = kept->listed;
		kept->nlisted = STORE_SPARES;
	}
	if (request.spare == NULL || source->is_here ||
		store_take_kept(&request, &taken) != STORE_OK)
		result = source->take(definition, &request, &taken);
	if (result != STORE_OK)
		return result;

	/* a restore has raised it since the entry was looked at */
	if (taken.epoch != slot->window.epoch)
	{
		window_close(slot, false);
		if (entry->epoch != taken.epoch)
			(void) session_give_back(entry, false);
		slot->window.epoch = entry->epoch = taken.epoch;
	}

	held->range = taken.range;
	held->number = taken.number - request.numbers;
	held->last_number = taken.number;
	held->lsn = taken.lsn;
	strlcpy(held->node_tag, hilo_node_tag, sizeof(held->node_tag));
	held->size = size;
	slot->taken_at = GetCurrentTimestamp();
	return STORE_OK;
}

/*
 * Close the window and give back what is left; without wait, only if nobody
 * else holds the row.  The caller holds the window lock.
 */
void
window_close(SharedSlot *slot, bool wait)
{
	Remainder	rest = take_remainder(slot);

	begin_era(slot);
	give_window_back(slot, &rest, true, wait);
}

/*
 * Close the window of a generator as window_close does, and free its slot; it
 * need not have one.
 */
void
window_end(const WindowKey *key, bool wait)
{
	SharedSlot *slot = slot_find(key);

	if (slot == NULL)
		return;
	window_close(slot, wait);
	slot_free(slot);
}

/*
 * Close the window that no session has a part in any more, and give back what
 * is left, if that should be.  The slot stays for what the row has no room
 * for.
 */
void
window_leave(SharedSlot *slot, bool return_rest)
{
	Remainder	rest = take_remainder(slot);

	give_window_back(slot, &rest, return_rest, false);
	if (return_rest && slot->nlisted > 0)
		return;
	begin_era(slot);
	slot_free(slot);
}

/* Free a slot whose window is closed.  The caller holds the window lock. */
static void
slot_free(SharedSlot *slot)
{
	uint32	   *link;
	uint32		number;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	link = link_to(&slot->key);
	number = *link;
	*link = slot->chain;
	slot->chain = segment->free;
	segment->free = number;
	slot->tenancy = 0;
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

	while (*link != 0 && !slot_is_of(slot_at(*link), key))
		link = &slot_at(*link)->chain;
	return link;
}

/*
 * Return the slot of a number, after its chunk was mapped to the end of the
 * session.
 */
static SharedSlot *
slot_at(uint32 number)
{
	uint32		place = number - 1 + FIRST_SLOTS;
	int			chunk = pg_leftmost_one_pos32(place / FIRST_SLOTS);

	if (chunks[chunk] == NULL)
		chunks[chunk] = chunk == 0 ? segment->slots :
			shared_memory_map(segment->added[chunk - 1]);
	return &chunks[chunk][place - ((uint32) FIRST_SLOTS << chunk)];
}

/* Callback: add a chunk, if somebody else has not. */
static void
add_chunk(void *arg)
{
	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	if (segment->nslots == SlotsIn(segment->nadded + 1))
	{
		uint32		added = segment->nadded;
		Size		size = sizeof(SharedSlot) * (FIRST_SLOTS << (added + 1));

		chunks[added + 1] = shared_memory_make(size, &segment->added[added]);
		memset(chunks[added + 1], 0, size);
		segment->nadded++;
	}
	LWLockRelease(shared_lock);
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
 * Close the window, count what was taken from it and return what is left, and
 * as much of the list as the row has room for.
 */
static Remainder
take_remainder(SharedSlot *slot)
{
	Range		window = slot->window.range;
	Range		ahead = slot->next.range;
	Remainder	rest = {
		.handed_out = window.low - 1,
		.high = window.high,
		.may_wait = slot->definition.holder == HELD_BY_SESSION,
	};

	rest.client = slot_close(slot);
	if (slot->window.handed_out > rest.handed_out && !RangeIsEmpty(window))
	{
		tally_in(slot->key.database, slot->key.incarnation, TALLY_HANDED_OUT,
				 slot->window.handed_out - rest.handed_out);
		rest.handed_out = slot->window.handed_out;
	}
	if (!RangeIsEmpty(ahead) && ahead.low == rest.high + 1)
		rest.high = ahead.high;
	else if (!RangeIsEmpty(ahead))
	{
		if (rest.handed_out < rest.high)
			rest.listed[rest.nlisted++] = RANGE_OF(rest.handed_out + 1, rest.high);
		rest.client.role = InvalidOid;
		rest.handed_out = ahead.low - 1;
		rest.high = ahead.high;
	}
	take_listed(slot, &rest);
	return rest;
}

/* Take ranges from the list, as many as there is room for. */
static void
take_listed(SharedSlot *slot, Remainder *rest)
{
	int64		ids = 0;

	SpinLockAcquire(&slot->spinlock);
	while (slot->nlisted > 0 && rest->nlisted < STORE_SPARES)
	{
		Range		range = slot->listed[--slot->nlisted];

		rest->listed[rest->nlisted++] = range;
		ids += RangeLength(range);
	}
	SpinLockRelease(&slot->spinlock);
	tally_in(slot->key.database, slot->key.incarnation, TALLY_HANDED_OUT, -ids);
}

/*
 * Put the ranges that the row had kept into the list, where they count as
 * handed out; those without room are lost.
 */
static void
put_listed(SharedSlot *slot, const Remainder *kept)
{
	for (int i = 0; i < kept->nlisted; i++)
	{
		Range		range = kept->listed[i];

		if (!RangeIsEmpty(range))
			tally(slot->key.incarnation,
				  list_range(slot, slot->window.generation, range) ?
				  TALLY_HANDED_OUT : TALLY_LOST, RangeLength(range));
	}
}

/*
 * Give back what is left of a window, if that may be, or lose it.  What is of
 * another database is lost: this one cannot write there.
 */
static void
give_window_back(const SharedSlot *slot, Remainder *rest, bool may_return,
				 bool wait)
{
	text	   *name;
	int64		ids = ids_in(rest);
	int64		lost = ids;

	/* a client may return its range after the window, too */
	if (ids == 0 && !OidIsValid(rest->client.role))
		return;
	name = cstring_to_text_with_len(slot->name, slot->name_length);
	if (may_return && slot->key.database == MyDatabaseId &&
		store_give_back(name, slot->key.incarnation, slot->window.epoch, rest,
						wait))
		lost = ids_in(rest);
	tally_in(slot->key.database, slot->key.incarnation, TALLY_LOST, lost);
	tally_in(slot->key.database, slot->key.incarnation, TALLY_RETURNED,
			 ids - lost);
	pfree(name);
}

static int64
ids_in(const Remainder *rest)
{
	int64		ids = rest->high - rest->handed_out;

	for (int i = 0; i < rest->nlisted; i++)
		ids += RangeLength(rest->listed[i]);
	return ids;
}

/*
 * Open a window in place of the former one.  What is left of the former comes
 * first in the new one if it adjoins, else it is lost.  Last is the last id
 * handed out, unless that was of the former.  Return how many ids of the former
 * were handed out.  The caller holds the window lock.
 */
static int64
slot_open(SharedSlot *slot, HeldRange *held, int64 last)
{
	uint64		generation = next_generation();
	uint64		closed = MakeWord(slot->window.generation, WINDOW_CLOSED);
	Range		rest = slot->window.range;
	bool		same_tag = strcmp(slot->window.node_tag, held->node_tag) == 0;
	int64		lost = 0;
	int64		taken;
	uint64		word;

	begin_change(slot);
	/* nobody takes or returns an id of the former window any more */
	word = pg_atomic_exchange_u64(&slot->word, closed);
	delay_at_random();
	taken = slot_taken(&slot->window, word);
	slot->window.handed_out = last > 0 ? last : slot_handed_out(&slot->window, word);
	rest.low += taken;
	if (same_tag && rest.high + 1 == held->range.low &&
		held->range.high - rest.low < WINDOW_MAX_LENGTH)
		held->range.low = rest.low;
	else
		lost = RangeLength(rest);

	Assert(RangeLength(held->range) <= WINDOW_MAX_LENGTH);
	slot->window.range = held->range;
	slot->window.ahead = EMPTY_RANGE;
	memcpy(slot->window.node_tag, held->node_tag, sizeof(held->node_tag));
	end_change(slot, generation);

	(void) take_client(slot, word);
	if (!same_tag)
		begin_era(slot);
	SpinLockAcquire(&slot->spinlock);
	slot->number = held->number;
	slot->last_number = held->last_number;
	SpinLockRelease(&slot->spinlock);

	/* an id that is taken before the word is read can be told by slot_read */
	delay_at_random();
	pg_write_barrier();
	pg_atomic_write_u64(&slot->word, MakeWord(generation, 0));
	tally(slot->key.incarnation, TALLY_LOST, lost);
	return taken;
}

/*
 * Close the window, in one step, so that nobody takes an id from it any more,
 * and forget what was reserved; return the range on top of it if that is a
 * client's.  The caller holds the window lock.
 */
static ClientRange
slot_close(SharedSlot *slot)
{
	uint64		generation = next_generation();
	uint64		word;

	begin_change(slot);
	word = pg_atomic_exchange_u64(&slot->word,
								  MakeWord(generation, WINDOW_CLOSED));
	delay_at_random();
	slot->window.handed_out = slot_handed_out(&slot->window, word);
	slot->window.range = slot->window.ahead = slot->next.range = EMPTY_RANGE;
	end_change(slot, generation);
	return take_client(slot, word);
}

/*
 * Take the last range of a client out of a slot that had that word; return it
 * if it was on top.
 */
static ClientRange
take_client(SharedSlot *slot, uint64 word)
{
	ClientRange client = {.role = InvalidOid};

	SpinLockAcquire(&slot->spinlock);
	if (word == MakeWord(slot->carved.generation, slot->carved.end))
		client = slot->carved.client;
	slot->carved.client.role = InvalidOid;
	SpinLockRelease(&slot->spinlock);
	return client;
}

/*
 * Lose what was returned to the former windows, and what will be.  The caller
 * holds the window lock, and nobody can carve now.
 */
static void
begin_era(SharedSlot *slot)
{
	int64		ids = 0;

	SpinLockAcquire(&slot->spinlock);
	slot->era = slot->window.generation;
	for (int i = 0; i < slot->nlisted; i++)
		ids += RangeLength(slot->listed[i]);
	slot->nlisted = 0;
	SpinLockRelease(&slot->spinlock);
	tally_in(slot->key.database, slot->key.incarnation, TALLY_LOST, ids);
	tally_in(slot->key.database, slot->key.incarnation, TALLY_HANDED_OUT, -ids);
}

/*
 * Carve up to size ids of the lowest range that was returned to the window
 * that a session knows, of those that lie above all that it has had.
 */
static bool
carve_listed(SharedSlot *slot, const SessionWindow *known, int64 above,
			 int64 size, Range *range)
{
	Range	   *found = NULL;

	SpinLockAcquire(&slot->spinlock);
	if (WordGeneration(pg_atomic_read_u64(&slot->word)) == known->generation)
	{
		for (int i = 0; i < slot->nlisted; i++)
		{
			if (slot->listed[i].low > above &&
				(found == NULL || slot->listed[i].low < found->low))
				found = &slot->listed[i];
		}
	}
	if (found != NULL)
	{
		*range = range_split(found, Min(size, RangeLength(*found)));
		if (RangeIsEmpty(*found))
			*found = slot->listed[--slot->nlisted];
		/* a rolled-back hilo_alter may leave ids above what is known */
		*range = range_clip(*range, known->low + (int64) known->length - 1);
	}
	SpinLockRelease(&slot->spinlock);
	return found != NULL && !RangeIsEmpty(*range);
}

/*
 * Put a range of the window of that generation into the list, if that is not of
 * another era and there is room.
 */
static bool
list_range(SharedSlot *slot, uint64 generation, Range range)
{
	bool		done;

	SpinLockAcquire(&slot->spinlock);
	done = generation >= slot->era && slot->nlisted < LISTED_RANGES;
	if (done)
		slot->listed[slot->nlisted++] = range;
	SpinLockRelease(&slot->spinlock);
	return done;
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
