/*-------------------------------------------------------------------------
 *
 * anchor_partition.c
 *	  The locks that a table is partitioned, and its prefixes changed, under.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/anchor_partition.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "lock.h"
#include "relation.h"

PG_FUNCTION_INFO_V1(anchor_partition_lock);
PG_FUNCTION_INFO_V1(anchor_partition_hold);

static void lock_with_right(Oid relid, LOCKMODE lockmode);
static void require_lock_right(Oid relid);

/*
 * anchor_partition_lock(rel, only_it): locks a table and, unless it alone is
 * wanted, what inherits from it, for who may change its rows.  To the end of the
 * transaction; the lock of LOCK TABLE would go with a cursor that fails.
 */
Datum
anchor_partition_lock(PG_FUNCTION_ARGS)
{
	Oid			relid = PG_GETARG_OID(0);

	PreventCommandDuringRecovery("LOCK TABLE");
	lock_with_right(relid, AccessExclusiveLock);
	if (!PG_GETARG_BOOL(1))
		(void) lock_inheritors(relid, AccessExclusiveLock);
	PG_RETURN_VOID();
}

/*
 * anchor_partition_hold(rel): takes the lock that a change of a table's rows has, for
 * who may make one.  Deferred triggers of the change count on it, and with a cursor
 * that fails that of the change itself would go.
 */
Datum
anchor_partition_hold(PG_FUNCTION_ARGS)
{
	lock_with_right(PG_GETARG_OID(0), RowExclusiveLock);
	PG_RETURN_VOID();
}

/*
 * Locks a table, if the current role may, before and after the wait.
 */
static void
lock_with_right(Oid relid, LOCKMODE lockmode)
{
	require_lock_right(relid);
	lock_table(relid, lockmode);
	require_lock_right(relid);
}

/*
 * Raises an error unless the current role may lock the table, or if there is none.
 */
static void
require_lock_right(Oid relid)
{
	if (get_rel_relkind(relid) == '\0')
		relation_refuse_missing(relid);
	if (pg_class_aclcheck(relid, GetUserId(),
						  ACL_UPDATE | ACL_DELETE | ACL_TRUNCATE) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(relid));
}
