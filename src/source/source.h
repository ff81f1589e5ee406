/*
 * Where the ids of a generator come from: its own row of hilo_hi, an ORM, or a
 * hub.
 */
#ifndef HILO_SOURCE_H
#define HILO_SOURCE_H

#include "foreign/foreign.h"
#include "nodes/parsenodes.h"

#include "store/store.h"
#include "table/table.h"

/* What a kind of source does. */
typedef struct Source
{
	/* Reserve a range, as store_take does. */
	StoreResult (*take) (const Definition *definition,
						 const StoreRequest *request, StoreRange *taken);

	/*
	 * Raise "reserved" there and here, and return it; NULL: it is here only.
	 * It cannot be lowered there.
	 */
	int64		(*seed) (text *name, const Definition *definition,
						 int64 incarnation, int64 value);

	/* Return the last id that anybody got there; NULL: it is known here. */
	int64		(*last) (text *name, const Definition *definition);

	bool		reserves_ahead; /* windows may be reserved early */
	bool		is_here;		/* so windows can hold clients' numbers */
	bool		is_remote;		/* a hub */
	bool		has_others;		/* who take blocks from it by themselves */
} Source;

/* store_seed's max_value where ids come from elsewhere: no failover skips */
#define SEED_SKIPS_NONE 0

extern const Source *source_of(const Definition *definition);
pg_noreturn extern void source_refuse_hi(text *name);

/* hub.c: generators whose ids come from a generator on another server */
extern Oid	hub_define(const char *hub, text *name, text *written, Oid rel,
					   Definition *definition);
extern StoreResult hub_take(const Definition *definition,
							const StoreRequest *request, StoreRange *taken);
extern int64 hub_last(text *name, const Definition *definition);
extern int64 hub_seed(text *name, const Definition *definition,
					  int64 incarnation, int64 value);

/* hub_connection.c */
extern ForeignServer *hub_server(const char *hub, Oid role);
extern double hub_clock(void);
extern void hub_call(const char *hub, Oid owner, const char *function,
					 int patience, int nresults, int64 *results,
					 const char **text_result);
pg_noreturn extern void hub_refuse_answer(const char *hub, const char *detail);

/*
 * orm_source.c: hilo_source: generators whose ranges come from an ORM's own hi.
 */

/* The ids of the block of n that an ORM takes for the value v. */
typedef enum OrmFamily
{
	ORM_LOW,					/* v .. v + n - 1 */
	ORM_HIGH,					/* v - n + 1 .. v */
	ORM_HIGH_FIRST,				/* the same, but only v if it is the first */
	ORM_BELOW,					/* v - n .. v - 1, none if it is the first */
	ORM_HI_FROM_ONE,			/* (v - 1) * n + 1 .. v * n */
	ORM_HI_FROM_ZERO			/* v * n .. v * n + n - 1 */
} OrmFamily;

/* An ORM's way to keep its hi. */
typedef struct OrmStyle
{
	const char *name;
	OrmFamily	family;
	const char *setting;		/* what the ORM calls the block; NULL: n is 1 */
	int			block_extra;	/* n is so much more than the setting */

	/* of a table; a sequence has none of it */
	const char *hi_column;		/* NULL: a sequence */
	const char *key_column;		/* NULL: one row, without a key */
	const char *key_value;		/* NULL: the generator's name */
	const char *count_column;	/* counts the changes of the row */
	int			offset;			/* v is so much more than what is stored */
	int			first;			/* the first v */
} OrmStyle;

/* Where the ranges of a generator come from. */
typedef struct OrmSource
{
	Oid			relid;			/* InvalidOid: it is gone */
	Oid			actor;			/* whose rights count: the generator's owner */
	const OrmStyle *style;
	int64		block;			/* as the ORM's mapping has it */
	int64		ids;			/* in a block */
	int64		increment;		/* of the sequence, when it was adopted */
	int64		initial;		/* what the optimizer gets first, of a table */
	const char *hi_column;
	const char *key_column;		/* NULL: one row, without a key */
	const char *key_value;
} OrmSource;

extern StoreResult orm_source_take(const Definition *definition,
								   const StoreRequest *request,
								   StoreRange *taken);
extern int64 orm_source_seed(text *name, const Definition *definition,
							 int64 incarnation, int64 value);
extern bool orm_source_last(text *name, int64 *last);
extern bool orm_source_equals(text *name, const OrmSource *source);
extern void orm_source_replace(text *name, const OrmSource *source,
							   int64 handed_out);
extern void orm_source_use_first(const OrmSource *source);

/* orm_formula.c */
extern const OrmStyle *orm_style(const char *name);
extern bool orm_style_steps_by_block(const OrmStyle *style);
extern bool orm_formula_ids(const OrmStyle *style, int64 block, int64 *ids);
extern Range orm_formula_range(const OrmStyle *style, int64 stored, int64 ids,
							   int64 initial, int64 blocks);
extern bool orm_formula_above(const OrmStyle *style, int64 last, int64 ids,
							  int64 *stored);

/* orm_sequence.c */
extern void orm_sequence_check(const OrmSource *source);
extern int64 orm_sequence_take(const OrmSource *source, int64 *initial);
extern void orm_sequence_raise(const OrmSource *source, int64 value);
extern bool orm_sequence_read(const OrmSource *source, int64 *stored);
extern int64 orm_sequence_next_value(Oid relid, int64 increment);

/* orm_row.c: the change of a row that an ORM takes its hi from */

/* What is to be done, as the background worker gets it. */
typedef struct RowChange
{
	Oid			relid;
	Oid			actor;			/* whose rights count */
	int64		add;			/* to the hi */
	int64		at_least;		/* what the hi is raised to then */
	int64		first;			/* the hi of a row that is missing */
	NameData	hi_column;
	NameData	key_column;		/* empty: the table has one row */
	NameData	count_column;	/* of the changes of the row; empty: none */
	char		key_value[FLEXIBLE_ARRAY_MEMBER];
} RowChange;

/* What was done. */
typedef struct OrmAnswer
{
	bool		is_held;		/* nothing, as somebody holds the row */
	TransactionId holder;		/* who that is; invalid: unknown, or the table */
	int64		stored;			/* what the row held before */
	XLogRecPtr	lsn;			/* of the change's commit, which is on disk */
} OrmAnswer;

extern void orm_row_check(const RowChange *change);
extern void orm_row_change(const RowChange *change, OrmAnswer *answer);

/* worker.c: that change in a transaction of its own */
extern OrmAnswer worker_run(const RowChange *change, Size size);
extern PGDLLEXPORT void hilo_worker_main(Datum handle);

/* orm_table.c: that change for a session */
extern void orm_table_check(const OrmSource *source);
extern OrmAnswer orm_table_change(const OrmSource *source, int64 amount,
								  int64 at_least);

#endif							/* HILO_SOURCE_H */
