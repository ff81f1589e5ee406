/*
 * Numbers for the rows of each group of a table, by a trigger.
 *
 * The series of a group is a generator that belongs to the table, made with the
 * group's first row above what the table holds of the group.  Its name tells the
 * group by value, not by how a session writes it: invoices#16384.5eed1234(number,7,2026).
 */
#include "postgres.h"

#include "catalog/indexing.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_trigger.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/fmgroids.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
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
	AttrNumber	groups[FUNC_MAX_ARGS];
	const char *prefix;			/* of the series' names, with "(" */
	const char *ordering;
	FmgrInfo	input;			/* of the number's type */
	Oid			input_param;
	int32		type_modifier;
} Numbering;

static Numbering *read_numbering(FunctionCallInfo fcinfo);
static Oid	owning_table(const TriggerData *trigger);
static void require_number(TriggerData *trigger, Numbering *numbering,
						   const char *name);
static AttrNumber find_group(FunctionCallInfo fcinfo, const char *name);
static bool is_written_alike(const FormData_pg_attribute *att);
static SessionEntry *series_entry(const Numbering *numbering,
								  TriggerData *trigger);
static void make_series(const Numbering *numbering, TriggerData *trigger,
						text *name);
static char *group_text(const Numbering *numbering, TriggerData *trigger);
static bool is_plain(const char *group, int length);
static void append_escaped(StringInfo text, const char *value);
static char *group_value(TriggerData *trigger, AttrNumber attnum);

/*
 * hilo_number_assign(column, ordering, VARIADIC group_columns): the trigger that
 * gives a row that is inserted the next number of its group.  A number that the
 * row brings along is kept, and passed by its series.
 */
Datum
hilo_number_assign(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	Numbering  *numbering = fcinfo->flinfo->fn_extra;
	SessionEntry *entry;
	int			column;
	int64		number;
	Datum		value;
	bool		isnull = false;

	column_require_assignment(fcinfo, "hilo_number_assign()");
	if (numbering == NULL)
		numbering = read_numbering(fcinfo);
	entry = series_entry(numbering, trigger);
	column = numbering->number;
	if (follow_read(trigger, column, &number))
	{
		follow_id(numbering->column.relid, numbering->column.attnum, entry,
				  number);
		return PointerGetDatum(trigger->tg_trigtuple);
	}

	number = next_id(entry, "hilo_number_assign()", 0);
	/* by its input function, for a domain's check */
	value = InputFunctionCall(&numbering->input,
							  psprintf("%lld", (long long) number),
							  numbering->input_param,
							  numbering->type_modifier);
	return PointerGetDatum(heap_modify_tuple_by_cols(trigger->tg_trigtuple,
													 RelationGetDescr(trigger->tg_relation),
													 1, &column, &value, &isnull));
}

/* Parse the arguments of the trigger, for this call and those that follow. */
static Numbering *
read_numbering(FunctionCallInfo fcinfo)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	char	  **args = trigger->tg_trigger->tgargs;
	MemoryContext before = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	Numbering  *numbering = palloc0(sizeof(Numbering));
	Oid			table = owning_table(trigger);
	StringInfoData prefix;

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
	relation_require_permanent(table, true);
	numbering->number = column_of_trigger(fcinfo, args[0]);
	numbering->column.relid = table;
	require_number(trigger, numbering, args[0]);
	numbering->ordering = args[1];
	while (numbering->ngroups < trigger->tg_trigger->tgnargs - 2)
	{
		numbering->groups[numbering->ngroups] =
			find_group(fcinfo, args[2 + numbering->ngroups]);
		numbering->ngroups++;
	}

	initStringInfo(&prefix);
	appendStringInfo(&prefix, "%s(", definition_series_prefix(table));
	numbering->prefix = prefix.data;
	MemoryContextSwitchTo(before);
	fcinfo->flinfo->fn_extra = numbering;
	return numbering;
}

/*
 * Return the table that a trigger was made for, above the partition whose copy
 * of it fires.
 */
static Oid
owning_table(const TriggerData *trigger)
{
	Oid			relid = RelationGetRelid(trigger->tg_relation);
	Datum		oid = ObjectIdGetDatum(trigger->tg_trigger->tgoid);

	while (relation_find_value(TriggerRelationId, TriggerOidIndexId,
							   Anum_pg_trigger_oid, F_OIDEQ, oid,
							   Anum_pg_trigger_tgparentid, &oid) &&
		   OidIsValid(DatumGetObjectId(oid)))
		relid = relation_parent(relid);
	return relid;
}

/* Read what is to be known of the column of the number, which must be one. */
static void
require_number(TriggerData *trigger, Numbering *numbering, const char *name)
{
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(trigger->tg_relation),
										  numbering->number - 1);
	Column		column = {
		.relid = numbering->column.relid,
		.name = name,
		.type = getBaseType(att->atttypid)
	};
	Oid			input;

	column_require_number(&column);
	numbering->column.attnum = column_number(column.relid, name);
	getTypeInputInfo(att->atttypid, &input, &numbering->input_param);
	fmgr_info(input, &numbering->input);
	numbering->type_modifier = att->atttypmod;
}

