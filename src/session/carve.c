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

/* how many windows of a hub are tried for a client's range */
#define HUB_WINDOWS 3

/* How many ids a cut may have. */
typedef enum CutKind
{
	CUT_UP_TO_SIZE,				/* what the window has left, at most size */
	CUT_SIZE,					/* size, or what max_value leaves */
	CUT_EXACT_SIZE,				/* size, never fewer */
	CUT_BLOCK					/* a multiple of size .. and size - 1 more */
} CutKind;

/* What is to be carved from a window: its lowest ids. */
typedef struct Cut
{
	CutKind		kind;
	int64		size;
	uint64		mark;			/* WINDOW_RETURNABLE if a client gets it */
	int64		above;			/* an id that a row brings: the window is to
								 * reach above it, nothing is cut; or 0 */
	int64		max_value;
} Cut;

static void prefetch_when_halfway(SessionEntry *entry);
static void carve_into_entry(SessionEntry *entry, int64 size);
static bool window_is_halfway(const SessionWindow *window);
static bool try_copy_window(SessionEntry *entry);
static bool session_refresh_window(SessionEntry *entry, const Cut *cut);
static int64 size_to_reserve(const SharedSlot *slot, const SessionEntry *entry,
							 const Cut *cut);
static void session_copy_window(SessionEntry *entry, const SharedWindow *window,
								uint64 word);
static bool carve_for_session(const SessionEntry *entry, const Cut *cut,
							  Range *range);
static bool carve_for_client(const SessionWindow *known, const Cut *cut,
							 StoreRequest *request);
static bool window_carve(const SessionWindow *known, const Cut *cut,
						 Range *range);
static Range range_to_carve(int64 last, int64 high, const Cut *cut);

/*
 * Carve the next range into an entry that has used up its own; the caller will
 * need wanted ids.  If only half of the range has been used, reserve the next
 * window.
 */
void
session_refill(SessionEntry *entry, int64 wanted)
{
	const Definition *definition = &entry->definition;

	if (session_held(entry) == 0)
		carve_into_entry(entry, Min(Max(definition->range_size, wanted),
									definition->max_range_size));
	else
	{
		entry->stop = entry->range.high;
		prefetch_when_halfway(entry);
	}
}

/* Reserve the next window, if half of this one has been used. */
static void
prefetch_when_halfway(SessionEntry *entry)
{
	if (entry->window.length == 0)
		(void) try_copy_window(entry);
	if (window_is_halfway(&entry->window))
		window_prefetch(entry);
}

/*
 * Carve a range of size ids, or of what the window has left, into the entry.
 * If the generator was altered, carve none: its ids may have another holder.
 */
static void
carve_into_entry(SessionEntry *entry, int64 size)
{
	SessionWindow *window = &entry->window;
	Cut			cut = {
		.kind = CUT_UP_TO_SIZE,
		.size = Min(size, WINDOW_MAX_LENGTH / 2),
		.max_value = entry->definition.max_value,
	};
	Range		range;

	while (!carve_for_session(entry, &cut, &range))
		if (!session_refresh_window(entry, &cut))
			return;

	entry->current = session_current(entry);
	entry->range = range;
	entry->handed_out = range.low - 1;
	/* a range returned to an older window is never on top again */
	entry->top_word = MakeWord(window->generation,
							   (uint64) Max(range.high - window->last, 0));
	memcpy(entry->node_tag, window->node_tag, sizeof(entry->node_tag));
	/* reserve the next window when half of this range has been used */
	entry->stop = range.high;
	if (window_is_halfway(window))
		entry->stop = entry->handed_out + RangeLength(range) / 2;
}

/*
 * Return the next count ids in a row, above all that any session got before.
 * None is above the generator's max_value or the caller's.  The last one
 * becomes the current id of the entry, which the caller has revalidated.
 * Return an empty range if the generator was altered.
 */
