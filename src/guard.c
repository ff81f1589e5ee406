/*-------------------------------------------------------------------------
 *
 * guard.c
 *	  The triggers on the extension's own tables.
 *
 * Rows of theirs change by hilo's functions, which do not fire hilo_guard.  It
 * sees the rest: statements of a user, which it refuses; the rows of a dump,
 * which it inserts or merges, in the replica role, too; and those of a
 * replication worker, which it skips, as generators are per server.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/guard.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_authid.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "replication/logicalworker.h"
#include "utils/acl.h"
#include "utils/rel.h"

#include "catalog.h"
#include "compat.h"
#include "definition.h"
#include "gapless.h"
#include "lock.h"
#include "privilege.h"
#include "store.h"

PG_FUNCTION_INFO_V1(hilo_guard);

pg_noreturn static void refuse(Relation rel);
static HeapTuple restore(Relation rel, HeapTuple tuple);
static void check_name(Relation rel, HeapTuple tuple,
					   const char *column_name);
static void require_restorer(Relation rel);

/*
 * hilo_guard(): trigger, before every change of a table of ours.
 */
Datum
hilo_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	bool		restores;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("hilo_guard() can only be called as a trigger")));

	if (!TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
		refuse(trigger->tg_relation);
	restores = TRIGGER_FIRED_BY_INSERT(trigger->tg_event) &&
		RelationGetRelid(trigger->tg_relation) != catalog_relid(CATALOG_LEDGER);
	if (IsLogicalWorker() ||
		(SessionReplicationRole == SESSION_REPLICATION_ROLE_REPLICA && !restores))
		PG_RETURN_POINTER(NULL);
	/* servers register themselves by statements */
	if (!restores &&
		RelationGetRelid(trigger->tg_relation) == catalog_relid(CATALOG_NODE))
		PG_RETURN_POINTER(TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ?
						  trigger->tg_newtuple : trigger->tg_trigtuple);
	if (!restores)
		refuse(trigger->tg_relation);

	PG_RETURN_POINTER(restore(trigger->tg_relation, trigger->tg_trigtuple));
}

static void
refuse(Relation rel)
{
	bool		of_launches = RelationGetRelid(rel) == catalog_relid(CATALOG_LAUNCH);
	bool		of_ledger = RelationGetRelid(rel) == catalog_relid(CATALOG_LEDGER);
	bool		of_nodes = RelationGetRelid(rel) == catalog_relid(CATALOG_NODE);

	ereport(ERROR,
			(errcode(ERRCODE_WRONG_OBJECT_TYPE),
			 errmsg("cannot change table \"%s\" directly",
					RelationGetRelationName(rel)),
			 of_ledger ? errdetail("It would not tell any more who has taken which ids.") :
			 errdetail("Ids could be handed out a second time."),
			 of_launches ? errhint("Use decimal_launch.") :
			 of_ledger ? errhint("Use hilo_ledger_prune.") :
			 of_nodes ? errhint("Use hilo_node_forget.") :
			 errhint("Use hilo_create, hilo_alter, hilo_drop, hilo_seed, hilo_grant and hilo_revoke.")));
}

/*
 * Gives the row of a dump as it is to be inserted, or NULL where what it
 * stands for is there already.
 *
 * Restores, and whoever creates a generator, wait for each other to the end of
 * their transactions: else a name could be made on both sides at once.  It is
 * one lock for all names, as a dump may have more of them than locks fit.
 */
static HeapTuple
restore(Relation rel, HeapTuple tuple)
{
	CatalogTable table;
	HeapTuple	restored;

	if (!catalog_table_of(RelationGetRelid(rel), &table))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("table \"%s\" is not one of hilo's",
						RelationGetRelationName(rel))));
	require_restorer(rel);
	/* no generator hangs on it */
	if (table == CATALOG_NODE)
		return catalog_has_key(rel, tuple) ? NULL : tuple;
	if (table == CATALOG_HI || table == CATALOG_DEFINITION ||
		table == CATALOG_GAPLESS)
		check_name(rel, tuple, "name");
	else if (table == CATALOG_PRIVILEGE || table == CATALOG_SOURCE)
		check_name(rel, tuple, "generator");
	lock_table(catalog_relid(CATALOG_DEFINITION), ShareRowExclusiveLock);
	/* a name may come twice in one command */
	CommandCounterIncrement();

	switch (table)
	{
		case CATALOG_HI:
			restored = store_restore(rel, tuple);
			/* if the generator has no gaps here, another row counts */
			if (restored == NULL)
				(void) gapless_raise(hi_row_name(rel, tuple),
									 ((FormData_hilo_hi *) GETSTRUCT(tuple))->last);
			return restored;
		case CATALOG_GAPLESS:
			return gapless_restore(rel, tuple);
		case CATALOG_PRIVILEGE:
			return privilege_is_known(rel, tuple) ? NULL : tuple;
		case CATALOG_DEFINITION:
		case CATALOG_LAUNCH:
		case CATALOG_SOURCE:
			return catalog_has_key(rel, tuple) ? NULL : tuple;
		case CATALOG_NODE:		/* see above */
		case CATALOG_LEDGER:	/* is not dumped */
			break;
	}
	return NULL;
}

/*
 * Report an error if no generator can have the name in a row of a dump.  A null
 * is refused by the table itself.
 */
static void
check_name(Relation rel, HeapTuple tuple, const char *column_name)
{
	TupleDesc	desc = RelationGetDescr(rel);
	bool		isnull;
	Datum		name = heap_getattr(tuple, SPI_fnumber(desc, column_name), desc,
									&isnull);

	if (!isnull)
		(void) definition_name(DatumGetTextPP(name));
}

/*
 * Raises an error unless the current role may restore the table.  The right to
 * insert does not say so: it comes with pg_write_all_data and with grants on all
 * tables, and who restores gives generators to whom it likes.
 */
static void
require_restorer(Relation rel)
{
	Oid			role = GetUserId();

	if (!has_privs_of_role(role, rel->rd_rel->relowner) &&
		!has_privs_of_role(role, ROLE_PG_DATABASE_OWNER))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to restore table \"%s\"",
						RelationGetRelationName(rel)),
				 errhint("Restore as a superuser or as the owner of the database.")));
}
