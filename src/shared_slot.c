/*-------------------------------------------------------------------------
 *
 * shared_slot.c
 *	  What shared memory holds of a generator.
 *
 * A table of slots.  A slot is a generator's as long as a session has a part
 * in it, or until another generator needs it more.  Its window is changed
 * under the window lock of that generator, and read without.
 *
 * Generations come from one counter and never come again, not even when a slot
 * has changed hands, so a session that knows an old window finds that out by
 * itself.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/shared_slot.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "delay.h"
#include "shared_memory.h"
#include "shared_slot.h"

#define SLOTS 1024

typedef struct SharedSegment
{
	SharedSlot	slots[SLOTS];
	int64		incarnations[SLOTS];	/* of their owners; 0: free */
	pg_atomic_uint64 generations;	/* the last one in use */
} SharedSegment;

static SharedSegment *segment;

static uint64 next_generation(void);
static void begin_change(SharedSlot *slot);
static void end_change(SharedSlot *slot, uint64 generation);

/*
 * Called when the library is loaded.
 */
void
slot_init(void)
{
	shared_memory_reserve((void **) &segment, sizeof(SharedSegment));
}

/*
 * Gives the slot of a generator, NULL if it has none.  It stays the
 * generator's only under its window lock.
 */
SharedSlot *
slot_find(const WindowKey *key)
{
	SharedSlot *found = NULL;

	LWLockAcquire(shared_lock, LW_SHARED);
	for (int i = 0; i < SLOTS && found == NULL; i++)
	{
		if (segment->incarnations[i] == key->incarnation &&
			slot_is_of(&segment->slots[i], key))
			found = &segment->slots[i];
	}
	LWLockRelease(shared_lock);
	return found;
}

/*
 * Gives a generator a free slot, with no window yet; NULL if there is none.
 * Last is its last id handed out.  The caller holds the window lock.
 */
SharedSlot *
slot_claim(const WindowKey *key, text *name, int64 epoch, int64 last)
{
	SharedSlot *slot = NULL;
	uint64		generation = next_generation();

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	for (int i = 0; i < SLOTS && slot == NULL; i++)
	{
		if (segment->incarnations[i] == 0)
		{
			slot = &segment->slots[i];
			segment->incarnations[i] = key->incarnation;
		}
	}
	if (slot != NULL)
	{
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
	slot->window.range = slot->own = slot->next.range = EMPTY_RANGE;
	slot->window.last = last;
	slot->window.epoch = epoch;
	end_change(slot, generation);
	slot->size = 0;
	slot->taken_at = GetCurrentTimestamp();
	slot->name_length = VARSIZE_ANY_EXHDR(name);
	memcpy(slot->name, VARDATA_ANY(name), slot->name_length);
	return slot;
}

/*
 * Frees a slot whose window is closed.  The caller holds the window lock.
 */
void
slot_free(SharedSlot *slot)
{
	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	segment->incarnations[slot - segment->slots] = 0;
	slot->tenancy = 0;
	LWLockRelease(shared_lock);
}

/*
 * Gives the slot whose last reservation is the oldest, but for those that are
 * marked in passed, and marks it; NULL if there is none.
 */
SharedSlot *
slot_least_used(bool *passed)
{
	int			found = -1;

	LWLockAcquire(shared_lock, LW_SHARED);
	for (int i = 0; i < SLOTS; i++)
	{
		if (segment->incarnations[i] != 0 && !passed[i] &&
			(found < 0 ||
			 segment->slots[i].taken_at < segment->slots[found].taken_at))
			found = i;
	}
	LWLockRelease(shared_lock);
	if (found < 0)
		return NULL;
	passed[found] = true;
	return &segment->slots[found];
}

int
slot_count(void)
{
	return SLOTS;
}

/*
 * Says whether a slot is that generator's.
 */
bool
slot_is_of(const SharedSlot *slot, const WindowKey *key)
{
	return slot->tenancy != 0 &&
		slot->key.incarnation == key->incarnation &&
		slot->key.database == key->database;
}

/*
 * Reads a slot's window, and its word, without a lock.  False if it is being
 * changed at the moment.
 */
bool
slot_read(SharedSlot *slot, SharedWindow *window, uint64 *word)
{
	const volatile uint64 *generation = &slot->window.generation;
	uint64		before = *generation;

	pg_read_barrier();
	*window = slot->window;
	*word = pg_atomic_read_u64(&slot->word);
	pg_read_barrier();
	return before != 0 && *generation == before && WordGeneration(*word) == before;
}

/*
 * Gives how many ids were taken from a window.
 */
int64
slot_taken(const SharedWindow *window, uint64 word)
{
	return Min((int64) WordOffset(word), RangeLength(window->range));
}

/*
 * Gives the last id that was handed out.
 */
int64
slot_handed_out(const SharedWindow *window, uint64 word)
{
	int64		used = slot_taken(window, word);

	return used > 0 ? window->range.low - 1 + used : window->last;
}

/*
 * Opens a window in place of one that is closed or used up; last is the last
 * id handed out.  The caller holds the window lock.
 */
void
slot_open(SharedSlot *slot, const HeldRange *held, int64 last)
{
	uint64		generation = next_generation();

	Assert(RangeLength(held->range) <= WINDOW_MAX_LENGTH);
	begin_change(slot);
	slot->window.range = held->range;
	slot->window.last = last;
	memcpy(slot->window.node_tag, held->node_tag, sizeof(held->node_tag));
	end_change(slot, generation);

	/* an id that is taken before the word is read can be told by slot_read */
	delay_at_random();
	pg_write_barrier();
	pg_atomic_write_u64(&slot->word, MakeWord(generation, 0));
}

/*
 * Closes the window, in one step, so that nobody takes an id from it any more,
 * and forgets what was reserved.  The caller holds the window lock.
 */
void
slot_close(SharedSlot *slot)
{
	uint64		generation = next_generation();
	uint64		word;

	begin_change(slot);
	word = pg_atomic_exchange_u64(&slot->word,
								  MakeWord(generation, WINDOW_CLOSED));
	delay_at_random();
	slot->window.last = slot_handed_out(&slot->window, word);
	slot->window.range = slot->own = slot->next.range = EMPTY_RANGE;
	end_change(slot, generation);
}

/*
 * Has a session take part in a slot.  The caller holds the window lock.
 */
void
slot_join(SharedSlot *slot, SessionWindow *session)
{
	pg_atomic_fetch_add_u32(&slot->sessions, 1);
	session->word = &slot->word;
	session->tenancy = slot->tenancy;
	session->limit = 0;
}

/*
 * Ends that.  True if the session was the last one in a slot that is still the
 * generator's of that key; only under its window lock nobody comes.
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
	session->limit = 0;
	return was_last;
}

/*
 * Gives a generation that was never used.
 */
static uint64
next_generation(void)
{
	uint64		generation = pg_atomic_add_fetch_u64(&segment->generations, 1);

	if (generation > WINDOW_MAX_GENERATION)
		elog(ERROR, "out of generations of windows, until the next restart");
	return generation;
}

/*
 * Has slot_read fail while the window is changed.  Nothing in between may
 * raise an error.
 */
static void
begin_change(SharedSlot *slot)
{
	slot->window.generation = 0;
	pg_write_barrier();
}

static void
end_change(SharedSlot *slot, uint64 generation)
{
	pg_write_barrier();
	slot->window.generation = generation;
}
