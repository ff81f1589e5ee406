/*-------------------------------------------------------------------------
 *
 * shared_counter.c
 *	  Windows of ids that all sessions hand out together.
 *
 * A generator whose order is global has a slot in shared memory, and in it a
 * window of ids that are reserved and on disk.  Sessions take ids by one
 * atomic add to the slot's word (window.h), without a lock.  Whatever opens,
 * closes or prepares a window holds the generator's window lock.
 *
 * A window is closed by putting another generation into the word, in one
 * step, which tells how many ids were taken: what is left can then be given
 * back, as nobody can take it any more.  Generations come from one counter
 * and never come again, not even when the slot has changed hands, so a
 * session that knows an old window finds that out by itself.
 *
 * Ids rise over all sessions because a window begins above everything that
 * was reserved before it was opened, and only one is open at a time.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/shared_counter.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "storage/lwlock.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/timestamp.h"

#include "catalog.h"
#include "compat.h"
#include "lock.h"
#include "shared_counter.h"
#include "shared_memory.h"
#include "store.h"

#define SEGMENT_NAME "hilo windows 1"
#define SLOTS 1024

typedef struct SharedSlot
{
	pg_atomic_uint64 word;		/* alone on its cache line */
	char		padding[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	/* whose it is; changed under the segment's lock */
	WindowKey	key;
	uint64		tenancy;		/* another one for each owner; 0: free */
	pg_atomic_uint32 sessions;	/* that know it */

	/* changed under the window lock */
	uint64		generation;		/* of the window, while it is open */
	Range		window;
	Range		own;			/* the window, and what hilo_hi counts with it */
	HeldRange	next;			/* reserved ahead of need */
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];
	int64		epoch;
	int64		size;			/* at the last reservation */
	TimestampTz taken_at;
	int			name_length;
	char		name[ID_MAX_LENGTH];
} SharedSlot;

typedef struct SharedSegment
{
	SharedSlot	slots[SLOTS];
	int64		incarnations[SLOTS];	/* of their owners; 0: free */
	pg_atomic_uint64 generations;	/* the last one in use */
	LWLock		lock;
} SharedSegment;

static SharedSegment *segment;

static void attach(void);
static void init_segment(SegmentInitArguments);
static uint64 next_generation(void);
static void look_again(SessionEntry *entry, const char *function);
static bool halfway(const SessionWindow *window);
static void prefetch(SessionEntry *entry);
static bool try_block(SessionEntry *entry, int64 count, Range *block);
static bool lock_current(SessionEntry *entry, WindowKey *key,
						 const char *function);
static SharedSlot *slot_of(SessionEntry *entry, const WindowKey *key);
static int64 ids_left(const SharedSlot *slot, const SessionEntry *entry);
static Range open_window(SharedSlot *slot, SessionEntry *entry, int64 count);
static StoreResult reserve(SharedSlot *slot, SessionEntry *entry, int64 count,
						   bool wait, HeldRange *held);
static void close_window(SharedSlot *slot, bool wait);
static void vacate(const WindowKey *key);
static void copy_window(SharedSlot *slot, SessionEntry *entry);
static void leave(SessionEntry *entry);
static SharedSlot *find_slot(const WindowKey *key);
static SharedSlot *claim_slot(SessionEntry *entry, const WindowKey *key);
static void free_slot(SharedSlot *slot);
static void evict_one(void);
static SharedSlot *least_used(TimestampTz after);

/*
 * Gives the next id of a generator, above all that were given before by any
 * session.  The entry has been checked in this transaction; function is for
 * the error where nextval would raise it.
 */
int64
shared_next(SessionEntry *entry, const char *function)
{
	while (!shared_try_next(entry))
		look_again(entry, function);
	return entry->current;
}

/*
 * Gives the next ids, count of them in a row.
 */
