/*
 * The greatest value of a column.
 *
 * A query finds it wherever the rows are: in a heap, in shards, or in what an
 * extension keeps alongside the table.  The query runs as the owner of the
 * table, restricted as core restricts it for REINDEX.  So no other role's code
 * runs, and the owner's code runs only for the owner, or in an INSERT, which
 * runs it anyway.
 *
 * A check of many tables reads an index if there is one: it needs no plan, and
 * runs no role's code.  So does a look that counts the rows of open
 * transactions, prepared ones too, which no query sees.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_am.h"
#include "catalog/pg_index.h"
#include "catalog/pg_opfamily.h"
#include "executor/spi.h"
#include "optimizer/paths.h"
#include "parser/parse_node.h"
#include "utils/guc.h"

#include "relation/relation.h"

/* A look for the greatest value, and the receiver of the rows. */
typedef struct Look
{
	DestReceiver receiver;
	const Column *column;
	int64		limit;			/* greater ids are left out */
	int64		value;
	Relation	rel;			/* one of the column's tables */
} Look;

/* The greatest value of a column, with what inherits from its table. */
typedef struct Known
{
	uint64		column;
	int64		limit;
	int64		greatest;
} Known;

/* what makes a query of table $1 run code of another role than $2 */
static const char obstacles[] =
"SELECT FROM ("
" SELECT 'pg_class'::regclass::oid, indexrelid FROM pg_index"
" WHERE indrelid = $1 AND coalesce(indexprs, indpred) IS NOT NULL"
" UNION ALL SELECT 'pg_statistic_ext'::regclass, oid"
" FROM pg_statistic_ext WHERE stxrelid = $1) o (class, oid)"
" JOIN pg_depend d ON (d.classid, d.objid) = (o.class, o.oid)"
" LEFT JOIN pg_operator r"
" ON (refclassid, refobjid) = ('pg_operator'::regclass, r.oid)"
" LEFT JOIN pg_proc p ON p.oid = CASE refclassid"
" WHEN 'pg_proc'::regclass THEN refobjid ELSE oprcode END"
" LEFT JOIN pg_type t"
" ON (refclassid, refobjid) = ('pg_type'::regclass, t.oid)"
" WHERE NOT pg_has_role(proowner, $2, 'USAGE') OR typtype = 'd'";

static int64 ask_tables(const Column *column, int64 limit);
static int64 ask_apart(const Column *column, Oid relid, int64 limit);
static void ask_one_table(Look *look);
pg_noreturn static void refuse_type(const Column *column);
static bool is_being_rewritten(const Column *column);
static bool has_value(Relation rel, const char *name);
static Relation open_index(Relation rel, AttrNumber attnum);
static void read_index(Look *look, Relation index);
static void look_at_table(void *arg);
static void set_up_parser(ParseState *pstate, void *arg);
static Node *require_relation(ParseState *pstate, ColumnRef *column);
static bool has_expressions(Oid relid);
static bool note_row(TupleTableSlot *slot, DestReceiver *receiver);

/*
 * Return the greatest value of a column as it is now; if ids are texts, the
 * greatest number in those that its generator may have made.  Return the floor,
 * which is 0 for generators, if none lies above it.  Leave out sentinels, with
 * a warning, unless the column's source gave them: its last id is last.  The
 * caller has locked the tables.
 */
int64
column_max(const Column *column, int64 last)
{
	int64		limit = column->max_value - column->max_value / 10;
	int64		rest;
	int64		max = column_greatest(column, column->max_value);
	const char *what = GENERATOR_SEED_HINT;

	if (max <= Max(limit, last))
		return max;
	rest = column_greatest(column, limit);
	if (column->generator != NULL &&
		OidIsValid(definition_sequence(column->generator)))
		what = "the sequence above them with setval";
	return column_is_sentinel(column->relid, column->attnum, max, rest,
							  what) ? rest : max;
}

/*
 * Check whether an id lies in the last tenth of its type while all others are
 * in the first half, and warn if so: above it the type would soon be used up.
 */
