/*-------------------------------------------------------------------------
 *
 * anchor_partition.c
 *	  The key of a partitioned table, after its function has changed, and the
 *	  locks that such a change is made under.
 *
 * PostgreSQL takes a partition key for what never changes: a session keeps it as
 * long as the table's entry in the relation cache, with the function inlined.
 * Other sessions make that entry anew when the change is committed.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/anchor_partition.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_inherits.h"
#include "commands/tablecmds.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compat.h"
#include "lock.h"
#include "relation.h"

PG_FUNCTION_INFO_V1(anchor_partition_forget_key);
PG_FUNCTION_INFO_V1(anchor_partition_lock);

static void require_lock_right(Oid relid);
static void forget_key(Relation rel);

/*
 * anchor_partition_forget_key(rel): has sessions make the key of a table and the
 * constraints of its partitions anew, in which its function is inlined: this one
 * now, the others when the transaction ends.  Raises an error if a query of the
 * table is running here, or if this session would keep that key after a rollback.
 * For its owner.
 */
Datum
anchor_partition_forget_key(PG_FUNCTION_ARGS)
{
	Oid			relid = PG_GETARG_OID(0);
	ListCell   *cell;

	if (get_rel_relkind(relid) == '\0')
		relation_refuse_missing(relid);
	if (!RelationIsOwnedBy(relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(relid));

	LockRelationOid(relid, AccessShareLock);
	foreach(cell, find_all_inheritors(relid, AccessShareLock, NULL))
	{
		Relation	rel = table_open(lfirst_oid(cell), NoLock);

		CheckTableNotInUse(rel, "anchor_prefix_set");
		CacheInvalidateRelcache(rel);
		if (rel->rd_id == relid)
			forget_key(rel);
		table_close(rel, AccessShareLock);
	}
	PG_RETURN_VOID();
}

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
	require_lock_right(relid);
	lock_table(relid, AccessExclusiveLock);
	require_lock_right(relid);
	if (!PG_GETARG_BOOL(1))
		(void) lock_inheritors(relid, AccessExclusiveLock);
	PG_RETURN_VOID();
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

/*
 * Has this session forget the key of a table; or raises an error if the change
 * may be rolled back without the table: the entry of one that the transaction has
 * created stays, with the key.
 */
static void
forget_key(Relation rel)
{
	if (rel->rd_createSubid != InvalidSubTransactionId &&
		rel->rd_createSubid != GetCurrentSubTransactionId())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot change prefixes of table \"%s\" in a subtransaction of the one that created it",
						RelationGetRelationName(rel)),
				 errhint("Commit first, or change them outside savepoints and blocks with EXCEPTION.")));
	if (rel->rd_partkeycxt != NULL)
		MemoryContextDelete(rel->rd_partkeycxt);
	rel->rd_partkeycxt = NULL;
	rel->rd_partkey = NULL;
}
