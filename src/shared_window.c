/*-------------------------------------------------------------------------
 *
 * shared_window.c
 *	  Windows in shared memory, opened and closed.
 *
 * What is here is done under the window lock of the generator, in its slot.
 *
 * A window is closed by putting another generation into the word, in one
 * step, which tells how many ids were taken: what is left can then be given
 * back, as nobody can take it any more.
 *
 * An error costs a gap, never a repeat: a range is taken out of the slot
 * before anything is done about it, and put there when it is on disk.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/shared_window.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "flush.h"
#include "shared_slot.h"
#include "tally.h"

/*
 * What is left of a window that was closed.
 */
typedef struct Remainder
{
	Range		own;			/* as hilo_hi knows it */
	int64		last;			/* nobody got an id of it above */
	HeldRange	ahead;
} Remainder;

static Remainder take_remainder(SharedSlot *slot);
static void give_back(const SharedSlot *slot, const Remainder *rest,
					  bool may_return, bool wait);
static void give_piece_back(const SharedSlot *slot, Range own, int64 next,
							bool may_return, bool wait);

/*
 * Gives the ids of the slot's window that nobody has taken yet.  A rolled-back
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
 * Opens a window, over ids reserved ahead of need or now, after its WAL has
 * reached the disk and the standbys, if there are any, whatever this session
 * asks for: the others trust in it.  Keeps the first ids out of it, if count
 * says so, and gives them; none of these lies above max_value.
 *
 * An error loses the ids.
 */
Range
window_open(SharedSlot *slot, SessionEntry *entry, int64 count, int64 max_value)
{
	HeldRange	held = slot->next;
	Range		block = EMPTY_RANGE;

	slot->next.range = EMPTY_RANGE;
	if (RangeIsEmpty(held.range))
		session_require_taken(entry, window_reserve(slot, entry, count, true, &held),
							  entry->definition.max_value);
	else
		tally_prefetched(entry->incarnation, held.lsn);
	flush_wal_for_all(held.lsn, entry->incarnation);
	slot->size = held.size;

	if (RangeLength(range_clip(held.range, max_value)) < count)
	{
		/* not by way of the slot: these may be more than a window can have */
		give_piece_back(slot, held.range, held.range.low, true, true);
		session_exhausted(entry, max_value);
	}
	if (held.continues)
		slot->own.high = held.range.high;
	else
		slot->own = held.range;
	if (count > 0)
		block = range_split(&held.range, count);
	tally(entry->incarnation, TALLY_HANDED_OUT,
		  slot_taken(&slot->window, pg_atomic_read_u64(&slot->word)) +
		  RangeLength(block));
	tally(entry->incarnation, TALLY_WINDOWS, 1);
	slot_open(slot, &held, RangeIsEmpty(block) ?
			  slot_handed_out(&slot->window, pg_atomic_read_u64(&slot->word)) :
			  block.high);
	return block;
}

/*
 * Takes a range from the store: half as much as one session would get, as the
 * next window is reserved beside it; count ids at least.
 */
StoreResult
window_reserve(SharedSlot *slot, SessionEntry *entry, int64 count, bool wait,
			   HeldRange *held)
{
	int64		size = definition_next_size(&entry->definition, slot->size,
											slot->taken_at);
	int64		half = Min(size / 2 + size % 2, WINDOW_MAX_LENGTH);
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

	if (result != STORE_OK)
		return result;

	/* a restore has raised it since the entry was looked at */
	if (taken.epoch != slot->window.epoch)
	{
		window_close(slot, false);
		slot->window.epoch = entry->epoch = taken.epoch;
	}

	held->range = taken.range;
	held->continues = taken.continues;
	held->lsn = taken.lsn;
	strlcpy(held->node_tag, hilo_node_tag, sizeof(held->node_tag));
	held->size = size;
	slot->taken_at = GetCurrentTimestamp();
	return STORE_OK;
}

/*
 * Closes the window and gives back what is left; without wait, only if nobody
 * else holds the row.  The caller holds the window lock.
 */
void
window_close(SharedSlot *slot, bool wait)
{
	Remainder	rest = take_remainder(slot);

	give_back(slot, &rest, true, wait);
}

/*
 * Closes the window and frees the slot.  Waits for nothing, and gives back what
 * is left if it should.  The caller holds the window lock.
 */
void
window_end(SharedSlot *slot, bool return_rest)
{
	Remainder	rest = take_remainder(slot);

	give_back(slot, &rest, return_rest, false);
	slot_free(slot);
}

/*
 * Closes the window, counts what was taken from it and gives what is left.
 */
static Remainder
take_remainder(SharedSlot *slot)
{
	Remainder	rest = {
		.own = slot->own,
		.last = slot->window.range.low - 1,
		.ahead = slot->next,
	};
	bool		is_open = !RangeIsEmpty(slot->window.range);

	slot_close(slot);
	if (is_open && slot->window.last > rest.last)
		tally_in(slot->key.database, slot->key.incarnation, TALLY_HANDED_OUT,
				 slot->window.last - rest.last);
	rest.last = Max(rest.last, slot->window.last);
	return rest;
}

/*
 * Gives back what is left of a window, if that may be.  What is of another
 * database is lost: this one cannot write there.
 */
static void
give_back(const SharedSlot *slot, const Remainder *rest, bool may_return,
		  bool wait)
{
	Range		own = rest->own;

	if (!RangeIsEmpty(rest->ahead.range) && rest->ahead.continues)
		own.high = rest->ahead.range.high;
	else if (!RangeIsEmpty(rest->ahead.range))
		give_piece_back(slot, rest->ahead.range, rest->ahead.range.low,
						may_return, wait);
	if (!RangeIsEmpty(own) && rest->last < own.high)
		give_piece_back(slot, own, rest->last + 1, may_return, wait);
}

/*
 * Gives the ids next .. own.high back, or loses them.
 */
static void
give_piece_back(const SharedSlot *slot, Range own, int64 next, bool may_return,
				bool wait)
{
	text	   *name = cstring_to_text_with_len(slot->name, slot->name_length);
	TallyCounter fate = TALLY_LOST;

	if (may_return && slot->key.database == MyDatabaseId &&
		store_give_back(name, slot->key.incarnation, slot->window.epoch, own,
						next, false, wait))
		fate = TALLY_GIVEN_BACK;
	tally_in(slot->key.database, slot->key.incarnation, fate,
			 own.high - next + 1);
	pfree(name);
}
