/*
 * Numbers for the rows of each group of a table, by a trigger.
 *
 * Only the trigger's arguments define the groups.  The last number of a group
 * is in a row of hilo_series.  The first row of the group makes that row, with
 * a number above those in the table.
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
 * The search for the group that hilo_check reports, which receives a row for
 * each group.
 */
typedef struct GroupSearch
{
	DestReceiver receiver;
	MemoryContext context;		/* of the result */
	const Column *column;
	const Numbering *numbering;
	List	   *tables;			/* OIDs: the table to search, and its parts */
	bool		is_whole;		/* these have all rows */
	UrgentGroup urgent;			/* the one with the highest rank */
	double		rank;			/* above 1: how far from its rows; up to 1:
								 * how used up */
} GroupSearch;

static void require_may_number(Numbering *numbering);
static void require_readers(const Numbering *numbering, Oid relid);
static NumberedRow read_row(const Numbering *numbering, Relation rel,
							HeapTuple tuple);
static int64 take_number(const NumberedRow *row, int64 to);
static void say_number(void *arg);
static void follow_number(const NumberedRow *row, int64 number);
static int64 last_of_rows(const NumberedRow *row);
static NumberedRow row_of_call(FunctionCallInfo fcinfo, int first);
static const Trigger *find_trigger(Relation rel, const char *column,
								   int ngroups);
static List *numbered_tables(const Column *column, const Trigger *trigger);
static void search_groups(void *arg);
static bool note_group(TupleTableSlot *slot, DestReceiver *receiver);

/*
 * A last number that is this far above twice the greatest of the group's rows
 * is reported.  A lower one is more likely the trace of deleted rows.
 */
#define FAR_ABOVE 1000

/* completes the hint of column_is_sentinel */
#define GROUP_SEED_HINT "the group above them with hilo_group_seed"

/*
 * hilo_number_assign(column, ordering, VARIADIC group_columns): the trigger
 * that gives the next number of its group to a row without a number.  A row
 * keeps a number that it brings along, also to another group, and the group's
 * last number is raised to it.
 *
 * A row that stays in its group in an UPDATE keeps its number if the statement
 * writes a null, like ORMs do, or the number that EXCLUDED was given.
 */
Datum
hilo_number_assign(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	/* the number that this statement gave to the previous row */
	char	   *last_given = fcinfo->flinfo->fn_extra;
	Relation	rel;
	HeapTuple	tuple;
	Numbering  *numbering;
	int			column;
	NumberedRow row;

	column_require_before_row(fcinfo, "hilo_number_assign()", true);
	if (last_given == NULL)
		fcinfo->flinfo->fn_extra = last_given =
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
			if (row.number == NULL || strcmp(row.number, last_given) == 0)
				return PointerGetDatum(column_assign(rel, tuple, column, old));
		}
	}
	last_given[0] = '\0';
	require_writable("hilo_number_assign()");
	require_may_number(numbering);
	if (row.number == NULL)
	{
		pg_lltoa(take_number(&row, 0), last_given);
		tuple = column_assign(rel, tuple, column, last_given);
	}
	else
		follow_number(&row, strtoi64(row.number, NULL, 10));
	return PointerGetDatum(tuple);
}

/*
 * Report an error if the trigger that a command has just made cannot number
 * rows.
 */
void
number_check_trigger(const CreateTrigStmt *statement)
{
	List	   *made;
	Relation	rel;

	if (strcmp(strVal(llast(statement->funcname)), "hilo_number_assign") != 0)
		return;
	made = relation_select("SELECT unnest(ARRAY[tgrelid, t.oid])"
						   " FROM pg_event_trigger_ddl_commands()"
						   " JOIN pg_trigger t ON t.oid = objid"
						   " AND classid = 'pg_trigger'::regclass");
	rel = table_open(linitial_oid(made), NoLock);
	for (int i = 0; i < rel->trigdesc->numtriggers; i++)
	{
		const Trigger *trigger = &rel->trigdesc->triggers[i];

		if (trigger->tgoid != lsecond_oid(made) ||
			!trigger_numbers_column(trigger, NULL))
			continue;
		column_require_timing(trigger, "hilo_number_assign()", true);
		(void) numbering_read(rel, trigger);
	}
	table_close(rel, NoLock);
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
 * Set the last number of a group in the role's own table.  Report an error if
 * it is below a number of the group's rows.
 *
 * The lock waits for transactions that write to the table.  The numbers that
 * they got are in rows then, so none is given twice.  Later writers wait for
 * the end of this transaction, because its rollback restores the last number.
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
	(void) column_lock_own(row.key.rel, row.numbering->number->name,
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
 * Report an error unless the current role may insert into the table, a part of
 * it, or a view of them.
 *
 * With the ordering "global", a rollback does not lower the last number.  Row
 * security, a view or a part can refuse any row, so the role must be able to
 * insert all rows.
 */
static void
require_may_number(Numbering *numbering)
{
	Oid			whole = numbering->whole;
	Oid			relid = numbering->relid;
	uint64		generation = generator_changes;
	bool		is_secured = false;

	if (numbering->role == GetUserId() &&
		numbering->role_generation == generation)
		return;
	if (!privilege_may_insert(whole, GetUserId()))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(whole));
	foreach_oid(table, relation_ancestors(relid, NIL))
	{
		watch_relation(table);
		/* the row security of a partitioned table applies to its parts, too */
		if ((table == relid || get_rel_relispartition(relid)) &&
			check_enable_rls(table, InvalidOid, true) == RLS_ENABLED)
			is_secured = true;
		if (!relation_may_read(whole, GetUserId()))
			require_readers(numbering, table);
	}
	if (numbering->in_place &&
		(is_secured || !relation_may_insert(whole, GetUserId())))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied to raise the numbers of a group"),
				errdetail("The current role may not insert into the whole table, or row security applies to it."),
				errhint("Grant INSERT on the whole table. Under row security, have the owner create the trigger with \"gapless\"."));
	numbering->role = GetUserId();
	numbering->role_generation = generation;
}

