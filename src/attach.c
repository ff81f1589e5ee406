/*-------------------------------------------------------------------------
 *
 * attach.c
 *	  Columns whose default is a generator.
 *
 * Such a default is a call of hilo_next or hilo_next_id with a constant name.
 * PostgreSQL knows that it depends on the function, and that leads to it; the
 * generator is found in the expression.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/attach.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "attach.h"
#include "case_fold.h"
#include "catalog.h"
#include "compat.h"
#include "definition.h"
#include "next.h"

PG_FUNCTION_INFO_V1(hilo_next_for);

/*
 * What the search of an expression looks for, and finds.
 */
typedef struct DefaultCall
{
	Oid			functions[2];	/* hilo_next and hilo_next_id */
	text	   *written;		/* the name in the call; NULL: no call */
} DefaultCall;

/*
 * What fn_extra of hilo_next_for points at.
 */
typedef struct NextForCall
{
	Oid			relid;
	uint64		generation;		/* of the relations when it was looked up */
	SessionEntry *entry;
} NextForCall;

/* changes whenever a default may have changed */
static uint64 relation_generation = 1;

static void relation_changed(Datum arg, Oid relid);
static text *generator_of_table(Oid relid);
static void find_functions(DefaultCall *call);
static Oid	find_function(const char *name, Oid schema);
static text *name_in_default(HeapTuple tuple, Relation rel, DefaultCall *call);
static bool find_call(Node *node, DefaultCall *call);
static text *constant_text(Node *node);
static void collect_columns(Oid function, DefaultCall *call, text *name,
							StringInfo columns);
static bool is_name_of(text *written, text *name);
static void append_column(StringInfo columns, Form_pg_attrdef attrdef);

/*
 * Asks to be told of changed defaults.  Called once, when the library is
 * loaded.
 */
void
attach_init(void)
{
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
}

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
	if (call->relid != relid || call->generation != relation_generation)
	{
		uint64		generation = relation_generation;

		call->entry = session_entry(generator_of_table(relid));
		call->relid = relid;
		call->generation = generation;
	}
	PG_RETURN_INT64(next_id(call->entry, "hilo_next_for()", 0));
}

/*
 * Raises an error if the default of a column calls the generator: after a
 * drop, its next use would begin below the rows of the table.
 */
void
attach_refuse_drop(text *name, text *written)
{
	DefaultCall call;
	StringInfoData columns;

	initStringInfo(&columns);
	find_functions(&call);
	for (size_t i = 0; i < lengthof(call.functions); i++)
		collect_columns(call.functions[i], &call, name, &columns);

	if (columns.len > 0)
		ereport(ERROR,
				(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
				 errmsg("cannot drop generator \"%s\" because other objects depend on it",
						text_to_cstring(written)),
				 errdetail_internal("%s", columns.data),
				 errhint("Drop the default of each column first.")));
}

/*
 * Callback: a relation changed, or all of them may have.
 */
static void
relation_changed(Datum arg, Oid relid)
{
	relation_generation++;
}

/*
 * Gives the name in the one default of a table that calls a generator, or
 * raises an error if there is none, or more than one.
 */
static text *
generator_of_table(Oid relid)
{
	DefaultCall call;
	Relation	rel = table_open(AttrDefaultRelationId, AccessShareLock);
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;
	text	   *found = NULL;

	if (get_rel_name(relid) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));

	find_functions(&call);
	ScanKeyInit(&key, Anum_pg_attrdef_adrelid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(relid));
	scan = systable_beginscan(rel, AttrDefaultIndexId, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		text	   *written = name_in_default(tuple, rel, &call);

		if (written != NULL && found != NULL)
			ereport(ERROR,
					(errcode(ERRCODE_AMBIGUOUS_COLUMN),
					 errmsg("more than one column of table \"%s\" has a generator as its default",
							get_rel_name(relid)),
					 errhint("Call hilo_next with the name of the generator.")));
		if (written != NULL)
			found = written;
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);

	if (found == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("no column of table \"%s\" has a generator as its default",
						get_rel_name(relid))));
	return found;
}

/*
 * Starts a search: for the functions of this extension, and not for those of
 * the same name elsewhere.
 */
static void
find_functions(DefaultCall *call)
{
	Oid			schema = get_rel_namespace(catalog_relid(CATALOG_HI));

	call->functions[0] = find_function("hilo_next", schema);
	call->functions[1] = find_function("hilo_next_id", schema);
}

