/*
 * Windows are reserved, and opened.
 *
 * Whatever opens, closes or prepares a window holds the generator's window
 * lock; what opens or prepares one holds the generator's lock, too, in
 * RowExclusive mode.
 *
 * An error costs a gap, never a repeat: a range is put into the slot when its
 * WAL is written, and ids are drawn from it when that is on disk.
 */
#include "postgres.h"

#include "session/slot.h"

/* a window may have this share of max_value in any case */
#define WINDOW_SHARE 32768
/* asked of a hub at once */
#define WINDOWS_OF_HUB 4

/*
 * reserved above the second of two ids that jump over a window within a second
 */
#define JUMPS_AHEAD 8

int			session_hub_window = 0;

static int64 reserve_ahead(SharedSlot *slot, SessionEntry *entry);
static bool window_reserve(SharedSlot *slot, SessionEntry *entry,
						   StoreRequest *request);
static int64 size_of_hub(const SharedSlot *slot, int64 size, int64 ceiling);
static int64 jumps_ahead(SharedSlot *slot, int64 above, int64 max_value);
static bool reserve_range(SessionEntry *entry, StoreRequest *request);
static void flush_counted(const SessionEntry *entry, XLogRecPtr lsn);

/*
 * Reserve the next window, unless another session is at work on it, and leave
 * it to the walwriter to bring it to disk.  A session tries that once for each
 * window.
 */
void
window_prefetch(SessionEntry *entry)
{
	SessionWindow *window = &entry->window;
	SharedSlot *slot = SlotOf(window);
	int64		reserved = 0;

	/* the look without the lock saves most sessions the attempt */
	if (RangeIsEmpty(slot->window.next))
	{
		/*
		 * A drop holds the row to the end of its transaction, and asks for
		 * the window's lock: wait for it before that is held here.
		 */
		lock_generator(entry->incarnation, RowExclusiveLock);
		/* a session that holds it does this, or makes it needless */
		if (try_lock_window(entry->incarnation))
		{
			uint64		word = pg_atomic_read_u64(&slot->word);

			if (WordGeneration(word) == window->generation &&
				RangeIsEmpty(slot->window.next))
				reserved = reserve_ahead(slot, entry);
			unlock_window(entry->incarnation);
		}
		unlock_generator(entry->incarnation, RowExclusiveLock);
	}
	window->limit = window->length;
	session_warn_of_end(entry, reserved);
}

/*
 * Reserve the next window, and return its last id; 0 if the hub is away, or no
 * id is left.
 */
static int64
reserve_ahead(SharedSlot *slot, SessionEntry *entry)
{
	StoreRequest request = {.size = 1,.nowait = true};
	bool		done = window_reserve(slot, entry, &request);

	slot_count(slot, done ? TALLY_PREFETCHED : TALLY_PREFETCH_BUSY, 1);
	if (!done)
		return 0;
	XLogSetAsyncXactLSN(slot->window.next_lsn);
	return slot->window.next.high;
}

/*
 * Open a window over the ids that were reserved ahead of need; without any,
 * reserve at least size ids now.  What is left of the window before comes
 * first, if it adjoins.
 *
 * Above is 0, or an id that a row brings.  Leave all ids up to that out of the
 * window, and return false if no id above it is left.
 */
bool
window_open(SharedSlot *slot, SessionEntry *entry, int64 size, int64 above)
{
	SharedWindow *window = &slot->window;
	bool		is_ahead = !RangeIsEmpty(range_above_id(window->next, above));
	bool		is_on_disk = window->next_lsn <= GetFlushRecPtr(NULL);
	bool		same_tag;
	Range		head;
	int64		lost = is_ahead ? 0 : RangeLength(window->next);
	StoreRequest request =
	{.size = size,.last_max = above,.nowait = above > 0};

	if (!is_ahead && !window_reserve(slot, entry, &request))
		return false;
	if (is_ahead && above == 0)
		slot_count(slot, is_on_disk ? TALLY_PREFETCH_HITS :
				   TALLY_PREFETCH_MISSES, 1);
	slot_count(slot, TALLY_WINDOWS, 1);

	same_tag = strcmp(window->node_tag, window->next_node_tag) == 0;
	window_stop_and_lock(slot);
	lost += window->length + RangeLength(window->next);
	if (same_tag && WindowHigh(window) == window->next.low - 1)
		window->next.low = window->last + 1;
	window->next = range_above_id(window->next, above);
	head = range_split(&window->next, WINDOW_MAX_LENGTH);
	window->last = head.low - 1;
	window->length = RangeLength(head);
	window->lsn = window->next_lsn;
	lost -= window->length + RangeLength(window->next);
	window->source_version = entry->source_version;
	memcpy(window->node_tag, window->next_node_tag,
		   sizeof(window->next_node_tag));
	(void) slot_raise_floor_and_unlock(slot, same_tag ? 0 : window->last);
	slot_count(slot, TALLY_LOST, lost);
	return true;
}

/*
 * Wait until the WAL of the open window has reached the disk and the standbys,
 * if any, whatever this session asks for: the others trust in it.  After an
 * error the next session that draws from the window waits.
 */
void
window_flush(SharedSlot *slot, const SessionEntry *entry)
{
	if (slot->window.lsn == InvalidXLogRecPtr)
		return;
	flush_counted(entry, slot->window.lsn);
	SpinLockAcquire(&slot->spinlock);
	slot->window.lsn = InvalidXLogRecPtr;
	SpinLockRelease(&slot->spinlock);
}

/*
 * Take a range past the window, and wait until it is on disk.  The caller holds
 * the generator's lock.  A request without a max_value has the generator's.
 * Return false if the caller must give the lock up and call hub_rest.
 */
