/* A column, in its table and those that inherit it. */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_inherits.h"

#include "relation/relation.h"

static bool is_apart(Column *column, Oid relid);
static Column column_in(Column column);

/* Return the number of a column of a table, both of which must exist. */
AttrNumber
column_number(Oid relid, const char *name)
{
	AttrNumber	attnum = get_attnum(relid, name);

	(void) relation_owner(relid);
	if (attnum <= 0)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_COLUMN),
				errmsg("column \"%s\" of relation \"%s\" does not exist",
					   name, get_rel_name(relid)));
	return attnum;
}

/*
 * Report an error unless a function is the trigger of new rows, or of updated
 * ones.
 */
void
column_require_assignment(FunctionCallInfo fcinfo, const char *function,
						  bool of_updates)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		!(TRIGGER_FIRED_BY_INSERT(trigger->tg_event) ||
		  (of_updates && TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))))
		ereport(ERROR,
				errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				errmsg("%s must be a trigger BEFORE INSERT%s FOR EACH ROW",
					   function, of_updates ? " OR UPDATE" : ""));
}

/*
 * Return the number of a column that a trigger BEFORE INSERT can see and set.
 */
AttrNumber
column_of_trigger(Relation rel, const char *name)
{
	AttrNumber	column = column_number(RelationGetRelid(rel), name);

	if (TupleDescAttr(RelationGetDescr(rel), column - 1)->attgenerated != '\0')
		ereport(ERROR,
				errcode(ERRCODE_WRONG_OBJECT_TYPE),
				errmsg("column \"%s\" of relation \"%s\" is a generated column",
					   name, RelationGetRelationName(rel)),
				errdetail("Generated columns are computed after the triggers BEFORE INSERT."),
				errhint("Use a plain column. A trigger BEFORE INSERT can compute it if the trigger's name comes earlier in the alphabet."));
	return column;
}

Datum
column_input(Form_pg_attribute column, const char *value)
{
	Oid			input;
	Oid			parameter;

	getTypeInputInfo(column->atttypid, &input, &parameter);
	return OidInputFunctionCall(input, unconstify(char *, value), parameter,
								column->atttypmod);
}

HeapTuple
column_assign(Relation rel, HeapTuple tuple, int column, const char *value)
{
	TupleDesc	desc = RelationGetDescr(rel);
	Datum		datum = column_input(TupleDescAttr(desc, column - 1), value);
	bool		isnull = false;

	return heap_modify_tuple_by_cols(tuple, desc, 1, &column, &datum, &isnull);
}

/* Lock the role's own table, and its children, to the transaction's end. */
Column
column_lock(Oid relid, const char *name, LOCKMODE lockmode)
{
	Column		column = {.relid = relid,.name = name,.is_named = true};

	/* before the lock, for which others would wait, and again after a wait */
	relation_require_kind(relid, true, false, GetUserId());
	(void) lock_table(relid, lockmode, true);
	relation_require_kind(relid, true, false, GetUserId());
	column.tables = lock_inheritors(relid, lockmode);
	return column_in(column);
}

/*
 * Lock a column's table, of any owner, and what inherits from it.  In
 * AccessShare mode raise an error if another lock is in the way.
 *
 * If a statement looks at many columns, which shows in known, keep apart what
 * inherits from the table and has another source: it is a column of its own.
 * So each table belongs to one column of a tree of tables.
 */
Column
column_look(Column column, int sqlstate)
{
	if (column.known != NULL && column.generator == NULL &&
		!OidIsValid(column.sequence))
		column_find_source(&column);
	column.tables = list_make1_oid(column.relid);
	column.apart = NIL;
	for (int i = 0; i < list_length(column.tables); i++)
	{
		Oid			table = list_nth_oid(column.tables, i);
		List	   *children;

		if (!column_lock_part(&column, table, sqlstate))
			continue;
		children = find_inheritance_children_extended(table, false, NoLock,
													  NULL, NULL);
		foreach_oid(child, children)
		{
			if (column.known != NULL && is_apart(&column, child))
				column.apart = list_append_unique_oid(column.apart, child);
			else
				column.tables = list_append_unique_oid(column.tables, child);
		}
	}
	return column_in(column);
}

/*
 * Lock one of a column's tables; return whether it was not dropped before that.
 */
bool
column_lock_part(const Column *column, Oid relid, int sqlstate)
{
	if (!lock_table(relid, column->lockmode,
					column->lockmode != AccessShareLock))
		ereport(ERROR,
				errcode(sqlstate),
				errmsg("could not obtain lock on relation \"%s\"",
					   get_rel_name(relid)),
				errdetail("Ids begin above the greatest value of column \"%s\".",
						  column->name),
				errhint("Try again when the other transaction has ended."));
	return get_rel_relkind(relid) != '\0';
}

