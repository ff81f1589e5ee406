/*-------------------------------------------------------------------------
 *
 * session_entry.h
 *	  What this session knows of a generator.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SESSION_ENTRY_H
#define HILO_SESSION_ENTRY_H

#include "access/parallel.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "miscadmin.h"

#include "base/compat.h"
#include "base/node.h"
#include "base/range.h"
#include "base/scatter.h"
#include "session/window.h"
#include "store/hi_row.h"
#include "table/catalog.h"
#include "table/definition.h"

/*
 * A range that was reserved; its ids may be used when lsn is on disk.
 */
typedef struct HeldRange
{
	Range		range;
	bool		continues;		/* to hilo_hi, one range with the one before */
	XLogRecPtr	lsn;
	int64		size;			/* that was asked for */
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];	/* as it was then */
} HeldRange;

/*
 * What this session knows and holds of a generator.  Entries are never freed.
 */
typedef struct SessionEntry
{
	text	   *name;			/* hash key: the folded name */
	struct SessionEntry *older; /* the entry made before this one */

	/* what every call looks at */
	int64		last;			/* the id before the next one */
	int64		stop;			/* ids up to here need no second look */
	uint64		generation;		/* of the catalog when it was checked */
	LocalTransactionId lxid;	/* the transaction that has its lock */
	Oid			role;			/* whose rights were checked */
	int			scatter_bits;	/* ids go through scatter_id; 0: they do not */
	int			synced;			/* the synchronous_commit it was flushed by */

	/* the generator */
	int64		incarnation;	/* 0: not looked up yet */
	int64		epoch;
	Definition	definition;
	text	   *written;		/* the name as it was first written */

	/* the ranges */
	Range		range;			/* as hilo_hi knows it; above last still ours */
	XLogRecPtr	lsn;			/* of its reservation */
	int64		start;			/* the first id handed out of it here */
	int64		counted;		/* ids up to here are in the tally */
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];
	HeldRange	prefetched;
	int64		prefetch_at;	/* reserve the next range after this id */
	int64		size;			/* of the range taken last */
	TimestampTz taken_at;
	int64		current;		/* handed out before start; 0: nothing */
	int			warned;			/* percentage in the last warning */

	/* if the generator's order is global, the sessions' common range */
	SessionWindow window;

	/* the last range given to the client, for a return without a number */
	int64		client_number;
	int64		client_incarnation;
} SessionEntry;

extern bool session_prefetch;
extern bool session_return_on_exit;

/* from here on by "older", all entries */
extern SessionEntry *session_latest_entry;

extern SessionEntry *session_entry(text *written);
extern SessionEntry *session_find(text *name);
extern void session_check(SessionEntry *entry, const char *function);
extern void session_check_size(const SessionEntry *entry, int64 size,
							   const char *argument);
extern void session_require_use(SessionEntry *entry,
								const Definition *definition);
extern void session_forget(SessionEntry *entry);
extern void session_let_go(SessionEntry *entry);
extern void session_settle(SessionEntry *entry);
extern int64 session_current(const SessionEntry *entry);
extern void session_warn_of_end(SessionEntry *entry, int64 last);
pg_noreturn extern void session_exhausted(SessionEntry *entry, int64 max_value);
extern void session_require_taken(SessionEntry *entry, StoreResult result,
								  int64 max_value);
extern void session_at_exit(void (*give_back) (SessionEntry *entry));

/*
 * Gives the id that a number of the generator stands for.
 */
static inline int64
session_id(const SessionEntry *entry, int64 number)
{
	return likely(entry->scatter_bits == 0) ? number :
		scatter_id(number, entry->scatter_bits);
}

/*
 * Says whether the generator needs no second look: it is locked by this
 * transaction, nothing has changed since it was looked at, the role is the one
 * whose rights were checked, and nextval would not be refused.
 */
static inline bool
session_checked(const SessionEntry *entry)
{
	return entry->lxid == MyLocalTransactionId &&
		entry->generation == catalog_generation &&
		!XactReadOnly &&
		entry->role == GetUserId() &&
		!IsInParallelMode();
}

/*
 * Says whether the next id of the session's range can be handed out at once:
 * the range needs no second look either, and is where synchronous_commit asks
 * for it.
 */
static inline bool
session_ready(const SessionEntry *entry)
{
	return entry->last < entry->stop &&
		entry->synced >= synchronous_commit &&
		session_checked(entry);
}

#endif							/* HILO_SESSION_ENTRY_H */
