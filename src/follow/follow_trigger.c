/*
 * The triggers by which what a column draws from follows the ids in rows.
 *
 * hilo_attach makes them, for a table and each of what inherits from it that
 * has no parent's; core copies those of a partitioned table.  A trigger names
 * its column, which the event trigger of join.c keeps so when the column is
 * renamed.  It does not fire on UPDATE OF: core would refuse to drop the
 * column, or to change its type.
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_trigger.h"
#include "commands/defrem.h"

#include "follow/followed.h"

PG_FUNCTION_INFO_V1(hilo_followed);

/* the tables with triggers that call a function */
static const char tables_with_triggers[] =
"SELECT DISTINCT tgrelid FROM pg_depend JOIN pg_trigger t ON t.oid = objid"
" WHERE (classid, refclassid, refobjid)"
" = ('pg_trigger'::regclass, 'pg_proc'::regclass, %u)";

static void put_followed(Oid relid, const Trigger *trigger, void *rsinfo);
static bool draws_no_more(Oid relid, const Trigger *trigger);
static void create_trigger(Oid relid, const char *name, const char *tag,
						   Follow follow);
static void drop_trigger(Oid relid, const Trigger *trigger);
static void always(Oid relid, const char *trigger);
static Follow follow_by(const Trigger *trigger);
static bool is_off(const Trigger *trigger);
static List *follow_triggers(Oid relid);
static List *all_triggers(Oid relid);

/*
 * List the columns that draw from a sequence which is to follow them, or that
 * are followed, but draw from nothing; and what is wrong.
 */
Datum
hilo_followed(PG_FUNCTION_ARGS)
{
	Oid			function =
		GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						CStringGetDatum("hilo_follow"),
						PointerGetDatum(buildoidvector(NULL, 0)),
						ObjectIdGetDatum(catalog_public_schema()));

	InitMaterializedSRF(fcinfo, 0);
	foreach_oid(relid, relation_select(psprintf(tables_with_triggers,
												function)))
	{
		foreach_ptr(Trigger, trigger, follow_triggers(relid))
			put_followed(relid, trigger, fcinfo->resultinfo);
	}
	return (Datum) 0;
}

/*
 * Make what a column draws from, or nothing, follow the ids of a column in all
 * its tables.  A generator that is a tag is named in the trigger.
 */
void
column_follow(const Column *column, text *generator, Follow follow)
{
	const char *tag = "";

	follow_drop(column);
	if (follow == FOLLOW_NO)
		return;
	if (!key_is_relation(generator))
		tag = text_to_cstring(generator);
	foreach_oid(relid, column->tables)
	{
		/* a partition, and maybe this child, has the parent's trigger */
		if (relid == column->relid ||
			(!get_rel_relispartition(relid) &&
			 follow_of(relid, get_attnum(relid, column->name)) == FOLLOW_NO))
			create_trigger(relid, column->name, tag, follow);
	}
}

/*
 * Drop the triggers of a column in all its tables, and those of columns that
 * are gone or draw from nothing any more.  Return whether there were any.
 */
bool
follow_drop(const Column *column)
{
	bool		found = false;
	List	   *above;

	foreach_oid(relid, column->tables)
	{
		foreach_ptr(Trigger, trigger, follow_triggers(relid))
		{
			const char *name = trigger->tgargs[FOLLOW_COLUMN];

			if (strcmp(name, column->name) != 0 &&
				stream_of_column(relid, name, &above).generator != NULL)
				continue;
			drop_trigger(relid, trigger);
			found = true;
		}
	}
	return found;
}

/* Check whether a column of a table is followed like that in all its tables. */
bool
follow_is_done(Oid relid, const char *name, Follow follow)
{
	foreach_oid(table, lock_inheritors(relid, NoLock))
	{
		Follow		is = follow_of(table, get_attnum(table, name));

		if (table != relid && get_rel_relispartition(table))
			continue;
		/* what also follows updates follows by default */
		if (is != follow && (is == FOLLOW_NO || follow != FOLLOW_BY_DEFAULT))
			return false;
	}
	return true;
}

/*
 * Write the new name of a column into the triggers that name the one which is
 * gone.  If there are several, nothing shows which is meant.
 */
void
follow_renamed(Oid relid, AttrNumber attnum)
{
	Trigger    *renamed = NULL;
	char	   *name = get_attname(relid, attnum, true);

	foreach_ptr(Trigger, trigger, follow_triggers(relid))
	{
		if (follow_column(relid, trigger) != InvalidAttrNumber)
			continue;
		if (renamed != NULL)
			return;
		renamed = trigger;
	}
	if (renamed == NULL || name == NULL)
		return;
	drop_trigger(relid, renamed);
	create_trigger(relid, name, renamed->tgargs[FOLLOW_TAG],
				   follow_by(renamed));
}

