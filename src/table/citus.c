/*
 * What Citus knows of this server.
 *
 * Nodes of a cluster evaluate each other's defaults, so only the coordinator makes
 * generators.  A worker takes its ids from there, by the foreign server that
 * hilo_citus_setup makes.
 *
 * Citus' tables are found in pg_catalog, where only superusers make any.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_namespace.h"
#include "foreign/foreign.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "table/table.h"

#define NO_GROUP (-1)

static int32 local_group(void);
static Oid	citus_look_up(Oid catalog, const char *index_name,
						  const char *column, RegProcedure equal, Datum value);
static Datum citus_value(HeapTuple tuple, Relation rel, const char *column);

bool
citus_is_coordinator(void)
{
	return !citus_is_hub(CITUS_HUB) && local_group() == 0;
}

/*
 * Return the hub of a Citus worker, NULL if this server is none.  Report an error
 * if the worker has no hub.
 */
const char *
citus_hub(void)
{
	if (citus_is_hub(CITUS_HUB))
		return CITUS_HUB;
	if (local_group() > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("hilo has not been set up on this Citus worker"),
				 errdetail("Ids of its own would repeat those of other nodes."),
				 errhint("Run hilo_citus_setup() on the coordinator.")));
	return NULL;
}

/*
 * Check whether a foreign server is the one that hilo_citus_setup has made, and
 * not that of a role which is no superuser.
 */
bool
citus_is_hub(const char *server)
{
	ForeignServer *found;

	if (strcmp(server, CITUS_HUB) != 0)
		return false;
	found = GetForeignServerByName(server, true);
	return found != NULL && superuser_arg(found->owner);
}

/*
 * Report an error if this server is a Citus worker, where a generator must not
 * have ids of its own.
 */
void
citus_refuse_own_ids(text *written)
{
	if (citus_hub() != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("generator \"%s\" cannot have ids of its own on a Citus worker",
						text_to_cstring(written)),
				 errdetail("They would repeat those of other nodes."),
				 errhint("Make the generator on the coordinator, where workers find it.")));
}

/*
 * Check whether the rows of a table are in shards, and none in the table itself.
 */
bool
citus_has_rows_of(Oid relid)
{
	Oid			tables = get_relname_relid("pg_dist_partition",
										   PG_CATALOG_NAMESPACE);

	return OidIsValid(tables) &&
		citus_look_up(tables, "pg_dist_partition_logical_relid_index",
					  "logicalrelid", F_OIDEQ, ObjectIdGetDatum(relid)) == relid;
}

/*
 * Check whether a table is a shard, by its name: that of the distributed table and
 * the number of the shard.
 */
bool
citus_is_shard(Oid relid)
{
	Oid			shards = get_relname_relid("pg_dist_shard", PG_CATALOG_NAMESPACE);
	char	   *name;
	char	   *number;
	char	   *end;
	int64		shard;
	Oid			of_table;

	if (!OidIsValid(shards))
		return false;
	name = get_rel_name(relid);
	number = name == NULL ? NULL : strrchr(name, '_');
	if (number == NULL)
		return false;
	shard = strtoi64(number + 1, &end, 10);
	if (end == number + 1 || *end != '\0')
		return false;
	of_table = citus_look_up(shards, "pg_dist_shard_shardid_index", "shardid",
							 F_INT8EQ, Int64GetDatum(shard));
	return OidIsValid(of_table) && of_table != relid &&
		get_rel_namespace(of_table) == get_rel_namespace(relid);
}

/*
 * Return the group of nodes that this server is in: 0 is the coordinator's, NO_GROUP
 * if there is no Citus.
 */
static int32
local_group(void)
{
	Oid			relid = get_relname_relid("pg_dist_local_group",
										  PG_CATALOG_NAMESPACE);
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;
	int32		group = NO_GROUP;

	if (!OidIsValid(relid))
		return NO_GROUP;
	rel = table_open(relid, AccessShareLock);
	scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		group = DatumGetInt32(citus_value(tuple, rel, "groupid"));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return group;
}

/*
 * Return the logicalrelid of the row of a catalog with a value, InvalidOid if there
 * is none.
 */
static Oid
citus_look_up(Oid catalog, const char *index_name, const char *column,
			  RegProcedure equal, Datum value)
{
	Relation	rel = table_open(catalog, AccessShareLock);
	Oid			index = get_relname_relid(index_name, PG_CATALOG_NAMESPACE);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			relid = InvalidOid;

	ScanKeyInit(&key, get_attnum(catalog, column), BTEqualStrategyNumber, equal,
				value);
	scan = systable_beginscan(rel, index, OidIsValid(index), NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		relid = DatumGetObjectId(citus_value(tuple, rel, "logicalrelid"));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return relid;
}

static Datum
citus_value(HeapTuple tuple, Relation rel, const char *column)
{
	bool		isnull;

	return heap_getattr(tuple, get_attnum(RelationGetRelid(rel), column),
						RelationGetDescr(rel), &isnull);
}
