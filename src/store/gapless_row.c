/*
 * hilo_gapless: the last id of each generator without gaps.
 *
 * It is an ordinary row, updated by the caller's transaction, so a rollback
 * takes the number back.  Whoever changes it holds a lock of the generator.
 *
 * The row is apart from hilo_hi because a row that is updated must not be changed
 * in place, nor the other way round: the rollback of one would lose the other.
 */
#include "postgres.h"

#include "access/heapam.h"

#include "store/store.h"

/* Read the last number of a name, also one of this transaction; false if there is none. */
bool
gapless_last(text *name, int64 *last)
{
	HeapTuple	tuple = catalog_copy(CATALOG_GAPLESS, name);

	if (!HeapTupleIsValid(tuple))
		return false;
	/* its first column */
	*last = *(int64 *) GETSTRUCT(tuple);
	return true;
}

/* Return the last number of a gapless generator; report an error if it has none. */
int64
gapless_require_last(text *name)
{
	int64		last;

	if (!gapless_last(name, &last))
		definition_refuse_incomplete(name);
	return last;
}

/*
 * Set the last number of a name, and make that visible to the current command,
 * which may ask for the next one.
 *
 * A version that this very (sub)transaction has made is nobody else's yet, and goes
 * with it: it is written over, by one of the same length.  Else each number that a
 * transaction takes would leave a version for the next to find its way past.
 */
void
gapless_update(text *name, int64 last)
{
	Relation	rel = catalog_open(CATALOG_GAPLESS, RowExclusiveLock);
	SysScanDesc scan = catalog_scan(rel, name, SnapshotSelf);
	HeapTuple	tuple = systable_getnext(scan);
	HeapTuple	changed = catalog_form(rel, &last, NULL, name);
	BufferHeapTupleTableSlot *slot = (BufferHeapTupleTableSlot *) scan->slot;

	Assert(HeapTupleIsValid(tuple));
	if (TransactionIdEquals(HeapTupleHeaderGetXmin(tuple->t_data),
							GetCurrentTransactionIdIfAny()))
	{
		if (!heap_inplace_lock(rel, slot->base.tuple, slot->buffer, store_end_scan, scan))
			elog(ERROR, "row of hilo_gapless is locked by somebody who cannot see it");
		changed->t_self = slot->base.tuple->t_self;
		heap_inplace_update_and_unlock(rel, slot->base.tuple, changed, slot->buffer);
	}
	else
		catalog_update(rel, &tuple->t_self, changed);
	systable_endscan(scan);
	table_close(rel, NoLock);
	gapless_flush_late();
}

/*
 * Prepare a row of a dump to be inserted, at 0 at least; or, where the name
 * exists, raise its last number to that of the dump, and return NULL.
 */
HeapTuple
gapless_restore(Relation rel, HeapTuple tuple)
{
	text	   *name = catalog_name(rel, tuple);
	int64		last = *(int64 *) GETSTRUCT(tuple);
	Definition	definition;
	FormData_hilo_hi hi;

	if (gapless_raise(name, last))
		return NULL;

	/* here the generator has another ordering */
	if (definition_find(name, &definition) &&
		definition.holder != HELD_BY_NOBODY && store_read(name, &hi))
	{
		(void) store_seed(name, last, SEED_PASS, definition.max_value);
		return NULL;
	}
	last = Max(last, 0);
	return catalog_form(rel, &last, NULL, name);
}

/* Raise the last number of a name, also in a restore; false if it has no row. */
bool
gapless_raise(text *name, int64 to)
{
	FormData_hilo_hi hi;
	int64		last;

	if (!gapless_last(name, &last))
		return false;
	/* nobody drops it: a restore's lock on hilo_generator keeps them out */
	if (to > last && store_read(name, &hi))
		(void) gapless_seed(name, hi.incarnation, to, false);
	return true;
}

/*
 * Raise the last number to value, or set it if forced, in the current
 * transaction; return the result.  What changes nothing keeps nobody waiting.
 */
int64
gapless_seed(text *name, int64 incarnation, int64 value, bool force)
{
	int64		last;

	lock_generator(incarnation, ShareUpdateExclusiveLock);
	last = gapless_require_last(name);
	if (force || value > last)
		gapless_update(name, value);
	else
		unlock_generator(incarnation, ShareUpdateExclusiveLock);
	return force ? value : Max(value, last);
}
