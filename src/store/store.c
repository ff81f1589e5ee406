/*
 * hilo_hi: how far each generator has been reserved.
 *
 * A row is inserted and deleted with its generator.  In between it is changed
 * only in place (hi_row.c), so nothing takes a change back; "reserved" goes
 * down only by a forced seed.  After a crash an id could be reserved again
 * unless its WAL is on disk, so it is handed out only after flush_wal.
 */
#include "postgres.h"

#include "store/store.h"

/* ids to skip after a failover; -1: twice the generator's last range */
int			store_failover_skip = -1;

static int64 skip_asked(const FormData_hilo_hi *hi,
						const Definition *definition);
static void write_range(HiRow *row, Range range, StoreRequest *request);
static void hi_init(FormData_hilo_hi *hi, int64 last, int64 size);

/*
 * Reserve a range.  Its WAL is written but not flushed.
 *
 * The caller holds the generator's lock, in any mode.  Waits for the holder of
 * the row, which can be cancelled.
 */
StoreResult
store_take(StoreRequest *request)
{
	HiRow		row;
	int64		last;
	int64		asked;
	Range		range;
	StoreResult result = hi_row_lock(&row, request->name, request->incarnation);

	if (result != STORE_OK)
		return result;
	asked = skip_asked(row.hi, request->definition);
	request->skipped = store_skip(row.hi, request->definition);
	row.hi->reserved += request->skipped;
	row.hi->skipped += request->skipped;
	last = Max(row.hi->reserved, request->last_max);
	range = request->whole_block ?
		range_block_above(last, request->size, request->max_value) :
		range_above(last, request->size, request->max_value);
	if (RangeIsEmpty(range))
	{
		hi_row_cancel(&row);
		return STORE_EXHAUSTED;
	}
	write_range(&row, range, request);
	if (asked > 0)
		ereport(request->skipped < asked ? WARNING : LOG,
				errmsg("generator \"%s\" skipped %lld ids",
					   definition_title(request->name),
					   (long long) request->skipped),
				errdetail("Its last range was reserved on another timeline or another server."),
				request->skipped == asked ? 0 :
				errhint("hilo.failover_skip asks for %lld, but too few are left. Ids may repeat if more than %lld were lost: then raise the generator with hilo_seed.",
						(long long) asked, (long long) request->skipped));
	return STORE_OK;
}

/*
 * Ask elsewhere for a range above "reserved", and note it in the row.  Ask
 * again if the row gets another incarnation meanwhile.  The WAL of the row is
 * not flushed.
 */
StoreResult
store_receive(StoreRequest *request, AskElsewhere ask)
{
	HiRow		row;
	FormData_hilo_hi hi;
	Range		range;
	StoreResult result;

	do
	{
		if (!store_read(request->name, &hi))
			return STORE_GONE;
		if (hi.reserved >= request->max_value)
			return STORE_EXHAUSTED;
		range = range_clip(ask(request, hi.reserved), request->max_value);
		if (RangeIsEmpty(range) ||
			(request->whole_block && RangeLength(range) < request->size))
			return STORE_EXHAUSTED;
		result = hi_row_lock(&row, request->name, request->incarnation);
		if (result == STORE_OK)
			write_range(&row, range, request);
	} while (result == STORE_OK && request->incarnation != hi.incarnation);
	return result;
}

/*
 * Raise "reserved" to value, or set it if forced, and have every session forget
 * its ranges.  Return the resulting "reserved"; if value is not above it, the
 * kind says what becomes of the ids that are reserved.
 *
 * When it returns, the change is on disk, and the life word is raised.  For a
 * forced seed the caller holds the generator's lock in AccessExclusive mode.
 * Without that, a session could go on with its range, and hand out ids a second
 * time.
 *
 * What is to be skipped after a failover is still to come, unless forced.
 */
int64
store_seed(text *name, int64 value, SeedKind kind)
{
	HiRow		row;
	int64		last;

	if (hi_row_lock(&row, name, 0) != STORE_OK)
		elog(ERROR, "generator \"%s\" has no row in hilo_hi",
			 definition_title(name));
	last = row.hi->reserved;
	if (value <= last && kind == SEED_RAISE)
	{
		/* another session may have reserved up to here without a flush */
		(void) flush_wal(hi_row_write(&row));
		return last;
	}

	if (kind == SEED_FORCE)
	{
		/* nothing is skipped any more */
		hi_stamp(row.hi, TenancyOf(row.hi));
		row.hi->skipped = 0;
	}
	else
		value = Max(value, last);
	row.hi->reserved = value;

	(void) flush_wal(hi_row_write_new_life(&row));
	return value;
}

/*
 * Return how many ids the next range skips: if another timeline or server made
 * the last allocation, "reserved" may be behind what was handed out there.
 *
 * A skip of more than half of the ids that are left is cut to an eighth of
 * them, so that it does not end the generator.  That of hilo's own generators
 * is not, as each of their ids stands for many; the setting does not count for
 * them, as they may have fewer ids than that.
 */
