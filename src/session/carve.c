/*
 * Ids are carved from windows.
 *
 * A generator has a slot in shared memory, and in it a window of ids that are
 * reserved and on disk.  Sessions carve ranges, or take one id at a time where
 * the order is global, by one atomic step on the slot's word (session.h),
 * without a lock.  A client's range is carved by such a step as well, under a
 * spinlock, so that what the slot knows of the last one fits the word.
 *
 * Ids of one order rise over all sessions because a window begins above
 * everything that was reserved before it was opened, and only one is open at a
 * time.
 */
#include "postgres.h"

#include "session/slot.h"

static bool shared_carve(SessionEntry *entry, int64 size, const char *function);
static bool slot_can_carve(SharedSlot *slot, const StoreRequest *request);
static bool look_at_window_again(SessionEntry *entry, int64 size,
								 const char *function);
static bool slot_carve_for_session(SharedSlot *slot, const SessionWindow *known,
								   int64 above, int64 size, Range *range);
static bool try_block(SessionEntry *entry, int64 count, int64 max_value,
					  Range *block);
static bool slot_carve_for_client(SharedSlot *slot, const SessionWindow *known,
								  const StoreRequest *request, StoreRange *taken);
static Range carve_from(const StoreRequest *request, Range rest);

/*
 * Make an entry ready to hand out at least one id, from a range carved now if
 * need be; wanted says how many ids the caller knows it will need.
 *
 * The life word is read once more after the range was carved: whatever ended
 * its life before that is seen, and what ends it later closes the window.
 * Return false if somebody else holds the ids now, as the generator was
 * altered.
 */
bool
session_fill(SessionEntry *entry, const char *function, int64 wanted)
{
	const Definition *definition = &entry->definition;

	while (entry->handed_out >= entry->stop || !session_knows(entry))
	{
		if (!session_knows(entry))
			session_check(entry, function);
		else if (definition->holder != HELD_BY_SESSION)
			return false;
		else if (session_held(entry) > 0)
			shared_reserve_ahead(entry);
		else if (!shared_carve(entry, Min(Max(definition->range_size, wanted),
										  definition->max_range_size), function))
			return false;
	}
	return true;
}

/*
 * Carve a range of so many ids for this session, or of what the window has
 * left, and put it into the entry; false as in shared_next.
 */
static bool
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
	entry->stop = window_is_halfway(window) ? entry->handed_out + RangeLength(range) / 2 :
		range.high;
	return true;
}

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
		SharedSlot *slot = window_lock(entry, function);
		int64		limit = Min(entry->definition.max_value, max_value);
		int64		last;

		if (slot == NULL)
			return EMPTY_RANGE;
		last = slot_handed_out(&slot->window, pg_atomic_read_u64(&slot->word));
		/* what cannot be had is no reason to reserve more */
		if (RangeLength(range_above(last, count, limit)) < count)
			session_exhausted(entry, limit);
		if (RangeLength(range_clip(window_unused(slot), limit)) < count)
			block = window_open(slot, entry, count, count, limit);
		window_unlock(entry, slot);
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

		if (window_is_halfway(known))
			(void) window_prefetch(entry);
		/* without a lock that would have to be waited for */
		if ((known->length > 0 &&
			 slot_carve_for_client(slot, known, request, taken)) ||
			(window_adopt(entry, &word) &&
			 slot_carve_for_client(slot, known, request, taken)))
			break;
		slot = window_lock(entry, function);
		if (slot == NULL)
			return false;
		if (!slot_can_carve(slot, request))
		{
			/* of so many ids in a row, some make a whole block */
			(void) window_open(slot, entry, request->whole_block ?
							   2 * request->size : request->size,
							   0, entry->definition.max_value);
			if (!slot_can_carve(slot, request) &&
				slot->window.range.high >= entry->definition.max_value)
				session_exhausted(entry, entry->definition.max_value);
		}
		window_unlock(entry, slot);
	}
	tally(entry->incarnation, TALLY_HANDED_OUT, -taken->skipped);
	tally(entry->incarnation, TALLY_LOST, taken->skipped);
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

	if (!window_adopt(entry, &now) ||
		WordGeneration(word) != entry->window.generation ||
		WordOffset(word) >= entry->window.length)
		return false;
	entry->current = entry->window.low + (int64) WordOffset(word);
	return true;
}

/*
 * Check whether a range can be carved now.  The caller holds the window lock.
 */
static bool
slot_can_carve(SharedSlot *slot, const StoreRequest *request)
{
	Range		rest = range_clip(window_unused(slot), request->max_value);

	return !RangeIsEmpty(rest) && !RangeIsEmpty(carve_from(request, rest));
}

/*
 * Make the entry know the window of the slot that it has met, without a lock,
 * and return the word.  False if that slot is not the generator's any
 * more, or is being changed.
 */
bool
window_adopt(SessionEntry *entry, uint64 *word)
{
	SharedSlot *slot = (SharedSlot *) entry->window.word;
	WindowKey	key = window_key(entry->incarnation);
	SharedWindow window;

	if (slot == NULL || !slot_read(slot, &window, word) ||
		!window_is_of(&window, &key))
		return false;
	window_know(entry, slot, &window);
	return true;
}

/* Make the entry know a window of the slot that it has met. */
void
window_know(SessionEntry *entry, SharedSlot *slot, const SharedWindow *window)
{
	SessionWindow *known = &entry->window;
	Range		range = range_clip(window->range, entry->definition.max_value);

	known->generation = window->generation;
	known->low = range.low;
	known->length = RangeLength(range);
	known->limit = known->length;
	/* a window of one id leaves nobody the time to prepare the next */
	if (session_prefetch && source_of(&entry->definition)->reserves_ahead &&
		RangeIsEmpty(slot->window.next.range))
		known->limit = (known->length + 1) / 2;
	memcpy(known->node_tag, window->node_tag, sizeof(known->node_tag));

	/* other sessions carve ranges, which keep their node tag */
	if (entry->definition.holder == HELD_BY_SERVER)
		memcpy(entry->node_tag, window->node_tag, sizeof(entry->node_tag));
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
	if (size == 0 && window_is_halfway(&entry->window) &&
		WordOffset(pg_atomic_read_u64(entry->window.word)) < entry->window.length)
	{
		(void) window_prefetch(entry);
		return true;
	}
	if (window_adopt(entry, &word) &&
		(WordOffset(word) < entry->window.length ||
		 (size > 0 && entry->window.length > 0 &&
		  returned_above((SharedSlot *) entry->window.word,
						 session_current(entry)))))
		return true;

	slot = window_lock(entry, function);
	if (slot == NULL)
		return false;
	if (RangeIsEmpty(window_unused(slot)))
		(void) window_open(slot, entry, size, 0, entry->definition.max_value);
	else if (window_unused(slot).low > entry->definition.max_value)
		session_exhausted(entry, entry->definition.max_value);
	window_unlock(entry, slot);
	return true;
}

/*
 * Carve a range for a session out of the window that it knows: one that was
 * returned and lies above, or the next ids, up to size; false if the window is
 * not open any more, or has none left.
 */
static bool
slot_carve_for_session(SharedSlot *slot, const SessionWindow *known,
					   int64 above, int64 size, Range *range)
{
	uint64		word = pg_atomic_read_u64(&slot->word);

	if (slot->listed != 0 && returned_carve(slot, known, above, size, range))
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

/*
 * Carve a range for a client out of the window that a session knows; false if
 * that is not open any more, or has too little left.
 */
static bool
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
