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

static text *resolve_bare_name(text *written, text *tag, Oid relid,
							   NameUse use);
static bool means_tag(text *written, text *tag, Oid relid, text *stream);
static bool may_use(text *name);
pg_noreturn static void report_other_owner(Oid relid);
static text *resolve_table(Oid relid, text *stream, NameUse use);
static text *resolve_sequence(Oid relid, NameUse use);
static Oid	visible_table(const char *name);
static Oid	visible_relation(const char *name);
static bool table_has_generator(Oid relid);
static bool table_draws_own(Oid relid);

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
	PG_RETURN_TEXT_P(key_of_relation(relid));
}

/*
 * Write a key with the name of its table, which a restore may give another OID.
 */
Datum
hilo_key_out(PG_FUNCTION_ARGS)
{
	text	   *name = PG_GETARG_TEXT_PP(0);

	if (!key_is_relation(name))
		PG_RETURN_CSTRING(text_to_cstring(name));
	PG_RETURN_CSTRING(psprintf("#%s",
							   relation_name_in_dump(key_relid(name))));
}

/* Return the folded name of a tag, or report an error. */
text *
name_of_tag(text *written)
{
	if (VARSIZE_ANY_EXHDR(written) > 0 && VARDATA_ANY(written)[0] == TABLE_MARK)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_NAME),
				errmsg("name of a tag must not begin with \"%c\"", TABLE_MARK));
	return definition_fold_name(written);
}

/*
 * Return the tag, or the key of a table or a sequence, that a name stands for.
 * After "##" it is a tag, and after "#" a table.  Any other name stands for the
 * tag, or the visible table with a stream, that there is.  If there is neither,
 * it stands for a visible table with a key of integers, else for a visible
 * sequence, and else for a tag.
 */
text *
name_of_generator(text *written, NameUse use)
{
	const char *name = text_to_cstring(written);
	Oid			relid;

	if (name[0] != TABLE_MARK)
		return resolve_bare_name(written, definition_fold_name(written),
								 visible_relation(name), use);
	if (name[1] == TABLE_MARK)
		return name_of_tag(cstring_to_text(name + 2));
	relid = visible_table(name + 1);
	if (OidIsValid(relid))
		return resolve_table(relid, stream_of_table(relid, true), use);
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

/* Return the visible table of a name, or InvalidOid. */
Oid
name_find_table(text *written)
{
	return visible_table(text_to_cstring(written));
}

/*
 * Return the name of a visible relation without its schema, if there is one.
 * The name of the expected relation needs no search.
 */
text *
name_without_schema(text *written, Oid expected)
{
	const char *name = text_to_cstring(written);
	const char *expected_name = get_rel_name(expected);
	Oid			relid;

	if (expected_name != NULL && strcmp(name, expected_name) == 0)
		return written;
	relid = visible_relation(name + (name[0] == TABLE_MARK));
	return OidIsValid(relid) ? cstring_to_text(get_rel_name(relid)) : written;
}

/* Return a name to show, which name_of_generator resolves to this generator. */
text *
name_shown(text *name, text *written)
{
	Oid			relid = key_relid(name);
	char	   *shown;

	if (!key_is_relation(name))
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
name_require_generator_table(Oid relid)
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
				errhint("Run hilo_attach on the coordinator with the column, or call hilo_next_tag in its default."));
}

/*
 * Do as name_require_generator_table, and keep the table from being dropped
 * until unlock_table or the transaction's end.
 */
void
name_lock_generator_table(Oid relid)
{
	/* first without a lock, for which others would wait */
	name_require_generator_table(relid);
	(void) lock_table(relid, AccessShareLock, true);
	name_require_generator_table(relid);
}

/* Do as name_lock_generator_table for a table that the current role owns. */
void
name_lock_owned_table(Oid relid)
{
	relation_lock_own(relid, AccessShareLock);
	name_require_generator_table(relid);
}

/* Report an error if a table's owner has a tag of the table's name. */
void
name_refuse_tag_of_same_name(Oid relid)
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
 * generator, unless that is another role's.
 */