/*
 * Report an error if the triggers of a table could show numbers to a role that
 * may not read the numbered table: a role that owns a function of a trigger, or
 * that may create triggers, and so group rows by any columns.  It would learn
 * about rows.
 */
static void
require_readers(const Numbering *numbering, Oid relid)
{
	foreach_oid(role, list_concat(relation_grantees(relid, ACL_TRIGGER),
								  column_trigger_owners(relid)))
	{
		if (!relation_may_read(numbering->whole, role))
			ereport(ERROR,
					errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					errmsg("permission denied to number rows of \"%s\"",
						   get_rel_name(relid)),
					errdetail("The current role may not read all its rows, and neither may another role with the TRIGGER privilege, or with a function in a trigger."),
					errhint("Drop the triggers of roles that may not read the table, and revoke TRIGGER on it from them."));
	}
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
 * Return the next number of a row's group.  If "to" is not 0, raise the last
 * number at least to it instead.
 *
 * The first number lies above those in the table, and so does the first one
 * after each change of what defines the group.  Before, the same rows may have
 * been in another group, or there was no trigger.
 */
static int64
take_number(const NumberedRow *row, int64 to)
{
	const Numbering *numbering = row->numbering;
	NumberChange change = {
		.in_place = numbering->in_place,.to = to,.count = to == 0,
		.max_value = numbering->max_value,.greatest = NOT_ASKED
	};
	ErrorContextCallback context =
	{error_context_stack, say_number, (void *) numbering};
	StoreResult result;

	do
	{
		error_context_stack = &context;
		result = series_change(&row->key, &change);
		error_context_stack = context.previous;
		if (result == STORE_GONE || result == STORE_OUTDATED)
			change.greatest = last_of_rows(row);
		if (result == STORE_GONE)
			result = series_insert(&row->key, &change);
	} while (result == STORE_BUSY || result == STORE_OUTDATED);
	if (result != STORE_OK)
		ereport(ERROR,
				errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				errmsg("numbers of a group of table \"%s\" have reached the end of their type (%lld)",
					   numbering->table,
					   (long long) numbering->max_value),
				errhint("Widen the type of the column. If a row took the group there by mistake, correct the row and run hilo_group_seed."));
	return change.last;
}

/* Callback: tell whoever stops waiting for a number whose it is. */
static void
say_number(void *arg)
{
	const Numbering *numbering = arg;

	errcontext("number of a group in column \"%s\" of table \"%s\"",
			   numbering->number->name, numbering->table);
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

/* Return the greatest number of a group's rows that is no sentinel. */
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
 * Read the arguments of a call: a table, the column of its numbers, and the
 * values of a group, which begin with argument "first".  Their order is that of
 * the trigger's columns.
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
	(void) column_require_attnum(PG_GETARG_OID(0), name);
	if (PG_NARGS() > first)
		ngroups = extract_variadic_args(fcinfo, first, true, &values, &types,
										&nulls);
	rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	trigger = find_trigger(rel, name, ngroups);
	if (trigger == NULL)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg_plural("no trigger numbers column \"%s\" of table \"%s\" in groups of %d column",
							  "no trigger numbers column \"%s\" of table \"%s\" in groups of %d columns",
							  ngroups, name, RelationGetRelationName(rel),
							  Max(ngroups, 0)),
				errhint("Create the trigger hilo_number_assign, or give a value for each of its group columns, in its order."));
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
		/* the base type: the check of a domain may be code of another role */
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
 * Return the trigger that numbers a column in groups of ngroups columns, or
 * NULL.  A null array of values has -1 of them.
 */
static const Trigger *
find_trigger(Relation rel, const char *column, int ngroups)
{
	for (int i = 0; rel->trigdesc != NULL && i < rel->trigdesc->numtriggers;
		 i++)
	{
		const Trigger *trigger = &rel->trigdesc->triggers[i];

		if (trigger->tgnargs == 2 + ngroups &&
			trigger_numbers_column(trigger, column))
			return trigger;
	}
	return NULL;
}

/*
 * Return the group with the last number that is farthest from its rows.  If all
 * of them are right, return the one that is most used up, if that is 75 % or
 * more.  The caller has locked the tables; each is read as its owner.
 */
UrgentGroup
number_urgent_group(const Column *column, Oid trigger)
{
	GroupSearch search = {
		.receiver = *None_Receiver,.context = CurrentMemoryContext,
		.column = column,.rank = 0.75,.urgent.lowest = 1
	};
	Relation	rel = table_open(column->relid, NoLock);
	TriggerDesc *triggers = CopyTriggerDesc(rel->trigdesc);
	List	   *tables = NIL;

	search.receiver.receiveSlot = note_group;
	/* in a copy: reading a trigger may let in changes of the relation */
	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		if (triggers->triggers[i].tgoid != trigger)
			continue;
		search.numbering = numbering_read(rel, &triggers->triggers[i]);
		tables = numbered_tables(column, &triggers->triggers[i]);
	}
	table_close(rel, NoLock);

	/* one query for all, if it may run as one role */
	search.tables = tables;
	search.is_whole = list_length(tables) == list_length(column->tables);
	foreach_oid(relid, tables)
	{
		if (relation_owner(relid) != relation_owner(column->relid))
			search.is_whole = false;
	}
	if (search.is_whole)
	{
		run_and_roll_back(search_groups, &search);
		return search.urgent;
	}
	foreach_oid(relid, tables)
	{
		search.tables = list_make1_oid(relid);
		if (get_rel_relkind(relid) == RELKIND_RELATION)
			run_and_roll_back(search_groups, &search);
	}
	return search.urgent;
}

