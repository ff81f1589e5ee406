/*
 * Numbers for the rows of each group of a table, by a trigger.
 *
 * The series of a group is a generator that belongs to the table, made with the
 * group's first row above what the table holds of the group.  Its name tells the
 * group by value, as in invoices#16384.5eed1234(number,customer=7,year=2026).
 */
#include "postgres.h"

#include "catalog/pg_trigger.h"
#include "utils/datetime.h"
#include "utils/json.h"
#include "utils/numeric.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_number_assign);

/* the bytes of a group in the name of its series; a longer one is hashed */
#define LONGEST_GROUP 200

/* What fn_extra points at for a statement: the arguments, understood. */
typedef struct Numbering
{
	ColumnDefault column;		/* of the table that the series belong to */
	AttrNumber	number;			/* in the table that the trigger fires for */
	int			ngroups;
	AttrNumber	groups[FUNC_MAX_ARGS];	/* the number behind them */
	const char *prefix;			/* of the series' names, with "(" */
	const char *ordering;
} Numbering;

/* A look for groups whose series are behind, and the receiver of their rows. */
typedef struct GroupLook
{
	DestReceiver receiver;
	MemoryContext context;		/* of the result */
	Oid			role;			/* who asks */
	Relation	part;			/* that is looked at */
	const Numbering *numbering;
	TriggerData row;			/* with the table that the series belong to */
	text	   *series;			/* the farthest behind; NULL: none is */
	int64		highest;		/* number of its group */
	int64		last;			/* its own */
}			GroupLook;

static Numbering *read_numbering(const TriggerData *trigger);
static void look_at_groups(void *arg);
static bool note_group(TupleTableSlot *slot, DestReceiver *receiver);
static bool is_changed(const Numbering *numbering, TriggerData *before,
					   TriggerData *after);
static Oid	owning_table(const TriggerData *trigger);
static AttrNumber find_group(Relation rel, const char *name);
static void make_series(const Numbering *numbering, TriggerData *trigger,
						text *name);
static text *series_of(const Numbering *numbering, TriggerData *row);
static char *group_text(const Numbering *numbering, TriggerData *trigger);
static void append_escaped(StringInfo text, const char *value);
static char *group_value(TriggerData *trigger, AttrNumber attnum);

/*
 * hilo_number_assign(column, ordering, VARIADIC group_columns): the trigger that
 * gives a row that is inserted the next number of its group.  A number that the
 * row brings along, or takes to another group, is kept, and passed by its series.
 */
Datum
hilo_number_assign(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	TriggerData row;
	Numbering  *numbering = fcinfo->flinfo->fn_extra;
	text	   *series;
	SessionEntry *entry;
	int64		number;

	column_require_assignment(fcinfo, "hilo_number_assign()", true);
	if (numbering == NULL)
	{
		MemoryContext before = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

		fcinfo->flinfo->fn_extra = numbering = read_numbering(trigger);
		MemoryContextSwitchTo(before);
	}
	row = *trigger;
	if (TRIGGER_FIRED_BY_UPDATE(row.tg_event))
	{
		row.tg_trigtuple = row.tg_newtuple;
		if (!is_changed(numbering, trigger, &row))
			return PointerGetDatum(row.tg_trigtuple);
	}
	series = series_of(numbering, &row);
	entry = session_find(definition_name(series));
	if (entry == NULL || !session_checked(entry))
	{
		make_series(numbering, &row, definition_name(series));
		entry = session_entry(series);
	}
	if (follow_read(trigger, numbering->number, &number))
	{
		follow_id(numbering->column.relid, numbering->column.attnum, entry,
				  number);
		return PointerGetDatum(row.tg_trigtuple);
	}

	number = next_id(entry, "hilo_number_assign()", 0);
	return PointerGetDatum(column_assign(&row, numbering->number,
										 psprintf("%lld", (long long) number)));
}

/*
 * Find the series of a trigger that is farthest behind its group, of those that the
 * current role may see, and return its name, the group's greatest number and the
 * last one of the series; NULL if none is behind.  The tables are locked; each is
 * asked as its own owner.
 */
text *
number_behind(const Column *column, Oid trigger, int64 *highest, int64 *last)
{
	GroupLook	look = {.receiver = *None_Receiver,.context = CurrentMemoryContext,.role = GetUserId()};
	Relation	rel = table_open(column->relid, NoLock);

	/* the lock does not keep others from making triggers */
	TriggerDesc *triggers = CopyTriggerDesc(rel->trigdesc);

	look.receiver.receiveSlot = note_group;
	look.row.tg_relation = rel;
	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		if (triggers->triggers[i].tgoid == trigger)
			look.row.tg_trigger = &triggers->triggers[i];
	}
	if (look.row.tg_trigger != NULL)
		look.numbering = read_numbering(&look.row);
	foreach_oid(relid, column->tables)
	{
		/* another child's rows have numbers of their own */
		if (look.numbering == NULL || get_rel_relkind(relid) != RELKIND_RELATION ||
			(relid != column->relid && !get_rel_relispartition(relid)))
			continue;
		look.part = table_open(relid, NoLock);
		attempt_and_undo(look_at_groups, &look);
		table_close(look.part, NoLock);
	}
	table_close(rel, NoLock);
	*highest = look.highest;
	*last = look.last;
	return look.series;
}

