/*
 * Numbers for the rows of each group of a table, by a trigger.
 *
 * The trigger's arguments are all that defines them.  The last number of a
 * group is in a row of hilo_series, made with the group's first row above what
 * the table holds.
 */
#include "postgres.h"

#include "access/relation.h"
#include "executor/spi.h"
#include "utils/rls.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_number_assign);
PG_FUNCTION_INFO_V1(hilo_group_last);
PG_FUNCTION_INFO_V1(hilo_group_seed);

/*
 * A look for the group that hilo_check is to tell of; receives the groups'
 * rows.
 */
typedef struct GroupLook
{
	DestReceiver receiver;
	MemoryContext context;		/* of the result */
	const Column *column;
	const Numbering *numbering;
	List	   *tables;			/* OIDs: the one to ask, with its parts */
	bool		is_whole;		/* these have all rows */
	UrgentGroup found;			/* of the highest rank */
	double		rank;			/* how far off; up to 1: how used up */
} GroupLook;

static void look_at_rights(Numbering *numbering);
static void require_return(const NumberedRow *row);
static NumberedRow read_row(const Numbering *numbering, Relation rel,
							HeapTuple tuple);
static int64 take_number(const NumberedRow *row, int64 to);
static void follow_number(const NumberedRow *row, int64 number);
static int64 last_of_rows(const NumberedRow *row);
static NumberedRow row_of_call(FunctionCallInfo fcinfo, int first);
static const Trigger *find_trigger(Relation rel, const char *column,
								   int ngroups);
static List *numbered_tables(const Column *column, const Trigger *trigger);
static void look_at_groups(void *arg);
static bool note_group(TupleTableSlot *slot, DestReceiver *receiver);

/*
 * a last number of a group so far above twice that of its rows may be a
 * mistake's
 */
#define FAR_ABOVE 1000

/* in the hint of column_is_sentinel */
#define GROUP_SEED_HINT "the group above them with hilo_group_seed"

/*
 * hilo_number_assign(column, ordering, VARIADIC group_columns): the trigger
 * that gives a row without a number the next one of its group.  A number that a
 * row brings along, or takes to another group, is kept, and passed by its
 * group.
 *
 * A row that an UPDATE leaves in its group keeps its number when the statement
 * writes a null, as ORMs do, or the number that EXCLUDED was given.
 */
Datum
hilo_number_assign(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	char	   *given = fcinfo->flinfo->fn_extra;	/* by this statement to
													 * its last row */
	Relation	rel;
	HeapTuple	tuple;
	Numbering  *numbering;
	int			column;
	NumberedRow row;

	column_require_assignment(fcinfo, "hilo_number_assign()", true);
	if (given == NULL)
		fcinfo->flinfo->fn_extra = given =
			MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, MAXINT8LEN + 1);
	rel = trigger->tg_relation;
	tuple = trigger->tg_trigtuple;
	numbering = numbering_of(rel, trigger->tg_trigger);
	column = numbering->number->attnum;
	row = read_row(numbering, rel, tuple);
	if (TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
	{
		char	   *old = SPI_getvalue(tuple, RelationGetDescr(rel), column);
		NumberedRow before = row;

		tuple = trigger->tg_newtuple;
		row = read_row(numbering, rel, tuple);
		if (old != NULL && text_equal(row.key.grp, before.key.grp))
		{
			if (row.number != NULL && strcmp(row.number, before.number) == 0)
				return PointerGetDatum(tuple);
			if (row.number == NULL || strcmp(row.number, given) == 0)
				return PointerGetDatum(column_assign(rel, tuple, column, old));
		}
	}
	given[0] = '\0';
	require_writable("hilo_number_assign()");
	look_at_rights(numbering);
	require_return(&row);
	if (row.number == NULL)
	{
		pg_lltoa(take_number(&row, 0), given);
		tuple = column_assign(rel, tuple, column, given);
	}
	else
		follow_number(&row, strtoi64(row.number, NULL, 10));
	return PointerGetDatum(tuple);
}

/* Return the last number of a group, null if it has none. */
Datum
hilo_group_last(PG_FUNCTION_ARGS)
{
	NumberedRow row = row_of_call(fcinfo, 2);
	int64		last;

	if (!relation_may_read(row.key.rel, GetUserId()))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE,
					   get_rel_name(row.key.rel));
	if (!series_last(&row.key, &last))
		PG_RETURN_NULL();
	PG_RETURN_INT64(last);
}

/*
 * Set the last number of a group, of the role's own table, but not below the
 * numbers of its rows.  Waits for transactions that write to the table, and
 * they for this one: what they have taken is in rows then, and a rollback
 * brings the last number back.
 */
