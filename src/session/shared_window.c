/*
 * Windows of ids, from which sessions and clients carve.
 *
 * A generator has a slot in shared memory, and in it a window of ids that are
 * reserved and on disk.  Sessions carve ranges, or take one id at a time where
 * the order is global, by one atomic step on the slot's word (session.h),
 * without a lock.  Whatever opens, closes or prepares a window (shared_slot.c)
 * holds the generator's window lock; what opens one holds the generator's
 * lock, too, in RowExclusive mode.
 *
 * Ids of one order rise over all sessions because a window begins above
 * everything that was reserved before it was opened, and only one is open at a
 * time.
 */
#include "postgres.h"

#include "utils/inval.h"
#include "utils/syscache.h"

#include "session/shared_slot.h"
#include "source/source.h"

static bool read_window(const FormData_hilo_hi *hi, SharedWindow *window,
						uint64 *word);
static bool look_at_window_again(SessionEntry *entry, int64 size,
								 const char *function);
static bool halfway(const SessionWindow *window);
static bool prefetch_window(SessionEntry *entry);
static void make_room(SharedSlot *slot, SessionEntry *entry,
					  const StoreRequest *request);
static bool try_block(SessionEntry *entry, int64 count, int64 max_value,
					  Range *block);
static bool fits_below(SharedSlot *slot, const SessionEntry *entry, int64 count,
					   int64 max_value);
static bool adopt_window(SessionEntry *entry, uint64 *word);
static void know_window(SessionEntry *entry, SharedSlot *slot,
						const SharedWindow *window);
static SharedSlot *lock_with_slot(SessionEntry *entry, const char *function);
static void unlock_slot(SessionEntry *entry, SharedSlot *slot);
static SharedSlot *slot_of(SessionEntry *entry, const WindowKey *key);
static SharedSlot *claim_window_slot(text *name, const WindowKey *key,
									 int64 epoch);
static void evict_one(void);

/*
 * Take the next id of a generator, above all that were given before by any
 * session; it is current in the entry then.  The entry has been checked;
 * function is for the error where nextval would raise it.
 *
 * Return false if the generator was altered meanwhile, so that somebody else
 * may hold its ids: then nothing was taken.
 */
bool
shared_next(SessionEntry *entry, const char *function)
{
	while (!shared_try_next(entry))
	{
		if (!look_at_window_again(entry, 0, function))
			return false;
	}
	return true;
}

/*
 * Carve a range of so many ids for this session, or of what the window has
 * left, and put it into the entry; false as in shared_next.
 */
bool
shared_carve(SessionEntry *entry, int64 size, const char *function)
{
	SessionWindow *window = &entry->window;
	Range		range;

	size = Min(size, WINDOW_MAX_LENGTH / 2);
	while (window->length == 0 ||
		   !slot_carve_for_session((SharedSlot *) window->word, window,
								   session_current(entry), size, &range))
	{
		if (!look_at_window_again(entry, size, function))
			return false;
	}

	entry->current = session_current(entry);
	entry->range = range;
	entry->handed_out = range.low - 1;
	/* one that was returned to an older window is never on top again */
	entry->top_word = MakeWord(window->generation,
							   (uint64) Max(range.high + 1 - window->low, 0));
	memcpy(entry->node_tag, window->node_tag, sizeof(entry->node_tag));
	/* half of the range is time to reserve the next window */
	entry->stop = halfway(window) ? entry->handed_out + RangeLength(range) / 2 :
		range.high;
	return true;
}

/*
 * Reserve the next window, at half of a range of this session; if that would
 * have to wait, put it off to half of what is left.
 */
void
shared_reserve_ahead(SessionEntry *entry)
{
	int64		left = session_held(entry);
	uint64		word;

	entry->stop = entry->range.high;
	if (entry->window.length == 0)
		(void) adopt_window(entry, &word);
	if (halfway(&entry->window) && !prefetch_window(entry))
		entry->stop = entry->handed_out + (left + 1) / 2;
}

