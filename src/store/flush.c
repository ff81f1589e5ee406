/*
 * The wait for WAL to be where a crash or a failover does not lose it.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "replication/syncrep.h"
#include "replication/walsender.h"
#include "replication/walsender_private.h"
#include "storage/lwlock.h"
#include "utils/guc.h"

#include "base/base.h"
#include "store/store.h"

static bool standbys_have(XLogRecPtr lsn);

/*
 * Comes back when the WAL up to lsn is on disk and, where synchronous
 * standbys are configured and synchronous_commit asks for them, on theirs.
 *
 * Core waits for standbys at the commit of a transaction with an xid only, so
 * the wait is ours to make.  It ends with a mere warning when it is cancelled,
 * hence the look at how far they are.
 */
void
flush_wal(XLogRecPtr lsn, int64 incarnation)
{
	/* a clock is read only where there is something to wait for */
	bool		waits = lsn > GetFlushRecPtr(NULL) ||
		(SyncRepRequested() && StandbysAreDefined(WalSndCtl));
	instr_time	time;
	instr_time	before;

	if (waits)
		INSTR_TIME_SET_CURRENT(before);
	delay_at_random();
	XLogFlush(lsn);
	flush_wait_for_standbys(lsn);
	delay_at_random();
	if (waits)
	{
		INSTR_TIME_SET_CURRENT(time);
		INSTR_TIME_SUBTRACT(time, before);
		tally_both(incarnation, TALLY_FLUSH_WAITS, 1,
				   TALLY_FLUSH_TIME, (int64) INSTR_TIME_GET_MICROSEC(time));
	}
}

/*
 * Flush WAL as flush_wal does, at the strictest synchronous_commit: for ids that
 * are handed out by other sessions, too.
 */
void
flush_wal_for_all(XLogRecPtr lsn, int64 incarnation)
{
	int			nestlevel = NewGUCNestLevel();

	if (synchronous_commit < SYNCHRONOUS_COMMIT_REMOTE_FLUSH)
		(void) set_config_option("synchronous_commit", "on", PGC_USERSET,
								 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	flush_wal(lsn, incarnation);
	AtEOXact_GUC(true, nestlevel);
}

/*
 * Waits until the synchronous standbys have the WAL up to lsn, if there are
 * any and synchronous_commit asks for it.
 */
void
flush_wait_for_standbys(XLogRecPtr lsn)
{
	if (!SyncRepRequested())
		return;

	HOLD_INTERRUPTS();
	SyncRepWaitForLSN(lsn, false);
	RESUME_INTERRUPTS();

	if (!standbys_have(lsn))
		ereport(ERROR,
				(errcode(ERRCODE_QUERY_CANCELED),
				 errmsg("canceling the reservation of ids due to user request"),
				 errdetail("The synchronous standbys have not confirmed the range, so none of its ids is handed out.")));
}

/*
 * Says whether the synchronous standbys have the WAL up to lsn, or there are
 * none any more.
 */
static bool
standbys_have(XLogRecPtr lsn)
{
	/* what SyncRepWaitForLSN waits for when it is not for a commit */
	int			mode = synchronous_commit == SYNCHRONOUS_COMMIT_REMOTE_WRITE ?
		SYNC_REP_WAIT_WRITE : SYNC_REP_WAIT_FLUSH;
	bool		reached;

	LWLockAcquire(SyncRepLock, LW_SHARED);
	reached = !StandbysAreDefined(WalSndCtl) || WalSndCtl->lsn[mode] >= lsn;
	LWLockRelease(SyncRepLock);
	return reached;
}
