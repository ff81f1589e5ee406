/*
 * Ids are carved from windows.
 *
 * Sessions carve ranges, or take one id at a time if the order is global, by
 * one atomic step on the slot's word (session.h), without a lock.  A client's
 * range is carved by such a step as well, under a spinlock, so that what the
 * slot knows of the last one fits the word.
 *
 * Ids of one order rise over all sessions because a window begins above
 * everything that was reserved before it was opened, and only one is open at a
 * time.
 */
#include "postgres.h"

#include "session/slot.h"

/* What is to be carved from a window: the lowest ids of it. */
typedef struct Cut
{
	int64		size;
	bool		may_be_less;	/* fewer, also before max_value */
	bool		is_strict;		/* never fewer */
	bool		whole_block;	/* a multiple of size .. and size - 1 more */
	uint64		mark;			/* WINDOW_RETURNABLE if a client gets it */
	int64		above;			/* 0, or an id that a row brings: nothing is
								 * cut */
	int64		max_value;
} Cut;

static void shared_reserve_ahead(SessionEntry *entry);
static bool shared_carve(SessionEntry *entry, int64 size);
static bool window_is_halfway(const SessionWindow *window);
static bool window_follow(SessionEntry *entry);
static bool session_refresh_window(SessionEntry *entry, const Cut *cut);
static bool carve_for_session(const SessionEntry *entry, const Cut *cut,
							  Range *range);
static bool carve_for_client(const SessionWindow *known, const Cut *cut,
							 StoreRequest *request);
static bool window_carve(const SessionWindow *known, const Cut *cut,
						 Range *range);
static Range carve_from(int64 last, int64 high, const Cut *cut);

/*
 * Make an entry ready to hand out at least one id, from a range carved now if
 * need be; wanted says how many ids the caller knows it will need.
 *
 * The life word is read once more after the range was carved: whatever ended
 * its life before that is seen, and what ends it later closes the window.
 * Return false if the generator was altered, so that another holder has the
 * ids now.
 */
bool
session_fill(SessionEntry *entry, int64 wanted)
{
	const Definition *definition = &entry->definition;

	while (entry->handed_out >= entry->stop || !entry_is_current(entry))
	{
		if (!entry_is_current(entry))
			session_revalidate(entry);
		else if (definition->holder != HELD_BY_SESSION)
			return false;
		else if (session_held(entry) > 0)
		{
			entry->stop = entry->range.high;
			shared_reserve_ahead(entry);
		}
		else if (!shared_carve(entry, Min(Max(definition->range_size, wanted),
										  definition->max_range_size)))
			return false;
	}
	/* each transaction locks the sequence, so each id asks session_look */
	if (OidIsValid(entry->sequence))
		entry->stop = 0;
	return true;
}

/* Reserve the next window, if half of this one has been used. */
static void
shared_reserve_ahead(SessionEntry *entry)
{
	if (entry->window.length == 0)
		(void) window_follow(entry);
	if (window_is_halfway(&entry->window))
		window_prefetch(entry);
}

/*
 * Carve a range of so many ids for this session, or of what the window has
 * left, into the entry; false if the generator was altered, and another may
 * hold its ids.
 */
static bool
shared_carve(SessionEntry *entry, int64 size)
{
	SessionWindow *window = &entry->window;
	Cut			cut = {
		.size = Min(size, WINDOW_MAX_LENGTH / 2),
		.may_be_less = true,
		.max_value = entry->definition.max_value,
	};
	Range		range;

	while (!carve_for_session(entry, &cut, &range))
		if (!session_refresh_window(entry, &cut))
			return false;

	entry->current = session_current(entry);
	entry->range = range;
	entry->handed_out = range.low - 1;
	/* a range returned to an older window is never on top again */
	entry->top_word = MakeWord(window->generation,
							   (uint64) Max(range.high - window->last, 0));
	memcpy(entry->node_tag, window->node_tag, sizeof(entry->node_tag));
	/* half of the range is time to reserve the next window */
	entry->stop =
		window_is_halfway(window) ? entry->handed_out + RangeLength(range) / 2 :
		range.high;
	return true;
}

/*
 * Return the next ids, above all given before by any session: count of them in
 * a row, none above the generator's max_value or the caller's; none if the
 * generator was altered.  The last one is then current in the entry, which has
 * been checked.
 */
