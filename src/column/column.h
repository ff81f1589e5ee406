/* What the files of this folder have in common. */
#ifndef HILO_COLUMN_H
#define HILO_COLUMN_H

#include "call/call.h"

/* Whether a generator is to follow a column. */
typedef enum Follow
{
	FOLLOW_NO,
	FOLLOW_YES,					/* inserted and updated rows */
	FOLLOW_BY_DEFAULT			/* inserted rows, if follows_by_default */
} Follow;

/* attach.c */
extern Column column_argument(FunctionCallInfo fcinfo, const char *function,
							  LOCKMODE lockmode);
extern void column_attach(const Column *column, text *name, text *written,
						  Follow follow);
extern void column_set_default(const char *only, Oid relid, const char *name,
							   text *generator);

/* join.c: columns with rows that begin to draw from a table's generator */
extern bool join_is_on;

/*
 * group.c: the groups of rows that a trigger numbers, and what it asks of their
 * table
 */

/* A column of a group, or that of the number. */
typedef struct GroupColumn
{
	const char *name;
	AttrNumber	attnum;			/* in the table that fires the trigger */
	Oid			type;			/* below a domain */
	bool		is_enum;
	FmgrInfo	output;
} GroupColumn;

/* A trigger hilo_number_assign, its arguments understood. */
typedef struct Numbering
{
	Oid			relid;			/* the table that fires it */
	Oid			whole;			/* the table whose groups they are */
	AttrNumber	attnum;			/* of the number, there */
	int64		max_value;
	bool		in_place;		/* ordering "global" */
	int32		hash;			/* of the columns' names */
	uint32		definition;		/* a hash of the trigger's and the columns'
								 * versions */
	int			ngroups;
	GroupColumn *columns;		/* of the groups, and then the number's */
	GroupColumn *number;		/* the last one */
	Oid			role;			/* its rights were looked at */
	uint64		role_as_of;		/* known_generation */
	bool		is_secured;		/* by row security, for that role */
} Numbering;

/* A row, or what a call says of one. */
typedef struct NumberedRow
{
	const Numbering *numbering;
	Datum		values[FUNC_MAX_ARGS];	/* of the group */
	bool		nulls[FUNC_MAX_ARGS];
	SeriesKey	key;
	char	   *number;			/* NULL: none */
} NumberedRow;

extern Numbering *numbering_of(Relation rel, const Trigger *trigger);
extern Numbering *numbering_read(Relation rel, const Trigger *trigger);
extern char *group_value(GroupColumn *column, Datum value);
extern void group_set_key(NumberedRow *row);
extern int64 group_greatest(const NumberedRow *row, int64 limit);

/* number.c: numbers for the rows of each group */

/* A group, as hilo_check shows it. */
typedef struct UrgentGroup
{
	char	   *arguments;		/* of hilo_group_seed; NULL: there is none */
	int64		highest;		/* number of its rows */
	int64		last;
	int64		lowest;			/* of the numbers of all groups; or 1 */
} UrgentGroup;

extern UrgentGroup number_urgent_group(const Column *column, Oid trigger);

/* follow.c: generators that follow the ids which rows bring along */
extern Follow follow_of(Oid relid, AttrNumber attnum);
extern void column_follow(const Column *column, text *generator, Follow follow);
extern void follow_require_own_ids(text *name, const Definition *definition);
pg_noreturn extern void column_refuse_renamed(void);

/* rename.c: columns that get another generator */
extern void column_move(const ColumnDefault *found, text *to);

#endif							/* HILO_COLUMN_H */
