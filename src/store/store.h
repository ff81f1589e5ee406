/*-------------------------------------------------------------------------
 *
 * store.h
 *	  hilo_hi: how far each generator has been reserved.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_STORE_H
#define HILO_STORE_H

#include "access/xlogdefs.h"

#include "base/range.h"
#include "store/hi_row.h"

/*
 * What is asked of store_take.
 */
typedef struct StoreRequest
{
	text	   *name;			/* folded */
	int64		incarnation;
	int64		max_value;
	int64		size;			/* how many ids */
	bool		whole_block;	/* a multiple of size .. and size - 1 more */
	bool		recycle;		/* spare ranges may be handed out */
	bool		wait;			/* for the row, if somebody holds it */
	Range		own;			/* a range of the caller's to be continued */
	Oid			role;			/* who may return it; InvalidOid: a session */
	int64		last_max;		/* take above this at least */
	bool		small_skip;		/* after a failover, whatever the setting says */
	bool		is_exact;		/* not more ids, where that would be easier */
} StoreRequest;

/*
 * What store_take gives.  Its ids may be used once flush_wal has come back.
 */
typedef struct StoreRange
{
	Range		range;
	bool		continues;		/* the caller's own range, which is now longer */
	int64		number;
	int64		epoch;
	XLogRecPtr	lsn;
} StoreRange;

/*
 * What a seed does with the ids up to its value that are reserved.
 */
typedef enum SeedKind
{
	SEED_RAISE,					/* nothing: they go on being handed out */
	SEED_PASS,					/* they are in use: none of them is handed out */
	SEED_FORCE					/* "last" is set, to go down, too */
} SeedKind;

/* Says whether a seed changes more than "last", where that is above the value */
#define SeedChanges(kind, value) \
	((kind) == SEED_FORCE || ((kind) == SEED_PASS && (value) > 0))

extern int	store_failover_skip;

extern StoreResult store_take(const StoreRequest *request, StoreRange *taken);
extern StoreResult store_receive(const StoreRequest *request, Range range,
								 StoreRange *taken);
extern void store_note(Relation ledger, int64 incarnation, StoreRange *taken);
extern bool store_give_back(text *name, int64 incarnation, int64 epoch,
							Range own, int64 next, bool recycle, bool wait);
extern bool store_return(text *name, int64 incarnation, int64 number,
						 bool whole, Oid role, int64 high, int64 last_used);
extern int64 store_seed(text *name, int64 value, SeedKind kind,
						int64 max_value);

extern void store_forget(text *name, int64 max_value);

extern void store_foresee(FormData_hilo_hi *hi, int64 max_value);
extern bool store_read(text *name, FormData_hilo_hi *hi);
extern bool store_lock(text *name, LOCKMODE lockmode, FormData_hilo_hi *hi);
extern int64 store_spare_ids(const FormData_hilo_hi *hi, int64 max_value);
extern void store_insert(text *name, int64 last, int64 size, bool frozen);
extern void store_delete(text *name);
extern HeapTuple store_restore(Relation rel, HeapTuple tuple);

/* flush.c */
extern void flush_wal(XLogRecPtr lsn, int64 incarnation);
extern void flush_wal_for_all(XLogRecPtr lsn, int64 incarnation);
extern void flush_wait_for_standbys(XLogRecPtr lsn);

#endif							/* HILO_STORE_H */