Range
shared_next_block(SessionEntry *entry, int64 count, int64 max_value)
{
	SessionWindow *window = &entry->window;
	Cut			cut = {
		.size = count,
		.is_strict = true,
		.max_value = Min(entry->definition.max_value, max_value),
	};
	Range		block;

	id_domain_check("count", count, 1, WINDOW_MAX_LENGTH / 2);
	if (window_is_halfway(window) &&
		WordOffset(pg_atomic_read_u64(window->word)) < window->length)
		window_prefetch(entry);
	while (!window_carve(window, &cut, &block))
		if (!session_refresh_window(entry, &cut))
			return EMPTY_RANGE;
	entry->current = block.high;
	return block;
}

/*
 * Carve a range for a client, which has its number already: as many ids as it
 * asks for or max_value leaves.  The entry has been checked, and its source is
 * its row.
 */
bool
shared_next_range(SessionEntry *entry, StoreRequest *request)
{
	SessionWindow *known = &entry->window;
	Cut			cut = {
		.size = request->size,
		.whole_block = request->whole_block,
		.mark = WINDOW_RETURNABLE,
		.max_value = entry->definition.max_value,
	};

	if (window_is_halfway(known))
		window_prefetch(entry);
	while (!carve_for_client(known, &cut, request))
		if (!session_refresh_window(entry, &cut))
			return false;
	tally(entry, TALLY_HANDED_OUT, -request->skipped);
	tally(entry, TALLY_LOST, request->skipped);
	return true;
}

/*
 * Do as window_try_skip_to, and open a window above the id if need be; false if
 * that takes more than this.  The entry has been checked.
 */
bool
window_skip_to(SessionEntry *entry, int64 id)
{
	Cut			cut = {
		.size = 1,
		.above = id,
		.max_value = entry->definition.max_value,
	};

	if (!session_has_one_window(entry))
		return false;
	(void) window_follow(entry);
	while (!window_try_skip_to(entry, id))
		if (!session_refresh_window(entry, &cut))
			return false;
	return true;
}

/*
 * Raise the floor to an id that a row brings: a client may have it in the range
 * on top, and must not return it.  If it was returned before, do as
 * window_try_skip_to.
 */
bool
shared_raise_floor(const SessionEntry *entry, int64 id)
{
	const SessionWindow *known = &entry->window;
	SharedSlot *slot = SlotOf(known);
	uint64		word;

	SpinLockAcquire(&slot->spinlock);
	word = pg_atomic_read_u64(&slot->word);
	if (WordGeneration(word) == known->generation)
		slot->floor = Max(slot->floor, id);
	SpinLockRelease(&slot->spinlock);
	return (WordGeneration(word) == known->generation &&
			id <= known->last + (int64) WordOffset(word)) ||
		window_try_skip_to(entry, id);
}

/* Check whether a window is open and half used, so that the next one is due. */
static bool
window_is_halfway(const SessionWindow *window)
{
	uint64		word;

	if (window->length == 0 || window->limit == window->length)
		return false;
	word = pg_atomic_read_u64(window->word);
	return WordGeneration(word) == window->generation &&
		WordOffset(word) >= window->limit;
}

/*
 * Make the entry know the window of the slot that it has met, without a lock.
 * False if it is known or empty, the slot is another's, or the entry is out of
 * date.
 */
static bool
window_follow(SessionEntry *entry)
{
	SessionWindow *known = &entry->window;
	SharedSlot *slot = SlotOf(known);
	SharedWindow window;
	uint64		word;

	if (slot == NULL)
		return false;
	word = slot_read(slot, &window);
	if (window.file != entry->file ||
		!window_is_of(&window, entry->incarnation) ||
		entry->life != pg_atomic_read_u64(life_word) ||
		(known->length > 0 && known->generation == WordGeneration(word)))
		return false;
	session_copy_window(entry, &window, word);
	return known->length > 0;
}

/*
 * Make the entry know a window that follows; if there is none, open one, unless
 * the open one has what is asked for.  The session that draws first from a
 * window flushes it.  False if the generator was altered, or there is no window
 * above an id of a row.
 */
