/*
 * Give a generator another name, in its rows and in the defaults of its
 * columns.  Sessions know their ranges by the old name, so they forget them.
 */
#include "postgres.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_rename);

static void refuse_name(const Definition *definition, text *name,
						text *new_name);

/* Waits for transactions that use tables with columns of the generator. */
Datum
hilo_rename(PG_FUNCTION_ARGS)
{
	text	   *name = name_argument(fcinfo, NAME_TO_CHANGE);
	text	   *to;
	text	   *new_name;
	Definition	definition;
	FormData_hilo_hi hi;

	require_writable("hilo_rename()");
	argument_require(fcinfo, 1, "new name");
	to = definition_unmarked(PG_GETARG_TEXT_PP(1));
	new_name = name_of_tag(to);
	definition = generator_require_owned(name);
	if (key_is_relation(name))
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("cannot change the name of the generator of table %s",
					   relation_name(definition.table)),
				errhint("Rename the table with ALTER TABLE."));
	/* locks of tables come before those of generators */
	foreach_ptr(ColumnDefault, column,
				column_default_list(name, true, InvalidOid))
	{
		Oid			type = get_atttype(column->relid, column->attnum);

		if (OidIsValid(type) && !column->is_wrapped &&
			relation_is_table(column->relid) &&
			column_type_is_number(getBaseType(type)))
			column_move(column, to);
	}
	privilege_require_create(new_name, GetUserId());
	/* a name that begins with "##" cannot mean a table */
	if (text_equal(to, PG_GETARG_TEXT_PP(1)))
		name_refuse_table_of_same_name(to);

	lock_name(name);
	lock_name(new_name);
	definition = generator_require_owned(name);
	refuse_name(&definition, name, new_name);
	generator_lock_hi(name, AccessExclusiveLock, &hi);
	if (!text_equal(name, new_name))
		column_default_refuse(name, "rename", "");
	generator_recall(name);
	definition.written = to;
	definition_update(name, &definition);
	if (text_equal(name, new_name))
		(void) session_seed(name, &definition, &hi, 0, SEED_FORGET);
	else
		generator_rename(name, new_name, &definition);
	PG_RETURN_VOID();
}

/*
 * Make a column draw from another generator, also in the tables that inherit it
 * and draw from the same one.
 */
void
column_move(const ColumnDefault *found, text *to)
{
	Column		column = column_lock_own(found->relid,
										 get_attname(found->relid,
													 found->attnum,
													 false),
										 AccessExclusiveLock);

	foreach_oid(relid, column.tables)
	{
		ColumnDefault own = column_default_find(relid, column.name);
		Column		part =
		{.relid = relid,.name = column.name,.type = column.type,
		.tables = list_make1_oid(relid)};
		Follow		follow;

		if (own.written == NULL ||
			!text_equal(own.generator, found->generator))
			continue;
		column_set_default("ONLY ", relid, column.name, to);
		follow = follow_of(relid, own.attnum);
		if (follow != FOLLOW_NO)
			column_follow(&part, to, follow);
	}
}

static void
refuse_name(const Definition *definition, text *name, text *new_name)
{
	definition_require_unreserved(name, InvalidOid);
	definition_require_unreserved(new_name, InvalidOid);
	definition_check(new_name, definition);
	if (definition_is_identity(name) != definition_is_identity(new_name))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_NAME),
				errmsg("cannot rename generator \"%s\" to \"%s\"",
					   definition_title(name), text_to_cstring(new_name)),
				errdetail("Only the names of identities end with \"%c\".",
						  IDENTITY_MARK));
	if (!text_equal(name, new_name) && definition_exists(new_name))
		ereport(ERROR,
				errcode(ERRCODE_DUPLICATE_OBJECT),
				errmsg("generator \"%s\" already exists",
					   text_to_cstring(new_name)));
	if (definition->origin == FROM_HUB)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("cannot rename a generator with a hub"),
				errdetail("The hub knows it by its name."));
}
