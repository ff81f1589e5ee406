/*
 * Columns that are put on a generator, and raise it.
 *
 * The tables are locked so that no writer is left: then the greatest value of
 * the column is all there is to know of the ids in use, besides what the
 * sequences and the generator of the old default have handed out.
 */
#include "postgres.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_attach);

static text *generator_for(const Column *column);
static void refuse_default(const Column *column, List *drawn);
static void warn_of_order(text *name, text *written);
static bool follows_by_default(text *name, const Definition *definition,
							   Oid owner);
static void share_generator(const Column *column, text *name,
							const Definition *before, int64 last, bool follow);
static int64 end_of(const Column *column, text *name,
					const Definition *definition);

/*
 * hilo_attach(rel, col, generator, follow): has what a column draws from follow
 * the ids in its rows.  With a generator, created or shared, or for a column
 * that draws from nothing, it makes a generator the source of the ids.  That
 * continues above all ids in use.
 */
Datum
hilo_attach(PG_FUNCTION_ARGS)
{
	Column		column;
	text	   *name = NULL;
	text	   *written = NULL;
	Follow		follow = FOLLOW_BY_DEFAULT;

	column_require_argument(fcinfo, "hilo_attach()");
	if (!PG_ARGISNULL(3))
		follow = PG_GETARG_BOOL(3) ? FOLLOW_YES : FOLLOW_NO;
	if (PG_ARGISNULL(2) &&
		sequence_attach(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)), follow))
		PG_RETURN_VOID();
	column = column_argument(fcinfo, "hilo_attach()", AccessExclusiveLock);
	if (!PG_ARGISNULL(2))
	{
		name = name_of_generator(PG_GETARG_TEXT_PP(2), NAME_TO_CREATE);
		/* a table without a key has a generator for this column, too */
		if (!generator_has_rows(name) &&
			name_find_table(PG_GETARG_TEXT_PP(2)) == column.relid)
			name = key_of_relation(column.relid);
		written = definition_unmarked(PG_GETARG_TEXT_PP(2));
	}
	column_attach(&column, name, written, follow);
	PG_RETURN_VOID();
}

/*
 * Put a column, whose tables are locked, on a generator; without a name, on the
 * one that it has, or that of the table which it is a part of, or its table's
 * own.
 */
void
column_attach(const Column *column, text *name, text *written, Follow follow)
{
	Oid			owner = relation_owner(column->relid);
	Oid			creator = owner;
	bool		is_given = name != NULL;
	bool		is_for_citus;
	bool		in_order = false;
	bool		is_new;
	List	   *drawn;
	List	   *owned;
	OrmSource	source = {0};
	Definition	definition;
	int64		last;

	column_require_number(column->relid, column->attnum, TEXT_IDS_HINT);
	column_refuse_numbered(column->relid, column->name);
	if (!is_given)
	{
		written = generator_for(column);
		name = definition_fold_name(written);
	}
	else if (DatabaseCreate(owner) != ACLCHECK_OK)
		creator = GetUserId();
	if (key_is_relation(name))
		written = name;
	refuse_other_parent(column, name);
	is_for_citus = !key_is_relation(name) &&
		citus_may_distribute(column->relid);

	/* an ORM goes on to call a sequence that the generator has adopted */
	(void) orm_source_find(name, &source);
	drawn = column_sequence_list(column, false);
	owned = column_sequence_list(column, true);
	if (!is_given)
		refuse_default(column, drawn);
	column_sequence_refuse_programs(column, drawn, owned);
	/* ids of a sequence without a cache rise across all sessions */
	foreach_oid(sequence, drawn)
		in_order |= !is_for_citus && sequence_form(sequence).seqcache == 1;
	last = ids_in_use(column, list_delete_oid(owned, source.relid), name);

	/* a DROP of its table waits for the lock of the table, then of the name */
	if (key_is_relation(name) && !definition_exists(name))
		name_lock_owned_table(key_relid(name));

	/*
	 * Hold the name until commit.  The default keeps the generator from being
	 * dropped, but other sessions do not see it before.
	 */
	lock_name(name);
	is_new = !definition_find(name, &definition);
	if (is_new)
		definition = create_generator(column, name, written, last, creator,
									  in_order || follow == FOLLOW_YES ||
									  (follow == FOLLOW_BY_DEFAULT && !is_for_citus),
									  false);
	/* Citus distributes no table with a trigger */
	if (follow == FOLLOW_BY_DEFAULT &&
		(!follows_by_default(name, &definition, owner) || is_for_citus))
		follow = FOLLOW_NO;
	if (follow == FOLLOW_YES)
		follow_require_own_ids(name, &definition);
	if (!is_new)
		share_generator(column, name, &definition, last, follow == FOLLOW_YES);
	if (in_order && follow != FOLLOW_YES &&
		strcmp(definition_ordering(&definition), "session") == 0)
		warn_of_order(name, written);
	/* that role draws, but may lack the right to create such a tag */
	if (is_new && !privilege_may_change(name, owner))
		generator_grant(name, owner, true);

	column_sequence_drop(column, drawn, true);
	column_set_default("", column->relid, column->name, written);
	column_sequence_drop(column, list_delete_oid(drawn, source.relid), false);
	column_follow(column, written, follow);
}