/*
 * Take the rest of the entry's range back into its slot; false if that has no
 * place for it, or is another generator's.  Waits for nothing.
 */
bool
shared_give_back(SessionEntry *entry, Range rest)
{
	/* no look-up: the session may be at its end */
	WindowKey	key = {MyDatabaseId, InvalidOid, entry->incarnation};

	return entry->window.word != NULL &&
		slot_give_back((SharedSlot *) entry->window.word, &key, entry->epoch,
					   entry->top_word, rest);
}

/*
 * Return the next ids, count of them in a row and none above the generator's
 * max_value or the caller's; none if the generator was altered.
 */
Range
shared_next_block(SessionEntry *entry, int64 count, int64 max_value,
				  const char *function)
{
	Range		block = EMPTY_RANGE;

	while (RangeIsEmpty(block) && !try_block(entry, count, max_value, &block))
	{
		SharedSlot *slot = lock_with_slot(entry, function);
		int64		limit = Min(entry->definition.max_value, max_value);

		if (slot == NULL)
			return EMPTY_RANGE;
		/* what cannot be had is no reason to reserve more */
		if (!fits_below(slot, entry, count, limit))
			session_exhausted(entry, limit);
		if (RangeLength(range_clip(window_unused(slot), limit)) < count)
			block = window_open(slot, entry, count, count, limit);
		unlock_slot(entry, slot);
	}
	entry->current = block.high;
	return block;
}

/*
 * Carve a range for a client: as many ids as it asks for, or as max_value
 * leaves.  The entry has been checked, and the generator has no source but its
 * row.
 */
bool
shared_next_range(SessionEntry *entry, const StoreRequest *request,
				  StoreRange *taken, const char *function)
{
	SessionWindow *known = &entry->window;

	for (;;)
	{
		SharedSlot *slot = (SharedSlot *) known->word;
		uint64		word;

		if (halfway(known))
			(void) prefetch_window(entry);
		/* without a lock that would have to be waited for */
		if ((known->length > 0 &&
			 slot_carve_for_client(slot, known, request, taken)) ||
			(adopt_window(entry, &word) &&
			 slot_carve_for_client(slot, known, request, taken)))
			break;
		slot = lock_with_slot(entry, function);
		if (slot == NULL)
			return false;
		if (!slot_can_carve(slot, request))
			make_room(slot, entry, request);
		unlock_slot(entry, slot);
	}
	tally(entry->incarnation, TALLY_HANDED_OUT, -taken->skipped);
	tally(entry->incarnation, TALLY_LOST, taken->skipped);
	return true;
}

/*
 * Take the ids above last_used of a client's range back, if nothing was taken
 * from the window since; return whether that was done.
 *
 * With last_used = low - 1 the whole range is returned; the caller allows that
 * where the number came with the return and not from memory.
 */
bool
shared_return_range(SessionEntry *entry, const ClientRange *client, bool whole,
					int64 last_used)
{
	WindowKey	key = window_key(entry->incarnation);
	SharedSlot *slot = slot_find(&key);

	if (slot == NULL ||
		!slot_return(slot, &key, entry->epoch, client, whole, last_used))
		return false;
	/* the window counts them as handed out no more, and they can be had again */
	tally(entry->incarnation, TALLY_IDS, client->range.high - last_used);
	tally(entry->incarnation, TALLY_RETURNED, client->range.high - last_used);
	return true;
}

/*
 * Take the id of an add that met another window than the entry knew, which came
 * in its place since the word was read.  False if that window is gone, too:
 * then the id is lost.
 */
bool
shared_take_late(SessionEntry *entry, uint64 word)
{
	uint64		now;

	if (!adopt_window(entry, &now) ||
		WordGeneration(word) != entry->window.generation ||
		WordOffset(word) >= entry->window.length)
		return false;
	entry->current = entry->window.low + (int64) WordOffset(word);
	return true;
}

