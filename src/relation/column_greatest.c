/*
 * The greatest value of a column.
 *
 * A query finds it wherever the rows are: in a heap, in shards, or in what an
 * extension keeps alongside the table.  It runs as the table's owner: see
 * owner_query.c.
 *
 * A check of many tables reads an index if there is one: it needs no plan, and
 * runs no role's code.  So does a search that counts the rows of open
 * transactions, prepared ones too, which no query sees.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_am.h"
#include "catalog/pg_index.h"
#include "catalog/pg_opfamily.h"
#include "optimizer/paths.h"

#include "relation/relation.h"

/* A search for the greatest value, and the receiver of the rows. */
typedef struct GreatestSearch
{
	DestReceiver receiver;
	const Column *column;
	int64		limit;			/* greater ids are left out */
	int64		value;
	Relation	rel;			/* one of the column's tables */
} GreatestSearch;

/* The greatest value of a column, with what inherits from its table. */
typedef struct CachedGreatest
{
	uint64		column;
	int64		limit;
	int64		greatest;
} CachedGreatest;

static int64 greatest_of_tables(const Column *column, int64 limit);
static int64 greatest_of_other_stream(const Column *column, Oid relid,
									  int64 limit);
static void search_table(GreatestSearch *search);
pg_noreturn static void report_type(const Column *column);
static bool is_being_rewritten(const Column *column);
static bool has_values(Relation rel, const char *name);
static Relation open_index(Relation rel, AttrNumber attnum);
static void search_index(GreatestSearch *search, Relation index);
static void query_table(void *arg);
static bool receive_row(TupleTableSlot *slot, DestReceiver *receiver);

/*
 * Return the greatest value of a column as it is now; if ids are texts, the
 * greatest number in those that its generator may have made.  Return the floor,
 * which is 0 for generators, if none lies above it.  Leave out sentinels, with
 * a warning, unless the column's source gave them: its last id is last.  The
 * caller has locked the tables.
 */
