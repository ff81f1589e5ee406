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

static Column lock_argument(FunctionCallInfo fcinfo, const char *function,
							LOCKMODE lockmode);
static void refuse_numbered(const Column *column);
static text *source_of_parent(const Column *column, text *name);
static text *generator_for(const Column *column);
static text *name_of_table(const Column *column);
static int64 ids_in_use(const Column *column, List *sequences, text *name);
static void add_shard_last(text *name, HeapTuple tuple, void *arg);
static void grant_to_users(text *name, List *sequences);
static void warn_of_others(const Column *column, text *name, bool is_used);
static Definition create_generator(const Column *column, text *name,
								   text *written, int64 last, Oid role,
								   bool in_order);
static bool may_follow(text *name, const Definition *definition, Oid owner);
static void share_generator(const Column *column, text *name,
							Definition definition, int64 last, bool follow);
static int64 end_of(const Column *column, text *name,
					const Definition *definition);
static char *source_constant(text *generator);
static text *generator_of(const Column *column, bool is_wanted);
static int64 resync(Column column, text *written);
static void try_resync(void *arg);

/*
 * hilo_attach(rel, col, generator, follow): makes a generator, created or
 * shared, the source of the column's ids.  They lie above all that are in use,
 * also later if it follows them.  Roles that could use the column's sequences
 * may use it.
 */
Datum
hilo_attach(PG_FUNCTION_ARGS)
{
	Column		column = lock_argument(fcinfo, "hilo_attach()",
									   AccessExclusiveLock);
	bool		is_given = !PG_ARGISNULL(2);

	column_attach(&column, is_given ?
				  name_of_generator(PG_GETARG_TEXT_PP(2), NAME_CREATES) : NULL,
				  is_given ? definition_unmarked(PG_GETARG_TEXT_PP(2)) : NULL,
				  PG_ARGISNULL(3) ? FOLLOW_IF_OWN : PG_GETARG_BOOL(3) ?
				  FOLLOW_YES : FOLLOW_NO);
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
	bool		is_given = name != NULL;
	bool		is_distributed = citus_has_rows_of(column->relid);
	List	   *sequences;
	List	   *drawn;
	OrmSource	source = {0};
	Definition	definition;
	int64		last;
	bool		is_new;
	bool		in_order = false;

	column_require_number(column->relid, column->attnum,
						  "For ids of text, use ALTER TABLE and a default such as hilo_next_id('users').");
	refuse_numbered(column);
	if (!is_given)
	{
		written = generator_for(column);
		name = definition_name(written);
	}
	if (definition_is_table(name))
		written = name;
	(void) source_of_parent(column, name);
	(void) orm_source_find(name, &source);
	drawn = column_sequence_list(column, false);
	column_sequence_refuse_programs(column, drawn);
	foreach_oid(sequence, is_distributed ? NIL : drawn)
		in_order |= sequence_form(sequence).seqcache == 1;
	sequences = list_delete_oid(column_sequence_list(column, true),
								source.relid);
	last = ids_in_use(column, sequences, name);
	if (follow == FOLLOW_IF_OWN && is_distributed)
		follow = FOLLOW_NO;

	/* until commit: no session drops it before the default is there */
	lock_name(name);
	is_new = !definition_find(name, &definition);
	if (is_new)
		definition = create_generator(column, name, written, last,
									  is_given &&
									  DatabaseCreate(owner) != ACLCHECK_OK ?
									  GetUserId() : owner,
									  in_order || follow != FOLLOW_NO);
	if (follow == FOLLOW_IF_OWN && !may_follow(name, &definition, owner))
		follow = FOLLOW_NO;
	else if (follow == FOLLOW_YES)
		follow_require_own_ids(name, &definition);
	if (!is_new)
		share_generator(column, name, definition, last, follow == FOLLOW_YES);
	if (in_order && follow != FOLLOW_YES &&
		strcmp(definition_ordering(&definition), "session") == 0)
		ereport(NOTICE,
				errmsg("ids rise within each session, no longer over all sessions"),
				errhint("If a queue or journal is read in the order of ids, run hilo_alter(%s, 'global').",
						quote_literal_cstr(text_to_cstring(name_shown(name,
																	  written)))));
	/* the table's owner may create no such tag, but draws from it */
	if (is_new && !privilege_may_change(name, owner))
		generator_grant(name, owner, true);
	if (is_new || privilege_may_change(name, owner))
		grant_to_users(name, drawn);

	drawn = list_delete_oid(drawn, source.relid);
	if (definition.origin != FROM_ORM)
		taken_warn(column);
	taken_keep(column, drawn);
	column_sequence_drop_identity(column);
	column_set_default("", column->relid, column->name, written);
	column_sequence_drop(drawn, owner,
						 is_given && definition_table(name) != column->relid &&
						 pg_strcasecmp(text_to_cstring(written),
									   get_rel_name(column->relid)) != 0);
	column_follow(column, written, follow);
}