Datum
hilo_group_seed(PG_FUNCTION_ARGS)
{
	NumberedRow row = row_of_call(fcinfo, 3);
	int64		max_value = row.numbering->max_value;
	NumberChange change = {.is_exact = true};

	require_writable("hilo_group_seed()");
	argument_require(fcinfo, 2, "value");
	change.to = PG_GETARG_INT64(2);
	(void) column_lock(row.key.rel, row.numbering->number->name,
					   ShareRowExclusiveLock);
	id_domain_check("value", change.to, 0, max_value);
	change.greatest = group_greatest(&row, max_value);
	if (change.to < change.greatest)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("the group has a row with number %lld",
					   (long long) change.greatest),
				errhint("Delete or correct such rows first, or set a last number that is not below theirs."));
	while (series_change(&row.key, &change) == STORE_GONE &&
		   series_insert(&row.key, &change) == STORE_BUSY)
		;
	PG_RETURN_VOID();
}

/*
 * Look at the rights of the current role, which must be one that may insert:
 * into the table, a part of it, or a view of them.  Report an error if neither
 * this role nor one that may make triggers may read the table: triggers, this
 * one on any columns or another that sees the numbers, would tell them of its
 * rows.
 */
static void
look_at_rights(Numbering *numbering)
{
	Oid			whole = numbering->whole;
	Oid			relid = numbering->relid;
	uint64		as_of = known_generation;
	bool		is_secured = false;

	if (numbering->role == GetUserId() && numbering->role_as_of == as_of)
		return;
	if (!privilege_may_insert(whole, GetUserId()))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(whole));
	foreach_oid(table, relation_ancestors(relid, NIL))
	{
		watch_relation(table);
		/* that of a whole applies to its parts, too */
		if (table == relid || get_rel_relispartition(relid))
			is_secured |= check_enable_rls(table, InvalidOid,
										   true) == RLS_ENABLED;
		foreach_oid(maker, relation_grantees(table, ACL_TRIGGER))
		{
			if (!relation_may_read(whole, maker) &&
				!relation_may_read(whole, GetUserId()))
				ereport(ERROR,
						errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						errmsg("permission denied to number rows of \"%s\"",
							   get_rel_name(table)),
						errdetail("The current role may not read all its rows, and neither may another role with the TRIGGER privilege."),
						errhint("Drop the triggers of roles that may not read the table, and revoke TRIGGER on it from them."));
		}
	}
	numbering->is_secured = is_secured;
	numbering->role = GetUserId();
	numbering->role_as_of = as_of;
}

/*
 * Report an error if a group would stay raised after its row was refused: any
 * row by row security, one that brings a number also by a view or a part.  The
 * error is the same for any number, or it would tell the last one.
 */
static void
require_return(const NumberedRow *row)
{
	if (row->numbering->in_place &&
		(row->numbering->is_secured ||
		 (row->number != NULL &&
		  !relation_may_insert(row->key.rel, GetUserId()))))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied to raise the numbers of a group"),
				errdetail("Row security applies to the current role, or the row has a number and the role may not insert into the whole table."),
				errhint("Leave the number out, or set it to null. Under row security, have the owner create the trigger with \"gapless\"."));
}

static NumberedRow
read_row(const Numbering *numbering, Relation rel, HeapTuple tuple)
{
	GroupColumn *number = numbering->number;
	TupleDesc	desc = RelationGetDescr(rel);
	NumberedRow row = {.numbering = numbering};
	bool		isnull;
	Datum		value;

	for (int i = 0; i < numbering->ngroups; i++)
		row.values[i] = heap_getattr(tuple, numbering->columns[i].attnum, desc,
									 &row.nulls[i]);
	group_set_key(&row);
	value = heap_getattr(tuple, number->attnum, desc, &isnull);
	if (!isnull)
		row.number = group_value(number, value);
	return row;
}

/*
 * Take the next number of a row's group, or raise its last one to a number at
 * least.  The first number lies above what the table holds, and so does the
 * first one after any change of what defines the group: rows may have come as
 * another group's, or by no trigger.
 */
static int64
take_number(const NumberedRow *row, int64 to)
{
	const Numbering *numbering = row->numbering;
	NumberChange change = {
		.in_place = numbering->in_place,.to = to,.count = to == 0 ? 1 : 0,
		.max_value = numbering->max_value,.greatest = NOT_ASKED
	};
	StoreResult result;

	do
	{
		result = series_change(&row->key, &change);
		if (result == STORE_GONE || result == STORE_OUTDATED)
			change.greatest = last_of_rows(row);
		if (result == STORE_GONE)
			result = series_insert(&row->key, &change);
	} while (result == STORE_BUSY || result == STORE_OUTDATED);
	if (result != STORE_OK)
		ereport(ERROR,
				errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				errmsg("numbers of a group of table \"%s\" have reached the end of their type (%lld)",
					   get_rel_name(numbering->whole),
					   (long long) numbering->max_value),
				errhint("Widen the type of the column. If a row took the group there by mistake, correct the row and run hilo_group_seed."));
	return change.last;
}

