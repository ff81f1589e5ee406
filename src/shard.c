/*-------------------------------------------------------------------------
 *
 * shard.c
 *	  Which shard a bucket belongs to, and buckets by prefix.
 *
 * hilo_shards is a map from buckets to shards: a range of buckets goes from
 * one row's bucket_start to that of the next.  Ids with one of the prefixes in
 * hilo_prefixes have another million of buckets each, with a map of its own
 * in the same table.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/shard.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/skey.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "common/int.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "anchor.h"
#include "case_fold.h"
#include "catalog.h"
#include "compat.h"
#include "lock.h"

PG_FUNCTION_INFO_V1(anchor_bucket_prefixed);
PG_FUNCTION_INFO_V1(anchor_bucket_prefixed_by);
PG_FUNCTION_INFO_V1(anchor_shard);
PG_FUNCTION_INFO_V1(hilo_shards_check);

/* keep in step with shard.sql */
enum
{
	Anum_shards_bucket_start = 1,
	Anum_shards_shard
};
enum
{
	Anum_prefixes_bucket_start = 1,
	Anum_prefixes_prefix,
	Anum_prefixes_folded
};

/* the buckets of a bucket's prefix: first to last */
#define FIRST_OF(bucket) ((bucket) - (bucket) % ANCHOR_BUCKETS)
#define LAST_OF(bucket) (FIRST_OF(bucket) + (ANCHOR_BUCKETS - 1))

/*
 * A row of hilo_shards.
 */
typedef struct ShardRow
{
	int32		bucket_start;
	int32		shard;
} ShardRow;

/*
 * The longest prefix that an id, in lower case, begins with.
 */
typedef struct PrefixMatch
{
	text	   *id;
	int			length;			/* 0: there is none */
	int32		bucket_start;
} PrefixMatch;

static Oid	table_beside(FunctionCallInfo fcinfo, const char *name);
static int	bucket_by_table(text *id, Oid prefixes);
static void match_prefix(PrefixMatch *match, text *prefix, int32 bucket_start);
static bool find_row(Relation rel, Snapshot snapshot, ScanDirection direction,
					 int32 from, int32 to, ShardRow *row);
static void check_around(Relation rel, Snapshot snapshot, int32 bucket);
static int32 bucket_start_of(HeapTuple tuple, TupleDesc desc);

/*
 * anchor_bucket_prefixed(id): the bucket of an id, by hilo_prefixes.
 */
Datum
anchor_bucket_prefixed(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(bucket_by_table(PG_GETARG_TEXT_PP(0),
									table_beside(fcinfo, "hilo_prefixes")));
}

/*
 * anchor_bucket_prefixed(id, prefixes, bucket_starts): the bucket of an id, by
 * these prefixes, which are in lower case.
 */
Datum
anchor_bucket_prefixed_by(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	PrefixMatch match = {
		.id = case_fold(VARDATA_ANY(id), VARSIZE_ANY_EXHDR(id))
	};
	Datum	   *prefixes;
	Datum	   *starts;
	int			nprefixes;
	int			nstarts;
	int32		bucket;

	/* an array with a null is refused here */
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), TEXTOID, -1, false,
					  TYPALIGN_INT, &prefixes, NULL, &nprefixes);
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(2), INT4OID, sizeof(int32), true,
					  TYPALIGN_INT, &starts, NULL, &nstarts);
	if (nprefixes != nstarts)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("prefixes and bucket_starts must have the same number of elements")));

	for (int i = 0; i < nprefixes; i++)
		match_prefix(&match, DatumGetTextPP(prefixes[i]),
					 DatumGetInt32(starts[i]));
	if (pg_add_s32_overflow(match.bucket_start, anchor_bucket_of_id(id),
							&bucket))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("bucket is out of range")));
	PG_RETURN_INT32(bucket);
}

/*
 * anchor_shard(id): the shard of an id, by hilo_shards and hilo_prefixes.
 */
Datum
anchor_shard(PG_FUNCTION_ARGS)
{
	int32		bucket = bucket_by_table(PG_GETARG_TEXT_PP(0),
										 table_beside(fcinfo, "hilo_prefixes"));
	Relation	rel = table_open(table_beside(fcinfo, "hilo_shards"),
								 AccessShareLock);
	ShardRow	row;

	if (!find_row(rel, GetActiveSnapshot(), BackwardScanDirection,
				  FIRST_OF(bucket), bucket, &row))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("bucket %d belongs to no shard", bucket),
				 errhint("Insert the ranges of each shard into hilo_shards, from bucket %d on.",
						 FIRST_OF(bucket))));
	table_close(rel, AccessShareLock);
	PG_RETURN_INT32(row.shard);
}

/*
 * hilo_shards_check(): trigger, at the end of a transaction that has changed
 * a row of hilo_shards.
 *
 * What other transactions have changed was checked without our rows, and ours
 * without theirs, so checks take turns to the end of their transactions, and
 * see what is committed by then, under any isolation level.
 */
Datum
hilo_shards_check(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	Relation	rel;
	TupleDesc	desc;
	Snapshot	snapshot;

	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_AFTER(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		RelationGetRelid(trigger->tg_relation) != table_beside(fcinfo, "hilo_shards"))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("hilo_shards_check() can only be called as a row trigger after a change of hilo_shards")));

	rel = trigger->tg_relation;
	desc = RelationGetDescr(rel);
	lock_check(RelationGetRelid(rel));

	/* the change may be of the current command */
	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	check_around(rel, snapshot, bucket_start_of(trigger->tg_trigtuple, desc));
	if (TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
		check_around(rel, snapshot,
					 bucket_start_of(trigger->tg_newtuple, desc));
	UnregisterSnapshot(snapshot);
	PG_RETURN_POINTER(NULL);
}

