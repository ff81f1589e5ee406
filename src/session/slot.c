/*
 * What shared memory holds of a generator: its slot.
 *
 * A slot is a generator's until that is dropped, or all are taken and it gives
 * way to another one: see slot_to_evict.  Its window is changed under the
 * window lock of the generator, and read without.  Its generations only rise,
 * also when it changes hands, so the word alone shows that a copy of a window
 * is stale.
 *
 * Slots have numbers from 1 on, and chains by a hash of database and generator.
 */
#include "postgres.h"

#include "session/slot.h"

typedef struct SharedSegment
{
	int			claimed;		/* how many slots ever were */
	uint32		freed;			/* one of them that is free; 0: none is */
	Tally		counted;		/* of all generators */
	SharedSlot	slots[FLEXIBLE_ARRAY_MEMBER];
} SharedSegment;

int			max_generators = 8192;

static SharedSegment *segment;

static uint32 *link_to(Oid database, int64 incarnation);
static SharedSlot *slot_at(uint32 number);
static SharedSlot *slot_of(int64 incarnation);
static bool all_are_taken(void);
static void start_counting(Tally *counted, int64 taken);

void
slot_init(void)
{
	shared_memory_reserve((void **) &segment, offsetof(SharedSegment, slots) +
						  max_generators * sizeof(SharedSlot), true);
}

/*
 * Return the slot of a generator, of whichever incarnation; NULL if it has
 * none.  It stays the generator's only under its window lock.
 */
SharedSlot *
slot_find_in(Oid database, int64 incarnation)
{
	SharedSlot *slot;

	LWLockAcquire(shared_lock, LW_SHARED);
	slot = slot_at(*link_to(database, incarnation));
	LWLockRelease(shared_lock);
	return slot;
}

/*
 * Take a free slot, for the caller to claim; return NULL if there is none.  No
 * error may come before slot_claim.
 */
SharedSlot *
slot_take_free(void)
{
	SharedSlot *slot;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	slot = slot_at(segment->freed);
	if (slot != NULL)
		segment->freed = slot->chain;
	else if (segment->claimed < max_generators)
	{
		slot = slot_at(++segment->claimed);
		SpinLockInit(&slot->spinlock);
	}
	LWLockRelease(shared_lock);
	return slot;
}

/*
 * Take the slot of a generator out of its chain, and put it into the list of
 * free ones.  The caller holds the window lock, and has closed the window.
 */
void
slot_free(SharedSlot *slot)
{
	uint32	   *link;
	uint32		number;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	link = link_to(slot->window.key.database, slot->window.key.incarnation);
	number = *link;
	*link = slot->chain;
	slot->chain = segment->freed;
	segment->freed = number;
	LWLockRelease(shared_lock);
}

/*
 * Return a slot that was not used since the last look at it here.  All were
 * claimed.  The search begins at random.  If it went on where the last one
 * ended, generators that are used in turn would each lose their slots just
 * before their next use.
 */
SharedSlot *
slot_to_evict(void)
{
	SharedSlot *slot = slot_at((uint64) random_number() % max_generators + 1);
	uint64		word;

	while (slot->seen != (word = pg_atomic_read_u64(&slot->word)))
	{
		slot->seen = word;
		if (++slot == segment->slots + max_generators)
			slot = segment->slots;
	}
	return slot;
}

/*
 * Begin a slot anew, above last and without a window: that of the generator,
 * whose window is closed, or one that slot_take_free has returned.  The caller
 * holds the window lock.
 *
 * If a generator comes back while all slots are taken, it may soon lose its
 * slot again, so its next window is half of its last one, of last_size.  A new
 * one, with a last_size of 0, gets a whole window.
 */
void
slot_claim(SharedSlot *slot, int64 incarnation, int64 last, int64 last_size)
{
	uint32	   *link;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	link = link_to(MyDatabaseId, incarnation);
	if (*link == 0)
	{
		slot->chain = 0;
		*link = (uint32) (slot - segment->slots) + 1;
		start_counting(&slot->counted, 0);
		if (segment->counted.since == 0)
			segment->counted.since = slot->counted.since;
	}
	slot->size =
		all_are_taken() ? (Min(last_size, RANGE_DEFAULT_SIZE) + 1) / 2 : 0;
	slot->taken_at = GetCurrentTimestamp();
	SpinLockAcquire(&slot->spinlock);
	slot->window.key = window_key(incarnation);
	slot->window.tenancy = (uint32) random_number() | 1;
	slot->window.reserved = last;
	slot->window.last = last;
	slot->window.length = 0;
	slot->window.next = EMPTY_RANGE;
	slot->floor = last;
	SpinLockRelease(&slot->spinlock);
	LWLockRelease(shared_lock);
}

/*
 * Return how many ids a window has at least: range_size, or fewer after
 * slot_claim.
 */
int64
slot_range_size(const SharedSlot *slot, int64 range_size)
{
	if (slot->size == 0 || !all_are_taken())
		return range_size;
	return Min(range_size, slot->size);
}

/*
 * Count something of a generator, in its slot if it has one, and for the
 * server: when a range is taken, used up or given back, never when an id is
 * handed out.  Raises no error.
 */
void
tally(const SessionEntry *entry, TallyCounter counter, int64 count)
{
	if (count == 0 || shared_lock == NULL)
		return;
	LWLockAcquire(shared_lock, LW_SHARED);
	slot_count(slot_of(entry->incarnation), counter, count);
	LWLockRelease(shared_lock);
}

