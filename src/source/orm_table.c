/*
 * Rows of tables that ORMs take their hi from.
 *
 * A change of the row is a transaction of its own, in a background worker: in
 * the caller's transaction a rollback would repeat ids, and an ORM that takes a
 * block by another connection would wait for itself.  If the caller goes away,
 * so does the worker; what it has committed stays.
 *
 * The worker waits for no row and no table; the session waits for the holder, so
 * that no wait keeps a worker from others, and deadlocks are detected.  All
 * sessions together use half of the server's background workers at most.
 *
 * The worker connects as the bootstrap superuser, because a role need not be
 * allowed to log in to take ids.  Nobody's code runs in it (orm_row.c); all the
 * same it makes the change as the generator's owner, and in the security context
 * in which core runs the code of an owner.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_class.h"
#include "libpq/pqmq.h"
#include "mb/pg_wchar.h"
#include "postmaster/bgworker.h"
#include "storage/ipc.h"
#include "storage/shm_mq.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "source/source.h"

/* of waits for a place, for a table, and of the worker for a catalog */
#define TIMEOUT_MS 5000
#define RETRY_MS 20

/* how often to look whether the worker has ended */
#define ANSWER_RETRY_MS 1000

/* What is to be done, and what became of it, in dynamic shared memory. */
typedef struct Task
{
	char		queue[8192];	/* a shm_mq, for an error; aligned, as first */
	OrmSource	source;
	int64		blocks;
	int64		at_least;
	OrmAnswer	answer;
	bool		is_done;		/* there is an answer */
} Task;

static OrmAnswer run_in_worker(const Task *given, const char *table);
static LOCKTAG lock_of_place(void);
static BackgroundWorkerHandle *start_worker(dsm_segment *segment,
											const char *table);
static void end_worker(int code, Datum handle);
static void wait_for_worker(shm_mq_handle *queue, const char *table);
static void wait_for_holder(const OrmSource *source, TransactionId holder,
							int tries);
static void change_as_owner(Task *task);

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
	const char *table = get_rel_name(source->relid);
	Task		task = {.source = *source,.blocks = blocks,.at_least = at_least};
	OrmAnswer	answer;

	if (table == NULL)
		relation_refuse_missing(source->relid);
	(void) lock_take(lock, true);
	for (int tries = 0; answer = run_in_worker(&task, table), answer.is_held; tries++)
		wait_for_holder(source, answer.holder, tries);
	lock_give_up(lock);
	return answer;
}

/* Have a worker do a task, or report the error that it met. */
static OrmAnswer
run_in_worker(const Task *given, const char *table)
{
	dsm_segment *segment = dsm_create(sizeof(Task), 0);
	Task	   *task = dsm_segment_address(segment);
	shm_mq	   *queue;
	BackgroundWorkerHandle *handle;
	OrmAnswer	answer;

	*task = *given;
	queue = shm_mq_create(task->queue, sizeof(task->queue));
	shm_mq_set_receiver(queue, MyProc);
	(void) lock_take(lock_of_place(), true);
	handle = start_worker(segment, table);
	PG_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	{
		wait_for_worker(shm_mq_attach(queue, segment, handle), table);
	}
	PG_END_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	lock_give_up(lock_of_place());
	if (!task->is_done)
		ereport(ERROR,
				(errcode(ERRCODE_ADMIN_SHUTDOWN),
				 errmsg("background worker to take ids from table \"%s\" ended without an answer",
						table),
				 errhint("More details may be available in the server log.")));
	answer = task->answer;
	dsm_detach(segment);
	return answer;
}

/*
 * Return the lock of one of the places that all workers of hilo share.  Each is
 * held for moments only.
 */
static LOCKTAG
lock_of_place(void)
{
	uint32		places = Max(max_worker_processes / 2, 1);
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, InvalidOid, RelationRelationId,
					   (uint32) MyProcPid % places, PG_UINT16_MAX);
	return tag;
}

