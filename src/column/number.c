/*
 * Numbers for the rows of each group of a table, by a trigger.
 *
 * The series of a group is a generator that belongs to the table, made with the
 * group's first row above what the table holds of the group.  Its name tells the
 * group by value, as in invoices#16384.5eed1234(number,customer=7,year=2026).
 */
#include "postgres.h"

#include "catalog/pg_inherits.h"
#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "utils/datetime.h"
#include "utils/json.h"
#include "utils/numeric.h"
#include "utils/rls.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_number_assign);

/* the bytes of a group in the name of its series; a longer one is hashed */
#define LONGEST_GROUP 200

/*
 * What fn_extra points at for a statement: the arguments, understood.  The values
 * that number a row are those of the columns of its group, and then its number.
 */
typedef struct Numbering
{
	ColumnDefault column;		/* of the table that the series belong to */
	char	  **args;			/* the number, the ordering, the groups */
	int			ngroups;
	AttrNumber	columns[FUNC_MAX_ARGS]; /* of the values, in the firing table */
	const char *prefix;			/* of the series' names, with "(" */
	Oid			role;			/* that may know the numbers */
	bool		is_secured;		/* by row security, for that role */
	char		given[MAXINT8LEN + 1];	/* to the last row; empty: none */
} Numbering;

/* A look for groups whose series are behind or nearly used up; receives their rows. */
typedef struct GroupLook
{
	DestReceiver receiver;
	MemoryContext context;		/* of the result */
	Oid			role;			/* who asks */
	Oid			part;			/* that is looked at */
	const Column *column;
	const Numbering *numbering;
	text	   *series;			/* of the highest rank; NULL: none */
	double		rank;			/* how far behind; up to 1: how used up */
	int64	   *highest;		/* number of its group */
} GroupLook;

static Numbering *read_numbering(Relation rel, const Trigger *trigger);
static void look_at_rights(Numbering *numbering, Oid relid);
static void require_return(const Numbering *numbering,
						   const Definition *definition, bool is_brought);
static void look_at_groups(void *arg);
static bool note_group(TupleTableSlot *slot, DestReceiver *receiver);
static AttrNumber find_group(Relation rel, const char *name);
static void make_series(const Numbering *numbering, Relation rel, char **row, text *name);
static text *series_of(const Numbering *numbering, char **row);
static void append_escaped(StringInfo text, const char *value);
static char **row_values(const Numbering *numbering, Relation rel, HeapTuple tuple);
static char *group_value(HeapTuple tuple, TupleDesc desc, AttrNumber attnum);

/*
 * hilo_number_assign(column, ordering, VARIADIC group_columns): the trigger that
 * gives a row without a number the next one of its group.  A number that a row
 * brings along, or takes to another group, is kept, and passed by its series.
 *
 * A row that an UPDATE leaves in its group keeps its number when the statement
 * writes a null, as ORMs do, or the number that EXCLUDED was given.
 */