void
name_refuse_table_of_same_name(text *tag)
{
	Oid			relid = visible_table(text_to_cstring(tag));

	if (table_has_generator(relid) &&
		has_privs_of_role(GetUserId(), relation_owner(relid)))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("table %s has its own generator",
					   relation_name(relid)),
				errhint("Call hilo_next(%s), or create the tag with hilo_create(%s).",
						quote_literal_cstr(relation_name(relid)),
						quote_literal_cstr(psprintf("##%s",
													text_to_cstring(tag)))));
}

/*
 * Return what a name without "#" stands for; relid is its visible relation.
 */
static text *
resolve_bare_name(text *written, text *tag, Oid relid, NameUse use)
{
	text	   *stream;
	bool		is_tag;

	if (!OidIsValid(relid))
		return tag;
	is_tag = definition_exists(tag);
	if (get_rel_relkind(relid) == RELKIND_SEQUENCE)
		return is_tag ? tag : resolve_sequence(relid, use);
	stream = stream_of_table(relid, true);
	if (stream != NULL && text_equal(stream, tag))
		return tag;
	if (is_tag && (stream == NULL || means_tag(written, tag, relid, stream)))
		return tag;
	/* a default may name the tag before its first use */
	if (stream == NULL && (relation_key_attnums(relid) == NIL ||
						   !relation_may_insert(relid, GetUserId()) ||
						   column_default_of_table(relid, 0, tag) != NIL))
		return tag;
	if (stream == NULL &&
		!has_privs_of_role(GetUserId(), relation_owner(relid)))
		report_other_owner(relid);
	return resolve_table(relid, stream, use);
}

/*
 * Check whether the tag is meant of a tag and a table with a stream that have
 * one name: the current role may use it alone, or has the rights of its owner,
 * and not of the table's.  Report an error if it has those of both, or of
 * neither.
 */
static bool
means_tag(text *written, text *tag, Oid relid, text *stream)
{
	char	   *name = text_to_cstring(written);
	Oid			role = GetUserId();
	bool		of_tag = may_use(tag);

	if (of_tag != may_use(stream))
		return of_tag;
	of_tag = has_privs_of_role(role, privilege_owner(tag));
	if (of_tag != has_privs_of_role(role, relation_owner(relid)))
		return of_tag;
	ereport(ERROR,
			errcode(ERRCODE_AMBIGUOUS_PARAMETER),
			errmsg("\"%s\" is both a tag and a table that has ids", name),
			errhint("Write %s for the ids of table %s, or %s for the tag.",
					quote_literal_cstr(psprintf("#%s", name)),
					relation_name(relid),
					quote_literal_cstr(psprintf("##%s", name))));
}

static bool
may_use(text *name)
{
	Definition	definition = definition_default(name);

	(void) definition_find(name, &definition);
	return privilege_may_use(name, &definition, GetUserId());
}

/* Report that the owner of a table decides what a bare name of it means. */
static void
report_other_owner(Oid relid)
{
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("table %s has no generator yet", relation_name(relid)),
			errhint("Have its owner, role \"%s\", run hilo_create(%s). A tag of that name is %s.",
					GetUserNameFromId(relation_owner(relid), false),
					quote_literal_cstr(relation_name(relid)),
					quote_literal_cstr(psprintf("##%s", get_rel_name(relid)))));
}

/*
 * Return what a table stands for, which has or draws from that stream, or from
 * none if it is NULL.  What defines a generator means the table's own.
 */
static text *
resolve_table(Oid relid, text *stream, NameUse use)
{
	text	   *own = key_of_relation(relid);

	if (stream != NULL && (use == NAME_TO_READ || use == NAME_TO_DRAW))
	{
		stream_refuse_adopted(key_sequence(stream));
		return stream;
	}
	if (use != NAME_TO_CREATE)
		name_refuse_other_stream(relid);
	/* report an error if several are meant */
	return stream == NULL && use == NAME_TO_DRAW ?
		stream_of_table(relid, false) : own;
}