bool
column_is_sentinel(Oid relid, AttrNumber attnum, int64 id, int64 rest,
				   const char *what)
{
	int64		max_value = column_type_max(relid, attnum);

	if (id <= max_value - max_value / 10 || rest > max_value / 2)
		return false;
	ereport(WARNING,
			errmsg("column \"%s\" of table \"%s\" has an id near the end of its type",
				   get_attname(relid, attnum, false), get_rel_name(relid)),
			!relation_may_read(relid, GetUserId()) ? 0 :
			errdetail("Ids continue above %lld, not above %lld.",
					  (long long) rest, (long long) id),
			errhint("Delete such rows, or give them other ids. If they are no mistake, raise %s.", what));
	return true;
}

/* Return the greatest values that a function has found in this statement. */
HTAB *
column_known(FunctionCallInfo fcinfo)
{
	FmgrInfo   *call = fcinfo->flinfo;
	HASHCTL		ctl = {
		.keysize = offsetof(Known, greatest),.entrysize = sizeof(Known),
		.hcxt = call->fn_mcxt
	};

	if (call->fn_extra == NULL)
		call->fn_extra = hash_create("hilo columns", 64, &ctl,
									 HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	return call->fn_extra;
}

/* Return the greatest value up to a limit like column_max, with sentinels. */
int64
column_greatest(const Column *column, int64 limit)
{
	Known		key = {(uint64) column->relid << 16 | column->attnum, limit, 0};
	Known	   *known;

	if (column->known == NULL || !column_type_is_number(column->type))
		return ask_tables(column, limit);
	known = hash_search(column->known, &key, HASH_FIND, NULL);
	if (known == NULL)
	{
		key.greatest = ask_tables(column, limit);
		known = hash_search(column->known, &key, HASH_ENTER, NULL);
		known->greatest = key.greatest;
	}
	return known->greatest;
}

/* Ask the column's tables, and those that are kept apart from them. */
static int64
ask_tables(const Column *column, int64 limit)
{
	Look		look =
	{
		.receiver = *None_Receiver,.column = column,.limit = limit,
		.value = column->floor
	};
	bool		is_rewritten = is_being_rewritten(column);

	check_stack_depth();
	look.receiver.receiveSlot = note_row;
	if (!column->is_wrapped && !column_type_has_ids(column->type))
		refuse_type(column);
	foreach_oid(relid, column->apart)
	{
		int64		greatest = ask_apart(column, relid, limit);

		look.value = Max(look.value, greatest);
	}
	foreach_oid(relid, column->tables)
	{
		char		relkind = get_rel_relkind(relid);

		if (relkind == RELKIND_FOREIGN_TABLE || relkind == RELKIND_VIEW)
			ereport(ERROR,
					errcode(ERRCODE_WRONG_OBJECT_TYPE),
					errmsg("cannot determine the greatest id in %s \"%s\"",
						   relkind == RELKIND_VIEW ? "view" : "foreign table",
						   get_rel_name(relid)),
					errhint("Raise the generator with hilo_seed, or the sequence with setval, and set the default with ALTER TABLE. Create a missing generator with hilo_create first, a table's own with \"#\" before the table's name."));
		if (relkind != RELKIND_RELATION || !relation_is_table(relid))
			continue;
		look.rel = table_open(relid, NoLock);
		/* a column being added is in no index that a query could use */
		if (!is_rewritten)
			ask_one_table(&look);
		/* its type may be about to change */
		else if (has_value(look.rel, column->name))
		{
			char	   *hint = "Draw the first id in another statement.";

			if (!column->is_wrapped)
				hint =
					psprintf("Set the default, and run hilo_resync(%s, %s) before this statement.",
							 quote_literal_cstr(relation_name(column->relid)),
							 quote_literal_cstr(column->name));
			ereport(ERROR,
					errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("cannot determine the greatest id of table \"%s\" while it is rewritten",
						   get_rel_name(relid)),
					errhint("%s", hint));
		}
		table_close(look.rel, NoLock);
	}
	return look.value;
}

/*
 * Return the greatest value of a table that has another source; 0 if it is
 * above the limit.  hilo_check asks with the limit of each source: the ids of
 * such a table count only if all of them are up to the limit.
 */
static int64
ask_apart(const Column *column, Oid relid, int64 limit)
{
	Column		part = *column;
	int64		greatest = limit;

	/* the number in a text is that of one generator */
	if (!column_type_is_number(column->type))
		return 0;
	part.relid = relid;
	part.generator = NULL;
	part.sequence = InvalidOid;
	/* before the look, which would not find the column of a dropped table */
	if (!column_lock_part(&part, relid, ERRCODE_FEATURE_NOT_SUPPORTED))
		return 0;
	part = column_lock_tree(part, ERRCODE_FEATURE_NOT_SUPPORTED);
	unlock_table(relid, part.lockmode);
	if (part.lockmode == AccessShareLock)
		greatest = part.max_value;
	greatest = column_greatest(&part, greatest);
	column_unlock(&part, part.lockmode);
	return greatest <= limit ? greatest : 0;
}

/*
 * Ask the table, or an index of it if that may do.  An extension that keeps rows
 * elsewhere, like TimescaleDB or Citus, adds paths to plans: then only a query
 * finds all rows.
 */
static void
ask_one_table(Look *look)
{
	const Column *column = look->column;
	Relation	index = NULL;

	if (column->prefers_index || column->with_open)
		index = open_index(look->rel, get_attnum(RelationGetRelid(look->rel),
												 column->name));
	if (index == NULL && column->requires_index)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("no index of table \"%s\" begins with the column",
					   RelationGetRelationName(look->rel)));
	if (index == NULL || index->rd_opfamily[0] != INTEGER_BTREE_FAM_OID ||
		set_rel_pathlist_hook != NULL ||
		(RecoveryInProgress() && !RelationIsPermanent(look->rel)))
		run_and_roll_back(look_at_table, look);
	else
		read_index(look, index);
	if (index != NULL)
		index_close(index, AccessShareLock);
}

