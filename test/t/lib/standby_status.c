/*
 * A library that takes the server back to before its checkpointer has looked at
 * synchronous_standby_names for the first time.
 */
#include "postgres.h"

#include "fmgr.h"
#include "replication/syncrep.h"
#include "replication/walsender_private.h"
#include "storage/lwlock.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(standby_status_forget);

/*
 * Return what was known: 0 is nothing, and null a minor release that does not say
 * nothing from no standbys.
 */
Datum
standby_status_forget(PG_FUNCTION_ARGS)
{
#ifdef SYNC_STANDBY_INIT
	int			known;

	LWLockAcquire(SyncRepLock, LW_EXCLUSIVE);
	known = WalSndCtl->sync_standbys_status;
	WalSndCtl->sync_standbys_status = 0;
	LWLockRelease(SyncRepLock);
	PG_RETURN_INT32(known);
#else
	PG_RETURN_NULL();
#endif
}
