/*
 * Rows of tables that ORMs take their hi from, as a session changes them.
 *
 * The change is a transaction of its own, in a background worker: in the
 * caller's transaction a rollback would repeat ids, and an ORM that holds that
 * transaction and takes a block by another connection would wait for itself.
 * The owner of the generator must have the right to it at that moment, and not
 * the caller: who takes an id need not know whose table it comes from.
 *
 * The session waits for the holder of a row, and not the worker: so a wait
 * keeps no worker from others, ends as any other of the session does, and takes
 * part in the detection of deadlocks.
 */
#include "postgres.h"

#include "access/xact.h"
#include "common/int.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "source/source.h"

/* between looks at a table that is locked, and how long that goes on */
#define RETRY_MS 20
#define TIMEOUT_MS 5000

static RowChange *new_change(const OrmSource *source, Size *size);
static void wait_for_holder(const RowChange *change, TransactionId holder,
							int tries);

/*
 * Report an error unless the source is a plain table, with the columns that it
 * names.
 */
void
orm_table_check(const OrmSource *source)
{
	Size		size;

	orm_row_check(new_change(source, &size));
}

/*
 * Take so many blocks out of the row, which is made as the ORM would make it
 * if it is missing.  With an amount of 0, raise the row to a value at least.
 *
 * Waits for whoever holds the row, which can be cancelled.
 */
OrmAnswer
orm_table_change(const OrmSource *source, int64 amount, int64 at_least)
{
	LOCKTAG		lock = lock_of_source_row(source->relid, source->key_column != NULL ?
										  source->key_value : "");
	Size		size;
	RowChange  *change = new_change(source, &size);
	OrmAnswer	answer;

	if (amount == 0)
		change->at_least = at_least;
	else if (pg_mul_s64_overflow(amount, orm_style_steps_by_block(source->style) ?
								 source->ids : 1, &change->add))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("bigint out of range")));

	(void) lock_take(lock, true);
	for (int tries = 0; answer = worker_run(change, size), answer.is_held; tries++)
		wait_for_holder(change, answer.holder, tries);
	lock_give_up(lock);
	return answer;
}

/* Return a change of the row of a source that changes nothing. */
static RowChange *
new_change(const OrmSource *source, Size *size)
{
	const OrmStyle *style = source->style;
	const char *key_value = source->key_column != NULL ? source->key_value : "";
	RowChange  *change;

	if (get_rel_name(source->relid) == NULL)
		relation_refuse_missing(source->relid);
	*size = offsetof(RowChange, key_value) + strlen(key_value) + 1;
	change = palloc0(*size);
	change->relid = source->relid;
	change->actor = source->actor;
	change->at_least = PG_INT64_MIN;
	change->first = source->initial - style->offset;
	namestrcpy(&change->hi_column, source->hi_column);
	if (source->key_column != NULL)
		namestrcpy(&change->key_column, source->key_column);
	if (style->count_column != NULL)
		namestrcpy(&change->count_column, style->count_column);
	strcpy(change->key_value, key_value);
	return change;
}

/*
 * Wait for whoever holds the row; for those who hold the table, or share a lock
 * of the row, as long as lock_timeout allows, or for a few seconds.
 */
static void
wait_for_holder(const RowChange *change, TransactionId holder, int tries)
{
	int			timeout = LockTimeout > 0 ? LockTimeout : TIMEOUT_MS;

	if (TransactionIdIsValid(holder) ?
		TransactionIdIsCurrentTransactionId(holder) : tries * RETRY_MS >= timeout)
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("the row of the source in table \"%s\" is locked",
						get_rel_name(change->relid)),
				 errhint("If the current transaction has changed or locked the table, take ids before that or after its end. Otherwise try again.")));
	if (TransactionIdIsValid(holder))
		XactLockTableWait(holder, NULL, NULL, XLTW_None);
	else
	{
		LockRelationOid(change->relid, RowExclusiveLock);
		UnlockRelationOid(change->relid, RowExclusiveLock);
		wait_event_for_latch(WAIT_SOURCE_ANSWER, RETRY_MS);
	}
}