/*
 * Make a sequence the source of a column's ids again, as it was; the generator
 * stays.
 */
Datum
hilo_detach(PG_FUNCTION_ARGS)
{
	Column		column = lock_argument(fcinfo, "hilo_detach()",
									   AccessExclusiveLock);
	text	   *none = cstring_to_text("");
	text	   *name;

	column_require_number(column.relid, column.attnum,
						  psprintf("Run ALTER TABLE %s ALTER %s DROP DEFAULT.",
								   relation_name(column.relid),
								   quote_identifier(column.name)));
	name = definition_name(generator_of(&column, false));
	(void) source_of_parent(&column, none);
	taken_give_back(&column, name,
					ids_in_use(&column, column_sequence_list(&column, true),
							   none));
	column_follow(&column, NULL, FOLLOW_NO);
	PG_RETURN_VOID();
}

/*
 * hilo_resync(rel, col): raises each generator of a column to what the column
 * holds, or creates it, and returns the greatest last id.  Waits for the
 * writers of the table, and lets them go on when it is done.  Raised only where
 * the owner of the table could do it: what the column holds is that role's, and
 * so is the default.
 */
Datum
hilo_resync(PG_FUNCTION_ARGS)
{
	Column		column = lock_argument(fcinfo, "hilo_resync()", ShareLock);
	text	   *only = column.generator;
	int64		last = PG_INT64_MIN;

	(void) generator_of(&column, true);
	foreach_ptr(ColumnDefault, source,
				column_default_generators(column.relid, column.attnum))
	{
		int64		raised;

		if (only != NULL && !text_equal(source->folded, only))
			continue;
		raised = resync(column, source->generator);
		last = Max(last, raised);
	}
	column_unlock(&column, ShareLock);
	PG_RETURN_INT64(last);
}

/* Raise one generator of a column, and return its last id. */
static int64
resync(Column column, text *written)
{
	text	   *name = definition_name(written);
	Definition	definition;
	int64		last;

	column.generator = name;
	/* the warning shows no number that the role may not see */
	last = column_max(&column, definition_find(name, &definition) &&
					  privilege_may_see(name, &definition, GetUserId()) ?
					  generator_last(name, &definition) : 0);
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
	(void) column_known(fcinfo);
	error = attempt(try_resync, fcinfo);
	if (error == NULL)
		return PG_GETARG_DATUM(0);
	table = get_rel_name(PG_GETARG_OID(0));
	if (table != NULL)
		ereport(WARNING,
				errmsg("skipping column \"%s\" of table \"%s\": %s",
					   NameStr(*PG_GETARG_NAME(1)), table, error->message));
	PG_RETURN_NULL();
}

static Column
lock_argument(FunctionCallInfo fcinfo, const char *function, LOCKMODE lockmode)
{
	Column		column =
	{.known = fcinfo->flinfo->fn_extra,.lockmode = lockmode};

	require_writable(function);
	argument_require(fcinfo, 0, "table");
	argument_require(fcinfo, 1, "column");
	column.relid = PG_GETARG_OID(0);
	column.name = NameStr(*PG_GETARG_NAME(1));
	if (column.known == NULL)
		return column_lock(column.relid, column.name, lockmode);
	/* of hilo_resync_all */
	column.generator = PG_GETARG_TEXT_PP(2);
	relation_require_kind(column.relid, true, false, GetUserId());
	return column_look(column, 0);
}

/*
 * Report an error if a trigger numbers the column, which would keep the ids of
 * a default.
 */
static void
refuse_numbered(const Column *column)
{
	Relation	rel = table_open(column->relid, NoLock);

	for (int i = 0; rel->trigdesc != NULL && i < rel->trigdesc->numtriggers;
		 i++)
	{
		const Trigger *trigger = &rel->trigdesc->triggers[i];

		if (trigger->tgnargs > 0 &&
			strcmp(trigger->tgargs[0], column->name) == 0 &&
			get_func_namespace(trigger->tgfoid) == catalog_public_schema() &&
			strcmp(get_func_name(trigger->tgfoid), "hilo_number_assign") == 0)
			ereport(ERROR,
					errcode(ERRCODE_WRONG_OBJECT_TYPE),
					errmsg("column \"%s\" of table \"%s\" is numbered by trigger \"%s\"",
						   column->name, get_rel_name(column->relid),
						   trigger->tgname),
					errhint("Drop the trigger first."));
	}
	table_close(rel, NoLock);
}