/*
 * Reserve a range for a generator, whose lock the caller holds, in what its ids
 * come from; they may be used after session_flush.
 */
StoreResult
session_reserve(SessionEntry *entry, const StoreRequest *request,
				StoreRange *taken)
{
	StoreResult result = source_of(&entry->definition)->take(&entry->definition,
															 request, taken);

	if (result == STORE_OK)
	{
		tally(entry->incarnation, TALLY_RANGES, 1);
		tally(entry->incarnation, TALLY_IDS, RangeLength(taken->range));
	}
	return result;
}

void
session_flush(const SessionEntry *entry, XLogRecPtr lsn)
{
	int64		waited = flush_wal(lsn);

	if (waited < 0)
		return;
	tally(entry->incarnation, TALLY_FLUSH_WAITS, 1);
	tally(entry->incarnation, TALLY_FLUSH_TIME, waited);
}

/*
 * Return the last id that anybody got of a generator, with its row as just
 * read; false if shared memory knows nothing of it.
 */
bool
shared_last(const FormData_hilo_hi *hi, int64 *last)
{
	SharedWindow window;
	uint64		word;

	if (!read_window(hi, &window, &word))
		return false;
	*last = slot_handed_out(&window, word);
	return true;
}

/*
 * Return the last id of a generator that was carved, with its row as just
 * read: "reserved" of the row, unless that ends with the window, or with the
 * one that will follow it.
 */
int64
shared_last_carved(const FormData_hilo_hi *hi)
{
	SharedWindow window;
	uint64		word;
	bool		follows;

	if (!read_window(hi, &window, &word))
		return hi->reserved;
	follows = window.ahead.low == window.range.high + 1;
	if (!RangeIsEmpty(window.ahead) && !follows)
		return hi->reserved == window.ahead.high ? window.ahead.low - 1 :
			hi->reserved;
	if (RangeIsEmpty(window.range) ||
		hi->reserved != (follows ? window.ahead.high : window.range.high))
		return hi->reserved;
	return window.range.low - 1 + slot_taken(&window, word);
}

/* Return how many ids were taken from the open window of a row just read. */
int64
shared_taken(const FormData_hilo_hi *hi)
{
	SharedWindow window;
	uint64		word;

	return read_window(hi, &window, &word) ? slot_taken(&window, word) : 0;
}

/*
 * Close the window of a generator, and end the use of the ranges that were
 * carved from it.  The caller holds the generator's lock in AccessExclusive
 * mode, so none is opened until its transaction ends.
 */
void
shared_close(int64 incarnation)
{
	WindowKey	key = window_key(incarnation);
	SharedSlot *slot;

	shared_memory_attach();
	(void) lock_window(&key, true);
	slot = slot_find(&key);
	if (slot != NULL)
		window_close(slot);
	pg_atomic_fetch_add_u64(shared_life, 1);
	unlock_window(&key);
}

/*
 * Make sure that nobody takes another id without a look at the generator, whose
 * lock the caller holds in AccessExclusive mode.
 */
void
shared_interrupt(int64 incarnation)
{
	WindowKey	key = window_key(incarnation);
	SharedSlot *slot;

	shared_memory_attach();
	(void) lock_window(&key, true);
	slot = slot_find(&key);
	if (slot != NULL)
		(void) window_raise(slot, 0, slot->window.epoch);
	pg_atomic_fetch_add_u64(shared_life, 1);
	unlock_window(&key);
}

/*
 * Seed as store_seed does.  As long as value lies below what is reserved, the
 * window goes on above it.
 */
