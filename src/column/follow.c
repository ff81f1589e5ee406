/*
 * Generators that follow the ids which rows bring along.
 *
 * A trigger looks at each id that has come into the table.  If all ids are
 * drawn from one window, the window's word goes up to the id.  Any other
 * generator is raised by each id that it could still hand out, like by a
 * resync.  Either way the WAL record of that lies before the commit of the row,
 * and a rollback does not undo it.
 */
#include "postgres.h"

#include "access/relation.h"
#include "commands/defrem.h"
#include "executor/spi.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_follow);

/* A column that a trigger watches, as this session knows it. */
typedef struct Followed
{
	Oid			trigger;		/* hash key */
	AttrNumber	attnum;
	Oid			type;			/* below a domain */
	SessionEntry *entry;		/* of its generator; NULL: it has none */
	bool		may_raise;		/* the table's owner may: follow_id saw it */
	List	   *tables;			/* OIDs: the table and its ancestors */
	uint64		generation;		/* known_generation then; 0: look again */
	uint64		as_of;			/* default_generation up to which no default
								 * of theirs has changed */
} Followed;

static Followed *find_followed(FunctionCallInfo fcinfo);
static void look_up_followed(Followed *followed, Oid relid,
							 const Trigger *trigger);
static bool has_arguments(const Trigger *trigger);
static bool has_changed(Followed *followed);
static AttrNumber watched_column(Oid relid, const Trigger *trigger);
static SessionEntry *entry_to_follow(const Trigger *trigger, const char *name,
									 List *tables);
static bool brought_id(const TriggerData *trigger, const Followed *followed,
					   int64 *id);
static bool skip_in_known_window(const Followed *followed, int64 id);
static void follow_id(Oid relid, Followed *followed, int64 id);
static void drop_triggers(const Column *column);
static char *trigger_name(Oid relid, AttrNumber attnum, const char *name);
static List *follow_triggers(Oid relid);

Datum
hilo_follow(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	Followed   *followed = find_followed(fcinfo);
	int64		id;

	if (followed->entry != NULL &&
		brought_id(trigger, followed, &id) &&
		!skip_in_known_window(followed, id))
		follow_id(RelationGetRelid(trigger->tg_relation), followed, id);
	return PointerGetDatum(NULL);
}

/* Return what a trigger watches, looked up again if that may have changed. */
static Followed *
find_followed(FunctionCallInfo fcinfo)
{
	static HTAB *triggers = NULL;
	HASHCTL		ctl = {.keysize = sizeof(Oid),.entrysize = sizeof(Followed)};
	TriggerData *data = (TriggerData *) fcinfo->context;
	Followed   *followed;
	bool		is_known;

	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_AFTER(data->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(data->tg_event) ||
		!has_arguments(data->tg_trigger))
		ereport(ERROR,
				errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				errmsg("hilo_follow() can only be called as the trigger of hilo_attach"));
	if (triggers == NULL)
		triggers = hash_create("hilo followed columns", 16, &ctl,
							   HASH_ELEM | HASH_BLOBS);
	followed = hash_search(triggers, &data->tg_trigger->tgoid, HASH_ENTER,
						   &is_known);
	if (!is_known)
		followed->tables = NIL;
	if (!is_known || has_changed(followed))
		look_up_followed(followed, RelationGetRelid(data->tg_relation),
						 data->tg_trigger);
	return followed;
}

/*
 * Look up what a trigger watches.
 *
 * An error must leave an entry that will be looked up again.  So the
 * generations, which are read before the catalogs, are stored last.
 */
static void
look_up_followed(Followed *followed, Oid relid, const Trigger *trigger)
{
	uint64		generation = known_generation;
	uint64		as_of = default_generation;
	List	   *tables;
	MemoryContext before;

	followed->generation = 0;
	followed->entry = NULL;
	followed->may_raise = false;
	tables = relation_ancestors(relid, NIL);
	followed->attnum = watched_column(relid, trigger);
	if (followed->attnum != InvalidAttrNumber)
	{
		const char *name = get_attname(relid, followed->attnum, false);

		followed->type = getBaseType(get_atttype(relid, followed->attnum));
		followed->entry = entry_to_follow(trigger, name, tables);
	}
	list_free(followed->tables);
	before = MemoryContextSwitchTo(TopMemoryContext);
	followed->tables = list_copy(tables);
	MemoryContextSwitchTo(before);
	followed->as_of = as_of;
	followed->generation = generation;
}

/* Check whether a trigger's arguments are those that hilo_attach gives it. */
static bool
has_arguments(const Trigger *trigger)
{
	return trigger->tgnargs > 0 && trigger->tgnargs + trigger->tgnattr == 2;
}

