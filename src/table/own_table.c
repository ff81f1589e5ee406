/*
 * The extension's own tables.
 *
 * A superuser owns their schema, so no other role can rename it.  They are read
 * with SnapshotSelf, which shows what is committed now under any isolation
 * level, and leaves no predicate lock that could fail a serializable
 * transaction.  Such a scan may miss a row that is being replaced, so "there is
 * none" is believed only under the lock of the name.  Every change except one
 * in place holds that lock to the transaction's end.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_extension.h"
#include "storage/bufmgr.h"
#include "utils/inval.h"

#include "table/table.h"

/* the tables, and how many columns the library reads by number */
static const struct
{
	const char *name;
	int16		columns;
	const char *identity;		/* its replica identity, as guard.sql has it;
								 * the catalog has the first letter */
	AttrNumber	generator;		/* the column of the name: an update can add
								 * others behind it */
}			tables[] = {
	[OWN_DEFINITION] = {"hilo_generator", 11, "full", 11},
	[OWN_HI] = {"hilo_hi", 7, "nothing", 7},
	[OWN_GAPLESS] = {"hilo_gapless", 2, "full", 2},
	[OWN_PRIVILEGE] = {"hilo_privilege", 3, "nothing", 3},
	[OWN_SOURCE] = {"hilo_source", 8, "nothing", 8},
	[OWN_SERIES] = {"hilo_series", 5, "full", InvalidAttrNumber},
	[OWN_NODE] = {"hilo_node", 7, "default", InvalidAttrNumber},
};

typedef enum OwnState
{
	OWN_INTACT,
	OWN_SWITCHED,				/* an ALTER TABLE puts it right */
	OWN_ALTERED
} OwnState;

uint64		generator_changes = 1;
uint64		relation_changes = 1;

/* our tables, and relations that this session's knowledge depends on */
static HTAB *watched;

/* of the tables that were looked up, and generator_changes at that time */
static Oid	table_oids[OWN_TABLES];
static uint64 table_known[OWN_TABLES];

/*
 * The relations that changed last, by relation_changes.  InvalidOid, as at
 * generation 0, says that any relation may have changed.
 */
static Oid	changed[1024];

/*
 * Whether the callbacks are registered; if an error comes in between, some are
 * registered twice, which does no harm.
 */
static bool is_listening = false;

static void look_table_up(OwnTable table);
static void listen_to_changes(void);
static OwnState own_state_now(Relation rel, OwnTable table);
static OwnState own_state(Relation rel, OwnTable table);
static void relation_changed(Datum arg, Oid relid);
static void role_changed(Datum arg, int cacheid, uint32 hashvalue);
static void transaction_ended(XactEvent event, void *arg);
static void subtransaction_ended(SubXactEvent event, SubTransactionId own,
								 SubTransactionId parent, void *arg);

Oid
own_table_relid(OwnTable table)
{
	if (table_known[table] != generator_changes)
		look_table_up(table);
	return table_oids[table];
}

/*
 * Return the schema of the public functions, InvalidOid without the extension.
 */
Oid
catalog_public_schema(void)
{
	/* tiny, and its index is not in the relcache init file: scan the heap */
	return catalog_find_value(NULL, ExtensionRelationId, InvalidOid,
							  Anum_pg_extension_extname, F_NAMEEQ,
							  CStringGetDatum("hilo"), 1,
							  Anum_pg_extension_extnamespace);
}

/*
 * Open a table of ours.  Look it up again if it is gone after the wait for its
 * lock.
 */
Relation
own_table_open(OwnTable table, LOCKMODE lockmode)
{
	Relation	rel;

	while ((rel = try_table_open(own_table_relid(table), lockmode)) == NULL)
		generator_changes++;
	if (RelationGetNumberOfAttributes(rel) != tables[table].columns)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("the library and the tables of extension \"%s\" have different versions", "hilo"),
				errhint("If the server preloads hilo, restart it. Then connect again, and run ALTER EXTENSION hilo UPDATE."));
	if (own_state(rel, table) != OWN_INTACT)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("table \"%s\" of extension \"%s\" has been altered",
					   tables[table].name, "hilo"),
				errdetail("Ids could be handed out a second time."),
				errhint("Run SELECT %s.hilo_mend() as a superuser.",
						INTERNAL_SCHEMA));
	return rel;
}

/*
 * After a statement that may have altered a table of ours, return the one that
 * puts its guards and its replica identity right, or NULL.  Refuse any other
 * change that does harm.
 */