/*
 * Callback: ask for the greatest number of each group, but for sentinels, and for
 * groups whose values are of any size.
 */
static void
look_at_groups(void *arg)
{
	GroupLook  *look = arg;
	char	  **args = look->row.tg_trigger->tgargs;
	const char *number = quote_identifier(args[0]);
	int64		max_value = column_type_max(get_atttype(RelationGetRelid(look->row.tg_relation),
														look->numbering->number));
	StringInfoData groups;
	StringInfoData where;

	initStringInfo(&groups);
	initStringInfo(&where);
	for (int i = 0; i < look->numbering->ngroups; i++)
	{
		const char *group = quote_identifier(args[2 + i]);

		appendStringInfo(&groups, "r.%s, ", group);
		appendStringInfo(&where, " AND (r.%s IS NULL OR pg_column_size(r.%s) < 10000)",
						 group, group);
	}
	column_query(look->part, psprintf("SELECT %1$smax(r.%2$s) FROM ONLY %3$s r WHERE r.%2$s BETWEEN 1 AND %4$lld%5$s GROUP BY %1$s1::int4",
									  groups.data, number,
									  relation_name(RelationGetRelid(look->part)),
									  (long long) max_value / 10 * 9, where.data),
				 false, &look->receiver);
}

/* Note a group and its greatest number if its series is farther behind than others. */
static bool
note_group(TupleTableSlot *slot, DestReceiver *receiver)
{
	GroupLook  *look = (GroupLook *) receiver;
	const Numbering *numbering = look->numbering;
	TupleDesc	desc = RelationGetDescr(look->row.tg_relation);
	MemoryContext before = CurrentMemoryContext;
	MemoryContext scratch = AllocSetContextCreate(before, "hilo group", ALLOCSET_SMALL_SIZES);
	Datum	   *values;
	bool	   *nulls;
	text	   *series;
	Definition	definition;
	int64		number;
	int64		last;

	MemoryContextSwitchTo(scratch);
	values = palloc0(desc->natts * sizeof(Datum));
	nulls = palloc(desc->natts * sizeof(bool));
	memset(nulls, true, desc->natts);
	/* the number is behind the columns of the group */
	for (int i = 0; i <= numbering->ngroups; i++)
		values[numbering->groups[i] - 1] = slot_getattr(slot, i + 1,
														&nulls[numbering->groups[i] - 1]);
	look->row.tg_trigtuple = heap_form_tuple(desc, values, nulls);
	series = definition_name(series_of(numbering, &look->row));
	if (follow_read(&look->row, numbering->number, &number) &&
		definition_find(series, &definition, NULL) &&
		number > (last = generator_last(series, &definition)) &&
		(look->series == NULL || number - last > look->highest - look->last) &&
		privilege_may_see(series, &definition, look->role))
	{
		MemoryContextSwitchTo(look->context);
		look->series = DatumGetTextPCopy(PointerGetDatum(series));
		look->highest = number;
		look->last = last;
	}
	MemoryContextSwitchTo(before);
	MemoryContextDelete(scratch);
	return true;
}

/* Check whether an UPDATE changes the number of a row, or its group. */
static bool
is_changed(const Numbering *numbering, TriggerData *before, TriggerData *after)
{
	for (int i = 0; i <= numbering->ngroups; i++)
	{
		char	   *old = group_value(before, numbering->groups[i]);
		char	   *new = group_value(after, numbering->groups[i]);

		if (old == NULL || new == NULL ? old != new : strcmp(old, new) != 0)
			return true;
	}
	return false;
}

/* Parse the arguments of the trigger. */
static Numbering *
read_numbering(const TriggerData *trigger)
{
	char	  **args = trigger->tg_trigger->tgargs;
	Numbering  *numbering = palloc0(sizeof(Numbering));
	ColumnDefault column = {.relid = owning_table(trigger)};
	Column		number = {.relid = column.relid};

	if (trigger->tg_trigger->tgnargs < 2 ||
		trigger->tg_trigger->tgnargs > FUNC_MAX_ARGS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("hilo_number_assign() needs two to %d arguments",
						FUNC_MAX_ARGS),
				 errdetail("The arguments are the column of the number, the ordering and the columns of the group.")));
	if (strcmp(args[1], "gapless") != 0 && strcmp(args[1], "global") != 0 &&
		strcmp(args[1], "session") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid ordering: \"%s\"", args[1]),
				 errhint("Numbers of groups are \"gapless\", \"global\" or \"session\".")));
	relation_require_kind(column.relid, true, true);
	column.attnum = column_number(column.relid, args[0]);
	number.name = args[0];
	number.type = getBaseType(get_atttype(column.relid, column.attnum));
	column_require_number(&number);
	numbering->column = column;
	numbering->number = column_of_trigger(trigger->tg_relation, args[0]);
	numbering->ordering = args[1];
	while (numbering->ngroups < trigger->tg_trigger->tgnargs - 2)
	{
		numbering->groups[numbering->ngroups] =
			find_group(trigger->tg_relation, args[2 + numbering->ngroups]);
		numbering->ngroups++;
	}
	numbering->groups[numbering->ngroups] = numbering->number;

	numbering->prefix = psprintf("%s(", definition_series_prefix(column.relid));
	return numbering;
}