/* Check whether a table that inherits a column has its ids from elsewhere. */
static bool
is_apart(Column *column, Oid relid)
{
	Column		part = {.relid = relid,.name = column->name};
	List	   *generators =
		column_default_generators(relid, get_attnum(relid, column->name));

	foreach_ptr(ColumnDefault, source, generators)
	{
		if (column->generator != NULL &&
			text_equal(source->folded, column->generator))
			return false;
	}
	if (generators != NIL)
		return true;
	column_find_source(&part);
	return OidIsValid(part.sequence) && part.sequence != column->sequence;
}

/*
 * Set what a column draws from: its generator, or the sequence of its default,
 * or else one that it owns.
 */
void
column_find_source(Column *column)
{
	ColumnDefault found = column_default_find(column->relid, column->name);
	List	   *owned = column_sequence_owned(column->relid, found.attnum,
											  true);

	column->generator = found.folded;
	column->sequence = found.sequence;
	if (!OidIsValid(found.sequence) && owned != NIL)
		column->sequence = linitial_oid(owned);
}

void
column_unlock(const Column *column, LOCKMODE lockmode)
{
	foreach_oid(relid, column->tables)
		unlock_table(relid, lockmode);
}

void
column_require_number(Oid relid, AttrNumber attnum, const char *hint)
{
	Oid			type = getBaseType(get_atttype(relid, attnum));

	if (!column_type_is_number(type))
		ereport(ERROR,
				errcode(ERRCODE_DATATYPE_MISMATCH),
				errmsg("column \"%s\" of table \"%s\" is neither of an integer type nor numeric",
					   get_attname(relid, attnum, false), get_rel_name(relid)),
				errdetail("Its type is %s.", format_type_be(type)),
				column_type_has_ids(type) ? errhint("%s", hint) : 0);
}

bool
column_type_is_number(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID ||
		type == NUMERICOID;
}

/* Check whether a type can hold ids: numbers, or texts with a number. */
bool
column_type_has_ids(Oid type)
{
	return column_type_is_number(type) ||
		TypeCategory(type) == TYPCATEGORY_STRING;
}

/*
 * Return the greatest value of an integer type, and of bigint for another type.
 */
int64
column_integer_max(Oid type)
{
	if (type == INT2OID)
		return PG_INT16_MAX;
	return type == INT4OID ? PG_INT32_MAX : PG_INT64_MAX;
}

/*
 * Return the greatest whole number that a column can hold, and does not round.
 */
int64
column_type_max(Oid relid, AttrNumber attnum)
{
	Oid			type;
	Oid			collation;
	int32		typmod;
	int			digits;

	get_atttypetypmodcoll(relid, attnum, &type, &typmod, &collation);
	for (Oid domain = type; get_typtype(domain) == TYPTYPE_DOMAIN;
		 domain = GetSysCacheOid1(TYPEOID, Anum_pg_type_typbasetype,
								  ObjectIdGetDatum(domain)))
	{
		if (domain == GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid,
									  CStringGetDatum("id53"),
									  ObjectIdGetDatum(catalog_public_schema())))
			return id_domain_max(53);
	}
	type = getBaseTypeAndTypmod(type, &typmod);
	if (type != NUMERICOID || typmod < VARHDRSZ)
		return column_integer_max(type);

	/*
	 * before the point: the precision, less the scale, which has its sign in
	 * 0x400
	 */
	if (((typmod - VARHDRSZ) & 0x400) != 0)
		ereport(ERROR,
				errcode(ERRCODE_DATATYPE_MISMATCH),
				errmsg("cannot determine the greatest id in column \"%s\" of type %s",
					   get_attname(relid, attnum, false),
					   format_type_with_typemod(type, typmod)));
	digits = ((typmod - VARHDRSZ) >> 16) - ((typmod - VARHDRSZ) & 0x7ff);
	if (digits > 18)
		return PG_INT64_MAX;
	return (int64) rint(pow(10, Max(digits, 0))) - 1;
}

/*
 * Make a generator end where a column does; one call takes a small share of
 * that.
 */
void
column_fit(const Column *column, Definition *definition)
{
	definition->max_value = Min(definition->max_value, column->max_value);
	definition->max_range_size = Min(definition->max_range_size,
									 Max(RANGE_DEFAULT_SIZE,
										 column->max_value / 32768 + 1));
	definition->range_size = Min(definition->range_size,
								 definition->max_range_size);
}

/*
 * Check whether a generator has an owner without the rights of the table's
 * owner, who could set its ids back.
 */
bool
column_generator_is_foreign(Oid relid, text *name)
{
	Oid			owner = privilege_owner(name);

	return OidIsValid(owner) &&
		!has_privs_of_role(owner, relation_owner(relid));
}

/*
 * Look a column up; its generator ends at 1 at least, whatever the type holds.
 */
static Column
column_in(Column column)
{
	column.attnum = column_number(column.relid, column.name);
	column.type = getBaseType(get_atttype(column.relid, column.attnum));
	column.max_value = Max(column_type_max(column.relid, column.attnum), 1);
	return column;
}
