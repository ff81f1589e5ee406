/*
 * Columns that are put on a generator, and taken off it.
 *
 * The tables are locked so that no writer is left: then the greatest value of
 * the column is all there is to know of the ids in use, besides what the
 * sequences and the generator of the old default have handed out.
 */
#include "postgres.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_attach);
PG_FUNCTION_INFO_V1(hilo_detach);
PG_FUNCTION_INFO_V1(hilo_resync);
PG_FUNCTION_INFO_V1(hilo_try_resync);

/* the greatest number that generators of a table's shards have reserved */
typedef struct ShardLast
{
	Oid			relid;
	int64		last;
} ShardLast;

static ColumnDefault source_of_parent(const Column *column);
static void refuse_other_parent(const Column *column, text *name);
static text *generator_for(const Column *column);
static int64 ids_in_use(const Column *column, List *sequences, text *name);
static int64 last_shown(text *name);
static void add_shard_last(text *name, HeapTuple tuple, void *arg);
static int64 last_of_others(const Column *column, text *name);
static void warn_of_others(const Column *column, text *name);
static void warn_of_order(text *name, text *written);
static void grant_to_users(text *name, Oid owner, List *drawn, bool is_new);
static Definition create_generator(const Column *column, text *name,
								   text *written, int64 last, Oid role,
								   bool in_order);
static bool follows_by_default(text *name, const Definition *definition,
							   Oid owner);
static void share_generator(const Column *column, text *name,
							const Definition *before, int64 last, bool follow);
static int64 end_of(const Column *column, text *name,
					const Definition *definition);
static List *generators_of(const Column *column);
static int64 resync_column(const Column *column);
static int64 resync_generator(Column column, text *written);
static void try_resync(void *arg);

/*
 * hilo_attach(rel, col, generator, follow): makes a generator, created or
 * shared, the source of the column's ids.  It continues above all ids in use,
 * and above those that rows bring later, if it follows them.  Roles that could
 * use the column's sequences may use the generator.
 */
Datum
hilo_attach(PG_FUNCTION_ARGS)
{
	Column		column = column_argument(fcinfo, "hilo_attach()",
										 AccessExclusiveLock);
	text	   *name = NULL;
	text	   *written = NULL;
	Follow		follow = FOLLOW_BY_DEFAULT;

	if (!PG_ARGISNULL(2))
	{
		name = name_of_generator(PG_GETARG_TEXT_PP(2), NAME_CREATES);
		written = definition_unmarked(PG_GETARG_TEXT_PP(2));
	}
	if (!PG_ARGISNULL(3))
		follow = PG_GETARG_BOOL(3) ? FOLLOW_YES : FOLLOW_NO;
	column_attach(&column, name, written, follow);
	PG_RETURN_VOID();
}

/* Lock the table in the first argument, of the column in the second. */
Column
column_argument(FunctionCallInfo fcinfo, const char *function,
				LOCKMODE lockmode)
{
	require_writable(function);
	argument_require(fcinfo, 0, "table");
	argument_require(fcinfo, 1, "column");
	return column_lock(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)), lockmode);
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
	bool		is_shared;
	bool		is_distributed = citus_has_rows_of(column->relid);
	bool		in_order = false;
	bool		is_new;
	List	   *drawn;
	OrmSource	source = {0};
	Definition	definition;
	int64		last;

	column_require_number(column->relid, column->attnum,
						  "For text ids, set a default such as hilo_next_id('users') with ALTER TABLE.");
	if (!is_given)
	{
		written = generator_for(column);
		name = definition_name(written);
	}
	else if (DatabaseCreate(owner) != ACLCHECK_OK)
		creator = GetUserId();
	if (definition_is_table(name))
		written = name;
	refuse_other_parent(column, name);
	/* later, other columns may draw from a generator with another name */
	is_shared = is_given && definition_table(name) != column->relid &&
		pg_strcasecmp(text_to_cstring(written),
					  get_rel_name(column->relid)) != 0;

	/* an ORM goes on to call a sequence that the generator has adopted */
	(void) orm_source_find(name, &source);
	drawn = column_sequence_list(column, false);
	column_sequence_refuse_programs(column, drawn);
	/* ids of a sequence without a cache rise across all sessions */
	foreach_oid(sequence, drawn)
		in_order |= !is_distributed && sequence_form(sequence).seqcache == 1;
	last = ids_in_use(column,
					  list_delete_oid(column_sequence_list(column, true),
									  source.relid), name);
	if (follow == FOLLOW_BY_DEFAULT && is_distributed)
		follow = FOLLOW_NO;

	/*
	 * Hold the name until commit.  The default keeps the generator from being
	 * dropped, but other sessions do not see it before.
	 */
	lock_name(name);
	is_new = !definition_find(name, &definition);
	if (is_new)
		definition = create_generator(column, name, written, last, creator,
									  in_order || follow != FOLLOW_NO);
	if (follow == FOLLOW_BY_DEFAULT &&
		!follows_by_default(name, &definition, owner))
		follow = FOLLOW_NO;
	if (follow == FOLLOW_YES)
		follow_require_own_ids(name, &definition);
	if (!is_new)
		share_generator(column, name, &definition, last, follow == FOLLOW_YES);
	if (in_order && follow != FOLLOW_YES &&
		strcmp(definition_ordering(&definition), "session") == 0)
		warn_of_order(name, written);
	grant_to_users(name, owner, drawn, is_new);

	drawn = list_delete_oid(drawn, source.relid);
	if (definition.origin != FROM_ORM)
		taken_warn(column);
	taken_keep(column, drawn);
	column_sequence_drop_identity(column);
	column_set_default("", column->relid, column->name, written);
	column_sequence_drop(drawn, owner, is_shared);
	column_follow(column, written, follow);
}