char *
own_table_mending(OwnTable table)
{
	Oid			schema = get_namespace_oid(INTERNAL_SCHEMA, true);
	Oid			relid = get_relname_relid(tables[table].name, schema);
	Relation	rel = RelationIdGetRelation(relid);
	OwnState	state = OidIsValid(schema) ? OWN_ALTERED : OWN_INTACT;
	const char *identity = "";

	if (rel != NULL)
	{
		state = own_state_now(rel, table);
		/* its lock would wait for readers */
		if (rel->rd_rel->relreplident != tables[table].identity[0])
			identity = psprintf(", REPLICA IDENTITY %s",
								tables[table].identity);
		RelationClose(rel);
	}
	if (state == OWN_ALTERED)
		ereport(ERROR,
				errcode(ERRCODE_WRONG_OBJECT_TYPE),
				errmsg("cannot alter table \"%s\" of extension \"%s\" in this way",
					   tables[table].name, "hilo"),
				errhint("Leave out the tables of schema %s.", INTERNAL_SCHEMA));
	if (state == OWN_INTACT)
		return NULL;
	ereport(NOTICE,
			errmsg("triggers and replica identity of table \"%s\" stay as they were",
				   tables[table].name));
	return psprintf("ALTER TABLE %s.%s ENABLE ALWAYS TRIGGER hilo_guard_rows, ENABLE ALWAYS TRIGGER hilo_guard_truncate%s",
					INTERNAL_SCHEMA, tables[table].name, identity);
}

/* Check what a statement that keeps its lock has made of a table. */
static OwnState
own_state_now(Relation rel, OwnTable table)
{
	if (!CheckRelationLockedByMe(rel, ShareRowExclusiveLock, true))
		return OWN_INTACT;
	if (RelationGetNumberOfAttributes(rel) != tables[table].columns ||
		!OidIsValid(RelationGetPrimaryKeyIndex(rel, false)))
		return OWN_ALTERED;
	return own_state(rel, table);
}

/*
 * Open a table of ours for a change that nothing takes back.  Report an error
 * if the change could be lost: a rollback restores the old storage of a table
 * that was rewritten in this transaction.  The lock stays to the transaction's
 * end.
 */
Relation
own_table_open_durable(OwnTable table)
{
	Relation	rel = own_table_open(table, RowExclusiveLock);

	/* a change in place of a row makes no entry in an index */
	own_table_require_durable(rel, table != OWN_HI && table != OWN_SERIES);
	return rel;
}

/*
 * Report an error unless what this transaction writes to a table, and to its
 * indexes if asked, stays however the transaction ends.  For that, the indexes
 * must be as old as the table, and all must have the storage that they had
 * before this transaction.
 */
void
own_table_require_durable(Relation rel, bool with_indexes)
{
	bool		is_durable = !RelationHasNewStorage(rel);

	if (with_indexes)
	{
		if (!OidIsValid(RelationGetPrimaryKeyIndex(rel, false)))
			is_durable = false;
		foreach_oid(indexoid, RelationGetIndexList(rel))
		{
			/* a lock could be waited for in the wrong order */
			Relation	index = RelationIdGetRelation(indexoid);

			if (!RelationIsValid(index))
				elog(ERROR, "could not open index of \"%s\"",
					 RelationGetRelationName(rel));
			if (RelationHasNewStorage(index) ||
				index->rd_createSubid != rel->rd_createSubid)
				is_durable = false;
			RelationClose(index);
		}
	}
	if (!is_durable)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("table \"%s\" is being rewritten by the current transaction",
					   RelationGetRelationName(rel)),
				errdetail("Ids could be handed out a second time."),
				errhint("Commit first, or run CLUSTER, REINDEX and ALTER TABLE outside a transaction block."));
}

/*
 * Return the column with a generator's name; later versions add theirs behind
 * it.
 */
AttrNumber
own_table_name_column(Relation rel)
{
	OwnTable	table = 0;

	while (table < OWN_SOURCE && table_oids[table] != RelationGetRelid(rel))
		table++;
	return tables[table].generator;
}

/* Return the generator's name in a row of a table of ours that has one. */
text *
own_table_name(Relation rel, HeapTuple tuple)
{
	bool		isnull;

	return DatumGetTextPP(heap_getattr(tuple, own_table_name_column(rel),
									   RelationGetDescr(rel), &isnull));
}

