/*
 * The ids of a column that are in use, and a generator above them.
 *
 * They are in its rows, or its sequences and generators have handed them out.
 */
#include "postgres.h"

#include "catalog/dependency.h"

#include "column/column.h"

/* the greatest number that generators of a table's shards have reserved */
typedef struct ShardLast
{
	Oid			relid;
	int64		last;
} ShardLast;

static void add_shard_last(text *name, HeapTuple tuple, void *arg);
static int64 last_of_others(const Column *column, text *name);
static void warn_of_others(const Column *column, text *name);

/*
 * Return what the column draws from in the next table above its own that has a
 * source of ids; the relid is invalid if none has.
 */
ColumnDefault
source_of_parent(const Column *column)
{
	ColumnDefault none = {0};

	foreach_oid(parent,
				list_delete_first(relation_ancestors(column->relid, NIL)))
	{
		ColumnDefault found = column_default_find(parent, column->name);

		if (found.generator != NULL || !found.draws_nothing)
			return found;
	}
	return none;
}

/*
 * Report an error if a table above the column's has a source other than the
 * generator of that folded name, or for a detach, if name is NULL, any source.
 */
void
refuse_other_parent(const Column *column, text *name)
{
	ColumnDefault found = source_of_parent(column);
	const char *call = "hilo_attach";
	char	   *table;
	const char *generator = "";

	if (!OidIsValid(found.relid))
		return;
	if (found.generator != NULL && name != NULL &&
		text_equal(found.generator, name))
		return;
	table = quote_literal_cstr(relation_name(found.relid));
	if (found.generator != NULL && name == NULL && !OidIsValid(found.sequence))
		call = "hilo_detach";
	/* two sequences can stay; a generator beside a sequence cannot */
	if (OidIsValid(found.sequence) &&
		(name == NULL || !OidIsValid(key_sequence(name))))
		generator = psprintf(", %s", table);
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("column \"%s\" of table \"%s\" gets its ids from another source in table %s",
				   column->name, get_rel_name(column->relid),
				   relation_name(found.relid)),
			errdetail("The two sources would hand out the same ids."),
			errhint("Call %s(%s, %s%s) for the parent table instead.",
					call, table, quote_literal_cstr(column->name), generator));
}

/*
 * Return the highest id in use, of those that the column can hold: in a row, or
 * handed out by its sequences, or by its generators except the one of the
 * folded name.  Report an error if a sequence does not show which ids it handed
 * out, or if too few ids are left.
 */
int64
ids_in_use(const Column *column, List *sequences, text *name)
{
	int64		last = column_sequence_last(column, sequences);
	int64		by_others = last_of_others(column, name);
	int64		before;
	int64		max;
	ShardLast	shards = {.relid = column->relid};

	last = Max(last, by_others);
	/* what its own generator handed out before Citus knew the table */
	if (citus_has_rows_of(column->relid))
	{
		own_table_each(OWN_HI, add_shard_last, &shards);
		last = Max(last, shards.last);
	}
	max = last_shown(name);
	max = column_greatest_id(column, Max(last, max));
	max = Min(Max(last, max), column->max_value);
	/* a column without a source loses no ids */
	before = max;
	if (sequences != NIL || by_others >= 0)
		before = Max(last, 0);
	seed_require_room(column->relid, column->max_value, before, max);
	if (last < 0)
		column_sequence_report(column->relid, column->name,
							   "Its sequence is below 1.");
	return max;
}

/*
 * Return the last id of a generator, 0 if there is none or if the current role
 * may not see it: a warning about ids above it would show it.
 */
int64
last_shown(text *name)
{
	Definition	definition;

	if (!definition_find(name, &definition) ||
		!privilege_may_see(name, &definition))
		return 0;
	return generator_last(name, &definition);
}

/*
 * Report an error if a sequence would be raised above the rows of other nodes,
 * whose own values of it would then be handed out again.
 */
void
sequence_refuse_citus(Oid relid, const char *column, Oid sequence)
{
	char	   *table = relation_name(relid);
	Oid			owning;
	int32		number;

	if (!citus_has_rows_of(relid))
		return;
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("sequence %s cannot follow Citus table \"%s\"",
				   relation_name(sequence), get_rel_name(relid)),
			errdetail("Each node has its own values of the sequence."),
			sequenceIsOwned(sequence, DEPENDENCY_INTERNAL, &owning, &number) ?
			errhint("Citus keeps an identity of a distributed table. To draw from a tag, create a table without identity, call hilo_attach with the tag, and distribute it.") :
			errhint("To move the column to a tag, call hilo_attach(%s, %s, %s).",
					quote_literal_cstr(table), quote_literal_cstr(column),
					quote_literal_cstr(psprintf("##%s", table))));
}

