/*
 * Columns whose ids are followed: what they draw from stays above the ids that
 * rows bring along.
 *
 * A trigger looks at each id that has come into the table.  A sequence goes up
 * to the id in place (follow_sequence.c).  If all ids of a generator are drawn
 * from one window, the window's word goes up to the id.  Any other generator is
 * raised by each id that it could still hand out, like by a resync.  Either way
 * the WAL record of that lies before the commit of the row, and a rollback does
 * not undo it.
 *
 * The trigger fires for replication, too, which it never stops.
 */
#include "postgres.h"

#include "access/relation.h"
#include "executor/spi.h"
#include "replication/logicalworker.h"

#include "follow/followed.h"

PG_FUNCTION_INFO_V1(hilo_follow);

/* A column that a trigger watches, as this session knows it. */
typedef struct Followed
{
	Oid			trigger;		/* hash key */
	AttrNumber	attnum;
	Oid			type;			/* below a domain */
	FollowedSequence sequence;	/* that the column draws from, if any */
	SessionEntry *entry;		/* else of its generator; NULL: it has none */
	bool		may_raise;		/* the table's owner may: follow_id saw it */
	int64		far;			/* that the generator jumps to at the commit */
	Moment		far_at;
	List	   *tables;			/* OIDs: the table, and ancestors that were
								 * asked for a source */
	uint64		generation;		/* generator_changes then; 0: look again */
	uint64		as_of;			/* relation_changes up to which no default of
								 * theirs has changed */
} Followed;

/* The arguments of follow_id. */
typedef struct BroughtId
{
	Oid			relid;			/* the table */
	Followed   *followed;
	int64		id;
} BroughtId;

static Followed *find_followed(FunctionCallInfo fcinfo);
static void look_up_followed(Followed *followed, Oid relid,
							 const Trigger *trigger);
static bool has_changed(Followed *followed);
static SessionEntry *entry_to_follow(const Trigger *trigger,
									 const ColumnDefault *source,
									 List *tables);
static bool brought_id(const TriggerData *trigger, const Followed *followed,
					   int64 *id);
static bool id_of_row(const TriggerData *trigger, const Followed *followed,
					  HeapTuple row, int64 *id);
static bool skip_in_known_window(const Followed *followed, int64 id);
static void follow_or_warn(BroughtId *brought);
static void follow_id(void *arg);
static bool is_kept_back(const BroughtId *brought);

Datum
hilo_follow(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	Followed   *followed = find_followed(fcinfo);
	BroughtId	brought = {.followed = followed};

	if (!brought_id(trigger, followed, &brought.id))
		return PointerGetDatum(NULL);
	if (OidIsValid(followed->sequence.relid))
	{
		if (!sequence_has_passed(&followed->sequence, brought.id))
			follow_sequence(&followed->sequence, brought.id);
		return PointerGetDatum(NULL);
	}
	if (followed->entry == NULL || skip_in_known_window(followed, brought.id))
		return PointerGetDatum(NULL);
	brought.relid = RelationGetRelid(trigger->tg_relation);
	if (IsLogicalWorker())
		follow_or_warn(&brought);
	else
		follow_id(&brought);
	return PointerGetDatum(NULL);
}

/* Return what a trigger watches, looked up again if that may have changed. */
static Followed *
find_followed(FunctionCallInfo fcinfo)
{
	static HTAB *triggers = NULL;
	HASHCTL		ctl = {.keysize = sizeof(Oid),.entrysize = sizeof(Followed)};
	TriggerData *data = (TriggerData *) fcinfo->context;
	Followed   *followed = fcinfo->flinfo->fn_extra;
	bool		is_known;

	/* a statement has a call of its own for each trigger */
	if (followed != NULL && !has_changed(followed))
		return followed;
	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_AFTER(data->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(data->tg_event) ||
		data->tg_trigger->tgnargs != FOLLOW_ARGUMENTS)
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
	fcinfo->flinfo->fn_extra = followed;
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
	uint64		generation = generator_changes;
	uint64		as_of = relation_changes;
	List	   *tables = NIL;
	MemoryContext before;

	followed->generation = 0;
	followed->entry = NULL;
	followed->sequence.relid = InvalidOid;
	followed->may_raise = false;
	followed->far_at.transaction = InvalidLocalTransactionId;
	followed->attnum = follow_column(relid, trigger);
	if (followed->attnum != InvalidAttrNumber)
	{
		ColumnDefault source =
			stream_of_column(relid, trigger->tgargs[FOLLOW_COLUMN], &tables);

		followed->type = getBaseType(get_atttype(relid, followed->attnum));
		if (OidIsValid(source.sequence))
			follow_sequence_look_up(&followed->sequence, source.sequence,
									relid, followed->attnum);
		else
			followed->entry = entry_to_follow(trigger, &source, tables);
	}
	list_free(followed->tables);
	before = MemoryContextSwitchTo(TopMemoryContext);
	followed->tables = list_append_unique_oid(list_copy(tables), relid);
	MemoryContextSwitchTo(before);
	followed->as_of = as_of;
	followed->generation = generation;
}

