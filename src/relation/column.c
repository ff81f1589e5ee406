/*
 * A column, in its table and those that inherit it, and its sequences.
 *
 * A column owns the sequence of serial, or of an identity, and its default may
 * call another.  A sequence tells by its last value which ids it has handed out
 * only if it counts upwards by one, without CYCLE.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/dependency.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_inherits.h"

#include "relation/relation.h"

static void report_program(const Column *column, Oid sequence, int elevel);
static void drop_sequence(Oid sequence, char *statement, int elevel);
static bool is_source(Oid sequence);
static bool is_apart(Column *column, Oid relid);
static void find_source(Column *column);
static Column column_in(Column column);

/* Return the number of a column of a table, both of which must exist. */
AttrNumber
column_number(Oid relid, const char *name)
{
	AttrNumber	attnum = get_attnum(relid, name);

	(void) relation_owner(relid);
	if (attnum <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist",
						name, get_rel_name(relid))));
	return attnum;
}

/* Report an error unless a function is the trigger of new rows, or of updated ones. */
void
column_require_assignment(FunctionCallInfo fcinfo, const char *function, bool of_updates)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		!(TRIGGER_FIRED_BY_INSERT(trigger->tg_event) ||
		  (of_updates && TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("%s must be a trigger BEFORE INSERT%s FOR EACH ROW",
						function, of_updates ? " OR UPDATE" : "")));
}

/* Return the number of a column that a trigger BEFORE INSERT can see and set. */
AttrNumber
column_of_trigger(Relation rel, const char *name)
{
	AttrNumber	column = column_number(RelationGetRelid(rel), name);

	if (TupleDescAttr(RelationGetDescr(rel), column - 1)->attgenerated != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("column \"%s\" of relation \"%s\" is a generated column",
						name, RelationGetRelationName(rel)),
				 errdetail("Generated columns are computed after the triggers BEFORE INSERT."),
				 errhint("Use a plain column, which a trigger BEFORE INSERT with a name that comes earlier in the alphabet may compute.")));
	return column;
}

Datum
column_input(Form_pg_attribute column, const char *value)
{
	Oid			input;
	Oid			parameter;

	getTypeInputInfo(column->atttypid, &input, &parameter);
	return OidInputFunctionCall(input, unconstify(char *, value), parameter, column->atttypmod);
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
 * Lock a column's table, whoever owns it, and what inherits from it; an error in
 * AccessShare mode if somebody is in the way.  If a statement knows columns, lock what
 * inherits the source, too, and leave apart what has another one.  So of all columns
 * in a tree of tables, each table is in one.
 */
Column
column_look(Column column, int sqlstate)
{
	if (column.known != NULL && column.generator == NULL &&
		!OidIsValid(column.sequence))
		find_source(&column);
	column.tables = list_make1_oid(column.relid);
	column.apart = NIL;
	for (int i = 0; i < list_length(column.tables); i++)
	{
		Oid			table = list_nth_oid(column.tables, i);
		List	   *children;

		if (!column_lock_part(&column, table, sqlstate))
			continue;
		children = find_inheritance_children_extended(table, false, NoLock, NULL, NULL);
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

/* Lock one of a column's tables; return whether it was not dropped before that. */
bool
column_lock_part(const Column *column, Oid relid, int sqlstate)
{
	if (!lock_table(relid, column->lockmode, column->lockmode != AccessShareLock))
		ereport(ERROR,
				(errcode(sqlstate),
				 errmsg("could not obtain lock on relation \"%s\"", get_rel_name(relid)),
				 errdetail("Ids begin above the greatest value of column \"%s\".",
						   column->name),
				 errhint("Try again when the other transaction has ended.")));
	return get_rel_relkind(relid) != '\0';
}

/* Check whether a part of a column's table has ids from elsewhere. */
static bool
is_apart(Column *column, Oid relid)
{
	Column		part = {.relid = relid,.name = column->name};
	List	   *generators =
		column_default_generators(relid, get_attnum(relid, column->name));

	foreach_ptr(ColumnDefault, own, generators)
	{
		if (column->generator != NULL && text_equal(own->folded, column->generator))
			return false;
	}
	if (generators != NIL)
		return true;
	find_source(&part);
	return OidIsValid(part.sequence) && part.sequence != column->sequence;
}

static void
find_source(Column *column)
{
	ColumnDefault found = column_default_find(column->relid, column->name);
	List	   *owned = column_sequence_owned(column->relid, found.attnum, true);

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
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of table \"%s\" is neither of an integer type nor numeric",
						get_attname(relid, attnum, false), get_rel_name(relid)),
				 errdetail("Its type is %s.", format_type_be(type)),
				 column_type_has_ids(type) ? errhint("%s", hint) : 0));
}