int64
shared_seed(text *name, int64 incarnation, int64 value, SeedKind kind,
			int64 max_value, bool has_ranges)
{
	WindowKey	key = window_key(incarnation);
	FormData_hilo_hi hi;
	SharedSlot *slot;
	int64		last;

	shared_memory_attach();
	(void) lock_window(&key, true);
	slot = slot_find(&key);
	if (slot == NULL || kind == SEED_FORCE || !store_read(name, &hi) ||
		slot->window.epoch != hi.epoch ||
		value > Max(slot->window.range.high, slot->next.range.high))
	{
		if (slot != NULL)
			window_close(slot);
		last = store_seed(name, value, kind, max_value);
	}
	else if (kind == SEED_RAISE &&
			 value < slot->window.range.low +
			 slot_taken(&slot->window, slot_refuse(slot, value)))
		last = slot_handed_out(&slot->window, pg_atomic_read_u64(&slot->word));
	else
	{
		/* or a crash would take "reserved" below it */
		if (value > slot->window.range.high)
			(void) flush_wal(slot->next.lsn);
		if (kind == SEED_FORGET || (kind == SEED_PASS && has_ranges && value > 0))
			hi.epoch = store_forget(name);
		last = window_raise(slot, value, hi.epoch);
	}
	unlock_window(&key);
	return last;
}

/*
 * Make sure that a generator, whose row was just read, has a slot, but for a
 * series of a table, of which there may be a million.  The window of a database
 * that is gone, whose OID this one has, ends: the rows of both may be copies of
 * the same.
 */
void
shared_meet(text *name, const FormData_hilo_hi *hi)
{
	WindowKey	key = window_key(hi->incarnation);
	TransactionId database_xmin = catalog_row_xmin(DATABASEOID, MyDatabaseId);
	SharedSlot *slot = slot_find(&key);

	if (slot == NULL ? definition_is_series(name) :
		slot->database_xmin == database_xmin)
		return;
	(void) lock_window(&key, true);
	slot = slot_find(&key);
	if (slot == NULL || slot->database_xmin != database_xmin)
		(void) claim_window_slot(name, &key, hi->epoch);
	unlock_window(&key);
}

/*
 * Read the window of a generator, without a lock; false if there is none, or it
 * is older than the row just read.
 */
static bool
read_window(const FormData_hilo_hi *hi, SharedWindow *window, uint64 *word)
{
	WindowKey	key = window_key(hi->incarnation);
	SharedSlot *slot;

	if (RecoveryInProgress())
		return false;
	shared_memory_attach();
	slot = slot_find(&key);
	if (slot == NULL)
		return false;

	while (!slot_read(slot, window, word))
	{
		CHECK_FOR_INTERRUPTS();
		pg_usleep(1);
	}
	return window_is_of(window, &key) && window->epoch == hi->epoch;
}

/*
 * Make the entry know the window that is open, and open one if need be, with a
 * range of that size at least; or, half-way through one, prepare the next.
 */
static bool
look_at_window_again(SessionEntry *entry, int64 size, const char *function)
{
	SharedSlot *slot;
	uint64		word;

	CHECK_FOR_INTERRUPTS();
	if (size == 0 && halfway(&entry->window) &&
		WordOffset(pg_atomic_read_u64(entry->window.word)) < entry->window.length)
	{
		(void) prefetch_window(entry);
		return true;
	}
	if (adopt_window(entry, &word) &&
		(WordOffset(word) < entry->window.length ||
		 (size > 0 && entry->window.length > 0 &&
		  slot_lists_above((SharedSlot *) entry->window.word,
						   session_current(entry)))))
		return true;

	slot = lock_with_slot(entry, function);
	if (slot == NULL)
		return false;
	if (RangeIsEmpty(window_unused(slot)))
		(void) window_open(slot, entry, size, 0, entry->definition.max_value);
	else if (window_unused(slot).low > entry->definition.max_value)
		session_exhausted(entry, entry->definition.max_value);
	unlock_slot(entry, slot);
	return true;
}

/*
 * Check whether the window is open still, and so much of it taken that the
 * next one should be reserved.
 */
static bool
halfway(const SessionWindow *window)
{
	uint64		word;

	if (window->length == 0 || window->limit == window->length)
		return false;
	word = pg_atomic_read_u64(window->word);
	return WordGeneration(word) == window->generation &&
		WordOffset(word) >= window->limit;
}

