/*
 * The generator in the default of a column, or in the trigger
 * document_id_assign.
 *
 * Never evaluate a default: the table's owner wrote it, and the caller may be a
 * superuser.  Do not parse expressions longer than LONGEST_DEFAULT; raise no
 * error for what is in one.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/namespace.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_trigger.h"
#include "nodes/nodeFuncs.h"

#include "relation/relation.h"

/*
 * the functions that hand out ids, and how the generator follows from the first
 * argument if that does not name it
 */
static const struct
{
	const char *name;
	int			nargs;
	text	   *(*generator) (text *written, bool any_separator);
	Oid			arguments[6];
}			functions[] = {
	{"hilo_next", 1, NULL, {REGCLASSOID}},
	{"hilo_next_tag", 1, NULL, {TEXTOID}},
	{"hilo_next_id", 1, NULL, {TEXTOID}},
	{"hilo_next_range", 6, NULL,
	{TEXTOID, INT8OID, INT8OID, TIMESTAMPTZOID, INT8OID, TEXTOID}},
	{"hilo_next_hi", 2, NULL, {TEXTOID, INT8OID}},
	{"identity_next", 1, pattern_identity, {TEXTOID}},
	{"identity_next", 2, pattern_identity, {TEXTOID, INT8OID}},
	{"identity_next_id", 1, pattern_identity, {TEXTOID}},
	{"document_id", 1, pattern_generator, {TEXTOID}},
	{"document_id_assign", 0, NULL, {InvalidOid}}
};

#define HILO_NEXT 0
#define DOCUMENT_ID_ASSIGN ((int) lengthof(functions) - 1)

/* longer ones are not parsed */
#define LONGEST_DEFAULT 16384

typedef struct SourceSearch
{
	text	   *only_generator; /* folded: of this generator; NULL: of any */
	AttrNumber	attnum;			/* of this column; 0: of any */
	bool		by_users;		/* only in tables of owners who may use it */
	Oid			owner;			/* of tables' owners with this role's rights */
	bool		covers_all_owners;	/* without the triggers of parts, and long
									 * texts */
	bool		collects_relids;	/* of tables, and reads no default */
	Oid			last_owner;		/* the last one that by_users asked about, */
	bool		last_owner_may; /* and the answer */
	Oid			schema;			/* of our functions, or not found yet */
	int			function;		/* found by function_index */
	ColumnDefault domain_column;	/* whose domain is examined */
	ColumnDefault *walked;		/* whose expression is walked */
	List	   *columns;		/* found so far, of ColumnDefault */
	List	   *relids;			/* found so far: tables, or views */
} SourceSearch;

typedef void (*ExamineRow) (SourceSearch *search, Relation rel,
							HeapTuple tuple);

static Oid	function_schema(SourceSearch *search);
static Oid	function_oid(SourceSearch *search, int number);
static int	function_index(SourceSearch *search, Oid oid);
static void examine_function(SourceSearch *search, Relation rel,
							 HeapTuple tuple);
static void search_columns(SourceSearch *search, Oid relid);
static void search_triggers(SourceSearch *search, Oid relid);
static List *unique_oids(List *oids);
static void search_generator(SourceSearch *search, text *name);
static void search_catalog(SourceSearch *search, Oid catalog, Oid index,
						   AttrNumber key_column, int nkeys, const Oid *keys,
						   ExamineRow examine);
static bool is_searched(SourceSearch *search, const ColumnDefault *column);
static void search_dependents(SourceSearch *search, Oid class, Oid oid);
static void examine_dependent(SourceSearch *search, Relation rel,
							  HeapTuple tuple);
static void examine_default(SourceSearch *search, Relation rel,
							HeapTuple tuple);
static void examine_attribute(SourceSearch *search, Relation rel,
							  HeapTuple tuple);
static void examine_domain(SourceSearch *search, Relation rel,
						   HeapTuple tuple);
static void examine_expression(SourceSearch *search, ColumnDefault column,
							   Datum expression);
static void examine_trigger(SourceSearch *search, Relation rel,
							HeapTuple tuple);
static void recognize_default(SourceSearch *search, Node *expression,
							  ColumnDefault *column);
static bool find_call(Node *node, void *arg);
static void recognize_call(SourceSearch *search, FuncExpr *call,
						   ColumnDefault *column);