/* Open a btree index of all rows that begins with a column, or return NULL. */
static Relation
open_index(Relation rel, AttrNumber attnum)
{
	foreach_oid(relid, RelationGetIndexList(rel))
	{
		Relation	index = index_open(relid, AccessShareLock);
		Form_pg_index form = index->rd_index;

		/* as the planner does: older snapshots may need what it lacks */
		if (form->indisvalid && form->indkey.values[0] == attnum &&
			(!form->indcheckxmin ||
			 TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data),
								   TransactionXmin)) &&
			index->rd_rel->relam == BTREE_AM_OID &&
			heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL))
			return index;
		index_close(index, AccessShareLock);
	}
	return NULL;
}

/* Look for the greatest value of a table in an index of integers. */
static void
read_index(Look *look, Relation index)
{
	AttrNumber	attnum = index->rd_index->indkey.values[0];
	ScanDirection direction = BackwardScanDirection;
	Oid			operator = get_opfamily_member(INTEGER_BTREE_FAM_OID,
											   index->rd_opcintype[0],
											   INT8OID,
											   BTLessEqualStrategyNumber);
	Snapshot	snapshot;
	SnapshotData dirty;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		isnull;

	if (index->rd_indoption[0] & INDOPTION_DESC)
		direction = ForwardScanDirection;
	ScanKeyEntryInitialize(&key, 0, attnum, BTLessEqualStrategyNumber, INT8OID,
						   InvalidOid, get_opcode(operator),
						   Int64GetDatum(look->limit));
	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	InitDirtySnapshot(dirty);
	scan = systable_beginscan_ordered(look->rel, index,
									  look->column->with_open ? &dirty : snapshot,
									  1, &key);
	tuple = systable_getnext_ordered(scan, direction);
	if (tuple != NULL)
	{
		/* a Datum of any of these types is the value itself */
		int64		value =
			DatumGetInt64(heap_getattr(tuple, attnum,
									   RelationGetDescr(look->rel), &isnull));

		look->value = Max(look->value, value);
	}
	systable_endscan_ordered(scan);
	UnregisterSnapshot(snapshot);
}