/*
 * Reserve the next window, if that needs no waiting, and leave it to the
 * walwriter to bring it to disk; else put it off to half of what is left, and
 * return false.
 */
static bool
prefetch_window(SessionEntry *entry)
{
	SessionWindow *window = &entry->window;
	SharedSlot *slot = (SharedSlot *) window->word;
	WindowKey	key = window_key(entry->incarnation);
	HeldRange	held;
	StoreResult result = STORE_OK;
	int64		reserved = 0;

	/*
	 * If the lock is held, somebody does this, or makes it needless.  The
	 * look without the lock saves most sessions the attempt.
	 */
	if (RangeIsEmpty(slot->next.range) && lock_window(&key, false))
	{
		if (slot->window.generation == window->generation &&
			RangeIsEmpty(slot->next.range))
		{
			result = window_reserve_next(slot, entry, &held);
			if (result == STORE_OK)
			{
				reserved = held.range.high;
				tally(entry->incarnation, TALLY_PREFETCHED, 1);
				XLogSetAsyncXactLSN(held.lsn);
			}
			else
				tally(entry->incarnation, TALLY_PREFETCH_BUSY, 1);
		}
		unlock_window(&key);
	}
	window->limit = result == STORE_OK ? window->length :
		window->limit + (window->length - window->limit + 1) / 2;
	if (reserved > 0)
		session_warn_of_end(entry, reserved);
	return result == STORE_OK;
}

/*
 * Open a window that may have room for a range.  The caller holds the window
 * lock.
 */
static void
make_room(SharedSlot *slot, SessionEntry *entry, const StoreRequest *request)
{
	/* of so many ids in a row, some make a whole block */
	int64		size = request->whole_block ? 2 * request->size : request->size;

	(void) window_open(slot, entry, size, 0, entry->definition.max_value);
	if (!slot_can_carve(slot, request) &&
		slot->window.range.high >= entry->definition.max_value)
		session_exhausted(entry, entry->definition.max_value);
}

/* Take count ids in a row, none above max_value, from the known window. */
static bool
try_block(SessionEntry *entry, int64 count, int64 max_value, Range *block)
{
	SessionWindow *window = &entry->window;
	Range		range = {window->low, window->low + (int64) window->length - 1};
	int64		length = RangeLength(range_clip(range, max_value));
	uint64		word;

	if (window->length == 0)
		return false;

	word = pg_atomic_read_u64(window->word);
	while (WordGeneration(word) == window->generation &&
		   length - (int64) WordOffset(word) >= count)
	{
		if (pg_atomic_compare_exchange_u64(window->word, &word, word + count))
		{
			block->low = window->low + (int64) WordOffset(word);
			block->high = block->low + count - 1;
			return true;
		}
	}
	return false;
}

/* Check whether count ids fit between those handed out and max_value. */
static bool
fits_below(SharedSlot *slot, const SessionEntry *entry, int64 count,
		   int64 max_value)
{
	int64		last = slot_handed_out(&slot->window,
									   pg_atomic_read_u64(&slot->word));

	return RangeLength(range_above(last, count, max_value)) == count;
}

/*
 * Make the entry know the window of the slot that it has met, without a lock,
 * and return the word.  False if that slot is not the generator's any
 * more, or is being changed.
 */
static bool
adopt_window(SessionEntry *entry, uint64 *word)
{
	SharedSlot *slot = (SharedSlot *) entry->window.word;
	WindowKey	key = window_key(entry->incarnation);
	SharedWindow window;

	if (slot == NULL || !slot_read(slot, &window, word) ||
		!window_is_of(&window, &key) || window.epoch != entry->epoch)
		return false;
	know_window(entry, slot, &window);
	return true;
}

