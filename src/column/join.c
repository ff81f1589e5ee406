/*
 * Columns with rows that begin to draw from a table's generator, or from a
 * sequence that follows them.
 *
 * A default, a partition or a child may bring rows with greater ids than the
 * source has handed out.  The ALTER TABLE that joins them holds the lock of
 * the table, so no row with a greater id comes before its commit.  So may rows
 * above the old end of a sequence that gets a higher one.
 *
 * A trigger that follows keeps its column when that is renamed, goes when it
 * draws no more, and fires for replication whatever ENABLE TRIGGER says.  A
 * child, and a copy by LIKE that draws from the same source, get it, too.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/dependency.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "commands/event_trigger.h"
#include "commands/extension.h"
#include "utils/inval.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_join_tables);

static bool may_join(Node *statement);
static void mend_own_tables(void);
static void join_altered(Node *statement);
static bool changes_owner(Node *statement);
static void join_owned(Oid relid);
static void join_domains(void);
static void join_triggers(void);
static void follow_created(Oid relid);
static void follow_parents(Oid relid);
static void join_tree(Oid relid);
static void join_sequence(Oid sequence, Node *statement);
static bool restarts(Oid sequence, Node *statement);
static void mend_triggers(Oid relid);
static void rename_in_tree(Oid relid, AttrNumber attnum);
static void join_columns(Oid relid, Oid source, bool with_old);
static bool is_new_source(Oid relid, const ColumnDefault *found);
static void join_column(Oid relid, const ColumnDefault *found,
						const char *name);
static void warn_of_own_default(Oid part, const char *name,
								const ColumnDefault *whole);
static void raise_joined(void *arg);
static void hold_generator(const ColumnDefault *found, Oid relid);

/*
 * An event trigger on ddl_command_end of CREATE and ALTER TABLE, CREATE SCHEMA,
 * ALTER DOMAIN and ALTER SEQUENCE: raise what tables draw from above the rows
 * of columns that now draw from it, and have it follow them if it follows such
 * a column.  Only warn if that fails, except for a lock: the statement goes on.
 * Guard hilo's own tables from it and from what is done to triggers.  Refuse a
 * trigger that cannot number rows.
 */
Datum
hilo_join_tables(PG_FUNCTION_ARGS)
{
	EventTriggerData *event;

	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
				errmsg("hilo_join_tables() can only be called as an event trigger"));
	event = (EventTriggerData *) fcinfo->context;
	if (ddl_is_own || !may_join(event->parsetree))
		PG_RETURN_NULL();
	mend_own_tables();
	if (event->tag == CMDTAG_CREATE_TRIGGER)
	{
		number_check_trigger((CreateTrigStmt *) event->parsetree);
		join_triggers();
	}
	else if (event->tag == CMDTAG_ALTER_DOMAIN)
		join_domains();
	else
		join_altered(event->parsetree);
	PG_RETURN_NULL();
}

/* Leave out what a restore does for each key. */
static bool
may_join(Node *statement)
{
	if (!IsA(statement, AlterTableStmt))
		return true;
	foreach_ptr(AlterTableCmd, command, ((AlterTableStmt *) statement)->cmds)
	{
		if (command->subtype != AT_AddConstraint)
			return true;
	}
	return false;
}

/* Undo what the command has done to hilo's own tables, or refuse it. */
static void
mend_own_tables(void)
{
	/* an update alters them */
	if (creating_extension)
		return;
	for (OwnTable table = 0; table < OWN_TABLES; table++)
	{
		char	   *mending = own_table_mending(table);

		if (mending != NULL)
			ddl_run(mending);
	}
}

/* Look at the columns of domains that the command has altered. */
static void
join_domains(void)
{
	foreach_oid(relid,
				relation_select("SELECT DISTINCT attrelid FROM pg_event_trigger_ddl_commands()"
								" JOIN pg_attribute ON atttypid = objid"))
	{
		if (!relation_is_table(relid))
			continue;
		/* a default gives and takes rights, also in other sessions */
		CacheInvalidateRelcacheByRelid(relid);
		join_columns(relid, relid, true);
	}
}