Range
shared_next_block(SessionEntry *entry, int64 count, const char *function)
{
	Range		block = EMPTY_RANGE;
	WindowKey	key;

	while (!try_block(entry, count, &block))
	{
		if (lock_current(entry, &key, function))
		{
			SharedSlot *slot = slot_of(entry, &key);

			if (ids_left(slot, entry) < count)
			{
				close_window(slot, true);
				block = open_window(slot, entry, count);
			}
			copy_window(slot, entry);
			unlock_window(&key);
			if (!RangeIsEmpty(block))
				break;
		}
	}
	entry->current = block.high;
	return block;
}

/*
 * Gives the last id that anybody got of a generator; false if shared memory
 * knows nothing of it.
 */
bool
shared_last(int64 incarnation, int64 *last)
{
	WindowKey	key = window_key(incarnation);
	SharedSlot *slot;
	uint64		word;
	Range		window;
	bool		open;

	attach();
	slot = find_slot(&key);
	if (slot == NULL)
		return false;

	/* what is read between two looks at the same generation is of it */
	do
	{
		word = pg_atomic_read_u64(&slot->word);
		pg_read_barrier();
		window = slot->window;
		open = slot->key.incarnation == incarnation &&
			slot->generation == WordGeneration(word) &&
			WordOffset(word) < WINDOW_CLOSED;
		pg_read_barrier();
	} while (WordGeneration(pg_atomic_read_u64(&slot->word)) != WordGeneration(word));

	*last = window.low - 1 + Min((int64) WordOffset(word), RangeLength(window));
	return open;
}

/*
 * Closes the window of a generator and gives back what is left of it.  The
 * caller holds the generator's lock in AccessExclusive mode, so none is
 * opened until its transaction ends.
 */
void
shared_close(int64 incarnation)
{
	WindowKey	key = window_key(incarnation);

	attach();
	lock_window(&key);
	vacate(&key);
	unlock_window(&key);
}

/*
 * Does as store_seed, with no window open meanwhile.  What is left of the
 * window was never handed out, so it does not count.
 */
int64
shared_seed(text *name, int64 incarnation, int64 value, bool force,
			int64 max_value)
{
	WindowKey	key = window_key(incarnation);

	attach();
	lock_window(&key);
	vacate(&key);
	value = store_seed(name, value, force, max_value);
	unlock_window(&key);
	return value;
}

/*
 * Maps the segment, which the first session makes.
 */
static void
attach(void)
{
	SharedSegment *memory;

	if (segment != NULL)
		return;
	memory = shared_memory(SEGMENT_NAME, sizeof(SharedSegment), init_segment);
	NameTranche(memory->lock.tranche, "hilo");
	segment = memory;
}

static void
init_segment(SegmentInitArguments)
{
	SharedSegment *shared = memory;

	memset(shared, 0, sizeof(*shared));
	for (int i = 0; i < SLOTS; i++)
	{
		pg_atomic_init_u64(&shared->slots[i].word, 0);
		pg_atomic_init_u32(&shared->slots[i].sessions, 0);
	}
	pg_atomic_init_u64(&shared->generations, 0);
	LWLockInitialize(&shared->lock, NewTranche("hilo"));
}

static uint64
next_generation(void)
{
	return pg_atomic_add_fetch_u64(&segment->generations, 1);
}

/*
 * Makes the entry know the window that is open, and opens one if need be; or,
 * half-way through one, prepares the next.
 */
static void
look_again(SessionEntry *entry, const char *function)
{
	WindowKey	key;
	SharedSlot *slot;

	if (halfway(&entry->window))
	{
		prefetch(entry);
		return;
	}

	if (!lock_current(entry, &key, function))
		return;
	slot = slot_of(entry, &key);
	if (ids_left(slot, entry) == 0)
		(void) open_window(slot, entry, 0);
	copy_window(slot, entry);
	unlock_window(&key);
	session_warn_of_end(entry, slot->own.high);
}

/*
 * Says whether the window is open still, and at the id from which on the next
 * one should be reserved.
 */
static bool
halfway(const SessionWindow *window)
{
	uint64		word;

	if (window->limit == 0)
		return false;
	word = pg_atomic_read_u64(window->word);
	return WordGeneration(word) == window->generation &&
		WordOffset(word) >= window->limit &&
		WordOffset(word) < window->length;
}