static bool
session_refresh_window(SessionEntry *entry, const Cut *cut)
{
	bool		knew_window = entry->window.length > 0;
	SharedSlot *slot;
	uint64		word;
	int64		size = cut->size;
	int64		last;
	int64		reserved;
	bool		is_open = true;

	/* without a lock that would have to be waited for */
	if (window_follow(entry))
		return true;
	delay_at_random();
	if (!session_lock(entry, RowExclusiveLock, true))
		return false;
	slot = slot_for(entry->name, entry->incarnation);
	if (slot->window.file != entry->file)
		window_close(slot);
	word = pg_atomic_read_u64(&slot->word);

	/*
	 * Set word and generation together, before any error: a generation means
	 * nothing in another slot.
	 */
	entry->window.word = &slot->word;
	session_copy_window(entry, &slot->window, word);
	last = Max(slot->window.last + (int64) WordOffset(word), cut->above);
	/* reserve nothing for a block that cannot fit below max_value */
	if (cut->is_strict && last < entry->definition.max_value &&
		cut->max_value - last < cut->size)
		session_exhausted(entry, cut->max_value);
	/* 2 * size ids contain a whole block; a session's range may be short */
	if (cut->whole_block)
		size *= 2;
	else if (cut->may_be_less && size == entry->definition.range_size)
		size = slot_range_size(slot, size);
	/* a caller that knew no window has not tried the returned ranges yet */
	if (RangeIsEmpty(carve_from(last, WindowHigh(&slot->window), cut)) &&
		(knew_window || slot->listed == 0 || entry->window.length == 0))
		is_open = window_open(slot, entry, size, cut->above);
	/* an id of a row needs no flush: the row's commit comes later in the WAL */
	if (cut->above == 0)
		window_flush(slot, entry);
	session_copy_window(entry, &slot->window, pg_atomic_read_u64(&slot->word));
	reserved = Max(WindowHigh(&slot->window), slot->window.next.high);
	unlock_window(entry->incarnation);
	unlock_generator(entry->incarnation, RowExclusiveLock);
	session_warn_of_end(entry, reserved);
	return is_open;
}

/*
 * Carve a range for a session out of the window that it knows: one that was
 * returned and lies above all that the session has had, or the next ids; false
 * if the window is not open any more, or has none left.
 */
static bool
carve_for_session(const SessionEntry *entry, const Cut *cut, Range *range)
{
	const SessionWindow *known = &entry->window;

	if (known->length > 0 && SlotOf(known)->listed != 0)
	{
		*range = returned_carve(known, session_current(entry), cut->size);
		if (!RangeIsEmpty(*range))
			return true;
	}
	return window_carve(known, cut, range);
}

/*
 * Do as window_carve for a client, and note its range in the slot under the
 * spinlock.
 */
static bool
carve_for_client(const SessionWindow *known, const Cut *cut,
				 StoreRequest *request)
{
	SharedSlot *slot = SlotOf(known);
	Range	   *range = &request->taken.range;
	bool		done;

	if (known->length == 0)
		return false;
	SpinLockAcquire(&slot->spinlock);
	done = window_carve(known, cut, range);
	if (done)
	{
		request->skipped =
			cut->whole_block ? RangeLength(*range) - cut->size : 0;
		range->low += request->skipped;
		slot->client = request->taken;
	}
	SpinLockRelease(&slot->spinlock);
	return done;
}

/*
 * Carve ids out of the window that a session knows, in one step, as carve_from
 * says, with those below a whole block; false if it is not open, or has too
 * little left.
 */
static bool
window_carve(const SessionWindow *known, const Cut *cut, Range *range)
{
	uint64		word;
	int64		last;

	if (known->length == 0)
		return false;
	word = pg_atomic_read_u64(known->word);
	while (WordGeneration(word) == known->generation &&
		   WordOffset(word) < known->length)
	{
		last = known->last + (int64) WordOffset(word);
		*range = carve_from(last, WindowHigh(known), cut);
		if (RangeIsEmpty(*range))
			return false;
		range->low = last + 1;
		delay_at_random();
		if (pg_atomic_compare_exchange_u64(known->word, &word,
										   MakeWord(known->generation,
													(uint64) (range->high - known->last)) |
										   cut->mark))
			return true;
	}
	return false;
}

/*
 * Return what is to be carved above last of a window up to high; none if that
 * is too little.
 */
static Range
carve_from(int64 last, int64 high, const Cut *cut)
{
	bool		may_be_less = cut->may_be_less ||
		(high >= cut->max_value && !cut->is_strict);

	high = Min(high, cut->max_value);
	if (cut->whole_block)
		return range_block_above(last, cut->size, high);
	if (!may_be_less && high - last < cut->size)
		return EMPTY_RANGE;
	return range_above(last, cut->size, high);
}
