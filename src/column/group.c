/*
 * The groups of rows that a trigger numbers.
 *
 * The key of a group is the text of its values.  Equal values have the same
 * text in every session, and keep it if their type changes to one that writes
 * them the same way.  The first number of a group lies above the numbers in the
 * table, which a cached plan reads.
 */
#include "postgres.h"

#include "access/gin.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_enum.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_trigger.h"
#include "executor/executor.h"
#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "port/pg_crc32c.h"
#include "tcop/tcopprot.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/json.h"
#include "utils/numeric.h"

#include "column/column.h"

/*
 * The longest text of a group, in bytes of UTF-8.  It keeps the rows of
 * hilo_series and its index small; a longer text is hashed.
 */
#define LONGEST_GROUP 200

/* The query for the greatest number of groups with the same null columns. */
typedef struct GroupQuery
{
	/* the key */
	Oid			table;			/* of the groups */
	int32		hash;			/* of the columns' names */
	bool		nulls[FUNC_MAX_ARGS];

	List	   *tables;			/* OIDs: that table and its parts */
	List	   *plans;			/* together they read all of these; NIL: not
								 * planned */
} GroupQuery;

/* What a trigger numbers. */
typedef struct NumberingEntry
{
	Oid			trigger;		/* the key */
	Numbering  *numbering;		/* NULL: not read */
} NumberingEntry;

/*
 * What this session has read and planned, valid until one of the tables
 * changes.  NULL if there is nothing.
 */
static MemoryContext cache;
static HTAB *numberings;
static HTAB *group_queries;
static List *cached_tables;		/* their OIDs */
static uint64 cache_generation; /* of relation_changes */

static void cache_revalidate(void);
static HTAB *cache_table(const char *name, Size keysize, Size entrysize);
static uint32 hash_version(uint32 hash, HeapTuple tuple);
static bool read_ordering(const Trigger *trigger);
static void read_columns(Numbering *numbering, Relation rel, char **args);
static GroupColumn read_column(Relation rel, const char *name);
static void require_group(Relation rel, const GroupColumn *column);
static void append_escaped(StringInfo key, const char *value);
static const char *in_utf8(const char *bytes);
static ParamListInfo query_params(const NumberedRow *row, int64 limit);
static int64 run_plan(PlannedStmt *plan, ParamListInfo params);
static GroupQuery *find_query(const NumberedRow *row, ParamListInfo params);
static void plan_query(GroupQuery *query, const NumberedRow *row,
					   ParamListInfo params);
static PlannedStmt *plan_tables(const NumberedRow *row, ParamListInfo params,
								List *tables);
static char *query_text(const NumberedRow *row, List *tables);

/* Return what a trigger numbers, from the cache of this session. */
Numbering *
numbering_of(Relation rel, const Trigger *trigger)
{
	NumberingEntry *entry;
	bool		is_cached;

	cache_revalidate();
	entry = hash_search(numberings, &trigger->tgoid, HASH_ENTER,
						&is_cached);
	if (!is_cached || entry->numbering == NULL)
	{
		/* an error below leaves an entry without a numbering, and no memory */
		MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
													  "hilo numbering",
													  ALLOCSET_SMALL_SIZES);
		MemoryContext before = MemoryContextSwitchTo(context);
		List	   *tables;

		entry->numbering = NULL;
		entry->numbering = numbering_read(rel, trigger);
		MemoryContextSetParent(context, cache);
		tables = list_make2_oid(RelationGetRelid(rel), entry->numbering->whole);
		MemoryContextSwitchTo(cache);
		cached_tables = list_concat_unique_oid(cached_tables, tables);
		MemoryContextSwitchTo(before);
	}
	return entry->numbering;
}

/* Forget the cache if one of its tables has changed. */
static void
cache_revalidate(void)
{
	List	   *changed;

	/* registers for changes of tables at the first call */
	(void) own_table_relid(OWN_SERIES);
	if (cache != NULL && cache_generation == relation_changes)
		return;
	changed = relations_changed_since(cache_generation);
	if (cache != NULL &&
		(list_member_oid(changed, InvalidOid) ||
		 list_length(list_difference_oid(cached_tables, changed)) <
		 list_length(cached_tables)))
	{
		/*
		 * A call further up may still use the cache: it may have run a
		 * default or a trigger, which changed a table.  So the memory must
		 * not be freed here.  It lives until the transaction ends.
		 */
		MemoryContextSetParent(cache, TopTransactionContext);
		cache = NULL;
	}
	if (cache == NULL)
	{
		cache = AllocSetContextCreate(CacheMemoryContext, "hilo groups",
									  ALLOCSET_SMALL_SIZES);
		numberings = cache_table("hilo numberings", sizeof(Oid),
								 sizeof(NumberingEntry));
		group_queries = cache_table("hilo group queries",
									offsetof(GroupQuery, tables),
									sizeof(GroupQuery));
		cached_tables = NIL;
	}
	cache_generation = relation_changes;
}

