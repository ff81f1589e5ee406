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

#define UNRECOGNIZED_DEFAULT \
	"A default counts if it is a call of hilo_next, hilo_next_id, identity_next, identity_next_id or document_id with a constant name, and nothing else."

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

extern ColumnDefault *column_default_find(Oid relid, AttrNumber attnum);
extern List *column_default_list(text *only);
extern void column_default_refuse_drop(text *name, text *written,
									   bool is_public, bool tell);

#endif							/* HILO_COLUMN_DEFAULT_H */
