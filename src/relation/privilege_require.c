/* Errors for roles without the right to a generator. */
#include "postgres.h"

#include "relation/relation.h"

/*
 * The relations with defaults that may draw from tags, or from a table's own
 * generator.
 */
typedef struct Drawing
{
	Oid			table;			/* the key: InvalidOid for tags */
	uint64		as_of;			/* relation_changes; 0: of none */
	int			searched;		/* how many a search has found */
	List	   *relids;			/* and those that have changed since */
} Drawing;

/* Report an error unless the current role may use a generator. */
void
privilege_require_use(text *name, const Definition *definition)
{
	if (privilege_may_use(name, definition, GetUserId()))
		return;
	if (definition->origin == FROM_SEQUENCE)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_SEQUENCE,
					   get_rel_name(definition->table));
	ereport(ERROR,
			errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			errmsg("permission denied for generator \"%s\"",
				   definition_title(name)),
			OidIsValid(definition->table) ||
			OidIsValid(privilege_owner(name)) ? 0 :
			errhint("The generator has no owner. A superuser can grant it with hilo_grant."));
}

/*
 * Return the relations that must not draw from a generator although they have
 * defaults that may do so.
 *
 * A search of all defaults takes long if a role has planted many.  So the
 * session keeps the relations that a search has found, for each table and for
 * all tags, and adds all that have changed since.  It searches again when these
 * are too many.
 */
List *
privilege_disputed(text *name)
{
	static HTAB *known;
	HASHCTL		ctl = {.keysize = sizeof(Oid),.entrysize = sizeof(Drawing)};
	Oid			table = key_relid(name);
	Drawing		unsearched = {.table = table};
	uint64		now = relation_changes;
	bool		is_known;
	Drawing    *found;
	List	   *relids;

	if (known == NULL)
		known = hash_create("hilo drawing tables", 16, &ctl,
							HASH_ELEM | HASH_BLOBS);
	found = hash_search(known, &table, HASH_ENTER, &is_known);
	if (!is_known)
		*found = unsearched;
	/* a change of a role counts as one of hilo_hi, which draws from nothing */
	relids = list_delete_oid(relations_changed_since(found->as_of),
							 own_table_relid(OWN_HI));
	if (list_member_oid(relids, InvalidOid) ||
		list_length(found->relids) + list_length(relids) >
		2 * found->searched + 1000)
	{
		found->as_of = 0;
		relids = column_default_tables(name);
		list_free(found->relids);
		found->relids = NIL;
		found->searched = list_length(relids);
	}
	if (relids != NIL)
	{
		MemoryContext before = MemoryContextSwitchTo(TopMemoryContext);

		/*
		 * list_copy first: the other compares each pair, and there may be
		 * many
		 */
		if (found->relids == NIL)
			found->relids = list_copy(relids);
		else
			found->relids = list_concat_unique_oid(found->relids, relids);
		MemoryContextSwitchTo(before);
	}
	found->as_of = now;
	return privilege_must_not_draw(name, found->relids);
}

/*
 * Report an error if the current statement writes to a disputed table that has
 * a default with the name of the generator, or with a computed name.
 */
void
privilege_require_targets(text *name, List *disputed)
{
	foreach_oid(relid, disputed)
	{
		if (!CheckRelationOidLockedByMe(relid, RowExclusiveLock, true) ||
			!relation_is_in_use(relid))
			continue;
		foreach_ptr(ColumnDefault, column,
					column_default_of_table(relid, 0, NULL))
		{
			bool		may_draw = column->name_is_computed;

			if (column->generator != NULL)
				may_draw = text_equal(column->generator, name);
			if (may_draw && !column->by_trigger)
				privilege_require_draw(name, relid);
		}
	}
}

/* Report an error if a table must not draw from a generator. */
void
privilege_require_draw(text *name, Oid table)
{
	const char *owner;
	char	   *hint;

	if (privilege_may_draw(name, table))
		return;
	owner = GetUserNameFromId(relation_owner(table), false);
	hint = "ALTER TABLE %s OWNER TO %s";
	if (key_is_relation(name))
		hint = psprintf(hint, relation_name(key_relid(name)),
						quote_identifier(owner));
	else
		hint = psprintf("hilo_alter(%s, owner => %s)",
						quote_literal_cstr(text_to_cstring(name_shown(name, name))),
						quote_literal_cstr(owner));
	ereport(ERROR,
			errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			errmsg("permission denied for table %s to draw from generator \"%s\"",
				   relation_name(table), definition_title(name)),
			errdetail("Role \"%s\" owns the generator, and could set it back so that ids repeat. It does not have the rights of role \"%s\", which owns the table.",
					  GetUserNameFromId(privilege_owner(name), false), owner),
			errhint("Use another generator, or run %s. A generator for tables of several owners needs an owner with the rights of all of them.",
					hint));
}

void
privilege_require_owner(text *name)
{
	if (!privilege_may_change(name, GetUserId()))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("must be owner of generator \"%s\"",
					   definition_title(name)));
}

/*
 * Report an error if a role may not create a tag.  It may not if the tag begins
 * with the name of another owner's relation.  Without CREATE on the database,
 * the tag must begin with the name of one of the role's own relations.
 */
void
privilege_require_create(text *tag, Oid role)
{
	bool		is_own;
	Oid			relid;

	if (superuser_arg(role))
		return;
	relid = relation_of_others(tag, role, &is_own);
	if (OidIsValid(relid))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied to create generator \"%s\"",
					   text_to_cstring(tag)),
				errdetail("The name stands for %s of another owner.",
						  relation_name(relid)),
				errhint("Use another name, or have that owner create the generator with hilo_create, and grant it with hilo_grant."));
	if (!is_own && DatabaseCreate(role) != ACLCHECK_OK)
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("there is no %stag \"%s\", and permission to create it is denied",
					   OidIsValid(name_find_table(tag)) ? "" : "table or ",
					   text_to_cstring(tag)),
				errdetail("A role without the CREATE privilege on the database can create only tags that begin with the schema-qualified name of one of its relations."),
				errhint("Have a role with that privilege create it with hilo_create, and grant it with hilo_grant."));
}
