/*
 * What ends a window, or the use of ranges that were carved from it: a seed, a
 * drop, a restore, or another generator that needs the slot.
 *
 * A window is stopped by one step on its word, which shows how many ids were
 * taken.  What follows it has another generation.
 */
#include "postgres.h"

#include "session/slot.h"

static bool window_goes_on(SharedSlot *slot, text *name, int64 value,
						   FormData_hilo_hi *hi);
static void evict_another(void);

/*
 * Let no id up to value be handed out, because those are in use.  Without
 * may_raise, skip only ids that are reserved already: for that, the right to
 * use the generator is enough.
 */
void
skip_up_to(text *name, int64 value, bool may_raise)
{
	Definition	definition;
	FormData_hilo_hi hi;

	if (!store_lock(name, RowExclusiveLock, &hi) ||
		!definition_find(name, &definition))
		return;
	value = Min(value, may_raise ? definition.max_value : hi.reserved);
	if (value > 0 && !may_raise && definition.origin != FROM_ROW)
		(void) store_seed(name, value, SEED_SKIP);
	else if (value > 0)
		(void) session_seed(name, &definition, &hi, value, SEED_SKIP);
	unlock_generator(hi.incarnation, RowExclusiveLock);
}

/*
 * Raise or set "last", and return it.  A generator without gaps has it in its
 * own row.  For others change the source that ids come from, then the row, then
 * the window, which goes on above value if that is reserved already.  With
 * SEED_FORGET only sessions forget their ranges, and no source is asked.
 */
int64
session_seed(text *name, const Definition *definition,
			 const FormData_hilo_hi *before, int64 value, SeedKind kind)
{
	bool		is_elsewhere =
		kind != SEED_FORGET && definition->origin != FROM_ROW;
	bool		in_ranges = is_elsewhere && value > before->reserved;
	FormData_hilo_hi hi = {0};
	SharedSlot *slot;
	uint64		word;
	int64		last;
	int64		result = 0;

	if (kind != SEED_FORGET && definition->holder == HELD_BY_TRANSACTION)
		return gapless_seed(name, before->incarnation, value,
							kind == SEED_FORCE);
	/* discard ids of the former hub; the new one may hand out the same */
	if (definition->origin == FROM_HUB && kind == SEED_RAISE)
		(void) session_seed(name, definition, before, 0, SEED_FORGET);
	/* sessions forget ranges that may have ids up to value */
	if (kind == SEED_SKIP)
		in_ranges = definition->holder == HELD_BY_SESSION;
	if (in_ranges)
		kind = SEED_FORGET;
	/* before the window, which may get ids up to value from there until then */
	if (is_elsewhere)
		result = source_seed(name, definition, value);

	shared_memory_attach();
	lock_window(before->incarnation);
	slot = slot_find(before->incarnation);
	if (kind == SEED_FORCE || !window_goes_on(slot, name, value, &hi))
	{
		if (slot != NULL)
			window_close(slot);
		hi.reserved = store_seed(name, value, kind);
	}
	else
	{
		LWLockAcquire(shared_lock, LW_EXCLUSIVE);
		SpinLockAcquire(&slot->spinlock);
		word = slot_raise_floor_and_unlock(slot, value);
		last = slot->window.last + (int64) WordOffset(word);
		/* without this a crash could take "reserved" below value */
		(void) flush_wal(value > WindowHigh(&slot->window) ?
						 slot->window.next_lsn :
						 slot->window.lsn);
		if (kind == SEED_RAISE && value > last)
			kind = SEED_FORGET;
		if (kind == SEED_FORGET)
		{
			(void) store_seed(name, value, SEED_FORGET);
			(void) store_read(name, &hi);
		}
		if (kind != SEED_RAISE)
			window_raise(slot, value, hi.incarnation);
	}
	last = shared_last_carved(&hi);
	unlock_window(before->incarnation);
	return is_elsewhere ? result : last;
}

/*
 * Read the row, and check whether the window belongs to it and does not end
 * below value, which may be 0.
 */
static bool
window_goes_on(SharedSlot *slot, text *name, int64 value, FormData_hilo_hi *hi)
{
	SharedWindow window = {0};

	/* first: a range past the window raises the row before this */
	if (slot != NULL)
		(void) slot_read(slot, &window);
	return store_read(name, hi) && window_is_of_row(&window, hi) &&
		value <= Max(window.length > 0 ? WindowHigh(&window) : 0,
					 window.next.high);
}

/*
 * Make sure that no session takes another id of a generator without a look at
 * it, nor any up to last from its window.  The life word is raised before the
 * window changes, and after, so that no session uses the next window by the
 * limits it knows.  The caller holds the generator's lock; in AccessExclusive
 * mode no session looks, and no window is opened, until its transaction ends.
 * After the rollback of a drop, the generator gets another slot.
 */
