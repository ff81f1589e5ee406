/*
 * Generators that follow the ids which rows bring along.
 *
 * A trigger looks at each id on its way into the table.  One that this session
 * has been given, or that lies below what it has passed, costs a comparison.
 * For any other the generator is raised above it, as by a resync, whatever
 * becomes of the transaction.
 */
#include "postgres.h"

#include "access/relation.h"
#include "commands/trigger.h"
#include "common/int.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_follow);

/* what this session passed last: nobody is given an id up to up_to any more */
static struct
{
	SessionEntry *entry;
	LocalTransactionId lxid;
	int64		incarnation;
	int64		epoch;
	int64		up_to;
	int64		ahead;			/* how far above the id it went */
}			passed;

static bool read_id(TriggerData *trigger, int64 *id);
static bool is_past(const SessionEntry *entry, int64 id);
static void follow_id(TriggerData *trigger, SessionEntry *entry, int64 id);

/*
 * hilo_follow(generator): trigger BEFORE INSERT OR UPDATE OF the one column
 * whose ids the generator stays above.
 */
Datum
hilo_follow(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	SessionEntry *entry = fcinfo->flinfo->fn_extra;
	int64		id;

	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		trigger->tg_trigger->tgnargs != 1 || trigger->tg_trigger->tgnattr != 1)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("hilo_follow() can only be called as the trigger of hilo_attach")));
	if (entry == NULL)
		fcinfo->flinfo->fn_extra = entry =
			session_entry(cstring_to_text(trigger->tg_trigger->tgargs[0]));
	if (read_id(trigger, &id) && !(session_checked(entry) && is_past(entry, id)))
		follow_id(trigger, entry, id);
	return PointerGetDatum(TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ?
						   trigger->tg_newtuple : trigger->tg_trigtuple);
}

/*
 * Make a generator follow the ids of a column, in its table and those that
 * inherit it; none if it is NULL.
 */
void
column_follow(const Column *column, text *generator)
{
	foreach_oid(relid, column->tables)
	{
		AttrNumber	attnum = get_attnum(relid, column->name);
		char	   *trigger = follow_trigger(relid, attnum);

		if (trigger != NULL)
			relation_run(psprintf("DROP TRIGGER %s ON %s",
								  quote_identifier(trigger),
								  relation_name(relid)));
		/* that of a partitioned table is one of its partitions, too */
		if (generator == NULL ||
			(relid != column->relid &&
			 OidIsValid(relation_partition_parent(relid))))
			continue;
		/* triggers may change the id: by its name, this one fires last */
		relation_run(psprintf("CREATE TRIGGER zz_hilo_follow_%d BEFORE INSERT OR UPDATE OF %s ON %s FOR EACH ROW EXECUTE FUNCTION %s(%s)",
							  attnum, quote_identifier(column->name),
							  relation_name(relid),
							  quote_qualified_identifier(get_namespace_name(catalog_public_schema()),
														 "hilo_follow"),
							  quote_literal_cstr(text_to_cstring(generator))));
		/* whoever may rename the schema could have led to another function */
		if (follow_trigger(relid, attnum) == NULL)
			elog(ERROR, "the schema of hilo was renamed");
	}
}

/*
 * Read the id in the row that the trigger is about; false if it is null or no
 * number.
 */
static bool
read_id(TriggerData *trigger, int64 *id)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	AttrNumber	attnum = trigger->tg_trigger->tgattr[0];
	bool		isnull;
	Datum		value = heap_getattr(TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ?
									 trigger->tg_newtuple : trigger->tg_trigtuple,
									 attnum, desc, &isnull);
	int			length = TupleDescAttr(desc, attnum - 1)->attlen;

	if (!isnull && getBaseType(TupleDescAttr(desc, attnum - 1)->atttypid) == NUMERICOID)
	{
		*id = strtoi64(DatumGetCString(DirectFunctionCall1(numeric_out, value)),
					   NULL, 10);
		return true;
	}
	*id = length == sizeof(int16) ? DatumGetInt16(value) :
		length == sizeof(int32) ? DatumGetInt32(value) : DatumGetInt64(value);
	return !isnull && length >= (int) sizeof(int16) &&
		length <= (int) sizeof(int64);
}

/*
 * Check whether an id can be given to nobody any more: the session, which has
 * checked the generator in this transaction, was given it or has passed it.  A
 * rollback takes that back where there are no gaps.
 */
static bool
is_past(const SessionEntry *entry, int64 id)
{
	if (entry->definition.holder == HELD_BY_NOBODY)
		return false;
	if ((id >= entry->range.low && id <= entry->handed_out) ||
		(id == entry->current && id != entry->stale))
		return true;
	/* a forced seed changes the epoch */
	return id <= passed.up_to && passed.entry == entry &&
		passed.incarnation == entry->incarnation &&
		passed.epoch == entry->epoch;
}

/*
 * Raise the generator above an id, if need be and if it could be given to
 * somebody; further each time within a transaction, as more may come.
 *
 * Only where the owner of the table could do it: what the column holds is that
 * role's.
 */
static void
follow_id(TriggerData *trigger, SessionEntry *entry, int64 id)
{
	Relation	rel = trigger->tg_relation;
	const Definition *definition = &entry->definition;
	int64		ahead = 0;
	int64		to;
	bool		may_raise;

	session_check(entry, "hilo_follow()");
	if (id < definition->first || id > definition->max_value ||
		definition->scattered || is_past(entry, id) ||
		(id > definition->max_value / 2 &&
		 column_is_sentinel(RelationGetRelid(rel),
							trigger->tg_trigger->tgattr[0], id,
							generator_last(entry->name, definition))))
		return;
	may_raise = privilege_may_change(entry->name, rel->rd_rel->relowner);
	if (!may_raise)
		(void) require_above(RelationGetRelid(rel), entry->name, definition, id);
	else if (passed.entry == entry && passed.lxid == MyLocalTransactionId &&
			 definition->holder != HELD_BY_NOBODY)
		ahead = Min(Max(passed.ahead * 2, definition->range_size),
					definition->max_range_size);
	if (pg_add_s64_overflow(id, ahead, &to))
		to = PG_INT64_MAX;
	passed.entry = NULL;
	/* no forced seed comes between the raise and the look at its epoch */
	session_lock(entry, "hilo_follow()");
	seed_pass(entry->name, to, may_raise);
	/* the session forgets its range, too */
	session_check(entry, "hilo_follow()");
	session_unlock(entry);
	passed.entry = entry;
	passed.lxid = MyLocalTransactionId;
	passed.incarnation = entry->incarnation;
	passed.epoch = entry->epoch;
	passed.up_to = to;
	passed.ahead = ahead;
}

/*
 * Return the name of the trigger of a table by which a generator follows a
 * column, NULL if there is none of its own.
 */
char *
follow_trigger(Oid relid, AttrNumber attnum)
{
	Relation	rel = relation_open(relid, NoLock);
	char	   *name = NULL;

	for (int i = 0; rel->trigdesc != NULL && i < rel->trigdesc->numtriggers; i++)
	{
		Trigger    *trigger = &rel->trigdesc->triggers[i];

		if (trigger->tgnattr == 1 && trigger->tgattr[0] == attnum &&
			!trigger->tgisclone &&
			strcmp(get_func_name(trigger->tgfoid), "hilo_follow") == 0 &&
			get_func_namespace(trigger->tgfoid) == catalog_public_schema())
			name = pstrdup(trigger->tgname);
	}
	relation_close(rel, NoLock);
	return name;
}
