/*
 * hilo's own generators, which keep numbers that the schemes must not repeat.
 *
 * Their names begin with INTERNAL_PREFIX, so only superusers may use, seed or
 * drop them.  The first use of a scheme creates them.  Dumps and
 * hilo_generators() show them, too.
 */
#include "postgres.h"

#include "scheme/scheme.h"

SchemeSegment *scheme_segment;

/*
 * Find or create a generator, and lock it until the end of the transaction: it
 * cannot be dropped between two of its numbers.
 */
InternalGenerator
internal_open(const char *written, int64 max_value)
{
	text	   *name = cstring_to_text(written);
	InternalGenerator internal = {.name = name,.max_value = max_value};
	Definition	definition = definition_default(name);
	FormData_hilo_hi hi;

	definition.max_value = max_value;
	/* this reports an error if only a part of it has been restored */
	while (!definition_exists(name) || !store_lock(name, RowExclusiveLock, &hi))
		(void) first_use_of_tag(name, &definition, InvalidOid, true);
	internal.incarnation = hi.incarnation;
	return internal;
}

/*
 * Return the next id, but not below at_least.  It has been flushed to disk, and
 * to the synchronous standbys.
 */
int64
internal_take(InternalGenerator internal, int64 at_least)
{
	StoreRequest request = {
		.name = internal.name,
		.incarnation = internal.incarnation,
		.max_value = internal.max_value,
		.size = 1,
		.last_max = at_least - 1,
	};
	StoreResult result = store_take(&request);

	if (result == STORE_EXHAUSTED)
		ereport(ERROR,
				errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				errmsg("generator \"%s\" has reached its max_value (%lld)",
					   text_to_cstring(internal.name),
					   (long long) internal.max_value),
				errhint("Set hilo.launch_id to a launch that has generator_ids left."));
	if (result != STORE_OK)
		elog(ERROR, "generator \"%s\" vanished under its lock",
			 text_to_cstring(internal.name));
	(void) flush_wal(request.lsn);
	return request.taken.range.low;
}

/*
 * Read the last id of a generator, and copy the slot of a number, or zeroes if
 * there is none.  Return the slot if it belongs to this generator and this
 * server took the last id, else NULL.
 */
SchemeSlot *
internal_find(InternalGenerator *internal, int32 number, bool of_any_database,
			  SchemeSlot *found)
{
	FormData_hilo_hi hi;
	SchemeSlot *slot;

	internal->last = store_read(internal->name, &hi) ? hi.reserved : 0;
	memset(found, 0, sizeof(*found));
	LWLockAcquire(shared_lock, LW_SHARED);
	slot = internal_slot(number, of_any_database, 0);
	if (slot != NULL)
		*found = *slot;
	LWLockRelease(shared_lock);
	if (found->taken != internal->last ||
		found->key.database != MyDatabaseId ||
		found->key.incarnation != internal->incarnation)
		return NULL;
	return slot;
}

/*
 * Find the slot of a number in this database or, with of_any_database, in
 * another one.  Return NULL if there is none.
 *
 * A claim, which is not 0, is the incarnation of a generator that gets the
 * slot.  If the number has no slot, slots are claimed in turn, free ones first.
 * A generator that loses its slot starts again, like after a restart.
 *
 * The caller holds shared_lock, exclusively for a claim.
 */
SchemeSlot *
internal_slot(int32 number, bool of_any_database, int64 claim)
{
	SchemeSegment *segment = scheme_segment;
	SchemeSlot *found = NULL;

	for (SchemeSlot *slot = segment->slots;
		 slot < segment->slots + SCHEME_SLOTS; slot++)
	{
		/* free slots have number 0, which only this database is searched for */
		if (slot->number == number &&
			(slot->key.database == MyDatabaseId ||
			 (of_any_database && found == NULL)))
			found = slot;
	}
	if (claim == 0)
		return found;
	if (found == NULL)
		found = &segment->slots[segment->next++ % SCHEME_SLOTS];
	found->key = window_key(claim);
	found->number = number;
	return found;
}
