/*
 * hilo_series: the last number of each group of rows that a trigger numbers.
 *
 * A group has one row, and needs no lock but those that core takes for a row.
 * With gaps the row is its maker's until that transaction commits, and is
 * changed in place from then on: the WAL of a change lies before the commit of
 * the row that has the number.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "catalog/indexing.h"

#include "store/store.h"

#define Anum_series_rel 3
#define Anum_series_columns 4
#define Anum_series_grp 5

/* A row; in step with series_row.sql. */
typedef struct FormData_hilo_series
{
	int64		last;
	int32		definition;
	Oid			rel;
	int32		columns;
	text		grp;
} FormData_hilo_series;

#define RowOf(tuple) ((FormData_hilo_series *) GETSTRUCT(tuple))

static uint32
series_hash(const void *key)
{
	const SeriesKey *series = key;

	return text_hash(series->grp) ^ series->rel ^ (uint32) series->columns;
}

static SysScanDesc
series_scan(Relation rel, const void *key, Snapshot snapshot)
{
	const SeriesKey *series = key;
	ScanKeyData keys[3];

	ScanKeyInit(&keys[0], Anum_series_rel, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(series->rel));
	ScanKeyInit(&keys[1], Anum_series_columns, BTEqualStrategyNumber, F_INT4EQ,
				Int32GetDatum(series->columns));
	ScanKeyInit(&keys[2], Anum_series_grp, BTEqualStrategyNumber, F_TEXTEQ,
				PointerGetDatum(series->grp));
	return systable_beginscan(rel, RelationGetPrimaryKeyIndex(rel, false), true,
							  snapshot,
							  lengthof(keys), keys);
}

static bool
series_is_of(Relation rel, HeapTuple tuple, const void *key)
{
	const SeriesKey *series = key;
	FormData_hilo_series *row = RowOf(tuple);

	return row->rel == series->rel && row->columns == series->columns &&
		text_equal(&row->grp, series->grp);
}

static const NumberKind groups = {series_hash, series_scan, series_is_of};

/*
 * Read the last number of a group, also one of this transaction; false if it
 * has no row.
 */
bool
series_last(const SeriesKey *key, int64 *last)
{
	Relation	rel = own_table_open(OWN_SERIES, AccessShareLock);
	bool		found = false;

	/* a row that is replaced at the moment may escape a scan */
	for (int i = 0; i < SCAN_ATTEMPTS && !found; i++)
	{
		SysScanDesc scan = series_scan(rel, key, SnapshotSelf);
		HeapTuple	tuple = systable_getnext(scan);

		found = HeapTupleIsValid(tuple);
		if (found)
			*last = LastOf(tuple);
		systable_endscan(scan);
	}
	table_close(rel, AccessShareLock);
	return found;
}

/* Do as number_change, for the row of a group. */
StoreResult
series_change(const SeriesKey *key, NumberChange *change)
{
	Relation	rel = change->in_place ? own_table_open_durable(OWN_SERIES) :
		own_table_open(OWN_SERIES, RowExclusiveLock);
	StoreResult result;

	change->definition = key->definition;
	result = number_change(rel, &groups, key, change);
	table_close(rel, NoLock);
	return result;
}

/*
 * Insert the row of a group, as core does for ON CONFLICT: STORE_BUSY if
 * another session has been faster.  One that finds a row with a token waits
 * until that is confirmed or gone, not for the transaction, so no two sessions
 * wait for each other.
 */
StoreResult
series_insert(const SeriesKey *key, NumberChange *change)
{
	Relation	rel = own_table_open(OWN_SERIES, RowExclusiveLock);
	TransactionId xid = GetCurrentTransactionId();
	StoreResult result = number_after(0, change);
	bool		nulls[Anum_series_grp] = {0};
	Datum		values[Anum_series_grp] = {
		Int64GetDatum(change->last), Int32GetDatum(key->definition),
		ObjectIdGetDatum(key->rel), Int32GetDatum(key->columns),
		PointerGetDatum(key->grp)
	};
	HeapTuple	tuple = heap_form_tuple(RelationGetDescr(rel), values, nulls);

	/* not as the macro's argument, which it evaluates twice */
	uint32		token = SpeculativeInsertionLockAcquire(xid);
	bool		is_first;

	tuple->t_tableOid = RelationGetRelid(rel);
	HeapTupleHeaderSetSpeculativeToken(tuple->t_data, token);
	/* decoding of the confirmation needs the row in the WAL */
	heap_insert(rel, tuple, GetCurrentCommandId(true), HEAP_INSERT_SPECULATIVE,
				NULL);
	delay_at_random();
	is_first = own_table_index(rel, tuple, UNIQUE_CHECK_PARTIAL);
	if (is_first)
		heap_finish_speculative(rel, &tuple->t_self);
	else
		heap_abort_speculative(rel, &tuple->t_self);
	SpeculativeInsertionLockRelease(xid);
	table_close(rel, NoLock);
	gapless_flush_late();
	CommandCounterIncrement();
	return is_first ? result : STORE_BUSY;
}

/* Delete the rows of a table that is being dropped. */
void
series_delete(Oid relid)
{
	Relation	rel = own_table_open(OWN_SERIES, RowExclusiveLock);
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_series_rel, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(relid));
	scan = systable_beginscan(rel, RelationGetPrimaryKeyIndex(rel, false), true,
							  SnapshotSelf, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		CatalogTupleDelete(rel, &tuple->t_self);
	systable_endscan(scan);
	table_close(rel, NoLock);
}

/*
 * Raise a group to the last number of a dump's row, or make the row, until a
 * rollback.  Its definition is that of another server, so the group will ask its
 * rows.
 */
void
series_restore(Relation rel, HeapTuple tuple)
{
	FormData_hilo_series *row = RowOf(tuple);
	SeriesKey	key =
	{.rel = row->rel,.columns = row->columns,.grp = &row->grp};
	NumberChange change = {.to = Max(row->last, 0)};

	while (series_change(&key, &change) == STORE_GONE &&
		   series_insert(&key, &change) == STORE_BUSY)
		;
}

/*
 * Return the table of a row, InvalidOid if it was missing when the row was
 * read.
 */
Oid
series_table(HeapTuple tuple)
{
	return RowOf(tuple)->rel;
}
