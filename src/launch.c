/*-------------------------------------------------------------------------
 *
 * launch.c
 *	  hilo_launches: the log of launches, which gives them their numbers.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/launch.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xlog.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "catalog.h"
#include "catalog_change.h"
#include "decimal_id.h"
#include "flush.h"
#include "hub.h"
#include "launch.h"
#include "reserved.h"

PG_FUNCTION_INFO_V1(decimal_launch);

enum
{
	Anum_launch_id = 1,
	Anum_launch_note,
	Anum_launch_role,
	Anum_launch_time,
	Natts_launch = Anum_launch_time
};

/* in bytes; a row that stays must not have parts in TOAST, which would not */
#define NOTE_MAX_LENGTH 1000

static void check_note(text *note);
static bool is_logged(int32 id);
static int32 next_launch(const Reserved *reserved);
static void log_launch(int32 id, text *note);

/*
 * decimal_launch(note): the next number of a launch, the hub's if there is one.
 * It is taken, and in the log, whatever becomes of the transaction.
 */
Datum
decimal_launch(PG_FUNCTION_ARGS)
{
	text	   *note = PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0);

	if (*hub_for_decimal_ids == '\0')
		PG_RETURN_INT32(launch_next(note, "decimal_launch()"));
	catalog_require_writable("decimal_launch()");
	PG_RETURN_INT32(hub_launch(note));
}

/*
 * Takes the next number of a launch of this server's own, and logs it.
 */
int32
launch_next(text *note, const char *function)
{
	Reserved	reserved;
	int32		id;

	catalog_require_writable(function);
	check_note(note);

	reserved = reserved_open("launch", LAUNCH_MAX);
	/* a restore may have brought the log without the counter */
	do
		id = next_launch(&reserved);
	while (is_logged(id));
	log_launch(id, note);
	/* no commit may come to do that */
	flush_wal_for_all(XactLastRecEnd, reserved.key.incarnation);
	return id;
}

/*
 * Raises an error if a note is too long.
 */
static void
check_note(text *note)
{
	if (note != NULL && VARSIZE_ANY_EXHDR(note) > NOTE_MAX_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("note is too long"),
				 errdetail("It has %zu bytes, the limit is %d.",
						   (size_t) VARSIZE_ANY_EXHDR(note), NOTE_MAX_LENGTH)));
}

static bool
is_logged(int32 id)
{
	Relation	rel = catalog_open(CATALOG_LAUNCH, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	bool		found;

	ScanKeyInit(&key, Anum_launch_id, BTEqualStrategyNumber, F_INT4EQ,
				Int32GetDatum(id));
	scan = systable_beginscan(rel, catalog_index(rel), true, SnapshotSelf, 1,
							  &key);
	found = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}

/*
 * Takes a number that was never taken before.
 */
static int32
next_launch(const Reserved *reserved)
{
	int64		id = reserved_take(reserved, 1, NULL);

	if (id == 0)
		ereport(ERROR,
				(errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				 errmsg("there is no launch_id left"),
				 errdetail("All of %d were taken.", LAUNCH_MAX)));
	return (int32) id;
}

static void
log_launch(int32 id, text *note)
{
	Relation	rel = catalog_open(CATALOG_LAUNCH, RowExclusiveLock);
	NameData	role;
	Datum		values[Natts_launch];
	bool		nulls[Natts_launch] = {0};
	HeapTuple	tuple;

	namestrcpy(&role, GetUserNameFromId(GetUserId(), false));
	values[Anum_launch_id - 1] = Int32GetDatum(id);
	values[Anum_launch_note - 1] = PointerGetDatum(note);
	nulls[Anum_launch_note - 1] = note == NULL;
	values[Anum_launch_role - 1] = NameGetDatum(&role);
	values[Anum_launch_time - 1] = TimestampTzGetDatum(GetCurrentTimestamp());
	tuple = heap_form_tuple(RelationGetDescr(rel), values, nulls);
	catalog_insert(rel, tuple, true);
	heap_freetuple(tuple);
	table_close(rel, RowExclusiveLock);
}
