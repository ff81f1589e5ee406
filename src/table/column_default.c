/*
 * The generator in the default of a column.
 *
 * A column draws from a generator if its default is a call of hilo_next or the
 * like with a constant name and nothing but casts around it, or if the trigger
 * document_id_assign sets it.  In pg_depend the function leads to such a
 * default.
 *
 * A default is its table owner's, and the caller may be a superuser: nothing in
 * it is evaluated, one that is too long for such a call is not read, and none
 * raises an error.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_trigger.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
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

/* no call with a constant name, of whatever casts, is longer in pg_attrdef */
#define LONGEST_DEFAULT 16384

/* the last one */
#define TRIGGER_FUNCTION (lengthof(functions) - 1)

typedef struct Search
{
	text	   *only;			/* folded: of this generator; NULL: of any */
	const Definition *definition;	/* that the owners may use, or NULL */
	Oid			owner;			/* of the tables; or of the last one */
	bool		owner_may_use;
	bool		is_of_deleted;	/* rows, by this transaction */
	Oid			rel;			/* whose rows' groups draw from it */
	Oid			functions[lengthof(functions)];
	List	   *columns;		/* found so far, of ColumnDefault */
} Search;

typedef void (*SearchRow) (Search *search, Relation rel, HeapTuple tuple);

static Search search_begin(text *only);
static void search_catalog(Search *search, Oid catalog, Oid index,
						   AttrNumber key_column, Oid key, SearchRow row);
static bool is_searched(Search *search, Oid relid);
static void search_dependent(Search *search, Relation rel, HeapTuple tuple);
static void search_default(Search *search, Relation rel, HeapTuple tuple);
static void search_trigger(Search *search, Relation rel, HeapTuple tuple);
static void search_deleted(Search *search, Oid catalog, SearchRow row);
static void search_child(Search *search, Relation rel, HeapTuple tuple);
static void recognize_default(const Search *search, Node *expression,
							  ColumnDefault *column);
static Const *constant_in(Node *argument);
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

	foreach_ptr(ColumnDefault, column, column_default_of_table(relid, NULL))
	{
		if (column->attnum == attnum)
			return column;
	}
	return !OidIsValid(type) || get_typdefault(type) == NULL ? NULL :
		palloc0(sizeof(ColumnDefault));
}

/*
 * Return the columns of a table that have a default, then those that a trigger
 * of ours sets; with a folded name, those that draw from this generator, for a
 * session with any settings.
 */
List *
column_default_of_table(Oid relid, text *only)
{
	Search		search = search_begin(only);

	search_catalog(&search, AttrDefaultRelationId, AttrDefaultIndexId,
				   Anum_pg_attrdef_adrelid, relid, search_default);
	search_catalog(&search, TriggerRelationId, TriggerRelidNameIndexId,
				   Anum_pg_trigger_tgrelid, relid, search_trigger);
	return search.columns;
}

/*
 * Return the columns that draw from a generator, by its folded name, of tables
 * that the transaction writes to.
 */
List *
column_default_written(List *written, text *name)
{
	List	   *columns = NIL;

	foreach_oid(relid, written)
	{
		if (relation_is_table(relid))
			columns = list_concat(columns, column_default_of_table(relid, name));
	}
	return columns;
}

/*
 * Return the table that a column's generator is made for: of those that the
 * table inherits from, the uppermost whose column draws from it, too.
 */
Oid
column_default_root(const ColumnDefault *column)
{
	const char *name = get_attname(column->relid, column->attnum, false);
	Oid			root = column->relid;
	Oid			parent = root;

	while (OidIsValid(parent = relation_parent(parent)))
	{
		AttrNumber	attnum = get_attnum(parent, name);

		foreach_ptr(ColumnDefault, other,
					column_default_of_table(parent, column->folded))
		{
			if (other->attnum == attnum)
				root = parent;
		}
	}
	return root;
}

/*
 * Return the columns that draw from a generator, in the order in which their
 * tables were made: of all generators or, with a folded name, of that one, for
 * a session with any settings, in tables whose owner may use it or is the one
 * given.  A column that is inherited from one that draws from the same is left
 * out, and so are other sessions' temporary tables.
 */