/*
 * Return the generator of the column in the next table above its own that has a
 * source of ids, or NULL.  Report an error if it is not of that folded name,
 * unless NULL.
 */
static text *
source_of_parent(const Column *column, text *name)
{
	foreach_oid(parent,
				list_delete_first(relation_ancestors(column->relid, NIL)))
	{
		HeapTuple	tuple = SearchSysCacheCopyAttName(parent, column->name);
		ColumnDefault found = column_default_find(parent, column->name);

		if (!HeapTupleIsValid(tuple) ||
			(found.folded == NULL && found.is_constant &&
			 ((Form_pg_attribute) GETSTRUCT(tuple))->attidentity == '\0'))
			continue;
		/* without a name it is a detach */
		if (name != NULL &&
			(found.folded == NULL || !text_equal(found.folded, name)))
			ereport(ERROR,
					errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					errmsg("column \"%s\" of table \"%s\" has its ids from elsewhere in table %s",
						   column->name, get_rel_name(column->relid),
						   relation_name(parent)),
					errdetail("Both would hand out the same ids."),
					errhint("Call %s(%s, %s) for that table, which the other is a part of.",
							found.folded != NULL &&
							VARSIZE_ANY_EXHDR(name) == 0 ?
							"hilo_detach" : "hilo_attach",
							quote_literal_cstr(relation_name(parent)),
							quote_literal_cstr(column->name)));
		return found.generator;
	}
	return NULL;
}

/*
 * Return the generator for a column: the one that it has, or that of the table
 * which it is a part of, or its table's own; or a tag where another column has
 * that.
 */
static text *
generator_for(const Column *column)
{
	text	   *found = column_default_find(column->relid,
											column->name).generator;
	text	   *key = definition_of_table(column->relid);

	if (found == NULL)
		found = source_of_parent(column, NULL);
	/* Citus distributes no table with a default that names it by OID */
	if (citus_has_rows_of(column->relid) &&
		(found == NULL || text_equal(found, key)))
		return name_of_table(column);
	if (found != NULL)
		return found;
	foreach_ptr(ColumnDefault, other,
				column_default_of_table(column->relid, 0, key))
	{
		if (other->attnum != column->attnum)
			return cstring_to_text(psprintf("%s.%s",
											relation_name(column->relid),
											column->name));
	}
	return key;
}

/*
 * Return a tag of a table's name; with its schema where its owner may make no
 * other.
 */
static text *
name_of_table(const Column *column)
{
	return cstring_to_text(DatabaseCreate(relation_owner(column->relid)) == ACLCHECK_OK ?
						   get_rel_name(column->relid) : relation_name(column->relid));
}

/*
 * Return the highest id of the column's type in a row, or handed out by its
 * sequences or generators, but for the one of the folded name.  Report an error
 * if others go on above a generator's last id, or ids have no order; warn if
 * other columns use it.
 */
static int64
ids_in_use(const Column *column, List *sequences, text *name)
{
	int64		last = column_sequence_last(column, sequences);
	int64		source = -1;	/* unknown: there is none */
	int64		own = 0;
	int64		max;
	text	   *before = name;
	Definition	definition;
	ShardLast	shards = {.relid = column->relid};

	if (sequences != NIL)
		source = Max(last, 0);
	/* what its own generator handed out before Citus knew the table */
	if (citus_has_rows_of(column->relid))
	{
		own_table_each(OWN_HI, add_shard_last, &shards);
		last = Max(last, shards.last);
	}
	foreach_oid(relid, column->tables)
	{
		text	   *other = column_default_find(relid, column->name).folded;
		FormData_hilo_hi hi;

		if (other == NULL || text_equal(other, name) ||
			text_equal(other, before))
			continue;
		before = other;
		if (!definition_find(other, &definition))
		{
			warn_of_others(column, other, false);
			continue;
		}
		privilege_require_use(other, &definition);
		if (definition.scattered || definition.origin == FROM_ORM)
			column_sequence_refuse(column->relid, column->name,
								   psprintf(definition.scattered ?
											"Ids of generator \"%s\" are scattered." :
											"Generator \"%s\" shares its source with an ORM, which continues with the blocks that it has taken.",
											definition_title(other)));
		/* the number that a transaction has is known when that has ended */
		if (store_lock(other, ShareUpdateExclusiveLock, &hi))
			unlock_generator(hi.incarnation, ShareUpdateExclusiveLock);
		max = generator_last(other, &definition);
		source = last = Max(last, max);
		warn_of_others(column, other, true);
	}
	if (definition_find(name, &definition) &&
		privilege_may_see(name, &definition, GetUserId()))
		own = generator_last(name, &definition);
	max = column_max(column, Max(last, own));
	max = Min(Max(last, max), column->max_value);
	if (source < 0)
		source = max;
	seed_require_room(column->relid, column->max_value, source, max);
	if (last < 0)
		column_sequence_refuse(column->relid, column->name,
							   "Its sequence is below 1.");
	return max;
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

	if (definition_is_table(name) &&
		citus_table_of(definition_table(name)) == shards->relid &&
		store_read(name, &hi))
		shards->last = Max(shards->last, hi.reserved);
}