/* Hold what the table of a new trigger draws from by triggers. */
static void
join_triggers(void)
{
	static const char tables[] =
		"SELECT tgrelid FROM pg_event_trigger_ddl_commands()"
		" JOIN pg_trigger t ON t.oid = objid";

	foreach_oid(relid, relation_select(tables))
	{
		foreach_ptr(ColumnDefault, found,
					column_default_of_table(relid, 0, NULL))
		{
			if (found->by_trigger)
				hold_generator(found, relid);
		}
	}
}

/*
 * Look at the tables and sequences that the command has altered or made, and at
 * tables with a renamed column.
 */
static void
join_altered(Node *statement)
{
	List	   *altered =
		relation_select("SELECT unnest(ARRAY[objid, objsubid::oid]) FROM ("
						"SELECT DISTINCT objid, objsubid FROM pg_event_trigger_ddl_commands()"
						" WHERE object_type IN ('table', 'table column', 'sequence')) c");

	for (int i = 0; i < list_length(altered); i += 2)
	{
		Oid			relid = list_nth_oid(altered, i);
		AttrNumber	attnum = list_nth_oid(altered, i + 1);

		if (get_rel_relkind(relid) == RELKIND_SEQUENCE)
			join_sequence(relid, statement);
		if (!relation_is_table(relid))
			continue;
		if (attnum > 0)
			rename_in_tree(relid, attnum);
		else if (IsA(statement, CreateStmt) ||
				 IsA(statement, CreateSchemaStmt))
			follow_created(relid);
		else
			join_tree(relid);
		if (changes_owner(statement))
			join_owned(relid);
	}
}

static bool
changes_owner(Node *statement)
{
	if (!IsA(statement, AlterTableStmt))
		return false;
	foreach_ptr(AlterTableCmd, command, ((AlterTableStmt *) statement)->cmds)
	{
		if (command->subtype == AT_ChangeOwner)
			return true;
	}
	return false;
}

/*
 * Join columns that draw from another table's generator, of a table with a new
 * owner or from its generator: only now may they have the right to that.
 */
static void
join_owned(Oid relid)
{
	text	   *own = key_of_relation(relid);
	List	   *columns = list_concat(column_default_of_table(relid, 0, NULL),
									  column_default_list(own, false,
														  InvalidOid));

	foreach_ptr(ColumnDefault, found, columns)
	{
		const char *name = get_attname(found->relid, found->attnum, true);

		if (name != NULL && relation_is_table(found->relid) &&
			found->generator != NULL && key_is_relation(found->generator) &&
			!OidIsValid(found->sequence) &&
			key_relid(found->generator) != found->relid &&
			privilege_may_change(found->generator,
								 relation_owner(found->relid)))
			join_column(found->relid, found, name);
	}
}

/* Have triggers know the new name of a column. */
static void
rename_in_tree(Oid relid, AttrNumber attnum)
{
	const char *name = get_attname(relid, attnum, true);

	if (name == NULL)
		return;
	foreach_oid(part, find_all_inheritors(relid, NoLock, NULL))
		follow_renamed(part, get_attnum(part, name));
}

/*
 * Have the columns of a new table be followed like those of its parents, and of
 * tables that draw from the same source, if its owner may raise that: it may be
 * a copy by LIKE.
 */
static void
follow_created(Oid relid)
{
	follow_parents(relid);
	foreach_ptr(ColumnDefault, found, column_default_of_table(relid, 0, NULL))
	{
		if (found->generator == NULL)
			continue;
		hold_generator(found, relid);
		if (!key_is_relation(found->generator) ||
			!privilege_may_change(found->generator, relation_owner(relid)))
			continue;
		foreach_ptr(ColumnDefault, other,
					column_default_list(found->generator, false, InvalidOid))
			follow_like(relid, other->relid,
						get_attname(relid, found->attnum, false));
	}
}

static void
follow_parents(Oid relid)
{
	Oid			parent;

	for (int n = 1; OidIsValid(parent = relation_parent(relid, n)); n++)
		follow_like(relid, parent, NULL);
}

/*
 * Join the new defaults of a table, and all defaults that a new part of its tree
 * inherits.
 */
static void
join_tree(Oid relid)
{
	join_columns(relid, relid, false);
	foreach_oid(part, find_all_inheritors(relid, NoLock, NULL))
	{
		mend_triggers(part);
		if (!catalog_is_made_now(InheritsRelationId, InheritsRelidSeqnoIndexId,
								 Anum_pg_inherits_inhrelid, part))
			continue;
		foreach_oid(below, find_all_inheritors(part, NoLock, NULL))
			follow_parents(below);
		foreach_oid(source, relation_ancestors(part, NIL))
			join_columns(part, source, true);
	}
}