/* Start a scan of the rows of a name, to be ended with systable_endscan. */
SysScanDesc
own_table_scan(Relation rel, text *name, Snapshot snapshot)
{
	Oid			index = InvalidOid;
	ScanKeyData key;

	/* one page is read without it: a session's first call opens no index */
	if (RelationGetNumberOfBlocks(rel) > 1)
		index = RelationGetPrimaryKeyIndex(rel, false);
	ScanKeyInit(&key, own_table_name_column(rel), BTEqualStrategyNumber,
				F_TEXTEQ,
				PointerGetDatum(name));
	return systable_beginscan(rel, index, OidIsValid(index), snapshot, 1,
							  &key);
}

/* Return copies of the rows of a name as they are now. */
List *
own_table_rows(OwnTable table, text *name)
{
	Relation	rel = own_table_open(table, AccessShareLock);
	SysScanDesc scan = own_table_scan(rel, name, SnapshotSelf);
	List	   *rows = NIL;
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		rows = lappend(rows, heap_copytuple(tuple));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return rows;
}

/*
 * Return a copy of the one row of a name as it is now, NULL if there is none.
 */
HeapTuple
own_table_row(OwnTable table, text *name)
{
	List	   *rows = NIL;

	for (int i = 0; i < SCAN_ATTEMPTS && rows == NIL; i++)
		rows = own_table_rows(table, name);
	return rows == NIL ? NULL : linitial(rows);
}

/*
 * Return a column, passed by value, of a catalog's nth row with such a key, or
 * 0.
 */
Datum
catalog_find_value(Snapshot snapshot, Oid catalog, Oid index,
				   AttrNumber key_column,
				   RegProcedure compare, Datum key, int n, AttrNumber column)
{
	Relation	rel = table_open(catalog, AccessShareLock);
	ScanKeyData scankey;
	SysScanDesc scan;
	HeapTuple	tuple;
	Datum		value = 0;
	bool		isnull;

	ScanKeyInit(&scankey, key_column, BTEqualStrategyNumber, compare, key);
	scan = systable_beginscan(rel, index, OidIsValid(index), snapshot, 1,
							  &scankey);
	for (; n > 0 && HeapTupleIsValid(tuple = systable_getnext(scan)); n--)
		value = n > 1 ? 0 : heap_getattr(tuple, column, RelationGetDescr(rel),
										 &isnull);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return value;
}

/* Check whether the current transaction has made a row of a catalog. */
bool
catalog_is_made_now(Oid catalog, Oid index, AttrNumber key_column, Oid key)
{
	Datum		xmin;

	for (int n = 1;; n++)
	{
		xmin = catalog_find_value(NULL, catalog, index, key_column, F_OIDEQ,
								  ObjectIdGetDatum(key), n,
								  MinTransactionIdAttributeNumber);
		if (xmin == 0)
			return false;
		if (TransactionIdIsCurrentTransactionId(DatumGetTransactionId(xmin)))
			return true;
	}
}

/*
 * Call a function for each row of a table of ours that is committed now, in the
 * order of their keys.  A row that is being replaced may escape the scan in a
 * serializable transaction, where the scan must leave no predicate lock.
 */
void
own_table_each(OwnTable table, OwnTableWork work, void *arg)
{
	Relation	rel = own_table_open(table, AccessShareLock);

	/* NULL: the snapshot of catalogs */
	Snapshot	snapshot = IsolationIsSerializable() ? SnapshotSelf : NULL;
	SysScanDesc scan =
		systable_beginscan(rel, RelationGetPrimaryKeyIndex(rel, false), true,
						   snapshot, 0, NULL);
	HeapTuple	tuple;
	MemoryContext before = CurrentMemoryContext;
	MemoryContext scratch = AllocSetContextCreate(before, "hilo row",
												  ALLOCSET_SMALL_SIZES);

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(scratch);
		work(own_table_name(rel, tuple), tuple, arg);
		MemoryContextSwitchTo(before);
		MemoryContextReset(scratch);
	}
	MemoryContextDelete(scratch);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

/*
 * Make every session look its generators up again once the transaction has
 * committed; this one now, and again if it rolls back or is prepared.
 */
void
generators_changed(void)
{
	CacheInvalidateRelcacheByRelid(own_table_relid(OWN_HI));
	CommandCounterIncrement();
}

/* Have generator_changes change with a relation. */
void
watch_relation(Oid relid)
{
	HASHCTL		ctl = {.keysize = sizeof(Oid),.entrysize = sizeof(Oid)};

	listen_to_changes();
	if (watched == NULL)
		watched = hash_create("hilo watched relations", 32, &ctl,
							  HASH_ELEM | HASH_BLOBS);
	(void) hash_search(watched, &relid, HASH_ENTER, NULL);
}

