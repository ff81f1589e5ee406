/*-------------------------------------------------------------------------
 *
 * column_default.c
 *	  The generator in the default of a column.
 *
 * Such a default is a call of hilo_next, identity_next or the like, of the column
 * itself or of the domain that is its type.  PostgreSQL knows that it depends on the
 * function, and that leads to it; the generator is found in the expression
 * (default_call.c).
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/column_default.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "case_fold.h"
#include "catalog.h"
#include "column.h"
#include "column_default.h"
#include "compat.h"
#include "default_call.h"
#include "next.h"
#include "relation.h"

PG_FUNCTION_INFO_V1(hilo_next_for);
PG_FUNCTION_INFO_V1(hilo_generator_of);

/*
 * What fn_extra of hilo_next_for points at.
 */
typedef struct NextForCall
{
	Oid			relid;
	uint64		generation;		/* of the defaults when it was looked up */
	SessionEntry *entry;
} NextForCall;

static text *generator_of_table(Oid relid);
static bool find_in_column(Oid relid, AttrNumber attnum, DefaultCall *call);
static Node *own_default(Oid relid, AttrNumber attnum);
static List *add_dependents(List *columns, Oid classid, Oid objid,
							DefaultCall *call);
static List *add_column(List *columns, Oid relid, AttrNumber attnum,
						DefaultCall *call);
static bool is_parents(const ColumnDefault *column, DefaultCall *call);
static int	compare_columns(const ListCell *a, const ListCell *b);
static List *without_repeats(List *columns);

/*
 * hilo_next_for(rel): the next id of the generator behind the table's
 * default.
 */
Datum
hilo_next_for(PG_FUNCTION_ARGS)
{
	NextForCall *call = fcinfo->flinfo->fn_extra;
	Oid			relid;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("table must not be null")));
	relid = PG_GETARG_OID(0);

	if (call == NULL)
	{
		call = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(*call));
		fcinfo->flinfo->fn_extra = call;
	}
	if (call->relid != relid || call->generation != catalog_default_generation)
	{
		uint64		generation = catalog_default_generation;

		call->entry = session_entry(generator_of_table(relid));
		call->relid = relid;
		call->generation = generation;
	}
	PG_RETURN_INT64(next_id(call->entry, "hilo_next_for()", 0));
}

/*
 * hilo_generator_of(rel, col): the name of the generator in the default of a
 * column; null if there is none, or if it is not a constant.
 */
Datum
hilo_generator_of(PG_FUNCTION_ARGS)
{
	Oid			relid;
	text	   *generator;
	bool		bare;

	column_refuse_nulls(fcinfo);
	relid = PG_GETARG_OID(0);
	if (column_default_find(relid,
							column_number(relid, NameStr(*PG_GETARG_NAME(1))),
							&generator, &bare) &&
		generator != NULL)
		PG_RETURN_TEXT_P(generator);
	PG_RETURN_NULL();
}

/*
 * Says whether the default of a column calls a generator, and which: NULL if
 * the name is not a constant; and whether it leaves its ids as they are.
 */
bool
column_default_find(Oid relid, AttrNumber attnum, text **generator, bool *bare)
{
	DefaultCall call;

	default_call_begin(&call, NULL);
	if (!find_in_column(relid, attnum, &call))
		return false;
	*generator = call.written;
	*bare = call.bare;
	return true;
}

/*
 * Gives the default of a column, its own or that of the domain that is its type;
 * NULL if there is none.
 */
Node *
column_default_expression(Oid relid, AttrNumber attnum)
{
	HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(relid),
										Int16GetDatum(attnum));
	Form_pg_attribute att;
	Node	   *expression = NULL;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	att = (Form_pg_attribute) GETSTRUCT(tuple);
	if (att->atthasdef)
		expression = own_default(relid, attnum);
	else if (!att->attisdropped && get_typtype(att->atttypid) == TYPTYPE_DOMAIN)
		expression = get_typdefault(att->atttypid);
	ReleaseSysCache(tuple);
	return expression;
}

/*
 * Gives all columns whose default calls a generator, in the order in which
 * their tables were made; with a folded name, those that call this one.
 */
List *
column_default_list(text *only)
{
	DefaultCall call;
	List	   *columns = NIL;

	default_call_begin(&call, only);
	for (size_t i = 0; i < lengthof(call.functions); i++)
		columns = add_dependents(columns, ProcedureRelationId,
								 call.functions[i], &call);
	list_sort(columns, compare_columns);
	return without_repeats(columns);
}

/*
 * Raises an error if the default of a column calls the generator: after a
 * drop, its next use would begin below the rows of the table.
 */
void
column_default_refuse_drop(text *name, text *written)
{
	StringInfoData lines;
	ListCell   *cell;

	initStringInfo(&lines);
	foreach(cell, column_default_list(name))
	{
		ColumnDefault *column = lfirst(cell);
		ObjectAddress address;

		ObjectAddressSubSet(address, RelationRelationId, column->relid,
							column->attnum);
		if (lines.len > 0)
			appendStringInfoChar(&lines, '\n');
		appendStringInfo(&lines, "default value for %s",
						 getObjectDescription(&address, false));
	}

	if (lines.len > 0)
		ereport(ERROR,
				(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
				 errmsg("cannot drop generator \"%s\" because other objects depend on it",
						text_to_cstring(written)),
				 errdetail_internal("%s", lines.data),
				 errhint("Drop the default of each column first.")));
}