/* Raise the last number of a row's group to the number that the row brings. */
static void
follow_number(const NumberedRow *row, int64 number)
{
	const Numbering *numbering = row->numbering;
	int64		last;

	if (number < 1 || number > numbering->max_value)
		return;
	if (number > numbering->max_value / 2)
	{
		if (!series_last(&row->key, &last))
			last = last_of_rows(row);
		if (column_is_sentinel(numbering->whole, numbering->attnum, number,
							   last, GROUP_SEED_HINT))
			return;
	}
	(void) take_number(row, number);
}

/* Return the greatest number of a group's rows, sentinels left out. */
static int64
last_of_rows(const NumberedRow *row)
{
	const Numbering *numbering = row->numbering;
	int64		limit = numbering->max_value - numbering->max_value / 10;
	int64		greatest = group_greatest(row, numbering->max_value);
	int64		rest;

	if (greatest <= limit)
		return greatest;
	rest = group_greatest(row, limit);
	if (column_is_sentinel(numbering->whole, numbering->attnum, greatest, rest,
						   GROUP_SEED_HINT))
		return rest;
	return greatest;
}

/*
 * Read the arguments of a call: a table, the column of its numbers, and from
 * the first one on the values of a group, in the order of the trigger's
 * columns.
 */
static NumberedRow
row_of_call(FunctionCallInfo fcinfo, int first)
{
	NumberedRow row = {0};
	const char *name;
	Relation	rel;
	const Trigger *trigger;
	Datum	   *values;
	Oid		   *types;
	bool	   *nulls;
	int			ngroups = 0;

	argument_require(fcinfo, 0, "table");
	argument_require(fcinfo, 1, "column name");
	name = NameStr(*PG_GETARG_NAME(1));
	(void) column_number(PG_GETARG_OID(0), name);
	if (PG_NARGS() > first)
		ngroups = extract_variadic_args(fcinfo, first, true, &values, &types,
										&nulls);
	rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	trigger = find_trigger(rel, name, ngroups);
	if (trigger == NULL)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg("column \"%s\" of table \"%s\" has no trigger with as many group columns as there are values",
					   name, RelationGetRelationName(rel)),
				errhint("Give the values of the group in the order of the columns of the trigger hilo_number_assign."));
	row.numbering = numbering_read(rel, trigger);
	for (int i = 0; i < ngroups; i++)
	{
		Oid			output;
		Oid			input;
		Oid			parameter;
		bool		is_varlena;

		row.nulls[i] = nulls[i];
		if (nulls[i])
			continue;
		getTypeOutputInfo(types[i], &output, &is_varlena);
		/* of the base type: a domain's check may be another role's code */
		getTypeInputInfo(row.numbering->columns[i].type, &input, &parameter);
		row.values[i] =
			OidInputFunctionCall(input,
								 OidOutputFunctionCall(output, values[i]),
								 parameter, -1);
	}
	group_set_key(&row);
	relation_close(rel, NoLock);
	return row;
}

/*
 * Return the trigger that numbers a column by so many others, or NULL; a null
 * array has -1 of them.
 */
static const Trigger *
find_trigger(Relation rel, const char *column, int ngroups)
{
	for (int i = 0; rel->trigdesc != NULL && i < rel->trigdesc->numtriggers;
		 i++)
	{
		const Trigger *trigger = &rel->trigdesc->triggers[i];

		if (trigger->tgnargs == 2 + ngroups &&
			strcmp(trigger->tgargs[0], column) == 0 &&
			get_func_namespace(trigger->tgfoid) == catalog_public_schema() &&
			strcmp(get_func_name(trigger->tgfoid), "hilo_number_assign") == 0)
			return trigger;
	}
	return NULL;
}

/*
 * Return the group that is farthest off its rows, or else the most used up,
 * from 75 % on.  The tables are locked, and asked as their owner.
 */
