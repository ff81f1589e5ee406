/*
 * Generators that follow the ids which rows bring along.
 *
 * The condition of a trigger looks at each id that has come into the table.  An id
 * that this session has been given, or that lies below what it has passed, costs a
 * comparison.  Above any other the trigger raises the generator at the end of the
 * statement, as by a resync, whatever becomes of the transaction.
 */
#include "postgres.h"

#include "access/relation.h"
#include "commands/defrem.h"
#include "executor/spi.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_is_brought);
PG_FUNCTION_INFO_V1(hilo_is_brought_to_table);
PG_FUNCTION_INFO_V1(hilo_follow);

/* what this session passed last: nobody is given an id up to up_to any more */
static struct
{
	SessionEntry *entry;
	LocalTransactionId lxid;
	int64		incarnation;
	int64		up_to;
	int64		ahead;			/* how far above the id it went */
}			passed;

static Datum is_brought(const SessionEntry *entry, int64 id);
static SessionEntry *find_followed(const TriggerData *trigger);
static SessionEntry *entry_of(text *generator);
static char *trigger_name(Oid relid, AttrNumber attnum, const char *name);
static bool is_past(const SessionEntry *entry, int64 id);

/* The trigger's condition: may the id come from elsewhere than this session? */
Datum
hilo_is_brought(PG_FUNCTION_ARGS)
{
	return is_brought(session_tag_entry(PG_GETARG_DATUM(0)), PG_GETARG_INT64(1));
}

/* The same, of a table's own generator. */
Datum
hilo_is_brought_to_table(PG_FUNCTION_ARGS)
{
	return is_brought(session_table_entry(PG_GETARG_DATUM(0)), PG_GETARG_INT64(1));
}

Datum
hilo_follow(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	SessionEntry *entry = fcinfo->flinfo->fn_extra;
	AttrNumber	attnum;
	char	   *id;

	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_AFTER(trigger->tg_event) || !TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		trigger->tg_trigger->tgnargs != 1 || trigger->tg_trigger->tgnattr != 1)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("hilo_follow() can only be called as the trigger of hilo_attach")));
	if (entry == NULL)
		fcinfo->flinfo->fn_extra = entry = find_followed(trigger);
	attnum = trigger->tg_trigger->tgattr[0];
	id = SPI_getvalue(TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ?
					  trigger->tg_newtuple : trigger->tg_trigtuple,
					  RelationGetDescr(trigger->tg_relation), attnum);
	/* without the fraction of a numeric */
	if (id != NULL && entry != NULL)
		follow_id(RelationGetRelid(trigger->tg_relation), attnum, entry,
				  strtoi64(id, NULL, 10));
	return PointerGetDatum(NULL);
}

static Datum
is_brought(const SessionEntry *entry, int64 id)
{
	PG_RETURN_BOOL(!session_knows(entry) || !is_past(entry, id));
}

/*
 * Return the entry of the column's generator; or of the table's own, if the column
 * draws no more, and the trigger names no tag.
 */
static SessionEntry *
find_followed(const TriggerData *trigger)
{
	bool		is_own = trigger->tg_trigger->tgargs[0][0] == '\0';
	Oid			relid = RelationGetRelid(trigger->tg_relation);
	const char *name = get_attname(relid, trigger->tg_trigger->tgattr[0], false);

	foreach_oid(each, relation_ancestors(relid, NIL))
	{
		ColumnDefault found = column_default_find(each, name);
		text	   *key = definition_of_table(each);

		if (found.generator != NULL && !found.by_trigger)
			return entry_of(found.generator);
		if (is_own && definition_exists(key))
			return entry_of(key);
	}
	return NULL;
}

static SessionEntry *
entry_of(text *generator)
{
	return definition_is_table(generator) ? session_entry_of(generator, generator) :
		session_tag_entry(PointerGetDatum(generator));
}

/* Make a generator, or none, follow the ids of a column in all its tables. */
void
column_follow(const Column *column, text *generator)
{
	const char *col = quote_identifier(column->name);
	const char *schema = quote_identifier(get_namespace_name(catalog_public_schema()));

	/* a numeric may be no bigint */
	const char *id = psprintf(column->type != NUMERICOID ? "NEW.%1$s::pg_catalog.int8" :
							  "CASE WHEN pg_catalog.abs(NEW.%1$s) OPERATOR(pg_catalog.<=) 9223372036854775807 THEN NEW.%1$s::pg_catalog.int8 END",
							  col);

	foreach_oid(relid, column->tables)
	{
		char	   *trigger;
		char	   *name;

		/* an event trigger may have dropped the table */
		(void) relation_owner(relid);
		/* also of columns that draw no more, or had this one's name */
		for (AttrNumber i = 1; (name = get_attname(relid, i, true)) != NULL; i++)
			while ((trigger = follow_trigger(relid, i)) != NULL &&
				   (strcmp(name, column->name) == 0 ||
					strcmp(trigger, trigger_name(relid, i, column->name)) == 0 ||
					column_default_find(relid, name).folded == NULL))
				relation_run(psprintf("DROP TRIGGER %s ON %s", quote_identifier(trigger),
									  relation_name(relid)));
	}
	foreach_oid(relid, generator == NULL ? NIL : column->tables)
	{
		AttrNumber	attnum = get_attnum(relid, column->name);

		/* the whole's trigger may be one of the part, too */
		if (relid != column->relid &&
			(get_rel_relispartition(relid) || follow_trigger(relid, attnum) != NULL))
			continue;
		relation_run(psprintf("CREATE TRIGGER %1$s AFTER INSERT OR UPDATE OF %2$s ON %3$s FOR EACH ROW WHEN (%4$s.hilo_is_brought(%5$s, %6$s)) EXECUTE FUNCTION %4$s.hilo_follow(%7$s)",
							  quote_identifier(trigger_name(relid, attnum, column->name)),
							  col, relation_name(relid), schema, column_source_constant(generator), id,
							  definition_is_table(generator) ? "''" : quote_literal_cstr(text_to_cstring(generator))));
		if (follow_trigger(relid, attnum) == NULL)
			column_refuse_renamed();
	}
}

