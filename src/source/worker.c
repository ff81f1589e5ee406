/*
 * The change of a row that an ORM takes its hi from, in a transaction of its
 * own, in a background worker.
 *
 * The worker belongs to one change: it starts, makes the change, commits,
 * answers by way of a segment of dynamic shared memory, and ends.  If the caller
 * goes away meanwhile, so does the worker; what it has committed stays.
 *
 * All sessions of the server together use half of the server's background
 * workers at most.  A worker waits for no row and no table, so no session keeps
 * one from others by what it holds.
 *
 * The worker connects as the bootstrap superuser, because a role need not be
 * allowed to log in to take ids.  Nobody's code runs in it (orm_row.c); all the
 * same it makes the change as the generator's owner, and in the security context
 * in which core runs the code of an owner.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_class.h"
#include "mb/pg_wchar.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "storage/ipc.h"
#include "storage/procarray.h"
#include "tcop/tcopprot.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "source/source.h"

/* how long to wait for a slot for the worker, and the worker for a catalog */
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
	NameData	table;			/* for errors */
	volatile TaskState state;
	OrmAnswer	answer;			/* TASK_DONE */
	int			sqlstate;		/* TASK_FAILED */
	char		message[MESSAGE_SIZE];
	char		detail[MESSAGE_SIZE];
	char		hint[MESSAGE_SIZE];
	RowChange	change;			/* the last one, as it has no fixed size */
} Task;

static LOCKTAG lock_of_place(void);
static BackgroundWorkerHandle *start_worker(dsm_segment *segment);
static void wait_for_worker(BackgroundWorkerHandle *handle, const Task *task);
static void end_worker(int code, Datum handle);
static void require_done(const Task *task);
static void do_task(Task *task);
static void do_work(Task *task);
static void copy_message(char *to, const char *from);

/*
 * Make a change in a transaction of its own.  When this returns the answer, the
 * change is committed, and on disk here.  An error of the worker is raised here.
 *
 * Waits for a worker, which can be cancelled.
 */
OrmAnswer
worker_run(const RowChange *change, Size size)
{
	dsm_segment *segment = dsm_create(offsetof(Task, change) + size, 0);
	Task	   *task = dsm_segment_address(segment);
	const char *table = get_rel_name(change->relid);
	BackgroundWorkerHandle *handle;
	OrmAnswer	answer;

	memset(task, 0, offsetof(Task, change));
	namestrcpy(&task->table, table != NULL ? table : "");
	memcpy(&task->change, change, size);

	(void) lock_take(lock_of_place(), true);
	handle = start_worker(segment);
	PG_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	{
		wait_for_worker(handle, task);
	}
	PG_END_ENSURE_ERROR_CLEANUP(end_worker, PointerGetDatum(handle));
	lock_give_up(lock_of_place());
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
	do_task(task);
	leader = BackendPidGetProc(MyBgworkerEntry->bgw_notify_pid);
	if (leader != NULL)
		SetLatch(&leader->procLatch);
	proc_exit(0);
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
	pid_t		pid;

	while (GetBackgroundWorkerPid(handle, &pid) != BGWH_STOPPED &&
		   task->state == TASK_GIVEN)
		wait_event_for_latch(WAIT_SOURCE_ANSWER, ANSWER_RETRY_MS);
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
				 task->hint[0] != '\0' ? errhint("%s", task->hint) : 0,
				 errcontext("background worker taking ids from table \"%s\"",
							NameStr(task->table))));
	ereport(ERROR,
			(errcode(ERRCODE_ADMIN_SHUTDOWN),
			 errmsg("background worker to take ids from table \"%s\" ended without an answer",
					NameStr(task->table)),
			 errhint("More details may be available in the server log.")));
}

/* Do the task, and leave its answer or its error there. */
static void
do_task(Task *task)
{
	MemoryContext context = CurrentMemoryContext;

	SetConfigOption("lock_timeout", psprintf("%d", TIMEOUT_MS), PGC_USERSET, PGC_S_OVERRIDE);
	/* the session waits for the standbys */
	SetConfigOption("synchronous_commit", "local", PGC_USERSET, PGC_S_OVERRIDE);
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

/* Make the change in a transaction, as the generator's owner. */
static void
do_work(Task *task)
{
	Oid			user;
	int			context;

	StartTransactionCommand();
	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(task->change.actor,
						   SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
	PushActiveSnapshot(GetTransactionSnapshot());
	orm_row_change(&task->change, &task->answer);
	PopActiveSnapshot();
	SetUserIdAndSecContext(user, context);
	ForceSyncCommit();
	CommitTransactionCommand();
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