/*
 * Have the columns of a table, or only the one of a name, be followed like their
 * namesakes in another table.
 */
void
follow_like(Oid relid, Oid other, const char *only)
{
	foreach_ptr(Trigger, trigger, follow_triggers(other))
	{
		const char *name = trigger->tgargs[FOLLOW_COLUMN];

		/* core copies the triggers of a partitioned table */
		if (get_rel_relispartition(relid) || is_off(trigger) ||
			(only != NULL && strcmp(name, only) != 0))
			continue;
		if (get_attnum(relid, name) > 0 &&
			follow_of(relid, get_attnum(relid, name)) == FOLLOW_NO)
			create_trigger(relid, name, trigger->tgargs[FOLLOW_TAG],
						   follow_by(trigger));
	}
}

/*
 * Drop the triggers of a table whose columns draw no more.  Have the others,
 * also copies of a parent's, fire for replication again if ENABLE TRIGGER took
 * that from them.  Return the names of columns whose triggers this transaction
 * has made or switched on: rows may have come unseen.
 */
List *
follow_mend(Oid relid)
{
	List	   *names = NIL;

	foreach_ptr(Trigger, trigger, all_triggers(relid))
	{
		if (draws_no_more(relid, trigger))
		{
			if (!trigger->tgisclone)
				drop_trigger(relid, trigger);
			continue;
		}
		if (trigger->tgenabled == TRIGGER_DISABLED)
			continue;
		if (trigger->tgenabled != TRIGGER_FIRES_ALWAYS)
			always(relid, trigger->tgname);
		if (catalog_is_made_now(TriggerRelationId, TriggerOidIndexId,
								Anum_pg_trigger_oid, trigger->tgoid))
			names = lappend(names, trigger->tgargs[FOLLOW_COLUMN]);
	}
	return names;
}

/*
 * Return the column that a trigger watches, InvalidAttrNumber if it is gone.
 */
AttrNumber
follow_column(Oid relid, const Trigger *trigger)
{
	return Max(get_attnum(relid, trigger->tgargs[FOLLOW_COLUMN]),
			   InvalidAttrNumber);
}

/* Return how a trigger of the table itself follows a column. */
Follow
follow_of(Oid relid, AttrNumber attnum)
{
	Follow		follow = FOLLOW_NO;

	foreach_ptr(Trigger, trigger, follow_triggers(relid))
	{
		if (follow_column(relid, trigger) == attnum && !is_off(trigger))
			follow = follow_by(trigger);
	}
	return follow;
}

/*
 * Return the first of a table and those above it whose trigger follows a
 * column, or InvalidOid.
 */
Oid
follow_table(Oid relid, const char *name)
{
	foreach_oid(table, relation_ancestors(relid, NIL))
	{
		if (follow_of(table, get_attnum(table, name)) != FOLLOW_NO)
			return table;
	}
	return InvalidOid;
}

/*
 * Report an error if an ORM's rows would raise the source that it takes from.
 */
void
follow_require_own_ids(text *name, const Definition *definition)
{
	if (definition->origin == FROM_ORM)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("adopted generator \"%s\" cannot follow a column",
					   definition_title(name)),
				errdetail("The ORM's own rows would raise it, and deadlock with each other."),
				errhint("Call hilo_attach without follow, and call hilo_resync after each INSERT of foreign ids."));
}

static void
put_followed(Oid relid, const Trigger *trigger, void *rsinfo)
{
	const char *name = trigger->tgargs[FOLLOW_COLUMN];
	List	   *above;
	ColumnDefault found = stream_of_column(relid, name, &above);
	const char *fault = "The column draws from nothing any more.";
	const char *mend = psprintf("Give it a default or an identity, or run hilo_detach(%s, %s).",
								quote_literal_cstr(relation_name(relid)),
								quote_literal_cstr(name));
	bool		nulls[6] = {0};
	Datum		values[6];

	if (found.generator == NULL)
		nulls[2] = nulls[3] = true;
	else if (found.relid != relid || !OidIsValid(found.sequence))
		return;
	else
	{
		values[2] =
			PointerGetDatum(name_shown(found.generator, found.written));
		values[3] = PointerGetDatum(found.generator);
		fault = sequence_fault(found.sequence, &mend);
		mend = psprintf("Run ALTER SEQUENCE %s %s.",
						relation_name(found.sequence), mend);
	}
	if (fault == NULL && trigger->tgenabled != TRIGGER_FIRES_ALWAYS)
	{
		fault = "The trigger by which the sequence follows the column is off, or does not fire for replication.";
		mend = psprintf("Run ALTER TABLE %s ENABLE TRIGGER %s.",
						relation_name(relid),
						quote_identifier(trigger->tgname));
	}
	values[0] = ObjectIdGetDatum(relid);
	values[1] = Int16GetDatum(follow_column(relid, trigger));
	values[4] = CStringGetTextDatum(fault == NULL ? "" : fault);
	values[5] = CStringGetTextDatum(mend);
	nulls[4] = nulls[5] = fault == NULL;
	put_row(rsinfo, values, nulls);
}