/* Check whether what is known of a column may have changed. */
static bool
has_changed(Followed *followed)
{
	if (followed->generation != known_generation)
		return true;
	if (followed->as_of == default_generation)
		return false;
	foreach_oid(relid, relations_changed_since(followed->as_of))
	{
		if (!OidIsValid(relid) || list_member_oid(followed->tables, relid))
			return true;
	}
	followed->as_of = default_generation;
	return false;
}

/*
 * Return the column that a trigger watches: the one in its UPDATE OF, or else
 * the one in its second argument.  If that was renamed, return the first column
 * that draws from a generator.
 */
static AttrNumber
watched_column(Oid relid, const Trigger *trigger)
{
	AttrNumber	attnum;

	if (trigger->tgnattr == 1)
		return trigger->tgattr[0];
	attnum = get_attnum(relid, trigger->tgargs[1]);
	if (attnum != InvalidAttrNumber)
		return attnum;
	foreach_oid(each, relation_ancestors(relid, NIL))
	{
		foreach_ptr(ColumnDefault, column,
					column_default_of_table(each, 0, NULL))
		{
			if (column->generator != NULL && !column->by_trigger)
				return get_attnum(relid,
								  get_attname(each, column->attnum, false));
		}
	}
	return InvalidAttrNumber;
}

/*
 * Return the entry of the column's generator.  If the column does not draw any
 * more, return that of the table's own generator, unless the first argument of
 * the trigger names a tag.
 */
static SessionEntry *
entry_to_follow(const Trigger *trigger, const char *name, List *tables)
{
	bool		is_tag = trigger->tgargs[0][0] != '\0';

	foreach_oid(each, tables)
	{
		ColumnDefault found = column_default_find(each, name);
		text	   *key = definition_of_table(each);

		if (found.generator == NULL || found.by_trigger)
		{
			if (!is_tag && definition_exists(key))
				return session_entry_of(key, key);
			continue;
		}
		if (definition_is_table(found.generator))
			return session_entry_of(found.generator, found.generator);
		return session_tag_entry(PointerGetDatum(found.generator));
	}
	return NULL;
}

/* Get the id of the trigger's row; false if it has none that fits a bigint. */
static bool
brought_id(const TriggerData *trigger, const Followed *followed, int64 *id)
{
	HeapTuple	row = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ?
		trigger->tg_newtuple : trigger->tg_trigtuple;
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	bool		isnull;
	Datum		value = heap_getattr(row, followed->attnum, desc, &isnull);

	if (isnull)
		return false;
	switch (followed->type)
	{
		case INT8OID:
			*id = DatumGetInt64(value);
			return true;
		case INT4OID:
			*id = DatumGetInt32(value);
			return true;
		case INT2OID:
			*id = DatumGetInt16(value);
			return true;
		default:
			/* without the fraction of a numeric */
			errno = 0;
			*id = strtoi64(SPI_getvalue(row, desc, followed->attnum), NULL, 10);
			return errno == 0;
	}
}

/*
 * Let no id up to one that a row brings be handed out, by one atomic step on
 * the window that the entry knows; false if that does not suffice.
 */
static bool
skip_in_known_window(const Followed *followed, int64 id)
{
	return followed->may_raise &&
		entry_is_current(followed->entry) &&
		session_has_one_window(followed->entry) &&
		window_try_skip_to(followed->entry, id);
}

/* Let no id up to one that a row of the table brings be handed out. */
static void
follow_id(Oid relid, Followed *followed, int64 id)
{
	SessionEntry *entry = followed->entry;
	const Definition *definition = &entry->definition;

	require_writable("hilo_follow()");
	session_revalidate(entry);
	follow_require_own_ids(entry->name, definition);
	if (id < definition->first ||
		id > definition->max_value ||
		definition->scattered)
		return;
	/* no other session gets this session's own ids */
	if (definition->holder == HELD_BY_SESSION &&
		id >= entry->range.low &&
		id <= entry->handed_out)
		return;
	/* do not follow a sentinel near the end of the type */
	if (id > definition->max_value / 2 &&
		column_is_sentinel(relid, followed->attnum, id,
						   generator_last(entry->name, definition),
						   GENERATOR_SEED_HINT))
		return;
	followed->may_raise = privilege_may_change(entry->name,
											   relation_owner(relid));
	if (followed->may_raise && window_skip_to(entry, id))
		return;
	/* ids come from several ranges or another source, or hilo_hi is busy */
	while (!session_lock(entry, RowExclusiveLock, false))
		session_revalidate(entry);
	if (followed->may_raise)
		skip_up_to(entry->name, id, true);
	else
		(void) seed_above_table(relid, entry->name, definition, id);
	unlock_generator(entry->incarnation, RowExclusiveLock);
}

