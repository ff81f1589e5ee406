/* A sequence: its options, its state, and the column that owns it. */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/dependency.h"

#include "relation/relation.h"

static bool find_form(Oid relid, FormData_pg_sequence *form);

FormData_pg_sequence
sequence_form(Oid relid)
{
	FormData_pg_sequence form;

	if (!find_form(relid, &form))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("relation with OID %u does not exist", relid));
	return form;
}

static bool
find_form(Oid relid, FormData_pg_sequence *form)
{
	HeapTuple	tuple = SearchSysCache1(SEQRELID, ObjectIdGetDatum(relid));

	if (!HeapTupleIsValid(tuple))
		return false;
	*form = *(Form_pg_sequence) GETSTRUCT(tuple);
	ReleaseSysCache(tuple);
	return true;
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

/* Return the last value of a sequence; if there is none, the one before. */
int64
sequence_last(Oid relid)
{
	FormData_pg_sequence form = sequence_form(relid);
	FormData_pg_sequence_data state = sequence_state(relid);
	int64		last;

	if (state.is_called ||
		pg_sub_s64_overflow(state.last_value, form.seqincrement, &last))
		return state.last_value;
	return last;
}

/* Return the number up to which no id of rows meets a value of a sequence. */
int64
sequence_floor(Oid relid)
{
	int64		lowest = sequence_form(relid).seqmin;

	return lowest < 1 ? Max(lowest, PG_INT64_MIN + 1) - 1 : 0;
}

/* Report that the owner of a table must be able to raise a sequence. */
void
sequence_report_owner(Oid sequence, Oid relid)
{
	char	   *owner = GetUserNameFromId(relation_owner(relid), false);

	ereport(ERROR,
			errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			errmsg("permission denied for sequence %s",
				   get_rel_name(sequence)),
			errdetail("The sequence is raised with the rights of the owner of table %s.",
					  relation_name(relid)),
			errhint("Run GRANT UPDATE ON SEQUENCE %s TO %s.",
					relation_name(sequence), quote_identifier(owner)));
}

/*
 * Return why a sequence cannot follow the ids in rows, and set the options with
 * which it can.  NULL: it can, or is gone.
 */
const char *
sequence_fault(Oid relid, const char **mend)
{
	FormData_pg_sequence form;

	if (!find_form(relid, &form))
		return NULL;
	if (form.seqincrement < 0)
	{
		*mend = "INCREMENT 1 NO MINVALUE NO MAXVALUE START 1 RESTART";
		return "It counts down.";
	}
	if (form.seqcycle)
	{
		*mend = "NO CYCLE";
		return "It cycles, so that its values come again.";
	}
	*mend = "CACHE 1";
	if (form.seqcache != 1)
		return "Sessions keep values of its CACHE that rows may have passed.";
	return NULL;
}

/* Report that a sequence cannot follow the ids of a table, if that is so. */
void
sequence_report_fault(Oid sequence, Oid relid, int elevel)
{
	const char *mend;
	const char *fault = sequence_fault(sequence, &mend);
	char	   *name = relation_name(sequence);

	if (fault == NULL)
		return;
	ereport(elevel,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("sequence %s cannot follow the ids of table \"%s\"",
				   name, get_rel_name(relid)),
			errdetail("%s", fault),
			errhint("Run ALTER SEQUENCE %s %s.", name, mend));
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

/*
 * Return the sequence of an identity; that of a partition is the whole's.
 * InvalidOid: the column is none.
 */
Oid
sequence_of_identity(Oid relid, AttrNumber attnum)
{
	const char *name = get_attname(relid, attnum, true);

	if (name == NULL)
		return InvalidOid;
	foreach_oid(table, relation_ancestors(relid, NIL))
	{
		List	   *owned = sequence_owned(table, get_attnum(table, name),
										   false);

		if (owned != NIL)
			return linitial_oid(owned);
	}
	return InvalidOid;
}

/* Return the generator that takes its blocks from a sequence, or NULL. */
text *
sequence_generator(Oid sequence)
{
	Relation	rel = own_table_open(OWN_SOURCE, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	text	   *generator = NULL;

	/* an adoption changes it */
	watch_relation(own_table_relid(OWN_HI));
	/* the relation is the first column */
	ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(sequence));
	scan = systable_beginscan(rel, InvalidOid, false, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		generator =
			DatumGetTextPCopy(PointerGetDatum(own_table_name(rel, tuple)));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return generator;
}