static Node *without_casts(Node *node, bool of_values);
static void add_column(SourceSearch *search, ColumnDefault column);
static bool repeats_parent(const ColumnDefault *column, const char *name,
						   List *columns);
static int	compare_cells(const void *a, const void *b);
static int	compare_columns(const ListCell *a, const ListCell *b);
static int	compare_texts(text *a, text *b);
static int	compare_sources(const ColumnDefault *a, const ColumnDefault *b);

/*
 * Return what a column draws from; a column that does not exist draws from
 * nothing.
 */
ColumnDefault
column_default_find(Oid relid, const char *name)
{
	AttrNumber	attnum = get_attnum(relid, name);
	ColumnDefault none =
	{
		.relid = relid,.attnum = attnum,.draws_nothing = true
	};
	SourceSearch search = {.attnum = attnum};

	if (attnum == 0)
		return none;
	search_columns(&search, relid);
	/* the default comes before the triggers */
	if (search.columns == NIL)
		search_triggers(&search, relid);
	if (search.columns == NIL)
		return none;
	return *(ColumnDefault *) linitial(search.columns);
}

/*
 * Return the columns of a table, or the one of that number unless 0, that have
 * a default, if only by their domain, or are identities, then those that a
 * trigger of ours sets; with a folded name, those that draw from it under any
 * settings.
 */
List *
column_default_of_table(Oid relid, AttrNumber attnum, text *only)
{
	SourceSearch search = {.only_generator = only,.attnum = attnum};

	search_columns(&search, relid);
	search_triggers(&search, relid);
	return search.columns;
}

/*
 * Return the relations with rules that name a relation: the views that read or
 * write it are among them.
 */
List *
relation_rule_relations(Oid relid)
{
	SourceSearch search = {0};

	search_dependents(&search, RelationRelationId, relid);
	return unique_oids(search.relids);
}

/*
 * Return the tables and views, whatever their owner, with a default that calls
 * a function of ours, or that depends on the generator's table.  Do not read
 * the defaults: most do not name this generator.
 */
List *
column_default_tables(text *name)
{
	SourceSearch search = {.collects_relids = true};

	search_generator(&search, name);
	return unique_oids(search.relids);
}

/*
 * Check whether the owner of the table has decided that a column draws from its
 * generator.  A default shows that.  A trigger does if no other role may make
 * triggers on the table, or if the generator has the name of the table;
 * strictly, it must meet both conditions.
 */
bool
column_default_is_by_owner(const ColumnDefault *column, bool strictly)
{
	const char *name;
	bool		has_table_name = false;
	bool		is_owners;

	if (!column->by_trigger)
		return true;
	name = get_rel_name(column->relid);
	if (name != NULL)
	{
		text	   *table = case_fold_name(name);

		has_table_name = text_equal(column->generator, table) ||
			text_equal(column->generator, pattern_identity(table, true));
	}
	is_owners = list_delete_oid(relation_grantees(column->relid, ACL_TRIGGER),
								relation_find_owner(column->relid)) == NIL;
	if (strictly)
		return has_table_name && is_owners;
	return has_table_name || is_owners;
}

/*
 * Return the generators that a column draws from, each of them once: that of
 * its default comes before those of triggers.
 */
List *
column_default_generators(Oid relid, AttrNumber attnum)
{
	List	   *found = NIL;

	foreach_ptr(ColumnDefault, column,
				column_default_of_table(relid, attnum, NULL))
	{
		bool		is_new = column->written != NULL;

		foreach_ptr(ColumnDefault, other, found)
			is_new &= !text_equal(other->generator, column->generator);
		if (is_new)
			found = lappend(found, column);
	}
	return found;
}

/*
 * Return the columns that draw from generators, in the order of the tables'
 * OIDs, and a column with several generators once for each.
 *
 * With only, which is folded, return those that draw from this generator.  With
 * by_users, return those of owners who may use it, and with an owner those of
 * roles that have its rights.  Leave out a column that inherits its generator,
 * but not its sequence, or whose trigger another role may have made.
 */
