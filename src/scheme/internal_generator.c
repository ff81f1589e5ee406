/*
 * hilo's own generators, which keep what the schemes must not repeat.
 *
 * Their names begin with INTERNAL_PREFIX, so only superusers use, seed or drop
 * them.  The first use of a scheme makes them.  Dumps and hilo_generators()
 * have them, too.
 */
#include "postgres.h"

#include "scheme/scheme.h"

SchemeSegment *scheme_segment;

/*
 * Find a generator, or make it, and take its lock to the end of the
 * transaction.
 */
InternalGenerator
internal_open(const char *written, int64 max_value)
{
	text	   *name = cstring_to_text(written);
	InternalGenerator internal = {.name = name,.max_value = max_value};
	Definition	definition = definition_default(name);
	FormData_hilo_hi hi;

	definition.max_value = max_value;
	/* a restore may have brought half of it, which this refuses */
	while (!definition_exists(name) || !store_lock(name, RowExclusiveLock, &hi))
		(void) first_use_of_tag(name, &definition, InvalidOid, true);
	internal.incarnation = hi.incarnation;
	return internal;
}

/*
 * Take one id, at_least so much.  On return it is on disk, and with the
 * standbys.
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
 * Read the last id, and copy the slot of a number, or zeroes if there is none.
 * Return the slot if it is this generator's and this server took that id, else
 * NULL.
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
	return found->taken == internal->last &&
		found->key.database == MyDatabaseId &&
		found->key.incarnation == internal->incarnation ? slot : NULL;
}

/*
 * Find the slot of a number: this database's or else, if so asked, another's;
 * NULL if there is none.  With a claim, the slot becomes that generator's.  If
 * there is none, slots are claimed in turn: first the free ones, then used
 * ones, whose generators begin anew then, like after a restart.  The caller
 * holds shared_lock, for a claim exclusively.
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
