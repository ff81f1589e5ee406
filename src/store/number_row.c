/*
 * A row with the last number of a series: of hilo_gapless, or of hilo_series.
 *
 * Without gaps it is an ordinary row, updated by the transaction that takes a
 * number: others wait for that, in the order of core's locks of tuples.  A
 * change in place is not rolled back.  Both kinds hold the lock of the
 * tuple between the look and the change, so neither loses the other's.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "storage/bufmgr.h"

#include "store/store.h"

/* A version of a row, in a buffer that is pinned. */
typedef struct FoundRow
{
	HeapTupleData tuple;
	Buffer		buffer;
	SysScanDesc scan;			/* which has pinned it; NULL: nothing has */
} FoundRow;

/* Where this session has last seen some rows: guesses, to be checked. */
static struct
{
	uint32		hash;			/* of the key */
	ItemPointerData tid;
}			seen[256];

/* if none of so many versions is alive, ask the index */
#define VERSIONS_TO_FOLLOW 100

#define RowSeen(hash) (&seen[(hash) % lengthof(seen)])

#define IsChanged(changed, tuple) \
	(memcmp((changed)->t_data, (tuple)->t_data, (tuple)->t_len) != 0)

static bool find_row(Relation rel, const NumberKind *kind, const void *key,
					 SnapshotData *dirty, FoundRow *found);
static void note_seen(uint32 hash, ItemPointer tid);
static void end_look(void *found);
static StoreResult change_in_place(Relation rel, FoundRow *found,
								   NumberChange *change);
static StoreResult change_by_update(Relation rel, uint32 hash, HeapTuple tuple,
									NumberChange *change);

/*
 * Take the next numbers, or raise or set the last one, in the row of a key.
 * STORE_GONE if there is none, STORE_EXHAUSTED if too few numbers are left,
 * STORE_OUTDATED if the rows of a group have to be asked first.  Waits for the
 * transaction that makes the row, and before an update, for the one that
 * updates it.
 */
StoreResult
number_change(Relation rel, const NumberKind *kind, const void *key,
			  NumberChange *change)
{
	StoreResult result = STORE_BUSY;

	while (result == STORE_BUSY)
	{
		SnapshotData dirty;
		FoundRow	found;

		CHECK_FOR_INTERRUPTS();
		if (!find_row(rel, kind, key, &dirty, &found))
			return STORE_GONE;
		if (TransactionIdIsValid(dirty.xmin))
		{
			end_look(&found);
			if (dirty.speculativeToken != 0)
				SpeculativeInsertionWait(dirty.xmin, dirty.speculativeToken);
			else
				XactLockTableWait(dirty.xmin, NULL, NULL, XLTW_None);
			continue;
		}
		if (change->greatest == NOT_ASKED &&
			DefinitionOf(&found.tuple) != change->definition)
		{
			end_look(&found);
			return STORE_OUTDATED;
		}
		delay_at_random();
		/* what this very (sub)transaction has made goes with it */
		if (change->in_place ||
			TransactionIdEquals(HeapTupleHeaderGetXmin(found.tuple.t_data),
								GetCurrentTransactionIdIfAny()))
			result = change_in_place(rel, &found, change);
		else
		{
			result = change_by_update(rel, kind->hash(key), &found.tuple,
									  change);
			end_look(&found);
		}
	}
	if (!change->in_place)
		gapless_flush_late();
	return result;
}

/*
 * Find the live version of a row, not far behind a version that this session
 * has seen, and pin it.  It may be another row: its place may have been used
 * again.
 */
static bool
find_seen(Relation rel, ItemPointerData tid, SnapshotData *dirty,
		  FoundRow *found)
{
	BlockNumber blocks = RelationGetNumberOfBlocks(rel);

	for (int i = 0; i < VERSIONS_TO_FOLLOW; i++)
	{
		if (!ItemPointerIsValid(&tid) ||
			ItemPointerGetBlockNumber(&tid) >= blocks)
			break;
		found->tuple.t_self = tid;
		InitDirtySnapshot(*dirty);
		if (heap_fetch(rel, dirty, &found->tuple, &found->buffer, true))
			return true;
		if (found->tuple.t_data == NULL)
			break;
		tid = found->tuple.t_data->t_ctid;
		ReleaseBuffer(found->buffer);
		if (ItemPointerEquals(&tid, &found->tuple.t_self))
			break;
	}
	return false;
}

/*
 * Find the row of a key, and pin it.  Its maker may not have committed: then
 * dirty has the maker's xid.
 *
 * Try the versions since this session's last look before the index, which leads
 * through all versions that a snapshot keeps.  A live version with the key is
 * the row, as there is no other.
 */