/*
 * Gives the OID of a table in the schema of the function that is called, which
 * is the extension's.
 */
static Oid
table_beside(FunctionCallInfo fcinfo, const char *name)
{
	return get_relname_relid(name,
							 get_func_namespace(fcinfo->flinfo->fn_oid));
}

/*
 * Gives the bucket of an id, which is that of its anchor, in the million of
 * the longest prefix in hilo_prefixes that the whole id begins with.
 */
static int
bucket_by_table(text *id, Oid prefixes)
{
	Relation	rel = table_open(prefixes, AccessShareLock);
	PrefixMatch match = {
		.id = case_fold(VARDATA_ANY(id), VARSIZE_ANY_EXHDR(id))
	};
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false,
										  GetActiveSnapshot(), 0, NULL);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		bool		isnull;
		Datum		prefix = heap_getattr(tuple, Anum_prefixes_folded,
										  RelationGetDescr(rel), &isnull);

		match_prefix(&match, DatumGetTextPP(prefix),
					 bucket_start_of(tuple, RelationGetDescr(rel)));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	pfree(match.id);
	/* within an int, by the table's constraint */
	return match.bucket_start + anchor_bucket_of_id(id);
}

/*
 * Takes a prefix in lower case, and where its buckets begin, if the id begins
 * with it and with no longer one so far.
 */
static void
match_prefix(PrefixMatch *match, text *prefix, int32 bucket_start)
{
	int			length = VARSIZE_ANY_EXHDR(prefix);
	int			id_length = VARSIZE_ANY_EXHDR(match->id);

	if (length > match->length && length <= id_length &&
		memcmp(VARDATA_ANY(match->id), VARDATA_ANY(prefix), length) == 0)
	{
		match->length = length;
		match->bucket_start = bucket_start;
	}
}

/*
 * Finds the first row, in the direction, of the buckets from .. to.
 */
static bool
find_row(Relation rel, Snapshot snapshot, ScanDirection direction,
		 int32 from, int32 to, ShardRow *row)
{
	Relation	index = index_open(catalog_index(rel), AccessShareLock);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&keys[0], Anum_shards_bucket_start,
				BTGreaterEqualStrategyNumber, F_INT4GE, Int32GetDatum(from));
	ScanKeyInit(&keys[1], Anum_shards_bucket_start,
				BTLessEqualStrategyNumber, F_INT4LE, Int32GetDatum(to));
	scan = systable_beginscan_ordered(rel, index, snapshot, lengthof(keys),
									  keys);
	tuple = systable_getnext_ordered(scan, direction);
	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;

		row->bucket_start = bucket_start_of(tuple, RelationGetDescr(rel));
		row->shard = DatumGetInt32(heap_getattr(tuple, Anum_shards_shard,
												RelationGetDescr(rel),
												&isnull));
	}
	systable_endscan_ordered(scan);
	index_close(index, AccessShareLock);
	return HeapTupleIsValid(tuple);
}

/*
 * Raises an error unless the map is as it must be where a row was changed: it
 * has no rows or begins with the first bucket, and no two neighbors belong to
 * the same shard.
 */
static void
check_around(Relation rel, Snapshot snapshot, int32 bucket)
{
	ShardRow	rows[3] = {0};
	int			nrows = 0;
	ShardRow   *row;

	if (bucket > FIRST_OF(bucket))
		nrows += find_row(rel, snapshot, BackwardScanDirection,
						  FIRST_OF(bucket), bucket - 1, &rows[nrows]);
	nrows += find_row(rel, snapshot, ForwardScanDirection,
					  bucket, LAST_OF(bucket), &rows[nrows]);
	if (nrows > 0 && rows[nrows - 1].bucket_start == bucket &&
		bucket < LAST_OF(bucket))
		nrows += find_row(rel, snapshot, ForwardScanDirection,
						  bucket + 1, LAST_OF(bucket), &rows[nrows]);

	if (nrows > 0 && rows[0].bucket_start > FIRST_OF(bucket) &&
		rows[0].bucket_start >= bucket)
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("bucket %d belongs to no shard", FIRST_OF(bucket)),
				 errdetail("The first range in hilo_shards above it begins at bucket %d.",
						   rows[0].bucket_start),
				 errtable(rel)));
	for (row = rows; row + 1 < rows + nrows; row++)
	{
		if (row[0].shard == row[1].shard)
			ereport(ERROR,
					(errcode(ERRCODE_CHECK_VIOLATION),
					 errmsg("neighbors in hilo_shards belong to the same shard"),
					 errdetail("The ranges that begin at buckets %d and %d belong to shard %d.",
							   row[0].bucket_start, row[1].bucket_start,
							   row[0].shard),
					 errhint("Delete the row of the second one."),
					 errtable(rel)));
	}
}

static int32
bucket_start_of(HeapTuple tuple, TupleDesc desc)
{
	bool		isnull;

	StaticAssertStmt((int) Anum_shards_bucket_start == (int) Anum_prefixes_bucket_start,
					 "both tables begin with the bucket");
	return DatumGetInt32(heap_getattr(tuple, Anum_shards_bucket_start, desc,
									  &isnull));
}
