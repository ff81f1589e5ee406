/*
 * hilo_gapless: the last id of each generator without gaps.
 *
 * It is an ordinary row, updated by the caller's transaction, so a rollback
 * takes the number back.  A change holds the generator's lock to the
 * end of the transaction, in ShareUpdateExclusive mode at least.
 *
 * The row is apart from hilo_hi because a row that is updated must not be
 * changed in place, nor the other way round: the rollback of one would lose the
 * other.
 */
#include "postgres.h"

#include "store/store.h"

static uint32
hash_of_name(const void *name)
{
	return text_hash(name);
}

static SysScanDesc
scan_name(Relation rel, const void *name, Snapshot snapshot)
{
	return own_table_scan(rel, unconstify(void *, name), snapshot);
}

static bool
is_of_name(Relation rel, HeapTuple tuple, const void *name)
{
	return text_equal(own_table_name(rel, tuple), name);
}

static const NumberKind names = {hash_of_name, scan_name, is_of_name};

/*
 * Read the last number of a name, also one of this transaction; false if there
 * is none.
 */
bool
gapless_last(text *name, int64 *last)
{
	HeapTuple	tuple = own_table_row(OWN_GAPLESS, name);

	if (!HeapTupleIsValid(tuple))
		return false;
	*last = LastOf(tuple);
	return true;
}

/*
 * Return the last number of a gapless generator; report an error if it has
 * none.
 */
int64
gapless_require_last(text *name)
{
	int64		last;

	if (!gapless_last(name, &last))
		definition_report_incomplete(name);
	return last;
}

/* Do as number_change, for a name that has a row. */
StoreResult
gapless_change(text *name, NumberChange *change)
{
	Relation	rel = own_table_open(OWN_GAPLESS, RowExclusiveLock);
	StoreResult result = number_change(rel, &names, name, change);

	if (result == STORE_GONE)
		definition_report_incomplete(name);
	table_close(rel, NoLock);
	return result;
}

/*
 * Prepare a row of a dump to be inserted, at 0 at least; or, if the name
 * exists, raise its last number to that of the dump, and return NULL.
 */
HeapTuple
gapless_restore(Relation rel, HeapTuple tuple)
{
	text	   *name = own_table_name(rel, tuple);
	int64		last = LastOf(tuple);
	Definition	definition;
	FormData_hilo_hi hi;

	if (gapless_raise(name, last))
		return NULL;

	/* on this server the generator has another ordering */
	if (definition_find(name, &definition) &&
		definition.holder != HELD_BY_TRANSACTION && store_read(name, &hi))
	{
		(void) store_seed(name, last, SEED_SKIP);
		return NULL;
	}
	last = Max(last, 0);
	return own_table_form(rel, &last, NULL, name);
}

/*
 * Raise the last number of a name, also in a restore; false if it has no row.
 */
bool
gapless_raise(text *name, int64 to)
{
	FormData_hilo_hi hi;
	int64		last;

	if (!gapless_last(name, &last))
		return false;
	/* no drop comes between: a restore has locked hilo_generator */
	if (to > last && store_read(name, &hi))
		(void) gapless_seed(name, hi.incarnation, to, false);
	return true;
}

/*
 * Raise the last number to value, or set it if forced, in the current
 * transaction; return the result.  A call that changes nothing takes no lock on
 * the row.
 */
int64
gapless_seed(text *name, int64 incarnation, int64 value, bool force)
{
	NumberChange change = {.to = value,.is_exact = force};
	int64		before;

	lock_generator(incarnation, ShareUpdateExclusiveLock);
	before = gapless_require_last(name);
	(void) gapless_change(name, &change);
	if (change.last == before)
		unlock_generator(incarnation, ShareUpdateExclusiveLock);
	return change.last;
}
