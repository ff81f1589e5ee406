/*
 * A row of hilo_hi, and the way to change it.
 *
 * It is changed by core's own in-place update: one WAL record, no xid, no row
 * version, independent of the caller's transaction.  So nothing may make
 * another version of it: a change in place of one version is lost when the
 * other remains, and its ids repeat.  Only own_table_rename does, and no id
 * is taken during its transaction.  The trigger of guard.c refuses UPDATE and
 * DELETE, own_table_open_durable refuses while the table is being rewritten.
 *
 * Between the lock and the unlock of a row its buffer is locked: no look-up, no
 * message and no large allocation there.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "storage/bufmgr.h"

#include "store/store.h"

static bool lock_version(HiRow *row, bool wait);
static void close_row(HiRow *row);

/*
 * Lock the row of a name against every change and every other locker, if it
 * belongs to that generator, in any incarnation; 0: to any generator.
 *
 * With wait, waits for any holder of the row, even by SELECT FOR UPDATE.
 * Like core's systable_inplace_update_begin, except for the snapshot: core's
 * catalog snapshot would leave predicate locks on a table like ours.
 */
StoreResult
hi_row_lock(HiRow *row, text *name, int64 incarnation, bool wait)
{
	/* here, as generators_changed_at_once must not fail */
	shared_memory_attach();
	row->rel = own_table_open_durable(OWN_HI, wait);
	if (row->rel == NULL)
		return STORE_BUSY;

	for (;;)
	{
		BufferHeapTupleTableSlot *slot;

		row->scan = own_table_scan(row->rel, name, SnapshotSelf);
		if (!HeapTupleIsValid(systable_getnext(row->scan)))
		{
			close_row(row);
			return STORE_GONE;
		}
		slot = (BufferHeapTupleTableSlot *) row->scan->slot;
		row->locked = slot->base.tuple;
		row->buffer = slot->buffer;
		if (lock_version(row, wait))
			break;
		if (!wait)
		{
			close_row(row);
			return STORE_BUSY;
		}
		CHECK_FOR_INTERRUPTS();
	}
	row->tuple = heap_copytuple(row->locked);
	row->hi = (FormData_hilo_hi *) GETSTRUCT(row->tuple);
	if (incarnation == 0 || SameGenerator(row->hi->incarnation, incarnation))
		return STORE_OK;
	hi_row_cancel(row);
	return STORE_GONE;
}

/* Write the changed row, unlock it and return the end of its WAL record. */
XLogRecPtr
hi_row_write(HiRow *row)
{
	delay_at_random();
	heap_inplace_update_and_unlock(row->rel, row->locked, row->tuple,
								   row->buffer);
	delay_at_random();
	close_row(row);
	return XactLastRecEnd;
}

/*
 * Do as hi_row_write, and make every session look at the generator again before
 * it goes on with a range, which neither an interrupt nor a later error
 * prevents.
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
		generators_changed_at_once();
		PG_RE_THROW();
	}
	PG_END_TRY();
	generators_changed_at_once();
	RESUME_INTERRUPTS();
	return XactLastRecEnd;
}

void
hi_row_cancel(HiRow *row)
{
	heap_inplace_unlock(row->rel, row->locked, row->buffer);
	close_row(row);
}

/* Check whether this server made the last allocation, on this timeline. */
bool
hi_is_stamped(const FormData_hilo_hi *hi)
{
	return (TimeLineID) hi->timeline == GetWALInsertionTimeLine() &&
		hi->system_identifier == (int64) GetSystemIdentifier();
}

void
hi_stamp(FormData_hilo_hi *hi, uint32 tenancy)
{
	hi->timeline = (int64) tenancy << 32 | GetWALInsertionTimeLine();
	hi->system_identifier = (int64) GetSystemIdentifier();
}

/*
 * Lock the version that was found; false if it is no longer the last one or,
 * without wait, if that needs waiting.
 */
static bool
lock_version(HiRow *row, bool wait)
{
	if (wait)
		return heap_inplace_lock(row->rel, row->locked, row->buffer,
								 (void (*) (void *)) systable_endscan,
								 row->scan);
	if (!ConditionalLockTuple(row->rel, &row->locked->t_self,
							  InplaceUpdateTupleLock, false))
		return false;
	LockBuffer(row->buffer, BUFFER_LOCK_EXCLUSIVE);
	if (HeapTupleSatisfiesUpdate(row->locked, GetCurrentCommandId(false),
								 row->buffer) == TM_Ok)
		return true;
	heap_inplace_unlock(row->rel, row->locked, row->buffer);
	return false;
}

static void
close_row(HiRow *row)
{
	systable_endscan(row->scan);
	table_close(row->rel, NoLock);
}