/*
 * Report an error if a default would be lost that the caller has not given up:
 * only a generator that is named replaces it.
 */
static void
refuse_default(const Column *column, List *drawn)
{
	ColumnDefault found = column_default_find(column->relid, column->name);
	char	   *table = relation_name(column->relid);

	if (found.written != NULL ||
		(drawn == NIL && !relation_has_default(column->relid, column->attnum)))
		return;
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("column \"%s\" of table \"%s\", or of a table that inherits it, has another default",
				   column->name, get_rel_name(column->relid)),
			errhint("Drop that default with ALTER TABLE. Or name the generator that replaces it, as in hilo_attach(%s, %s, %s).",
					quote_literal_cstr(table),
					quote_literal_cstr(column->name),
					quote_literal_cstr(table)));
}

/*
 * Return the generator for a column: the one that it has, or that of the table
 * which it is a part of, or its table's own; or a tag if another column has
 * that one, or for Citus.
 */
static text *
generator_for(const Column *column)
{
	Oid			relid = column->relid;
	text	   *found = column_default_find(relid, column->name).written;
	text	   *key = key_of_relation(relid);

	if (found == NULL)
		found = source_of_parent(column).written;
	if (found != NULL &&
		(!text_equal(found, key) || !citus_has_rows_of(relid)))
		return found;
	/* Citus distributes no table with a default that names it by OID */
	if (citus_may_distribute(relid))
		key = cstring_to_text(relation_name(relid));
	foreach_ptr(ColumnDefault, other,
				column_default_of_table(relid, 0, definition_fold_name(key)))
	{
		if (other->attnum != column->attnum)
			return cstring_to_text(psprintf("%s.%s", relation_name(relid),
											column->name));
	}
	return key;
}

static void
warn_of_order(text *name, text *written)
{
	text	   *shown = name_shown(name, written);

	ereport(NOTICE,
			errmsg("ids rise within each session, but no longer across all sessions"),
			errhint("If a queue or journal is read in the order of ids, run hilo_alter(%s, 'global').",
					quote_literal_cstr(text_to_cstring(shown))));
}

/*
 * Check whether a generator follows a column if the caller does not decide: if
 * its ids are its own, all from one window, and the owner of the column's table
 * may raise it.  Say so if only its ordering keeps it from that.
 */
static bool
follows_by_default(text *name, const Definition *definition, Oid owner)
{
	if (definition->origin != FROM_ROW ||
		definition->scattered ||
		!privilege_may_change(name, owner))
		return false;
	if (definition->holder == HELD_BY_SESSION)
		ereport(NOTICE,
				errmsg("generator \"%s\" does not follow the ids that rows bring",
					   definition_title(name)),
				errdetail("Its ordering is \"session\"."),
				errhint("Run hilo_resync after an import. Or call hilo_attach with follow => true: then it becomes \"global\", and follows them."));
	return definition->holder == HELD_BY_SERVER;
}

/*
 * Fit an existing generator to the column: its limits, and, if it is to follow
 * the column, its order.  If anything must change, the caller needs the right
 * to alter the generator; for limits the table's owner needs it, too.
 */
static void
share_generator(const Column *column, text *name, const Definition *before,
				int64 last, bool follow)
{
	Definition	definition = *before;

	privilege_require_use(name, before);
	definition_refuse_scattered(before, name);
	privilege_require_draw(name, column->relid);

	definition.max_value = end_of(column, name, before);
	if (definition.max_value > before->max_value)
		ereport(NOTICE,
				errmsg("generator \"%s\" now ends at %lld, like the column",
					   definition_title(name),
					   (long long) definition.max_value));
	if (definition.max_value != before->max_value)
		seed_require_table_owner(column->relid, name,
								 "Its owner can lower max_value with hilo_alter to the end of the column's type.");
	if (follow && before->holder == HELD_BY_SESSION &&
		before->origin == FROM_ROW)
		definition_set_ordering(&definition, "global");
	if (definition.max_value != before->max_value ||
		definition.holder != before->holder)
	{
		privilege_require_owner(name);
		generator_change(name, before, &definition);
	}

	if (last > generator_last(name, &definition))
		(void) seed_above_table(column->relid, name, &definition, last);
	skip_up_to(name, last, false);
	citus_recall(name, true);
}

/*
 * Return where a generator is to end: where the column does, or earlier, as
 * before.  If it ended with a type of integers, and all columns that draw from
 * it have been widened since, it ends with the narrowest of them.
 */
static int64
end_of(const Column *column, text *name, const Definition *definition)
{
	int64		before = definition->max_value;
	int64		end = column->max_value;
	bool		is_drawn;

	if (before >= end)
		return end;
	if (definition->origin != FROM_ROW ||
		(before != PG_INT16_MAX && before != PG_INT32_MAX) ||
		!privilege_may_change(name, relation_owner(column->relid)))
		return before;
	/* a new column may have taken the place of the one that drew */
	is_drawn = key_relid(name) == column->relid &&
		generator_last(name, definition) > 0;
	foreach_ptr(ColumnDefault, other,
				column_default_list(name, false, InvalidOid))
	{
		is_drawn |= other->relid == column->relid &&
			other->attnum == column->attnum;
		end = Min(end, column_type_max(other->relid, other->attnum));
	}
	return is_drawn ? Max(end, before) : before;
}