/*
 * Return the relations that have changed since a relation_changes;
 * with InvalidOid among them, any may have.
 */
List *
relations_changed_since(uint64 generation)
{
	List	   *relids = NIL;

	if (relation_changes - generation > lengthof(changed))
		return list_make1_oid(InvalidOid);
	for (; generation < relation_changes; generation++)
		relids =
			list_append_unique_oid(relids,
								   changed[generation % lengthof(changed)]);
	return relids;
}

/* Look a table up, or report an error if the extension is not there. */
static void
look_table_up(OwnTable table)
{
	uint64		generation = generator_changes;
	Oid			relid = InvalidOid;

	listen_to_changes();

	/* without the extension, a schema of that name is another role's */
	if (table_known[OWN_HI] == generation ||
		OidIsValid(catalog_public_schema()))
		relid = get_relname_relid(tables[table].name,
								  get_namespace_oid(INTERNAL_SCHEMA, true));
	if (!OidIsValid(relid))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("extension \"%s\" is not installed in this database",
					   "hilo"),
				errhint("Run CREATE EXTENSION hilo. If it is there already, rename its schema back to %s.",
						INTERNAL_SCHEMA));
	watch_relation(relid);
	table_oids[table] = relid;
	table_known[table] = generation;
}

/*
 * Register for changes at the session's first look at our tables.  Not when the
 * library is loaded, which may be in every process: a process has room for ten
 * callbacks of the relation cache, of all its libraries.
 */
static void
listen_to_changes(void)
{
	if (is_listening)
		return;
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
	CacheRegisterSyscacheCallback(AUTHOID, role_changed, (Datum) 0);
	CacheRegisterSyscacheCallback(AUTHMEMROLEMEM, role_changed, (Datum) 0);
	/* a database's owner is the one member of pg_database_owner */
	CacheRegisterSyscacheCallback(DATABASEOID, role_changed, (Datum) 0);
	RegisterXactCallback(transaction_ended, NULL);
	RegisterSubXactCallback(subtransaction_ended, NULL);
	is_listening = true;

	/* a default that was read before may have changed unnoticed */
	changed[relation_changes++ % lengthof(changed)] = InvalidOid;
}

/*
 * Check whether a table is permanent, and has its replica identity and the
 * triggers of guard.c, which fire for replication, too, and no other.
 *
 * A guard that does not fire lets the rows of a restore or of replication in.
 * A trigger of pg_repack shows that it is rewriting the table, and will lose
 * changes in place, as REPACK (CONCURRENTLY) would with another identity.
 */
static OwnState
own_state(Relation rel, OwnTable table)
{
	int			guards = 0;
	int			always = 0;

	for (int i = 0; rel->trigdesc != NULL && i < rel->trigdesc->numtriggers;
		 i++)
	{
		Trigger    *trigger = &rel->trigdesc->triggers[i];

		if (trigger->tgisinternal)
			continue;
		if (strcmp(trigger->tgname, "hilo_guard_rows") != 0 &&
			strcmp(trigger->tgname, "hilo_guard_truncate") != 0)
			return OWN_ALTERED;
		guards++;
		always += trigger->tgenabled == TRIGGER_FIRES_ALWAYS;
	}
	if (guards < 2 || rel->rd_rel->relpersistence != RELPERSISTENCE_PERMANENT)
		return OWN_ALTERED;
	if (always < 2 || rel->rd_rel->relreplident != tables[table].identity[0])
		return OWN_SWITCHED;
	return OWN_INTACT;
}

/* Callback: a relation changed, or (InvalidOid) all of them may have. */
static void
relation_changed(Datum arg, Oid relid)
{
	changed[relation_changes++ % lengthof(changed)] = relid;
	if (!OidIsValid(relid) ||
		(watched != NULL && hash_search(watched, &relid, HASH_FIND, NULL)))
		generator_changes++;
}

static void
role_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	relation_changed((Datum) 0, table_oids[OWN_HI]);
}

/*
 * Callbacks: look again after an error, and when what the transaction has made
 * is no longer its own.  Core rebuilds an open relation that has changed before
 * it calls back, and does not call back if that fails.
 */
static void
transaction_ended(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE)
		relation_changed((Datum) 0, table_oids[OWN_HI]);
}

static void
subtransaction_ended(SubXactEvent event, SubTransactionId own,
					 SubTransactionId parent, void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		relation_changed((Datum) 0, table_oids[OWN_HI]);
}