/* Return the table that a trigger was made for, be this a partition's copy of it. */
static Oid
owning_table(const TriggerData *trigger)
{
	Oid			relid = RelationGetRelid(trigger->tg_relation);
	Datum		oid = ObjectIdGetDatum(trigger->tg_trigger->tgoid);

	while (catalog_find_value(TriggerRelationId, TriggerOidIndexId,
							  Anum_pg_trigger_oid, F_OIDEQ, oid,
							  Anum_pg_trigger_tgparentid, &oid) &&
		   OidIsValid(DatumGetObjectId(oid)))
		relid = relation_parent(relid);
	return relid;
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
make_series(const Numbering *numbering, TriggerData *trigger, text *name)
{
	ColumnDefault column = numbering->column;
	Definition	definition;
	int64		last = 0;
	StringInfoData where;

	if (definition_find_alive(name, &definition))
	{
		/* the owner of the database may have restored one of that name */
		if (column_generator_is_foreign(column.relid, name))
			privilege_require_create(name, column.relid, GetUserId());
		return;
	}
	initStringInfo(&where);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		Form_pg_attribute att = TupleDescAttr(RelationGetDescr(trigger->tg_relation),
											  numbering->groups[i] - 1);
		Oid			type = getBaseType(att->atttypid);
		char	   *value = group_value(trigger, numbering->groups[i]);

		/* the operator of enums takes no domain */
		appendStringInfo(&where, value == NULL ? " AND %s%s IS NULL" : " AND %s%s OPERATOR(pg_catalog.=) %s",
						 quote_identifier(NameStr(att->attname)),
						 type != att->atttypid && get_typtype(type) == TYPTYPE_ENUM ?
						 psprintf("::%s", format_type_be_qualified(type)) : "",
						 value == NULL ? "" : quote_literal_cstr(value));
	}

	lock_name(name);
	if (!definition_find_alive(name, &definition))
	{
		definition = definition_default(name);
		definition_set_ordering(&definition, numbering->ordering);
		definition.rel = column.relid;
		column.generator = column.folded = name;
		first_use_fit(&column, where.data, &definition, &last);
		if (definition.holder == HELD_BY_NOBODY)
			generator_create(name, name, &definition, InvalidOid, last);
		else
			first_use_as(name, &definition, last);
	}
	/* a generator that is created keeps the lock once more */
	unlock_name(name);
}

/* Return the name of the series that numbers a row. */
static text *
series_of(const Numbering *numbering, TriggerData *row)
{
	return cstring_to_text(psprintf("%s%s)", numbering->prefix,
									group_text(numbering, row)));
}

/* Return the columns and the values, or their hash if a folded name is not enough. */
static char *
group_text(const Numbering *numbering, TriggerData *trigger)
{
	StringInfoData group;
	bool		is_plain;
	Datum		hash;

	initStringInfo(&group);
	append_escaped(&group, trigger->tg_trigger->tgargs[0]);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		char	   *value = group_value(trigger, numbering->groups[i]);

		appendStringInfoChar(&group, ',');
		append_escaped(&group, trigger->tg_trigger->tgargs[2 + i]);
		appendStringInfoChar(&group, '=');
		if (value == NULL)
			appendStringInfoChar(&group, '?');
		else
			append_escaped(&group, value);
	}
	is_plain = group.len <= LONGEST_GROUP && group.data[0] != '#' &&
		case_fold_is_possible(group.data, group.len);
	for (int i = 0; i < group.len; i++)
		is_plain &= (unsigned char) group.data[i] >= ' ' && group.data[i] != '\177';
	if (is_plain && text_equal(case_fold(group.data, group.len),
							   cstring_to_text(group.data)))
		return group.data;

	hash = DirectFunctionCall1(sha256_bytea, CStringGetTextDatum(group.data));
	return psprintf("#%s", TextDatumGetCString(DirectFunctionCall2(binary_encode, hash,
																   CStringGetTextDatum("hex"))));
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

/* Return a value of the row as find_group promises, NULL if it is null. */
static char *
group_value(TriggerData *trigger, AttrNumber attnum)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	Oid			type = getBaseType(TupleDescAttr(desc, attnum - 1)->atttypid);
	bool		isnull;
	Datum		value = heap_getattr(trigger->tg_trigtuple, attnum, desc, &isnull);
	Oid			output;
	bool		is_varlena;

	if (isnull)
		return NULL;
	if (type == NUMERICOID)
		return numeric_normalize(DatumGetNumeric(value));
	if (type == DATEOID || type == TIMESTAMPOID)
		return JsonEncodeDateTime(palloc(MAXDATELEN + 1), value, type, NULL);
	if (type == BPCHAROID)
		value = DirectFunctionCall1(rtrim1, value);
	getTypeOutputInfo(type, &output, &is_varlena);
	return OidOutputFunctionCall(output, value);
}