List *
column_default_list(text *only, const Definition *definition, Oid owner)
{
	Search		search = search_begin(only);
	List	   *columns = NIL;
	ListCell   *cell;

	search.definition = definition;
	search.owner = owner;
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
 * Check whether a rollback brings back a column that draws from a generator, by
 * its folded name: this transaction has dropped its default, the column or the
 * table, or has detached the table; or a part of the table that it is made for.
 */
bool
column_default_is_hidden(text *name, Oid rel)
{
	Search		search = search_begin(name);

	if (!TransactionIdIsValid(GetTopTransactionIdIfAny()))
		return false;
	search.is_of_deleted = true;
	search.rel = rel;
	search_deleted(&search, AttrDefaultRelationId, search_default);
	search_deleted(&search, InheritsRelationId, search_child);
	foreach_ptr(ColumnDefault, column, search.columns)
	{
		bool		is_there = false;

		foreach_ptr(ColumnDefault, other,
					column_default_of_table(column->relid, name))
			is_there |= other->attnum == column->attnum;
		if (!is_there)
			return true;
	}
	return false;
}

/*
 * Report an error, with what must not be done, if a column draws from the
 * generator and the owner of its table may use it: after a drop, its next use
 * would begin below the rows of the table.  Other columns have no say.
 */
void
column_default_refuse(text *name, const Definition *definition,
					  const char *what)
{
	StringInfoData lines;

	initStringInfo(&lines);
	foreach_ptr(ColumnDefault, column, column_default_list(name, definition, InvalidOid))
	{
		ObjectAddress address;
		char	   *description;

		ObjectAddressSubSet(address, RelationRelationId, column->relid,
							column->attnum);
		description = getObjectDescription(&address, true);
		if (description != NULL)
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

/*
 * Check whether the columns of a table are looked for.  No lock keeps the table
 * from being dropped meanwhile.
 */
static bool
is_searched(Search *search, Oid relid)
{
	Oid			owner = relation_find_owner(relid);

	if (search->is_of_deleted)
		return true;
	if (!OidIsValid(owner) || isOtherTempNamespace(get_rel_namespace(relid)))
		return false;
	if (search->definition == NULL)
		return !OidIsValid(search->owner) || owner == search->owner;
	if (owner != search->owner)
		search->owner_may_use = privilege_is_granted(search->only,
													 search->definition, owner);
	search->owner = owner;
	return search->owner_may_use;
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
	ColumnDefault column = {.relid = form->adrelid,.attnum = form->adnum};
	bool		isnull;
	Datum		expression = heap_getattr(tuple, Anum_pg_attrdef_adbin,
										  RelationGetDescr(rel), &isnull);
	MemoryContext before = CurrentMemoryContext;
	MemoryContext scratch;

	if (!is_searched(search, column.relid))
		return;
	scratch = AllocSetContextCreate(before, "hilo default", ALLOCSET_SMALL_SIZES);
	MemoryContextSwitchTo(scratch);
	if (toast_raw_datum_size(expression) <= LONGEST_DEFAULT)
		recognize_default(search, stringToNode(TextDatumGetCString(expression)),
						  &column);
	MemoryContextSwitchTo(before);
	add_column(search, column);
	MemoryContextDelete(scratch);
}

/* Add the column that a row of pg_trigger sets, if the trigger is ours. */
static void
search_trigger(Search *search, Relation rel, HeapTuple tuple)
{
	Form_pg_trigger form = (Form_pg_trigger) GETSTRUCT(tuple);
	ColumnDefault column = {.relid = form->tgrelid,.by_trigger = true};

	if (form->tgfoid != search->functions[TRIGGER_FUNCTION] ||
		!is_searched(search, column.relid))
		return;
	column.generator = pattern_of_trigger(tuple, RelationGetDescr(rel),
										  &column.attnum);
	if (column.generator != NULL)
		add_column(search, column);
}

/* Search a catalog for the rows that this transaction has deleted. */
static void
search_deleted(Search *search, Oid catalog, SearchRow row)
{
	Relation	rel = table_open(catalog, AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, SnapshotAny,
										  0, NULL);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		HeapTupleHeader header = tuple->t_data;

		if (!(header->t_infomask & HEAP_XMAX_INVALID) &&
			!HEAP_XMAX_IS_LOCKED_ONLY(header->t_infomask) &&
			TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetUpdateXid(header)) &&
			!TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(header)))
			row(search, rel, tuple);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

/* Add a table that is no child any more of one that draws from the generator. */
static void
search_child(Search *search, Relation rel, HeapTuple tuple)
{
	Form_pg_inherits form = (Form_pg_inherits) GETSTRUCT(tuple);
	ColumnDefault child = {.relid = form->inhrelid,.generator = search->only};

	for (Oid parent = form->inhparent; OidIsValid(parent); parent = relation_parent(parent))
	{
		if (parent == search->rel ||
			column_default_of_table(parent, search->only) != NIL)
			add_column(search, child);
	}
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
	constant = call->args == NIL ? NULL : constant_in(linitial(call->args));
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
		if (name != NULL && !case_fold_is_possible(VARDATA_ANY(name),
												   VARSIZE_ANY_EXHDR(name)))
			return;
		if (name != NULL && functions[i].generator != NULL)
			name = functions[i].generator(name, search->only != NULL);
		column->generator = name;
		/* a pattern that needs no number */
		column->is_constant = name == NULL;
	}
}

/*
 * Return the constant in an argument, which may be named: without the casts that
 * the parser adds, and that of a varchar to text, which a dump writes out.
 */
static Const *
constant_in(Node *argument)
{
	if (IsA(argument, NamedArgExpr))
		argument = (Node *) ((NamedArgExpr *) argument)->arg;
	argument = strip_implicit_coercions(argument);
	return (Const *) (IsA(argument, RelabelType) ?
					  strip_implicit_coercions((Node *) ((RelabelType *) argument)->arg) :
					  argument);
}

/* Return an expression without casts, those that the parser adds and others. */
static Node *
without_casts(Node *node)
{
	for (;;)
	{
		Node	   *inner = NULL;

		node = strip_implicit_coercions(node);
		if (IsA(node, FuncExpr) &&
			((FuncExpr *) node)->funcformat == COERCE_EXPLICIT_CAST)
			inner = linitial(((FuncExpr *) node)->args);
		else if (IsA(node, RelabelType))
			inner = (Node *) ((RelabelType *) node)->arg;
		else if (IsA(node, CoerceViaIO))
			inner = (Node *) ((CoerceViaIO *) node)->arg;
		else if (IsA(node, CoerceToDomain))
			inner = (Node *) ((CoerceToDomain *) node)->arg;
		if (inner == NULL)
			return node;
		node = inner;
	}
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
	if (column.generator != NULL)
		copy->generator = DatumGetTextPCopy(PointerGetDatum(column.generator));
	search->columns = lappend(search->columns, copy);
}

/*
 * Check whether to leave a column out: its table inherits it from one that draws
 * from the same generator, or it is a shard's, has been dropped, or draws from
 * nothing.
 */
static bool
repeats_parent(const ColumnDefault *column)
{
	if (get_attname(column->relid, column->attnum, true) == NULL ||
		citus_is_shard(column->relid))
		return true;
	return column->folded == NULL ? column->is_constant :
		column_default_root(column) != column->relid;
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
