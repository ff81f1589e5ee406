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
 * report and no large allocation there.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "storage/bufmgr.h"

#include "store/store.h"

static void end_scan(void *scan);
static void close_row(HiRow *row);

/*
 * Lock the row of a name against every change and every other locker.  Return
 * STORE_GONE if it belongs to another generator than the incarnation does; 0
 * allows every generator.
 *
 * Waits for any holder of the row, even by SELECT FOR UPDATE.  Like core's
 * systable_inplace_update_begin, except for the snapshot: core's catalog
 * snapshot would leave predicate locks on a table like ours.
 */
StoreResult
hi_row_lock(HiRow *row, text *name, int64 incarnation)
{
	/* for hi_row_write_new_life, which runs under the lock of a buffer */
	shared_memory_attach();
	row->rel = own_table_open_durable(OWN_HI);
	do
	{
		BufferHeapTupleTableSlot *slot;

		CHECK_FOR_INTERRUPTS();
		row->scan = own_table_scan(row->rel, name, SnapshotSelf);
		if (!HeapTupleIsValid(systable_getnext(row->scan)))
		{
			close_row(row);
			return STORE_GONE;
		}
		slot = (BufferHeapTupleTableSlot *) row->scan->slot;
		row->locked = slot->base.tuple;
		row->buffer = slot->buffer;
	} while (!heap_inplace_lock(row->rel, row->locked, row->buffer, end_scan,
								row->scan));
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
 * Do as hi_row_write with another incarnation, so that every session looks at
 * the generator again before it goes on with a range.
 *
 * Raise the life word first, so that no error can come between.  No session
 * reads the row before it is changed, as the buffer is locked.
 */
XLogRecPtr
hi_row_write_new_life(HiRow *row)
{
	row->hi->incarnation = NextIncarnation(row->hi->incarnation);
	pg_atomic_fetch_add_u64(life_word, 1);
	return hi_row_write(row);
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

/* Callback of heap_inplace_lock, before a wait. */
static void
end_scan(void *scan)
{
	systable_endscan(scan);
}

static void
close_row(HiRow *row)
{
	systable_endscan(row->scan);
	table_close(row->rel, NoLock);
}
