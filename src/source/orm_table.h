/*
 * Rows of tables that ORMs take their hi from.
 */
#ifndef HILO_ORM_TABLE_H
#define HILO_ORM_TABLE_H

#include "source/orm_source.h"

/*
 * A change of an ORM's row, as the background worker gets it.
 */
typedef struct OrmChange
{
	Oid			relid;
	Oid			caller;			/* who must have the rights as well, or InvalidOid */
	bool		is_raise;		/* to at_least, instead of taking */
	int64		at_least;
	int64		blocks;			/* to take, or ids where the step is in the row */
	int64		step;			/* of the hi for a block; 0: in the row */
	int64		first;			/* what the ORM's first row would hold */
	NameData	hi_column;
	NameData	key_column;		/* empty: one row, without a key */
	NameData	block_column;	/* empty: none */
	NameData	count_column;	/* empty: none */
	int64		block;			/* of a row to be inserted */
	char		key_value[FLEXIBLE_ARRAY_MEMBER];
} OrmChange;

/*
 * What was taken.
 */
typedef struct OrmAnswer
{
	int64		stored;			/* what the row held before */
	int64		step;			/* of a block */
	int64		steps;			/* of all blocks together */
	XLogRecPtr	lsn;			/* of the change's commit, which is on disk */
} OrmAnswer;

extern void orm_table_check(const OrmSource *source);
extern void orm_table_require_trusted(const OrmSource *source);
extern OrmAnswer orm_table_take(const OrmSource *source, int64 blocks);
extern bool orm_table_next(const OrmSource *source, int64 *stored);
extern void orm_table_raise(const OrmSource *source, int64 stored);
extern void orm_table_use_first(const OrmSource *source);
extern void orm_table_work(const void *input, void *answer);

#endif							/* HILO_ORM_TABLE_H */
