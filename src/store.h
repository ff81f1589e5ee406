/*-------------------------------------------------------------------------
 *
 * store.h
 *	  hilo_hi: how far each generator has been reserved.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/store.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_STORE_H
#define HILO_STORE_H

#include "access/htup.h"
#include "access/xlogdefs.h"
#include "datatype/timestamp.h"
#include "utils/relcache.h"

#include "range.h"

/* ranges given back from below the top one, kept in the row */
#define STORE_SPARES 4

/*
 * A row of hilo_hi, up to its name; keep in step with store.sql.
 */
typedef struct FormData_hilo_hi
{
	int64		last;			/* the highest id ever reserved */
	int64		top_low;		/* the top range is top_low .. last */
	int64		top_number;		/* names the top range, for ever */
	int64		last_size;		/* how many ids the last taker got */
	int64		incarnation;	/* random; another one after drop and create */
	int64		system_identifier;	/* of the server of the last allocation */
	TimestampTz since;			/* last was since_last then, at creation or at */
	int64		since_last;		/* the last seed */
	Range		spare[STORE_SPARES];	/* given back, empty if unused */
	int64		epoch;			/* changes when sessions must forget */
	int32		timeline;		/* of the last allocation */
	Oid			top_role;		/* who holds the top range by hilo_next_range */
} FormData_hilo_hi;

/* padding at the end would lie over the name */
StaticAssertDecl(sizeof(FormData_hilo_hi) ==
				 offsetof(FormData_hilo_hi, top_role) + sizeof(Oid),
				 "FormData_hilo_hi ends with its last column");

typedef enum StoreResult
{
	STORE_OK,
	STORE_EXHAUSTED,			/* last has reached max_value */
	STORE_GONE,					/* no such row, or of another incarnation */
	STORE_BUSY					/* not to be had without waiting */
} StoreResult;

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
} StoreRequest;

/*
 * What store_take gives.  Its ids may be used once store_flush has come back.
 */
typedef struct StoreRange
{
	Range		range;
	bool		continues;		/* the caller's own range, which is now longer */
	int64		number;
	int64		epoch;
	XLogRecPtr	lsn;
} StoreRange;

extern int	store_failover_skip;

extern StoreResult store_take(const StoreRequest *request, StoreRange *taken);
extern void store_flush(XLogRecPtr lsn);
extern bool store_give_back(text *name, int64 incarnation, int64 epoch,
							Range own, int64 next, bool recycle);
extern bool store_return(text *name, int64 incarnation, int64 number,
						 bool whole, Oid role, int64 high, int64 last_used);
extern int64 store_seed(text *name, int64 value, bool force,
						int64 max_value);

extern bool store_read(text *name, FormData_hilo_hi *hi);
extern int64 store_spare_ids(const FormData_hilo_hi *hi);
extern void store_insert(text *name, int64 last, int64 size, bool frozen);
extern void store_delete(text *name);
extern bool store_dropped_here(text *name);
extern HeapTuple store_restore(Relation rel, HeapTuple tuple);

#endif							/* HILO_STORE_H */
