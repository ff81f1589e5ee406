/*
 * Rows of tables that ORMs take their hi from.
 *
 * A change of the row is a transaction of its own, in a background worker: in
 * the caller's transaction a rollback would repeat ids, and an ORM that takes a
 * block by another connection would wait for itself.
 *
 * The worker waits for no row and no table; the session waits for the holder,
 * so that no wait keeps a worker from others, and deadlocks are detected.  All
 * sessions together use half of the server's background workers at most.
 *
 * A session that gives up its wait ends the worker.  An error of the worker is
 * raised in the session, which logs it.  What the worker has committed stays.
 *
 * The worker connects as the bootstrap superuser, because a role need not be
 * allowed to log in to have a row changed.  No role's code runs in the worker
 * (orm_row.c); all the same it makes the change as the generator's owner, and
 * in the security context in which core runs the code of an owner.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "libpq/pqmq.h"
#include "mb/pg_wchar.h"
#include "postmaster/bgworker.h"
#include "storage/ipc.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/timeout.h"

#include "source/source.h"

#define RETRY_MS 20

/*
 * of waits for a slot and for holders of the table, and between two looks at a
 * worker
 */
#define TIMEOUT_MS 5000

/* In dynamic shared memory. */
typedef struct Job
{
	char		queue[8192];	/* a shm_mq for errors; aligned, as first */
	OrmSource	source;
	OrmChange	change;
	bool		is_done;		/* set before the worker leaves the queue */
} Job;

static void ask_worker(const OrmSource *source, OrmChange *change);
static BackgroundWorkerHandle *start_worker(dsm_segment *segment,
											const char *table);
static void end_worker(int code, Datum handle);
static void wait_for_end(shm_mq_handle *queue, const char *table);
static void wait_for_holder(const OrmSource *source, TransactionId holder,
							TimestampTz *since);
static Job *begin_job(Datum handle);

/*
 * Take blocks out of the row, which is made as the ORM would make it if it is
 * missing; or raise it to a value at least.  When this returns, the change is
 * committed, and on disk here.
 *
 * Waits for a worker and for the holder of the row, which can be cancelled.
 */
void
orm_table_change(const OrmSource *source, OrmChange *change)
{
	TimestampTz since = 0;
	LOCKTAG		place;

	/* half of the workers at most, each for moments only */
	SET_LOCKTAG_OBJECT(place, InvalidOid, RelationRelationId,
					   (uint32) MyProcPid % Max(max_worker_processes / 2, 1),
					   PG_UINT16_MAX);
	for (;;)
	{
		(void) lock_acquire(place, true);
		ask_worker(source, change);
		lock_release(place);
		if (!change->is_held)
			break;
		wait_for_holder(source, change->holder, &since);
	}
}

/* Have a worker change the row, or raise its error. */
static void
ask_worker(const OrmSource *source, OrmChange *change)
{
	char	   *table = get_rel_name(source->relid);
	dsm_segment *segment = dsm_create(sizeof(Job), 0);
	Job		   *job = dsm_segment_address(segment);
	BackgroundWorkerHandle *handle;

	shm_mq_set_receiver(shm_mq_create(job->queue, sizeof(job->queue)), MyProc);
	job->source = *source;
	/* another one may own it after a wait, or its table */
	AcceptInvalidationMessages();
	if (source->generator != NULL)
		job->source.actor = privilege_actor(source->generator);
	job->change = *change;
	job->is_done = false;
	handle = start_worker(segment, table);
	PG_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	{
		wait_for_end(shm_mq_attach(dsm_segment_address(segment), segment,
								   handle), table);
	}
	PG_END_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	if (!job->is_done)
		ereport(ERROR,
				errcode(ERRCODE_ADMIN_SHUTDOWN),
				errmsg("background worker to get ids from table \"%s\" ended without an answer", table),
				errhint("More details may be available in the server log."));
	*change = job->change;
	dsm_detach(segment);
}

static BackgroundWorkerHandle *
start_worker(dsm_segment *segment, const char *table)
{
	BackgroundWorker worker = {
		.bgw_flags =
		BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION,
		.bgw_start_time = BgWorkerStart_RecoveryFinished,
		.bgw_restart_time = BGW_NEVER_RESTART,
		.bgw_name = "hilo source worker",
		.bgw_library_name = "hilo",
		.bgw_function_name = "hilo_source_main",
		.bgw_main_arg = UInt32GetDatum(dsm_segment_handle(segment)),
		.bgw_notify_pid = MyProcPid
	};
	BackgroundWorkerHandle *handle;

	memcpy(worker.bgw_extra, &MyDatabaseId, sizeof(MyDatabaseId));
	for (int tries = 0; !RegisterDynamicBackgroundWorker(&worker, &handle);
		 tries++)
	{
		if (tries * RETRY_MS >= TIMEOUT_MS)
			ereport(ERROR,
					errcode(ERRCODE_INSUFFICIENT_RESOURCES),
					errmsg("could not start a background worker to get ids from table \"%s\"", table),
					errdetail("All slots for background workers are in use."),
					errhint("You might need to increase max_worker_processes."));
		wait_event_for_latch(WAIT_WORKER_SLOT, RETRY_MS);
	}
	return handle;
}

