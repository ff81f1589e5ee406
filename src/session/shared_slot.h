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
	WindowKey	key;			/* whose it is; incarnation 0: free */
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
	XLogRecPtr	lsn;
	int64		size;			/* that was asked for */
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];	/* as it was then */
} HeldRange;

/* The last range that a client got out of a window. */
typedef struct CarvedRange
{
	ClientRange client;
	uint64		generation;		/* of the window */
	uint64		end;			/* the offset after it */
} CarvedRange;

/* What one session found of a generator, for the next ones. */
typedef struct Found
{
	uint64		stamp;			/* of before the look; 0: nothing was found */
	Oid			role;			/* may use it by hilo_privilege, if valid */
	Definition	definition;
	char		written[80];	/* its name, as it was first written */
} Found;

typedef struct SharedSlot
{
	pg_atomic_uint64 word;		/* alone on its cache line; see session.h */
	char		padding[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	/* changed under the segment's lock, the counters by who shares it */
	uint32		chain;			/* the next slot of the chain; 0: none */
	TransactionId database_xmin;	/* which database it is, of one OID */
	Found		found;
	Tally		counted;

	/* changed under the window lock */
	SharedWindow window;
	HeldRange	next;			/* reserved ahead of need */
	int64		size;			/* at the last reservation */
	TimestampTz taken_at;

	/* changed under the spinlock */
	slock_t		spinlock;
	int64		floor;			/* ids up to it are not taken back */
	uint32		listed;			/* the first range of the list; 0: none */
	CarvedRange carved;
} SharedSlot;

extern SharedSlot *slot_find(const WindowKey *key);
extern SharedSlot *slot_claim(const WindowKey *key, int64 epoch, int64 last);
extern void slot_free(SharedSlot *slot);
extern SharedSlot *slot_least_used(uint64 *passed);
extern bool slot_found(const WindowKey *key, Found *found);
extern void slot_keep(const WindowKey *key, const Found *found);
extern bool window_is_of(const SharedWindow *window, const WindowKey *key);

extern bool slot_carve_for_session(SharedSlot *slot, const SessionWindow *known,
								   int64 above, int64 size, Range *range);
extern bool slot_lists_above(SharedSlot *slot, int64 above);
extern bool slot_give_back(SharedSlot *slot, const WindowKey *key, int64 epoch,
						   uint64 top_word, Range rest);
extern bool slot_carve_for_client(SharedSlot *slot, const SessionWindow *known,
								  const StoreRequest *request, StoreRange *taken);
extern bool slot_can_carve(SharedSlot *slot, const StoreRequest *request);
extern uint64 slot_refuse(SharedSlot *slot, int64 value);
extern bool slot_return(SharedSlot *slot, const WindowKey *key, int64 epoch,
						const ClientRange *client, bool whole, int64 last_used);
extern bool slot_read(SharedSlot *slot, SharedWindow *window, uint64 *word);
extern int64 slot_taken(const SharedWindow *window, uint64 word);
extern int64 slot_handed_out(const SharedWindow *window, uint64 word);

/* its window */
extern Range window_unused(SharedSlot *slot);
extern Range window_open(SharedSlot *slot, SessionEntry *entry, int64 size,
						 int64 count, int64 max_value);
extern StoreResult window_reserve_next(SharedSlot *slot, SessionEntry *entry,
									   HeldRange *held);
extern void window_close(SharedSlot *slot);
extern int64 window_raise(SharedSlot *slot, int64 value, int64 epoch);

#endif							/* HILO_SHARED_SLOT_H */
