/*
 * Rows of tables that ORMs take their hi from.
 *
 * A change of the row is a transaction of its own, in a background worker: in
 * the caller's transaction a rollback would repeat ids, and an ORM that takes a
 * block by another connection would wait for itself.
 *
 * The worker waits for no row and no table; the session waits for the holder, so
 * that no wait keeps a worker from others, and deadlocks are detected.
 *
 * Nobody's code runs in the worker (orm_row.c); all the same it makes the change
 * as the generator's owner, and in the security context in which core runs the
 * code of an owner.
 */
#include "postgres.h"

#include "utils/guc.h"

#include "source/source.h"

#define RETRY_MS 20

/* What is to be done, and what became of it. */
typedef struct Task
{
	OrmSource	source;
	int64		blocks;
	int64		at_least;
	OrmAnswer	answer;
} Task;

static void wait_for_holder(const OrmSource *source, TransactionId holder,
							int tries);

/*
 * Take so many blocks out of the row, which is made as the ORM would make it
 * if it is missing; or raise it to a value at least.  When this returns, the
 * change is committed, and on disk here.
 *
 * Waits for a worker and for whoever holds the row, which can be cancelled.
 */
OrmAnswer
orm_table_change(const OrmSource *source, int64 blocks, int64 at_least)
{
	LOCKTAG		lock = lock_of_source_row(source->relid, source->key_value);
	Task		task = {.source = *source,.blocks = blocks,.at_least = at_least};

	(void) lock_take(lock, true);
	for (int tries = 0;; tries++)
	{
		/* another one may own it after a wait */
		if (source->generator != NULL)
			task.source.actor = privilege_actor(source->generator);
		task.answer.holder = InvalidTransactionId;
		worker_run("hilo_source_main", &task, sizeof(task),
				   psprintf("take ids from table \"%s\"",
							get_rel_name(source->relid)));
		if (!task.answer.is_held)
			break;
		wait_for_holder(source, task.answer.holder, tries);
	}
	lock_give_up(lock);
	return task.answer;
}

/*
 * Wait for whoever holds the row; for those who hold the table, or share a lock
 * of the row, as long as lock_timeout allows, or for a few seconds.
 */
static void
wait_for_holder(const OrmSource *source, TransactionId holder, int tries)
{
	int			timeout = LockTimeout > 0 ? LockTimeout : WORKER_TIMEOUT_MS;

	if (TransactionIdIsValid(holder) ?
		TransactionIdIsCurrentTransactionId(holder) : tries * RETRY_MS >= timeout)
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("the row of the source in table \"%s\" is locked",
						get_rel_name(source->relid)),
				 errhint("If the current transaction has changed or locked the table, take ids before that or after its end. Otherwise try again.")));
	if (TransactionIdIsValid(holder))
		XactLockTableWait(holder, NULL, NULL, XLTW_None);
	else
	{
		LockRelationOid(source->relid, RowExclusiveLock);
		UnlockRelationOid(source->relid, RowExclusiveLock);
		wait_event_for_latch(WAIT_SOURCE_ANSWER, RETRY_MS);
	}
}

/* In the worker: make the change, as the generator's owner. */
void
hilo_source_main(Datum handle)
{
	Task	   *task = worker_begin(handle);

	/* for a catalog or an index that somebody holds: others need the worker */
	SetConfigOption("lock_timeout", psprintf("%d", 10 * RETRY_MS), PGC_USERSET, PGC_S_OVERRIDE);
	/* the session's own may be loaded elsewhere */
	task->source.style = orm_style(NameStr(task->source.style_name));
	/* to the end of the worker, so whatever a commit may do is done so */
	SetUserIdAndSecContext(task->source.actor,
						   SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
	PushActiveSnapshot(GetTransactionSnapshot());
	orm_row_change(&task->source, task->blocks, task->at_least, &task->answer);
	PopActiveSnapshot();
	ForceSyncCommit();
	CommitTransactionCommand();
	task->answer.lsn = XactLastCommitEnd;
	worker_end();
}
