/*
 * The columns that draw from generators, or are to do so.
 */
#ifndef HILO_COLUMN_H
#define HILO_COLUMN_H

#include "access/attnum.h"
#include "fmgr.h"
#include "nodes/pg_list.h"
#include "storage/lockdefs.h"

#include "base/base.h"

/*
 * An integer column, in its table and those that inherit it.
 */
typedef struct Column
{
	Oid			relid;
	const char *name;
	AttrNumber	attnum;
	Oid			type;			/* int2, int4 or int8, also below a domain */
	List	   *tables;			/* OIDs: the table and what inherits from it */
} Column;

#define UNRECOGNIZED_DEFAULT \
	"A column draws from a generator if its default is a call of hilo_next, hilo_next_id, identity_next, identity_next_id or document_id with a constant name and nothing else, or if the trigger document_id_assign sets it."

/*
 * A column that draws from a generator, or has another default.
 */
typedef struct ColumnDefault
{
	Oid			relid;
	AttrNumber	attnum;
	text	   *generator;		/* as written there; NULL: not recognized */
	text	   *folded;			/* the same, to be compared; need not be valid */
	Oid			sequence;		/* of which it is the next value */
	bool		is_constant;	/* draws from nothing */
} ColumnDefault;

extern void column_refuse_nulls(FunctionCallInfo fcinfo);
extern AttrNumber column_number(Oid relid, const char *name);
extern Column column_lock(Oid relid, const char *name, LOCKMODE lockmode);
extern bool column_try_lock(Oid relid, const char *name, LOCKMODE lockmode,
							Column *column);
extern void column_unlock(const Column *column, LOCKMODE lockmode);
extern bool column_type_is_integer(Oid type);
extern int64 column_type_max(Oid type);
extern int64 column_type_range(Oid type);
extern bool column_is_foreign(Oid relid, text *name);

extern bool column_max(const Column *column, int64 *max);

extern List *column_sequence_list(const Column *column);
extern int64 column_sequence_last(List *sequences);
extern List *column_sequence_users(List *sequences);
extern void column_sequence_drop_identity(const Column *column);
extern Oid	column_sequence_above(const Column *column, int64 last);
pg_noreturn extern void column_sequence_refuse(Oid relid, const char *name,
											   const char *detail);

extern ColumnDefault *column_default_find(Oid relid, AttrNumber attnum);
extern List *column_default_of_table(Oid relid);
extern List *column_default_list(text *only);
extern void column_default_refuse_drop(text *name, text *written,
									   bool is_public, bool tell);

extern bool column_right(text *name, bool is_public, Oid role);

#endif							/* HILO_COLUMN_H */