/*
 * Make a sequence the source of a column's ids again, as it was; the generator
 * stays.
 */
Datum
hilo_detach(PG_FUNCTION_ARGS)
{
	Column		column = column_argument(fcinfo, "hilo_detach()",
										 AccessExclusiveLock);
	text	   *none = cstring_to_text("");
	ColumnDefault *found;
	int64		last;

	found = linitial(generators_of(&column));
	column_require_number(column.relid, column.attnum,
						  psprintf("Run ALTER TABLE %s ALTER %s DROP DEFAULT.",
								   relation_name(column.relid),
								   quote_identifier(column.name)));
	refuse_other_parent(&column, NULL);
	last = ids_in_use(&column, column_sequence_list(&column, true), none);
	taken_give_back(&column, definition_name(found->generator), last);
	column_follow(&column, NULL, FOLLOW_NO);
	PG_RETURN_VOID();
}

/*
 * hilo_resync(rel, col): raises each generator of a column to what the column
 * holds, or creates it, and returns the greatest last id.  Waits for the
 * writers of the table, and lets them go on when it is done.  Raises a
 * generator only if the table's owner could do so, because that role decides
 * what the column holds and what its default is.
 */
Datum
hilo_resync(PG_FUNCTION_ARGS)
{
	Column		column = column_argument(fcinfo, "hilo_resync()", ShareLock);

	PG_RETURN_INT64(resync_column(&column));
}

/* Raise all generators of a column, or the one that the caller has set. */
static int64
resync_column(const Column *column)
{
	int64		greatest = PG_INT64_MIN;

	foreach_ptr(ColumnDefault, source, generators_of(column))
	{
		int64		last;

		if (column->generator != NULL &&
			!text_equal(source->folded, column->generator))
			continue;
		last = resync_generator(*column, source->generator);
		greatest = Max(greatest, last);
	}
	column_unlock(column, ShareLock);
	return greatest;
}

/* Raise one generator of a column, and return its last id. */
static int64
resync_generator(Column column, text *written)
{
	text	   *name = definition_name(written);
	Definition	definition;
	int64		last;

	column.generator = name;
	last = column_max(&column, last_shown(name));
	if (!definition_find(name, &definition))
	{
		if (!definition_is_table(name))
			name_refuse_table_beside(name);
		lock_name(name);
		if (!definition_find(name, &definition))
			definition = create_generator(&column, name, written, last,
										  relation_owner(column.relid), false);
		/* generator_create has locked it once more, to the transaction's end */
		unlock_name(name);
	}
	definition_refuse_scattered(&definition, name);
	/* the column may end first */
	column_fit(&column, &definition);
	return seed_above_table(column.relid, name, &definition, last);
}

/*
 * Resync one generator for hilo_resync_all; null, with a warning, if that
 * fails.
 */
Datum
hilo_try_resync(PG_FUNCTION_ARGS)
{
	char	   *table;
	ErrorData  *error;

	require_writable("hilo_resync_all()");
	error = run_in_subxact(try_resync, fcinfo);
	if (error == NULL)
		return PG_GETARG_DATUM(0);
	table = get_rel_name(PG_GETARG_OID(0));
	if (table != NULL)
		ereport(WARNING,
				errmsg("skipping column \"%s\" of table \"%s\": %s",
					   NameStr(*PG_GETARG_NAME(1)), table, error->message));
	PG_RETURN_NULL();
}

/*
 * callback of run_in_subxact, which puts the result in place of the first
 * argument
 */
