/* The wait for WAL to be where a crash or a failover does not lose it. */
#include "postgres.h"

#include "access/xloginsert.h"
#include "catalog/pg_control.h"
#include "portability/instr_time.h"
#include "postmaster/interrupt.h"
#include "replication/walsender.h"
#include "replication/walsender_private.h"

#include "store/store.h"

volatile sig_atomic_t flush_tellings = 1;
sig_atomic_t flush_looked = 0;

/* up to here, only what is in use is known to be with the standbys */
static XLogRecPtr known_from;

/* the handler of SIGHUP before ours */
static struct sigaction core_action;

static XLogRecPtr write_record(void);
static void wait_for_standbys(XLogRecPtr lsn);
static void listen_for_changes(void);
static void be_told(int signo, siginfo_t *info, void *context);

/*
 * Wait until the WAL up to lsn is on disk and, where synchronous standbys are
 * configured, on theirs, whatever synchronous_commit asks for.  Return the
 * microseconds of the wait, -1 if there was nothing to wait for.
 */
int64
flush_wal(XLogRecPtr lsn)
{
	/* a clock is read only where there is something to wait for */
	bool		waits = lsn > GetFlushRecPtr(NULL) || StandbysAreDefined(WalSndCtl);
	instr_time	before;
	instr_time	time;

	if (waits)
		INSTR_TIME_SET_CURRENT(before);
	delay_at_random();
	/* WAL of before the last look may have been confirmed by other standbys */
	wait_for_standbys(lsn <= known_from && StandbysAreDefined(WalSndCtl) ?
					  write_record() : lsn);
	flush_look_at_standbys(false);
	delay_at_random();
	if (!waits)
		return -1;
	INSTR_TIME_SET_CURRENT(time);
	INSTR_TIME_SUBTRACT(time, before);
	return (int64) INSTR_TIME_GET_MICROSEC(time);
}

/*
 * If another configuration may have been loaded since the last look, make sure that
 * the synchronous standbys of now have all ids in use: by the word, with may_know, else
 * by the wait for a new record, as others may have confirmed those before.
 *
 * The word in shared memory is a hash of the list whose standbys have all ids
 * in use; a record or 0 while nobody knows that.
 */
void
flush_look_at_standbys(bool may_know)
{
	for (; flush_is_told(); may_know = false)
	{
		uint64		list = 1 | hash_bytes_extended((const unsigned char *) SyncRepStandbyNames,
												   strlen(SyncRepStandbyNames), 0);
		sig_atomic_t tellings;
		bool		is_read;
		uint64		known;

		shared_memory_attach();
		listen_for_changes();
		tellings = flush_tellings;
		/* a statement that began before the change cannot read the list */
		is_read = !ConfigReloadPending && MyBackendType != B_BG_WORKER;
		known = pg_atomic_read_u64(shared_standbys);
		known_from = GetXLogInsertRecPtr();
		if (!StandbysAreDefined(WalSndCtl))
		{
			/* core waits only once the checkpointer has read the list */
			if (!is_read || SyncRepStandbyNames[0] != '\0')
				list = 0;
			if (known != list)
				(void) pg_atomic_exchange_u64(shared_standbys, list);
			if (list == 0)
				return;
		}
		else if (!is_read || !may_know || known != list)
		{
			known = write_record();
			(void) pg_atomic_exchange_u64(shared_standbys, known);
			wait_for_standbys(known);
			known_from = InvalidXLogRecPtr;
			if (is_read && flush_tellings == tellings)
				(void) pg_atomic_compare_exchange_u64(shared_standbys, &known, list);
		}
		flush_looked = tellings;
	}
}

/* Write a record that changes nothing. */
static XLogRecPtr
write_record(void)
{
	XLogBeginInsert();
	XLogSetRecordFlags(XLOG_MARK_UNIMPORTANT);
	XLogRegisterData((char *) &known_from, sizeof(known_from));
	return XLogInsert(RM_XLOG_ID, XLOG_NOOP);
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
		(void) set_config_option("synchronous_commit", "on", PGC_USERSET,
								 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	HOLD_INTERRUPTS();
	SyncRepWaitForLSN(lsn, false);
	RESUME_INTERRUPTS();
	AtEOXact_GUC(true, nestlevel);

	LWLockAcquire(SyncRepLock, LW_SHARED);
	failed = StandbysAreDefined(WalSndCtl) && WalSndCtl->lsn[SYNC_REP_WAIT_FLUSH] < lsn;
	LWLockRelease(SyncRepLock);
	if (failed)
		ereport(ERROR,
				(errcode(ERRCODE_QUERY_CANCELED),
				 errmsg("synchronous standbys have not confirmed the reservation of ids"),
				 errdetail("None of these ids is handed out.")));
}

/* Have be_told called first at SIGHUP, from now on. */
static void
listen_for_changes(void)
{
	struct sigaction action;

	(void) sigaction(SIGHUP, NULL, &action);
	if ((action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == be_told)
		return;
	core_action = action;
	action.sa_flags |= SA_SIGINFO;
	action.sa_sigaction = be_told;
	(void) sigaction(SIGHUP, &action, NULL);
}

/* Signal handler: count the changes, as core forgets its flag once it has read them. */
static void
be_told(int signo, siginfo_t *info, void *context)
{
	flush_tellings++;
	if ((core_action.sa_flags & SA_SIGINFO) != 0)
		core_action.sa_sigaction(signo, info, context);
	else if (core_action.sa_handler != SIG_IGN)
		core_action.sa_handler(signo);
}
