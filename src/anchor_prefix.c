/*-------------------------------------------------------------------------
 *
 * anchor_prefix.c
 *	  The key of a partitioned table, after the prefixes in its function changed.
 *
 * PostgreSQL takes a partition key for what never changes: a session keeps it as
 * long as the table's entry in the relation cache, with the function inlined; and
 * so it does with what an index is on.  Other sessions make those entries anew when
 * the change is committed.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/anchor_prefix.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
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
#include "relation.h"

PG_FUNCTION_INFO_V1(anchor_prefix_forget_key);

static void forget_key(Relation rel);
static void forget_indexes(Relation rel);
static bool survives_rollback(SubTransactionId made_in);

/*
 * anchor_prefix_forget_key(rel): has sessions make the key of a table, the
 * constraints of its partitions and the expressions and predicates of indexes anew,
 * in which its function is inlined: this one now, the others when the transaction
 * ends.  Raises an error if a query of the table is running here, or if this session
 * would keep any of it after a rollback.  For its owner.
 */
Datum
anchor_prefix_forget_key(PG_FUNCTION_ARGS)
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
		forget_indexes(rel);
		table_close(rel, AccessShareLock);
	}
	PG_RETURN_VOID();
}

/*
 * Has this session forget the key of a table; or raises an error if the change
 * may be rolled back without the table: the entry of one that the transaction has
 * created stays, with the key.
 */
static void
forget_key(Relation rel)
{
	if (survives_rollback(rel->rd_createSubid))
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

/*
 * Has sessions forget what the indexes of a table are on; or raises an error if this
 * one may keep it after a rollback: as with tables, the entry of an index that the
 * transaction has made, or whose storage it has, stays.
 */
static void
forget_indexes(Relation rel)
{
	ListCell   *cell;

	foreach(cell, RelationGetIndexList(rel))
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);
		SubTransactionId made_in = index->rd_createSubid;

		if (made_in == InvalidSubTransactionId)
			made_in = RelationNewStorageSubid(index);
		if (survives_rollback(made_in) &&
			(RelationGetIndexExpressions(index) != NIL ||
			 RelationGetIndexPredicate(index) != NIL))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("cannot change prefixes of table \"%s\" in a subtransaction of the one that made index \"%s\"",
							RelationGetRelationName(rel),
							RelationGetRelationName(index)),
					 errhint("Commit first, or change them outside savepoints and blocks with EXCEPTION.")));
		CacheInvalidateRelcache(index);
		index->rd_indexprs = NIL;
		index->rd_indpred = NIL;
		index_close(index, NoLock);
	}
}

/*
 * Says whether what was made in that subtransaction is there after a rollback of
 * the current one.
 */
static bool
survives_rollback(SubTransactionId made_in)
{
	return made_in != InvalidSubTransactionId &&
		made_in != GetCurrentSubTransactionId();
}