static text *
resolve_sequence(Oid relid, NameUse use)
{
	if (use != NAME_TO_READ && use != NAME_TO_DRAW)
		ereport(ERROR,
				errcode(ERRCODE_WRONG_OBJECT_TYPE),
				errmsg("\"%s\" is a sequence", get_rel_name(relid)),
				errhint("Use setval, ALTER SEQUENCE and GRANT. A tag of that name is %s.",
						quote_literal_cstr(psprintf("##%s",
													get_rel_name(relid)))));
	stream_refuse_adopted(relid);
	return key_of_relation(relid);
}

/*
 * Report an error if the ids of a table come from elsewhere, unless its own
 * generator exists all the same.
 */
void
name_refuse_other_stream(Oid relid)
{
	text	   *stream = stream_of_table(relid, true);
	char	   *table = relation_name(relid);
	char	   *tag = psprintf("##%s", get_rel_name(relid));

	if (stream == NULL || key_relid(stream) == relid ||
		definition_exists(key_of_relation(relid)))
		return;
	if (OidIsValid(key_sequence(stream)))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("ids of table %s come from sequence %s", table,
					   relation_name(key_sequence(stream))),
				errhint("Use setval, ALTER SEQUENCE and GRANT for that sequence, and hilo_detach if it is to follow the rows no more. To have the table's own generator, call hilo_attach with the column, and with %s as the generator. A tag of that name is %s.",
						quote_literal_cstr(table), quote_literal_cstr(tag)));
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("ids of table %s come from generator \"%s\"", table,
				   definition_title(stream)),
			errhint("Use the name of that generator. A tag of the table's name is %s.",
					quote_literal_cstr(tag)));
}

/*
 * Report an error, with each column that could be meant, unless a column of a
 * table draws from its own generator, or its primary key is one number that
 * programs set.
 */
void
name_require_id_column(Oid relid)
{
	AttrNumber	key = relation_integer_key(relid);
	List	   *columns;
	StringInfo	calls = makeStringInfo();
	char	   *table = quote_literal_cstr(relation_name(relid));
	const char *name = get_rel_name(relid);

	if (table_draws_own(relid))
		return;
	column_refuse_numbered(relid, get_attname(relid, key, true));
	if (key != InvalidAttrNumber)
		return;
	columns = relation_key_attnums(relid);
	if (columns == NIL)
		appendStringInfo(calls, " hilo_attach(%s, ...) with a column of numbers",
						 table);
	foreach_int(column, columns)
	{
		appendStringInfo(calls, "%s hilo_attach(%s, %s%s)",
						 calls->len > 0 ? " or" : "", table,
						 quote_literal_cstr(get_attname(relid, column, false)),
						 column_is_filled(relid, column) ?
						 psprintf(", %s", table) : "");
	}
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("no column of table %s is known to have its ids",
				   relation_name(relid)),
			errdetail("It has no primary key of one number that programs set, and no key draws from a generator or a sequence."),
			errhint("Have the table's owner run%s. A tag of that name is %s; its ids come from hilo_next_tag(%s), too.",
					calls->data,
					quote_literal_cstr(psprintf("##%s", name)),
					quote_literal_cstr(name)));
}

/* Return the table that a name would mean; see visible_relation. */
static Oid
visible_table(const char *name)
{
	Oid			relid = visible_relation(name);

	return relation_is_table(relid) ? relid : InvalidOid;
}

/*
 * Return the permanent table or sequence that a name would mean as a regclass,
 * or InvalidOid.  Skip temporary ones: a table has no generator then.
 */
static Oid
visible_relation(const char *name)
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
	if (relid < FirstNormalObjectId ||
		(!relation_is_table(relid) &&
		 get_rel_relkind(relid) != RELKIND_SEQUENCE) ||
		get_rel_persistence(relid) == RELPERSISTENCE_TEMP)
		return InvalidOid;
	return relid;
}

/* Check whether a table, if any, has or draws from its own generator. */
static bool
table_has_generator(Oid relid)
{
	return OidIsValid(relid) &&
		(definition_exists(key_of_relation(relid)) || table_draws_own(relid));
}

/* Check whether a column of a table draws from its own generator. */
static bool
table_draws_own(Oid relid)
{
	return column_default_of_table(relid, 0, key_of_relation(relid)) != NIL;
}