static void
refuse_type(const Column *column)
{
	text	   *shown = name_shown(column->generator, column->generator);

	ereport(ERROR,
			errcode(ERRCODE_DATATYPE_MISMATCH),
			errmsg("cannot determine the greatest id in column \"%s\" of type %s",
				   column->name,
				   format_type_be(get_atttype(column->relid, column->attnum))),
			errdetail("The type has no ids, or the default is an expression around the call."),
			errhint("Run hilo_seed(%s, ...) with the greatest id, after hilo_create if there is no such generator.",
					quote_literal_cstr(text_to_cstring(shown))));
}

/*
 * Check whether ALTER TABLE rewrites one of the tables, by the name that it
 * gives the new copy.
 */
static bool
is_being_rewritten(const Column *column)
{
	foreach_oid(relid, column->tables)
	{
		HeapTuple	copy =
			SearchSysCache2(RELNAMENSP,
							CStringGetDatum(psprintf("pg_temp_%u", relid)),
							ObjectIdGetDatum(get_rel_namespace(relid)));
		TransactionId xmin;

		if (!HeapTupleIsValid(copy))
			continue;
		xmin = HeapTupleHeaderGetRawXmin(copy->t_data);
		ReleaseSysCache(copy);
		if (TransactionIdIsCurrentTransactionId(xmin))
			return true;
	}
	return false;
}

/* Check whether rows of a table that is rewritten have a value in a column. */
static bool
has_value(Relation rel, const char *name)
{
	AttrNumber	attnum = get_attnum(RelationGetRelid(rel), name);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, SnapshotAny,
										  0, NULL);
	bool		has = false;
	HeapTuple	tuple;

	while (!has && (tuple = systable_getnext(scan)) != NULL)
		has = HeapTupleHeaderGetNatts(tuple->t_data) >= attnum ||
			TupleDescAttr(RelationGetDescr(rel), attnum - 1)->atthasmissing;
	systable_endscan(scan);
	return has;
}

/* Callback: look for the greatest value of a table. */
static void
look_at_table(void *arg)
{
	Look	   *look = arg;
	Oid			relid = RelationGetRelid(look->rel);
	const char *column = quote_identifier(look->column->name);
	const char *only = look->rel->rd_rel->relhassubclass ? "ONLY " : "";
	const char *from = psprintf("FROM %s%s", only, relation_name(relid));
	const char *query;

	/* no cast from a type that may run another role's code */
	if (look->column->is_wrapped)
		query = psprintf("SELECT 0::int8 %s WHERE %s IS DISTINCT FROM NULL",
						 from, column);
	else if (column_type_is_number(look->column->type))
		query = psprintf("SELECT max(%s)::int8 %s WHERE %s BETWEEN %lld AND %lld",
						 column, from, column, (long long) look->column->floor + 1,
						 (long long) look->limit);
	else
		query = psprintf("SELECT %s::text %s", column, from);
	column_query(look->column, list_make1_oid(relid), query, &look->receiver);
}

/*
 * Run a query as the owner of a table, restricted.  The table is the first of
 * the list; the others inherit from it.  Call this under run_and_roll_back,
 * which ends the settings.
 */
void
column_query(const Column *column, List *tables, const char *query,
			 DestReceiver *receiver)
{
	Oid			relid = linitial_oid(tables);
	SPIExecuteOptions options = {.read_only = true,.dest = receiver};
	SnapshotData snapshot;
	Oid			owner = relation_owner(relid);
	Oid			trusted = InvalidOid;

	/* a list of all columns runs no code of their owners */
	if (column->is_named || owner == GetUserId())
		trusted = owner;

	column_act_as_owner(relid);
	CommandCounterIncrement();
	snapshot = *GetLatestSnapshot();
	if (column->with_deleted)
		snapshot.curcid = FirstCommandId;
	PushCopiedSnapshot(&snapshot);
	SPI_connect();
	foreach_oid(table, tables)
		column_require_safe(table, trusted);
	(void) SPI_execute_plan_extended(SPI_prepare_params(query, set_up_parser,
														&relid, 0),
									 &options);
	SPI_finish();
	PopActiveSnapshot();
}

/*
 * Become the owner of a table, restricted, with settings for a query.  The
 * caller must end both.
 */