/* Return the number of a column by whose values rows are grouped. */
static AttrNumber
find_group(FunctionCallInfo fcinfo, const char *name)
{
	Relation	rel = ((TriggerData *) fcinfo->context)->tg_relation;
	AttrNumber	column = column_of_trigger(fcinfo, name);
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), column - 1);

	if (!is_written_alike(att))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of relation \"%s\" cannot be that of a group",
						name, RelationGetRelationName(rel)),
				 errdetail("Its type is %s.", format_type_be(att->atttypid)),
				 errhint("Use a column of an integer type, numeric, boolean, uuid, date, timestamp, an enum, or text with a deterministic collation.")));
	return column;
}

/*
 * Check whether values of a column are equal just if group_value writes them
 * alike, whatever the settings of a session.
 */
static bool
is_written_alike(const FormData_pg_attribute *att)
{
	static const Oid types[] = {
		INT2OID, INT4OID, INT8OID, NUMERICOID, OIDOID, BOOLOID, UUIDOID, DATEOID,
		TIMESTAMPOID, TEXTOID, VARCHAROID, BPCHAROID, NAMEOID
	};
	Oid			type = getBaseType(att->atttypid);
	bool		is = get_typtype(type) == TYPTYPE_ENUM;

	for (size_t i = 0; i < lengthof(types); i++)
		is |= type == types[i];
	return is && (!OidIsValid(att->attcollation) ||
				  get_collation_isdeterministic(att->attcollation));
}

/* Return the entry of the series of a row, which is made if need be. */
static SessionEntry *
series_entry(const Numbering *numbering, TriggerData *trigger)
{
	text	   *name = cstring_to_text(psprintf("%s%s)", numbering->prefix,
												group_text(numbering, trigger)));
	SessionEntry *entry = session_find(definition_name(name));

	if (entry != NULL && session_checked(entry))
		return entry;
	make_series(numbering, trigger, definition_name(name));
	return session_entry(name);
}

/*
 * Make the series of a row, if there is none.  One without gaps is made by the
 * transaction, as its numbers are taken, and goes with its rollback.
 */
static void
make_series(const Numbering *numbering, TriggerData *trigger, text *name)
{
	ColumnDefault column = numbering->column;
	Definition	definition;
	int64		last = 0;
	StringInfoData where;

	if (definition_find_alive(name, &definition))
		return;
	initStringInfo(&where);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		char	   *value = group_value(trigger, numbering->groups[i]);

		appendStringInfo(&where, value == NULL ? " AND %s IS NULL" : " AND %s OPERATOR(pg_catalog.=) %s",
						 quote_identifier(NameStr(TupleDescAttr(RelationGetDescr(trigger->tg_relation),
																numbering->groups[i] - 1)->attname)),
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

/*
 * Return the column of the number and the values of the group as they stand in the
 * name of a series: its hash if names would not tell it from others.
 */
static char *
group_text(const Numbering *numbering, TriggerData *trigger)
{
	StringInfoData group;
	bytea	   *hash;
	char	   *hex;

	initStringInfo(&group);
	append_escaped(&group, trigger->tg_trigger->tgargs[0]);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		char	   *value = group_value(trigger, numbering->groups[i]);

		appendStringInfoChar(&group, ',');
		if (value == NULL)
			appendStringInfoChar(&group, '?');
		else
			append_escaped(&group, value);
	}
	if (is_plain(group.data, group.len))
		return group.data;

	hash = DatumGetByteaPP(DirectFunctionCall1(sha256_bytea,
											   PointerGetDatum(cstring_to_text_with_len(group.data, group.len))));
	hex = palloc0(2 + 2 * VARSIZE_ANY_EXHDR(hash));
	hex[0] = '#';
	(void) hex_encode(VARDATA_ANY(hash), VARSIZE_ANY_EXHDR(hash), hex + 1);
	return hex;
}

/* Check whether the folded name of a series tells a group from all others. */
static bool
is_plain(const char *group, int length)
{
	if (length > LONGEST_GROUP || group[0] == '#' ||
		!case_fold_is_possible(group, length))
		return false;
	for (int i = 0; i < length; i++)
	{
		if ((unsigned char) group[i] < ' ' || group[i] == '\177')
			return false;
	}
	return text_equal(case_fold(group, length),
					  cstring_to_text_with_len(group, length));
}

/* Append a value, in which nothing looks like the end of it, or like a null. */
static void
append_escaped(StringInfo text, const char *value)
{
	for (; *value != '\0'; value++)
	{
		if (*value == ',' || *value == '\\' || *value == '?')
			appendStringInfoChar(text, '\\');
		appendStringInfoChar(text, *value);
	}
}

/* Return a value of the row as is_written_alike promises, NULL if it is null. */
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
