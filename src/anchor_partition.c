/*-------------------------------------------------------------------------
 *
 * anchor_partition.c
 *	  The partitions of a table that is partitioned by buckets.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/anchor_partition.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_inherits.h"
#include "commands/defrem.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "nodes/primnodes.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"

#include "anchor.h"
#include "compat.h"
#include "lock.h"
#include "relation.h"

PG_FUNCTION_INFO_V1(anchor_partitions);

static void refuse_nulls(FunctionCallInfo fcinfo);
static void require_count(int n);
static void require_owner(Oid relid);
static void require_empty_by_bucket(Oid relid);
static bool is_by_bucket(Relation rel);
static void make_partition(Oid relid, int no, int low, int high);

/*
 * anchor_partitions(rel, n): makes the n partitions of an empty table, with the
 * ranges of anchor_ranges(n), by statements of the current role.
 */
Datum
anchor_partitions(PG_FUNCTION_ARGS)
{
	Oid			relid;
	int			n;
	int			step;

	refuse_nulls(fcinfo);
	relid = PG_GETARG_OID(0);
	n = PG_GETARG_INT32(1);
	require_count(n);
	require_owner(relid);
	/* as CREATE TABLE ... PARTITION OF does */
	lock_table(relid, ShareUpdateExclusiveLock);
	require_empty_by_bucket(relid);

	step = ANCHOR_BUCKETS / n;
	for (int i = 0; i < n; i++)
		make_partition(relid, i, i * step,
					   i == n - 1 ? ANCHOR_BUCKETS : (i + 1) * step);
	PG_RETURN_VOID();
}

static void
refuse_nulls(FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("arguments of anchor_partitions must not be null")));
}

/*
 * Raises an error unless there can be so many partitions.
 */
static void
require_count(int n)
{
	if (n < 1 || n > ANCHOR_BUCKETS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("n must be between 1 and %d", ANCHOR_BUCKETS),
				 errhint("Each partition has at least one of the buckets.")));
}

/*
 * Raises an error unless the current role owns the relation, or if there is none.
 */
static void
require_owner(Oid relid)
{
	if (get_rel_relkind(relid) == '\0')
		relation_refuse_missing(relid);
	if (!RelationIsOwnedBy(relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(relid));
}

/*
 * Raises an error unless the relation is a table that is partitioned by buckets
 * and has no partitions yet, so that it has no rows.
 */
static void
require_empty_by_bucket(Oid relid)
{
	Relation	rel = try_relation_open(relid, NoLock);

	if (rel == NULL)
		relation_refuse_missing(relid);
	if (!is_by_bucket(rel))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table partitioned by buckets",
						RelationGetRelationName(rel)),
				 errhint("Create it with PARTITION BY RANGE (anchor_bucket(id)).")));
	if (find_inheritance_children(relid, NoLock) != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"%s\" has partitions already",
						RelationGetRelationName(rel)),
				 errhint("Create another table without partitions, and copy the rows to it.")));
	relation_close(rel, NoLock);
}

/*
 * Says whether the key of a relation's partitions is a call of anchor_bucket.
 * The function is known by its code, whatever names it has.
 */
static bool
is_by_bucket(Relation rel)
{
	PartitionKey key;
	FmgrInfo	function;

	if (rel->rd_rel->relkind != RELKIND_PARTITIONED_TABLE)
		return false;
	key = RelationGetPartitionKey(rel);
	if (key->strategy != PARTITION_STRATEGY_RANGE || key->partnatts != 1 ||
		key->partexprs == NIL || !IsA(linitial(key->partexprs), FuncExpr))
		return false;
	fmgr_info(linitial_node(FuncExpr, key->partexprs)->funcid, &function);
	return function.fn_addr == anchor_bucket;
}

/*
 * Makes one partition, beside its table.
 */
static void
make_partition(Oid relid, int no, int low, int high)
{
	char	   *name = makeObjectName(get_rel_name(relid), psprintf("%d", no), NULL);
	char	   *schema = get_namespace_name(get_rel_namespace(relid));

	relation_run(psprintf("CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%d) TO (%d)",
						  quote_qualified_identifier(schema, name),
						  relation_name(relid), low, high));
}
