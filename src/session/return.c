/*
 * Ids that were carved and not handed out are returned.
 *
 * While a range is the newest of its window, one step on the word takes it
 * back; else it goes to a list of the slot, which outlives the window.  The
 * newest range of a client is returned by such a step, under the spinlock that
 * it was carved under.  Ids up to the floor of the slot, such as those that
 * were handed out before it was the generator's, or that a seed says are in
 * use, are not taken back; nor are those of another incarnation.  Nothing goes
 * back to the row.
 *
 * The lists of all slots share one pool, and are changed under the segment's
 * lock.
 *
 * A range is taken out of an entry before it is given back: an error then
 * costs a gap, never a repeat.
 */
#include "postgres.h"

#include "session/slot.h"

#define LISTED_RANGES 32768

/* A range that a session has returned from below the top of a window. */
typedef struct ListedRange
{
	Range		range;
	uint32		chain;			/* the next one; 0: none */
} ListedRange;

typedef struct ReturnedSegment
{
	uint32		unlisted;		/* the first one that was in a list; 0: none */
	uint32		used;			/* how many ever were */
	ListedRange listed[LISTED_RANGES];
} ReturnedSegment;

static ReturnedSegment *returned;

bool		session_return_on_exit = true;

static bool take_back(SessionEntry *entry, Range rest);
static bool list_range(SharedSlot *slot, Range range);
static void unlist_range(uint32 *link);
static ListedRange *listed_at(uint32 number);

void
returned_init(void)
{
	shared_memory_reserve((void **) &returned, sizeof(ReturnedSegment), true);
}

/*
 * Take the unused ids out of the entry; return how many go back to its slot.
 * The others are lost: all of them if they may not go back.
 */
int64
session_end_range(SessionEntry *entry, bool may_return)
{
	Range		rest = range_above_id(entry->range, entry->handed_out);
	int64		ids = RangeLength(rest);

	entry->current = session_current(entry);
	entry->range = EMPTY_RANGE;
	entry->handed_out = 0;
	entry->stop = 0;
	if (ids == 0 || (may_return && take_back(entry, rest)))
		return ids;
	tally(entry, TALLY_LOST, ids);
	tally(entry, TALLY_HANDED_OUT, -ids);
	return 0;
}

/*
 * Take the ids above last_used of a client's range back, if nothing was taken
 * from the window since; return whether that was done.
 *
 * With last_used = low - 1 the whole range is returned; the caller allows that
 * if the number came with the return and not from memory.
 */
bool
shared_return_range(SessionEntry *entry, const ClientRange *client, bool whole,
					int64 last_used)
{
	SharedSlot *slot = slot_find(entry->incarnation);
	int64		ids = client->range.high - last_used;
	uint64		word;
	bool		done;

	if (slot == NULL)
		return false;
	SpinLockAcquire(&slot->spinlock);
	/* while the range is on top */
	word = MakeWord(WordGeneration(pg_atomic_read_u64(&slot->word)),
					(uint64) client->range.high - (uint64) slot->window.last) |
		WINDOW_RETURNABLE;
	done = window_is_of(&slot->window, entry->incarnation) &&
		slot->client.role == client->role &&
		slot->client.number == client->number &&
		slot->client.range.high == client->range.high &&
		last_used <= client->range.high &&
		last_used >= slot->client.range.low - (whole ? 1 : 0) &&
		last_used >= slot->floor &&
		pg_atomic_compare_exchange_u64(&slot->word, &word,
									   word - WINDOW_RETURNABLE - (uint64) ids);
	SpinLockRelease(&slot->spinlock);

	if (!done)
		return false;
	/* the window no longer counts them as handed out: they come again */
	tally(entry, TALLY_IDS, ids);
	tally(entry, TALLY_RETURNED, ids);
	return true;
}

/*
 * Refuse returns of ids up to value from now on, and lose the returned ones in
 * the list.  Return the word, which no return takes below value any more.  The
 * caller has locked the segment and the spinlock; both are released.
 */
uint64
slot_raise_floor_and_unlock(SharedSlot *slot, int64 value)
{
	uint32	   *link = &slot->listed;
	int64		ids = 0;
	uint64		word = pg_atomic_read_u64(&slot->word);

	slot->floor = Max(slot->floor, value);
	SpinLockRelease(&slot->spinlock);
	while (*link != 0)
	{
		ListedRange *listed = listed_at(*link);
		Range		range = range_above_id(listed->range, value);

		ids += RangeLength(listed->range) - RangeLength(range);
		listed->range = range;
		if (RangeIsEmpty(range))
			unlist_range(link);
		else
			link = &listed->chain;
	}
	slot_count(slot, TALLY_LOST, ids);
	slot_count(slot, TALLY_HANDED_OUT, -ids);
	LWLockRelease(shared_lock);
	return word;
}

/*
 * Carve up to size ids of the lowest range that was returned to the window
 * that a session knows, of those that lie above all that it has had.
 */
Range
returned_carve(const SessionWindow *known, int64 above, int64 size)
{
	SharedSlot *slot = SlotOf(known);
	uint32	   *link = &slot->listed;
	Range		range = EMPTY_RANGE;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	while (*link != 0 && listed_at(*link)->range.low <= above)
		link = &listed_at(*link)->chain;
	if (*link != 0 &&
		WordGeneration(pg_atomic_read_u64(&slot->word)) == known->generation)
	{
		Range	   *rest = &listed_at(*link)->range;

		range = range_split(rest, size);
		if (RangeIsEmpty(*rest))
			unlist_range(link);
	}
	LWLockRelease(shared_lock);
	/* a rolled-back hilo_alter may leave ids above what is known */
	return range_clip(range, WindowHigh(known));
}

/*
 * Take the rest of the entry's range back into its slot; false if that has no
 * room, or is of another generator or incarnation.  If the word is still what
 * it was while the range was on top (offset 0: it never was), lower it; else
 * list the rest.
 */
static bool
take_back(SessionEntry *entry, Range rest)
{
	SharedSlot *slot = SlotOf(&entry->window);
	uint64		word = entry->top_word;
	uint64		ids = (uint64) RangeLength(rest);
	bool		done;

	if (slot == NULL)
		return false;
	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	done = window_is_of(&slot->window, entry->incarnation) &&
		rest.low > slot->floor;
	if (done && (WordOffset(word) < ids ||
				 !pg_atomic_compare_exchange_u64(&slot->word, &word,
												 word - ids)))
		done = list_range(slot, rest);
	LWLockRelease(shared_lock);
	return done;
}

/* Put a range into a slot's list, sorted; false if the pool is used up. */
static bool
list_range(SharedSlot *slot, Range range)
{
	uint32	   *link = &slot->listed;
	uint32		number = returned->unlisted;

	if (number != 0)
		returned->unlisted = listed_at(number)->chain;
	else if (returned->used < LISTED_RANGES)
		number = ++returned->used;
	else
		return false;
	while (*link != 0 && listed_at(*link)->range.low < range.low)
		link = &listed_at(*link)->chain;
	listed_at(number)->range = range;
	listed_at(number)->chain = *link;
	*link = number;
	return true;
}

/* Take a range out of the list that the link is of. */
static void
unlist_range(uint32 *link)
{
	uint32		number = *link;

	*link = listed_at(number)->chain;
	listed_at(number)->chain = returned->unlisted;
	returned->unlisted = number;
}

static ListedRange *
listed_at(uint32 number)
{
	return &returned->listed[number - 1];
}
