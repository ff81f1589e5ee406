/*
 * Work on an ORM's table in a transaction of its own, in a background worker.
 *
 * The worker belongs to one task: it starts, does it as the role that it is
 * given, commits, answers by way of a segment of dynamic shared memory, and
 * ends.  If the caller goes away meanwhile, so does the worker; what it has
 * committed stays.
 *
 * A worker waits for a lock no longer than lock_timeout, or a few seconds if
 * that is not set: the detector of deadlocks does not see that the caller
 * waits, too.
 *
 * The worker connects as the bootstrap superuser, because a role need not be
 * allowed to log in to take ids, and becomes that role before it looks at
 * anything of the caller's.  It cannot become another one: in the transaction
 * of the task a local change of the user forbids SET ROLE and SET SESSION
 * AUTHORIZATION, in the triggers of the table too.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "storage/ipc.h"
#include "storage/procarray.h"
#include "tcop/tcopprot.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

#include "source/source.h"

/* how long to wait for a slot for the worker, and the worker for a lock */
#define TIMEOUT_MS 5000
#define SLOT_RETRY_MS 20

/* how often to look at the time */
#define ANSWER_RETRY_MS 1000

/* of the worker, in pg_stat_activity */
#define WORKER_TYPE "hilo source worker"

#define MESSAGE_SIZE 1024

typedef enum TaskState
{
	TASK_GIVEN,
	TASK_DONE,
	TASK_FAILED
} TaskState;

/* The segment: what is to be done, and what became of it. */
typedef struct Task
{
	Oid			role;
	int			lock_timeout;
	NameData	table;			/* for errors */
	volatile TaskState state;
	OrmAnswer	answer;			/* TASK_DONE */
	int			sqlstate;		/* TASK_FAILED */
	char		message[MESSAGE_SIZE];
	char		detail[MESSAGE_SIZE];
	char		hint[MESSAGE_SIZE];
	int64		input[FLEXIBLE_ARRAY_MEMBER];
} Task;

static BackgroundWorkerHandle *start_worker(dsm_segment *segment);
static void wait_for_worker(BackgroundWorkerHandle *handle, const Task *task);
static void end_worker(int code, Datum handle);
static void require_done(const Task *task);
static void become_role(Oid role);
static void do_task(Task *task);
static void do_work(Task *task);
static void copy_message(char *to, const char *from);

/*
 * Change a row of a table in a transaction of its own, as a role.  When this
 * returns the answer, the change is committed, and on disk.  An error of the
 * worker is raised here.
 *
 * Waits for a slot for the worker and for whatever the work waits for, both
 * for a while, which can be cancelled.
 */
OrmAnswer
worker_run(const char *table, Oid role, const void *input, Size size)
{
	dsm_segment *segment = dsm_create(offsetof(Task, input) + size, 0);
	Task	   *task = dsm_segment_address(segment);
	BackgroundWorkerHandle *handle;
	OrmAnswer	answer;

	memset(task, 0, offsetof(Task, input));
	task->role = role;
	task->lock_timeout = LockTimeout > 0 ? LockTimeout : TIMEOUT_MS;
	namestrcpy(&task->table, table);
	memcpy(task->input, input, size);

	handle = start_worker(segment);
	PG_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	{
		wait_for_worker(handle, task);
	}
	PG_END_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	require_done(task);
	answer = task->answer;
	dsm_detach(segment);
	return answer;
}

void
hilo_worker_main(Datum handle)
{
	PGPROC	   *leader;
	Oid			database;
	dsm_segment *segment;
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
	become_role(task->role);
	do_task(task);
	leader = BackendPidGetProc(MyBgworkerEntry->bgw_notify_pid);
	if (leader != NULL)
		SetLatch(&leader->procLatch);
	proc_exit(0);
}

static BackgroundWorkerHandle *
start_worker(dsm_segment *segment)
{
	const Task *task = dsm_segment_address(segment);
	BackgroundWorker worker = {0};
	BackgroundWorkerHandle *handle;
	TimestampTz started = GetCurrentTimestamp();

	snprintf(worker.bgw_name, BGW_MAXLEN, WORKER_TYPE " for PID %d", MyProcPid);
	strlcpy(worker.bgw_type, WORKER_TYPE, BGW_MAXLEN);
	worker.bgw_flags = BGWORKER_SHMEM_ACCESS |
		BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
	worker.bgw_restart_time = BGW_NEVER_RESTART;
	strlcpy(worker.bgw_library_name, "hilo", sizeof(worker.bgw_library_name));
	strlcpy(worker.bgw_function_name, "hilo_worker_main", sizeof(worker.bgw_function_name));
	worker.bgw_main_arg = UInt32GetDatum(dsm_segment_handle(segment));
	memcpy(worker.bgw_extra, &MyDatabaseId, sizeof(MyDatabaseId));
	worker.bgw_notify_pid = MyProcPid;

	while (!RegisterDynamicBackgroundWorker(&worker, &handle))
	{
		if (TimestampDifferenceExceeds(started, GetCurrentTimestamp(),
									   TIMEOUT_MS))
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
					 errmsg("could not start a background worker to take ids from table \"%s\"",
							NameStr(task->table)),
					 errdetail("All slots for background workers are in use."),
					 errhint("You might need to increase max_worker_processes.")));
		wait_event_for_latch(WAIT_WORKER_SLOT, SLOT_RETRY_MS);
	}
	return handle;
}

