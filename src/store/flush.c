/*
 * The wait for WAL to be where a crash or a failover does not lose it.
 */
#include "postgres.h"

#include "access/xact.h"
#include "common/hashfn.h"
#include "portability/instr_time.h"
#include "replication/walsender.h"
#include "replication/walsender_private.h"

#include "store/store.h"
#include "table/table.h"

StandbyList flush_standbys;

/*
 * Wait until the WAL up to lsn is on disk and, where synchronous standbys are
 * configured, on theirs; return which those were, for flush_has_other_standbys.
 *
 * Core waits for standbys at the commit of a transaction with an xid only, so
 * the wait is ours to make.  A cancel ends it with a mere warning, hence the
 * look at how far the standbys are.
 */
StandbyList
flush_wal(XLogRecPtr lsn, int64 incarnation)
{
	/* a clock is read only where there is something to wait for */
	bool		waits = lsn > GetFlushRecPtr(NULL) || StandbysAreDefined(WalSndCtl);
	instr_time	time;
	instr_time	before;
	bool		confirmed;

	if (waits)
		INSTR_TIME_SET_CURRENT(before);
	delay_at_random();
	XLogFlush(lsn);
	confirmed = flush_wait_for_standbys(lsn);
	delay_at_random();
	if (waits)
	{
		INSTR_TIME_SET_CURRENT(time);
		INSTR_TIME_SUBTRACT(time, before);
		tally(incarnation, TALLY_FLUSH_WAITS, 1);
		tally(incarnation, TALLY_FLUSH_TIME,
			  (int64) INSTR_TIME_GET_MICROSEC(time));
	}
	return confirmed ? flush_standbys : (StandbyList) {0};
}

/*
 * Look which synchronous standbys there are, after the configuration was read.
 * New ones need not have what the former ones have confirmed, so every
 * generator is looked at again.
 *
 * Nobody waits for standbys until the checkpointer has read it, too.
 */
void
flush_look_at_standbys(void)
{
	bool		named = SyncRepStandbyNames != NULL && SyncRepStandbyNames[0] != '\0';

	catalog_generation++;
	flush_standbys.names = 0;
	if (named && !StandbysAreDefined(WalSndCtl))
		return;
	if (named)
		flush_standbys.names = 1 |
			hash_bytes_extended((const unsigned char *) SyncRepStandbyNames,
								strlen(SyncRepStandbyNames), 0);
	flush_standbys.loaded = PgReloadTime;
}

/*
 * Wait until the synchronous standbys have the WAL up to lsn, if there are any,
 * whatever synchronous_commit asks for.  Return false if there are none any
 * more.
 */
bool
flush_wait_for_standbys(XLogRecPtr lsn)
{
	int			nestlevel;
	bool		confirmed;
	bool		defined;

	if (max_wal_senders == 0)
		return true;
	nestlevel = NewGUCNestLevel();
	if (synchronous_commit < SYNCHRONOUS_COMMIT_REMOTE_FLUSH)
		(void) set_config_option("synchronous_commit", "on", PGC_USERSET,
								 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	HOLD_INTERRUPTS();
	SyncRepWaitForLSN(lsn, false);
	RESUME_INTERRUPTS();
	AtEOXact_GUC(true, nestlevel);

	LWLockAcquire(SyncRepLock, LW_SHARED);
	confirmed = WalSndCtl->lsn[SYNC_REP_WAIT_FLUSH] >= lsn;
	defined = StandbysAreDefined(WalSndCtl);
	LWLockRelease(SyncRepLock);
	if (defined && !confirmed)
		ereport(ERROR,
				(errcode(ERRCODE_QUERY_CANCELED),
				 errmsg("synchronous standbys have not confirmed the reservation of ids"),
				 errdetail("None of these ids is handed out.")));
	return confirmed || flush_standbys.names == 0;
}