bool
session_take(SessionEntry *entry, StoreRequest *request)
{
	if (!reserve_range(entry, request))
		return false;
	flush_counted(entry, request->lsn);
	tally(entry, TALLY_HANDED_OUT, RangeLength(request->taken.range));
	session_warn_of_end(entry, request->taken.range.high);
	return true;
}

/*
 * Reserve the range after the window: at least the ids that the request asks
 * for, and half of the adaptive size, because the next window is reserved while
 * this one is in use.  That size is limited by max_range_size or, if ids come
 * from the generator's own row, by a small share of max_value if that is more;
 * and by a small share of the ids left.
 */
static bool
window_reserve(SharedSlot *slot, SessionEntry *entry, StoreRequest *request)
{
	const Definition *definition = &entry->definition;
	SharedWindow *window = &slot->window;
	int64		ceiling = definition->max_range_size;
	int64		size;

	if (definition->origin == FROM_ROW)
		ceiling = Max(ceiling, Min(RANGE_DEFAULT_MAX_SIZE,
								   definition->max_value / WINDOW_SHARE));
	/* what restarts lose must not end the generator */
	ceiling = Min(ceiling,
				  RangeShare(definition->max_value - window->reserved));
	size = range_adapted_size(slot->size, slot->taken_at,
							  slot_range_size(slot, definition->range_size),
							  ceiling);
	size = Min(size, ceiling);
	/* an ORM takes ids of its own source */
	if (definition->origin != FROM_ORM)
		request->size = Max(request->size,
							Min(size / 2 + size % 2, WINDOW_MAX_LENGTH));
	if (definition->origin == FROM_HUB)
		request->size = size_of_hub(slot, request->size, ceiling);
	if (request->last_max > 0)
		request->size = Max(request->size,
							jumps_ahead(slot, request->last_max,
										definition->max_value));
	if (!reserve_range(entry, request))
		return false;

	/* a restore has changed the incarnation since the entry was looked up */
	if (request->incarnation != slot->window.key.incarnation)
	{
		session_lose_range(entry);
		entry->incarnation = request->incarnation;
		window_close(slot);
		slot_claim(slot, request->incarnation, request->taken.range.low - 1, 0);
	}

	SpinLockAcquire(&slot->spinlock);
	window->next = request->taken.range;
	window->next_lsn = request->lsn;
	strlcpy(window->next_node_tag, hilo_node_tag,
			sizeof(window->next_node_tag));
	SpinLockRelease(&slot->spinlock);
	slot->size = size;
	slot->taken_at = GetCurrentTimestamp();
	return true;
}

/*
 * Return how many ids to ask of a hub that needs to give size.  It may be away
 * for a while: ask for those of hilo.hub_window, at the pace at which the open
 * window was used, but at most ceiling.  Of more ids than a window has, the
 * next would be asked for late: when half of the last window of them is used.
 */
static int64
size_of_hub(const SharedSlot *slot, int64 size, int64 ceiling)
{
	double		elapsed = Max(GetCurrentTimestamp() - slot->taken_at, 1);
	double		share = session_hub_window * (double) USECS_PER_SEC / elapsed;
	double		ids = Min(slot->window.length * share, (double) ceiling);

	ids = Max(ids, (double) size * WINDOWS_OF_HUB);
	return Max(size, (int64) Min(ids, (double) WINDOW_MAX_LENGTH / 2));
}

/*
 * Return how many ids are to be reserved above one, so that more such jumps
 * find a window.
 */
static int64
jumps_ahead(SharedSlot *slot, int64 above, int64 max_value)
{
	TimestampTz now = GetCurrentTimestamp();
	int64		jump = above - slot->window.last - SlotTaken(slot);
	int64		ids = 0;

	if (now - slot->jumped_at < USECS_PER_SEC)
		ids =
			Min(jump,
				RangeShare(max_value - above) / JUMPS_AHEAD) * JUMPS_AHEAD;
	slot->jumped_at = now;
	return ids;
}

/*
 * Reserve a range at the source of a generator, and note the slot's tenancy in
 * the row.  The caller holds the generator's lock, and may use the ids after
 * flush_counted.  With nowait, return false if the hub is away or no id is
 * left; otherwise report an error.  Return false if the generator is locked on
 * a Citus coordinator, too.
 */
static bool
reserve_range(SessionEntry *entry, StoreRequest *request)
{
	int64		max_value = entry->definition.max_value;
	SharedSlot *slot = slot_find(entry->incarnation);
	StoreResult result;

	request->name = entry->name;
	request->definition = &entry->definition;
	request->incarnation = entry->incarnation;
	if (slot != NULL)
		request->tenancy = slot->window.tenancy;
	if (request->max_value == 0 || request->max_value > max_value)
		request->max_value = max_value;
	result = source_take(request);
	if (result == STORE_OK)
	{
		if (slot != NULL)
		{
			SpinLockAcquire(&slot->spinlock);
			slot->window.reserved = Max(slot->window.reserved,
										request->taken.range.high);
			SpinLockRelease(&slot->spinlock);
		}
		tally(entry, TALLY_RANGES, 1);
		tally(entry, TALLY_IDS, RangeLength(request->taken.range));
		return true;
	}
	if (request->nowait || result == STORE_BUSY)
		return false;
	if (result == STORE_EXHAUSTED)
		session_report_exhausted(entry, request->max_value, request->skipped);
	elog(ERROR, "generator \"%s\" vanished under its lock",
		 text_to_cstring(entry->name));
}

static void
flush_counted(const SessionEntry *entry, XLogRecPtr lsn)
{
	int64		waited = flush_wal(lsn);

	if (waited < 0)
		return;
	tally(entry, TALLY_FLUSH_WAITS, 1);
	tally(entry, TALLY_FLUSH_TIME, waited);
}
