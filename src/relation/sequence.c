/* A sequence: its options, its state, and the column that owns it. */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/dependency.h"

#include "relation/relation.h"

FormData_pg_sequence
sequence_form(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(SEQRELID, ObjectIdGetDatum(relid));
	FormData_pg_sequence form;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("relation with OID %u does not exist", relid));
	form = *(Form_pg_sequence) GETSTRUCT(tuple);
	ReleaseSysCache(tuple);
	return form;
}

FormData_pg_sequence_data
sequence_state(Oid relid)
{
	Relation	rel = relation_open(relid, AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, SnapshotAny,
										  0, NULL);
	HeapTuple	tuple = systable_getnext(scan);
	FormData_pg_sequence_data state;

	/* ALTER SEQUENCE gives it another file, and waits for no reader */
	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_IN_USE),
				errmsg("sequence \"%s\" is being altered",
					   RelationGetRelationName(rel)));
	state = *(Form_pg_sequence_data) GETSTRUCT(tuple);
	systable_endscan(scan);
	relation_close(rel, AccessShareLock);
	return state;
}

/* Return the next value of a sequence, which the caller has locked. */
int64
sequence_next(FormData_pg_sequence_data state, int64 increment)
{
	int64		value = state.last_value;

	if (state.is_called && pg_add_s64_overflow(value, increment, &value))
		return PG_INT64_MAX;
	return value;
}

/*
 * Return the sequence of a column's identity; with_others: and others that
 * the column owns.
 */
List *
sequence_owned(Oid relid, AttrNumber attnum, bool with_others)
{
	List	   *sequences = NIL;

	foreach_oid(sequence, getOwnedSequences(relid))
	{
		Oid			table;
		int32		column = 0;
		bool		is_identity = sequenceIsOwned(sequence, DEPENDENCY_INTERNAL,
												  &table, &column);

		if (!is_identity)
			(void) sequenceIsOwned(sequence, DEPENDENCY_AUTO, &table, &column);
		if (column == attnum && is_identity)
			sequences = lcons_oid(sequence, sequences);
		else if (column == attnum && with_others)
			sequences = lappend_oid(sequences, sequence);
	}
	return sequences;
}