void
column_act_as_owner(Oid relid)
{
	static const char *const settings[][2] = {
		{"search_path", "pg_catalog, pg_temp"}, {"row_security", "off"},
		{"constraint_exclusion", "off"}, {"gin_fuzzy_search_limit", "0"},
		{"jit", "off"}, {"max_parallel_workers_per_gather", "0"}
	};

	int			context = SECURITY_RESTRICTED_OPERATION;

	/* on other nodes, row security would hide rows without an error */
	if (!citus_has_rows_of(relid))
		context |= SECURITY_NOFORCE_RLS;
	SetUserIdAndSecContext(relation_owner(relid), context);
	for (size_t i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i][0], settings[i][1], PGC_USERSET,
								 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
								 false);
}

/*
 * Report an error if a query could run code of a role without the rights of the
 * trusted one.  The planner computes what is constant in expressions of indexes
 * and statistics, and plans the constraints of domains in them.
 */
void
column_require_safe(Oid relid, Oid trusted)
{
	static SPIPlanPtr plan;
	Oid			types[] = {OIDOID, OIDOID};
	Datum		values[] = {ObjectIdGetDatum(relid), ObjectIdGetDatum(trusted)};
	const char *hint = "Make the call as the table's owner.";

	if (!has_expressions(relid))
		return;
	if (OidIsValid(trusted))
		hint =
			"Drop the index or the statistics, or give the function to the table's owner.";
	if (plan == NULL)
	{
		plan = SPI_prepare(obstacles, lengthof(types), types);
		SPI_keepplan(plan);
	}
	(void) SPI_execute_plan(plan, values, NULL, true, 1);
	if (SPI_processed == 0)
		return;
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("a query of table \"%s\" could run code of another role",
				   get_rel_name(relid)),
			errdetail("An index or statistics use a domain or another role's function."),
			errhint("%s", hint));
}

/*
 * Check whether the planner may compute an expression of a table.  Most have
 * none, and then a query of pg_depend is the larger part of a first use.
 */
static bool
has_expressions(Oid relid)
{
	Relation	rel = RelationIdGetRelation(relid);
	bool		has = rel != NULL && RelationGetStatExtList(rel) != NIL;

	if (rel == NULL)
		return true;
	foreach_oid(oid, RelationGetIndexList(rel))
	{
		HeapTuple	index = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(oid));

		if (!HeapTupleIsValid(index))
			continue;
		has |= !heap_attisnull(index, Anum_pg_index_indexprs, NULL) ||
			!heap_attisnull(index, Anum_pg_index_indpred, NULL);
		ReleaseSysCache(index);
	}
	RelationClose(rel);
	return has;
}

static void
set_up_parser(ParseState *pstate, void *arg)
{
	pstate->p_ref_hook_state = arg;
	pstate->p_pre_columnref_hook = require_relation;
}

static Node *
require_relation(ParseState *pstate, ColumnRef *column)
{
	column_require_table(pstate->p_rtable, *(Oid *) pstate->p_ref_hook_state);
	return NULL;
}

/*
 * Report an error if the name in a query means another table, because a schema
 * has been renamed since the name was written.
 */
void
column_require_table(List *tables, Oid relid)
{
	if (linitial_node(RangeTblEntry, tables)->relid != relid)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("relation \"%s\" has been renamed",
					   get_rel_name(relid)));
}

static bool
note_row(TupleTableSlot *slot, DestReceiver *receiver)
{
	Look	   *look = (Look *) receiver;
	const Column *column = look->column;
	bool		isnull;
	Datum		value = slot_getattr(slot, 1, &isnull);
	int64		number = 0;

	if (column->is_wrapped)
		refuse_type(column);
	if (isnull)
		return true;
	if (column_type_is_number(column->type))
		number = DatumGetInt64(value);
	/* longer texts, which may be of any size, are no ids */
	else if (toast_raw_datum_size(value) <= ID_MAX_LENGTH + VARHDRSZ)
		number = pattern_number_of(DatumGetTextPP(value), column->generator);
	if (number <= look->limit)
		look->value = Max(look->value, number);
	return true;
}
