/* The wait for WAL to be where a crash or a failover does not lose it. */
#include "postgres.h"

#include "access/xlog.h"
#include "portability/instr_time.h"
#include "replication/walsender.h"
#include "replication/walsender_private.h"

#include "store/store.h"

static void wait_for_standbys(XLogRecPtr lsn);

/*
 * Wait until the WAL up to lsn is on disk and, if synchronous standbys are
 * configured, on theirs, whatever synchronous_commit asks for.  Return the
 * microseconds of the wait, -1 if there was nothing to wait for.
 */
int64
flush_wal(XLogRecPtr lsn)
{
	/* read the clock only if there is something to wait for */
	bool		waits = lsn > GetFlushRecPtr(NULL) ||
		StandbysAreDefined(WalSndCtl);
	instr_time	before;
	instr_time	time;

	if (waits)
		INSTR_TIME_SET_CURRENT(before);
	delay_at_random();
	wait_for_standbys(lsn);
	delay_at_random();
	if (!waits)
		return -1;
	INSTR_TIME_SET_CURRENT(time);
	INSTR_TIME_SUBTRACT(time, before);
	return (int64) INSTR_TIME_GET_MICROSEC(time);
}

/*
 * Wait for the disk, and have core wait for the standbys, as it does by itself
 * only at the commit of a transaction with an xid.  A cancel ends that with a
 * mere warning, hence the look at how far the standbys are.
 */
static void
wait_for_standbys(XLogRecPtr lsn)
{
	int			nestlevel;
	bool		failed;

	XLogFlush(lsn);
	if (max_wal_senders == 0)
		return;
	nestlevel = NewGUCNestLevel();
	if (synchronous_commit < SYNCHRONOUS_COMMIT_REMOTE_FLUSH)
		(void) set_config_option("synchronous_commit", "on",
								 PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	HOLD_INTERRUPTS();
	SyncRepWaitForLSN(lsn, false);
	RESUME_INTERRUPTS();
	AtEOXact_GUC(true, nestlevel);

	LWLockAcquire(SyncRepLock, LW_SHARED);
	failed = StandbysAreDefined(WalSndCtl) &&
		WalSndCtl->lsn[SYNC_REP_WAIT_FLUSH] < lsn;
	LWLockRelease(SyncRepLock);
	if (failed)
		ereport(ERROR,
				errcode(ERRCODE_QUERY_CANCELED),
				errmsg("synchronous standbys have not confirmed the reservation of ids"),
				errdetail("None of these ids is handed out."));
}