Range
shared_next_block(SessionEntry *entry, int64 count, int64 max_value)
{
	SessionWindow *window = &entry->window;
	Cut			cut = {
		.kind = CUT_EXACT_SIZE,
		.size = count,
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
 * Carve a range for a client, whose number the request has already.  The caller
 * has revalidated the entry, whose ids come from windows.  Leave the range
 * empty if those of a hub are too short.  Return false if the generator was
 * altered.
 */
bool
shared_next_range(SessionEntry *entry, StoreRequest *request)
{
	SessionWindow *known = &entry->window;
	int			opened = 0;
	Cut			cut = {
		.kind = request->whole_block ? CUT_BLOCK : CUT_SIZE,
		.size = request->size,
		.mark = WINDOW_RETURNABLE,
		.max_value = entry->definition.max_value,
	};

	prefetch_when_halfway(entry);
	while (!carve_for_client(known, &cut, request))
	{
		request->taken.range = EMPTY_RANGE;
		if (entry->definition.origin == FROM_HUB && ++opened > HUB_WINDOWS)
			return true;
		if (!session_refresh_window(entry, &cut))
			return false;
	}
	tally(entry, TALLY_HANDED_OUT, -request->skipped);
	tally(entry, TALLY_LOST, request->skipped);
	return true;
}

/*
 * Do as window_try_skip_to, and open a window above the id if there is none.
 * Return false if the caller must raise the generator in another way.  The
 * caller has revalidated the entry.
 */
bool
window_skip_to(SessionEntry *entry, int64 id)
{
	Cut			cut = {
		.kind = CUT_SIZE,
		.size = 1,
		.above = id,
		.max_value = entry->definition.max_value,
	};

	if (!session_has_one_window(entry))
		return false;
	(void) try_copy_window(entry);
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
 * Copy the window that is open now into the entry, without a lock.  Return
 * false if the entry has it already, if it has no ids to draw, if the slot has
 * become another generator's, or if the entry is out of date.
 */
static bool
try_copy_window(SessionEntry *entry)
{
	SessionWindow *known = &entry->window;
	SharedSlot *slot = SlotOf(known);
	SharedWindow window;
	uint64		word;

	if (slot == NULL)
		return false;
	word = slot_read(slot, &window);
	if (window.source_version != entry->source_version ||
		!window_is_of(&window, entry->incarnation) ||
		entry->as_of != generators_as_of() ||
		(known->length > 0 && known->generation == WordGeneration(word)))
		return false;
	session_copy_window(entry, &window, word);
	return known->length > 0;
}

/*
 * Copy the open window into the entry; open another one if that has too little
 * left for the cut.  The session that draws first from a window flushes it.
 * Return false if the generator was altered, or if no window can be opened
 * above an id of a row.
 */
static bool
session_refresh_window(SessionEntry *entry, const Cut *cut)
{
	bool		knew_window = entry->window.length > 0;
	SharedSlot *slot;
	SharedWindow *window;
	uint64		word;
	int64		last;
	int64		reserved;
	bool		has_returned;
	bool		is_open = true;

	/* without a lock that would have to be waited for */
	if (try_copy_window(entry))
		return true;
	delay_at_random();
	if (!session_lock(entry, RowExclusiveLock, true))
		return false;
	slot = slot_for(entry->name, entry->incarnation);
	window = &slot->window;
	/* the sequence was altered since: its old values may come again */
	if (window->source_version != entry->source_version)
		window_close(slot);
	word = pg_atomic_read_u64(&slot->word);

	/*
	 * Set word and generation together, before any error: a generation means
	 * nothing in another slot.
	 */
	entry->window.word = &slot->word;
	session_copy_window(entry, window, word);
	last = Max(window->last + (int64) WordOffset(word), cut->above);
	/* reserve nothing for a block that cannot fit below max_value */
	if (cut->kind == CUT_EXACT_SIZE && last < entry->definition.max_value &&
		cut->max_value - last < cut->size)
		session_report_exhausted(entry, cut->max_value, 0);

	/* a caller that knew no window has not tried the returned ranges yet */
	has_returned = !knew_window && slot->listed != 0 &&
		entry->window.length > 0;
	if (!has_returned &&
		RangeIsEmpty(range_to_carve(last, WindowHigh(window), cut)))
		is_open = window_open(slot, entry, size_to_reserve(slot, entry, cut),
							  cut->above);
	/* an id of a row needs no flush: the row's commit comes later in the WAL */
	if (cut->above == 0)
		window_flush(slot, entry);
	session_copy_window(entry, window, pg_atomic_read_u64(&slot->word));
	reserved = Max(WindowHigh(window), window->next.high);
	unlock_window(entry->incarnation);
	unlock_generator(entry->incarnation, RowExclusiveLock);
	if (!is_open && cut->above == 0)
		hub_rest(entry->name);
	session_warn_of_end(entry, reserved);
	return is_open;
}

/* Return how many ids a new window needs at least for a cut. */
static int64
size_to_reserve(const SharedSlot *slot, const SessionEntry *entry,
				const Cut *cut)
{
	/* so many ids contain a whole block, wherever they begin */
	if (cut->kind == CUT_BLOCK)
		return cut->size * 2;
	if (cut->kind != CUT_UP_TO_SIZE)
		return cut->size;
	return Min(slot_range_size(slot, cut->size),
			   RangeShare(entry->definition.max_value -
						  slot->window.reserved));
}

/* Copy a window of the slot, read with its word, into the entry. */
static void
session_copy_window(SessionEntry *entry, const SharedWindow *window,
					uint64 word)
{
	SessionWindow *known = &entry->window;

	known->generation = WordGeneration(word);
	known->last = window->last;
	known->room =
		Max(Min(window->length, entry->definition.max_value - window->last), 0);
	known->length = window->lsn == InvalidXLogRecPtr ? known->room : 0;
	known->limit = known->length;
	/* a window of one id leaves no time to prepare the next */
	if (session_prefetch && entry->definition.origin != FROM_ORM &&
		RangeIsEmpty(window->next))
		known->limit = (known->length + 1) / 2;
	memcpy(known->node_tag, window->node_tag, sizeof(known->node_tag));

	/* elsewhere the node tag is that of the range */
	if (entry->definition.holder == HELD_BY_SERVER)
		memcpy(entry->node_tag, window->node_tag, sizeof(entry->node_tag));
}

/*
 * Carve a range for a session out of the window that it knows: a returned range
 * above all ids that the session has had, or else the next ids.  Return false
 * if the window is not open any more, or has no ids left.
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
		/* the ids below a whole block */
		request->skipped = 0;
		if (cut->kind == CUT_BLOCK)
			request->skipped = RangeLength(*range) - cut->size;
		range->low += request->skipped;
		slot->client = request->taken;
	}
	SpinLockRelease(&slot->spinlock);
	return done;
}

/*
 * Carve range_to_carve, and the ids below it, out of the window that a session
 * knows, in one atomic step.  Return false if that window is not open any more,
 * or has too little left.
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
		*range = range_to_carve(last, WindowHigh(known), cut);
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
 * Return the ids that a cut gets above last, of a window that ends at high; an
 * empty range if the window has too few.
 */
static Range
range_to_carve(int64 last, int64 high, const Cut *cut)
{
	bool		may_be_less = cut->kind == CUT_UP_TO_SIZE ||
		(cut->kind == CUT_SIZE && high >= cut->max_value);

	high = Min(high, cut->max_value);
	if (cut->kind == CUT_BLOCK)
		return range_block_above(last, cut->size, high);
	if (!may_be_less && high - last < cut->size)
		return EMPTY_RANGE;
	return range_above(last, cut->size, high);
}
