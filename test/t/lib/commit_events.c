/* A library that meddles with commits, and one session that keeps WAL from the disk. */
#include "postgres.h"

#include <unistd.h>

#include "access/xact.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lwlock.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/wait_event.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(at_commit);
PG_FUNCTION_INFO_V1(keep_wal);

/* what the commit does, as at_commit has it */
static char this_commit[32] = "";
static bool listening = false;

static void
meddle(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_ABORT)
		this_commit[0] = '\0';
	if (event == XACT_EVENT_PRE_COMMIT && strcmp(this_commit, "set") == 0)
		(void) set_config_option("synchronous_commit", "remote_write", PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SET, true, 0, false);
	if ((event == XACT_EVENT_PRE_COMMIT && strcmp(this_commit, "fail before") == 0) ||
		(event == XACT_EVENT_COMMIT && strcmp(this_commit, "fail after") == 0))
		elog(ERROR, "this commit was to %s", this_commit);
	if (event == XACT_EVENT_COMMIT)
		this_commit[0] = '\0';
}

/* Have this transaction's commit "set" synchronous_commit, "fail before" or "fail after" its record. */
Datum
at_commit(PG_FUNCTION_ARGS)
{
	if (!listening)
		RegisterXactCallback(meddle, NULL);
	listening = true;
	strlcpy(this_commit, text_to_cstring(PG_GETARG_TEXT_PP(0)), sizeof(this_commit));
	PG_RETURN_VOID();
}

/* Let no process write WAL to the disk while there is a file. */
Datum
keep_wal(PG_FUNCTION_ARGS)
{
	char	   *file = text_to_cstring(PG_GETARG_TEXT_PP(0));

	LWLockAcquire(WALWriteLock, LW_EXCLUSIVE);
	pgstat_report_wait_start(PG_WAIT_EXTENSION);
	while (access(file, F_OK) == 0)
		pg_usleep(1000);
	pgstat_report_wait_end();
	LWLockRelease(WALWriteLock);
	PG_RETURN_VOID();
}
