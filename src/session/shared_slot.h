/*
 * What shared memory holds of a generator.
 */
#ifndef HILO_SHARED_SLOT_H
#define HILO_SHARED_SLOT_H

#include "storage/spin.h"

#include "session/session.h"

/* The window of a slot, which anybody may read: see slot_read. */
typedef struct SharedWindow
{
	uint64		changes;		/* odd while there is one */
	uint64		generation;
	Range		range;			/* empty if none is open */
	int64		handed_out;		/* the last id handed out before it */
	Range		ahead;			/* reserved to follow it; empty if none is */
	int64		epoch;
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];
} SharedWindow;

/* A range that was reserved; its ids may be used when lsn is on disk. */
typedef struct HeldRange
{
	Range		range;
	int64		number;			/* the last client number given before it */
	int64		last_number;
	XLogRecPtr	lsn;
	int64		size;			/* that was asked for */
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];	/* as it was then */
} HeldRange;

/* ranges that sessions have returned from below the top of a window */
#define LISTED_RANGES 16

/* The last range that a client got out of a window. */
typedef struct CarvedRange
{
	ClientRange client;
	uint64		generation;		/* of the window */
	uint64		end;			/* the offset after it */
} CarvedRange;

typedef struct SharedSlot
{
	pg_atomic_uint64 word;		/* alone on its cache line; see session.h */
	char		padding[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	/* whose it is; changed under the segment's lock */
	WindowKey	key;
	uint64		tenancy;		/* another one for each owner; 0: free */
	uint32		chain;			/* the next slot of the chain; 0: none */
	pg_atomic_uint32 sessions;	/* that have a part in it */

	/* changed under the window lock */
	SharedWindow window;
	HeldRange	next;			/* reserved ahead of need */
	int64		size;			/* at the last reservation */
	TimestampTz taken_at;

	/* changed under the spinlock */
	slock_t		spinlock;
	uint64		era;			/* windows from it on may be returned to */
	int			nlisted;
	Range		listed[LISTED_RANGES];
	CarvedRange carved;
	int64		number;			/* of the last range for a client */
	int64		last_number;	/* that the window came with */

	/* for whoever evicts the generator */
	Definition	definition;
	int			name_length;
	char		name[ID_MAX_LENGTH];
} SharedSlot;

extern SharedSlot *slot_find(const WindowKey *key);
extern SharedSlot *slot_claim(const WindowKey *key, const SessionEntry *entry,
							  int64 last);
extern bool slot_add_chunk(void);
extern SharedSlot *slot_least_used(uint64 *passed);
extern bool slot_is_of(const SharedSlot *slot, const WindowKey *key);

extern bool slot_carve_for_session(SharedSlot *slot, const SessionWindow *known,
								   int64 above, int64 size, Range *range);
extern bool slot_lists_above(SharedSlot *slot, int64 above);
extern bool slot_give_back(SharedSlot *slot, uint64 top_word, Range rest);
extern bool slot_carve_for_client(SharedSlot *slot, const SessionWindow *known,
								  const StoreRequest *request, StoreRange *taken);
extern bool slot_can_carve(SharedSlot *slot, const StoreRequest *request);
extern uint64 slot_refuse_return(SharedSlot *slot, int64 value);
extern bool slot_return(SharedSlot *slot, const WindowKey *key, int64 epoch,
						const ClientRange *client, bool whole, int64 last_used);
extern bool slot_read(SharedSlot *slot, SharedWindow *window, uint64 *word);
extern int64 slot_taken(const SharedWindow *window, uint64 word);
extern int64 slot_handed_out(const SharedWindow *window, uint64 word);

extern bool slot_leave(SharedSlot *slot, SessionWindow *session,
					   WindowKey *key);
extern bool slot_is_left(SharedSlot *slot, uint64 tenancy);

/* its window */
extern Range window_unused(SharedSlot *slot);
extern Range window_open(SharedSlot *slot, SessionEntry *entry, int64 size,
						 int64 count, int64 max_value);
extern void window_set_next(SharedSlot *slot, const HeldRange *held);
extern StoreResult window_reserve(SharedSlot *slot, SessionEntry *entry,
								  int64 count, Remainder *kept,
								  HeldRange *held);
extern void window_close(SharedSlot *slot, bool wait);
extern void window_end(const WindowKey *key, bool wait);
extern void window_leave(SharedSlot *slot, bool return_rest);

#endif							/* HILO_SHARED_SLOT_H */
