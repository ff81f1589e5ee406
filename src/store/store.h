/* The durable number: its row, and its ranges. */
#ifndef HILO_STORE_H
#define HILO_STORE_H

#include "citus/citus.h"

/* hi_row.c: a row of hilo_hi up to its name, in step with store.sql */
typedef struct FormData_hilo_hi
{
	int64		reserved;		/* the highest id ever reserved */
	int64		last_size;		/* of the range reserved last */
	int64		incarnation;	/* see GeneratorOf */
	int64		system_identifier;	/* of the server of the last allocation */
	int64		timeline;		/* of the last allocation; see TenancyOf */
	int64		skipped;		/* ids in all, after failovers */
} FormData_hilo_hi;

typedef enum StoreResult
{
	STORE_OK,
	STORE_EXHAUSTED,			/* max_value is reserved */
	STORE_GONE,					/* no such row, or another generator's */
	STORE_OUTDATED,				/* the group had another definition then */
	STORE_BUSY					/* not to be had without waiting */
} StoreResult;

/* A row that is locked, to be followed by hi_row_write or hi_row_cancel. */
typedef struct HiRow
{
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	locked;			/* the version that is locked */
	Buffer		buffer;			/* in which it is, pinned by the scan */
	HeapTuple	tuple;			/* a copy, for the changes */
	FormData_hilo_hi *hi;		/* its columns */
} HiRow;

extern StoreResult hi_row_lock(HiRow *row, text *name, int64 incarnation);
extern XLogRecPtr hi_row_write(HiRow *row);
extern XLogRecPtr hi_row_write_new_life(HiRow *row);
extern void hi_row_cancel(HiRow *row);

extern bool hi_is_stamped(const FormData_hilo_hi *hi);
extern void hi_stamp(FormData_hilo_hi *hi, uint32 tenancy);

/* The tenancy of a slot that the last allocation was in; 0: in none */
#define TenancyOf(hi) ((uint32) ((uint64) (hi)->timeline >> 32))

/* store.c: hilo_hi: how far each generator has been reserved */

/* A range that a client holds. */
typedef struct ClientRange
{
	Oid			role;			/* that may return it; InvalidOid: none */
	int64		number;			/* for ever */
	Range		range;
} ClientRange;

/* A range to be reserved, and then the reserved one. */
typedef struct StoreRequest
{
	text	   *name;			/* folded */
	const Definition *definition;	/* NULL: hilo's own generator */
	int64		incarnation;	/* then the row's, which a restore may change */
	uint32		tenancy;		/* of the slot, to be noted in the row */
	int64		max_value;
	int64		size;			/* how many ids */
	bool		whole_block;	/* a multiple of size .. and size - 1 more */
	bool		nowait;			/* no wait for a hub, and no error if none is
								 * left */
	int64		last_max;		/* all ids up to this are in use */
	bool		is_exact;		/* size ids, even if the source has larger
								 * blocks */

	StoreResult result;			/* of hub_take */

	/* its ids may be used once flush_wal has returned */
	ClientRange taken;			/* without a role: a session's */
	int64		skipped;		/* ids below it that are lost */
	XLogRecPtr	lsn;
} StoreRequest;

/* What a seed does with the ids up to its value that are reserved. */
typedef enum SeedKind
{
	SEED_RAISE,					/* nothing: they go on being handed out */
	SEED_SKIP,					/* in use: none of them is handed out */
	SEED_FORGET,				/* nor any that a session holds */
	SEED_FORCE					/* "reserved" is set, to go down, too */
} SeedKind;

/* Returns a range above last that is reserved there, or reports an error. */
typedef Range (*AskElsewhere) (const StoreRequest *request, int64 last);

extern int	store_failover_skip;

extern StoreResult store_take(StoreRequest *request);
extern StoreResult store_receive(StoreRequest *request, AskElsewhere ask);
extern int64 store_seed(text *name, int64 value, SeedKind kind);

extern int64 store_skip(const FormData_hilo_hi *hi,
						const Definition *definition);
extern bool store_read(text *name, FormData_hilo_hi *hi);
extern bool store_is_incomplete(text *name);
extern bool store_lock(text *name, LOCKMODE lockmode, FormData_hilo_hi *hi);
extern void store_insert(text *name, int64 last, int64 size,
						 TransactionId xmin);
extern HeapTuple store_restore(Relation rel, HeapTuple tuple);

/* flush.c */
extern int64 flush_wal(XLogRecPtr lsn);

/* gapless_flush.c */

/* When the flush comes after the locks have gone */
typedef enum GaplessFlush
{
	GAPLESS_FLUSH_LOCAL,		/* if no synchronous standby is waited for */
	GAPLESS_FLUSH_LATE,			/* with one, too */
	GAPLESS_FLUSH_EARLY			/* never */
} GaplessFlush;

extern int	gapless_flush;

extern void gapless_flush_late(void);

/* number_row.c: a row with the last number of a series */

/* the first column, and in hilo_series the second */
#define LastOf(tuple) (*(int64 *) GETSTRUCT(tuple))
#define DefinitionOf(tuple) (((int32 *) GETSTRUCT(tuple))[2])

/* How the last number changes, and what it is then. */
typedef struct NumberChange
{
	bool		in_place;		/* a rollback does not undo it */
	bool		is_exact;		/* set the last number, do not only raise it */
	int64		to;				/* without a count: the last number, at least */
	int64		count;			/* how many numbers to take; 0: none */
	int64		max_value;		/* of these numbers */
	int32		definition;		/* of the group, to be noted; 0: as it is */
	int64		greatest;		/* number in its rows, or NOT_ASKED */
	int64		last;			/* the result: the last number after it */
} NumberChange;

#define NOT_ASKED (-1)

/* The rows of a table, by key. */
typedef struct NumberKind
{
	uint32		(*hash) (const void *key);
	SysScanDesc (*scan) (Relation rel, const void *key, Snapshot snapshot);
	bool		(*is_of) (Relation rel, HeapTuple tuple, const void *key);
} NumberKind;

extern StoreResult number_change(Relation rel, const NumberKind *kind,
								 const void *key,
								 NumberChange *change);
extern StoreResult number_after(int64 last, NumberChange *change);

/* gapless_row.c: hilo_gapless: the last id of each generator without gaps. */

extern bool gapless_last(text *name, int64 *last);
extern int64 gapless_require_last(text *name);
extern StoreResult gapless_change(text *name, NumberChange *change);
extern int64 gapless_seed(text *name, int64 incarnation, int64 value,
						  bool force);
extern bool gapless_raise(text *name, int64 to);
extern HeapTuple gapless_restore(Relation rel, HeapTuple tuple);

/* series_row.c: hilo_series: the last number of each group of rows */

typedef struct SeriesKey
{
	Oid			rel;			/* the table of the groups */
	int32		columns;		/* a hash of their names */
	int32		definition;		/* a hash of versions; no key */
	text	   *grp;			/* its values */
} SeriesKey;

extern bool series_last(const SeriesKey *key, int64 *last);
extern StoreResult series_change(const SeriesKey *key, NumberChange *change);
extern StoreResult series_insert(const SeriesKey *key, NumberChange *change);
extern void series_delete(Oid relid);
extern Oid	series_table(HeapTuple tuple);
extern void series_restore(Relation rel, HeapTuple tuple);

#endif							/* HILO_STORE_H */