static HTAB *
cache_table(const char *name, Size keysize, Size entrysize)
{
	HASHCTL		ctl =
	{.keysize = keysize,.entrysize = entrysize,.hcxt = cache};

	return hash_create(name, 16, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* Read what a trigger numbers, or report an error. */
Numbering *
numbering_read(Relation rel, const Trigger *trigger)
{
	Numbering  *numbering = palloc0(sizeof(Numbering));
	Oid			whole = RelationGetRelid(rel);
	Oid			original = trigger->tgoid;
	Relation	catalog;

	numbering->in_place = read_ordering(trigger);
	/* a part has a copy of the trigger: find the table that it was made for */
	foreach_oid(ancestor, relation_ancestors(whole, NIL))
	{
		Oid			same = relation_same_trigger(ancestor, trigger);

		if (OidIsValid(same))
		{
			whole = ancestor;
			original = same;
		}
	}
	relation_require_kind(whole, true, true, InvalidOid);
	if (citus_is_worker())
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("table \"%s\" cannot number groups on a Citus worker",
					   get_rel_name(whole)),
				errdetail("They would repeat those of other nodes."));
	numbering->relid = RelationGetRelid(rel);
	numbering->whole = whole;
	numbering->table = get_rel_name(whole);
	numbering->attnum = column_require_attnum(whole, trigger->tgargs[0]);
	column_require_number(whole, numbering->attnum,
						  "Number a column of type bigint. A text column GENERATED ALWAYS AS ('INV-' || number::text) STORED shows the number as text.");
	numbering->max_value = column_type_max(whole, numbering->attnum);
	numbering->ngroups = trigger->tgnargs - 2;

	catalog = table_open(TriggerRelationId, AccessShareLock);
	numbering->definition =
		hash_version(0,
					 get_catalog_object_by_oid(catalog, Anum_pg_trigger_oid,
											   original));
	table_close(catalog, AccessShareLock);
	read_columns(numbering, rel, trigger->tgargs);
	return numbering;
}

/* Check a trigger's arguments; return whether its ordering is "global". */
static bool
read_ordering(const Trigger *trigger)
{
	const char *ordering;

	if (trigger->tgnargs < 2 || trigger->tgnargs > FUNC_MAX_ARGS)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("hilo_number_assign() needs two to %d arguments",
					   FUNC_MAX_ARGS),
				errdetail("The arguments are the column of the number, the ordering and the columns of the group."));
	ordering = trigger->tgargs[1];
	if (strcmp(ordering, "global") == 0)
		return true;
	if (strcmp(ordering, "gapless") != 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid ordering: \"%s\"", ordering),
				errhint("Valid orderings of groups are \"gapless\" and \"global\"."));
	return false;
}

/*
 * Read the columns of a group and that of the number, and hash their names.
 * Add their versions to that of the numbering.
 */
static void
read_columns(Numbering *numbering, Relation rel, char **args)
{
	int			ngroups = numbering->ngroups;
	pg_crc32c	hash;

	numbering->columns = palloc(sizeof(GroupColumn) * (ngroups + 1));
	numbering->number = &numbering->columns[ngroups];
	INIT_CRC32C(hash);
	for (int i = 0; i <= ngroups; i++)
	{
		const char *name = args[i + 2];
		HeapTuple	row;

		/* the arguments begin with the number's column and the ordering */
		if (i == ngroups)
			name = args[0];
		numbering->columns[i] = read_column(rel, name);
		if (i < ngroups)
			require_group(rel, &numbering->columns[i]);
		row = SearchSysCacheAttName(numbering->whole, name);
		if (HeapTupleIsValid(row))
		{
			numbering->definition = hash_version(numbering->definition, row);
			ReleaseSysCache(row);
		}
		name = in_utf8(name);
		COMP_CRC32C(hash, name, strlen(name) + 1);
	}
	FIN_CRC32C(hash);
	numbering->hash = (int32) hash;
}

/*
 * Add the version of a row of a system catalog to a hash; the result is not 0.
 * Every change of the row gives another version, also one that undoes an
 * earlier change.
 */