int64
store_skip(const FormData_hilo_hi *hi, const Definition *definition)
{
	int64		asked = skip_asked(hi, definition);
	int64		left;

	if (definition == NULL)
		return Min(asked, PG_INT32_MAX);
	left = Max(definition->max_value - hi->reserved, 0);
	return asked > left / 2 ? left / 8 : asked;
}

/* Read the row of a name as it is now; false if there is none. */
bool
store_read(text *name, FormData_hilo_hi *hi)
{
	HeapTuple	tuple = own_table_row(OWN_HI, name);

	if (HeapTupleIsValid(tuple))
		memcpy(hi, GETSTRUCT(tuple), sizeof(*hi));
	return HeapTupleIsValid(tuple);
}

/*
 * Check whether only some tables have rows of a generator, because a restore
 * has not finished.  A row of hilo_hi alone is no sign of that if a first use
 * made it: a crash may have left it, and for a table a rollback.
 */
bool
store_is_incomplete(text *name)
{
	FormData_hilo_hi hi;
	bool		has_hi = store_read(name, &hi);

	if (definition_exists(name))
		return !has_hi;
	if (own_table_row(OWN_GAPLESS, name) != NULL ||
		own_table_row(OWN_SOURCE, name) != NULL)
		return true;
	return has_hi && !IsFirstLife(hi.incarnation) && !key_is_relation(name);
}

/*
 * Take the lock of a generator to the end of the transaction, and read its
 * row under it; false if there is no such row.  The generator may be another
 * one of that name after the wait: then that one is locked, and it alone.
 */
bool
store_lock(text *name, LOCKMODE lockmode, FormData_hilo_hi *hi)
{
	while (store_read(name, hi))
	{
		int64		locked = hi->incarnation;

		lock_generator(locked, lockmode);
		if (store_read(name, hi) && SameGenerator(hi->incarnation, locked))
			return true;
		unlock_generator(locked, lockmode);
	}
	return false;
}

/*
 * Insert the row of a generator; its next range begins above last.  A frozen
 * row is final at once; see own_table_insert_as for what that asks of the
 * caller.
 */
void
store_insert(text *name, int64 last, int64 size, TransactionId xmin)
{
	FormData_hilo_hi hi = {0};

	table_close(own_table_open_durable(OWN_HI), NoLock);
	/* DROP EXTENSION has not ended the ranges of that name in sessions */
	shared_memory_attach();
	pg_atomic_fetch_add_u64(life_word, 1);
	hi_init(&hi, last, size);
	own_table_insert_as(OWN_HI, &hi, NULL, name, xmin);
}

/*
 * Prepare a row of a dump to be inserted; or, if the name exists, raise its
 * "reserved" to that of the dump, on disk by the commit of the transaction, and
 * return NULL: a unique violation would cost every row of the dump.  Ids
 * reserved here may have been handed out there, so sessions forget them.
 *
 * A row to be inserted gets another incarnation: sessions may hold ranges of
 * the dumped one.
 */
HeapTuple
store_restore(Relation rel, HeapTuple tuple)
{
	FormData_hilo_hi *restored = (FormData_hilo_hi *) GETSTRUCT(tuple);
	HiRow		row;

	if (hi_row_lock(&row, own_table_name(rel, tuple), 0) == STORE_OK)
	{
		row.hi->reserved = Max(restored->reserved, row.hi->reserved);
		(void) hi_row_write_new_life(&row);
		/* a commit without an xid would neither flush nor wait */
		ForceSyncCommit();
		(void) GetTopTransactionId();
		return NULL;
	}

	tuple = heap_copytuple(tuple);
	restored = (FormData_hilo_hi *) GETSTRUCT(tuple);
	hi_init(restored, Max(restored->reserved, 0), Max(restored->last_size, 0));
	/* the first one is for the row of a generator that was made here */
	restored->incarnation = NextIncarnation(restored->incarnation);
	return tuple;
}

/* Return how many ids the setting asks to skip. */
static int64
skip_asked(const FormData_hilo_hi *hi, const Definition *definition)
{
	int64		asked = definition == NULL ? -1 : store_failover_skip;

	if (hi_is_stamped(hi))
		return 0;
	if (asked < 0 && pg_mul_s64_overflow(hi->last_size, 2, &asked))
		return PG_INT64_MAX;
	return asked;
}

/* Write a reserved range into the locked row, and unlock the row. */
static void
write_range(HiRow *row, Range range, StoreRequest *request)
{
	row->hi->reserved = Max(row->hi->reserved, range.high);
	row->hi->last_size = RangeLength(range);
	hi_stamp(row->hi, request->tenancy);
	request->taken.range = range;
	request->incarnation = row->hi->incarnation;
	request->lsn = hi_row_write(row);
}

static void
hi_init(FormData_hilo_hi *hi, int64 last, int64 size)
{
	hi->reserved = last;
	hi_stamp(hi, 0);
	/* odd, and so never 0, which stands for "none" */
	hi->incarnation = random_number() | 1;
	hi->last_size = size;
}
