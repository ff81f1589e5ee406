/*
 * The flush of a transaction that took a number without gaps.
 *
 * A session that wants the next number waits for the locks of that
 * transaction.  It gives them up once its commit record is written, and waits
 * for the disk and the standbys after that, before its client is told.  Commit
 * records lie in the order of the numbers, so a crash loses numbers from the
 * end of a series only, of which no client has been told.
 *
 * Core flushes with the locks held, unless synchronous_commit is off.  So it is
 * off here while core writes the record: the variable alone, as the setting
 * would also change what the standbys are waited for.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "replication/walsender.h"
#include "replication/walsender_private.h"
#include "utils/resowner.h"

#include "store/store.h"

int			gapless_flush = GAPLESS_FLUSH_LOCAL;

/* of the current transaction */
static bool has_number = false;
static bool is_put_off = false;
static int	asked_for;			/* by synchronous_commit, before it was put
								 * off */

/* what the committed transaction has yet to wait for */
static XLogRecPtr unflushed = InvalidXLogRecPtr;

static void transaction_ends(XactEvent event, void *arg);
static void locks_are_released(ResourceReleasePhase phase, bool is_commit,
							   bool is_top_level, void *arg);

/*
 * Have the current transaction, which takes a number, give up its locks before
 * the flush.
 */
void
gapless_flush_late(void)
{
	static bool listening = false;

	if (!listening)
	{
		RegisterXactCallback(transaction_ends, NULL);
		RegisterResourceReleaseCallback(locks_are_released, NULL);
		listening = true;
	}

	/*
	 * Citus commits on the workers what this server's commit record has
	 * decided
	 */
	has_number = !citus_is_here();
}

/*
 * Check whether the setting allows it.  Where standbys are to have replayed the
 * record, core must write it with that demand.
 */
static bool
may_be_late(void)
{
	if (gapless_flush == GAPLESS_FLUSH_EARLY ||
		synchronous_commit == SYNCHRONOUS_COMMIT_OFF ||
		synchronous_commit == SYNCHRONOUS_COMMIT_REMOTE_APPLY)
		return false;
	return gapless_flush == GAPLESS_FLUSH_LATE ||
		synchronous_commit == SYNCHRONOUS_COMMIT_LOCAL_FLUSH ||
		max_wal_senders == 0 || !StandbysAreDefined(WalSndCtl);
}

/* Callback: whatever follows the first of these events may still roll back. */
static void
transaction_ends(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_PRE_COMMIT)
	{
		if (has_number && may_be_late())
		{
			asked_for = synchronous_commit;
			synchronous_commit = SYNCHRONOUS_COMMIT_OFF;
			is_put_off = true;
		}
		return;
	}
	if (event != XACT_EVENT_COMMIT && event != XACT_EVENT_ABORT &&
		event != XACT_EVENT_PREPARE)
		return;
	if (is_put_off && event == XACT_EVENT_COMMIT)
		unflushed = XactLastCommitEnd;
	/* another library may have set it meanwhile */
	if (is_put_off && synchronous_commit == SYNCHRONOUS_COMMIT_OFF)
		synchronous_commit = asked_for;
	is_put_off = has_number = false;
}

/*
 * Callback: wait as core would have done.  It comes once for each resource
 * owner.
 */
static void
locks_are_released(ResourceReleasePhase phase, bool is_commit,
				   bool is_top_level, void *arg)
{
	XLogRecPtr	lsn = unflushed;

	if (phase != RESOURCE_RELEASE_AFTER_LOCKS || XLogRecPtrIsInvalid(lsn))
		return;
	unflushed = InvalidXLogRecPtr;
	delay_at_random();

	/* an error would find a transaction that can no longer be rolled back */
	START_CRIT_SECTION();
	XLogFlush(lsn);
	END_CRIT_SECTION();
	delay_at_random();
	SyncRepWaitForLSN(lsn, true);
}