/*
 * Look at the followed columns of a sequence.  Warn of options with which it
 * cannot follow them.  Unless it was restarted, rows above its old end may join.
 */
static void
join_sequence(Oid sequence, Node *statement)
{
	text	   *key = key_of_relation(sequence);
	List	   *columns = column_default_list(key, false, InvalidOid);
	Oid			table;
	int32		attnum;

	if (sequenceIsOwned(sequence, DEPENDENCY_INTERNAL, &table, &attnum))
		columns = column_default_of_table(table, attnum, key);
	foreach_ptr(ColumnDefault, found, columns)
	{
		const char *name = get_attname(found->relid, found->attnum, true);

		if (name == NULL || !OidIsValid(follow_table(found->relid, name)))
			continue;
		sequence_report_fault(sequence, found->relid, WARNING);
		if (!restarts(sequence, statement))
			join_column(found->relid, found, name);
	}
}

/* Check whether a statement may have restarted a sequence. */
static bool
restarts(Oid sequence, Node *statement)
{
	if (!IsA(statement, AlterSeqStmt))
		return !sequence_state(sequence).is_called;
	foreach_ptr(DefElem, option, ((AlterSeqStmt *) statement)->options)
	{
		if (strcmp(option->defname, "restart") == 0)
			return true;
	}
	return false;
}

/*
 * Drop the triggers of a table whose columns draw no more, and have the others
 * fire for replication.  A part may be another role's: that stops no ALTER
 * TABLE of the whole.
 */
static void
mend_triggers(Oid relid)
{
	if (!relation_is_table(relid) ||
		!has_privs_of_role(GetUserId(), relation_owner(relid)))
		return;
	foreach_ptr(char, name, follow_mend(relid))
	{
		List	   *above;
		ColumnDefault found = stream_of_column(relid, name, &above);

		if (found.written != NULL)
			join_column(relid, &found, name);
	}
}

/*
 * Raise what the columns of a source table draw from above the rows in relid,
 * which is the same table or inherits from it: tables' generators, and
 * sequences that follow.  Without with_old leave out what relid drew from
 * before this transaction.
 */
static void
join_columns(Oid relid, Oid source, bool with_old)
{
	foreach_ptr(ColumnDefault, found, column_default_of_table(source, 0, NULL))
	{
		const char *name = get_attname(source, found->attnum, true);

		if (found->generator == NULL || name == NULL ||
			get_attnum(relid, name) <= 0)
			continue;
		if (!with_old && !is_new_source(relid, found))
			continue;
		/* a domain changes no column that has its own default */
		if (with_old && relid == source &&
			OidIsValid(GetAttrDefaultOid(relid, found->attnum)))
			continue;
		if (OidIsValid(found->sequence) &&
			!OidIsValid(follow_table(relid, name)))
			continue;
		if (found->by_trigger || !key_is_relation(found->generator))
		{
			hold_generator(found, relid);
			continue;
		}
		if (relid != source)
			warn_of_own_default(relid, name, found);
		join_column(relid, found, name);
	}
}

/* Check whether this transaction has given a column what it draws from. */
static bool
is_new_source(Oid relid, const ColumnDefault *found)
{
	Oid			attrdef = GetAttrDefaultOid(relid, found->attnum);

	if (OidIsValid(attrdef))
		return catalog_is_made_now(AttrDefaultRelationId, AttrDefaultOidIndexId,
								   Anum_pg_attrdef_oid, attrdef);
	if (OidIsValid(found->sequence))
		return catalog_is_made_now(RelationRelationId, ClassOidIndexId,
								   Anum_pg_class_oid, found->sequence);
	return true;
}

