/*
 * What the name of a generator means: a tag, or a table's own generator.
 *
 * A table's generator is kept by the OID of its table, as "#" and the number,
 * in place of a name.  No tag begins so.  A text from SQL becomes a tag or such
 * a key here, and nowhere else.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/namespace.h"
#include "utils/varlena.h"

#include "relation/relation.h"

PG_FUNCTION_INFO_V1(hilo_key_in);
PG_FUNCTION_INFO_V1(hilo_key_out);

static text *tag_or_table(text *written, text *tag, Oid relid, NameUse use);
static Oid	visible_table(const char *name);
static bool table_has_generator(Oid relid);

/* Read a key as a dump has it; it is "#" alone if its table is missing. */
Datum
hilo_key_in(PG_FUNCTION_ARGS)
{
	char	   *written = PG_GETARG_CSTRING(0);
	Oid			relid;

	if (written[0] != TABLE_MARK)
		PG_RETURN_TEXT_P(cstring_to_text(written));
	relid = relation_of_name(written + 1, NULL);
	if (!OidIsValid(relid))
		PG_RETURN_TEXT_P(cstring_to_text("#"));
	PG_RETURN_TEXT_P(definition_of_table(relid));
}

/*
 * Write a key with the name of its table, which a restore may give another OID.
 */
Datum
hilo_key_out(PG_FUNCTION_ARGS)
{
	text	   *name = PG_GETARG_TEXT_PP(0);

	if (!definition_is_table(name))
		PG_RETURN_CSTRING(text_to_cstring(name));
	PG_RETURN_CSTRING(psprintf("#%s",
							   relation_name_in_dump(definition_table(name))));
}

/* Return the folded name of a tag, or report an error. */
text *
name_of_tag(text *written)
{
	if (VARSIZE_ANY_EXHDR(written) > 0 && VARDATA_ANY(written)[0] == TABLE_MARK)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_NAME),
				errmsg("name of a tag must not begin with \"%c\"", TABLE_MARK));
	return definition_name(written);
}

/*
 * Return the tag, or the key of a table, that a name stands for.  After "##" it
 * is a tag, and after "#" a table.  Any other name stands for the tag or the
 * table's own generator that there is.  If there is neither, it stands for a
 * visible table with a key of integers, and without such a table for a tag.
 */
text *
name_of_generator(text *written, NameUse use)
{
	const char *name = text_to_cstring(written);
	Oid			relid;

	if (name[0] != TABLE_MARK)
		return tag_or_table(written, definition_name(written),
							visible_table(name), use);
	if (name[1] == TABLE_MARK)
		return name_of_tag(cstring_to_text(name + 2));
	relid = visible_table(name + 1);
	if (OidIsValid(relid))
		return definition_of_table(relid);
	/* the key itself, which is shown if the drop of its table was missed */
	if (!definition_exists(written))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("table \"%s\" does not exist", name + 1));
	return written;
}

/* Do as name_of_generator for the first argument, which must not be null. */
text *
name_argument(FunctionCallInfo fcinfo, NameUse use)
{
	argument_require(fcinfo, 0, "generator name");
	return name_of_generator(PG_GETARG_TEXT_PP(0), use);
}

/* Return a name to show, which name_of_generator resolves to this generator. */
text *
name_shown(text *name, text *written)
{
	Oid			relid = definition_table(name);
	char	   *shown;

	if (!definition_is_table(name))
	{
		shown = text_to_cstring(written);
		if (!table_has_generator(visible_table(shown)))
			return written;
		return cstring_to_text(psprintf("##%s", shown));
	}
	if (get_rel_name(relid) == NULL)
		return name;
	shown = definition_title(name);
	if (definition_exists(case_fold_name(shown)))
		shown = relation_name(relid);
	if (definition_exists(case_fold_name(shown)))
		shown = psprintf("#%s", shown);
	return cstring_to_text(shown);
}

/* Report an error unless a table can have a generator of its own. */
void
name_require_table(Oid relid)
{
	relation_require_kind(relid, true, false, InvalidOid);
	if (get_rel_persistence(relid) == RELPERSISTENCE_TEMP)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("temporary table \"%s\" cannot have its own generator",
					   get_rel_name(relid)),
				errhint("Use the generator of a permanent table, or hilo_next_tag."));
	/* its OID comes and goes with what Citus makes of it */
	if (citus_has_rows_of(relid))
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("Citus table \"%s\" cannot have its own generator",
					   get_rel_name(relid)),
				errhint("Run hilo_attach on the coordinator with the column and the tag %s, or call hilo_next_tag in its default.",
						quote_literal_cstr(psprintf("##%s",
													get_rel_name(relid)))));
	if (citus_is_worker())
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("a Citus worker has no generator of table \"%s\"",
					   get_rel_name(relid)),
				errhint("Use hilo_next_tag in the default of the column."));
}

/*
 * Do as name_require_table, and keep the table from being dropped until
 * unlock_table or the transaction's end.
 */
void
name_lock_table(Oid relid)
{
	/* first without a lock, for which others would wait */
	name_require_table(relid);
	(void) lock_table(relid, AccessShareLock, true);
	name_require_table(relid);
}

/* Do as name_lock_table for a table that the current role owns. */
void
name_lock_own_table(Oid relid)
{
	relation_lock_own(relid, AccessShareLock);
	name_require_table(relid);
}