static void
try_resync(void *arg)
{
	FunctionCallInfo fcinfo = arg;
	Column		column = {
		.relid = PG_GETARG_OID(0),.name = NameStr(*PG_GETARG_NAME(1)),
		.generator = PG_GETARG_TEXT_PP(2),.known = column_known(fcinfo),
		.lockmode = ShareLock
	};

	lock_limit_waits();
	relation_require_kind(column.relid, true, false, GetUserId());
	column = column_look(column, 0);
	fcinfo->args[0].value = Int64GetDatum(resync_column(&column));
}

/*
 * Return what the column draws from in the next table above its own that has a
 * source of ids; the relid is invalid if none has.
 */
static ColumnDefault
source_of_parent(const Column *column)
{
	ColumnDefault none = {0};

	foreach_oid(parent,
				list_delete_first(relation_ancestors(column->relid, NIL)))
	{
		ColumnDefault found = column_default_find(parent, column->name);

		if (found.folded != NULL || !found.is_constant ||
			sequence_owned(parent, found.attnum, false) != NIL)
			return found;
	}
	return none;
}

/*
 * Report an error if a table above the column's has a source other than the
 * generator of that folded name, or for a detach, if name is NULL, any source.
 */
static void
refuse_other_parent(const Column *column, text *name)
{
	ColumnDefault found = source_of_parent(column);
	const char *call = "hilo_attach";

	if (!OidIsValid(found.relid))
		return;
	if (found.folded != NULL && name != NULL && text_equal(found.folded, name))
		return;
	if (found.folded != NULL && name == NULL)
		call = "hilo_detach";
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("column \"%s\" of table \"%s\" gets its ids from another source in table %s",
				   column->name, get_rel_name(column->relid),
				   relation_name(found.relid)),
			errdetail("The two sources would hand out the same ids."),
			errhint("Call %s(%s, %s) for the parent table instead.",
					call, quote_literal_cstr(relation_name(found.relid)),
					quote_literal_cstr(column->name)));
}

/*
 * Return the generator for a column: the one that it has, or that of the table
 * which it is a part of, or its table's own; or a tag if another column has
 * that one.
 */
static text *
generator_for(const Column *column)
{
	Oid			relid = column->relid;
	text	   *found = column_default_find(relid, column->name).generator;
	text	   *key = definition_of_table(relid);

	if (found == NULL)
		found = source_of_parent(column).generator;
	/* Citus distributes no table with a default that names it by OID */
	if (citus_has_rows_of(relid) && (found == NULL || text_equal(found, key)))
	{
		/* without this right, a tag begins with the name and schema */
		if (DatabaseCreate(relation_owner(relid)) != ACLCHECK_OK)
			return cstring_to_text(relation_name(relid));
		return cstring_to_text(get_rel_name(relid));
	}
	if (found != NULL)
		return found;
	foreach_ptr(ColumnDefault, other, column_default_of_table(relid, 0, key))
	{
		if (other->attnum != column->attnum)
			return cstring_to_text(psprintf("%s.%s", relation_name(relid),
											column->name));
	}
	return key;
}

/*
 * Return the highest id in use, of those that the column can hold: in a row, or
 * handed out by its sequences, or by its generators except the one of the
 * folded name.  Report an error if a sequence does not show which ids it handed
 * out, or if too few ids are left.
 */
static int64
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
	max = column_max(column, Max(last, max));
	max = Min(Max(last, max), column->max_value);
	/* a column without a source loses no ids */
	before = max;
	if (sequences != NIL || by_others >= 0)
		before = Max(last, 0);
	seed_require_room(column->relid, column->max_value, before, max);
	if (last < 0)
		column_sequence_refuse(column->relid, column->name,
							   "Its sequence is below 1.");
	return max;
}

/*
 * Return the last id of a generator, 0 if there is none or if the current role
 * may not see it: a warning about ids above it would show it.
 */
