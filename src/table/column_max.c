/*
 * The greatest value of a column.
 *
 * Whoever asks need not trust the owners of the tables.  A query would run
 * their code, as the planner evaluates the expressions and predicates of
 * indexes; a function that catches its cancellation would never end.  So the
 * tables and the indexes are read here, and nothing of the owners' is
 * evaluated.  The rows of a distributed table are on other nodes, where only a
 * query finds them.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_am.h"
#include "catalog/pg_opfamily.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "table/table.h"

typedef struct Greatest
{
	AttrNumber	attnum;
	Oid			type;
	text	   *generator;		/* that numbers the ids, if they are texts */
	bool		found;
	int64		value;
} Greatest;

static void look_at_shards(Oid relid, Greatest *greatest);
static void look_at_table(Oid relid, Greatest *greatest);
static Relation open_index(Relation rel, AttrNumber attnum);
static bool is_usable(Relation index, AttrNumber attnum);
static void look_at_index(Relation rel, Relation index, Greatest *greatest);
static void look_at_row(TupleTableSlot *slot, void *arg);
static void note_greatest(Greatest *greatest, Datum value);

/*
 * Read the greatest value of a column as it is now, or, where ids are texts,
 * the greatest number in them that comes from a generator of that folded name;
 * false, and 0, if there is none.  The tables are locked.
 */
bool
column_max(const Column *column, text *generator, int64 *max)
{
	Greatest	greatest = {.type = column->type, .generator = generator};
	Oid			elsewhere = column_elsewhere(column);

	if (OidIsValid(elsewhere))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 get_rel_relkind(elsewhere) == RELKIND_FOREIGN_TABLE ?
				 errmsg("cannot determine the greatest id in foreign table \"%s\"",
						get_rel_name(elsewhere)) :
				 errmsg("cannot determine the greatest id in distributed table \"%s\"",
						get_rel_name(elsewhere)),
				 errhint("Raise the generator with hilo_seed, or the sequence with setval, and set the default with ALTER TABLE.")));
	foreach_oid(relid, column->tables)
	{
		greatest.attnum = get_attnum(relid, column->name);
		if (get_rel_relkind(relid) != RELKIND_RELATION ||
			!relation_is_table(relid))
			continue;
		if (citus_has_rows_of(relid))
			look_at_shards(relid, &greatest);
		else
			look_at_table(relid, &greatest);
	}
	*max = greatest.value;
	return greatest.found;
}

/*
 * Return the first table of a column whose ids cannot be looked at, as they
 * are on another server; InvalidOid if there is none.
 */
Oid
column_elsewhere(const Column *column)
{
	foreach_oid(relid, column->tables)
	{
		if (get_rel_relkind(relid) == RELKIND_FOREIGN_TABLE ||
			(!column_type_is_integer(column->type) && citus_has_rows_of(relid)))
			return relid;
	}
	return InvalidOid;
}

/*
 * Look for the greatest value of a distributed table.  Its owner's code may run
 * on other nodes, with no other role's rights.  Report an error if row security
 * hides rows from the owner.
 */
static void
look_at_shards(Oid relid, Greatest *greatest)
{
	Oid			role;
	int			security_context;
	int			nest_level = NewGUCNestLevel();
	Datum		value;
	bool		isnull;

	GetUserIdAndSecContext(&role, &security_context);
	SetUserIdAndSecContext(relation_owner(relid),
						   security_context | SECURITY_RESTRICTED_OPERATION);
	(void) set_config_option("search_path", "pg_catalog, pg_temp",
							 PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE,
							 true, 0, false);
	(void) set_config_option("row_security", "off", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	PushActiveSnapshot(GetLatestSnapshot());
	SPI_connect();
	if (relation_execute(relid, psprintf("SELECT max(%s) FROM ONLY %s",
										 quote_identifier(get_attname(relid, greatest->attnum, false)),
										 relation_name(relid))) != SPI_OK_SELECT ||
		SPI_processed != 1)
		elog(ERROR, "failed to look for the greatest id of table %u", relid);
	value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1,
						  &isnull);
	if (!isnull)
		note_greatest(greatest, value);
	SPI_finish();
	PopActiveSnapshot();
	AtEOXact_GUC(false, nest_level);
	SetUserIdAndSecContext(role, security_context);
}

static void
look_at_table(Oid relid, Greatest *greatest)
{
	Relation	rel = table_open(relid, NoLock);
	Relation	index = open_index(rel, greatest->attnum);

	if (index == NULL)
		relation_each_row(rel, look_at_row, greatest);
	else
	{
		look_at_index(rel, index, greatest);
		index_close(index, AccessShareLock);
	}
	table_close(rel, NoLock);
}

/* Open an index that begins with a column, NULL if all need a wait. */
static Relation
open_index(Relation rel, AttrNumber attnum)
{
	foreach_oid(indexoid, RelationGetIndexList(rel))
	{
		Relation	index;

		if (!ConditionalLockRelationOid(indexoid, AccessShareLock))
			continue;
		index = index_open(indexoid, NoLock);
		if (is_usable(index, attnum))
			return index;
		index_close(index, AccessShareLock);
	}
	return NULL;
}

/* Check whether an index has all rows, in the order of an integer column. */
static bool
is_usable(Relation index, AttrNumber attnum)
{
	const FormData_pg_index *form = index->rd_index;

	return form->indisvalid && index->rd_rel->relam == BTREE_AM_OID &&
		form->indkey.values[0] == attnum &&
		index->rd_opfamily[0] == INTEGER_BTREE_FAM_OID &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) &&
		(!form->indcheckxmin ||
		 TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data),
							   TransactionXmin));
}

static void
look_at_index(Relation rel, Relation index, Greatest *greatest)
{
	bool		descends = (index->rd_indoption[0] & INDOPTION_DESC) != 0;
	Snapshot	snapshot = relation_snapshot();
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		isnull;

	ScanKeyEntryInitialize(&key, SK_ISNULL | SK_SEARCHNOTNULL, greatest->attnum,
						   InvalidStrategy, InvalidOid, InvalidOid, InvalidOid,
						   0);
	scan = systable_beginscan_ordered(rel, index, snapshot, 1, &key);
	tuple = systable_getnext_ordered(scan, descends ? ForwardScanDirection :
									 BackwardScanDirection);
	if (HeapTupleIsValid(tuple))
		note_greatest(greatest, heap_getattr(tuple, greatest->attnum,
											 RelationGetDescr(rel), &isnull));
	systable_endscan_ordered(scan);
	UnregisterSnapshot(snapshot);
}

static void
look_at_row(TupleTableSlot *slot, void *arg)
{
	Greatest   *greatest = arg;
	bool		isnull;
	Datum		value = slot_getattr(slot, greatest->attnum, &isnull);

	if (!isnull)
		note_greatest(greatest, value);
}

static void
note_greatest(Greatest *greatest, Datum value)
{
	int64		number = greatest->type == INT2OID ? DatumGetInt16(value) :
		greatest->type == INT4OID ? DatumGetInt32(value) : DatumGetInt64(value);

	if (!column_type_is_integer(greatest->type))
	{
		text	   *id = DatumGetTextPP(value);

		number = pattern_number_of(id, greatest->generator);
		if ((Pointer) id != DatumGetPointer(value))
			pfree(id);
	}
	greatest->value = greatest->found ? Max(greatest->value, number) : number;
	greatest->found = true;
}