/* Make the entry know a window of the slot that it has met. */
static void
know_window(SessionEntry *entry, SharedSlot *slot, const SharedWindow *window)
{
	SessionWindow *known = &entry->window;
	Range		range = range_clip(window->range, entry->definition.max_value);

	known->generation = window->generation;
	known->low = range.low;
	known->length = RangeLength(range);
	known->limit = known->length;
	/* a window of one id leaves nobody the time to prepare the next */
	if (session_prefetch && source_of(&entry->definition)->reserves_ahead &&
		RangeIsEmpty(slot->next.range))
		known->limit = (known->length + 1) / 2;
	memcpy(known->node_tag, window->node_tag, sizeof(known->node_tag));

	/* other sessions carve ranges, which keep their node tag */
	if (entry->definition.holder == HELD_BY_SERVER)
		memcpy(entry->node_tag, window->node_tag, sizeof(entry->node_tag));
}

/*
 * Lock the generator, and its window, and return its slot, which the entry then
 * knows.  The entry knows the generator as it is: if it has changed
 * during the wait, it is looked up again.  Return NULL, and lock nothing, if
 * it was altered: then somebody else may hold its ids.
 */
static SharedSlot *
lock_with_slot(SessionEntry *entry, const char *function)
{
	Definition	before = entry->definition;

	for (;;)
	{
		WindowKey	key;

		CHECK_FOR_INTERRUPTS();
		delay_at_random();
		session_lock(entry, function);
		if (!definition_takes_alike(&entry->definition, &before) ||
			entry->definition.max_value != before.max_value)
		{
			session_unlock(entry);
			return NULL;
		}
		key = window_key(entry->incarnation);
		(void) lock_window(&key, true);
		AcceptInvalidationMessages();
		flush_look_at_standbys(false);
		if (session_knows(entry))
			return slot_of(entry, &key);
		unlock_window(&key);
		session_unlock(entry);
	}
}

/*
 * Make the entry know the window of a slot, give up the locks of
 * lock_with_slot, and warn of a generator that nears its end.
 */
static void
unlock_slot(SessionEntry *entry, SharedSlot *slot)
{
	int64		reserved = Max(Max(slot->window.handed_out, slot->window.range.high),
							   slot->next.range.high);

	know_window(entry, slot, &slot->window);
	unlock_window(&slot->window.key);
	session_unlock(entry);
	session_warn_of_end(entry, reserved);
}

/* Return the generator's slot, which the entry then knows. */
static SharedSlot *
slot_of(SessionEntry *entry, const WindowKey *key)
{
	SharedSlot *slot = slot_find(key);

	if (slot == NULL || slot->window.epoch != entry->epoch)
		slot = claim_window_slot(entry->name, key, entry->epoch);
	session_at_exit();
	entry->window.word = &slot->word;
	return slot;
}

/*
 * Give a generator that has none a slot, if need be that of the generator that
 * needs it least; or have the one of another epoch begin anew: the window of
 * before a restore or a seed is lost.
 */
static SharedSlot *
claim_window_slot(text *name, const WindowKey *key, int64 epoch)
{
	FormData_hilo_hi hi = {0};
	SharedSlot *slot = slot_find(key);

	(void) store_read(name, &hi);
	if (slot != NULL)
		window_close(slot);
	while ((slot = slot_claim(key, epoch, hi.reserved)) == NULL)
		evict_one();
	return slot;
}

/* Free the least recently used of some slots that nobody is at work on. */
static void
evict_one(void)
{
	uint64		passed = 0;
	SharedSlot *slot;

	while ((slot = slot_least_used(&passed)) != NULL)
	{
		WindowKey	key = slot->window.key;

		if (!lock_window(&key, false))
			continue;
		if (slot_find(&key) == slot)
		{
			window_close(slot);
			slot_free(slot);
		}
		unlock_window(&key);
		return;
	}
	/* all are in somebody's hands: another look in a millisecond */
	wait_event_for_latch(WAIT_WINDOW_SLOT, 1);
}