/* Check whether what is known of a column may have changed. */
static bool
has_changed(Followed *followed)
{
	if (followed->generation != generator_changes)
		return true;
	if (followed->as_of == relation_changes)
		return false;
	foreach_oid(relid, relations_changed_since(followed->as_of))
	{
		if (!OidIsValid(relid) || list_member_oid(followed->tables, relid))
			return true;
	}
	followed->as_of = relation_changes;
	return false;
}

/*
 * Return the entry of the column's generator.  If the column does not draw any
 * more, but is the key of a table with its own generator, return that one,
 * unless the trigger names a tag.
 */
static SessionEntry *
entry_to_follow(const Trigger *trigger, const ColumnDefault *source,
				List *tables)
{
	text	   *generator = source->written;

	if (generator != NULL && !key_is_relation(generator))
		return session_tag_entry(PointerGetDatum(generator));
	if (generator != NULL)
		return session_entry_of(generator, generator);
	if (trigger->tgargs[FOLLOW_TAG][0] != '\0')
		return NULL;
	foreach_oid(table, tables)
	{
		text	   *key = key_of_relation(table);
		AttrNumber	column = get_attnum(table, trigger->tgargs[FOLLOW_COLUMN]);

		if (column != InvalidAttrNumber && definition_exists(key) &&
			column == relation_integer_key(table))
			return session_entry_of(key, key);
	}
	return NULL;
}

/*
 * Get the id that the trigger's row brings; false if it has none that fits a
 * bigint, or if an update leaves it as it is.
 */
static bool
brought_id(const TriggerData *trigger, const Followed *followed, int64 *id)
{
	int64		before;

	if (followed->attnum == InvalidAttrNumber)
		return false;
	if (!TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
		return id_of_row(trigger, followed, trigger->tg_trigtuple, id);
	if (!id_of_row(trigger, followed, trigger->tg_newtuple, id))
		return false;
	return !id_of_row(trigger, followed, trigger->tg_trigtuple, &before) ||
		*id != before;
}

static bool
id_of_row(const TriggerData *trigger, const Followed *followed, HeapTuple row,
		  int64 *id)
{
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

/* Do as follow_id, but report a failure to the log: replication goes on. */
static void
follow_or_warn(BroughtId *brought)
{
	ErrorData  *error = run_in_subxact(follow_id, brought);

	if (error != NULL)
		ereport(WARNING,
				errcode(error->sqlerrcode),
				errmsg_internal("%s", error->message),
				errdetail("The generator does not follow id %lld of table \"%s\".",
						  (long long) brought->id,
						  get_rel_name(brought->relid)));
}

/*
 * Let no id up to one that a row of the table brings be handed out; also a
 * callback of run_in_subxact.
 */
static void
follow_id(void *arg)
{
	BroughtId  *brought = arg;
	Followed   *followed = brought->followed;
	Oid			relid = brought->relid;
	int64		id = brought->id;
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
	followed->may_raise = privilege_may_change(entry->name,
											   relation_owner(relid));
	if (is_kept_back(brought))
		return;
	if (followed->may_raise && window_skip_to(entry, id))
		return;
	/* ids come from several ranges or another source, or max_value is near */
	while (!session_lock(entry, RowExclusiveLock, false))
		session_revalidate(entry);
	if (followed->may_raise)
		skip_up_to(entry->name, id, true);
	else
		(void) seed_above_table(relid, entry->name, definition, id);
	unlock_generator(entry->incarnation, RowExclusiveLock);
}

/*
 * Check whether an id must not raise the generator yet, because its row may be
 * rolled back.  An id near the end of the type is ignored, with a warning, and
 * a far jump is made at the commit.
 */
static bool
is_kept_back(const BroughtId *brought)
{
	Followed   *followed = brought->followed;
	SessionEntry *entry = followed->entry;
	SequencePass pass = {.id = brought->id,.end = entry->definition.max_value};

	/* further rows of a load that begins far above the generator */
	if (pass.id < followed->far || pass.id > pass.end - pass.end / 10 ||
		!is_now(followed->far_at))
	{
		pass.last = generator_last(entry->name, &entry->definition);
		if (pass.id > pass.end / 2 &&
			column_is_sentinel(brought->relid, followed->attnum, pass.id,
							   pass.last, GENERATOR_SEED_HINT))
			return true;
		/* a rollback lowers a gapless one */
		if (!followed->may_raise ||
			entry->definition.origin != FROM_ROW ||
			entry->definition.holder == HELD_BY_TRANSACTION ||
			!sequence_is_far(&pass))
			return false;
	}
	follow_at_commit(InvalidOid, entry, pass.id);
	followed->far = pass.id;
	followed->far_at = this_moment();
	return true;
}