/* Wait until the worker has answered or ended. */
static void
wait_for_worker(BackgroundWorkerHandle *handle, const Task *task)
{
	TimestampTz started = GetCurrentTimestamp();
	pid_t		pid;

	while (GetBackgroundWorkerPid(handle, &pid) != BGWH_STOPPED &&
		   task->state == TASK_GIVEN)
	{
		wait_event_for_latch(WAIT_SOURCE_ANSWER, ANSWER_RETRY_MS);
		/* not set by the user: the statement would have been cancelled */
		if (StatementTimeout > 0 &&
			TimestampDifferenceExceeds(started, GetCurrentTimestamp(),
									   StatementTimeout))
			ereport(ERROR,
					(errcode(ERRCODE_QUERY_CANCELED),
					 errmsg("background worker taking ids from table \"%s\" has not answered in time",
							NameStr(task->table))));
	}
	/* the answer was written before the state */
	pg_read_barrier();
}

/* End the worker, as its caller does not wait for it any more. */
static void
end_worker(int code, Datum handle)
{
	TerminateBackgroundWorker((BackgroundWorkerHandle *) DatumGetPointer(handle));
}

/* Report the error that the worker met, if it has not done its task. */
static void
require_done(const Task *task)
{
	if (task->state == TASK_DONE)
		return;
	if (task->state == TASK_FAILED)
		ereport(ERROR,
				(errcode(task->sqlstate),
				 errmsg_internal("%s", task->message),
				 task->detail[0] != '\0' ? errdetail_internal("%s", task->detail) : 0,
				 task->hint[0] != '\0' ? errhint("%s", task->hint) :
				 task->sqlstate != ERRCODE_LOCK_NOT_AVAILABLE ? 0 :
				 errhint("If the current transaction has changed table \"%s\", take ids before that or after its end. Otherwise try again.",
						 NameStr(task->table)),
				 errcontext("background worker taking ids from table \"%s\"",
							NameStr(task->table))));
	ereport(ERROR,
			(errcode(ERRCODE_ADMIN_SHUTDOWN),
			 errmsg("background worker to take ids from table \"%s\" ended without an answer",
					NameStr(task->table)),
			 errhint("More details may be available in the server log.")));
}

/*
 * Make the worker's user the role.
 *
 * A setting of the database may have given it any role, as it was a superuser
 * when it connected; that role would stay.
 */
static void
become_role(Oid role)
{
	StartTransactionCommand();
	SetConfigOption("role", "none", PGC_USERSET, PGC_S_OVERRIDE);
	SetSessionAuthorization(role, superuser_arg(role));
	if (GetUserId() != role)
		elog(ERROR, "background worker could not become role %u", role);
	CommitTransactionCommand();
}

/* Do the task, and leave its answer or its error there. */
static void
do_task(Task *task)
{
	MemoryContext context = CurrentMemoryContext;

	SetConfigOption("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_OVERRIDE);
	SetConfigOption("lock_timeout", psprintf("%d", task->lock_timeout),
					PGC_USERSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_isolation", "read committed", PGC_USERSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_read_only", "off", PGC_USERSET, PGC_S_OVERRIDE);
	pgstat_report_activity(STATE_RUNNING,
						   "hilo: taking ids from the source of a generator");

	PG_TRY();
	{
		do_work(task);
		pg_write_barrier();
		task->state = TASK_DONE;
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		AbortCurrentTransaction();
		task->sqlstate = error->sqlerrcode;
		copy_message(task->message, error->message);
		copy_message(task->detail, error->detail);
		copy_message(task->hint, error->hint);
		pg_write_barrier();
		task->state = TASK_FAILED;
	}
	PG_END_TRY();
}

/*
 * Do the work in a transaction, in which the worker keeps its role, also in
 * deferred triggers.  The security context ends with it, as PostgreSQL lets no
 * transaction begin with one.  (An abort resets it by itself.)
 */
static void
do_work(Task *task)
{
	StartTransactionCommand();
	SetUserIdAndSecContext(GetUserId(), SECURITY_LOCAL_USERID_CHANGE);
	SPI_connect();
	PushActiveSnapshot(GetTransactionSnapshot());
	orm_table_change_row(task->input, &task->answer);
	PopActiveSnapshot();
	SPI_finish();
	ForceSyncCommit();
	CommitTransactionCommand();
	SetUserIdAndSecContext(GetUserId(), 0);
	task->answer.lsn = XactLastCommitEnd;
}

/* Copy a message, or as much of it as fits; NULL becomes empty. */
static void
copy_message(char *to, const char *from)
{
	const char *text = from == NULL ? "" : from;
	int			length = pg_mbcliplen(text, strlen(text), MESSAGE_SIZE - 1);

	memcpy(to, text, length);
	to[length] = '\0';
}