/*
 * Make a generator, or none, follow the ids of a column in all its tables.  By
 * default the trigger does not fire on updates: core would refuse to drop a
 * column in UPDATE OF, or to change its type.
 */
void
column_follow(const Column *column, text *generator, Follow follow)
{
	const char *schema = get_namespace_name(catalog_public_schema());
	const char *tag = "";
	char	   *updates = "";
	char	   *argument = psprintf(", %s", quote_literal_cstr(column->name));

	drop_triggers(column);
	if (follow == FOLLOW_NO)
		return;
	if (!definition_is_table(generator))
		tag = text_to_cstring(generator);
	if (follow == FOLLOW_YES)
	{
		updates = psprintf("OR UPDATE OF %s", quote_identifier(column->name));
		argument = "";
	}
	foreach_oid(relid, column->tables)
	{
		AttrNumber	attnum = get_attnum(relid, column->name);

		/* a partition, and maybe this child, has the parent's trigger */
		if (relid != column->relid &&
			(get_rel_relispartition(relid) ||
			 follow_of(relid, attnum) != FOLLOW_NO))
			continue;
		relation_run(psprintf("CREATE TRIGGER %s AFTER INSERT %s ON %s FOR EACH ROW EXECUTE FUNCTION %s(%s%s)",
							  quote_identifier(trigger_name(relid, attnum,
															column->name)),
							  updates, relation_name(relid),
							  quote_qualified_identifier(schema, "hilo_follow"),
							  quote_literal_cstr(tag), argument));
		if (follow_of(relid, attnum) == FOLLOW_NO)
			column_refuse_renamed();
	}
}

/*
 * Drop the triggers by which a generator follows a column, and those of columns
 * that draw from none any more, or that had this column's name before.
 */
static void
drop_triggers(const Column *column)
{
	foreach_oid(relid, column->tables)
	{
		foreach_ptr(Trigger, trigger, follow_triggers(relid))
		{
			AttrNumber	attnum = watched_column(relid, trigger);
			const char *name = get_attname(relid, attnum, true);

			if (name != NULL &&
				(strcmp(name, column->name) == 0 ||
				 strcmp(trigger->tgname,
						trigger_name(relid, attnum, column->name)) == 0 ||
				 column_default_find(relid, name).folded == NULL))
				relation_run(psprintf("DROP TRIGGER %s ON %s",
									  quote_identifier(trigger->tgname),
									  relation_name(relid)));
		}
	}
}

static char *
trigger_name(Oid relid, AttrNumber attnum, const char *name)
{
	return makeObjectName(psprintf("hilo_follow_%d_%s", attnum,
								   get_rel_name(relid)),
						  name, NULL);
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

/* Return how a trigger of the table itself lets a generator follow a column. */
Follow
follow_of(Oid relid, AttrNumber attnum)
{
	Follow		follow = FOLLOW_NO;

	foreach_ptr(Trigger, trigger, follow_triggers(relid))
	{
		if (watched_column(relid, trigger) == attnum)
			follow = trigger->tgnattr == 1 ? FOLLOW_YES : FOLLOW_BY_DEFAULT;
	}
	return follow;
}

/* Return the triggers that hilo_attach has made for a table. */
static List *
follow_triggers(Oid relid)
{
	Relation	rel;
	TriggerDesc *all;
	List	   *found = NIL;

	/* report an error if an event trigger has dropped the table */
	(void) relation_owner(relid);
	rel = relation_open(relid, NoLock);
	all = CopyTriggerDesc(rel->trigdesc);
	relation_close(rel, NoLock);
	for (int i = 0; all != NULL && i < all->numtriggers; i++)
	{
		Trigger    *trigger = &all->triggers[i];

		if (has_arguments(trigger) &&
			!trigger->tgisclone &&
			trigger->tgqual == NULL &&
			get_func_namespace(trigger->tgfoid) == catalog_public_schema() &&
			strcmp(get_func_name(trigger->tgfoid), "hilo_follow") == 0)
			found = lappend(found, trigger);
	}
	return found;
}

/*
 * Report that the schema of hilo was renamed while a statement named it.  The
 * statement may have called a function of another role.
 */
void
column_refuse_renamed(void)
{
	ereport(ERROR,
			errcode(ERRCODE_UNDEFINED_SCHEMA),
			errmsg("schema of extension \"%s\" has been renamed", "hilo"));
}