/*
 * Gives the name in the one default of a table that calls a generator, or
 * raises an error if there is none, or more than one.
 */
static text *
generator_of_table(Oid relid)
{
	DefaultCall call;
	AttrNumber	natts = column_count(relid);
	text	   *found = NULL;

	default_call_begin(&call, NULL);
	for (AttrNumber attnum = 1; attnum <= natts; attnum++)
	{
		if (!find_in_column(relid, attnum, &call) || call.written == NULL)
			continue;
		if (found != NULL)
			ereport(ERROR,
					(errcode(ERRCODE_AMBIGUOUS_COLUMN),
					 errmsg("more than one column of table \"%s\" has a generator as its default",
							get_rel_name(relid)),
					 errhint("Call hilo_next with the name of the generator.")));
		found = call.written;
	}

	if (found == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("no column of table \"%s\" has a generator as its default",
						get_rel_name(relid))));
	return found;
}

/*
 * Says whether the default of a column has a call of a generator.
 */
static bool
find_in_column(Oid relid, AttrNumber attnum, DefaultCall *call)
{
	Node	   *expression = column_default_expression(relid, attnum);

	call->found = false;
	call->written = NULL;
	call->folded = NULL;
	(void) default_call_find(expression, call);
	call->bare = default_call_is_bare(expression, call);
	return call->found;
}

/*
 * Gives the expression of a column's own default.
 */
static Node *
own_default(Oid relid, AttrNumber attnum)
{
	Relation	rel = table_open(AttrDefaultRelationId, AccessShareLock);
	SysScanDesc scan;
	ScanKeyData key[2];
	HeapTuple	tuple;
	Node	   *expression = NULL;

	ScanKeyInit(&key[0], Anum_pg_attrdef_adrelid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(relid));
	ScanKeyInit(&key[1], Anum_pg_attrdef_adnum, BTEqualStrategyNumber,
				F_INT2EQ, Int16GetDatum(attnum));
	scan = systable_beginscan(rel, AttrDefaultIndexId, true, NULL, 2, key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;
		Datum		adbin = heap_getattr(tuple, Anum_pg_attrdef_adbin,
										 RelationGetDescr(rel), &isnull);

		if (!isnull)
			expression = stringToNode(TextDatumGetCString(adbin));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return expression;
}

/*
 * Adds the columns whose default is among what depends on a function, or on
 * the default of a domain that does.
 */
static List *
add_dependents(List *columns, Oid classid, Oid objid, DefaultCall *call)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	SysScanDesc scan;
	ScanKeyData key[2];
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(classid));
	ScanKeyInit(&key[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(objid));
	scan = systable_beginscan(depend, DependReferenceIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend dependent = (Form_pg_depend) GETSTRUCT(tuple);

		if (dependent->classid == AttrDefaultRelationId)
		{
			ObjectAddress column = GetAttrDefaultColumnAddress(dependent->objid);

			columns = add_column(columns, column.objectId, column.objectSubId,
								 call);
		}
		else if (dependent->classid == RelationRelationId &&
				 dependent->objsubid > 0)
			columns = add_column(columns, dependent->objid,
								 dependent->objsubid, call);
		else if (dependent->classid == TypeRelationId &&
				 classid == ProcedureRelationId)
			columns = add_dependents(columns, TypeRelationId,
									 dependent->objid, call);
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	return columns;
}

/*
 * Adds a column of a table if its default calls a generator; but not one of a
 * partition that goes with the partitioned table's.
 */
static List *
add_column(List *columns, Oid relid, AttrNumber attnum, DefaultCall *call)
{
	ColumnDefault *column;

	if (get_rel_relkind(relid) == RELKIND_COMPOSITE_TYPE ||
		!find_in_column(relid, attnum, call))
		return columns;

	column = palloc(sizeof(*column));
	column->relid = relid;
	column->attnum = attnum;
	column->generator = call->written;
	column->folded = call->folded;
	column->bare = call->bare;
	return is_parents(column, call) ? columns : lappend(columns, column);
}

/*
 * Says whether a column is a partition's, and on the same generator as that of
 * the partitioned table.
 */
static bool
is_parents(const ColumnDefault *column, DefaultCall *call)
{
	Oid			parent = relation_partition_parent(column->relid);
	char	   *name;

	if (!OidIsValid(parent) || column->generator == NULL)
		return false;
	name = get_attname(column->relid, column->attnum, false);
	return find_in_column(parent, get_attnum(parent, name), call) &&
		call->written != NULL &&
		text_equal(call->folded, column->folded);
}

static int
compare_columns(const ListCell *a, const ListCell *b)
{
	const ColumnDefault *column_a = lfirst(a);
	const ColumnDefault *column_b = lfirst(b);

	if (column_a->relid != column_b->relid)
		return column_a->relid < column_b->relid ? -1 : 1;
	return column_a->attnum - column_b->attnum;
}

/*
 * Leaves out of a sorted list what is in it twice: a default may call more than
 * one of the functions.
 */
static List *
without_repeats(List *columns)
{
	List	   *once = NIL;
	ListCell   *cell;

	foreach(cell, columns)
	{
		ColumnDefault *column = lfirst(cell);
		ColumnDefault *before = once == NIL ? NULL : llast(once);

		if (before == NULL || before->relid != column->relid ||
			before->attnum != column->attnum)
			once = lappend(once, column);
	}
	return once;
}
