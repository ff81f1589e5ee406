/*
 * The triggers on the extension's own tables.
 *
 * hilo's functions change the rows without firing hilo_guard.  The trigger sees
 * all other changes.  It
 *
 * - refuses the statements of users;
 * - inserts or merges the rows of a dump, in the replica role, too;
 * - skips the rows of a replication worker, because each server has its own
 *   numbers.
 *
 * Superusers restore all rows.  The owner of the database restores the numbers
 * and definitions of his own generators, and of unknown names.  These become
 * his with their first row, in any of the tables.  He restores no rights of
 * roles, and no sources or hubs of generators: these are left out with a
 * WARNING.
 *
 * To restore a table's own generator, he needs the rights of the table's owner.
 * If it had a source, a row of the source without a relation is restored.  A
 * first use would otherwise make a generator that repeats the ORM's ids.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "replication/logicalworker.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_guard);

pg_noreturn static void report_change(Relation rel);
static HeapTuple restore_row(Relation rel, OwnTable table, HeapTuple tuple);
static HeapTuple restore_named_row(Relation rel, OwnTable table,
								   HeapTuple tuple, text *name);
static void restore_right(const Privilege *right, text *name);
static const char *claim_row(OwnTable table, HeapTuple tuple, text *name);
static HeapTuple restore_definition(Relation rel, HeapTuple tuple, text *name);
static HeapTuple source_without_relation(HeapTuple tuple, text *name);
static bool may_restore_group(Oid relid);
static void warn_of_right(text *name, const char *role);

/* The trigger before every change of one of our tables. */
Datum
hilo_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	OwnTable	table = 0;
	Relation	rel;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				errmsg("hilo_guard() can only be called as a trigger"));

	rel = trigger->tg_relation;
	while (table < OWN_NODE &&
		   own_table_relid(table) != RelationGetRelid(rel))
		table++;
	if (!TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
		report_change(rel);
	if (IsLogicalWorker())
		PG_RETURN_POINTER(NULL);
	if (TRIGGER_FIRED_BY_INSERT(trigger->tg_event) && table < OWN_NODE)
		PG_RETURN_POINTER(restore_row(rel, table, trigger->tg_trigtuple));
	if (SessionReplicationRole == SESSION_REPLICATION_ROLE_REPLICA)
		PG_RETURN_POINTER(NULL);
	if (table < OWN_NODE)
		report_change(rel);
	/* superusers may change hilo_node */
	if (!superuser())
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE,
					   RelationGetRelationName(rel));
	if (TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
		PG_RETURN_POINTER(trigger->tg_newtuple);
	PG_RETURN_POINTER(trigger->tg_trigtuple);
}

static void
report_change(Relation rel)
{
	ereport(ERROR,
			errcode(ERRCODE_WRONG_OBJECT_TYPE),
			errmsg("cannot change table \"%s\" directly",
				   RelationGetRelationName(rel)),
			errhint("Use the functions of hilo, such as hilo_alter, hilo_seed, hilo_group_seed, hilo_grant and hilo_drop."));
}

/*
 * Return the row of a dump as it is to be inserted, or NULL to skip it because
 * it exists or has been merged.
 */
static HeapTuple
restore_row(Relation rel, OwnTable table, HeapTuple tuple)
{
	text	   *name;

	/* the right to insert comes with pg_write_all_data, too */
	if (!has_privs_of_role(GetUserId(), ROLE_PG_DATABASE_OWNER))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied to restore table \"%s\"",
					   RelationGetRelationName(rel)),
				errhint("Restore as a superuser or as the owner of the database."));
	/* the NOT NULL constraints refuse it */
	if (HeapTupleHasNulls(tuple))
		return tuple;
	if (table == OWN_SERIES)
	{
		if (may_restore_group(series_table(tuple)))
			series_restore(rel, tuple);
		return NULL;
	}
	name = own_table_name(rel, tuple);
	/* the key of a table that does not exist here */
	if (text_equal(name, cstring_to_text("#")))
		return NULL;
	(void) definition_fold_name(name);

	/*
	 * A restore and a session that creates a generator wait for each other
	 * until their transactions end.  Otherwise both could make the same name.
	 * One lock serves for all names, because a dump may hold more names than
	 * the lock table.
	 */
	(void) lock_table(own_table_relid(OWN_DEFINITION), ShareRowExclusiveLock,
					  true);

	/* the OID may not be a table's here, or it was dropped during the wait */
	if (key_is_relation(name) && !relation_is_table(key_relid(name)))
		return NULL;
	/* show the previous rows of this command, which may have the same name */
	CommandCounterIncrement();
	return restore_named_row(rel, table, tuple, name);
}