Datum
hilo_number_assign(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	Relation	rel;
	HeapTuple	tuple;
	Numbering  *numbering = fcinfo->flinfo->fn_extra;
	int			column;
	char	   *number;
	char	  **row;
	text	   *series;
	SessionEntry *entry;

	column_require_assignment(fcinfo, "hilo_number_assign()", true);
	rel = trigger->tg_relation;
	tuple = trigger->tg_trigtuple;
	if (numbering == NULL)
	{
		MemoryContext before = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

		fcinfo->flinfo->fn_extra = numbering =
			read_numbering(rel, trigger->tg_trigger);
		MemoryContextSwitchTo(before);
	}
	/* the number follows the groups, in a row and here */
	column = numbering->columns[numbering->ngroups];
	row = row_values(numbering, rel, tuple);
	if (TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
	{
		char	  **before = row;
		char	   *old = SPI_getvalue(tuple, RelationGetDescr(rel), column);
		int			same = 0;

		tuple = trigger->tg_newtuple;
		row = row_values(numbering, rel, tuple);
		while (same <= numbering->ngroups &&
			   (before[same] == NULL || row[same] == NULL ?
				before[same] == row[same] : strcmp(before[same], row[same]) == 0))
			same++;
		if (old != NULL && same > numbering->ngroups)
			return PointerGetDatum(tuple);
		if (old != NULL && same == numbering->ngroups &&
			(row[same] == NULL || strcmp(row[same], numbering->given) == 0))
			return PointerGetDatum(column_assign(rel, tuple, column, old));
	}
	numbering->given[0] = '\0';
	series = series_of(numbering, row);
	number = row[numbering->ngroups];
	if (numbering->role != GetUserId())
		look_at_rights(numbering, RelationGetRelid(rel));
	entry = session_find(series);
	if (entry == NULL || !session_knows(entry))
	{
		make_series(numbering, rel, row, series);
		entry = session_entry_of(series, series);
		session_check(entry);
	}
	require_return(numbering, &entry->definition, number != NULL);
	if (number == NULL)
	{
		pg_lltoa(next_id(entry, "hilo_number_assign()", 0), numbering->given);
		tuple = column_assign(rel, tuple, column, numbering->given);
	}
	else
		follow_id(numbering->column.relid, numbering->column.attnum, entry,
				  strtoi64(number, NULL, 10));
	return PointerGetDatum(tuple);
}

/*
 * Return the series of a trigger that is farthest behind its group, or else the most
 * used up, from 75 % on, of those that the role may see, and the group's greatest
 * number; NULL if there is none.  The tables are locked; each is asked as its owner.
 */
text *
number_urgent_series(const Column *column, Oid trigger, int64 *highest)
{
	GroupLook	look = {.receiver = *None_Receiver,.context = CurrentMemoryContext,
		.role = GetUserId(),.column = column,
	.rank = 0.75,.highest = highest};
	Relation	rel = table_open(column->relid, NoLock);
	TriggerDesc *all = CopyTriggerDesc(rel->trigdesc);
	const Trigger *made = NULL;
	List	   *copies = list_make1_oid(column->relid);

	look.receiver.receiveSlot = note_group;
	/* in a copy, as others may make more of them */
	for (int i = 0; all != NULL && i < all->numtriggers; i++)
	{
		if (all->triggers[i].tgoid == trigger)
			look.numbering = read_numbering(rel, made = &all->triggers[i]);
	}
	table_close(rel, NoLock);
	foreach_oid(relid, column->tables)
	{
		bool		is_copy = relid == column->relid;
		Oid			parent;

		for (int n = 1; OidIsValid(parent = relation_parent(relid, n)); n++)
			is_copy |= list_member_oid(copies, parent);
		/* another child has numbers of its own, or a look */
		if (made == NULL || !is_copy || !relation_has_trigger(relid, made))
			continue;
		copies = lappend_oid(copies, relid);
		look.part = relid;
		if (get_rel_relkind(relid) == RELKIND_RELATION)
			attempt_and_undo(look_at_groups, &look);
	}
	return look.series;
}

/*
 * Look at the rights of the current role.  Report an error if neither this role
 * nor one that may make triggers may read the table: triggers, this one on any
 * columns or another that sees the numbers, would tell them of its rows.
 */
static void
look_at_rights(Numbering *numbering, Oid relid)
{
	Oid			whole = numbering->column.relid;

	foreach_oid(table, relation_ancestors(relid, NIL))
	{
		foreach_oid(maker, relation_grantees(table, ACL_TRIGGER))
		{
			if (!relation_may_read(whole, maker) &&
				!relation_may_read(whole, GetUserId()))
				ereport(ERROR,
						(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						 errmsg("permission denied to number rows of \"%s\"",
								get_rel_name(table)),
						 errdetail("Neither the current role nor one with TRIGGER may read all its rows."),
						 errhint("Drop the triggers of roles that may not read the table, and revoke TRIGGER on it from them.")));
		}
	}
	while (check_enable_rls(relid, InvalidOid, true) != RLS_ENABLED &&
		   get_rel_relispartition(relid))
		relid = relation_parent(relid, 1);
	numbering->is_secured =
		check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED;
	numbering->role = GetUserId();
}

/*
 * Report an error if a series would stay raised after its row was refused: any
 * row by row security, one that brings a number also by a view or a part.  The
 * error is the same for any number, or it would tell the last one.
 */
static void
require_return(const Numbering *numbering, const Definition *definition,
			   bool is_brought)
{
	const char *prefix = numbering->prefix;

	if (definition->holder != HELD_BY_NOBODY &&
		(numbering->is_secured ||
		 (is_brought &&
		  !relation_may_insert(numbering->column.relid, GetUserId()))))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to raise the numbers of a group"),
				 errdetail("Row security applies to the current role, or it brings a number and may not insert into the whole table."),
				 errhint("Leave the number out, or set it to null. Under row security, have the owner create the trigger with \"gapless\", and run SELECT hilo_alter(name, 'gapless') FROM hilo_generators() WHERE starts_with(name, %s).",
						 quote_literal_cstr(pnstrdup(prefix, strrchr(prefix, '.') - prefix)))));
}

