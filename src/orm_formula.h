/*-------------------------------------------------------------------------
 *
 * orm_formula.h
 *	  Which ids an ORM takes for a value of its hi source.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/orm_formula.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ORM_FORMULA_H
#define HILO_ORM_FORMULA_H

#include "lib/stringinfo.h"

#include "range.h"

/*
 * The ids of the block of n that an ORM takes for the value v.
 */
typedef enum OrmFamily
{
	ORM_LOW,					/* v .. v + n - 1 */
	ORM_HIGH,					/* v - n + 1 .. v */
	ORM_HIGH_FIRST,				/* the same, but only v if it is the first */
	ORM_BELOW,					/* v - n .. v - 1, none if it is the first */
	ORM_HI_FROM_ONE,			/* (v - 1) * n + 1 .. v * n */
	ORM_HI_FROM_ZERO,			/* v * n .. v * n + n - 1 */
	ORM_REFUSED					/* it repeats ids by itself */
} OrmFamily;

/*
 * An ORM's way to keep its hi.
 */
typedef struct OrmStyle
{
	const char *name;
	OrmFamily	family;
	const char *setting;		/* what the ORM calls the block */
	int			block_extra;	/* n is so much more than the setting */
	bool		is_single;		/* n is 1, there is no setting */

	/* of a table; a sequence has none of it */
	const char *hi_column;		/* NULL: a sequence */
	const char *key_column;		/* NULL: one row, without a key */
	const char *key_value;		/* NULL: the generator's name */
	const char *block_column;	/* the row has its own n */
	const char *count_column;	/* counts the changes of the row */
	int			offset;			/* v is so much more than what is stored */
	int			first;			/* the first v */
} OrmStyle;

extern const OrmStyle *orm_style(const char *name);
extern void orm_style_names(StringInfo names, bool of_tables);
extern bool orm_style_steps_by_block(const OrmStyle *style);
extern bool orm_formula_ids(const OrmStyle *style, int64 block, int64 *ids);
extern Range orm_formula_range(const OrmStyle *style, int64 stored, int64 ids,
							   int64 initial, int64 blocks);
extern bool orm_formula_above(const OrmStyle *style, int64 last, int64 ids,
							  int64 *stored);

#endif							/* HILO_ORM_FORMULA_H */