/*
 * Reserves the next window, if that needs no waiting, and leaves it to the
 * walwriter to bring it to disk; else puts it off to half of what is left.
 */
static void
prefetch(SessionEntry *entry)
{
	SessionWindow *window = &entry->window;
	SharedSlot *slot = (SharedSlot *) window->word;
	WindowKey	key = window_key(entry->incarnation);
	HeldRange	held;
	StoreResult result = STORE_OK;

	/* if it is held, somebody does this, or what makes it needless */
	if (lock_window_without_wait(&key))
	{
		if (WordGeneration(pg_atomic_read_u64(&slot->word)) == window->generation &&
			RangeIsEmpty(slot->next.range))
		{
			result = reserve(slot, entry, 0, false, &held);
			if (result == STORE_OK)
			{
				slot->next = held;
				XLogSetAsyncXactLSN(held.lsn);
			}
		}
		unlock_window(&key);
	}
	window->limit = result == STORE_OK ? window->length :
		window->limit + (window->length - window->limit + 1) / 2;
}

/*
 * Takes count ids in a row from the window that the entry knows, if it has
 * them.
 */
static bool
try_block(SessionEntry *entry, int64 count, Range *block)
{
	SessionWindow *window = &entry->window;
	uint64		word;

	if (window->limit == 0)
		return false;

	word = pg_atomic_read_u64(window->word);
	while (WordGeneration(word) == window->generation &&
		   (int64) (window->length - Min(WordOffset(word), window->length)) >= count)
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

/*
 * Takes the window lock.  If the generator may have changed during the wait,
 * has the entry looked at again instead and gives false.
 */
static bool
lock_current(SessionEntry *entry, WindowKey *key, const char *function)
{
	attach();
	*key = window_key(entry->incarnation);
	lock_window(key);
	AcceptInvalidationMessages();
	if (entry->generation == catalog_generation)
		return true;

	unlock_window(key);
	session_check(entry, function);
	return false;
}

/*
 * Gives the generator's slot; what was left in it of before a restore is
 * gone.
 */
static SharedSlot *
slot_of(SessionEntry *entry, const WindowKey *key)
{
	SharedSlot *slot = find_slot(key);

	if (slot == NULL)
		return claim_slot(entry, key);
	if (slot->epoch != entry->epoch)
	{
		close_window(slot, true);
		slot->epoch = entry->epoch;
	}
	return slot;
}

/*
 * Gives how many ids are left in a slot's window, by the entry's max_value: a
 * rolled-back hilo_alter may leave others.
 */
static int64
ids_left(const SharedSlot *slot, const SessionEntry *entry)
{
	uint64		word = pg_atomic_read_u64(unconstify(pg_atomic_uint64 *, &slot->word));
	Range		window = range_clip(slot->window, entry->definition.max_value);

	return Max(RangeLength(window) - (int64) WordOffset(word), 0);
}

/*
 * Opens a window, over ids reserved ahead of need or now, after its WAL has
 * reached the disk and the standbys, if there are any, whatever this session
 * asks for: the others trust in it.  Keeps the first ids out of it, if count
 * says so, and gives them.
 *
 * An error loses the ids.
 */
static Range
open_window(SharedSlot *slot, SessionEntry *entry, int64 count)
{
	HeldRange	held = slot->next;
	Range		block = EMPTY_RANGE;
	bool		enough;

	slot->next.range = EMPTY_RANGE;
	if (RangeIsEmpty(held.range) &&
		reserve(slot, entry, count, true, &held) != STORE_OK)
		session_exhausted(entry);
	store_flush_for_all(held.lsn);

	if (held.continues)
		slot->own.high = held.range.high;
	else
		slot->own = held.range;
	enough = RangeLength(held.range) >= count;
	if (count > 0 && enough)
		block = range_split(&held.range, count);
	slot->window = held.range;
	memcpy(slot->node_tag, held.node_tag, sizeof(slot->node_tag));
	slot->generation = next_generation();
	pg_write_barrier();
	pg_atomic_write_u64(&slot->word, MakeWord(slot->generation, 0));

	if (!enough)
		session_exhausted(entry);
	return block;
}

/*
 * Takes a range from the store: half as much as one session would get, as the
 * next window is reserved beside it; count ids at least.
 */
static StoreResult
reserve(SharedSlot *slot, SessionEntry *entry, int64 count, bool wait,
		HeldRange *held)
{
	int64		size = definition_next_size(&entry->definition, slot->size,
											slot->taken_at);
	int64		half = Min((size + 1) / 2, WINDOW_MAX_LENGTH);
	StoreRequest request = {
		.name = entry->name,
		.incarnation = entry->incarnation,
		.max_value = entry->definition.max_value,
		.size = Max(half, count),
		.wait = wait,
		.own = slot->own,
	};
	StoreRange	taken;
	StoreResult result = store_take(&request, &taken);

	if (result == STORE_GONE && wait)
		elog(ERROR, "generator \"%s\" vanished under its lock",
			 text_to_cstring(entry->written));
	if (result != STORE_OK)
		return result;

	/* a restore has raised it since the entry was looked at */
	if (taken.epoch != slot->epoch)
	{
		close_window(slot, false);
		slot->epoch = entry->epoch = taken.epoch;
	}

	held->range = taken.range;
	held->continues = taken.continues;
	held->lsn = taken.lsn;
	strlcpy(held->node_tag, hilo_node_tag, sizeof(held->node_tag));
	slot->size = size;
	slot->taken_at = GetCurrentTimestamp();
	return STORE_OK;
}

/*
 * Closes the window, so that nobody takes an id from it any more, and gives
 * back what is left; without wait, only if nobody else holds the row.  The
 * caller holds the window lock.
 */
static void
close_window(SharedSlot *slot, bool wait)
{
	uint64		closed = next_generation();
	uint64		word = pg_atomic_exchange_u64(&slot->word,
											  MakeWord(closed, WINDOW_CLOSED));
	int64		used = Min((int64) WordOffset(word), RangeLength(slot->window));
	int64		next = slot->window.low + used;
	Range		own = slot->own;
	HeldRange	ahead = slot->next;
	text	   *name = cstring_to_text_with_len(slot->name, slot->name_length);

	slot->generation = closed;
	slot->window = slot->own = slot->next.range = EMPTY_RANGE;

	/* of another database; this one cannot write there */
	if (slot->key.database != MyDatabaseId)
		return;

	if (!RangeIsEmpty(ahead.range) && ahead.continues)
		own.high = ahead.range.high;
	else if (!RangeIsEmpty(ahead.range))
		(void) store_give_back(name, slot->key.incarnation, slot->epoch,
							   ahead.range, ahead.range.low, false, wait);
	if (!RangeIsEmpty(own) && next <= own.high)
		(void) store_give_back(name, slot->key.incarnation, slot->epoch, own,
							   next, false, wait);
	pfree(name);
}

/*
 * Closes the window of a generator and frees its slot, if it has one.  The
 * caller holds the window lock.
 */
static void
vacate(const WindowKey *key)
{
	SharedSlot *slot = find_slot(key);

	if (slot != NULL)
	{
		close_window(slot, true);
		free_slot(slot);
	}
}

/*
 * Has the entry know the slot's window.
 */
static void
copy_window(SharedSlot *slot, SessionEntry *entry)
{
	SessionWindow *window = &entry->window;
	Range		range = range_clip(slot->window, entry->definition.max_value);

	if (window->tenancy != slot->tenancy)
	{
		session_at_exit(leave);
		pg_atomic_fetch_add_u32(&slot->sessions, 1);
		window->tenancy = slot->tenancy;
	}
	window->word = &slot->word;
	window->generation = slot->generation;
	window->low = range.low;
	window->length = RangeLength(range);
	window->limit = window->length;
	if (session_prefetch && RangeIsEmpty(slot->next.range) && slot->size > 1)
		window->limit = (window->length + 1) / 2;
	memcpy(entry->node_tag, slot->node_tag, sizeof(entry->node_tag));
}

/*
 * Callback, at the end of the session: the last one out gives the window
 * back.  Waits for nothing.
 */
static void
leave(SessionEntry *entry)
{
	SessionWindow *window = &entry->window;
	SharedSlot *slot = (SharedSlot *) window->word;
	WindowKey	key;
	bool		last = false;

	if (window->tenancy == 0)
		return;

	LWLockAcquire(&segment->lock, LW_SHARED);
	if (slot->tenancy == window->tenancy)
		last = pg_atomic_sub_fetch_u32(&slot->sessions, 1) == 0;
	key = slot->key;
	LWLockRelease(&segment->lock);
	if (!last || !lock_window_without_wait(&key))
		return;

	/* somebody may have come or been here meanwhile */
	if (slot->tenancy == window->tenancy &&
		pg_atomic_read_u32(&slot->sessions) == 0)
	{
		close_window(slot, false);
		free_slot(slot);
	}
	unlock_window(&key);
}

/*
 * Gives the slot of a generator, NULL if it has none.
 */
static SharedSlot *
find_slot(const WindowKey *key)
{
	SharedSlot *found = NULL;

	LWLockAcquire(&segment->lock, LW_SHARED);
	for (int i = 0; i < SLOTS; i++)
	{
		if (segment->incarnations[i] == key->incarnation &&
			segment->slots[i].key.database == key->database)
		{
			found = &segment->slots[i];
			break;
		}
	}
	LWLockRelease(&segment->lock);
	return found;
}

/*
 * Gives a generator a slot, with no window yet, if need be that of the
 * generator that needs it least.  The caller holds its window lock.
 */
static SharedSlot *
claim_slot(SessionEntry *entry, const WindowKey *key)
{
	for (;;)
	{
		LWLockAcquire(&segment->lock, LW_EXCLUSIVE);
		for (int i = 0; i < SLOTS; i++)
		{
			SharedSlot *slot = &segment->slots[i];

			if (segment->incarnations[i] != 0)
				continue;
			slot->key = *key;
			slot->tenancy = next_generation();
			pg_atomic_write_u32(&slot->sessions, 0);
			slot->generation = 0;
			slot->window = slot->own = slot->next.range = EMPTY_RANGE;
			slot->epoch = entry->epoch;
			slot->size = 0;
			slot->taken_at = GetCurrentTimestamp();
			slot->name_length = VARSIZE_ANY_EXHDR(entry->name);
			memcpy(slot->name, VARDATA_ANY(entry->name), slot->name_length);
			segment->incarnations[i] = key->incarnation;
			LWLockRelease(&segment->lock);
			return slot;
		}
		LWLockRelease(&segment->lock);
		evict_one();
	}
}

/*
 * Frees a slot whose window is closed.  The caller holds the window lock.
 */
static void
free_slot(SharedSlot *slot)
{
	LWLockAcquire(&segment->lock, LW_EXCLUSIVE);
	segment->incarnations[slot - segment->slots] = 0;
	slot->tenancy = 0;
	LWLockRelease(&segment->lock);
}

/*
 * Frees the slot that was used least lately, of those nobody is at work on.
 */
static void
evict_one(void)
{
	TimestampTz after = DT_NOBEGIN;
	SharedSlot *slot;

	while ((slot = least_used(after)) != NULL)
	{
		WindowKey	key = slot->key;

		if (lock_window_without_wait(&key))
		{
			if (find_slot(&key) == slot)
			{
				close_window(slot, false);
				free_slot(slot);
			}
			unlock_window(&key);
			return;
		}
		after = slot->taken_at;
	}
	CHECK_FOR_INTERRUPTS();
}

/*
 * Gives the slot whose last reservation is the oldest after a time, NULL if
 * there is none.
 */
static SharedSlot *
least_used(TimestampTz after)
{
	SharedSlot *found = NULL;

	LWLockAcquire(&segment->lock, LW_SHARED);
	for (int i = 0; i < SLOTS; i++)
	{
		SharedSlot *slot = &segment->slots[i];

		if (segment->incarnations[i] != 0 && slot->taken_at > after &&
			(found == NULL || slot->taken_at < found->taken_at))
			found = slot;
	}
	LWLockRelease(&segment->lock);
	return found;
}
