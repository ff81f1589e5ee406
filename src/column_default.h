/*-------------------------------------------------------------------------
 *
 * column_default.h
 *	  The generator in the default of a column.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/column_default.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_COLUMN_DEFAULT_H
#define HILO_COLUMN_DEFAULT_H

#include "access/attnum.h"
#include "nodes/pg_list.h"

/*
 * A column whose default calls a generator.
 */
typedef struct ColumnDefault
{
	Oid			relid;
	AttrNumber	attnum;
	text	   *generator;		/* as written there; NULL: not a constant */
	text	   *folded;			/* the same, to be compared; need not be valid */
	bool		bare;			/* the column's ids are the generator's */
} ColumnDefault;

extern bool column_default_find(Oid relid, AttrNumber attnum,
								text **generator, bool *bare);
extern Node *column_default_expression(Oid relid, AttrNumber attnum);
extern List *column_default_list(text *only);
extern void column_default_refuse_drop(text *name, text *written);

#endif							/* HILO_COLUMN_DEFAULT_H */
