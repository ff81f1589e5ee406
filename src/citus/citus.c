/*
 * What Citus knows about this server.
 *
 * Nodes evaluate each other's defaults, so only the coordinator has tags with
 * their own ids.  A worker gets its ids from the coordinator, through the
 * foreign server that hilo_citus_setup makes.
 *
 * Citus has its tables in pg_catalog, where only superusers can create a table.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "executor/spi.h"
#include "foreign/foreign.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "utils/syscache.h"

#include "citus/citus.h"

static String *value_of(Relation rel, HeapTuple tuple, const char *column);
static Datum citus_find_value(const char *table_name, const char *index_name,
							  const char *key_column,
							  RegProcedure compare, Datum key,
							  const char *column);

bool
citus_is_here(void)
{
	return OidIsValid(get_relname_relid("pg_dist_local_group",
										PG_CATALOG_NAMESPACE));
}

/*
 * Check whether this server is a Citus worker.  Report an error if it is one
 * but has not been set up.
 */
bool
citus_is_worker(void)
{
	if (citus_is_hub(CITUS_HUB))
		return true;
	/* the coordinator has group 0 */
	if (citus_find_value("pg_dist_local_group", "", "groupid", F_INT4GT,
						 Int32GetDatum(0), "groupid") != 0)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("hilo has not been set up on this Citus worker"),
				errdetail("Its own ids would repeat those of other nodes."),
				errhint("Run hilo_citus_setup() on the coordinator."));
	return false;
}

/*
 * Check whether a foreign server is that of hilo_citus_setup.  Another role may
 * have made one of that name, so its owner must be a superuser.
 */
bool
citus_is_hub(const char *server)
{
	ForeignServer *hub;

	if (strcmp(server, CITUS_HUB) != 0)
		return false;
	hub = GetForeignServerByName(server, true);
	return hub != NULL && superuser_arg(hub->owner);
}

/*
 * Return the host and port of the coordinator, as Citus knows them now, as
 * options of a foreign server.
 */
List *
citus_coordinator(void)
{
	Oid			nodes = get_relname_relid("pg_dist_node", PG_CATALOG_NAMESPACE);
	List	   *options = NIL;
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;
	Node	   *host;
	Node	   *port;

	if (!OidIsValid(nodes))
		return NIL;
	rel = table_open(nodes, AccessShareLock);
	scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		/* a standby of it may be known, too */
		if (strcmp(strVal(value_of(rel, tuple, "groupid")), "0") != 0 ||
			strcmp(strVal(value_of(rel, tuple, "noderole")), "primary") != 0)
			continue;
		host = (Node *) value_of(rel, tuple, "nodename");
		port = (Node *) value_of(rel, tuple, "nodeport");
		options = list_make2(makeDefElem("host", host, -1),
							 makeDefElem("port", port, -1));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return options;
}

/*
 * Report an error if a tag would hand out its own ids on a Citus worker.  A
 * table's own generator may: its ids are for rows of this node alone.
 */
void
citus_refuse_own_ids(text *name, const Definition *definition)
{
	if (definition->origin == FROM_HUB || OidIsValid(definition->table) ||
		!citus_is_worker())
		return;
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("generator \"%s\" cannot hand out its own ids on a Citus worker",
				   definition_title(name)),
			errdetail("They would repeat those of other nodes."),
			errhint("Create the generator on the coordinator, where workers find it. If this worker has one of that name, raise that of the coordinator above it with hilo_seed, and drop it here."));
}

/*
 * On a coordinator, have each worker delete its copy of a tag, with the window:
 * it takes the next ids from the tag as it is then.  That stays if this
 * transaction is rolled back.  Report an error if a worker does not answer; it
 * says so if the caller has raised the tag, for good.
 *
 * Citus connects to its workers as the owner of its tables, a superuser.
 */
void
citus_recall(text *name, bool is_raised)
{
	static const char recall[] =
		"SELECT hilo_internal.hilo_citus_recall($1, $2)";
	Oid			nodes = get_relname_relid("pg_dist_node", PG_CATALOG_NAMESPACE);
	Oid			types[] = {TEXTOID, BOOLOID};
	Datum		values[] = {PointerGetDatum(name), BoolGetDatum(is_raised)};
	Oid			user;
	int			context;

	if (!OidIsValid(nodes) || key_is_relation(name))
		return;
	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(GetSysCacheOid1(RELOID, Anum_pg_class_relowner,
										   ObjectIdGetDatum(nodes)),
						   context | SECURITY_LOCAL_USERID_CHANGE);
	SPI_connect();
	(void) SPI_execute_with_args(recall, 2, types, values, NULL, false, 0);
	SPI_finish();
	SetUserIdAndSecContext(user, context);
}

/* Check whether a table has its rows in shards, and none itself. */
bool
citus_has_rows_of(Oid relid)
{
	return citus_find_value("pg_dist_partition",
							"pg_dist_partition_logical_relid_index",
							"logicalrelid", F_OIDEQ, ObjectIdGetDatum(relid),
							"logicalrelid") != 0;
}

/*
 * Check whether a table is Citus', or may become so: this server is a
 * coordinator.
 */
bool
citus_may_distribute(Oid relid)
{
	return citus_has_rows_of(relid) ||
		(citus_is_here() && !citus_is_worker());
}

/*
 * Return the table that a shard belongs to, InvalidOid for other tables.  The
 * name of a shard is that of its table with "_" and the number of the shard.
 */
Oid
citus_table_of(Oid relid)
{
	char	   *name = get_rel_name(relid);
	char	   *number;
	int64		shard;
	Oid			table;
	char	   *whole;

	if (name == NULL || (number = strrchr(name, '_')) == NULL)
		return InvalidOid;
	shard = strtoi64(number + 1, NULL, 10);
	if (shard == 0)
		return InvalidOid;
	table = citus_find_value("pg_dist_shard", "pg_dist_shard_shardid_index",
							 "shardid", F_INT8EQ, Int64GetDatum(shard),
							 "logicalrelid");
	if (!OidIsValid(table) ||
		get_rel_namespace(table) != get_rel_namespace(relid))
		return InvalidOid;
	whole = psprintf("%s_%lld", get_rel_name(table), (long long) shard);
	/* in a long name, "_" and a hash of eight digits replace the end */
	if (strcmp(name, whole) != 0 &&
		(strlen(whole) < NAMEDATALEN || number - name <= 9 ||
		 strncmp(name, whole, number - name - 9) != 0))
		return InvalidOid;
	return table;
}

/*
 * Return a value of a table of Citus with catalog_find_value, 0 without Citus.
 * No index is used if its name is empty.
 */
static Datum
citus_find_value(const char *table_name, const char *index_name,
				 const char *key_column, RegProcedure compare, Datum key,
				 const char *column)
{
	Oid			catalog = get_relname_relid(table_name, PG_CATALOG_NAMESPACE);
	Oid			index;

	if (!OidIsValid(catalog))
		return 0;
	/* an open session notices that its server becomes a worker */
	watch_relation(catalog);
	index = get_relname_relid(index_name, PG_CATALOG_NAMESPACE);
	return catalog_find_value(NULL, catalog, index,
							  get_attnum(catalog, key_column), compare, key, 1,
							  get_attnum(catalog, column));
}

static String *
value_of(Relation rel, HeapTuple tuple, const char *column)
{
	TupleDesc	desc = RelationGetDescr(rel);

	char	   *value = SPI_getvalue(tuple, desc, SPI_fnumber(desc, column));

	return makeString(value == NULL ? pstrdup("") : value);
}
