/*
 * A row of hilo_hi, and the way to change it.
 *
 * It is changed by core's own in-place update: one WAL record, no xid, no row
 * version, independent of the caller's transaction.  So nothing may make
 * another version of it: a change in place of one version is lost when the
 * other remains, and its ids repeat.  Only catalog_rename does, and nobody
 * takes ids in its transaction.  The trigger of guard.c refuses UPDATE and
 * DELETE, hi_row_open refuses while the table is being rewritten.
 *
 * Between the lock and the unlock of a row its buffer is locked: no look-up,
 * no message and no large allocation there.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "storage/bufmgr.h"

#include "store/store.h"

static StoreResult lock_without_wait(HiRow *row, text *name);
static BufferHeapTupleTableSlot *find_row(HiRow *row, text *name);
static void close_row(HiRow *row);

/*
 * Open hilo_hi for a change, or report an error if the change could be lost.
 * Without wait, return NULL instead of that error or of a wait for a lock.
 */
Relation
hi_row_open(bool wait)
{
	return catalog_open_durable(CATALOG_HI, wait);
}

/*
 * Lock the row of a name against every change and every other locker.
 *
 * Waits for whoever holds it, even by SELECT FOR UPDATE.  As core's
 * systable_inplace_update_begin, except for the snapshot: core's catalog
 * snapshot would leave predicate locks on a table like ours.
 */
StoreResult
hi_row_lock(HiRow *row, text *name)
{
	/* for catalog_changed_at_once */
	shared_memory_attach();
	row->rel = hi_row_open(true);

	for (;;)
	{
		BufferHeapTupleTableSlot *slot;

		CHECK_FOR_INTERRUPTS();

		slot = find_row(row, name);
		if (slot == NULL)
			return STORE_GONE;
		if (heap_inplace_lock(row->rel, slot->base.tuple, slot->buffer,
							  store_end_scan, row->scan))
		{
			row->tuple = heap_copytuple(slot->base.tuple);
			row->hi = (FormData_hilo_hi *) GETSTRUCT(row->tuple);
			return STORE_OK;
		}
	}
}

/*
 * Lock the row of a name as hi_row_lock does, if it is of that generator, of
 * whichever incarnation; without wait, if that needs no waiting.
 */
StoreResult
hi_row_lock_incarnation(HiRow *row, text *name, int64 incarnation, bool wait)
{
	StoreResult result = wait ? hi_row_lock(row, name) :
		lock_without_wait(row, name);

	if (result == STORE_OK && !SameGenerator(row->hi->incarnation, incarnation))
	{
		hi_row_cancel(row);
		result = STORE_GONE;
	}
	return result;
}

/* Write the changed row, unlock it and return the end of its WAL record. */
XLogRecPtr
hi_row_write(HiRow *row)
{
	BufferHeapTupleTableSlot *slot = (BufferHeapTupleTableSlot *) row->scan->slot;
	XLogRecPtr	lsn;

	delay_at_random();
	heap_inplace_update_and_unlock(row->rel, slot->base.tuple, row->tuple,
								   slot->buffer);
	lsn = XactLastRecEnd;
	delay_at_random();
	close_row(row);
	return lsn;
}

/*
 * Write the changed row as hi_row_write does, and make every session look at
 * the generator again before it goes on with a range.  Neither an interrupt nor
 * an error after the change prevents that.
 */
XLogRecPtr
hi_row_write_for_all(HiRow *row)
{
	HOLD_INTERRUPTS();
	PG_TRY();
	{
		(void) hi_row_write(row);
	}
	PG_CATCH();
	{
		catalog_changed_at_once();
		PG_RE_THROW();
	}
	PG_END_TRY();
	catalog_changed_at_once();
	RESUME_INTERRUPTS();
	return XactLastRecEnd;
}

void
hi_row_cancel(HiRow *row)
{
	BufferHeapTupleTableSlot *slot = (BufferHeapTupleTableSlot *) row->scan->slot;

	heap_inplace_unlock(row->rel, slot->base.tuple, slot->buffer);
	close_row(row);
}

/*
 * Check whether the last allocation was made by this server on this timeline.
 */
bool
hi_is_stamped(const FormData_hilo_hi *hi)
{
	return hi->timeline == GetWALInsertionTimeLine() &&
		hi->system_identifier == (int64) GetSystemIdentifier();
}

void
hi_stamp(FormData_hilo_hi *hi)
{
	hi->timeline = GetWALInsertionTimeLine();
	hi->system_identifier = (int64) GetSystemIdentifier();
}

/* Lock the row of a name as hi_row_lock does, if that needs no waiting. */
static StoreResult
lock_without_wait(HiRow *row, text *name)
{
	BufferHeapTupleTableSlot *slot;
	HeapTupleData old;

	row->rel = hi_row_open(false);
	if (row->rel == NULL)
		return STORE_BUSY;

	slot = find_row(row, name);
	if (slot == NULL)
		return STORE_GONE;
	old = *slot->base.tuple;
	row->tuple = heap_copytuple(&old);
	row->hi = (FormData_hilo_hi *) GETSTRUCT(row->tuple);

	if (!TryLockTuple(row->rel, &old.t_self, InplaceUpdateTupleLock))
	{
		close_row(row);
		return STORE_BUSY;
	}
	LockBuffer(slot->buffer, BUFFER_LOCK_EXCLUSIVE);
	if (HeapTupleSatisfiesUpdate(&old, GetCurrentCommandId(false),
								 slot->buffer) != TM_Ok)
	{
		hi_row_cancel(row);
		return STORE_BUSY;
	}
	memcpy(row->tuple->t_data, old.t_data, old.t_len);
	return STORE_OK;
}

/* Find the row of a name in the open table; close that if there is none. */
static BufferHeapTupleTableSlot *
find_row(HiRow *row, text *name)
{
	row->scan = catalog_scan(row->rel, name, SnapshotSelf);
	if (HeapTupleIsValid(systable_getnext(row->scan)))
		return (BufferHeapTupleTableSlot *) row->scan->slot;
	systable_endscan(row->scan);
	table_close(row->rel, NoLock);
	return NULL;
}

static void
close_row(HiRow *row)
{
	systable_endscan(row->scan);
	heap_freetuple(row->tuple);
	table_close(row->rel, NoLock);
}