bool
column_type_is_number(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == NUMERICOID;
}

/* Check whether a type has ids whose numbers are known: numbers, or texts. */
bool
column_type_has_ids(Oid type)
{
	return column_type_is_number(type) || TypeCategory(type) == TYPCATEGORY_STRING;
}

/* Return the greatest whole number that a column can hold, and does not round. */
int64
column_type_max(Oid relid, AttrNumber attnum)
{
	Oid			id53 = GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("id53"),
									   ObjectIdGetDatum(catalog_public_schema()));
	Oid			type;
	Oid			collation;
	int32		typmod;
	int			digits;

	get_atttypetypmodcoll(relid, attnum, &type, &typmod, &collation);
	for (Oid domain = type; get_typtype(domain) == TYPTYPE_DOMAIN;
		 domain = GetSysCacheOid1(TYPEOID, Anum_pg_type_typbasetype, ObjectIdGetDatum(domain)))
	{
		if (domain == id53)
			return id_domain_max(53);
	}
	type = getBaseTypeAndTypmod(type, &typmod);
	if (type != NUMERICOID || typmod < VARHDRSZ)
		return type == INT2OID ? PG_INT16_MAX :
			type == INT4OID ? PG_INT32_MAX : PG_INT64_MAX;

	/* before the point: the precision, less the scale, whose sign is in 0x400 */
	if (((typmod - VARHDRSZ) & 0x400) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot determine the greatest id in column \"%s\" of type %s",
						get_attname(relid, attnum, false), format_type_with_typemod(type, typmod))));
	digits = ((typmod - VARHDRSZ) >> 16) - ((typmod - VARHDRSZ) & 0x7ff);
	return digits > 18 ? PG_INT64_MAX : (int64) rint(pow(10, Max(digits, 0))) - 1;
}

/* Make a generator end where a column does; one call takes a small share of that. */
void
column_fit(const Column *column, Definition *definition)
{
	definition->max_value = Min(definition->max_value, column->max_value);
	definition->max_range_size = Min(definition->max_range_size,
									 Max(RANGE_DEFAULT_SIZE, column->max_value / 32768 + 1));
	definition->range_size = Min(definition->range_size, definition->max_range_size);
}

/* Check whether the owner, without the rights of a table's, could set ids back. */
bool
column_generator_is_foreign(Oid relid, text *name)
{
	Oid			owner = privilege_owner(name);

	return OidIsValid(owner) && !has_privs_of_role(owner, relation_owner(relid));
}

/* Return the sequences that a column draws from, and others that it owns. */
List *
column_sequence_list(const Column *column, bool with_owned)
{
	List	   *sequences = NIL;

	foreach_oid(relid, column->tables)
	{
		ColumnDefault found = column_default_find(relid, column->name);

		sequences = list_concat_unique_oid(sequences,
										   column_sequence_owned(relid, found.attnum, with_owned));
		if (found.is_constant || found.generator != NULL)
			continue;
		if (get_rel_relkind(found.sequence) != RELKIND_SEQUENCE)
			column_sequence_refuse(relid, column->name,
								   "Its default is neither a constant nor a mere call of nextval or of a generator with a constant name.");
		/* a part's default must not have another's sequence locked or dropped */
		if (!list_member_oid(sequences, found.sequence) &&
			!object_ownercheck(RelationRelationId, found.sequence,
							   relid == column->relid ? GetUserId() : relation_owner(relid)))
			aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_SEQUENCE, get_rel_name(found.sequence));
		sequences = list_append_unique_oid(sequences, found.sequence);
	}
	return sequences;
}

/*
 * Report an error if the column draws from nothing, and a program may take its ids
 * from a sequence: one that the column owns, or that lies beside the table with the
 * name that an ORM gives it.  Warn if the column draws from elsewhere.
 */
