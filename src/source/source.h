/*
 * Where the ids of a generator come from: its own row of hilo_hi, an ORM, or a
 * hub.
 */
#ifndef HILO_SOURCE_H
#define HILO_SOURCE_H

#include "foreign/foreign.h"
#include "nodes/parsenodes.h"

#include "relation/relation.h"
#include "store/store.h"

extern StoreResult source_take(StoreRequest *request);
extern int64 source_seed(text *name, const Definition *definition,
						 int64 value);

/* hub.c: generators that take their ids from one on another server */
extern Oid	hub_define(text *name, text *written, Definition *definition);
extern StoreResult hub_take(StoreRequest *request);
extern void hub_rest(text *name);
extern int64 hub_last(text *name, const Definition *definition);
extern int64 hub_seed(text *name, const Definition *definition, int64 value);

/* hub_connection.c */
extern ForeignServer *hub_server(const char *hub, Oid role);
extern int64 *hub_call(const char *hub, Oid owner, const char *function,
					   const char *arguments, int patience, int nresults,
					   const char **text_result);
pg_noreturn extern void hub_report_answer(const char *hub, const char *detail);

/* orm_source.c: generators that take their ranges from an ORM's own hi */

/* The ids of the block of n that an ORM takes for the value v. */
typedef enum OrmFamily
{
	ORM_LOW,					/* v .. v + n - 1 */
	ORM_HIGH,					/* v - n + 1 .. v */
	ORM_HIGH_FIRST,				/* the same, but only v if it is the first */
	ORM_BELOW,					/* v - n .. v - 1, none if it is the first */

	/* v goes up by one for a block, not by n */
	ORM_HI_FROM_ONE,			/* (v - 1) * n + 1 .. v * n */
	ORM_HI_FROM_ZERO			/* v * n .. v * n + n - 1 */
} OrmFamily;

/* How an ORM keeps its hi. */
typedef struct OrmStyle
{
	const char *name;
	OrmFamily	family;
	const char *setting;		/* what the ORM calls the block; NULL: n is 1 */
	int			block_extra;	/* n is so much more than the setting */

	/* if the source is a row of a table */
	const char *hi_column;		/* NULL: the source is a sequence */
	const char *key_column;		/* NULL: one row, without a key */
	const char *key_value;		/* NULL: the generator's name */
	int			block;			/* the ORM's default; 0: it has none */
	const char *count_column;	/* counts the changes of the row */
	int			offset;			/* v is so much more than what is stored */
	int			first;			/* the first v */
} OrmStyle;

/*
 * Where the ranges of a generator come from: a row of hilo_source, and what
 * follows from it.  Keep the first columns in step with orm_source.sql.
 */
typedef struct OrmSource
{
	Oid			relid;			/* InvalidOid: it is gone */
	int64		block;			/* as the ORM's mapping has it */
	int64		initial;		/* what the ORM's optimizer gets first */
	NameData	style_name;
	NameData	hi_column;		/* empty: the source is a sequence */
	NameData	key_column;		/* empty: one row, without a key */

	char		key_value[ID_MAX_LENGTH + 1];
	const OrmStyle *style;		/* in this process */
	int64		ids;			/* in a block */
	text	   *generator;		/* NULL: being adopted, or there is none */
	Oid			actor;			/* the source is used with this role's rights */
} OrmSource;

#define IsOfTable(source) ((source)->style->hi_column != NULL)

/* how much the value of a source goes up for a block */
#define StepsByBlock(style) ((style)->family < ORM_HI_FROM_ONE)
#define OrmStep(source) (StepsByBlock((source)->style) ? (source)->ids : 1)

/* A change of a source, and what became of it. */
typedef struct OrmChange
{
	int64		blocks;			/* to be taken */
	int64		at_least;		/* the source is then raised to this */
	bool		beside_others;	/* its row is made beside those of other keys */

	bool		is_held;		/* the row is locked, and was not changed */
	TransactionId holder;		/* of the row's lock; invalid: unknown */
	int64		stored;			/* the value of the blocks, or the next one */
	XLogRecPtr	lsn;			/* up to it, the WAL has what was raised */
} OrmChange;

extern StoreResult orm_source_take(StoreRequest *request);
extern int64 orm_source_seed(text *name, int64 value);
extern bool orm_source_from_tuple(HeapTuple tuple, OrmSource *source);
extern bool orm_source_find(text *name, OrmSource *source);
extern Oid	orm_source_relation(text *name);
extern OrmChange orm_source_take_beside(const OrmSource *row);
extern bool orm_source_last(text *name, int64 *last, int64 *end);
extern void orm_source_set_key(OrmSource *source, const char *key_value);
extern bool orm_source_equals(text *name, const OrmSource *source);
extern void orm_source_replace(text *name, const OrmSource *source,
							   int64 last);

/* orm_formula.c */
extern const OrmStyle *orm_style(const char *name);
extern char *orm_style_names(bool of_table);
extern int64 orm_formula_ids(const OrmStyle *style, int64 block);
extern Range orm_formula_range(const OrmSource *source, int64 stored,
							   int64 blocks);
extern int64 orm_formula_above(const OrmSource *source, int64 last);

/* orm_sequence.c, orm_table.c: see change_source in orm_source.c */
extern Oid	orm_sequence_lock(Oid relid, bool to_adopt);
extern void orm_sequence_check(const OrmSource *source);
extern OrmChange orm_sequence_change(const OrmSource *source, bool take,
									 int64 at_least);

extern void orm_table_change(const OrmSource *source, OrmChange *change);
extern PGDLLEXPORT void hilo_source_main(Datum handle);

/* orm_row.c: the row of a table, as the background worker changes it */
extern void orm_row_check(const OrmSource *source);
extern bool orm_row_is_key(const OrmSource *source, const char *key_value);
extern void orm_row_change(const OrmSource *source, OrmChange *change);

#endif							/* HILO_SOURCE_H */
