/*-------------------------------------------------------------------------
 *
 * sequence.c
 *	  The options and the state of a sequence.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/sequence.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/tableam.h"
#include "executor/tuptable.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "sequence.h"

/*
 * Gives the row of pg_sequence.
 */
FormData_pg_sequence
sequence_form(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(SEQRELID, ObjectIdGetDatum(relid));
	FormData_pg_sequence form;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for sequence %u", relid);
	form = *(Form_pg_sequence) GETSTRUCT(tuple);
	ReleaseSysCache(tuple);
	return form;
}

/*
 * Reads the row of a sequence.
 */
FormData_pg_sequence_data
sequence_state(Oid relid)
{
	Relation	rel = relation_open(relid, AccessShareLock);
	TableScanDesc scan = table_beginscan(rel, SnapshotAny, 0, NULL);
	TupleTableSlot *slot = table_slot_create(rel, NULL);
	FormData_pg_sequence_data state = {0};

	if (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		bool		isnull;

		state.last_value = DatumGetInt64(slot_getattr(slot, SEQ_COL_LASTVAL,
													  &isnull));
		state.is_called = DatumGetBool(slot_getattr(slot, SEQ_COL_CALLED,
													&isnull));
	}
	ExecDropSingleTupleTableSlot(slot);
	table_endscan(scan);
	relation_close(rel, AccessShareLock);
	return state;
}