List *
column_default_list(text *only, bool by_users, Oid owner)
{
	SourceSearch search =
	{
		.only_generator = only,.by_users = by_users,.owner = owner
	};
	List	   *columns = NIL;

	search.covers_all_owners = !by_users && !OidIsValid(owner);
	search_generator(&search, only);

	list_sort(search.columns, compare_columns);
	foreach_ptr(ColumnDefault, column, search.columns)
	{
		ColumnDefault *last = columns == NIL ? NULL : llast(columns);
		const char *name = get_attname(column->relid, column->attnum, true);

		/*
		 * triggers may name a generator twice; the column may have been
		 * dropped
		 */
		if ((last != NULL && compare_sources(last, column) == 0) ||
			name == NULL || OidIsValid(citus_table_of(column->relid)))
			continue;
		if (column->generator == NULL && column->draws_nothing)
			continue;
		if (column->generator != NULL &&
			((!OidIsValid(column->sequence) &&
			  repeats_parent(column, name, search.columns)) ||
			 !column_default_is_by_owner(column, false)))
			continue;
		columns = lappend(columns, column);
	}
	return columns;
}

/*
 * Report an error, with what must not be done, if a column draws from a
 * generator that its owner may use: the next use would begin below the rows of
 * the table.
 */
void
column_default_refuse(text *name, const char *what, const char *then)
{
	StringInfo	lines = makeStringInfo();
	const char *statement = "";

	foreach_ptr(ColumnDefault, column,
				column_default_list(name, true, InvalidOid))
	{
		ObjectAddress address = {RelationRelationId, column->relid,
		column->attnum};
		char	   *description = getObjectDescription(&address, true);

		if (description == NULL)
			continue;
		appendStringInfo(lines, "\n%s", description);
		if (!column->by_trigger)
			statement = psprintf(", as with ALTER TABLE %s ALTER %s DROP DEFAULT",
								 relation_name(column->relid),
								 quote_identifier(get_attname(column->relid,
															  column->attnum,
															  false)));
	}

	if (lines->len > 0)
		ereport(ERROR,
				errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
				errmsg("cannot %s generator \"%s\" because other objects depend on it",
					   what, definition_title(name)),
				errdetail_internal("%s", lines->data + 1),
				errhint("Drop the default or the trigger of each column first%s.%s",
						statement, then));
}

/* Return the schema of our functions, which tells them from namesakes. */
static Oid
function_schema(SourceSearch *search)
{
	if (!OidIsValid(search->schema))
		search->schema = catalog_public_schema();
	return search->schema;
}

/* Return the OID of one of our functions. */
static Oid
function_oid(SourceSearch *search, int number)
{
	oidvector  *arguments = buildoidvector(functions[number].arguments,
										   functions[number].nargs);

	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum(functions[number].name),
						   PointerGetDatum(arguments),
						   ObjectIdGetDatum(function_schema(search)));
}

/*
 * Return which of our functions has an OID, or -1.  To look up the OIDs of all
 * would double the cost of a session's first insert into a table with a
 * sequence; a look at the cache would keep a function of any size.
 */
static int
function_index(SourceSearch *search, Oid oid)
{
	search->function = -1;
	if (oid >= FirstNormalObjectId)
		search_catalog(search, ProcedureRelationId, ProcedureOidIndexId,
					   Anum_pg_proc_oid, 1, &oid, examine_function);
	return search->function;
}

static void
examine_function(SourceSearch *search, Relation rel, HeapTuple tuple)
{
	Form_pg_proc form = (Form_pg_proc) GETSTRUCT(tuple);

	for (size_t i = 0; i < lengthof(functions); i++)
	{
		if (form->pronargs == functions[i].nargs &&
			strcmp(NameStr(form->proname), functions[i].name) == 0 &&
			memcmp(form->proargtypes.values, functions[i].arguments,
				   form->pronargs * sizeof(Oid)) == 0 &&
			form->pronamespace == function_schema(search))
			search->function = i;
	}
}

/* Search the defaults of a table's columns, or of the one that is asked for. */
static void
search_columns(SourceSearch *search, Oid relid)
{
	HeapTuple	column;

	search_catalog(search, AttrDefaultRelationId, AttrDefaultIndexId,
				   Anum_pg_attrdef_adrelid, 1, &relid, examine_default);
	if (search->attnum == 0)
	{
		search_catalog(search, AttributeRelationId, AttributeRelidNumIndexId,
					   Anum_pg_attribute_attrelid, 1, &relid,
					   examine_attribute);
		return;
	}
	column = SearchSysCacheAttNum(relid, search->attnum);
	if (!HeapTupleIsValid(column))
		return;
	examine_attribute(search, NULL, column);
	ReleaseSysCache(column);
}