static Oid
find_function(const char *name, Oid schema)
{
	Oid			text_argument = TEXTOID;

	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum(name),
						   PointerGetDatum(buildoidvector(&text_argument, 1)),
						   ObjectIdGetDatum(schema));
}

/*
 * Gives the name in the call of a generator in a row of pg_attrdef, NULL if
 * there is none.
 */
static text *
name_in_default(HeapTuple tuple, Relation rel, DefaultCall *call)
{
	bool		isnull;
	Datum		expression = heap_getattr(tuple, Anum_pg_attrdef_adbin,
										  RelationGetDescr(rel), &isnull);

	call->written = NULL;
	if (!isnull)
		find_call(stringToNode(TextDatumGetCString(expression)), call);
	return call->written;
}

/*
 * Walks an expression until the first call of a generator.  Nothing in it is
 * evaluated: it is the table owner's, and the caller may be a superuser.
 */
static bool
find_call(Node *node, DefaultCall *call)
{
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr))
	{
		FuncExpr   *function = (FuncExpr *) node;

		if (function->funcid == call->functions[0] ||
			function->funcid == call->functions[1])
		{
			call->written = constant_text(linitial(function->args));
			if (call->written != NULL)
				return true;
		}
	}
	return expression_tree_walker(node, find_call, call);
}

/*
 * Gives the text of a constant, NULL if it is none.  Of casts it looks through
 * core's only: one of somebody else's could be from anything.
 */
static text *
constant_text(Node *node)
{
	Const	   *constant = (Const *) node;

	if (IsA(node, RelabelType))
		return constant_text((Node *) ((RelabelType *) node)->arg);
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcid == F_TEXT_NAME)
	{
		constant = linitial(((FuncExpr *) node)->args);
		if (IsA(constant, Const) && !constant->constisnull)
			return cstring_to_text(NameStr(*DatumGetName(constant->constvalue)));
	}
	if (IsA(node, Const) && !constant->constisnull &&
		(constant->consttype == TEXTOID || constant->consttype == VARCHAROID))
		return DatumGetTextPP(constant->constvalue);
	return NULL;
}

/*
 * Appends a line for each column whose default calls that function with that
 * generator.
 */
static void
collect_columns(Oid function, DefaultCall *call, text *name,
				StringInfo columns)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	Relation	attrdef = table_open(AttrDefaultRelationId, AccessShareLock);
	SysScanDesc scan;
	ScanKeyData key[2];
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(ProcedureRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(function));
	scan = systable_beginscan(depend, DependReferenceIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend dependent = (Form_pg_depend) GETSTRUCT(tuple);
		SysScanDesc defaults;
		ScanKeyData oid;
		text	   *written;

		if (dependent->classid != AttrDefaultRelationId)
			continue;
		ScanKeyInit(&oid, Anum_pg_attrdef_oid, BTEqualStrategyNumber, F_OIDEQ,
					ObjectIdGetDatum(dependent->objid));
		defaults = systable_beginscan(attrdef, AttrDefaultOidIndexId, true,
									  NULL, 1, &oid);
		tuple = systable_getnext(defaults);
		if (HeapTupleIsValid(tuple) &&
			(written = name_in_default(tuple, attrdef, call)) != NULL &&
			is_name_of(written, name))
			append_column(columns, (Form_pg_attrdef) GETSTRUCT(tuple));
		systable_endscan(defaults);
	}
	systable_endscan(scan);
	table_close(attrdef, AccessShareLock);
	table_close(depend, AccessShareLock);
}

/*
 * Says whether a name as somebody wrote it, which may be none, is that of a
 * generator.
 */
static bool
is_name_of(text *written, text *name)
{
	text	   *folded = case_fold(VARDATA_ANY(written),
								   VARSIZE_ANY_EXHDR(written));

	return case_fold_equal(folded, name);
}

static void
append_column(StringInfo columns, Form_pg_attrdef attrdef)
{
	ObjectAddress column;

	ObjectAddressSubSet(column, RelationRelationId, attrdef->adrelid,
						attrdef->adnum);
	if (columns->len > 0)
		appendStringInfoChar(columns, '\n');
	appendStringInfo(columns, "default value for %s",
					 getObjectDescription(&column, false));
}
