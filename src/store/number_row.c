/*
 * A row with the last number of a series: of hilo_gapless, or of hilo_series.
 *
 * Without gaps it is an ordinary row, updated by the transaction that takes a number:
 * others wait for that, in the order of core's locks of tuples.  A change in place is
 * nobody's to roll back.  Both kinds hold the lock of the tuple between the look and the
 * change, so neither loses the other's.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "catalog/index.h"
#include "catalog/indexing.h"
#include "executor/executor.h"

#include "store/store.h"

static int64 number_after(int64 last, const NumberChange *change);
static StoreResult result_of(int64 last, const NumberChange *change);
static StoreResult change_in_place(Relation rel, SysScanDesc scan, NumberChange *change);
static StoreResult change_by_update(Relation rel, HeapTuple tuple, NumberChange *change);

/*
 * Take the next numbers, or raise or set the last one, in the row that a scan finds.
 * STORE_GONE if there is none, STORE_EXHAUSTED if too few numbers are left.  Waits for the
 * transaction that makes the row, and to update it, for whichever has done so.
 */
StoreResult
number_change(Relation rel, NumberScan scan_of, const void *key, NumberChange *change)
{
	StoreResult result = STORE_BUSY;

	while (result == STORE_BUSY)
	{
		SnapshotData dirty;
		SysScanDesc scan;
		HeapTuple	tuple;

		CHECK_FOR_INTERRUPTS();
		InitDirtySnapshot(dirty);
		scan = scan_of(rel, key, &dirty);
		tuple = systable_getnext(scan);
		if (!HeapTupleIsValid(tuple))
		{
			systable_endscan(scan);
			return STORE_GONE;
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
		delay_at_random();
		/* what this very (sub)transaction has made goes with it */
		if (change->in_place ||
			TransactionIdEquals(HeapTupleHeaderGetXmin(tuple->t_data),
								GetCurrentTransactionIdIfAny()))
			result = change_in_place(rel, scan, change);
		else
		{
			result = change_by_update(rel, tuple, change);
			systable_endscan(scan);
		}
	}
	if (!change->in_place)
		gapless_flush_late();
	return result;
}

/* Make the index entries of a row; return whether no other row has its key. */
bool
number_index(Relation rel, HeapTuple tuple, IndexUniqueCheck check)
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

/* Return the last number after a change, which is the same if nothing changes. */
static int64
number_after(int64 last, const NumberChange *change)
{
	if (change->is_exact)
		return change->to;
	if (change->count == 0)
		return Max(last, change->to);
	return last <= change->max_value - change->count ? last + change->count : last;
}

/* Return what became of a change: there may have been no next number. */
static StoreResult
result_of(int64 last, const NumberChange *change)
{
	return change->last == last && change->count > 0 ? STORE_EXHAUSTED : STORE_OK;
}

/* Change the row that a scan has found where it is, and end the scan; STORE_BUSY if it was changed. */
static StoreResult
change_in_place(Relation rel, SysScanDesc scan, NumberChange *change)
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
change_by_update(Relation rel, HeapTuple tuple, NumberChange *change)
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
		elog(ERROR, "row of \"%s\" was changed by the current command",
			 RelationGetRelationName(rel));

	/* no other version is alive, so the entry needs no look at all of them */
	if (!HeapTupleIsHeapOnly(changed))
		(void) number_index(rel, changed, UNIQUE_CHECK_NO);
	CommandCounterIncrement();
	return STORE_OK;
}