static uint32
hash_version(uint32 hash, HeapTuple tuple)
{
	TransactionId xmin;

	if (!HeapTupleIsValid(tuple))
		return hash;
	xmin = HeapTupleHeaderGetRawXmin(tuple->t_data);
	hash = hash_combine(hash, hash_bytes_uint32(xmin));
	return hash_combine(hash, hash_bytes((unsigned char *) &tuple->t_self,
										 sizeof(ItemPointerData))) | 1;
}

static GroupColumn
read_column(Relation rel, const char *name)
{
	GroupColumn column =
	{.name = pstrdup(name),.attnum = column_require_assignable(rel, name)};
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel),
										  column.attnum - 1);
	Oid			output;
	bool		is_varlena;

	column.type = getBaseType(att->atttypid);
	/* varchar has no operators of its own, but uses those of text */
	if (column.type == VARCHAROID)
		column.type = TEXTOID;
	column.is_enum = type_is_enum(column.type);
	getTypeOutputInfo(column.type, &output, &is_varlena);
	fmgr_info(output, &column.output);
	return column;
}

/*
 * Report an error unless a column can group rows.  Two of its values must be
 * equal exactly if group_value writes them the same way, under all settings.
 */
static void
require_group(Relation rel, const GroupColumn *column)
{
	static const Oid types[] = {
		INT2OID, INT4OID, INT8OID, NUMERICOID, OIDOID, BOOLOID, UUIDOID,
		DATEOID, TIMESTAMPOID, TEXTOID, BPCHAROID, NAMEOID
	};
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel),
										  column->attnum - 1);
	bool		is_allowed = column->is_enum;

	for (size_t i = 0; i < lengthof(types); i++)
		is_allowed |= column->type == types[i];
	if (OidIsValid(att->attcollation) &&
		!get_collation_isdeterministic(att->attcollation))
		is_allowed = false;
	if (!is_allowed)
		ereport(ERROR,
				errcode(ERRCODE_DATATYPE_MISMATCH),
				errmsg("column \"%s\" of relation \"%s\" cannot be a group column",
					   column->name, RelationGetRelationName(rel)),
				errdetail("Its type is %s.", format_type_be(att->atttypid)),
				errhint("Use a column of an integer type, numeric, boolean, uuid, date, timestamp, an enum, or text with a deterministic collation."));
}

/* Return the text of a value: equal values, and no others, have the same. */
char *
group_value(GroupColumn *column, Datum value)
{
	switch (column->type)
	{
		case NUMERICOID:
			return numeric_normalize(DatumGetNumeric(value));
		case DATEOID:
		case TIMESTAMPOID:
			return JsonEncodeDateTime(palloc(MAXDATELEN + 1), value,
									  column->type, NULL);
		case BPCHAROID:
			return TextDatumGetCString(DirectFunctionCall1(rtrim1, value));
		default:
			return OutputFunctionCall(&column->output, value);
	}
}

/*
 * Set the key of a row's group: the text of its values if they are short, else
 * a hash of them.
 */
void
group_set_key(NumberedRow *row)
{
	const Numbering *numbering = row->numbering;
	uint32		definition = numbering->definition;
	StringInfoData key;
	const char *bytes;
	Datum		hash;

	initStringInfo(&key);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		GroupColumn *column = &numbering->columns[i];

		if (i > 0)
			appendStringInfoChar(&key, ',');
		if (row->nulls[i])
		{
			appendStringInfoChar(&key, '?');
			continue;
		}
		append_escaped(&key, group_value(column, row->values[i]));
		/* a label can be renamed, and another label get its old name */
		if (column->is_enum)
		{
			HeapTuple	label = SearchSysCache1(ENUMOID, row->values[i]);

			definition = hash_version(definition, label);
			ReleaseSysCache(label);
		}
	}
	/* a conversion to UTF-8 makes a text at most four times as long */
	bytes = key.data;
	if (key.len > LONGEST_GROUP / 4)
		bytes = in_utf8(bytes);
	if (strlen(bytes) > LONGEST_GROUP)
	{
		hash = DirectFunctionCall1(sha256_bytea, CStringGetTextDatum(bytes));
		hash = DirectFunctionCall2(binary_encode, hash,
								   CStringGetTextDatum("hex"));
		key.data = psprintf("#%s", TextDatumGetCString(hash));
	}
	row->key.rel = numbering->whole;
	row->key.columns = numbering->hash;
	row->key.definition = definition;
	row->key.grp = cstring_to_text(key.data);
}

/* Append a value, with "\\" before what would look like its end or a null. */
static void
append_escaped(StringInfo key, const char *value)
{
	for (; *value != '\0'; value++)
	{
		if (strchr(",?#\\", *value) != NULL)
			appendStringInfoChar(key, '\\');
		appendStringInfoChar(key, *value);
	}
}