/* End a worker that is not waited for any more. */
static void
end_worker(int code, Datum handle)
{
	TerminateBackgroundWorker((BackgroundWorkerHandle *) DatumGetPointer(handle));
}

/* Wait until the worker has ended, or report the error that it sends. */
static void
wait_for_end(shm_mq_handle *queue, const char *table)
{
	shm_mq_result result;
	Size		length;
	void	   *data;
	StringInfoData message;
	ErrorData	error;

	while ((result = shm_mq_receive(queue, &length, &data,
									true)) != SHM_MQ_DETACHED)
	{
		if (result == SHM_MQ_WOULD_BLOCK)
			wait_event_for_latch(WAIT_SOURCE_ANSWER, TIMEOUT_MS);
		else if (*(char *) data == 'E')
		{
			initStringInfo(&message);
			appendBinaryStringInfo(&message, (char *) data + 1, length - 1);
			pq_parse_errornotice(&message, &error);
			error.elevel = ERROR;
			/* the worker's time is over, not the session's */
			if (error.sqlerrcode == ERRCODE_QUERY_CANCELED)
				error.sqlerrcode = ERRCODE_LOCK_NOT_AVAILABLE;
			error.context =
				psprintf("background worker to get ids from table \"%s\"",
						 table);
			ThrowErrorData(&error);
		}
	}
}

/*
 * Wait for the transaction that holds the row.
 *
 * If the holder is unknown, because several share the lock of the row or hold
 * the table, wait for the table and retry.  A session that waits for the table
 * may stop the worker but not this session, and then each try takes as long as
 * deadlock_timeout.  So give up after lock_timeout, or without one after a few
 * seconds, counted from the end of the first such wait.
 */
static void
wait_for_holder(const OrmSource *source, TransactionId holder,
				TimestampTz *since)
{
	int			timeout = LockTimeout > 0 ? LockTimeout : TIMEOUT_MS;
	bool		is_over;

	if (TransactionIdIsValid(holder))
		is_over = TransactionIdIsCurrentTransactionId(holder);
	else
		is_over = *since != 0 &&
			TimestampDifferenceExceeds(*since, GetCurrentTimestamp(), timeout);
	if (is_over)
		ereport(ERROR,
				errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				errmsg("the row of the source in table \"%s\" is locked",
					   get_rel_name(source->relid)),
				errhint("If the current transaction has changed or locked the table, draw ids before that or after the transaction. Otherwise try again."));
	if (TransactionIdIsValid(holder))
	{
		XactLockTableWait(holder, NULL, NULL, XLTW_None);
		*since = 0;
	}
	else
	{
		LockRelationOid(source->relid, RowExclusiveLock);
		UnlockRelationOid(source->relid, RowExclusiveLock);
		if (*since == 0)
			*since = GetCurrentTimestamp();
		wait_event_for_latch(WAIT_SOURCE_ANSWER, RETRY_MS);
	}
}

/* In the worker: make the change, as the generator's owner, and answer. */
void
hilo_source_main(Datum handle)
{
	Job		   *job = begin_job(handle);

	StartTransactionCommand();
	/* the session's own may be loaded elsewhere */
	job->source.style = orm_style(NameStr(job->source.style_name));
	/* to the end of the worker, so whatever a commit may do is done so */
	SetUserIdAndSecContext(job->source.actor,
						   SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
	PushActiveSnapshot(GetTransactionSnapshot());
	orm_row_change(&job->source, &job->change);
	PopActiveSnapshot();
	CommitTransactionCommand();
	job->change.lsn = XactLastCommitEnd;
	job->is_done = true;
	proc_exit(0);
}

/* In the worker: connect to the database, and send errors to the session. */
static Job *
begin_job(Datum handle)
{
	Oid			database;
	dsm_segment *segment;
	shm_mq	   *queue;

	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();
	memcpy(&database, MyBgworkerEntry->bgw_extra, sizeof(database));
	BackgroundWorkerInitializeConnectionByOid(database, InvalidOid,
											  BGWORKER_BYPASS_ALLOWCONN);
	/* the session logs its errors */
	SetConfigOption("log_min_messages", "fatal", PGC_SUSET, PGC_S_OVERRIDE);
	/* the session waits for the standbys */
	SetConfigOption("synchronous_commit", "local", PGC_USERSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_isolation", "read committed",
					PGC_USERSET, PGC_S_OVERRIDE);
	/* others need the worker: a catalog may be held, a table huge */
	SetConfigOption("lock_timeout", psprintf("%d", 10 * RETRY_MS), PGC_USERSET,
					PGC_S_OVERRIDE);
	enable_timeout_after(STATEMENT_TIMEOUT, TIMEOUT_MS);

	segment = dsm_attach(DatumGetUInt32(handle));
	if (segment == NULL)
		proc_exit(0);			/* the caller has given up */
	queue = dsm_segment_address(segment);
	shm_mq_set_sender(queue, MyProc);
	pq_redirect_to_shm_mq(segment, shm_mq_attach(queue, segment, NULL));
	SetClientEncoding(GetDatabaseEncoding());
	return dsm_segment_address(segment);
}
