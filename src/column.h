/*-------------------------------------------------------------------------
 *
 * column.h
 *	  An integer column, in its table and those that inherit it.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/column.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_COLUMN_H
#define HILO_COLUMN_H

#include "access/attnum.h"
#include "fmgr.h"
#include "nodes/pg_list.h"
#include "storage/lockdefs.h"

#include "compat.h"

typedef struct Column
{
	Oid			relid;
	const char *name;
	AttrNumber	attnum;
	Oid			type;			/* int2, int4 or int8, also below a domain */
	List	   *tables;			/* OIDs: the table and what inherits from it */
} Column;

extern void column_refuse_nulls(FunctionCallInfo fcinfo);
extern AttrNumber column_number(Oid relid, const char *name);
extern Column column_lock(Oid relid, const char *name, LOCKMODE lockmode);
extern bool column_try_lock(Oid relid, const char *name, LOCKMODE lockmode,
							Column *column);
extern void column_unlock(const Column *column, LOCKMODE lockmode);
extern bool column_type_is_integer(Oid type);
extern int64 column_type_max(Oid type);
extern int64 column_type_range(Oid type);
extern bool column_max(const Column *column, int64 *max);
extern bool column_is_foreign(Oid relid, text *name);

extern List *column_sequence_list(const Column *column);
extern int64 column_sequence_last(List *sequences);
extern List *column_sequence_users(List *sequences);
extern void column_sequence_drop_identity(const Column *column);
extern Oid	column_sequence_above(const Column *column, int64 last);
pg_noreturn extern void column_sequence_refuse(Oid relid, const char *name,
											   const char *detail);

#endif							/* HILO_COLUMN_H */
