/*
 * hilo_series: the last number of each group of rows that a trigger numbers.
 *
 * A group has one row, and needs no lock but those that core takes for a row.  Without
 * gaps it is an ordinary row, updated by the transaction that takes a number: others
 * wait for that.  With gaps it is the maker's until that one commits, and is changed in
 * place from then on: the WAL of a change lies before the commit of the row that has the
 * number.  Both kinds of change hold the lock of the tuple between the look and the
 * change, so neither loses the other's.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "catalog/index.h"
#include "catalog/indexing.h"
#include "executor/executor.h"

#include "store/store.h"

#define Anum_series_rel 2
#define Anum_series_columns 3
#define Anum_series_grp 4

/* a row's first column */
#define LastOf(tuple) (*(int64 *) GETSTRUCT(tuple))

static SysScanDesc series_scan(Relation rel, const SeriesKey *key, Snapshot snapshot);
static int64 number_after(int64 last, const SeriesChange *change);
static StoreResult result_of(int64 last, const SeriesChange *change);
static StoreResult change_in_place(Relation rel, SysScanDesc scan, SeriesChange *change);
static StoreResult change_by_update(Relation rel, HeapTuple tuple, SeriesChange *change);
static bool insert_index_entries(Relation rel, HeapTuple tuple, IndexUniqueCheck check);

/* Read the last number of a group, also one of this transaction; false if it has no row. */
bool
series_last(const SeriesKey *key, int64 *last)
{
	Relation	rel = catalog_open(CATALOG_SERIES, AccessShareLock);
	bool		found = false;

	/* a row that is replaced at the moment may escape a scan */
	for (int i = 0; i < SCAN_ATTEMPTS && !found; i++)
	{
		SysScanDesc scan = series_scan(rel, key, SnapshotSelf);
		HeapTuple	tuple = systable_getnext(scan);

		found = HeapTupleIsValid(tuple);
		if (found)
			*last = LastOf(tuple);
		systable_endscan(scan);
	}
	table_close(rel, AccessShareLock);
	return found;
}

/*
 * Take the next number of a group, or raise or set its last one.  STORE_GONE if it
 * has no row, STORE_EXHAUSTED if no number is left.  Waits for the transaction that
 * makes the row; and to change it by an update, for whichever has done so.
 */
StoreResult
series_change(const SeriesKey *key, SeriesChange *change)
{
	Relation	rel = change->in_place ? catalog_open_durable(CATALOG_SERIES, true) :
		catalog_open(CATALOG_SERIES, RowExclusiveLock);
	StoreResult result;

	for (;;)
	{
		SnapshotData dirty;
		SysScanDesc scan;
		HeapTuple	tuple;
		TransactionId xmin;

		CHECK_FOR_INTERRUPTS();
		InitDirtySnapshot(dirty);
		scan = series_scan(rel, key, &dirty);
		tuple = systable_getnext(scan);
		if (!HeapTupleIsValid(tuple))
		{
			systable_endscan(scan);
			result = STORE_GONE;
			break;
		}
		if (TransactionIdIsValid(dirty.xmin))
		{
			systable_endscan(scan);
			if (dirty.speculativeToken != 0)
				SpeculativeInsertionWait(dirty.xmin, dirty.speculativeToken);
			else
				XactLockTableWait(dirty.xmin, NULL, NULL, XLTW_None);
			continue;
		}
		/* what this very (sub)transaction has made goes with it */
		xmin = HeapTupleHeaderGetXmin(tuple->t_data);
		if (change->in_place || TransactionIdEquals(xmin, GetCurrentTransactionIdIfAny()))
			result = change_in_place(rel, scan, change);
		else
		{
			result = change_by_update(rel, tuple, change);
			systable_endscan(scan);
		}
		if (result == STORE_BUSY)
			continue;
		if (!change->in_place)
			gapless_flush_late();
		break;
	}
	table_close(rel, NoLock);
	return result;
}

/*
 * Insert the row of a group, as core does for ON CONFLICT: false if another session
 * has been faster.  One that finds a row with a token waits until that is confirmed or
 * gone, not for the transaction, so no two sessions wait for each other.
 */
