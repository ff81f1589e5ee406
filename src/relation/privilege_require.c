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
	uint64		as_of;			/* default_generation; 0: of none */
	int			searched;		/* how many a search has found */
	List	   *relids;			/* and those that have changed since */
} Drawing;

/* Report an error unless the current role may use a generator. */
void
privilege_require_use(text *name, const Definition *definition)
{
	/*
	 * without an owner, only the functions of decimal and trace ids take them
	 */
	if (!(definition_is_internal(name) && !OidIsValid(privilege_owner(name))) &&
		privilege_may_use(name, definition, GetUserId()))
		return;
	ereport(ERROR,
			errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			errmsg("permission denied for generator \"%s\"",
				   definition_title(name)),
			definition_is_internal(name) || OidIsValid(definition->table) ||
			OidIsValid(privilege_owner(name)) ? 0 :
			errhint("The generator has no owner. A superuser can grant it with hilo_grant."));
}

/*
 * Return the relations that must not draw from a generator, of those with
 * defaults that may do so.
 *
 * A search takes long if a role has planted many defaults.  So the session
 * keeps what it has found, with all relations that have changed since.
 */
List *
privilege_disputed(text *name)
{
	static HTAB *known;
	HASHCTL		ctl = {.keysize = sizeof(Oid),.entrysize = sizeof(Drawing)};
	Oid			table = definition_table(name);
	Drawing		unsearched = {.table = table};
	uint64		now = default_generation;
	bool		is_known;
	Drawing    *found;
	List	   *relids;

	if (known == NULL)
		known = hash_create("hilo drawing tables", 16, &ctl,
							HASH_ELEM | HASH_BLOBS);
	found = hash_search(known, &table, HASH_ENTER, &is_known);
	if (!is_known)
		*found = unsearched;
	relids = relations_changed_since(found->as_of);
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

		/* the first time without a look at each pair: a role may plant many */
		if (found->relids == NIL)
			found->relids = list_copy(relids);
		else
			found->relids = list_concat_unique_oid(found->relids, relids);
		MemoryContextSwitchTo(before);
	}
	found->as_of = now;
	return privilege_without_draw(name, found->relids);
}

/*
 * Report an error if a statement writes to one of the tables that must not draw
 * from a generator, and a default of it names that, or does not say what it
 * names.
 */
void
privilege_require_drawing(text *name, List *disputed)
{
	foreach_oid(relid, disputed)
	{
		if (!CheckRelationOidLockedByMe(relid, RowExclusiveLock, true) ||
			!relation_is_in_use(relid))
			continue;
		foreach_ptr(ColumnDefault, column,
					column_default_of_table(relid, 0, NULL))
		{
			bool		may_draw = column->is_unnamed;

			if (column->folded != NULL)
				may_draw = text_equal(column->folded, name);
			if (may_draw && !column->by_trigger)
				privilege_require_draw(name, relid);
		}
	}
}

/* Report an error if a table must not draw from a generator. */
void
privilege_require_draw(text *name, Oid table)
{
	if (!privilege_may_draw(name, table))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied for table %s to draw from generator \"%s\"",
					   relation_name(table), definition_title(name)),
				errdetail("The generator belongs to another role, which could set it back so that ids repeat."),
				errhint("Use another generator, or have its owner grant it by name to the owner of the table with hilo_grant."));
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
				errmsg("permission denied to create generator \"%s\"",
					   text_to_cstring(tag)),
				errdetail("A role without the CREATE privilege on the database can create only tags that begin with the schema-qualified name of one of its relations."),
				errhint("Have a role with that privilege create it with hilo_create, and grant it with hilo_grant."));
}