/*
 * Return a text in UTF-8.  A dump may bring its hash to a database in another
 * encoding.
 */
static const char *
in_utf8(const char *bytes)
{
	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		return bytes;
	return pg_server_to_any(bytes, strlen(bytes), PG_UTF8);
}

/*
 * Return the greatest number of a group's rows up to a limit, or 0.
 *
 * Never wait for a lock on a table here.  The INSERT already holds a lock on
 * the table, so a wait for a part could deadlock with ALTER TABLE.  Report an
 * error if another session has locked a part.
 */
int64
group_greatest(const NumberedRow *row, int64 limit)
{
	const Numbering *numbering = row->numbering;
	Column		column =
	{.name = numbering->number->name,.lockmode = AccessShareLock};
	ParamListInfo params = query_params(row, limit);
	int			nestlevel = NewGUCNestLevel();
	SnapshotData now;
	GroupQuery *query;
	int64		greatest = 0;

	/* rows of the statement itself count, too */
	CommandCounterIncrement();
	now = *GetLatestSnapshot();

	/*
	 * In a serializable transaction, an MVCC snapshot would leave predicate
	 * locks on the rows of the group.  The transaction would then fail when
	 * others insert rows.  SNAPSHOT_SELF leaves no predicate lock.
	 */
	if (IsolationIsSerializable())
		now.snapshot_type = SNAPSHOT_SELF;
	PushCopiedSnapshot(&now);
	do
	{
		query = find_query(row, params);
		foreach_oid(relid, query->tables)
			(void) column_lock_part(&column, relid, ERRCODE_LOCK_NOT_AVAILABLE);
		/* taking the locks may have shown a change, like a new part */
	} while (cache_generation != relation_changes);
	if (GinFuzzySearchLimit != 0)
		(void) set_config_option("gin_fuzzy_search_limit", "0", PGC_USERSET,
								 PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	foreach_ptr(PlannedStmt, plan, query->plans)
	{
		int64		number = run_plan(plan, params);

		greatest = Max(greatest, number);
	}
	PopActiveSnapshot();
	AtEOXact_GUC(false, nestlevel);
	return greatest;
}

/*
 * Return the parameters of a query: the values of a row's group, and a limit.
 */
static ParamListInfo
query_params(const NumberedRow *row, int64 limit)
{
	const Numbering *numbering = row->numbering;
	int			ngroups = numbering->ngroups;
	ParamListInfo params = makeParamList(ngroups + 1);
	ParamExternData up_to = {Int64GetDatum(limit), false, 0, INT8OID};

	for (int i = 0; i < ngroups; i++)
	{
		ParamExternData value = {
			row->values[i], row->nulls[i], 0, numbering->columns[i].type
		};

		params->params[i] = value;
	}
	params->params[ngroups] = up_to;
	return params;
}

/*
 * Return the first column of a plan's single row, or 0 without a row.
 *
 * The plan runs as the owner of its table.  Code of any other role, like an
 * index expression, must not run in it: plan_tables has checked this.
 */
static int64
run_plan(PlannedStmt *plan, ParamListInfo params)
{
	Oid			user;
	int			context;
	QueryDesc  *query;
	TupleTableSlot *slot;
	int64		number = 0;
	bool		isnull;

	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(relation_owner(linitial_node(RangeTblEntry,
														plan->rtable)->relid),
						   SECURITY_RESTRICTED_OPERATION);
	query = CreateQueryDesc(plan, "greatest number of a group",
							GetActiveSnapshot(),
							InvalidSnapshot, None_Receiver, params, NULL, 0);
	ExecutorStart(query, 0);
	slot = ExecProcNode(query->planstate);
	if (!TupIsNull(slot))
		number = DatumGetInt64(slot_getattr(slot, 1, &isnull));
	ExecutorFinish(query);
	ExecutorEnd(query);
	FreeQueryDesc(query);
	SetUserIdAndSecContext(user, context);
	return number;
}

/* Return the query for a row's group, with its plans. */
static GroupQuery *
find_query(const NumberedRow *row, ParamListInfo params)
{
	const Numbering *numbering = row->numbering;
	GroupQuery	key = {.table = numbering->whole,.hash = numbering->hash};
	GroupQuery *query;
	bool		is_cached;

	memcpy(key.nulls, row->nulls, sizeof(key.nulls));
	/* attached parts may bring no new lock, which would do this */
	AcceptInvalidationMessages();
	cache_revalidate();
	query = hash_search(group_queries, &key, HASH_ENTER, &is_cached);
	if (!is_cached)
		query->plans = NIL;
	if (query->plans == NIL)
		plan_query(query, row, params);
	return query;
}

/*
 * Plan a query: one plan reads a table with all its parts if one role owns
 * them, otherwise each table has a plan.
 */
static void
plan_query(GroupQuery *query, const NumberedRow *row, ParamListInfo params)
{
	Column		column = {
		.relid = query->table,.lockmode = AccessShareLock,
		.name = row->numbering->number->name
	};
	Oid			owner = relation_owner(query->table);
	bool		has_other_owners = false;
	List	   *plans = NIL;
	MemoryContext before;

	column = column_lock_tree(column, ERRCODE_LOCK_NOT_AVAILABLE);
	foreach_oid(relid, column.tables)
	{
		if (get_rel_relkind(relid) == RELKIND_FOREIGN_TABLE)
			ereport(ERROR,
					errcode(ERRCODE_WRONG_OBJECT_TYPE),
					errmsg("cannot determine the greatest id in foreign table \"%s\"",
						   get_rel_name(relid)));
		has_other_owners |= relation_owner(relid) != owner;
	}
	if (!has_other_owners)
		plans = list_make1(plan_tables(row, params, column.tables));
	foreach_oid(relid, column.tables)
	{
		if (has_other_owners && get_rel_relkind(relid) == RELKIND_RELATION)
			plans = lappend(plans, plan_tables(row, params,
											   list_make1_oid(relid)));
	}
	before = MemoryContextSwitchTo(cache);
	query->tables = list_copy(column.tables);
	query->plans = copyObject(plans);
	cached_tables = list_concat_unique_oid(cached_tables, column.tables);
	MemoryContextSwitchTo(before);
}

/* Plan a query of a table, followed in the list by its parts, as its owner. */
static PlannedStmt *
plan_tables(const NumberedRow *row, ParamListInfo params, List *tables)
{
	static const char *const settings[] = {
		"enable_seqscan", "enable_bitmapscan", "enable_indexonlyscan"
	};
	Oid			relid = linitial_oid(tables);
	char	   *text = query_text(row, tables);
	List	   *parsed = pg_parse_query(text);
	Oid			user;
	int			context;
	int			nestlevel = NewGUCNestLevel();
	List	   *queries;
	Query	   *query;
	PlannedStmt *plan;

	GetUserIdAndSecContext(&user, &context);
	owner_query_begin(relid);
	/* a plan made for a table of one page is kept when it has a million */
	for (size_t i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i], "off", PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	SPI_connect();
	foreach_oid(table, tables)
		owner_query_require_safe(table, relation_owner(relid));
	SPI_finish();
	queries = pg_analyze_and_rewrite_withcb(linitial_node(RawStmt, parsed),
											text,
											params->parserSetup,
											params->parserSetupArg, NULL);
	query = linitial_node(Query, queries);
	owner_query_require_table(query->rtable, relid);
	plan = pg_plan_query(query, text, 0, NULL, NULL);
	AtEOXact_GUC(false, nestlevel);
	SetUserIdAndSecContext(user, context);
	return plan;
}

/* Return the text of a query with the parameters of query_params. */
static char *
query_text(const NumberedRow *row, List *tables)
{
	const Numbering *numbering = row->numbering;
	const char *number = quote_identifier(numbering->number->name);
	Oid			relid = linitial_oid(tables);
	const char *only = "";
	StringInfoData query;

	if (list_length(tables) == 1 && has_subclass(relid))
		only = "ONLY ";
	initStringInfo(&query);
	appendStringInfo(&query,
					 "SELECT r.%1$s::int8 FROM %2$s%3$s r WHERE r.%1$s BETWEEN 1 AND $%4$d",
					 number, only, relation_name(relid),
					 numbering->ngroups + 1);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		const GroupColumn *column = &numbering->columns[i];
		const char *name = quote_identifier(column->name);

		if (row->nulls[i])
			appendStringInfo(&query, " AND r.%s IS NULL", name);
		else if (column->is_enum)
			/* any other operator may need a cast by code of the type's owner */
			appendStringInfo(&query,
							 " AND pg_catalog.enum_eq(coalesce(r.%s, NULL), $%d)",
							 name, i + 1);
		else
			appendStringInfo(&query, " AND r.%s::%s OPERATOR(pg_catalog.=) $%d",
							 name,
							 format_type_extended(column->type, -1,
												  FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY),
							 i + 1);
	}
	appendStringInfo(&query, " ORDER BY r.%s DESC LIMIT 1", number);
	return query.data;
}
