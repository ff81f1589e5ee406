/*
 * Columns that draw from a sequence.  Neither the default nor the sequence is
 * changed: it goes up to the rows, and a trigger has it follow them.
 *
 * No writer of the tables is left, and readers go on, as with CREATE TRIGGER.
 */
#include "postgres.h"

#include "column/column.h"

static void require_fit(Oid relid, const char *column, Oid sequence);

/*
 * Have the sequence that a column, or its namesake in a table above, draws from
 * follow the ids in its rows, or no longer.  Return false, without a change, if
 * there is none.  What is so already takes no lock that stops others.
 */
bool
sequence_attach(Oid relid, const char *name, Follow follow)
{
	Column		column;
	ColumnDefault found;
	List	   *above;
	List	   *sequences = NIL;

	relation_require_kind(relid, true, false, GetUserId());
	if (!OidIsValid(stream_of_column(relid, name, &above).sequence))
		return false;
	if (follow_is_done(relid, name, follow))
		return true;
	column = column_lock_own(relid, name, ShareRowExclusiveLock);
	/* another session may have changed it meanwhile */
	found = stream_of_column(relid, name, &above);
	if (!OidIsValid(found.sequence))
		return false;
	column_require_number(relid, column.attnum, "");
	refuse_other_parent(&column, found.generator);
	if (follow == FOLLOW_NO)
	{
		(void) follow_drop(&column);
		return true;
	}
	column_refuse_numbered(relid, name);
	foreach_oid(table, column.tables)
	{
		Oid			sequence = column_default_find(table, name).sequence;

		/* a part that names the same sequence may be another role's */
		if (table == relid)
			sequence = found.sequence;
		else if (!OidIsValid(sequence) || sequence == found.sequence)
			continue;
		require_fit(table, name, sequence);
		sequences = list_append_unique_oid(sequences, sequence);
	}
	column_follow(&column, found.generator, follow);
	foreach_oid(sequence, sequences)
		(void) resync_generator(column, key_of_relation(sequence));
	return true;
}

/*
 * Report an error unless a sequence can follow the rows of a table, whose owner
 * must be able to raise it.  Lock it, so that it does not change before the end
 * of the transaction.
 */
static void
require_fit(Oid relid, const char *column, Oid sequence)
{
	sequence_refuse_citus(relid, column, sequence);
	stream_refuse_adopted(sequence);
	(void) lock_table(sequence, RowExclusiveLock, true);
	if (pg_class_aclcheck(sequence, relation_owner(relid),
						  ACL_UPDATE) != ACLCHECK_OK)
		sequence_report_owner(sequence, relid);
	sequence_report_fault(sequence, relid, ERROR);
}
