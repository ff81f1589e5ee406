/*
 * The generator in the default of a column.
 *
 * A column draws from a generator if its default, or that of the domain which
 * is its type, is a call of hilo_next or the like with a constant name and
 * nothing else, or if the trigger document_id_assign sets it.  In pg_depend the
 * function leads to such a default.
 *
 * Nothing in a default is evaluated: it is the table owner's, and the caller
 * may be a superuser.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_trigger.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "table/table.h"

/*
 * The functions that hand out ids, and how the generator's name follows from
 * the argument, if it is not the argument itself: under the session's
 * separator, or under any.
 */
static const struct
{
	const char *name;
	int			nargs;
	text	   *(*generator) (text *written, bool any_separator);
}			functions[] = {
	{"hilo_next", 1, NULL},
	{"hilo_next_id", 1, NULL},
	{"identity_next", 1, pattern_identity},
	{"identity_next_id", 1, pattern_identity},
	{"document_id", 1, pattern_generator},
	{"document_id_assign", 0, NULL}
};

/* the last one */
#define TRIGGER_FUNCTION (lengthof(functions) - 1)

typedef struct Search
{
	text	   *only;			/* folded: of this generator; NULL: of any */
	Oid			functions[lengthof(functions)];
	List	   *columns;		/* found so far, of ColumnDefault */
} Search;

typedef void (*SearchRow) (Search *search, Relation rel, HeapTuple tuple);

static bool owner_may_use(Oid relid, text *name, bool is_public);
static Search search_begin(text *only);
static void search_catalog(Search *search, Oid catalog, Oid index,
						   AttrNumber key_column, Oid key, SearchRow row);
static void search_dependent(Search *search, Relation rel, HeapTuple tuple);
static void search_default(Search *search, Relation rel, HeapTuple tuple);
static void search_trigger(Search *search, Relation rel, HeapTuple tuple);
static void recognize_default(const Search *search, Node *expression,
							  ColumnDefault *column);
static Node *without_casts(Node *node);
static void add_column(Search *search, ColumnDefault column);
static bool repeats_parent(const ColumnDefault *column);
static int	compare_columns(const ListCell *a, const ListCell *b);

/*
 * Return what a column draws from, by its default or else by a trigger; NULL if
 * it has neither.  The default of a domain is never recognized.
 */
ColumnDefault *
column_default_find(Oid relid, AttrNumber attnum)
{
	Oid			type = get_atttype(relid, attnum);

	foreach_ptr(ColumnDefault, column, column_default_of_table(relid))
	{
		if (column->attnum == attnum)
			return column;
	}
	return !OidIsValid(type) || get_typdefault(type) == NULL ? NULL :
		palloc0(sizeof(ColumnDefault));
}

/*
 * Return the columns of a table that have a default, then those that a trigger
 * of ours sets.
 */
List *
column_default_of_table(Oid relid)
{
	Search		search = search_begin(NULL);

	search_catalog(&search, AttrDefaultRelationId, AttrDefaultIndexId,
				   Anum_pg_attrdef_adrelid, relid, search_default);
	search_catalog(&search, TriggerRelationId, TriggerRelidNameIndexId,
				   Anum_pg_trigger_tgrelid, relid, search_trigger);
	return search.columns;
}

/*
 * Return all columns that draw from a generator, in the order in which their
 * tables were made; with a folded name, those that draw from this one, for a
 * session with any settings.  A column of a partition that draws from what the
 * partitioned table does is left out.
 */
List *
column_default_list(text *only)
{
	Search		search = search_begin(only);
	List	   *columns = NIL;
	ListCell   *cell;

	for (size_t i = 0; i < lengthof(functions); i++)
		search_catalog(&search, DependRelationId, DependReferenceIndexId,
					   Anum_pg_depend_refobjid, search.functions[i],
					   search_dependent);

	list_sort(search.columns, compare_columns);
	foreach(cell, search.columns)
	{
		if ((columns == NIL ||
			 compare_columns(list_last_cell(columns), cell) != 0) &&
			!repeats_parent(lfirst(cell)))
			columns = lappend(columns, lfirst(cell));
	}
	return columns;
}