/* Callback: ask for each group's greatest number, but for sentinels and huge values. */
static void
look_at_groups(void *arg)
{
	GroupLook  *look = arg;
	int64		max_value = look->column->max_value;
	char	  **args = look->numbering->args;
	StringInfo	groups = makeStringInfo();
	StringInfo	where = makeStringInfo();

	for (int i = 0; i < look->numbering->ngroups; i++)
	{
		const char *group = quote_identifier(args[2 + i]);

		appendStringInfo(groups, "r.%s, ", group);
		appendStringInfo(where, " AND (r.%s IS NULL OR pg_column_size(r.%s) < 10000)",
						 group, group);
	}
	column_query(look->column, look->part,
				 psprintf("SELECT %1$scoalesce(max(r.%2$s) FILTER (WHERE r.%2$s BETWEEN 1 AND %4$lld), 0) FROM %3$s r WHERE true%5$s GROUP BY %1$s1::int4",
						  groups->data, quote_identifier(args[0]),
						  psprintf("%s%s", has_subclass(look->part) ? "ONLY " : "", relation_name(look->part)),
						  (long long) (max_value - max_value / 10), where->data),
				 &look->receiver);
}

/* Note a group and its greatest number if its series is more urgent than others. */
static bool
note_group(TupleTableSlot *slot, DestReceiver *receiver)
{
	GroupLook  *look = (GroupLook *) receiver;
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "hilo group",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext before = MemoryContextSwitchTo(scratch);
	HeapTuple	tuple = ExecFetchSlotHeapTuple(slot, false, NULL);
	char	   *row[FUNC_MAX_ARGS];
	text	   *series;
	Definition	definition;
	int64		number;

	for (int i = 0; i <= look->numbering->ngroups; i++)
		row[i] = group_value(tuple, slot->tts_tupleDescriptor, i + 1);
	series = series_of(look->numbering, row);
	number = strtoi64(row[look->numbering->ngroups], NULL, 10);
	if (definition_find(series, &definition))
	{
		int64		last = generator_last(series, &definition);
		double		rank;

		definition.max_value = Min(definition.max_value, look->column->max_value);
		rank = number > last && number <= definition.max_value ?
			(double) number - last + 1 : definition_used_ratio(&definition, last);
		if (rank >= look->rank && privilege_may_see(series, &definition, look->role))
		{
			MemoryContextSwitchTo(look->context);
			look->series = DatumGetTextPCopy(PointerGetDatum(series));
			look->rank = rank;
			*look->highest = number;
		}
	}
	MemoryContextSwitchTo(before);
	MemoryContextDelete(scratch);
	return true;
}