static char *
trigger_name(Oid relid, AttrNumber attnum, const char *name)
{
	return makeObjectName(psprintf("hilo_follow_%d_%s", attnum, get_rel_name(relid)),
						  name, NULL);
}

/*
 * Check whether an id can be given to nobody any more: the session, which has checked
 * the generator in this transaction, was given it or has passed it.  A rollback takes
 * that back where there are no gaps; a forced seed changes the incarnation.
 */
static bool
is_past(const SessionEntry *entry, int64 id)
{
	return entry->definition.holder != HELD_BY_NOBODY &&
		((id >= entry->range.low && id <= entry->handed_out) ||
		 (id == entry->current && id != entry->stale) ||
		 (id <= passed.up_to && passed.entry == entry &&
		  passed.incarnation == entry->incarnation));
}

/*
 * Raise the generator of a column above an id, if need be and if it could be
 * given to somebody, and the table's owner could do it; further each time within
 * a transaction, as more may come, and not to its end.
 */
void
follow_id(Oid relid, AttrNumber attnum, SessionEntry *entry, int64 id)
{
	const Definition *definition = &entry->definition;
	int64		ahead = 0;
	int64		last;
	int64		to;
	bool		may_raise;

	catalog_require_writable("hilo_follow()");
	session_check(entry);
	follow_require_own_ids(entry->name, definition);
	if (id < definition->first || id > definition->max_value ||
		definition->scattered || is_past(entry, id))
		return;
	last = generator_last(entry->name, definition);
	if (id > definition->max_value / 2 &&
		column_is_sentinel(relid, attnum, id, last, GENERATOR_SEED_HINT))
		return;
	may_raise = privilege_may_change(entry->name, relation_owner(relid));
	/* in one order, all up to last were given out, and more of them may come */
	if (may_raise && definition->holder == HELD_BY_SERVER && id <= last)
		id = last;
	else if (may_raise && passed.entry == entry && passed.lxid == MyLocalTransactionId &&
			 definition->holder != HELD_BY_NOBODY)
		ahead = Min(Max(passed.ahead * 2, definition->range_size), definition->max_range_size);
	to = id > definition->max_value - ahead ? id : id + ahead;
	/* no forced seed comes between the raise and the look at its incarnation */
	while (!session_lock(entry, RowExclusiveLock, false))
		session_check(entry);
	if (may_raise)
		seed_pass(entry->name, to, true);
	else
		(void) seed_above_table(relid, entry->name, definition, id);
	/* the session forgets its range, too */
	session_check(entry);
	unlock_generator(entry->incarnation, RowExclusiveLock);
	/* without gaps, a rollback takes it back */
	passed.entry = definition->holder == HELD_BY_NOBODY ? NULL : entry;
	passed.lxid = MyLocalTransactionId;
	passed.incarnation = entry->incarnation;
	passed.up_to = to;
	passed.ahead = ahead;
}

/* Report an error if an ORM's rows would raise the source that it takes from. */
void
follow_require_own_ids(text *name, const Definition *definition)
{
	if (definition->origin == FROM_ORM)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("adopted generator \"%s\" cannot follow a column",
						definition_title(name)),
				 errdetail("The ORM's own rows would raise it, and deadlock with each other."),
				 errhint("Call hilo_attach without follow, and hilo_resync after rows with foreign ids.")));
}

/* Return the table's own trigger by which a generator follows a column, or NULL. */
char *
follow_trigger(Oid relid, AttrNumber attnum)
{
	Relation	rel;
	Oid			schema = catalog_public_schema();
	char	   *name = NULL;

	/* an event trigger may have dropped the table */
	(void) relation_owner(relid);
	rel = relation_open(relid, NoLock);
	for (int i = 0; rel->trigdesc != NULL && i < rel->trigdesc->numtriggers; i++)
	{
		Trigger    *trigger = &rel->trigdesc->triggers[i];
		Oid			condition;

		if (trigger->tgnattr == 1 && trigger->tgattr[0] == attnum &&
			!trigger->tgisclone && trigger->tgqual != NULL &&
			get_func_namespace(trigger->tgfoid) == schema &&
			strcmp(get_func_name(trigger->tgfoid), "hilo_follow") == 0 &&
			sscanf(trigger->tgqual, "{FUNCEXPR :funcid %u", &condition) == 1 &&
			get_func_namespace(condition) == schema)
			name = pstrdup(trigger->tgname);
	}
	relation_close(rel, NoLock);
	return name;
}

/* Report that a statement has led to somebody else's function. */
void
column_refuse_renamed(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_SCHEMA),
			 errmsg("schema of extension \"%s\" has been renamed", "hilo")));
}