/*
 * Report an error, with what must not be done, if a column draws from the
 * generator and the owner of its table may use it: after a drop, its next use
 * would begin below the rows of the table.  Other columns have no say.
 */
void
column_default_refuse(text *name, bool is_public, const char *what)
{
	StringInfoData lines;

	initStringInfo(&lines);
	foreach_ptr(ColumnDefault, column, column_default_list(name))
	{
		ObjectAddress address;
		char	   *description;

		ObjectAddressSubSet(address, RelationRelationId, column->relid,
							column->attnum);
		description = getObjectDescription(&address, true);
		if (description != NULL && owner_may_use(column->relid, name, is_public))
			appendStringInfo(&lines, "%s%s", lines.len > 0 ? "\n" : "", description);
	}

	if (lines.len > 0)
		ereport(ERROR,
				(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
				 errmsg("cannot %s generator \"%s\" because other objects depend on it",
						what, text_to_cstring(name)),
				 errdetail_internal("%s", lines.data),
				 errhint("Drop the default or the trigger of each column first.")));
}

/*
 * Report an error if a column that draws from the generator has no room for ids
 * up to max_value.  Only columns count whose table's owner may use it.
 */
void
column_default_require_room(text *name, bool is_public, int64 max_value)
{
	foreach_ptr(ColumnDefault, column, column_default_list(name))
	{
		char	   *col = get_attname(column->relid, column->attnum, true);
		Oid			type = get_atttype(column->relid, column->attnum);

		if (!OidIsValid(type) || max_value <= column_type_max(type))
			continue;
		if (owner_may_use(column->relid, name, is_public))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("max_value (%lld) is too large for column \"%s\" of table \"%s\"",
							(long long) max_value, col,
							get_rel_name(column->relid)),
					 errdetail("Its type ends at %lld.",
							   (long long) column_type_max(type)),
					 errhint("Change the type of the column to bigint first.")));
	}
}

/*
 * Check whether the owner of a table may use the generator.  No lock keeps the
 * table from being dropped meanwhile.
 */
static bool
owner_may_use(Oid relid, text *name, bool is_public)
{
	return get_rel_relkind(relid) != '\0' &&
		privilege_is_granted(name, is_public, relation_owner(relid));
}

/*
 * Start a search for the functions of the extension, and not for those of the
 * same name elsewhere.
 */
static Search
search_begin(text *only)
{
	Search		search = {.only = only};
	Oid			schema = catalog_public_schema();
	Oid			text_argument = TEXTOID;

	for (size_t i = 0; i < lengthof(functions); i++)
		search.functions[i] =
			GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							CStringGetDatum(functions[i].name),
							PointerGetDatum(buildoidvector(&text_argument,
														   functions[i].nargs)),
							ObjectIdGetDatum(schema));
	return search;
}

/*
 * Search a catalog for the rows with a key; in pg_depend, with that of a
 * function.
 */