/*
 * Return those tables of a column that a trigger numbers together.  A child
 * without a copy of the trigger has its own numbers, or none.
 */
static List *
numbered_tables(const Column *column, const Trigger *trigger)
{
	List	   *tables = NIL;

	foreach_oid(relid, column->tables)
	{
		bool		is_part = relid == column->relid;
		Oid			parent;

		for (int n = 1; OidIsValid(parent = relation_parent(relid, n)); n++)
			is_part |= list_member_oid(tables, parent);
		if (is_part && get_rel_relkind(relid) != RELKIND_FOREIGN_TABLE &&
			OidIsValid(relation_same_trigger(relid, trigger)))
			tables = lappend_oid(tables, relid);
	}
	return tables;
}

/*
 * Callback of run_and_roll_back: read the greatest number of each group.  Skip
 * sentinels, and groups with huge values.
 */
static void
search_groups(void *arg)
{
	GroupSearch *search = arg;
	const Numbering *numbering = search->numbering;
	int64		max_value = numbering->max_value;
	StringInfo	groups = makeStringInfo();
	StringInfo	limits = makeStringInfo();

	for (int i = 0; i < numbering->ngroups; i++)
	{
		const char *group = quote_identifier(numbering->columns[i].name);

		appendStringInfo(groups, "r.%s, ", group);
		appendStringInfo(limits,
						 " AND (r.%s IS NULL OR pg_column_size(r.%s) < 10000)",
						 group, group);
	}
	owner_query(search->column, search->tables,
				psprintf("SELECT %1$scoalesce(max(r.%2$s) FILTER (WHERE r.%2$s BETWEEN 1 AND %5$lld), 0)::int8, least(min(r.%2$s), 1)::int8 FROM %3$s%4$s r WHERE true%6$s GROUP BY %1$s1::int4",
						 groups->data,
						 quote_identifier(numbering->number->name),
						 search->is_whole ? "" : "ONLY ",
						 relation_name(linitial_oid(search->tables)),
						 (long long) (max_value - max_value / 10),
						 limits->data),
				&search->receiver);
}

/* Keep a group, with its greatest number and its last one, if it is urgent. */
static bool
note_group(TupleTableSlot *slot, DestReceiver *receiver)
{
	GroupSearch *search = (GroupSearch *) receiver;
	const Numbering *numbering = search->numbering;
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
	search->urgent.lowest = Min(search->urgent.lowest, lowest);
	group_set_key(&row);
	if (series_last(&row.key, &last))
	{
		rank = (double) last / numbering->max_value;
		if (number > last)
			rank = (double) number - last + 1;
		/* less than that may be rows that were deleted */
		else if (search->is_whole && !numbering->in_place &&
				 last > 2 * (double) number + FAR_ABOVE)
			rank = (double) last - number;
		if (rank >= search->rank)
		{
			search->urgent.arguments = MemoryContextStrdup(search->context,
														   arguments->data);
			search->rank = rank;
			search->urgent.highest = number;
			search->urgent.last = last;
		}
	}
	MemoryContextSwitchTo(before);
	MemoryContextDelete(scratch);
	return true;
}