/* Do so for a row of a generator. */
static HeapTuple
restore_named_row(Relation rel, OwnTable table, HeapTuple tuple, text *name)
{
	const char *reason = NULL;
	HeapTuple	restored;

	if (table == OWN_PRIVILEGE)
	{
		restore_right((Privilege *) GETSTRUCT(tuple), name);
		return NULL;
	}
	if (!superuser())
		reason = claim_row(table, tuple, name);
	/* existing rows stay as they are; only numbers are merged, below */
	if ((table == OWN_DEFINITION || table == OWN_SOURCE) &&
		own_table_row(table, name) != NULL)
		return NULL;
	if (reason != NULL)
	{
		ereport(WARNING,
				errmsg("skipping \"%s\" of table \"%s\"",
					   definition_title(name),
					   RelationGetRelationName(rel)),
				errdetail_internal("%s", reason));
		if (table == OWN_SOURCE)
			return source_without_relation(tuple, name);
		return NULL;
	}

	if (table == OWN_SOURCE)
		return tuple;
	if (table == OWN_DEFINITION)
		return restore_definition(rel, tuple, name);
	if (table == OWN_GAPLESS)
		return gapless_restore(rel, tuple);
	restored = store_restore(rel, tuple);
	/* a generator that is gapless here has its number in another row */
	if (restored == NULL)
	{
		(void) gapless_raise(name,
							 ((FormData_hilo_hi *) GETSTRUCT(tuple))->reserved);
		citus_recall(name, true);
	}
	return restored;
}

/*
 * Restore a right if the current role is a superuser.  Skip it if its role does
 * not exist here, or if the role already owns the generator.
 */
static void
restore_right(const Privilege *right, text *name)
{
	Oid			owner = right->is_owner ? privilege_owner(name) : InvalidOid;

	if (!OidIsValid(right->role) || right->role == owner)
		return;
	if (!superuser())
	{
		/* no WARNING for generators that become his own */
		if (!right->is_owner || right->role != GetUserId())
			warn_of_right(name, GetUserNameFromId(right->role, false));
	}
	else if (!OidIsValid(owner))
		privilege_insert(name, right->role, right->is_owner, false);
}

/*
 * Return why the owner of the database may not restore a row, or NULL.  He may
 * restore rows of his own generators, and of unknown names, which become his.
 */
static const char *
claim_row(OwnTable table, HeapTuple tuple, text *name)
{
	Definition	definition;
	text	   *written = name;
	Oid			owner;
	bool		is_own;

	/* no role owns server-side ids; their number is merged */
	if (text_equal(name, cstring_to_text(SERVER_SIDE_GENERATOR)))
	{
		definition = definition_default(name);
		(void) first_use_of_tag(name, &definition, InvalidOid, true);
		if (table == OWN_HI)
			return NULL;
	}
	if (table == OWN_SOURCE || !definition_is_user_named(name))
		return "Only superusers restore it.";
	if (table == OWN_DEFINITION)
	{
		definition = definition_from_tuple(name, tuple);
		written = definition.written;
		if (definition.origin != FROM_ROW)
			return "Only superusers restore a generator that has a source or a hub.";
	}
	if (!key_is_relation(name) &&
		!text_equal(text_fold(written), name))
		return "Its name is not the written name in lower case.";
	owner = privilege_owner(name);
	if (OidIsValid(owner) && has_privs_of_role(GetUserId(), owner))
		return NULL;
	/* nor are the rows of a name his that a failed restore has left */
	if (OidIsValid(owner) || generator_has_rows(name) ||
		OidIsValid(relation_of_others(name, GetUserId(), &is_own)))
		return "The generator belongs to another role.";
	privilege_insert(name, GetUserId(), true, false);
	return NULL;
}

/*
 * Return the row of a definition.  Only superusers restore the right of PUBLIC.
 */
static HeapTuple
restore_definition(Relation rel, HeapTuple tuple, text *name)
{
	Definition	definition = definition_from_tuple(name, tuple);

	/* a CHECK constraint would cost each session's first call a catalog read */
	definition_check(name, &definition);
	if (!superuser() && definition.is_public)
	{
		warn_of_right(name, "public");
		definition.is_public = false;
	}
	return own_table_form(rel, &definition, definition.written, name);
}

/*
 * Return the row of a source without its relation, if the generator is a
 * table's and was left out.  Otherwise return NULL.
 */
static HeapTuple
source_without_relation(HeapTuple tuple, text *name)
{
	if (!key_is_relation(name) || definition_exists(name) ||
		!has_privs_of_role(GetUserId(), privilege_owner(name)))
		return NULL;
	tuple = heap_copytuple(tuple);
	((OrmSource *) GETSTRUCT(tuple))->relid = InvalidOid;
	return tuple;
}

/* Check whether a table exists and the current role has its owner's rights. */
static bool
may_restore_group(Oid relid)
{
	if (!relation_is_table(relid))
		return false;
	if (has_privs_of_role(GetUserId(), relation_owner(relid)))
		return true;
	ereport(WARNING,
			errmsg("skipping a group of table %s", relation_name(relid)),
			errdetail("The table belongs to another role."));
	return false;
}

static void
warn_of_right(text *name, const char *role)
{
	ereport(WARNING,
			errmsg("skipping the right of role \"%s\" to generator \"%s\"",
				   role, definition_title(name)),
			errdetail("Only superusers restore rights."),
			errhint("Use hilo_grant, or hilo_alter for another owner."));
}