static Numbering *
read_numbering(Relation rel, const Trigger *trigger)
{
	Numbering  *numbering = palloc0(sizeof(Numbering));
	char	  **args = numbering->args = trigger->tgargs;
	Oid			relid = RelationGetRelid(rel);

	if (trigger->tgnargs < 2 || trigger->tgnargs > FUNC_MAX_ARGS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("hilo_number_assign() needs two to %d arguments", FUNC_MAX_ARGS),
				 errdetail("The arguments are the column of the number, the ordering and the columns of the group.")));
	if (strcmp(args[1], "gapless") != 0 && strcmp(args[1], "global") != 0 &&
		strcmp(args[1], "session") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid ordering: \"%s\"", args[1]),
				 errhint("Numbers of groups are \"gapless\", \"global\" or \"session\".")));
	/* the table that the trigger was made for, be this the copy of a part */
	foreach_oid(each, relation_ancestors(relid, NIL))
		relid = relation_has_trigger(each, trigger) ? each : relid;
	relation_require_kind(relid, true, true, InvalidOid);
	numbering->column.relid = relid;
	numbering->column.attnum = column_number(relid, args[0]);
	column_require_number(relid, numbering->column.attnum,
						  "Number a column of type bigint. A text column GENERATED ALWAYS AS ('INV-' || number::text) STORED shows the number as text.");
	numbering->ngroups = trigger->tgnargs - 2;
	numbering->columns[numbering->ngroups] = column_of_trigger(rel, args[0]);
	for (int i = 0; i < numbering->ngroups; i++)
		numbering->columns[i] = find_group(rel, args[2 + i]);
	/* an INSERT locks the part alone: none renames the whole before a series */
	if (relid != RelationGetRelid(rel) && definition_series_prefix(relid, false) == NULL)
		(void) lock_table(relid, AccessShareLock, true);
	numbering->prefix = psprintf("%s(", definition_series_prefix(relid, true));
	return numbering;
}

/*
 * Return the number of a column that groups rows: its values are equal just if
 * group_value writes them alike, whatever the settings of a session.
 */
static AttrNumber
find_group(Relation rel, const char *name)
{
	static const Oid types[] = {
		INT2OID, INT4OID, INT8OID, NUMERICOID, OIDOID, BOOLOID, UUIDOID, DATEOID,
		TIMESTAMPOID, TEXTOID, VARCHAROID, BPCHAROID, NAMEOID
	};
	AttrNumber	column = column_of_trigger(rel, name);
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), column - 1);
	Oid			type = getBaseType(att->atttypid);
	bool		is_known = get_typtype(type) == TYPTYPE_ENUM;

	for (size_t i = 0; i < lengthof(types); i++)
		is_known |= type == types[i];
	if (!is_known || (OidIsValid(att->attcollation) &&
					  !get_collation_isdeterministic(att->attcollation)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of relation \"%s\" cannot be that of a group",
						name, RelationGetRelationName(rel)),
				 errdetail("Its type is %s.", format_type_be(att->atttypid)),
				 errhint("Use a column of an integer type, numeric, boolean, uuid, date, timestamp, an enum, or text with a deterministic collation.")));
	return column;
}

/* Make a series.  One without gaps is its transaction's, as its numbers are. */
static void
make_series(const Numbering *numbering, Relation rel, char **row, text *name)
{
	ColumnDefault column = numbering->column;
	Definition	definition;
	int64		last = 0;
	StringInfo	where = makeStringInfo();

	if (definition_find_alive(name, &definition))
	{
		/* the owner of the database may have restored one of that name */
		if (column_generator_is_foreign(column.relid, name))
			privilege_require_create(name, GetUserId());
		if (strcmp(definition_ordering(&definition), numbering->args[1]) != 0)
			ereport(WARNING,
					(errmsg("numbers of the group have ordering \"%s\", not \"%s\"",
							definition_ordering(&definition), numbering->args[1]),
					 !privilege_may_change(name, GetUserId()) ? 0 :
					 errhint("Run hilo_alter(%s, %s).",
							 quote_literal_cstr(text_to_cstring(name)),
							 quote_literal_cstr(numbering->args[1]))));
		return;
	}
	for (int i = 0; i < numbering->ngroups; i++)
	{
		const char *col = quote_identifier(numbering->args[2 + i]);
		Oid			type = getBaseType(get_atttype(RelationGetRelid(rel), numbering->columns[i]));

		if (row[i] == NULL)
			appendStringInfo(where, " AND %s IS NULL", col);
		else if (type_is_enum(type))
			/* to any other operand, a cast may be code of the type's owner */
			appendStringInfo(where, " AND enum_eq(coalesce(%s, NULL), %s)", col,
							 quote_literal_cstr(row[i]));
		else
			appendStringInfo(where, " AND %s::%s = %s", col,
							 format_type_extended(type, -1, FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY),
							 quote_literal_cstr(row[i]));
	}

	if (first_use_lock(name))
	{
		definition = definition_default(name);
		definition_set_ordering(&definition, numbering->args[1]);
		definition.rel = column.relid;
		citus_refuse_own_ids(name, &definition);
		column.generator = column.folded = name;
		/* a role that may only update rows makes no series */
		privilege_require_use(name, &definition, false);
		require_return(numbering, &definition, false);
		first_use_fit(&column, where->data, &definition, &last);
		first_use_above(name, &definition, last);
	}
}