static void
grant_to_users(text *name, List *sequences)
{
	Oid			owner = privilege_owner(name);

	foreach_oid(sequence, sequences)
	{
		foreach_oid(role, relation_grantees(sequence, ACL_USAGE | ACL_UPDATE))
		{
			if (role != owner)
				generator_grant(name, role, true);
		}
	}
}

/*
 * Warn if columns go on with a generator that a column leaves, used already or
 * not.
 */
static void
warn_of_others(const Column *column, text *name, bool is_used)
{
	foreach_ptr(ColumnDefault, other,
				column_default_list(name, is_used, is_used ? InvalidOid :
									relation_owner(column->relid)))
	{
		if (list_member_oid(column->tables, other->relid) &&
			other->attnum == get_attnum(other->relid, column->name))
			continue;
		ereport(WARNING,
				errmsg("generator \"%s\" has other columns, which will repeat ids of the column",
					   definition_title(name)),
				errhint("Give all of its columns one new generator, or one sequence."));
		break;
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
	bool		is_table = definition_is_table(name);
	Oid			owner =
		is_table ? relation_owner(definition_table(name)) : role;

	if (in_order)
		definition_set_ordering(&definition, "global");
	/* only who defines it knows whether it had a source */
	if (!definition_exists(name) && store_is_incomplete(name))
		definition_refuse_incomplete(name);
	column_fit(column, &definition);
	if (is_table)
	{
		name_require_table(definition.table);
		relation_require_kind(definition.table, true, false, GetUserId());
		name_refuse_tag_beside(definition.table);
	}
	else
	{
		/* hilo's own are for no column, but that of server-side ids */
		definition_require_name(name, definition_is_internal(name) ?
								InvalidOid : role);
		privilege_require_create(name, role);
	}
	foreach_ptr(ColumnDefault, other, column_default_list(name, false, owner))
	{
		if ((other->relid != column->relid ||
			 other->attnum != column->attnum) &&
			get_rel_relkind(other->relid) != RELKIND_VIEW)
			first_use_fit(other, &definition, &last);
	}
	generator_create(name, &definition, role, last);
	return definition;
}

/*
 * Decide whether a generator follows a column of that owner's table unless the
 * caller decides: if its ids are its own, all from one window, and that role
 * may raise it.
 */
static bool
may_follow(text *name, const Definition *definition, Oid owner)
{
	if (definition->origin != FROM_ROW || definition->scattered)
		return false;
	if (definition->holder == HELD_BY_SESSION)
		ereport(NOTICE,
				errmsg("generator \"%s\" does not follow the ids that rows bring",
					   definition_title(name)),
				errdetail("Its ordering is \"session\"."),
				errhint("With follow => true it becomes \"global\", and follows them."));
	return definition->holder == HELD_BY_SERVER &&
		privilege_may_change(name, owner);
}

/*
 * Fit an existing generator to the column: its limits, and, if it is to follow
 * the column, its order.  Only if it does not fit already, that takes the right
 * to change it, the caller's and for limits the table owner's.
 */
static void
share_generator(const Column *column, text *name, Definition definition,
				int64 last, bool follow)
{
	Definition	before = definition;

	privilege_require_use(name, &definition);
	definition_refuse_scattered(&definition, name);
	if (column_generator_is_foreign(column->relid, name))
		ereport(privilege_may_change(name, GetUserId()) ? WARNING : ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("generator \"%s\" belongs to a role without the rights of the owner of table \"%s\"",
					   definition_title(name), get_rel_name(column->relid)),
				errdetail("That role could drop the generator, or set it back so that its ids repeat. INSERT fails unless it has granted the generator by name to the table's owner."),
				errhint("Use another generator, or give this one to the table's owner with hilo_alter if no other column draws from it."));
	definition.max_value = end_of(column, name, &definition);
	if (definition.max_value > before.max_value)
		ereport(NOTICE,
				errmsg("generator \"%s\" ends at %lld now, as the column does",
					   definition_title(name),
					   (long long) definition.max_value));
	if (definition.max_value != before.max_value)
		seed_require_table_owner(column->relid, name,
								 "Its owner can lower max_value with hilo_alter to where the column ends.");
	if (follow && definition.holder == HELD_BY_SESSION &&
		definition.origin == FROM_ROW)
		definition_set_ordering(&definition, "global");
	if (definition.max_value != before.max_value ||
		definition.holder != before.holder)
	{
		privilege_require_owner(name);
		generator_change(name, &before, &definition);
	}
	if (last > generator_last(name, &definition))
		(void) seed_above_table(column->relid, name, &definition, last);
	seed_pass(name, last, false);
}

/*
 * Return where a generator is to end: with the column, or as before.  What ends
 * where a type of integers does goes on if the columns that draw from it have
 * been widened.
 */
static int64
end_of(const Column *column, text *name, const Definition *definition)
{
	int64		end = column->max_value;
	bool		is_drawn = false;

	if (definition->max_value >= end)
		return end;
	if (definition->origin == FROM_ROW &&
		(definition->max_value == PG_INT16_MAX ||
		 definition->max_value == PG_INT32_MAX) &&
		privilege_may_change(name, relation_owner(column->relid)))
		foreach_ptr(ColumnDefault, other,
					column_default_list(name, NULL, InvalidOid))
	{
		is_drawn |= other->relid == column->relid &&
			other->attnum == column->attnum;
		end = Min(end, column_type_max(other->relid, other->attnum));
	}
	return is_drawn ? Max(end, definition->max_value) : definition->max_value;
}

/* Return a constant of SQL for the table of its own generator, or for a tag. */
static char *
source_constant(text *generator)
{
	return definition_is_table(generator) ?
		psprintf("%s::pg_catalog.regclass",
				 quote_literal_cstr(relation_name(definition_table(generator)))) :
		psprintf("%s::pg_catalog.text",
				 quote_literal_cstr(text_to_cstring(generator)));
}

/*
 * Make a column draw from a generator; with "ONLY ", not in what inherits it.
 */
void
column_set_default(const char *only, Oid relid, const char *name,
				   text *generator)
{
	char	   *statement =
		psprintf("ALTER TABLE %s%s ALTER COLUMN %s SET DEFAULT %s(%s)",
				 only, relation_name(relid), quote_identifier(name),
				 quote_qualified_identifier(get_namespace_name(catalog_public_schema()),
											definition_is_table(generator) ?
											"hilo_next" : "hilo_next_tag"),
				 source_constant(generator));

	column_joins = false;
	PG_TRY();
	{
		relation_run(statement);
	}
	PG_FINALLY();
	{
		column_joins = true;
	}
	PG_END_TRY();
	if (column_default_find(relid, name).generator == NULL)
		column_refuse_renamed();
}

/*
 * Return the generator as it is written; an error, with a way to one if wanted.
 */
static text *
generator_of(const Column *column, bool is_wanted)
{
	ColumnDefault found = column_default_find(column->relid, column->name);
	List	   *generators = column_default_generators(column->relid,
													   column->attnum);

	if (generators == NIL)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg("column \"%s\" of table \"%s\" does not draw from a generator",
					   column->name, get_rel_name(column->relid)),
				errdetail(UNRECOGNIZED_DEFAULT),
				!is_wanted ? 0 : !column_type_is_number(column->type) ?
				errhint("Set a default that calls a function of hilo's, such as document_id.") :
				errhint("%s hilo_attach(%s, %s).",
						OidIsValid(found.sequence) || found.is_constant ?
						"Call" : "Drop the default and its sequence, and call",
						quote_literal_cstr(relation_name(column->relid)),
						quote_literal_cstr(column->name)));
	return ((ColumnDefault *) linitial(generators))->generator;
}

/* callback of attempt, which puts the result in place of the first argument */
static void
try_resync(void *arg)
{
	FunctionCallInfo fcinfo = arg;

	lock_limit_waits();
	fcinfo->args[0].value = hilo_resync(fcinfo);
}
