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

/*
 * Whether the callbacks are registered; if an error comes in between, some are
 * registered twice, which does no harm.
 */
static bool is_listening = false;

/* of the current transaction */
static bool has_number = false;
static bool is_put_off = false;
static int	asked_for;			/* by synchronous_commit, before it was put
								 * off */

static void before_commit(XactEvent event, void *arg);
static void locks_are_released(ResourceReleasePhase phase, bool is_commit,
							   bool is_top_level, void *arg);

/*
 * Have the current transaction, which takes a number, give up its locks before
 * the flush.
 */
void
gapless_flush_late(void)
{
	if (!is_listening)
	{
		RegisterXactCallback(before_commit, NULL);
		RegisterResourceReleaseCallback(locks_are_released, NULL);
		is_listening = true;
	}

	/* Citus commits on the workers what this commit record decides */
	has_number = !citus_is_here();
}

/*
 * Check whether the settings allow a late flush.  They do not if standbys must
 * have replayed the record: core must write that demand into it.
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

/* Callback: put the flush off.  What follows may still roll back. */
static void
before_commit(XactEvent event, void *arg)
{
	if (event != XACT_EVENT_PRE_COMMIT || !has_number || !may_be_late())
		return;
	asked_for = synchronous_commit;
	synchronous_commit = SYNCHRONOUS_COMMIT_OFF;
	is_put_off = true;
}

/*
 * Callback: at the end of the transaction, wait as core would have done.  It
 * comes once for each resource owner; at the first one all locks are released.
 */
static void
locks_are_released(ResourceReleasePhase phase, bool is_commit,
				   bool is_top_level, void *arg)
{
	bool		was_put_off = is_put_off;

	if (phase != RESOURCE_RELEASE_AFTER_LOCKS || !is_top_level)
		return;
	has_number = is_put_off = false;
	if (!was_put_off)
		return;
	/* another library may have set it meanwhile */
	if (synchronous_commit == SYNCHRONOUS_COMMIT_OFF)
		synchronous_commit = asked_for;
	if (!is_commit)
		return;
	delay_at_random();

	/* an error would find a transaction that can no longer be rolled back */
	START_CRIT_SECTION();
	XLogFlush(XactLastCommitEnd);
	END_CRIT_SECTION();
	delay_at_random();
	SyncRepWaitForLSN(XactLastCommitEnd, true);
}