/*
 * Check whether the column of a trigger is gone, or has another default or type
 * by now.  Without a default it is left alone: an identity may come next.
 */
static bool
draws_no_more(Oid relid, const Trigger *trigger)
{
	const char *name = trigger->tgargs[FOLLOW_COLUMN];
	AttrNumber	attnum = follow_column(relid, trigger);
	List	   *above;

	if (attnum == InvalidAttrNumber)
		return true;
	if (stream_of_column(relid, name, &above).generator != NULL)
		return false;
	return relation_has_default(relid, attnum) ||
		!column_type_is_number(getBaseType(get_atttype(relid, attnum)));
}

static void
create_trigger(Oid relid, const char *name, const char *tag, Follow follow)
{
	const char *schema = get_namespace_name(catalog_public_schema());
	AttrNumber	attnum = get_attnum(relid, name);
	char	   *trigger =
		makeObjectName(psprintf("hilo_follow_%d_%s", attnum,
								get_rel_name(relid)),
					   name, NULL);

	ddl_run(psprintf("CREATE OR REPLACE TRIGGER %s AFTER INSERT%s ON %s FOR EACH ROW EXECUTE FUNCTION %s(%s, %s)",
					 quote_identifier(trigger),
					 follow == FOLLOW_YES ? " OR UPDATE" : "",
					 relation_name(relid),
					 quote_qualified_identifier(schema, "hilo_follow"),
					 quote_literal_cstr(tag), quote_literal_cstr(name)));
	if (follow_of(relid, attnum) == FOLLOW_NO)
		column_report_renamed();
	always(relid, trigger);
}

static void
drop_trigger(Oid relid, const Trigger *trigger)
{
	ddl_run(psprintf("DROP TRIGGER %s ON %s",
					 quote_identifier(trigger->tgname),
					 relation_name(relid)));
}

/* Have a trigger fire in the replica role, too. */
static void
always(Oid relid, const char *trigger)
{
	ddl_run(psprintf("ALTER TABLE %s ENABLE ALWAYS TRIGGER %s",
					 relation_name(relid), quote_identifier(trigger)));
}

static Follow
follow_by(const Trigger *trigger)
{
	if (TRIGGER_FOR_UPDATE(trigger->tgtype))
		return FOLLOW_YES;
	return FOLLOW_BY_DEFAULT;
}

/* Check whether a trigger was switched off, or fires for replication alone. */
static bool
is_off(const Trigger *trigger)
{
	return trigger->tgenabled != TRIGGER_FIRES_ALWAYS &&
		trigger->tgenabled != TRIGGER_FIRES_ON_ORIGIN;
}

/* Return the triggers of a table, but no copies of a parent's. */
static List *
follow_triggers(Oid relid)
{
	List	   *found = NIL;

	foreach_ptr(Trigger, trigger, all_triggers(relid))
	{
		if (!trigger->tgisclone)
			found = lappend(found, trigger);
	}
	return found;
}

/*
 * Return the triggers of a table that hilo_attach has made, or core has copied
 * from a parent.  Needs no lock of the table.
 */
static List *
all_triggers(Oid relid)
{
	/* an event trigger may have dropped the table */
	TriggerDesc *all = relation_triggers(relid);
	List	   *found = NIL;

	for (int i = 0; all != NULL && i < all->numtriggers; i++)
	{
		Trigger    *trigger = &all->triggers[i];

		if (trigger->tgnargs == FOLLOW_ARGUMENTS &&
			trigger->tgqual == NULL &&
			strcmp(get_func_name(trigger->tgfoid), "hilo_follow") == 0 &&
			get_func_namespace(trigger->tgfoid) == catalog_public_schema())
			found = lappend(found, trigger);
	}
	return found;
}