UrgentGroup
number_urgent_group(const Column *column, Oid trigger)
{
	GroupLook	look = {
		.receiver = *None_Receiver,.context = CurrentMemoryContext,
		.column = column,.rank = 0.75,.found.lowest = 1
	};
	Relation	rel = table_open(column->relid, NoLock);
	TriggerDesc *triggers = CopyTriggerDesc(rel->trigdesc);
	List	   *tables = NIL;

	look.receiver.receiveSlot = note_group;
	/* in a copy, as others may make more of them */
	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		if (triggers->triggers[i].tgoid != trigger)
			continue;
		look.numbering = numbering_read(rel, &triggers->triggers[i]);
		tables = numbered_tables(column, &triggers->triggers[i]);
	}
	table_close(rel, NoLock);

	/* one query for all, if it may run as one role */
	look.tables = tables;
	look.is_whole = list_length(tables) == list_length(column->tables);
	foreach_oid(relid, tables)
		look.is_whole &= relation_owner(relid) == relation_owner(column->relid);
	if (look.is_whole)
	{
		run_and_roll_back(look_at_groups, &look);
		return look.found;
	}
	foreach_oid(relid, tables)
	{
		look.tables = list_make1_oid(relid);
		if (get_rel_relkind(relid) == RELKIND_RELATION)
			run_and_roll_back(look_at_groups, &look);
	}
	return look.found;
}

/*
 * Return a column's tables whose rows a trigger numbers together.  A child
 * without a copy of it has numbers of its own, or none.
 */
static List *
numbered_tables(const Column *column, const Trigger *trigger)
{
	List	   *found = NIL;

	foreach_oid(relid, column->tables)
	{
		bool		is_part = relid == column->relid;
		Oid			parent;

		for (int n = 1; OidIsValid(parent = relation_parent(relid, n)); n++)
			is_part |= list_member_oid(found, parent);
		if (is_part && get_rel_relkind(relid) != RELKIND_FOREIGN_TABLE &&
			OidIsValid(relation_same_trigger(relid, trigger)))
			found = lappend_oid(found, relid);
	}
	return found;
}

/*
 * Callback: ask for each group's greatest number, but for sentinels and huge
 * values.
 */
static void
look_at_groups(void *arg)
{
	GroupLook  *look = arg;
	const Numbering *numbering = look->numbering;
	int64		max_value = numbering->max_value;
	StringInfo	groups = makeStringInfo();
	StringInfo	where = makeStringInfo();

	for (int i = 0; i < numbering->ngroups; i++)
	{
		const char *group = quote_identifier(numbering->columns[i].name);

		appendStringInfo(groups, "r.%s, ", group);
		appendStringInfo(where,
						 " AND (r.%s IS NULL OR pg_column_size(r.%s) < 10000)",
						 group, group);
	}
	column_query(look->column, look->tables,
				 psprintf("SELECT %1$scoalesce(max(r.%2$s) FILTER (WHERE r.%2$s BETWEEN 1 AND %5$lld), 0)::int8, least(min(r.%2$s), 1)::int8 FROM %3$s%4$s r WHERE true%6$s GROUP BY %1$s1::int4",
						  groups->data,
						  quote_identifier(numbering->number->name),
						  look->is_whole ? "" : "ONLY ",
						  relation_name(linitial_oid(look->tables)),
						  (long long) (max_value - max_value / 10),
						  where->data),
				 &look->receiver);
}

/*
 * Note a group, its greatest number and its last one, if it is more urgent than
 * others.
 */
static bool
note_group(TupleTableSlot *slot, DestReceiver *receiver)
{
	GroupLook  *look = (GroupLook *) receiver;
	const Numbering *numbering = look->numbering;
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext,
												  "hilo group",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext before = MemoryContextSwitchTo(scratch);
	NumberedRow row = {.numbering = numbering};
	StringInfo	arguments = makeStringInfo();
	int64		number;
	int64		lowest;
	int64		last;
	double		rank;

	slot_getallattrs(slot);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		row.values[i] = slot->tts_values[i];
		row.nulls[i] = slot->tts_isnull[i];
		appendStringInfo(arguments, ", %s", row.nulls[i] ? "NULL" :
						 quote_literal_cstr(group_value(&numbering->columns[i],
														row.values[i])));
	}
	number = DatumGetInt64(slot->tts_values[numbering->ngroups]);
	lowest = DatumGetInt64(slot->tts_values[numbering->ngroups + 1]);
	look->found.lowest = Min(look->found.lowest, lowest);
	group_set_key(&row);
	if (series_last(&row.key, &last))
	{
		rank = (double) last / numbering->max_value;
		if (number > last)
			rank = (double) number - last + 1;
		/* rows at the end may have been deleted */
		else if (look->is_whole && !numbering->in_place &&
				 last > 2 * (double) number + FAR_ABOVE)
			rank = (double) last - number;
		if (rank >= look->rank)
		{
			look->found.arguments = MemoryContextStrdup(look->context,
														arguments->data);
			look->rank = rank;
			look->found.highest = number;
			look->found.last = last;
		}
	}
	MemoryContextSwitchTo(before);
	MemoryContextDelete(scratch);
	return true;
}