void
column_sequence_refuse_programs(const Column *column, List *drawn)
{
	static const char *const forms[] = {"%s_seq", "%sSequence", "%s_%s_seq"};
	List	   *all = column_sequence_list(column, true);
	Oid			owner = relation_owner(column->relid);
	int			elevel = WARNING;
	Oid			table;
	int32		number;

	if (drawn == NIL &&
		column_default_find(column->relid, column->name).is_constant)
		elevel = ERROR;
	foreach_oid(sequence, list_difference_oid(all, drawn))
		report_program(column, sequence, elevel);
	for (size_t i = 0; i < lengthof(forms); i++)
	{
		char	   *name = psprintf(forms[i], get_rel_name(column->relid),
									column->name);
		Oid			sequence = get_relname_relid(name,
												 get_rel_namespace(column->relid));

		/* the owner's, no column's, and of no default or the like */
		if (get_rel_relkind(sequence) == RELKIND_SEQUENCE &&
			has_privs_of_role(relation_owner(sequence), owner) &&
			!sequenceIsOwned(sequence, DEPENDENCY_AUTO, &table, &number) &&
			catalog_find_value(NULL, DependRelationId, InvalidOid,
							   Anum_pg_depend_refobjid, F_OIDEQ,
							   ObjectIdGetDatum(sequence), 1,
							   Anum_pg_depend_deptype) == 0)
			report_program(column, sequence, elevel);
	}
}

/*
 * Report that a program may take a column's ids from a sequence, unless that is an
 * identity's, or is adopted already, or cannot be, as it counts downwards.
 */
static void
report_program(const Column *column, Oid sequence, int elevel)
{
	FormData_pg_sequence options = sequence_form(sequence);
	Oid			table;
	int32		number;
	bool		has_own;

	if (options.seqincrement < 1 || is_source(sequence) ||
		sequenceIsOwned(sequence, DEPENDENCY_INTERNAL, &table, &number))
		return;
	/* a table has one generator of its own */
	has_own = elevel == WARNING || get_rel_persistence(column->relid) == RELPERSISTENCE_TEMP ||
		citus_has_rows_of(column->relid) || definition_exists(definition_of_table(column->relid));
	ereport(elevel,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("sequence \"%s\" may hand out ids of column \"%s\"",
					get_rel_name(sequence), column->name),
			 has_own ?
			 errhint("If a program calls nextval for such ids, run hilo_adopt_sequence_tag(%1$s, %1$s, 'hibernate-pooled', %2$lld), in the style of that program, then hilo_attach with generator => %1$s. Otherwise give the sequence INCREMENT 1, set the default to nextval(%1$s), and call hilo_attach again.",
					 quote_literal_cstr(relation_name(sequence)),
					 (long long) options.seqincrement) :
			 errhint("If a program calls nextval for such ids, run hilo_adopt_sequence(%3$s, %4$s, %1$s, 'hibernate-pooled', %2$lld), in the style of that program. Otherwise give the sequence INCREMENT 1, set the default to nextval(%1$s), and call hilo_attach again.",
					 quote_literal_cstr(relation_name(sequence)),
					 (long long) options.seqincrement,
					 quote_literal_cstr(relation_name(column->relid)),
					 quote_literal_cstr(column->name))));
}

/* Return the highest value that sequences gave; an error if one does not tell. */
int64
column_sequence_last(const Column *column, List *sequences)
{
	int64		last = PG_INT64_MIN;

	if (sequences == NIL)
		return 0;
	foreach_oid(sequence, sequences)
	{
		FormData_pg_sequence options;
		FormData_pg_sequence_data state;

		/* nobody takes a value before the change, but of a source */
		(void) lock_table(sequence, is_source(sequence) ? RowExclusiveLock : ShareRowExclusiveLock,
						  true);
		options = sequence_form(sequence);
		if (options.seqincrement > 1)
			report_program(column, sequence, ERROR);
		if (options.seqincrement != 1 || options.seqcycle)
			column_sequence_refuse(column->relid, column->name,
								   psprintf("Sequence \"%s\" does not count upwards by one, or has CYCLE.",
											get_rel_name(sequence)));
		state = sequence_state(sequence);
		last = Max(last, state.is_called ? state.last_value : Max(state.last_value, 0) - 1);
	}
	return last;
}

/*
 * Drop sequences that a column drew from: whoever calls nextval of one would repeat ids.
 * Report an error if the table's owner does not own it, or it has other users; or warn
 * if they may yet share the generator.
 */
