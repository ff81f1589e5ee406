/*
 * hilo_ledger: who has taken which ranges.
 *
 * A row is written when its range has been taken and before the WAL of that is
 * flushed, and is final at once: so every id that was handed out while
 * hilo.ledger was on has a row, whatever becomes of the transaction, and after
 * a crash, too.  A row whose range no id has left may be there as well.
 *
 * Rows go by the incarnation of their generator, so nobody sees those of a
 * generator of the same name that was dropped.  Another server knows nothing
 * of them: they are not dumped.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "store/store.h"
#include "table/table.h"

PG_FUNCTION_INFO_V1(hilo_ledger_prune);

bool		ledger_is_on = false;
int			ledger_keep = 30 * 24 * 60;	/* minutes */

static bool indexes_are_valid(Relation rel, bool wait);
static int64 ledger_column(Relation rel, HeapTuple tuple, AttrNumber attnum);

Datum
hilo_ledger_prune(PG_FUNCTION_ARGS)
{
	TimestampTz before = PG_ARGISNULL(0) ?
		GetCurrentTimestamp() - ledger_keep * USECS_PER_MINUTE :
		PG_GETARG_TIMESTAMPTZ(0);
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;
	int64		deleted = 0;

	catalog_require_writable("hilo_ledger_prune()");

	/* one at a time */
	rel = catalog_open(CATALOG_LEDGER, ShareUpdateExclusiveLock);
	scan = systable_beginscan(rel, InvalidOid, false, SnapshotSelf, 0, NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (ledger_column(rel, tuple, Anum_ledger_taken_at) >= before)
			continue;
		simple_heap_delete(rel, &tuple->t_self);
		deleted++;
	}
	systable_endscan(scan);
	table_close(rel, NoLock);
	PG_RETURN_INT64(deleted);
}

/*
 * Open the ledger before a range is taken; ledger_note or table_close closes
 * it.  Set NULL if it is off, or not wanted.  Without wait, return false if it
 * cannot be opened at once.
 */
bool
ledger_open(Relation *ledger, bool wanted, bool wait)
{
	*ledger = NULL;
	if (!ledger_is_on || !wanted)
		return true;
	*ledger = catalog_open_durable(CATALOG_LEDGER, wait,
								   "The ledger could lose the range.");
	if (*ledger != NULL && !indexes_are_valid(*ledger, wait))
	{
		table_close(*ledger, NoLock);
		*ledger = NULL;
	}
	return *ledger != NULL;
}

/*
 * Note a range that the current role has taken, and close the ledger.  Return
 * the end of the WAL, to be flushed before an id of the range is handed out.
 */
XLogRecPtr
ledger_note(Relation ledger, int64 incarnation, Range range)
{
	const char *role = GetUserNameFromId(GetUserId(), false);
	Datum		values[Natts_ledger] = {
		Int64GetDatum(incarnation), Int64GetDatum(range.low),
		Int64GetDatum(range.high), TimestampTzGetDatum(GetCurrentTimestamp()),
		Int32GetDatum(MyProcPid), ObjectIdGetDatum(GetUserId()),
		CStringGetTextDatum(role), CStringGetTextDatum(application_name),
		CStringGetTextDatum(hilo_node_tag)
	};
	bool		nulls[Natts_ledger] = {0};
	HeapTuple	tuple = heap_form_tuple(RelationGetDescr(ledger), values, nulls);

	catalog_note(ledger, tuple);
	heap_freetuple(tuple);
	table_close(ledger, NoLock);
	return XactLastRecEnd;
}

/*
 * Find the row of the range that was taken last of those with the id; false if
 * there is none in the ledger.
 */
bool
ledger_find(int64 incarnation, int64 id, Datum *entry)
{
	Relation	rel = catalog_open(CATALOG_LEDGER, AccessShareLock);
	Oid			index = get_relname_relid("hilo_ledger_ids", RelationGetNamespace(rel));
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	TimestampTz latest = DT_NOBEGIN;
	bool		nulls[Natts_ledger];

	ScanKeyInit(&keys[0], Anum_ledger_incarnation, BTEqualStrategyNumber,
				F_INT8EQ, Int64GetDatum(incarnation));
	ScanKeyInit(&keys[1], Anum_ledger_high, BTGreaterEqualStrategyNumber,
				F_INT8GE, Int64GetDatum(id));
	scan = systable_beginscan(rel, index,
							  OidIsValid(index) && get_index_isvalid(index),
							  SnapshotSelf, 2, keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (ledger_column(rel, tuple, Anum_ledger_low) > id ||
			ledger_column(rel, tuple, Anum_ledger_taken_at) <= latest)
			continue;
		latest = ledger_column(rel, tuple, Anum_ledger_taken_at);
		heap_deform_tuple(heap_copytuple(tuple), RelationGetDescr(rel), entry,
						  nulls);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return !TIMESTAMP_IS_NOBEGIN(latest);
}

/*
 * Check whether all indexes that are written to are valid; if not, and wait is
 * set, report an error.
 *
 * A concurrent build looks for rows that the index lacks, and sees a row that
 * is there for good before it is entered: it would be in the index twice.
 */
static bool
indexes_are_valid(Relation rel, bool wait)
{
	List	   *indexes = RelationGetIndexList(rel);

	foreach_oid(indexoid, indexes)
	{
		Relation	index = index_open(indexoid, AccessShareLock);
		Form_pg_index form = index->rd_index;
		bool		valid = form->indisvalid || !form->indisready;

		if (!valid && wait)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("index \"%s\" of table \"%s\" is not valid",
							RelationGetRelationName(index),
							RelationGetRelationName(rel)),
					 errdetail("It is being built concurrently, or that build has failed."),
					 errhint("Wait until the build ends. If it has failed, drop the index and run REINDEX without CONCURRENTLY.")));
		index_close(index, AccessShareLock);
		if (!valid)
			return false;
	}
	list_free(indexes);
	return true;
}

static int64
ledger_column(Relation rel, HeapTuple tuple, AttrNumber attnum)
{
	bool		isnull;

	return DatumGetInt64(heap_getattr(tuple, attnum, RelationGetDescr(rel),
									  &isnull));
}
