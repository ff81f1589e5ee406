/* What the files of this folder have in common. */
#ifndef HILO_COLUMN_H
#define HILO_COLUMN_H

#include "follow/follow.h"

/* argument.c: the table and the column that SQL names */
extern void column_require_argument(FunctionCallInfo fcinfo,
									const char *function);
extern Column column_argument(FunctionCallInfo fcinfo, const char *function,
							  LOCKMODE lockmode);

/* what a column of text gets in place of a generator */
#define TEXT_IDS_HINT \
	"For text ids, set a default such as hilo_next_id('users') with ALTER TABLE."

/* in_use.c: the ids of a column that are in use, and a generator above them */
extern ColumnDefault source_of_parent(const Column *column);
extern void refuse_other_parent(const Column *column, text *name);
extern void sequence_refuse_citus(Oid relid, const char *column, Oid sequence);
extern int64 ids_in_use(const Column *column, List *sequences, text *name);
extern int64 last_shown(text *name);
extern int64 skip_to_come(text *name, const Definition *definition);
extern Definition create_generator(const Column *column, text *name,
								   text *written, int64 last, Oid role,
								   bool in_order, bool may_be_final);

/* resync.c: sources of ids that are raised to what columns hold */
extern int64 resync_generator(Column column, text *written);

/* attach_sequence.c: columns that draw from a sequence, which follows them */
extern bool sequence_attach(Oid relid, const char *name, Follow follow);

/* attach.c: columns that are put on a generator */
extern void column_attach(const Column *column, text *name, text *written,
						  Follow follow);

/* group.c: the groups of rows that a trigger numbers */

/* A column of a group, or that of the number. */
typedef struct GroupColumn
{
	const char *name;
	AttrNumber	attnum;			/* in the table that fires the trigger */
	Oid			type;			/* below a domain */
	bool		is_enum;
	FmgrInfo	output;
} GroupColumn;

/* What a trigger hilo_number_assign numbers. */
typedef struct Numbering
{
	Oid			relid;			/* the table that fires it */
	Oid			whole;			/* the table that it was made for */
	const char *table;			/* its name */
	AttrNumber	attnum;			/* of the number, there */
	int64		max_value;
	bool		in_place;		/* ordering "global": not lowered by a
								 * rollback */
	int32		hash;			/* of the columns' names */
	uint32		definition;		/* a hash of the trigger's and the columns'
								 * versions */
	int			ngroups;
	GroupColumn *columns;		/* those of the groups, then the number's */
	GroupColumn *number;		/* the last one */
	Oid			role;			/* the last role with checked rights */
	uint64		role_generation;	/* generator_changes of that check */
} Numbering;

/* A row, or the group that a call names. */
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
extern void number_check_trigger(const CreateTrigStmt *statement);

/* rename.c: columns that get another generator */
extern void column_move(const ColumnDefault *found, text *to);

#endif							/* HILO_COLUMN_H */
