/*
 * The bounds of trace ids: no id of a node number has a second above its bound,
 * which is on disk.
 *
 * The bound is the number of a generator of hilo's own.  Its name begins with
 * INTERNAL_PREFIX, so only superusers may use, seed or drop it.  The first use
 * creates it.  Dumps and hilo_generators() show it, too.
 */
#include "postgres.h"

#include "scheme/scheme.h"

TraceSegment *trace_segment;

static TraceSlot *find_slot(int node_no);

/*
 * Find or create the bound of a node number, and lock it until
 * trace_bound_close; it cannot be dropped until the end of the transaction.
 */
TraceBound
trace_bound_open(int node_no)
{
	TraceBound	bound = {
		.node_no = node_no,
		.name = cstring_to_text(psprintf(INTERNAL_PREFIX "trace_id/%d",
										 node_no))
	};
	Definition	definition = definition_default(bound.name);
	FormData_hilo_hi hi;
	TraceSlot  *slot;

	/* this reports an error if only a part of it has been restored */
	while (!definition_exists(bound.name) ||
		   !store_lock(bound.name, RowExclusiveLock, &hi))
		(void) first_use_of_tag(bound.name, &definition, InvalidOid, true);
	bound.incarnation = hi.incarnation;
	lock_window(bound.incarnation);
	bound.second = store_read(bound.name, &hi) ? hi.reserved : 0;
	LWLockAcquire(shared_lock, LW_SHARED);
	slot = find_slot(node_no);
	bound.is_of_this_start = slot != NULL &&
		slot->key.incarnation == bound.incarnation &&
		slot->bound == bound.second;
	LWLockRelease(shared_lock);
	return bound;
}

/* Raise the bound; it is on disk, and on the synchronous standbys. */
void
trace_bound_raise(TraceBound *bound, int64 second)
{
	StoreRequest request = {
		.name = bound->name,
		.incarnation = bound->incarnation,
		.max_value = PG_INT64_MAX,
		.size = 1,
		.last_max = second - 1,
	};

	if (store_take(&request) != STORE_OK)
		elog(ERROR, "generator \"%s\" cannot be raised to %lld",
			 text_to_cstring(bound->name), (long long) second);
	(void) flush_wal(request.lsn);
	bound->second = request.taken.range.low;
}

/*
 * Note that the word in shared memory counts all ids up to the bound, and
 * unlock it.  Slots are claimed in turn; a bound that loses its slot is that of
 * an earlier start.
 */
void
trace_bound_close(const TraceBound *bound)
{
	TraceSlot  *slot;

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	slot = find_slot(bound->node_no);
	if (slot == NULL)
		slot = &trace_segment->slots[trace_segment->next++ % TRACE_SLOTS];
	slot->key = window_key(bound->incarnation);
	slot->node_no = bound->node_no;
	slot->bound = bound->second;
	LWLockRelease(shared_lock);
	unlock_window(bound->incarnation);
}

/* Return the slot of a node number in this database, or NULL. */
static TraceSlot *
find_slot(int node_no)
{
	for (TraceSlot *slot = trace_segment->slots;
		 slot < trace_segment->slots + TRACE_SLOTS; slot++)
	{
		if (slot->node_no == node_no && slot->key.database == MyDatabaseId)
			return slot;
	}
	return NULL;
}