/*
 * Callback of own_table_each: add a row of hilo_hi, if it is of a shard of the
 * table.
 */
static void
add_shard_last(text *name, HeapTuple tuple, void *arg)
{
	ShardLast  *shards = arg;
	FormData_hilo_hi hi;
	Definition	definition;

	if (citus_table_of(key_relid(name)) == shards->relid &&
		store_read(name, &hi) && definition_find(name, &definition))
		shards->last = Max(shards->last,
						   hi.reserved + skip_to_come(name, &definition));
}

/* Return how many ids the next range of a generator skips after a failover. */
int64
skip_to_come(text *name, const Definition *definition)
{
	FormData_hilo_hi hi;

	if (definition->origin != FROM_ROW ||
		definition->holder == HELD_BY_TRANSACTION || RecoveryInProgress() ||
		!store_read(name, &hi))
		return 0;
	return store_skip(&hi, definition);
}

/*
 * Return the highest id that the column's generators, except the one of the
 * folded name, have handed out; -1 if there are none.  Report an error if the
 * last id of one is not its highest.  Warn if other columns use it.
 */
static int64
last_of_others(const Column *column, text *name)
{
	text	   *previous = name;
	int64		greatest = -1;

	foreach_oid(relid, column->tables)
	{
		text	   *other = column_default_find(relid, column->name).generator;
		Definition	definition;
		FormData_hilo_hi hi;
		const char *fault = NULL;
		int64		last;

		if (other == NULL || OidIsValid(key_sequence(other)) ||
			text_equal(other, name) || text_equal(other, previous))
			continue;
		previous = other;
		if (!definition_find(other, &definition))
		{
			warn_of_others(column, other);
			continue;
		}
		privilege_require_use(other, &definition);
		if (definition.scattered)
			fault = "Ids of generator \"%s\" are scattered.";
		else if (definition.origin == FROM_ORM)
			fault =
				"Generator \"%s\" shares its source with an ORM, which continues with the blocks that it has reserved.";
		if (fault != NULL)
			column_sequence_report(column->relid, column->name,
								   psprintf(fault, definition_title(other)));
		/* wait: a transaction may yet return a number of a gapless generator */
		if (store_lock(other, ShareUpdateExclusiveLock, &hi))
			unlock_generator(hi.incarnation, ShareUpdateExclusiveLock);
		last = generator_last(other, &definition) +
			skip_to_come(other, &definition);
		greatest = Max(greatest, last);
		warn_of_others(column, other);
	}
	return greatest;
}

/* Warn if other columns go on with a generator that a column leaves. */
static void
warn_of_others(const Column *column, text *name)
{
	foreach_ptr(ColumnDefault, other,
				column_default_list(name, true, InvalidOid))
	{
		if (list_member_oid(column->tables, other->relid) &&
			other->attnum == get_attnum(other->relid, column->name))
			continue;
		ereport(WARNING,
				errmsg("other columns that draw from generator \"%s\" will repeat ids of this column",
					   definition_title(name)),
				errhint("Give all of these columns one new generator, or one sequence."));
		return;
	}
}

/*
 * Create a generator above last and what other columns that draw from it hold.
 */
Definition
create_generator(const Column *column, text *name, text *written,
				 int64 last, Oid role, bool in_order, bool may_be_final)
{
	Definition	definition = definition_default(written);
	Oid			owner = role;
	List	   *others = NIL;

	if (in_order)
		definition_set_ordering(&definition, "global");
	/* its source may be missing, too: the user has to define it again */
	if (store_is_incomplete(name))
		definition_report_incomplete(name);
	definition_fit_column(column, &definition);
	if (key_is_relation(name))
	{
		owner = relation_owner(definition.table);
		/* beside the stream of another table it would be a second one */
		if (definition.table != column->relid)
		{
			name_refuse_other_stream(definition.table);
			name_require_id_column(definition.table);
		}
		name_require_generator_table(definition.table);
		relation_require_kind(definition.table, true, false, GetUserId());
		name_refuse_tag_of_same_name(definition.table);
	}
	else
	{
		/* a column may draw server-side ids, but not hilo's internal ones */
		definition_require_unreserved(name, definition_is_internal(name) ?
									  InvalidOid : role);
		privilege_require_create(name, role);
	}
	if (key_is_relation(name) && definition.table != column->relid)
		others = first_use_columns(name);
	else if (!column->is_sole_column)
		others = column_default_list(name, false, owner);
	foreach_ptr(ColumnDefault, other, others)
	{
		if (get_rel_relkind(other->relid) != RELKIND_VIEW)
			first_use_fit(other, &definition, &last);
	}
	generator_create(name, &definition, role, last, may_be_final);
	return definition;
}