int64
column_greatest_id(const Column *column, int64 last)
{
	int64		limit = column->max_value - column->max_value / 10;
	int64		rest;
	int64		max = column_greatest_value(column, column->max_value);
	const char *what = GENERATOR_SEED_HINT;

	if (max <= Max(limit, last))
		return max;
	rest = column_greatest_value(column, limit);
	if (column->generator != NULL &&
		OidIsValid(key_sequence(column->generator)))
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
column_greatest_cache(FunctionCallInfo fcinfo)
{
	FmgrInfo   *call = fcinfo->flinfo;
	HASHCTL		ctl = {
		.keysize = offsetof(CachedGreatest, greatest),
		.entrysize = sizeof(CachedGreatest),
		.hcxt = call->fn_mcxt
	};

	if (call->fn_extra == NULL)
		call->fn_extra = hash_create("hilo columns", 64, &ctl,
									 HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	return call->fn_extra;
}

/* Do as column_greatest_id for values up to a limit, with sentinels. */
int64
column_greatest_value(const Column *column, int64 limit)
{
	CachedGreatest key = {(uint64) column->relid << 16 | column->attnum,
	limit, 0};
	CachedGreatest *cached;

	if (column->greatest_cache == NULL || !column_type_is_number(column->type))
		return greatest_of_tables(column, limit);
	cached = hash_search(column->greatest_cache, &key, HASH_FIND, NULL);
	if (cached == NULL)
	{
		key.greatest = greatest_of_tables(column, limit);
		cached = hash_search(column->greatest_cache, &key, HASH_ENTER, NULL);
		cached->greatest = key.greatest;
	}
	return cached->greatest;
}

/* Ask the column's tables, and those with another source. */
static int64
greatest_of_tables(const Column *column, int64 limit)
{
	GreatestSearch search =
	{
		.receiver = *None_Receiver,.column = column,.limit = limit,
		.value = column->floor
	};
	bool		is_rewritten = is_being_rewritten(column);

	check_stack_depth();
	search.receiver.receiveSlot = receive_row;
	if (!column->is_wrapped && !column_type_has_ids(column->type))
		report_type(column);
	foreach_oid(relid, column->with_other_stream)
	{
		int64		greatest = greatest_of_other_stream(column, relid, limit);

		search.value = Max(search.value, greatest);
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
		search.rel = table_open(relid, NoLock);
		/* a column being added is in no index that a query could use */
		if (!is_rewritten)
			search_table(&search);
		/* its type may be about to change */
		else if (has_values(search.rel, column->name))
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
		table_close(search.rel, NoLock);
	}
	return search.value;
}

/*
 * Return the greatest value of a table that has another source; 0 if it is
 * above the limit.  hilo_check asks with the limit of each source: the ids of
 * such a table count only if all of them are up to the limit.
 */
static int64
greatest_of_other_stream(const Column *column, Oid relid, int64 limit)
{
	Column		part = *column;
	int64		greatest = limit;

	/* the number in a text is that of one generator */
	if (!column_type_is_number(column->type))
		return 0;
	part.relid = relid;
	part.generator = NULL;
	part.sequence = InvalidOid;
	/* before the search, which would not find the column of a dropped table */
	if (!column_lock_part(&part, relid, ERRCODE_FEATURE_NOT_SUPPORTED))
		return 0;
	part = column_lock_tree(part, ERRCODE_FEATURE_NOT_SUPPORTED);
	unlock_table(relid, part.lockmode);
	if (part.lockmode == AccessShareLock)
		greatest = part.max_value;
	greatest = column_greatest_value(&part, greatest);
	column_unlock(&part, part.lockmode);
	return greatest <= limit ? greatest : 0;
}

/*
 * Ask the table, or an index of it if that may do.  An extension that keeps rows
 * elsewhere, like TimescaleDB or Citus, adds paths to plans: then only a query
 * finds all rows.
 */
static void
search_table(GreatestSearch *search)
{
	const Column *column = search->column;
	Relation	index = NULL;

	if (column->prefers_index || column->with_uncommitted)
		index =
			open_index(search->rel, get_attnum(RelationGetRelid(search->rel),
											   column->name));
	if (index == NULL && column->requires_index)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("no index of table \"%s\" begins with the column",
					   RelationGetRelationName(search->rel)));
	if (index == NULL || index->rd_opfamily[0] != INTEGER_BTREE_FAM_OID ||
		set_rel_pathlist_hook != NULL ||
		(RecoveryInProgress() && !RelationIsPermanent(search->rel)))
		run_and_roll_back(query_table, search);
	else
		search_index(search, index);
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

/* Search the greatest value of a table in an index of integers. */
static void
search_index(GreatestSearch *search, Relation index)
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
						   Int64GetDatum(search->limit));
	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	InitDirtySnapshot(dirty);
	scan = systable_beginscan_ordered(search->rel, index,
									  search->column->with_uncommitted ?
									  &dirty : snapshot,
									  1, &key);
	tuple = systable_getnext_ordered(scan, direction);
	if (tuple != NULL)
	{
		/* a Datum of any of these types is the value itself */
		int64		value =
			DatumGetInt64(heap_getattr(tuple, attnum,
									   RelationGetDescr(search->rel),
									   &isnull));

		search->value = Max(search->value, value);
	}
	systable_endscan_ordered(scan);
	UnregisterSnapshot(snapshot);
}

static void
report_type(const Column *column)
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
has_values(Relation rel, const char *name)
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

/* Callback: search for the greatest value of a table. */
static void
query_table(void *arg)
{
	GreatestSearch *search = arg;
	Oid			relid = RelationGetRelid(search->rel);
	const char *column = quote_identifier(search->column->name);
	const char *only = search->rel->rd_rel->relhassubclass ? "ONLY " : "";
	const char *from = psprintf("FROM %s%s", only, relation_name(relid));
	const char *query;

	/* no cast from a type that may run another role's code */
	if (search->column->is_wrapped)
		query = psprintf("SELECT 0::int8 %s WHERE %s IS DISTINCT FROM NULL",
						 from, column);
	else if (column_type_is_number(search->column->type))
		query = psprintf("SELECT max(%s)::int8 %s WHERE %s BETWEEN %lld AND %lld",
						 column, from, column,
						 (long long) search->column->floor + 1,
						 (long long) search->limit);
	else
		query = psprintf("SELECT %s::text %s", column, from);
	owner_query(search->column, list_make1_oid(relid), query,
				&search->receiver);
}

static bool
receive_row(TupleTableSlot *slot, DestReceiver *receiver)
{
	GreatestSearch *search = (GreatestSearch *) receiver;
	const Column *column = search->column;
	bool		isnull;
	Datum		value = slot_getattr(slot, 1, &isnull);
	int64		number = 0;

	if (column->is_wrapped)
		report_type(column);
	if (isnull)
		return true;
	if (column_type_is_number(column->type))
		number = DatumGetInt64(value);
	/* longer texts, which may be of any size, are no ids */
	else if (toast_raw_datum_size(value) <= ID_MAX_LENGTH + VARHDRSZ)
		number = pattern_number_of(DatumGetTextPP(value), column->generator);
	if (number <= search->limit)
		search->value = Max(search->value, number);
	return true;
}
