/* What shared memory holds of a generator. */
#ifndef HILO_SLOT_H
#define HILO_SLOT_H

#include "storage/spin.h"

#include "session/session.h"

/* The window of a slot, to be read by any session: see slot_read. */
typedef struct SharedWindow
{
	WindowKey	key;			/* the generator and its life */
	uint32		tenancy;		/* since when: no two have the same number */
	int64		reserved;		/* the highest id reserved in this tenancy */
	int64		last;			/* the id before its first one */
	int64		length;			/* 0: none is open */
	XLogRecPtr	lsn;			/* flush it before an id is drawn; 0: done */
	Oid			source_version; /* the entry's when it was opened */
	Range		next;			/* reserved to follow it; empty if none is */
	XLogRecPtr	next_lsn;		/* it may be used when that is on disk */
	char		next_node_tag[NODE_TAG_MAX_LENGTH + 1]; /* as it was then */
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];
} SharedWindow;

/* What was counted of a generator, or of the server. */
typedef struct Tally
{
	TimestampTz since;			/* 0: nothing was counted */
	pg_atomic_uint64 counters[TALLY_COUNTERS];
} Tally;

typedef struct SharedSlot
{
	pg_atomic_uint64 word;		/* alone on its cache line; see session.h */
	char		padding[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	uint64		seen;			/* the word when slot_to_evict last looked */

	/* changed under the segment's lock; for counters, a shared one will do */
	uint32		first;			/* slot of the chain of this number; 0: none */
	uint32		chain;			/* the next slot of its own chain; 0: none */
	uint32		listed;			/* the lowest range of the list; 0: none */
	Tally		counted;

	/* changed under the window lock */
	SharedWindow window;
	int64		size;			/* adaptive: see window_reserve */
	TimestampTz taken_at;		/* when the last window was reserved */
	TimestampTz jumped_at;		/* when a row last had an id above it */

	/* changed under the spinlock */
	slock_t		spinlock;
	int64		floor;			/* ids up to it are not taken back */
	ClientRange client;			/* the last one out of the window */
} SharedSlot;

/* how many ids were taken from the window of a slot */
#define SlotTaken(slot) ((int64) WordOffset(pg_atomic_read_u64(&(slot)->word)))

/* the slot of a generator of this database, or NULL */
#define slot_find(incarnation) slot_find_in(MyDatabaseId, incarnation)

/* the slot of a window that a session knows; the last id of a window */
#define SlotOf(known) ((SharedSlot *) (known)->word)
#define WindowHigh(window) ((window)->last + (int64) (window)->length)

/* slot.c: the table of slots */
extern SharedSlot *slot_find_in(Oid database, int64 incarnation);
extern void slot_claim(SharedSlot *slot, int64 incarnation, int64 last,
					   int64 last_size);
extern SharedSlot *slot_take_free(void);
extern void slot_free(SharedSlot *slot);
extern SharedSlot *slot_to_evict(void);
extern int64 slot_range_size(const SharedSlot *slot, int64 range_size);
extern bool window_is_of(const SharedWindow *window, int64 incarnation);
extern bool window_is_of_row(const SharedWindow *window,
							 const FormData_hilo_hi *hi);
extern uint64 slot_read(SharedSlot *slot, SharedWindow *window);
extern void slot_count(SharedSlot *slot, TallyCounter counter, int64 count);

/* carve.c: ids are carved from windows */
extern void session_refill(SessionEntry *entry, int64 wanted);

/* reserve.c: windows are reserved, and opened */
extern void window_prefetch(SessionEntry *entry);
extern bool window_open(SharedSlot *slot, SessionEntry *entry, int64 size,
						int64 above);
extern void window_flush(SharedSlot *slot, const SessionEntry *entry);

/* return.c: what was carved and not handed out comes back */
extern uint64 slot_raise_floor_and_unlock(SharedSlot *slot, int64 value);
extern Range returned_carve(const SessionWindow *known, int64 above,
							int64 size);

/* end.c: windows end */
extern void slot_ensure(text *name, const FormData_hilo_hi *hi);
extern SharedSlot *slot_for(text *name, int64 incarnation);
extern void window_raise(SharedSlot *slot, int64 value, int64 incarnation);
extern void window_stop_and_lock(SharedSlot *slot);

/* What is left of the window is lost. */
#define window_close(slot) \
	window_raise(slot, WINDOW_CLOSES, (slot)->window.key.incarnation)

/* look_up.c: errors, and rights */
pg_noreturn extern void session_report_exhausted(SessionEntry *entry,
												 int64 max_value,
												 int64 skipped);

#endif							/* HILO_SLOT_H */