static int64
last_shown(text *name)
{
	Definition	definition;

	if (!definition_find(name, &definition) ||
		!privilege_may_see(name, &definition, GetUserId()))
		return 0;
	return generator_last(name, &definition);
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

	if (citus_table_of(definition_table(name)) == shards->relid &&
		store_read(name, &hi))
		shards->last = Max(shards->last, hi.reserved);
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
		text	   *other = column_default_find(relid, column->name).folded;
		Definition	definition;
		FormData_hilo_hi hi;
		const char *fault = NULL;
		int64		last;

		if (other == NULL || text_equal(other, name) ||
			text_equal(other, previous))
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
			column_sequence_refuse(column->relid, column->name,
								   psprintf(fault, definition_title(other)));
		/* wait: a transaction may yet return a number of a gapless generator */
		if (store_lock(other, ShareUpdateExclusiveLock, &hi))
			unlock_generator(hi.incarnation, ShareUpdateExclusiveLock);
		last = generator_last(other, &definition);
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
 * Grant a generator to the roles that may use the sequences, if the owner of
 * the table may do so or the generator is new.  That owner draws from it, but
 * may lack the right to create a tag of that name.
 */
static void
grant_to_users(text *name, Oid owner, List *drawn, bool is_new)
{
	if (!privilege_may_change(name, owner))
	{
		if (!is_new)
			return;
		generator_grant(name, owner, true);
	}
	foreach_oid(sequence, drawn)
	{
		foreach_oid(role, relation_grantees(sequence, ACL_USAGE | ACL_UPDATE))
		{
			if (role != privilege_owner(name))
				generator_grant(name, role, true);
		}
	}
}

/*
 * Create a generator above last and what other columns that draw from it hold.
 */
static Definition
create_generator(const Column *column, text *name, text *written,
				 int64 last, Oid role, bool in_order)
{
	Definition	definition = definition_default(written);
	Oid			owner = role;

	if (in_order)
		definition_set_ordering(&definition, "global");
	/* its source may be missing, too: the user has to define it again */
	if (store_is_incomplete(name))
		definition_refuse_incomplete(name);
	column_fit(column, &definition);
	if (definition_is_table(name))
	{
		owner = relation_owner(definition.table);
		name_require_table(definition.table);
		relation_require_kind(definition.table, true, false, GetUserId());
		name_refuse_tag_beside(definition.table);
	}
	else
	{
		/* a column may draw server-side ids, but not hilo's internal ones */
		definition_require_name(name, definition_is_internal(name) ?
								InvalidOid : role);
		privilege_require_create(name, role);
	}
	foreach_ptr(ColumnDefault, other, column_default_list(name, false, owner))
	{
		if (get_rel_relkind(other->relid) != RELKIND_VIEW)
			first_use_fit(other, &definition, &last);
	}
	generator_create(name, &definition, role, last);
	return definition;
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
				errhint("With follow => true it becomes \"global\", and follows them."));
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
	if (column_generator_is_foreign(column->relid, name))
		ereport(privilege_may_change(name, GetUserId()) ? WARNING : ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("generator \"%s\" belongs to a role without the rights of the owner of table \"%s\"",
					   definition_title(name), get_rel_name(column->relid)),
				errdetail("That role could drop the generator, or set it back so that its ids repeat. INSERT fails unless that role has granted the generator by name to the table's owner."),
				errhint("Use another generator, or give this one to the table's owner with hilo_alter if no other column draws from it."));

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
	bool		is_drawn = false;

	if (before >= end)
		return end;
	if (definition->origin != FROM_ROW ||
		(before != PG_INT16_MAX && before != PG_INT32_MAX) ||
		!privilege_may_change(name, relation_owner(column->relid)))
		return before;
	foreach_ptr(ColumnDefault, other,
				column_default_list(name, false, InvalidOid))
	{
		is_drawn |= other->relid == column->relid &&
			other->attnum == column->attnum;
		end = Min(end, column_type_max(other->relid, other->attnum));
	}
	return is_drawn ? Max(end, before) : before;
}

/*
 * Make a column draw from a generator; with "ONLY ", not in what inherits it.
 */
void
column_set_default(const char *only, Oid relid, const char *name,
				   text *generator)
{
	const char *schema = get_namespace_name(catalog_public_schema());
	const char *function = "hilo_next_tag";
	const char *type = "text";
	const char *argument = text_to_cstring(generator);

	if (definition_is_table(generator))
	{
		function = "hilo_next";
		type = "regclass";
		argument = relation_name(definition_table(generator));
	}

	/* the event trigger of join.c need not look at the rows again */
	join_is_on = false;
	PG_TRY();
	{
		relation_run(psprintf("ALTER TABLE %s%s ALTER COLUMN %s SET DEFAULT %s(%s::pg_catalog.%s)",
							  only, relation_name(relid),
							  quote_identifier(name),
							  quote_qualified_identifier(schema, function),
							  quote_literal_cstr(argument), type));
	}
	PG_FINALLY();
	{
		join_is_on = true;
	}
	PG_END_TRY();
	if (column_default_find(relid, name).generator == NULL)
		column_refuse_renamed();
}

/*
 * Return what a column draws from, as ColumnDefault; an error if that is no
 * generator.
 */
static List *
generators_of(const Column *column)
{
	List	   *generators = column_default_generators(column->relid,
													   column->attnum);

	if (generators == NIL)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg("column \"%s\" of table \"%s\" does not draw from a generator",
					   column->name, get_rel_name(column->relid)),
				errdetail(UNRECOGNIZED_DEFAULT),
				errhint("To let it draw from one, call hilo_attach(%s, %s).",
						quote_literal_cstr(relation_name(column->relid)),
						quote_literal_cstr(column->name)));
	return generators;
}