static void
search_triggers(SourceSearch *search, Oid relid)
{
	search_catalog(search, TriggerRelationId, TriggerRelidNameIndexId,
				   Anum_pg_trigger_tgrelid, 1, &relid, examine_trigger);
}

/* Search what may draw from a generator, or from any. */
static void
search_generator(SourceSearch *search, text *name)
{
	if (name != NULL && key_is_relation(name))
	{
		search_dependents(search, RelationRelationId, key_relid(name));
		return;
	}
	for (size_t i = 0; i < lengthof(functions); i++)
		search_dependents(search, ProcedureRelationId,
						  function_oid(search, i));
}

/* Search a catalog for the rows with these keys, from a column on. */
static void
search_catalog(SourceSearch *search, Oid catalog, Oid index,
			   AttrNumber key_column, int nkeys, const Oid *keys,
			   ExamineRow examine)
{
	Relation	rel = table_open(catalog, AccessShareLock);
	ScanKeyData scan_keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	for (int i = 0; i < nkeys; i++)
		ScanKeyInit(&scan_keys[i], key_column + i, BTEqualStrategyNumber,
					F_OIDEQ,
					ObjectIdGetDatum(keys[i]));
	scan = systable_beginscan(rel, index, true, NULL, nkeys, scan_keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		examine(search, rel, tuple);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

/*
 * Check whether a column is one that the search asks for.  No lock keeps its
 * table from being dropped.
 */
static bool
is_searched(SourceSearch *search, const ColumnDefault *column)
{
	Oid			owner = relation_find_owner(column->relid);

	if (!OidIsValid(owner) ||
		isOtherTempNamespace(get_rel_namespace(column->relid)) ||
		(search->attnum != 0 && column->attnum != search->attnum))
		return false;
	if (!search->by_users)
		return !OidIsValid(search->owner) ||
			has_privs_of_role(owner, search->owner);
	if (owner != search->last_owner)
		search->last_owner_may = superuser_arg(owner) ||
			privilege_is_given(search->only_generator, owner);
	search->last_owner = owner;
	return search->last_owner_may;
}

/* Sort OIDs, each once. */
static List *
unique_oids(List *oids)
{
	list_sort(oids, list_oid_cmp);
	list_deduplicate_oid(oids);
	return oids;
}

/*
 * Search what depends on a function or relation, or on a domain with such a
 * default.
 */
static void
search_dependents(SourceSearch *search, Oid class, Oid oid)
{
	Oid			keys[] = {class, oid};

	search_catalog(search, DependRelationId, DependReferenceIndexId,
				   Anum_pg_depend_refclassid, 2, keys, examine_dependent);
}

static void
examine_dependent(SourceSearch *search, Relation rel, HeapTuple tuple)
{
	Form_pg_depend dependent = (Form_pg_depend) GETSTRUCT(tuple);
	bool		is_of_domain = dependent->refclassid == TypeRelationId;

	if (dependent->classid == AttrDefaultRelationId && !is_of_domain)
		search_catalog(search, AttrDefaultRelationId, AttrDefaultOidIndexId,
					   Anum_pg_attrdef_oid, 1, &dependent->objid,
					   examine_default);
	else if (dependent->classid == TriggerRelationId)
		search_catalog(search, TriggerRelationId, TriggerOidIndexId,
					   Anum_pg_trigger_oid, 1, &dependent->objid,
					   examine_trigger);
	else if (dependent->classid == RewriteRelationId &&
			 !search->collects_relids)
		search->relids =
			lappend_oid(search->relids,
						catalog_find_value(NULL, RewriteRelationId,
										   RewriteOidIndexId,
										   Anum_pg_rewrite_oid, F_OIDEQ,
										   ObjectIdGetDatum(dependent->objid),
										   1, Anum_pg_rewrite_ev_class));
	else if (dependent->classid == TypeRelationId && !is_of_domain)
		search_dependents(search, TypeRelationId, dependent->objid);
	else if (is_of_domain && relation_is_table(dependent->objid))
	{
		HeapTuple	column = SearchSysCacheAttNum(dependent->objid,
												  dependent->objsubid);

		if (HeapTupleIsValid(column))
		{
			examine_attribute(search, NULL, column);
			ReleaseSysCache(column);
		}
	}
}

static void
examine_default(SourceSearch *search, Relation rel, HeapTuple tuple)
{
	Form_pg_attrdef form = (Form_pg_attrdef) GETSTRUCT(tuple);
	ColumnDefault column = {.relid = form->adrelid,.attnum = form->adnum};
	bool		isnull;

	examine_expression(search, column,
					   heap_getattr(tuple, Anum_pg_attrdef_adbin,
									RelationGetDescr(rel),
									&isnull));
}

/*
 * Look at a column without a default: it may be an identity, or its domain may
 * have one.
 */
static void
examine_attribute(SourceSearch *search, Relation rel, HeapTuple tuple)
{
	Form_pg_attribute form = (Form_pg_attribute) GETSTRUCT(tuple);
	ColumnDefault column = {.relid = form->attrelid,.attnum = form->attnum};

	if (form->attidentity != '\0' && is_searched(search, &column))
	{
		column.sequence = sequence_of_identity(form->attrelid, form->attnum);
		add_column(search, column);
		return;
	}
	/* a type of core's is no domain */
	if (form->atthasdef || form->atttypid < FirstNormalObjectId ||
		!is_searched(search, &column))
		return;
	search->domain_column = column;
	/* no look at the cache, which would keep a default of any size */
	search_catalog(search, TypeRelationId, TypeOidIndexId, Anum_pg_type_oid,
				   1, &form->atttypid, examine_domain);
}

/*
 * Look at the default of a domain.  It gives no right if the domain's owner
 * could not have given it to the table.
 */
static void
examine_domain(SourceSearch *search, Relation rel, HeapTuple tuple)
{
	ColumnDefault column = search->domain_column;
	bool		isnull;
	Datum		expression = heap_getattr(tuple, Anum_pg_type_typdefaultbin,
										  RelationGetDescr(rel), &isnull);

	column.of_other_owner =
		!has_privs_of_role(((Form_pg_type) GETSTRUCT(tuple))->typowner,
						   relation_find_owner(column.relid));
	if (!isnull)
		examine_expression(search, column, expression);
}

static void
examine_expression(SourceSearch *search, ColumnDefault column,
				   Datum expression)
{
	MemoryContext before = CurrentMemoryContext;
	MemoryContext scratch;

	if (search->collects_relids)
	{
		if (search->relids == NIL || llast_oid(search->relids) != column.relid)
			search->relids = lappend_oid(search->relids, column.relid);
		return;
	}
	if (!is_searched(search, &column))
		return;
	scratch = AllocSetContextCreate(before, "hilo default",
									ALLOCSET_SMALL_SIZES);
	MemoryContextSwitchTo(scratch);
	if (toast_raw_datum_size(expression) <= LONGEST_DEFAULT)
		recognize_default(search, stringToNode(TextDatumGetCString(expression)),
						  &column);
	/* search a long text, but not in a list of all, where it may be planted */
	else if (search->only_generator == NULL && !search->covers_all_owners)
	{
		const char *written = TextDatumGetCString(expression);

		for (size_t i = 0; i < lengthof(functions); i++)
			column.name_is_computed |= strstr(written,
											  psprintf(":funcid %u ",
													   function_oid(search,
																	i))) !=
				NULL;
		column.is_wrapped = column.name_is_computed;
	}
	/* a long default depends on the generator's table: its owner named that */
	else if (search->only_generator != NULL &&
			 key_is_relation(search->only_generator))
	{
		if (strstr(TextDatumGetCString(expression),
				   psprintf(":funcid %u ", function_oid(search, HILO_NEXT))) != NULL)
		{
			column.written = search->only_generator;
			column.is_wrapped = true;
		}
	}
	MemoryContextSwitchTo(before);
	add_column(search, column);
	MemoryContextDelete(scratch);
}

/* Add the column that a row of pg_trigger sets, if the trigger is ours. */
static void
examine_trigger(SourceSearch *search, Relation rel, HeapTuple tuple)
{
	Form_pg_trigger form = (Form_pg_trigger) GETSTRUCT(tuple);
	ColumnDefault column = {.relid = form->tgrelid,.by_trigger = true};
	bool		isnull;

	if (search->collects_relids)
		return;

	/*
	 * Any role may plant triggers by the thousand: before their arguments are
	 * read, leave out those of tables that are not searched.  The column is
	 * known only after that.  Arguments that name a generator are not so
	 * long.
	 */
	if ((search->attnum == 0 && !is_searched(search, &column)) ||
		(search->covers_all_owners && OidIsValid(form->tgparentid)) ||
		function_index(search, form->tgfoid) != DOCUMENT_ID_ASSIGN ||
		toast_raw_datum_size(heap_getattr(tuple, Anum_pg_trigger_tgargs,
										  RelationGetDescr(rel),
										  &isnull)) > LONGEST_DEFAULT / 4)
		return;
	column.written = column_trigger_generator(tuple, RelationGetDescr(rel),
											  &column.attnum);
	/* rows may ask for the identity of the collection, too */
	if (column.written != NULL && search->only_generator != NULL &&
		definition_is_identity(search->only_generator))
		column.written = pattern_identity(column.written, true);
	/* the trigger sets columns of text only */
	if (column.written != NULL && is_searched(search, &column) &&
		IsBinaryCoercible(get_atttype(column.relid, column.attnum), TEXTOID))
		add_column(search, column);
}

static void
recognize_default(SourceSearch *search, Node *expression,
				  ColumnDefault *column)
{
	FuncExpr   *call = (FuncExpr *) without_casts(expression, true);

	column->draws_nothing = IsA(call, Const);
	/* functions with more arguments return no id, but a range or a hi value */
	if (IsA(call, FuncExpr) && list_length(call->args) < 2)
		recognize_call(search, call, column);
	if (column->written != NULL || OidIsValid(column->sequence))
		return;
	search->walked = column;
	(void) find_call(expression, search);
	column->is_wrapped = column->written != NULL || column->name_is_computed;
}

/*
 * Find the calls of ours in an expression: a generator, and whether one is
 * unnamed.
 */
static bool
find_call(Node *node, void *arg)
{
	SourceSearch *search = arg;

	if (node != NULL && IsA(node, FuncExpr))
	{
		ColumnDefault inner = {0};

		recognize_call(search, (FuncExpr *) node, &inner);
		search->walked->name_is_computed |= inner.name_is_computed;
		if (inner.written != NULL &&
			(search->only_generator == NULL ||
			 text_equal(text_fold(inner.written), search->only_generator)))
			search->walked->written = inner.written;
	}
	return expression_tree_walker(node, find_call, arg);
}

static void
recognize_call(SourceSearch *search, FuncExpr *call, ColumnDefault *column)
{
	Const	   *constant = NULL;
	Oid			type = InvalidOid;
	Oid			wanted;
	int			number;
	text	   *name = NULL;

	if (call->args != NIL)
	{
		Node	   *argument = linitial(call->args);

		if (IsA(argument, NamedArgExpr))
			argument = (Node *) ((NamedArgExpr *) argument)->arg;
		/* a dump writes out that of a varchar to text */
		constant = (Const *) without_casts(argument, false);
		if (IsA(constant, Const) && !constant->constisnull)
			type = constant->consttype;
	}
	if (call->funcid == F_NEXTVAL)
	{
		if (type == REGCLASSOID)
			column->sequence = DatumGetObjectId(constant->constvalue);
		return;
	}

	number = function_index(search, call->funcid);
	if (number < 0)
		return;
	/* document_id() has its default argument added when it is planned */
	wanted = functions[number].arguments[0];
	column->name_is_computed = constant != NULL && type != wanted &&
		!(type == VARCHAROID && wanted == TEXTOID);
	if (column->name_is_computed)
		return;
	if (type == REGCLASSOID)
		name = key_of_relation(DatumGetObjectId(constant->constvalue));
	else if (constant != NULL)
		name = DatumGetTextPP(constant->constvalue);
	/* a constant too long for a name takes no memory */
	if (name != NULL && (VARSIZE_ANY_EXHDR(name) > ID_MAX_LENGTH ||
						 !case_fold_is_possible(VARDATA_ANY(name),
												VARSIZE_ANY_EXHDR(name))))
		return;
	if (name != NULL && functions[number].generator != NULL)
		name =
			functions[number].generator(name, search->only_generator != NULL);
	column->written = name;
	/* a pattern that needs no number */
	column->draws_nothing = name == NULL;
}

/*
 * Return an expression without casts that change no value; with of_values, also
 * without those that keep an id.
 */
static Node *
without_casts(Node *node, bool of_values)
{
	Expr	   *inner = NULL;

	node = strip_implicit_coercions(node);
	if (IsA(node, RelabelType))
		inner = ((RelabelType *) node)->arg;
	else if (of_values && IsA(node, CoerceViaIO))
		inner = ((CoerceViaIO *) node)->arg;
	else if (of_values && IsA(node, CoerceToDomain))
		inner = ((CoerceToDomain *) node)->arg;
	else if (of_values && IsA(node, FuncExpr))
	{
		FuncExpr   *cast = (FuncExpr *) node;
		Oid			type = cast->funcresulttype;
		bool		keeps = column_type_has_ids(type) &&
			exprTypmod(node) >= VARHDRSZ + 19;

		if (column_type_is_number(type))
			keeps = list_length(cast->args) == 1;
		if (cast->funcformat == COERCE_EXPLICIT_CAST && keeps)
			inner = linitial(cast->args);
	}
	return inner == NULL ? node : without_casts((Node *) inner, of_values);
}

/* Add a column if it may draw from a generator that is looked for. */
static void
add_column(SourceSearch *search, ColumnDefault column)
{
	ColumnDefault *copy;

	/*
	 * Treat the default of another owner's domain like one with a computed
	 * name, which gives no right.  Only the search for the greatest id of an
	 * owner's tables, before a generator is made, counts its generator.
	 */
	if (column.of_other_owner && column.written != NULL)
	{
		if (!OidIsValid(search->owner))
			column.written = NULL;
		column.is_wrapped = column.name_is_computed = true;
	}
	if (OidIsValid(column.sequence))
		column.written = key_of_relation(column.sequence);
	if (column.written != NULL)
		column.generator = text_fold(column.written);
	if (search->only_generator != NULL &&
		(column.generator == NULL ||
		 !text_equal(column.generator, search->only_generator)))
		return;
	if (column.is_wrapped)
		column.written = NULL;
	if (column.written != NULL)
		column.written =
			DatumGetTextPCopy(PointerGetDatum(column.written));
	copy = palloc_object(ColumnDefault);
	*copy = column;
	search->columns = lappend(search->columns, copy);
}

/*
 * Check whether a column inherits its generator from one of those found, in
 * order.
 */
static bool
repeats_parent(const ColumnDefault *column, const char *name, List *columns)
{
	ColumnDefault wanted = {
		.relid = relation_parent(column->relid, 1),
		.generator = column->generator
	};
	ColumnDefault *parent = &wanted;

	wanted.attnum = get_attnum(wanted.relid, name);
	return bsearch(&parent, columns->elements, list_length(columns),
				   sizeof(ListCell), compare_cells) != NULL;
}

/* Callback of bsearch. */
static int
compare_cells(const void *a, const void *b)
{
	return compare_columns(a, b);
}

/* Order columns; the same generator may be written in two ways. */
static int
compare_columns(const ListCell *a, const ListCell *b)
{
	const ColumnDefault *one = lfirst(a);
	const ColumnDefault *other = lfirst(b);
	int			order = compare_sources(one, other);

	if (order != 0 || one->written == NULL || other->written == NULL)
		return order;
	return compare_texts(one->written, other->written);
}

/* Compare by table, column and generator; without a generator first. */
static int
compare_sources(const ColumnDefault *a, const ColumnDefault *b)
{
	int			by_table = oid_cmp(&a->relid, &b->relid);

	if (by_table != 0)
		return by_table;
	if (a->attnum != b->attnum)
		return a->attnum - b->attnum;
	if (a->generator == NULL || b->generator == NULL)
		return (a->generator != NULL) - (b->generator != NULL);
	return compare_texts(a->generator, b->generator);
}

static int
compare_texts(text *a, text *b)
{
	return DatumGetInt32(DirectFunctionCall2Coll(bttextcmp, C_COLLATION_OID,
												 PointerGetDatum(a),
												 PointerGetDatum(b)));
}