/* Report an error if a table's owner has a tag of the table's name. */
void
name_refuse_tag_beside(Oid relid)
{
	char	   *names[] = {get_rel_name(relid), relation_name(relid)};

	/* no lock keeps the table from being dropped */
	for (size_t i = 0; names[0] != NULL && i < lengthof(names); i++)
	{
		text	   *tag = case_fold_name(names[i]);

		if (definition_exists(tag) &&
			privilege_has_role(privilege_owner(tag), relation_owner(relid)))
			ereport(ERROR,
					errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("tag \"%s\" has the name of table %s", names[i],
						   relation_name(relid)),
					errdetail("hilo_next uses the table's own generator."),
					errhint("For ids of the tag, call hilo_next_tag(%s) in the default. Otherwise drop the tag with hilo_drop(%s). If the table's generator needs options, create it with hilo_create, with \"#\" before the table's name.",
							quote_literal_cstr(names[i]),
							quote_literal_cstr(psprintf("##%s", names[i]))));
	}
}

/*
 * Report an error if a new tag would have the name of a table with its own
 * generator.
 */
void
name_refuse_table_beside(text *tag)
{
	Oid			relid = visible_table(text_to_cstring(tag));

	if (table_has_generator(relid))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("table %s has its own generator",
					   relation_name(relid)),
				errhint("Call hilo_next(%s), or create the tag with hilo_create(%s).",
						quote_literal_cstr(relation_name(relid)),
						quote_literal_cstr(psprintf("##%s",
													text_to_cstring(tag)))));
}

/* Return what a name without "#" stands for; relid is its visible table. */
static text *
tag_or_table(text *written, text *tag, Oid relid, NameUse use)
{
	char	   *name = text_to_cstring(written);
	bool		is_tag;
	bool		has_generator;
	AttrNumber	column;

	if (!OidIsValid(relid))
		return tag;
	is_tag = definition_exists(tag);
	has_generator = table_has_generator(relid);
	column = relation_integer_key(relid);
	if (!has_generator)
	{
		if (is_tag &&
			has_privs_of_role(privilege_owner(tag), relation_owner(relid)))
			return tag;
		/* a default may name the tag before its first use */
		if (column == InvalidAttrNumber ||
			column_default_of_table(relid, 0, tag) != NIL)
			return tag;
	}
	/* another owner's tag must not take the ids of the table's key, either */
	if (is_tag)
		ereport(ERROR,
				errcode(ERRCODE_AMBIGUOUS_PARAMETER),
				errmsg("\"%s\" is both a tag and a table with its own generator", name),
				errhint("Write %s for the generator of table %s, or %s for the tag.",
						quote_literal_cstr(psprintf("#%s", name)),
						relation_name(relid),
						quote_literal_cstr(psprintf("##%s", name))));
	if (has_generator)
		return definition_of_table(relid);
	if (use == NAME_TAKES)
		name_require_own_ids(relid, column);
	if (use == NAME_LOOKS && relation_has_default(relid, column))
		return tag;
	return definition_of_table(relid);
}

/*
 * Report an error if the key of a table, which does not draw from the table's
 * own generator, has a default or is an identity.
 */
void
name_require_own_ids(Oid relid, AttrNumber column)
{
	char	   *table = quote_literal_cstr(relation_name(relid));
	const char *name;

	if (column == InvalidAttrNumber || !relation_has_default(relid, column))
		return;
	name = get_attname(relid, column, true);
	/* no lock keeps the table from being dropped */
	if (name == NULL)
		return;
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("ids of table %s come from elsewhere", relation_name(relid)),
			errdetail("Column \"%s\" has a default, or is an identity.", name),
			errhint("Have the table's owner run hilo_attach(%s, %s). A tag of that name is %s.",
					table, quote_literal_cstr(name),
					quote_literal_cstr(psprintf("##%s", get_rel_name(relid)))));
}

/*
 * Return the permanent table that a name would mean as a regclass, or
 * InvalidOid.  Skip temporary tables, which have no generator of their own.
 */
static Oid
visible_table(const char *name)
{
	List	   *parts;
	List	   *schemas;
	Oid			relid = InvalidOid;

	if (!SplitIdentifierString(pstrdup(name), '.', &parts) ||
		parts == NIL || list_length(parts) > 2)
		return InvalidOid;
	schemas = fetch_search_path(false);
	if (list_length(parts) == 2)
	{
		Oid			schema = get_namespace_oid(linitial(parts), true);

		if (!OidIsValid(schema) ||
			object_aclcheck(NamespaceRelationId, schema, GetUserId(),
							ACL_USAGE) != ACLCHECK_OK)
			return InvalidOid;
		schemas = list_make1_oid(schema);
	}
	foreach_oid(schema, schemas)
	{
		relid = get_relname_relid(llast(parts), schema);
		if (OidIsValid(relid))
			break;
	}
	if (relid < FirstNormalObjectId || !relation_is_table(relid) ||
		get_rel_persistence(relid) == RELPERSISTENCE_TEMP)
		return InvalidOid;
	return relid;
}

/* Check whether a table, if any, has or draws from its own generator. */
static bool
table_has_generator(Oid relid)
{
	text	   *key = definition_of_table(relid);

	return OidIsValid(relid) &&
		(definition_exists(key) ||
		 column_default_of_table(relid, 0, key) != NIL);
}