bool
series_insert(const SeriesKey *key, int64 last)
{
	Relation	rel = catalog_open(CATALOG_SERIES, RowExclusiveLock);
	TransactionId xid = GetCurrentTransactionId();
	bool		nulls[Anum_series_grp] = {0};
	Datum		values[Anum_series_grp] = {
		Int64GetDatum(last), ObjectIdGetDatum(key->rel),
		Int32GetDatum(key->columns), PointerGetDatum(key->grp)
	};
	HeapTuple	tuple = heap_form_tuple(RelationGetDescr(rel), values, nulls);
	/* not as the macro's argument, which it evaluates twice */
	uint32		token = SpeculativeInsertionLockAcquire(xid);
	bool		is_first;

	tuple->t_tableOid = RelationGetRelid(rel);
	HeapTupleHeaderSetSpeculativeToken(tuple->t_data, token);
	/* decoding of the confirmation needs the row in the WAL */
	heap_insert(rel, tuple, GetCurrentCommandId(true), HEAP_INSERT_SPECULATIVE, NULL);
	delay_at_random();
	is_first = insert_index_entries(rel, tuple, UNIQUE_CHECK_PARTIAL);
	if (is_first)
		heap_finish_speculative(rel, &tuple->t_self);
	else
		heap_abort_speculative(rel, &tuple->t_self);
	SpeculativeInsertionLockRelease(xid);
	table_close(rel, NoLock);
	gapless_flush_late();
	CommandCounterIncrement();
	return is_first;
}

/* Delete the rows of a table that is being dropped. */
void
series_delete(Oid relid)
{
	Relation	rel = catalog_open(CATALOG_SERIES, RowExclusiveLock);
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_series_rel, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relid));
	scan = systable_beginscan(rel, RelationGetPrimaryKeyIndex(rel, false), true,
							  SnapshotSelf, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		CatalogTupleDelete(rel, &tuple->t_self);
	systable_endscan(scan);
	table_close(rel, NoLock);
}

/* Raise a group to the last number of a dump's row, or make the row. */
void
series_restore(Relation rel, HeapTuple tuple)
{
	TupleDesc	desc = RelationGetDescr(rel);
	bool		isnull;
	SeriesKey	key = {
		.rel = series_table(rel, tuple),
		.columns = DatumGetInt32(heap_getattr(tuple, Anum_series_columns, desc, &isnull)),
		.grp = DatumGetTextPP(heap_getattr(tuple, Anum_series_grp, desc, &isnull))
	};
	SeriesChange change = {
		.in_place = true,.to = Max(LastOf(tuple), 0),.max_value = PG_INT64_MAX
	};

	while (series_change(&key, &change) == STORE_GONE && !series_insert(&key, change.to))
		;
	/* a commit without an xid would neither flush nor wait */
	ForceSyncCommit();
	(void) GetTopTransactionId();
}

/* Return the table of a row, InvalidOid if it was missing when the row was read. */
Oid
series_table(Relation rel, HeapTuple tuple)
{
	bool		isnull;

	return DatumGetObjectId(heap_getattr(tuple, Anum_series_rel, RelationGetDescr(rel), &isnull));
}

static SysScanDesc
series_scan(Relation rel, const SeriesKey *key, Snapshot snapshot)
{
	ScanKeyData keys[3];

	ScanKeyInit(&keys[0], Anum_series_rel, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(key->rel));
	ScanKeyInit(&keys[1], Anum_series_columns, BTEqualStrategyNumber, F_INT4EQ,
				Int32GetDatum(key->columns));
	ScanKeyInit(&keys[2], Anum_series_grp, BTEqualStrategyNumber, F_TEXTEQ,
				PointerGetDatum(key->grp));
	return systable_beginscan(rel, RelationGetPrimaryKeyIndex(rel, false), true, snapshot,
							  lengthof(keys), keys);
}

/* Return the last number after a change, which is the same if nothing changes. */
static int64
number_after(int64 last, const SeriesChange *change)
{
	if (change->is_exact)
		return change->to;
	if (change->to != 0)
		return Max(last, change->to);
	return last < change->max_value ? last + 1 : last;
}