static BackgroundWorkerHandle *
start_worker(dsm_segment *segment, const char *table)
{
	BackgroundWorker worker = {
		.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION,
		.bgw_start_time = BgWorkerStart_RecoveryFinished,
		.bgw_restart_time = BGW_NEVER_RESTART,
		.bgw_name = "hilo source worker",
		.bgw_library_name = "hilo",
		.bgw_function_name = "hilo_worker_main",
		.bgw_main_arg = UInt32GetDatum(dsm_segment_handle(segment)),
		.bgw_notify_pid = MyProcPid
	};
	BackgroundWorkerHandle *handle;

	memcpy(worker.bgw_extra, &MyDatabaseId, sizeof(MyDatabaseId));
	for (int tries = 0; !RegisterDynamicBackgroundWorker(&worker, &handle); tries++)
	{
		if (tries * RETRY_MS >= TIMEOUT_MS)
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
					 errmsg("could not start a background worker to take ids from table \"%s\"",
							table),
					 errdetail("All slots for background workers are in use."),
					 errhint("You might need to increase max_worker_processes.")));
		wait_event_for_latch(WAIT_WORKER_SLOT, RETRY_MS);
	}
	return handle;
}

/* End the worker, as its caller does not wait for it any more. */
static void
end_worker(int code, Datum handle)
{
	TerminateBackgroundWorker((BackgroundWorkerHandle *) DatumGetPointer(handle));
}

/* Wait until the worker lets go of its queue, or report the error in it. */
static void
wait_for_worker(shm_mq_handle *queue, const char *table)
{
	shm_mq_result result;
	Size		length;
	void	   *data;
	StringInfoData message;
	ErrorData	error;

	while ((result = shm_mq_receive(queue, &length, &data, true)) != SHM_MQ_DETACHED)
	{
		if (result == SHM_MQ_WOULD_BLOCK)
			wait_event_for_latch(WAIT_SOURCE_ANSWER, ANSWER_RETRY_MS);
		else if (*(char *) data == 'E')
		{
			initStringInfo(&message);
			appendBinaryStringInfo(&message, (char *) data + 1, length - 1);
			pq_parse_errornotice(&message, &error);
			error.elevel = ERROR;
			error.context = psprintf("background worker taking ids from table \"%s\"", table);
			ThrowErrorData(&error);
		}
	}
}

/*
 * Wait for whoever holds the row; for those who hold the table, or share a lock
 * of the row, as long as lock_timeout allows, or for a few seconds.
 */
static void
wait_for_holder(const OrmSource *source, TransactionId holder, int tries)
{
	int			timeout = LockTimeout > 0 ? LockTimeout : TIMEOUT_MS;

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

void
hilo_worker_main(Datum handle)
{
	Oid			database;
	dsm_segment *segment;
	shm_mq_handle *queue;
	Task	   *task;

	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();

	memcpy(&database, MyBgworkerEntry->bgw_extra, sizeof(database));
	BackgroundWorkerInitializeConnectionByOid(database, InvalidOid,
											  BGWORKER_BYPASS_ALLOWCONN);

	/* attaching takes a resource owner */
	StartTransactionCommand();
	segment = dsm_attach(DatumGetUInt32(handle));
	if (segment == NULL)
		proc_exit(0);			/* the caller has given up */
	dsm_pin_mapping(segment);
	CommitTransactionCommand();

	task = dsm_segment_address(segment);
	shm_mq_set_sender((shm_mq *) task->queue, MyProc);
	queue = shm_mq_attach((shm_mq *) task->queue, segment, NULL);
	pq_redirect_to_shm_mq(segment, queue);
	SetClientEncoding(GetDatabaseEncoding());
	/* the session logs its errors */
	SetConfigOption("log_min_messages", "fatal", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("lock_timeout", psprintf("%d", TIMEOUT_MS), PGC_USERSET, PGC_S_OVERRIDE);
	/* the session waits for the standbys */
	SetConfigOption("synchronous_commit", "local", PGC_USERSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_isolation", "read committed", PGC_USERSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_read_only", "off", PGC_USERSET, PGC_S_OVERRIDE);
	change_as_owner(task);
	task->is_done = true;
	shm_mq_detach(queue);
	proc_exit(0);
}

/* Make the change in a transaction, as the generator's owner. */
static void
change_as_owner(Task *task)
{
	/* the session's own may be loaded elsewhere */
	task->source.style = orm_style(NameStr(task->source.style_name));
	StartTransactionCommand();
	/* to the end of the worker, so whatever a commit may do is done so */
	SetUserIdAndSecContext(task->source.actor,
						   SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
	PushActiveSnapshot(GetTransactionSnapshot());
	orm_row_change(&task->source, task->blocks, task->at_least, &task->answer);
	PopActiveSnapshot();
	ForceSyncCommit();
	CommitTransactionCommand();
	task->answer.lsn = XactLastCommitEnd;
}
