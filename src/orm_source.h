/*-------------------------------------------------------------------------
 *
 * orm_source.h
 *	  hilo_source: generators whose ranges come from an ORM's own hi.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/orm_source.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ORM_SOURCE_H
#define HILO_ORM_SOURCE_H

#include "access/htup.h"
#include "utils/relcache.h"

#include "orm_formula.h"
#include "store.h"

/*
 * Where the ranges of a generator come from.
 */
typedef struct OrmSource
{
	Oid			relid;			/* InvalidOid: it is gone */
	Oid			actor;			/* who changes it: the generator's owner */
	Oid			caller;			/* who must be able to, too, or InvalidOid */
	const OrmStyle *style;
	int64		block;			/* as the ORM's mapping has it; 0: in the row */
	int64		ids;			/* in a block; 0: in the row */
	int64		increment;		/* of the sequence, when it was adopted */
	int64		initial;		/* what the optimizer gets first, of a table */
	const char *hi_column;
	const char *key_column;		/* NULL: one row, without a key */
	const char *key_value;
} OrmSource;

extern StoreResult orm_source_take(const StoreRequest *request,
								   StoreRange *taken);
extern int64 orm_source_seed(text *name, int64 incarnation, int64 value,
							 SeedKind kind, int64 max_value);
extern bool orm_source_last(text *name, int64 *last);
extern bool orm_source_exists(text *name);
extern Oid	orm_source_relation(Relation rel, HeapTuple tuple);
extern bool orm_source_is_sequence(text *name);
extern bool orm_source_is(text *name, const OrmSource *source);
extern void orm_source_replace(text *name, const OrmSource *source,
							   int64 handed_out);
extern void orm_source_delete(text *name);

#endif							/* HILO_ORM_SOURCE_H */