/* Return what became of a change: there may have been no next number. */
static StoreResult
result_of(int64 last, const SeriesChange *change)
{
	return change->last == last && change->to == 0 && !change->is_exact ?
		STORE_EXHAUSTED : STORE_OK;
}

/* Change the row that a scan has found where it is, and end the scan; STORE_BUSY if it was changed. */
static StoreResult
change_in_place(Relation rel, SysScanDesc scan, SeriesChange *change)
{
	BufferHeapTupleTableSlot *slot = (BufferHeapTupleTableSlot *) scan->slot;
	HeapTuple	tuple = slot->base.tuple;
	HeapTuple	changed = heap_copytuple(tuple);
	int64		last;

	if (!heap_inplace_lock(rel, tuple, slot->buffer, store_end_scan, scan))
		return STORE_BUSY;
	/* others may have changed it before the lock */
	last = LastOf(tuple);
	LastOf(changed) = change->last = number_after(last, change);
	if (change->last == last)
		heap_inplace_unlock(rel, tuple, slot->buffer);
	else
		heap_inplace_update_and_unlock(rel, tuple, changed, slot->buffer);
	systable_endscan(scan);
	return result_of(last, change);
}

/* Do so by another version, which this transaction sees. */
static StoreResult
change_by_update(Relation rel, HeapTuple tuple, SeriesChange *change)
{
	ItemPointerData tid = tuple->t_self;
	HeapTuple	changed = heap_copytuple(tuple);
	int64		last;
	TM_Result	result;
	TM_FailureData failure;
	LockTupleMode lockmode;
	TU_UpdateIndexes indexes;

	/* what needs no change waits for nobody */
	change->last = LastOf(tuple);
	if (number_after(change->last, change) == change->last)
		return result_of(change->last, change);
	LockTuple(rel, &tid, InplaceUpdateTupleLock);
	last = LastOf(tuple);
	LastOf(changed) = change->last = number_after(last, change);
	result = heap_update(rel, &tid, changed, GetCurrentCommandId(true), 0, InvalidSnapshot, true,
						 &failure, &lockmode, &indexes);
	UnlockTuple(rel, &tid, InplaceUpdateTupleLock);
	if (result == TM_Updated || result == TM_Deleted)
		return STORE_BUSY;
	if (result != TM_Ok)
		elog(ERROR, "row of hilo_series was changed by the current command");

	/*
	 * no other version of the row is alive: the entry needs no look at all of
	 * them
	 */
	if (!HeapTupleIsHeapOnly(changed))
		(void) insert_index_entries(rel, changed, UNIQUE_CHECK_NO);
	CommandCounterIncrement();
	return STORE_OK;
}

/* Make the index entries of a row; return whether no other row has its key. */
static bool
insert_index_entries(Relation rel, HeapTuple tuple, IndexUniqueCheck check)
{
	CatalogIndexState indexes = catalog_open_indexes(rel);
	TupleTableSlot *slot = MakeSingleTupleTableSlot(RelationGetDescr(rel), &TTSOpsHeapTuple);
	bool		is_unique = true;

	ExecStoreHeapTuple(tuple, slot, false);
	for (int i = 0; i < indexes->ri_NumIndices; i++)
	{
		IndexInfo  *info = indexes->ri_IndexRelationInfo[i];
		Relation	index = indexes->ri_IndexRelationDescs[i];
		Datum		values[INDEX_MAX_KEYS];
		bool		isnull[INDEX_MAX_KEYS];

		if (!info->ii_ReadyForInserts)
			continue;
		FormIndexDatum(info, slot, NULL, values, isnull);
		is_unique &= index_insert(index, values, isnull, &tuple->t_self, rel,
								  info->ii_Unique ? check : UNIQUE_CHECK_NO,
								  check == UNIQUE_CHECK_NO, info) ||
			!info->ii_Unique || check == UNIQUE_CHECK_NO;
	}
	ExecDropSingleTupleTableSlot(slot);
	CatalogCloseIndexes(indexes);
	return is_unique;
}