/*
 * Return the folded name of the series that numbers a row: with its columns and values
 * if these are short, folded and ASCII; else with their hash, of UTF-8 in any database.
 */
static text *
series_of(const Numbering *numbering, char **row)
{
	StringInfo	group = makeStringInfo();
	bool		is_plain;

	append_escaped(group, numbering->args[0]);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		appendStringInfoChar(group, ',');
		append_escaped(group, numbering->args[2 + i]);
		appendStringInfoChar(group, '=');
		if (row[i] == NULL)
			appendStringInfoChar(group, '?');
		else
			append_escaped(group, row[i]);
	}
	is_plain = group->len <= LONGEST_GROUP && group->data[0] != '#';
	for (int i = 0; i < group->len; i++)
		is_plain &= group->data[i] >= ' ' && (unsigned char) group->data[i] < '\177' &&
			(group->data[i] < 'A' || group->data[i] > 'Z');
	if (!is_plain)
	{
		char	   *bytes = GetDatabaseEncoding() == PG_SQL_ASCII ? group->data :
			pg_server_to_any(group->data, group->len, PG_UTF8);
		Datum		hash = DirectFunctionCall1(sha256_bytea, CStringGetTextDatum(bytes));

		hash = DirectFunctionCall2(binary_encode, hash, CStringGetTextDatum("hex"));
		resetStringInfo(group);
		appendStringInfo(group, "#%s", TextDatumGetCString(hash));
	}
	return definition_name(cstring_to_text(psprintf("%s%s)", numbering->prefix, group->data)));
}

/* Append a name or a value, in which nothing looks like its end, or like a null. */
static void
append_escaped(StringInfo text, const char *value)
{
	for (; *value != '\0'; value++)
	{
		if (strchr(",=?\\", *value) != NULL)
			appendStringInfoChar(text, '\\');
		appendStringInfoChar(text, *value);
	}
}

static char **
row_values(const Numbering *numbering, Relation rel, HeapTuple tuple)
{
	char	  **row = palloc((numbering->ngroups + 1) * sizeof(char *));

	for (int i = 0; i <= numbering->ngroups; i++)
		row[i] = group_value(tuple, RelationGetDescr(rel), numbering->columns[i]);
	return row;
}

/* Return a value of a row as find_group promises, NULL if it is null. */
static char *
group_value(HeapTuple tuple, TupleDesc desc, AttrNumber attnum)
{
	Oid			type = getBaseType(TupleDescAttr(desc, attnum - 1)->atttypid);
	bool		isnull;
	Datum		value = heap_getattr(tuple, attnum, desc, &isnull);

	if (isnull)
		return NULL;
	if (type == NUMERICOID)
		return numeric_normalize(DatumGetNumeric(value));
	if (type == DATEOID || type == TIMESTAMPOID)
		return JsonEncodeDateTime(palloc(MAXDATELEN + 1), value, type, NULL);
	if (type == BPCHAROID)
		return TextDatumGetCString(DirectFunctionCall1(rtrim1, value));
	return SPI_getvalue(tuple, desc, attnum);
}