static void
search_catalog(Search *search, Oid catalog, Oid index, AttrNumber key_column,
			   Oid key, SearchRow row)
{
	Relation	rel = table_open(catalog, AccessShareLock);
	bool		is_depend = catalog == DependRelationId;
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&keys[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(ProcedureRelationId));
	ScanKeyInit(&keys[is_depend ? 1 : 0], key_column, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(key));
	scan = systable_beginscan(rel, index, true, NULL, is_depend ? 2 : 1, keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		row(search, rel, tuple);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

static void
search_dependent(Search *search, Relation rel, HeapTuple tuple)
{
	Form_pg_depend dependent = (Form_pg_depend) GETSTRUCT(tuple);

	if (dependent->classid == AttrDefaultRelationId)
		search_catalog(search, AttrDefaultRelationId, AttrDefaultOidIndexId,
					   Anum_pg_attrdef_oid, dependent->objid, search_default);
	else if (dependent->classid == TriggerRelationId)
		search_catalog(search, TriggerRelationId, TriggerOidIndexId,
					   Anum_pg_trigger_oid, dependent->objid, search_trigger);
}

static void
search_default(Search *search, Relation rel, HeapTuple tuple)
{
	Form_pg_attrdef form = (Form_pg_attrdef) GETSTRUCT(tuple);
	ColumnDefault column = {.relid = form->adrelid, .attnum = form->adnum};
	bool		isnull;
	Datum		expression = heap_getattr(tuple, Anum_pg_attrdef_adbin,
										  RelationGetDescr(rel), &isnull);

	recognize_default(search, stringToNode(TextDatumGetCString(expression)),
					  &column);
	add_column(search, column);
}

/* Add the column that a row of pg_trigger sets, if the trigger is ours. */
static void
search_trigger(Search *search, Relation rel, HeapTuple tuple)
{
	Form_pg_trigger form = (Form_pg_trigger) GETSTRUCT(tuple);
	ColumnDefault column = {.relid = form->tgrelid};

	if (form->tgfoid != search->functions[TRIGGER_FUNCTION])
		return;
	column.generator = pattern_of_trigger(tuple, RelationGetDescr(rel),
										  &column.attnum);
	if (column.generator != NULL)
		add_column(search, column);
}

static void
recognize_default(const Search *search, Node *expression, ColumnDefault *column)
{
	FuncExpr   *call = (FuncExpr *) without_casts(expression);
	Const	   *constant;
	text	   *name;

	column->is_constant = IsA(call, Const);
	if (!IsA(call, FuncExpr))
		return;
	constant = call->args == NIL ? NULL : (Const *) without_casts(linitial(call->args));
	if (list_length(call->args) > 1 ||
		(constant != NULL && (!IsA(constant, Const) || constant->constisnull)))
		return;
	if (call->funcid == F_NEXTVAL && constant->consttype == REGCLASSOID)
		column->sequence = DatumGetObjectId(constant->constvalue);

	for (size_t i = 0; i < lengthof(functions); i++)
	{
		if (call->funcid != search->functions[i])
			continue;
		/* document_id() has its default argument added when it is planned */
		if (constant != NULL && constant->consttype != TEXTOID &&
			constant->consttype != VARCHAROID)
			return;
		name = constant == NULL ? NULL : DatumGetTextPP(constant->constvalue);
		if (name != NULL && functions[i].generator != NULL)
			name = functions[i].generator(name, search->only != NULL);
		column->generator = name;
		/* a pattern that needs no number */
		column->is_constant = name == NULL;
	}
}

/*
 * Return an expression without casts that change no number: those that the
 * parser adds, and that of a varchar to text, which a dump writes out.
 */
static Node *
without_casts(Node *node)
{
	node = strip_implicit_coercions(node);
	return IsA(node, RelabelType) ?
		strip_implicit_coercions((Node *) ((RelabelType *) node)->arg) : node;
}

/* Add a column if it may draw from a generator that is looked for. */
static void
add_column(Search *search, ColumnDefault column)
{
	ColumnDefault *copy;

	if (column.generator != NULL &&
		case_fold_is_possible(VARDATA_ANY(column.generator),
							  VARSIZE_ANY_EXHDR(column.generator)))
		column.folded = case_fold(VARDATA_ANY(column.generator),
								  VARSIZE_ANY_EXHDR(column.generator));
	if (search->only != NULL &&
		(column.folded == NULL || !text_equal(column.folded, search->only)))
		return;
	copy = palloc(sizeof(column));
	*copy = column;
	search->columns = lappend(search->columns, copy);
}

/*
 * Check whether to leave a column out: it is a partition's and draws from the
 * partitioned table's generator, is a shard's, has been dropped, or draws from
 * nothing.
 */
static bool
repeats_parent(const ColumnDefault *column)
{
	Oid			parent = relation_partition_parent(column->relid);
	char	   *name = get_attname(column->relid, column->attnum, true);

	if (name == NULL || citus_is_shard(column->relid))
		return true;
	if (!OidIsValid(parent) || column->folded == NULL)
		return column->is_constant;
	foreach_ptr(ColumnDefault, other, column_default_of_table(parent))
	{
		if (other->attnum == get_attnum(parent, name))
			return other->folded != NULL &&
				text_equal(other->folded, column->folded);
	}
	return false;
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
