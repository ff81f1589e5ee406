/*
 * Whether what a table draws with, a default or a trigger, may draw from a
 * generator.  The tables' owners must have a right to it: the role of a
 * statement may have one, and the owner of a default not.
 */
#include "postgres.h"

#include "call/call.h"

static void first_use_by_trigger(SessionEntry *entry, Oid relid);

/*
 * If the call is a default's, report an error unless the tables that the
 * statement writes to may draw from the generator, which is made if need be.
 */
void
drawing_check_default(SessionEntry *entry, FuncExpr *call)
{
	uint64		now;

	/* in a read-only transaction, next_id reports an error */
	if (XactReadOnly || !session_call_is_stored(call))
		return;
	session_revalidate(entry);
	/* core asks for the right to a sequence, and for no other */
	if (entry->definition.holder == HELD_BY_SEQUENCE)
		return;
	now = relation_changes;
	if (entry->disputed_at != now)
	{
		List	   *disputed = privilege_disputed(entry->name);
		MemoryContext before =
			MemoryContextSwitchTo(GetMemoryChunkContext(entry->name));

		list_free(entry->disputed);
		entry->disputed = list_copy(disputed);
		entry->disputed_at = now;
		entry->drawn_at.transaction = InvalidLocalTransactionId;
		MemoryContextSwitchTo(before);
	}
	if (entry->disputed == NIL || is_now(entry->drawn_at))
		return;
	privilege_require_targets(entry->name, entry->disputed);
	/* in use now, so that a statement within this one has another number */
	(void) GetCurrentCommandId(true);
	entry->drawn_at = this_moment();
}

/*
 * Report an error unless the table of a trigger may draw from the generator.
 * Make the generator if there is none; it belongs to the table's owner, if only
 * that role could have made the trigger.
 */
void
drawing_check_trigger(SessionEntry *entry, Oid relid)
{
	if (XactReadOnly)
		return;
	if (entry_is_current(entry) &&
		entry->checked_table == relid &&
		entry->checked_at == relation_changes)
		return;
	if (!definition_exists(entry->name) && !citus_is_worker() &&
		definition_is_user_named(entry->name))
		first_use_by_trigger(entry, relid);
	session_revalidate(entry);
	privilege_require_draw(entry->name, relid);
	entry->checked_table = relid;
	entry->checked_at = relation_changes;
}

static void
first_use_by_trigger(SessionEntry *entry, Oid relid)
{
	foreach_ptr(ColumnDefault, column,
				column_default_of_table(relid, 0, entry->name))
	{
		if (column->by_trigger && column_default_is_by_owner(column, true))
		{
			first_use_with_notice(entry->name, entry->definition.written,
								  relation_owner(relid));
			return;
		}
	}
}
