/*
 * A task in a background worker: a transaction of its own.
 *
 * A session that gives up its wait ends the worker.  An error of the worker is
 * raised in the session, which logs it.  A change that the worker has committed
 * stays.  All sessions together use half of the server's background
 * workers at most.
 *
 * The worker connects as the bootstrap superuser, because a role need not be
 * allowed to log in to have a task done.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "libpq/pqmq.h"
#include "mb/pg_wchar.h"
#include "postmaster/bgworker.h"
#include "storage/ipc.h"
#include "storage/proc.h"
#include "storage/shm_mq.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"

#include "base/base.h"

#define SLOT_RETRY_MS 20

/* how often to look whether the worker has ended */
#define ANSWER_RETRY_MS 1000

/* In dynamic shared memory. */
typedef struct Job
{
	char		queue[8192];	/* a shm_mq, for an error; aligned, as first */
	bool		is_done;
	char		task[FLEXIBLE_ARRAY_MEMBER];
} Job;

static BackgroundWorkerHandle *start_worker(const char *main,
											dsm_segment *segment,
											const char *what);
static void end_worker(int code, Datum handle);
static void wait_for_worker(shm_mq_handle *queue, const char *what);

/* in the worker */
static Job *job;
static shm_mq_handle *job_queue;

/*
 * Have a worker run a function of the library on a copy of the task, and copy
 * the task back; or raise the worker's error.  The text completes "background
 * worker to".  Waits for a slot and for the worker, which can be cancelled.
 */
void
worker_run(const char *main, void *task, Size size, const char *what)
{
	dsm_segment *segment = dsm_create(offsetof(Job, task) + size, 0);
	Job		   *given = dsm_segment_address(segment);
	shm_mq	   *queue = shm_mq_create(given->queue, sizeof(given->queue));
	BackgroundWorkerHandle *handle;
	LOCKTAG		place;

	given->is_done = false;
	memcpy(given->task, task, size);
	shm_mq_set_receiver(queue, MyProc);
	/* one of so many places, each held for moments only */
	SET_LOCKTAG_OBJECT(place, InvalidOid, RelationRelationId,
					   (uint32) MyProcPid % Max(max_worker_processes / 2, 1),
					   PG_UINT16_MAX);
	(void) LockAcquire(&place, ExclusiveLock, false, false);
	handle = start_worker(main, segment, what);
	PG_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	{
		wait_for_worker(shm_mq_attach(queue, segment, handle), what);
	}
	PG_END_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	(void) LockRelease(&place, ExclusiveLock, false);
	if (!given->is_done)
		ereport(ERROR,
				(errcode(ERRCODE_ADMIN_SHUTDOWN),
				 errmsg("background worker to %s ended without an answer", what),
				 errhint("More details may be available in the server log.")));
	memcpy(task, given->task, size);
	dsm_detach(segment);
}

static BackgroundWorkerHandle *
start_worker(const char *main, dsm_segment *segment, const char *what)
{
	BackgroundWorker worker = {
		.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION,
		.bgw_start_time = BgWorkerStart_RecoveryFinished,
		.bgw_restart_time = BGW_NEVER_RESTART,
		.bgw_name = "hilo source worker",
		.bgw_library_name = "hilo",
		.bgw_main_arg = UInt32GetDatum(dsm_segment_handle(segment)),
		.bgw_notify_pid = MyProcPid
	};
	BackgroundWorkerHandle *handle;

	strlcpy(worker.bgw_function_name, main, sizeof(worker.bgw_function_name));
	memcpy(worker.bgw_extra, &MyDatabaseId, sizeof(MyDatabaseId));
	for (int tries = 0; !RegisterDynamicBackgroundWorker(&worker, &handle); tries++)
	{
		if (tries * SLOT_RETRY_MS >= WORKER_TIMEOUT_MS)
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
					 errmsg("could not start a background worker to %s", what),
					 errdetail("All slots for background workers are in use."),
					 errhint("You might need to increase max_worker_processes.")));
		wait_event_for_latch(WAIT_WORKER_SLOT, SLOT_RETRY_MS);
	}
	return handle;
}

/* End a worker that nobody waits for any more. */
static void
end_worker(int code, Datum handle)
{
	TerminateBackgroundWorker((BackgroundWorkerHandle *) DatumGetPointer(handle));
}

/* Wait until the worker lets go of its queue, or report the error in it. */
static void
wait_for_worker(shm_mq_handle *queue, const char *what)
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
			error.context = psprintf("background worker to %s", what);
			ThrowErrorData(&error);
		}
	}
}

/* In the worker: begin its transaction, and return the task. */
void *
worker_begin(Datum handle)
{
	Oid			database;
	dsm_segment *segment;

	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();
	memcpy(&database, MyBgworkerEntry->bgw_extra, sizeof(database));
	BackgroundWorkerInitializeConnectionByOid(database, InvalidOid,
											  BGWORKER_BYPASS_ALLOWCONN);
	/* the session logs its errors */
	SetConfigOption("log_min_messages", "fatal", PGC_SUSET, PGC_S_OVERRIDE);
	/* the session waits for the standbys */
	SetConfigOption("synchronous_commit", "local", PGC_USERSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_isolation", "read committed", PGC_USERSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_read_only", "off", PGC_USERSET, PGC_S_OVERRIDE);

	StartTransactionCommand();
	segment = dsm_attach(DatumGetUInt32(handle));
	if (segment == NULL)
		proc_exit(0);			/* the caller has given up */
	dsm_pin_mapping(segment);
	job = dsm_segment_address(segment);
	shm_mq_set_sender((shm_mq *) job->queue, MyProc);
	job_queue = shm_mq_attach((shm_mq *) job->queue, segment, NULL);
	pq_redirect_to_shm_mq(segment, job_queue);
	SetClientEncoding(GetDatabaseEncoding());
	return job->task;
}

/* In the worker: say that the task is done, and end. */
void
worker_end(void)
{
	job->is_done = true;
	shm_mq_detach(job_queue);
	proc_exit(0);
}
