/*-------------------------------------------------------------------------
 *
 * hi_row.h
 *	  A row of hilo_hi, and the way to change it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_HI_ROW_H
#define HILO_HI_ROW_H

#include "access/genam.h"
#include "access/htup.h"
#include "access/xlogdefs.h"
#include "utils/relcache.h"

#include "base/range.h"

#define Natts_hilo_hi 18

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
	int64		last_size;		/* of the last range above "last" */
	int64		incarnation;	/* random; another one after drop and create */
	int64		system_identifier;	/* of the server of the last allocation */
	Range		spare[STORE_SPARES];	/* given back, empty if unused */
	int64		epoch;			/* changes when sessions must forget; 0: never */
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
 * A row that is locked, to be followed by hi_row_write or hi_row_cancel.
 */
typedef struct HiRow
{
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;			/* a copy, for the changes */
	FormData_hilo_hi *hi;		/* its columns */
} HiRow;

/* in place of top_low; ids begin at 1 */
#define NO_TOP_RANGE 0

extern text *hi_row_name(Relation rel, HeapTuple tuple);
extern Relation hi_row_open(bool wait);
extern StoreResult hi_row_lock(HiRow *row, text *name);
extern StoreResult hi_row_lock_incarnation(HiRow *row, text *name,
										   int64 incarnation, bool wait);
extern XLogRecPtr hi_row_write(HiRow *row);
extern XLogRecPtr hi_row_write_for_all(HiRow *row);
extern void hi_row_cancel(HiRow *row);

extern bool hi_continues(const FormData_hilo_hi *hi, Range own, int64 before);
extern bool hi_is_stamped(const FormData_hilo_hi *hi);
extern void hi_stamp(FormData_hilo_hi *hi);
extern void hi_set_last(FormData_hilo_hi *hi, int64 last);
extern void hi_clear_spares(FormData_hilo_hi *hi);
extern void hi_jump(FormData_hilo_hi *hi, int64 last);

#endif							/* HILO_HI_ROW_H */