/*
 * Read what was counted of a generator of this database, or, for the
 * incarnation 0, of all generators of the server; with the ids taken from open
 * windows.
 */
void
tally_read(int64 incarnation, TimestampTz *since, int64 *counters)
{
	SharedSlot *slot;
	Tally	   *counted = NULL;
	int64		taken = 0;

	shared_memory_attach();
	LWLockAcquire(shared_lock, LW_SHARED);
	if (incarnation == 0)
	{
		counted = &segment->counted;
		for (int number = 1; number <= max_generators; number++)
			taken += SlotTaken(slot_at(number));
	}
	else if ((slot = slot_of(incarnation)) != NULL)
	{
		counted = &slot->counted;
		taken = SlotTaken(slot);
	}
	*since = counted == NULL ? 0 : counted->since;
	for (int i = 0; i < TALLY_COUNTERS; i++)
		counters[i] = counted == NULL ? 0 :
			(int64) pg_atomic_read_u64(&counted->counters[i]);
	counters[TALLY_HANDED_OUT] += taken;
	LWLockRelease(shared_lock);
}

/*
 * Count from zero what is counted of the generators of this database, and of
 * the server.  The ids taken from open windows will count when these end.
 */
void
tally_reset(void)
{
	int64		taken = 0;

	shared_memory_attach();
	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	for (int number = 1; number <= max_generators; number++)
	{
		SharedSlot *slot = slot_at(number);
		int64		of_slot = SlotTaken(slot);

		taken += of_slot;
		if (slot->window.key.database == MyDatabaseId)
			start_counting(&slot->counted, of_slot);
	}
	start_counting(&segment->counted, taken);
	LWLockRelease(shared_lock);
}

bool
window_is_of(const SharedWindow *window, int64 incarnation)
{
	return window->key.incarnation == incarnation &&
		window->key.database == MyDatabaseId;
}

/*
 * Check whether a window is of a row, and was reserved when the row was read.
 *
 * Another database of the same OID may have had the slot before, with a copy of
 * the row.  The row says whether its last reservation was in the slot's
 * tenancy; and it is behind the slot if more was reserved after the copy was
 * made.
 */
bool
window_is_of_row(const SharedWindow *window, const FormData_hilo_hi *hi)
{
	return window_is_of(window, hi->incarnation) &&
		window->tenancy == TenancyOf(hi) &&
		window->reserved <= hi->reserved;
}

/* Read a slot's window, without the window lock, and return its word. */
uint64
slot_read(SharedSlot *slot, SharedWindow *window)
{
	uint64		word;

	SpinLockAcquire(&slot->spinlock);
	*window = slot->window;
	word = pg_atomic_read_u64(&slot->word);
	SpinLockRelease(&slot->spinlock);
	return word;
}

/*
 * Return the last id of a generator that was carved, with its row as just read:
 * "reserved", or, if that lies in the open window or ends the next one, the
 * last id taken from the open window.
 */
int64
shared_last_carved(const FormData_hilo_hi *hi)
{
	int64		last = hi->reserved;
	SharedSlot *slot;
	SharedWindow window;
	uint64		word;

	if (RecoveryInProgress())
		return last;
	shared_memory_attach();
	slot = slot_find(hi->incarnation);
	if (slot == NULL)
		return last;
	word = slot_read(slot, &window);
	if (!window_is_of(&window, hi->incarnation) ||
		window.tenancy != TenancyOf(hi))
		return last;
	if (last == window.next.high)
		last = window.next.low - 1;
	/* more may have been reserved since the row was read */
	if (last > window.last && last <= WindowHigh(&window))
		last = window.last + (int64) WordOffset(word);
	return last;
}

/* Count something of a slot that stays its generator's; NULL: of the server. */
void
slot_count(SharedSlot *slot, TallyCounter counter, int64 count)
{
	if (slot != NULL)
		pg_atomic_fetch_add_u64(&slot->counted.counters[counter], count);
	pg_atomic_fetch_add_u64(&segment->counted.counters[counter], count);
}

/*
 * Return the link to a generator's slot, or where to put it, under the
 * segment's lock.
 */
static uint32 *
link_to(Oid database, int64 incarnation)
{
	uint32		hash = murmurhash32(GeneratorOf(incarnation) ^ database);
	uint32	   *link = &segment->slots[hash % max_generators].first;

	while (*link != 0 &&
		   (slot_at(*link)->window.key.database != database ||
			!SameGenerator(slot_at(*link)->window.key.incarnation,
						   incarnation)))
		link = &slot_at(*link)->chain;
	return link;
}

static SharedSlot *
slot_at(uint32 number)
{
	return number == 0 ? NULL : &segment->slots[number - 1];
}

/*
 * Return the slot of a generator of this database.  The caller holds the
 * segment's lock.
 */
static SharedSlot *
slot_of(int64 incarnation)
{
	return slot_at(*link_to(MyDatabaseId, incarnation));
}

/* Check whether no slot is free. */
static bool
all_are_taken(void)
{
	return segment->freed == 0 && segment->claimed == max_generators;
}

static void
start_counting(Tally *counted, int64 taken)
{
	for (int i = 0; i < TALLY_COUNTERS; i++)
		pg_atomic_write_u64(&counted->counters[i], i == TALLY_HANDED_OUT ?
							-taken : 0);
	counted->since = GetCurrentTimestamp();
}