static bool
find_row(Relation rel, const NumberKind *kind, const void *key,
		 SnapshotData *dirty,
		 FoundRow *found)
{
	uint32		hash = kind->hash(key);
	HeapTuple	tuple;

	found->scan = NULL;
	if (RowSeen(hash)->hash == hash &&
		find_seen(rel, RowSeen(hash)->tid, dirty, found))
	{
		note_seen(hash, &found->tuple.t_self);
		if (kind->is_of(rel, &found->tuple, key))
			return true;
		ReleaseBuffer(found->buffer);
	}
	InitDirtySnapshot(*dirty);
	found->scan = kind->scan(rel, key, dirty);
	tuple = systable_getnext(found->scan);
	if (!HeapTupleIsValid(tuple))
	{
		systable_endscan(found->scan);
		return false;
	}
	found->tuple = *tuple;
	found->buffer = ((BufferHeapTupleTableSlot *) found->scan->slot)->buffer;
	note_seen(hash, &tuple->t_self);
	return true;
}

static void
note_seen(uint32 hash, ItemPointer tid)
{
	RowSeen(hash)->hash = hash;
	RowSeen(hash)->tid = *tid;
}

/* Unpin a row; also as heap_inplace_lock calls it. */
static void
end_look(void *found)
{
	FoundRow   *row = found;

	if (row->scan != NULL)
		systable_endscan(row->scan);
	else
		ReleaseBuffer(row->buffer);
}

/* Compute the last number after a change; there may be no next number. */
StoreResult
number_after(int64 last, NumberChange *change)
{
	change->last = Max(last, change->greatest);
	if (change->is_exact)
		change->last = change->to;
	else if (change->count == 0)
		change->last = Max(change->last, change->to);
	else if (change->last <= change->max_value - change->count)
		change->last += change->count;
	else
		return STORE_EXHAUSTED;
	return STORE_OK;
}

/* Apply a change to a copy of a row. */
static StoreResult
apply(HeapTuple changed, NumberChange *change)
{
	StoreResult result = number_after(LastOf(changed), change);

	LastOf(changed) = change->last;
	if (change->definition != 0)
		DefinitionOf(changed) = change->definition;
	return result;
}

/*
 * Change a row where it is, and unpin it; STORE_BUSY if another session was
 * faster.
 */
static StoreResult
change_in_place(Relation rel, FoundRow *found, NumberChange *change)
{
	HeapTuple	tuple = &found->tuple;
	HeapTuple	changed;
	StoreResult result;

	if (!heap_inplace_lock(rel, tuple, found->buffer, end_look, found))
		return STORE_BUSY;
	changed = heap_copytuple(tuple);
	result = apply(changed, change);
	if (IsChanged(changed, tuple))
		heap_inplace_update_and_unlock(rel, tuple, changed, found->buffer);
	else
		heap_inplace_unlock(rel, tuple, found->buffer);
	end_look(found);
	return result;
}

/*
 * Change a row by another version of it; STORE_BUSY if another session was
 * faster.
 */
static StoreResult
change_by_update(Relation rel, uint32 hash, HeapTuple tuple,
				 NumberChange *change)
{
	ItemPointerData tid = tuple->t_self;
	HeapTuple	changed = heap_copytuple(tuple);
	StoreResult after = apply(changed, change);
	TM_Result	result;
	TM_FailureData failure;
	LockTupleMode lockmode;
	TU_UpdateIndexes indexes;

	/* no change, no wait */
	if (!IsChanged(changed, tuple))
		return after;
	LockTuple(rel, &tid, InplaceUpdateTupleLock);
	/* it may have been changed in place before that */
	LastOf(changed) = LastOf(tuple);
	after = apply(changed, change);
	result = heap_update(rel, &tid, changed, GetCurrentCommandId(true), 0,
						 InvalidSnapshot, true,
						 &failure, &lockmode, &indexes);
	UnlockTuple(rel, &tid, InplaceUpdateTupleLock);
	note_seen(hash, result == TM_Ok ? &changed->t_self : &failure.ctid);
	if (result == TM_Updated || result == TM_Deleted)
		return STORE_BUSY;
	if (result != TM_Ok)
		elog(ERROR, "row of \"%s\" was changed by the current command",
			 RelationGetRelationName(rel));

	/* no other version is alive, so the entry needs no look at all of them */
	if (!HeapTupleIsHeapOnly(changed))
		(void) own_table_index(rel, changed, UNIQUE_CHECK_NO);
	CommandCounterIncrement();
	return after;
}
