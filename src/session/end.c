/*
 * What ends a window, or the use of ranges that were carved from it.
 *
 * A window is closed by putting another generation into the word, in one step,
 * which tells how many ids were taken.  What is left of it is lost.
 */
#include "postgres.h"

#include "session/slot.h"

static int64 window_raise(SharedSlot *slot, int64 value, int64 incarnation);

/*
 * Raise or set "last" where it is known: by the row of a generator without
 * gaps, else by the row and the window.  Return it.
 */
int64
session_seed(text *name, const Definition *definition, int64 incarnation,
			 int64 value, SeedKind kind)
{
	if (definition->holder == HELD_BY_NOBODY)
		return gapless_seed(name, incarnation, value, kind == SEED_FORCE);
	return shared_seed(name, incarnation, value, kind, definition->max_value,
					   definition->holder == HELD_BY_SESSION);
}

/*
 * Make sure that nobody takes another id of a generator without a look at it,
 * and close its window if asked.  The caller holds the generator's lock in
 * AccessExclusive mode, so nobody looks, and no window is opened, until its
 * transaction ends.
 */
void
shared_interrupt(int64 incarnation, bool closes)
{
	WindowKey	key = window_key(incarnation);
	SharedSlot *slot;

	shared_memory_attach();
	(void) lock_window(&key, true);
	slot = slot_find(&key);
	if (slot != NULL && closes)
		window_close(slot);
	else if (slot != NULL)
		(void) window_raise(slot, 0, slot->window.key.incarnation);
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
		slot->window.key.incarnation != hi.incarnation ||
		value > Max(slot->window.range.high, slot->window.next.range.high))
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
			(void) flush_wal(slot->window.next.lsn);
		if (kind == SEED_FORGET || (kind == SEED_PASS && has_ranges && value > 0))
			hi.incarnation = store_forget(name);
		last = window_raise(slot, value, hi.incarnation);
	}
	unlock_window(&key);
	return last;
}

/*
 * Close the window, of which nothing is handed out any more.  The caller holds
 * the window lock.
 */
void
window_close(SharedSlot *slot)
{
	uint64		generation = slot_generation();
	Range		rest;

	slot_begin_change(slot);
	rest = window_stop(slot, generation);
	slot_count(slot, TALLY_LOST,
			   RangeLength(rest) + RangeLength(slot->window.next.range));
	slot->window.range = slot->window.next.range = EMPTY_RANGE;
	slot_end_change(slot, generation);
	(void) slot_refuse(slot, slot->window.handed_out);
	slot->taken_at = 0;
}

/*
 * Go on above value, in a window of that incarnation: what the slot has of ids up
 * to there is lost.  Return the last id handed out, or value.  The caller holds
 * the window lock.
 */
static int64
window_raise(SharedSlot *slot, int64 value, int64 incarnation)
{
	uint64		generation = slot_generation();
	bool		forgets = incarnation != slot->window.key.incarnation;
	int64		left;

	slot_begin_change(slot);
	slot->window.range = window_stop(slot, slot->window.generation);
	left = RangeLength(slot->window.range) + RangeLength(slot->window.next.range);
	slot->window.range = range_above_id(slot->window.range, value);
	slot->window.next.range = range_above_id(slot->window.next.range, value);
	slot->window.handed_out = Max(slot->window.handed_out, value);
	slot->window.key.incarnation = incarnation;
	slot_end_change(slot, generation);
	(void) slot_refuse(slot, forgets ? slot->window.handed_out : value);
	delay_at_random();
	pg_write_barrier();
	pg_atomic_write_u64(&slot->word, MakeWord(generation, RangeIsEmpty(slot->window.range) ?
											  WINDOW_CLOSED : 0));
	slot_count(slot, TALLY_LOST, left - RangeLength(slot->window.range) -
			   RangeLength(slot->window.next.range));
	return slot->window.handed_out;
}

/*
 * Put another generation into the word, in one step, so that nobody takes an id
 * or returns one; count what was taken, and return what was left.  The window is
 * being changed.
 */
Range
window_stop(SharedSlot *slot, uint64 generation)
{
	Range		rest = slot->window.range;
	uint64		word = pg_atomic_exchange_u64(&slot->word,
											  MakeWord(generation, WINDOW_CLOSED));
	int64		taken = slot_taken(&slot->window, word);

	delay_at_random();
	slot->window.handed_out = slot_handed_out(&slot->window, word);
	slot_count(slot, TALLY_HANDED_OUT, taken);
	rest = taken < RangeLength(rest) ? range_above_id(rest, rest.low - 1 + taken) :
		EMPTY_RANGE;
	SpinLockAcquire(&slot->spinlock);
	slot->client.role = InvalidOid;
	SpinLockRelease(&slot->spinlock);
	return rest;
}