void
end_generator_use(int64 incarnation, int64 last, bool is_drop)
{
	SharedSlot *slot;

	shared_memory_attach();
	lock_window(incarnation);
	slot = slot_find(incarnation);
	pg_atomic_fetch_add_u64(life_word, 1);
	if (slot != NULL)
		window_raise(slot, last, slot->window.key.incarnation);
	if (slot != NULL && is_drop)
		slot_free(slot);
	pg_atomic_fetch_add_u64(life_word, 1);
	unlock_window(incarnation);
}

/*
 * Make sure that a generator has a slot; its row was just read.  End the window
 * that a dropped database with this one's OID has left there: a range taken
 * past it could raise "reserved" above it, and it would pass for the row's.
 */
void
slot_ensure(text *name, const FormData_hilo_hi *hi)
{
	SharedSlot *slot = slot_find(hi->incarnation);

	if (slot != NULL && (slot->size == 0 || window_is_of_row(&slot->window, hi)))
		return;
	/* by now more may be reserved */
	lock_window(hi->incarnation);
	(void) slot_for(name, hi->incarnation);
	unlock_window(hi->incarnation);
}

/*
 * Return the slot of a generator, and claim one if it has none.  If the window
 * in the slot is of another incarnation or row, lose it and begin the slot
 * anew.
 */
SharedSlot *
slot_for(text *name, int64 incarnation)
{
	FormData_hilo_hi hi = {0};
	SharedSlot *slot = slot_find(incarnation);

	if (window_goes_on(slot, name, 0, &hi))
		return slot;
	if (slot != NULL)
		window_close(slot);
	while (slot == NULL && (slot = slot_take_free()) == NULL)
		evict_another();
	slot_claim(slot, incarnation, hi.reserved,
			   TenancyOf(&hi) == 0 ? 0 : hi.last_size);
	return slot;
}

/*
 * Free the slot of another generator.  Do nothing, after a wait of a
 * millisecond, if another session is at work on that generator.
 */
static void
evict_another(void)
{
	WindowKey	key = slot_to_evict()->window.key;
	LOCKTAG		lock = lock_of_generator(key.database, key.incarnation,
										 WINDOW_LOCK);
	SharedSlot *slot;

	if (!lock_acquire(lock, false))
	{
		wait_event_for_latch(WAIT_WINDOW_SLOT, 1);
		return;
	}
	/* the slot may have changed hands before the lock, but not under it */
	slot = slot_find_in(key.database, key.incarnation);
	if (slot != NULL)
	{
		window_close(slot);
		slot_free(slot);
	}
	lock_release(lock);
}

/*
 * Give the window that incarnation, and drop the ids up to value from it and
 * from the slot's list.  The caller holds the window lock.
 */
void
window_raise(SharedSlot *slot, int64 value, int64 incarnation)
{
	SharedWindow *window = &slot->window;
	bool		forgets = incarnation != window->key.incarnation;
	int64		high = WindowHigh(window);
	int64		left;

	window_stop_and_lock(slot);
	left = window->length + RangeLength(window->next);
	window->last = Max(window->last, Min(value, Max(high, window->next.high)));
	window->length = Max(high - window->last, 0);
	window->next = range_above_id(window->next, value);
	window->key.incarnation = incarnation;
	/* a floor above the window would refuse returns to later windows */
	if (forgets || value > window->last)
		value = window->last;
	(void) slot_raise_floor_and_unlock(slot, value);
	/* a window lost as a whole was not used at any pace */
	if (left > 0 && window->length == 0 && RangeIsEmpty(window->next))
		slot->taken_at = 0;
	slot_count(slot, TALLY_LOST,
			   left - window->length - RangeLength(window->next));
}

/*
 * Begin to change the window: it gets another generation, and keeps the ids
 * that were not taken.  No session takes or returns an id of the former
 * generation any more.
 *
 * Acquire the segment's lock and the spinlock.  The caller releases both by
 * slot_raise_floor_and_unlock, and nothing until then may raise an error.
 */
void
window_stop_and_lock(SharedSlot *slot)
{
	uint64		generation =
		WordGeneration(pg_atomic_read_u64(&slot->word)) + 1;
	int64		taken;

	if (generation > PG_UINT64_MAX >> WINDOW_OFFSET_BITS)
		elog(ERROR, "out of generations of a window");
	delay_at_random();
	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	SpinLockAcquire(&slot->spinlock);
	taken =
		(int64) WordOffset(pg_atomic_exchange_u64(&slot->word,
												  MakeWord(generation, 0)));
	slot->window.last += taken;
	slot->window.length -= taken;
	slot->client.role = InvalidOid;
	slot_count(slot, TALLY_HANDED_OUT, taken);
}