void
column_sequence_drop(List *sequences, Oid owner, bool is_shared)
{
	foreach_oid(sequence, sequences)
	{
		if (get_rel_name(sequence) == NULL)
			continue;
		if (!object_ownercheck(RelationRelationId, sequence, owner))
			aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_SEQUENCE, get_rel_name(sequence));
		drop_sequence(sequence, psprintf("DROP SEQUENCE %s", relation_name(sequence)),
					  is_shared ? WARNING : ERROR);
	}
}

static void
drop_sequence(Oid sequence, char *statement, int elevel)
{
	char	   *name = get_rel_name(sequence);
	bool		is_adopted = is_source(sequence);
	ErrorData  *error = is_adopted ? NULL : attempt(relation_run, statement);

	if (error != NULL && error->sqlerrcode != ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST)
		ReThrowError(error);
	if (error != NULL || is_adopted)
		ereport(elevel,
				(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
				 errmsg("sequence \"%s\" has other users, which would repeat ids of the column",
						name),
				 errdetail_internal("%s", is_adopted ?
									"It is the source of a generator." :
									error->detail != NULL ? error->detail : error->message),
				 errhint("Put all of them on one generator: name it when each column is attached, an identity last, as in hilo_attach(..., %s), and let functions and views call hilo_next_tag. Or adopt the sequence with hilo_adopt_sequence_tag.",
						 quote_literal_cstr(name))));
	else
		ereport(NOTICE,
				(errmsg("sequence \"%s\" has been dropped", name),
				 errhint("If a program calls nextval of it, as an ORM may: in one transaction create it again, adopt it with hilo_adopt_sequence_tag by another generator name, and call hilo_attach with that name.")));
}

/* Check whether a generator takes its ranges from a sequence. */
static bool
is_source(Oid sequence)
{
	/* the relation is the first column */
	return catalog_find_value(NULL, catalog_relid(CATALOG_SOURCE), InvalidOid, 1, F_OIDEQ,
							  ObjectIdGetDatum(sequence), 1, 1) != 0;
}

/* Drop a column's identities; a part being detached keeps its share of the whole's. */
void
column_sequence_drop_identity(const Column *column)
{
	foreach_oid(relid, column->tables)
	{
		HeapTuple	tuple = SearchSysCacheCopyAttName(relid, column->name);
		List	   *owned = column_sequence_owned(relid, get_attnum(relid, column->name), false);
		char		kind = owned == NIL ? '\0' : ((Form_pg_attribute) GETSTRUCT(tuple))->attidentity;

		if (kind == ATTRIBUTE_IDENTITY_ALWAYS)
			ereport(NOTICE,
					(errmsg("column \"%s\" of table \"%s\" accepts ids of its own from now on",
							column->name, get_rel_name(relid)),
					 errdetail("It was GENERATED ALWAYS AS IDENTITY."),
					 errhint("Unless the generator follows the column, call hilo_resync after rows with such ids.")));
		if (kind != '\0')
			drop_sequence(linitial_oid(owned),
						  psprintf("ALTER TABLE %s ALTER %s DROP IDENTITY",
								   relation_name(relid), quote_identifier(column->name)), ERROR);
	}
}

void
column_sequence_refuse(Oid relid, const char *name, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot tell which ids column \"%s\" of table \"%s\" was given", name, get_rel_name(relid)),
			 errdetail_internal("%s", detail),
			 errhint("If every id in use is in a row, first drop the default, identity or expression, and its sequence. Otherwise raise the new source above those ids with hilo_seed or setval, and set the default with ALTER TABLE.")));
}

/* Look a column up; its generator ends at 1 at least, whatever the type holds. */
static Column
column_in(Column column)
{
	column.attnum = column_number(column.relid, column.name);
	column.type = getBaseType(get_atttype(column.relid, column.attnum));
	column.max_value = Max(column_type_max(column.relid, column.attnum), 1);
	return column;
}

/* Return the sequence of a column's identity; with all, others that it owns, too. */
List *
column_sequence_owned(Oid relid, AttrNumber attnum, bool all)
{
	List	   *sequences = NIL;

	foreach_oid(sequence, getOwnedSequences(relid))
	{
		Oid			table;
		int32		column;

		if (sequenceIsOwned(sequence, DEPENDENCY_INTERNAL, &table, &column) && column == attnum)
			sequences = lcons_oid(sequence, sequences);
		else if (all && sequenceIsOwned(sequence, DEPENDENCY_AUTO, &table, &column) &&
				 column == attnum)
			sequences = lappend_oid(sequences, sequence);
	}
	return sequences;
}