/* Raise what a column draws from above its rows, or warn. */
static void
join_column(Oid relid, const ColumnDefault *found, const char *name)
{
	Column		column = {
		.relid = relid,.name = name,.generator = found->generator,
		.is_wrapped = found->is_wrapped,.trusts_owner = true,
		.lockmode = AccessShareLock,.with_uncommitted = true
	};
	ErrorData  *error;
	const char *call = "hilo_seed(%s, ...)";
	const char *hint;
	char	   *shown;

	hold_generator(found, relid);
	error = run_in_subxact(raise_joined, &column);
	if (error == NULL)
		return;
	/* the ALTER can be tried again; no role without the right stops it */
	if ((error->sqlerrcode == ERRCODE_LOCK_NOT_AVAILABLE ||
		 error->sqlerrcode == ERRCODE_T_R_DEADLOCK_DETECTED) &&
		privilege_may_change(found->generator, relation_owner(relid)))
		ReThrowError(error);
	shown = text_to_cstring(name_shown(column.generator, column.generator));
	if (OidIsValid(found->sequence))
		call = "setval(%s, ...)";
	hint = psprintf("Raise it above the ids there with %s.",
					psprintf(call, quote_literal_cstr(shown)));
	if (error->hint != NULL)
		hint = error->hint;
	ereport(WARNING,
			errcode(error->sqlerrcode),
			errmsg_internal("%s", error->message),
			errdetail("Ids of column \"%s\" of table \"%s\" may repeat.",
					  name, get_rel_name(relid)),
			errhint("%s", hint));
}

/* Warn of a part that keeps another source of ids than the whole has. */
static void
warn_of_own_default(Oid part, const char *name, const ColumnDefault *whole)
{
	ColumnDefault own = column_default_find(part, name);

	if (own.draws_nothing ||
		(own.generator != NULL && text_equal(own.generator, whole->generator)))
		return;
	ereport(WARNING,
			errmsg("table \"%s\" keeps its own default for column \"%s\"",
				   get_rel_name(part), name),
			errdetail("Its ids may repeat those of table \"%s\".",
					  get_rel_name(whole->relid)),
			errhint("Give the column the same default as in that table."));
}

/*
 * Callback of run_in_subxact: raise a generator or a sequence above a column,
 * like hilo_resync: sessions may hold lower ids than the last one.  Do nothing
 * if there is no generator yet, or if no row has an id.
 */
static void
raise_joined(void *arg)
{
	Column		column = *(Column *) arg;
	text	   *key = column.generator;
	Definition	definition;
	int64		max;

	if (!definition_find(key, &definition))
		return;
	if (definition.origin == FROM_SEQUENCE)
	{
		sequence_refuse_citus(column.relid, column.name, definition.table);
		column.floor = sequence_floor(definition.table);
	}
	column = column_lock_tree(column, ERRCODE_LOCK_NOT_AVAILABLE);
	/* ids above its end may be another site's */
	column.max_value = Min(column.max_value, definition.max_value);
	max = column_greatest_id(&column, generator_last(key, &definition));
	column_unlock(&column, AccessShareLock);
	if (max <= column.floor)
		return;
	definition_refuse_scattered(&definition, key);
	(void) seed_above_table(column.relid, key, &definition, max);
}

/*
 * Have a drop of a generator wait for this transaction, whose columns do not
 * keep it from that yet; not for a trigger that another role may have made.  If
 * the table's owner may raise a table's generator, its first use waits, too,
 * which would not see the rows, and this one for one that may be rolled back;
 * the generator of a new table is nobody else's.
 */
static void
hold_generator(const ColumnDefault *found, Oid relid)
{
	text	   *key = found->generator;
	ColumnDefault identity = *found;
	Oid			owner = relation_owner(relid);
	Definition	definition;
	FormData_hilo_hi hi;

	if (OidIsValid(key_sequence(key)) ||
		!column_default_is_by_owner(found, false))
		return;
	/* rows may ask for the identity of the collection, too */
	if (found->by_trigger && !definition_is_identity(key))
	{
		identity.generator = pattern_identity(key, true);
		hold_generator(&identity, relid);
	}
	if (key_is_relation(key) && privilege_may_change(key, owner))
	{
		TransactionId maker = relation_creating_xid(key_relid(key));

		if (!TransactionIdIsCurrentTransactionId(maker))
			generator_lock_name(key);
	}
	/* a copy on a Citus worker is dropped and made anew without harm */
	else if (definition_find(key, &definition) &&
			 !citus_is_hub(NameStr(definition.hub)) &&
			 (superuser_arg(owner) || privilege_is_given(key, owner)))
		(void) store_lock(key, RowExclusiveLock, &hi);
}
