/*
 * Errors for roles without the right to a generator.
 *
 * Of other tables than the generator's, only those count that the transaction
 * writes to: a default gives the right to use what the owner of the table was
 * given, be that owner a superuser or not.  A trigger does so for a generator with
 * the table's name only, and where nobody but the owner could have made it.
 */
#include "postgres.h"

#include "relation/relation.h"

/*
 * Report an error unless the current role may use a generator, if only by a table
 * that is written to.  If the call names it, a group's is for the owner alone.
 */
void
privilege_require_use(text *name, const Definition *definition, bool is_named)
{
	List	   *written;

	if (is_named && definition_is_series(name))
		privilege_require_owner(name);
	/* without an owner, only the functions of decimal and trace ids take them */
	if (!(definition_is_internal(name) && !OidIsValid(privilege_owner(name))) &&
		privilege_may_use(name, definition, GetUserId()))
		return;
	written = lock_written();
	foreach_oid(part, written)
	{
		if (list_member_oid(relation_ancestors(part, NIL), definition->rel) &&
			privilege_may_insert(part, written))
			return;
	}
	foreach_ptr(ColumnDefault, column, column_default_written(name))
	{
		if (column_default_is_by_owner(column, true) &&
			privilege_is_given(name, definition, relation_find_owner(column->relid)))
			return;
	}
	/* values of the row are in the name of its group's */
	if (definition_is_series(name))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(definition->rel));
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("permission denied for generator \"%s\"", definition_title(name)),
			 definition_is_internal(name) || OidIsValid(definition->rel) ||
			 OidIsValid(privilege_owner(name)) ? 0 :
			 errhint("The generator has no owner. A superuser can grant it with hilo_grant.")));
}

/*
 * Return a table that may draw from a generator, of those that a statement writes to.
 * Report an error if a table must not.  If no column names the generator, those that
 * compute a name count.
 */
Oid
privilege_require_drawing(text *name, List *written, bool is_computed)
{
	Oid			found = InvalidOid;

	foreach_oid(relid, written)
	{
		foreach_ptr(ColumnDefault, column,
					column_default_of_table(relid, 0, is_computed ? NULL : name))
		{
			Oid			table = column_default_root(column);

			/* a temporary table is but a copy */
			if ((is_computed && !column->is_unnamed) || !relation_is_in_use(relid) ||
				get_rel_persistence(table) == RELPERSISTENCE_TEMP)
				continue;
			if (!privilege_may_draw(name, table))
				ereport(ERROR,
						(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						 errmsg("permission denied for table %s to draw from generator \"%s\"",
								relation_name(relid), definition_title(name)),
						 errdetail("The generator belongs to another role, which could set it back so that ids repeat."),
						 errhint("Use another generator, or have its owner grant it by name to the owner of the table with hilo_grant, or a superuser give it to that role with hilo_alter.")));
			if (relation_is_table(relid))
				found = relid;
		}
	}
	return OidIsValid(found) || is_computed ? found :
		privilege_require_drawing(name, written, true);
}

void
privilege_require_owner(text *name)
{
	if (!privilege_may_change(name, GetUserId()))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of generator \"%s\"", definition_title(name))));
}

/*
 * Report an error if a role may not create a generator of that name.  Who may not
 * create on the database takes only the name of the table that it is for; only a
 * superuser takes that of another owner's relation.  With any_case, for a look at each
 * of many columns, no other relation counts, nor how old the table is.
 */
void
privilege_require_create(text *name, Oid rel, Oid role, bool any_case)
{
	Oid			other;

	if (definition_is_series(name))
		ereport(ERROR,
				(errcode(ERRCODE_RESERVED_NAME),
				 errmsg("generator name \"%s\" is reserved", definition_title(name)),
				 errdetail("Only the trigger hilo_number_assign makes generators whose names contain \"#\" and end with \")\".")));
	if (DatabaseCreate(role) != ACLCHECK_OK && !relation_has_name(rel, name, false, any_case))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to create generator \"%s\"", definition_title(name)),
				 errdetail("A role without the CREATE privilege on the database creates only generators whose names begin with that of a relation of its own, with its schema, unless that is the schema of hilo."),
				 OidIsValid(rel) && case_fold_is_possible(relation_name(rel), strlen(relation_name(rel))) &&
				 relation_has_name(rel, definition_name(cstring_to_text(relation_name(rel))), false, any_case) ?
				 errhint("Use the name %s, or this name with a dot and more behind it.",
						 quote_literal_cstr(relation_name(rel))) :
				 errhint("A role with that privilege can create it with hilo_create, and raise it above the ids in use with hilo_seed.")));
	/* before all relations are looked at */
	if (any_case || superuser_arg(role) ||
		(relation_has_name(rel, name, true, true) &&
		 has_privs_of_role(role, relation_owner(rel))))
		return;
	other = relation_of_another(name, role);
	if (OidIsValid(other))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to create generator \"%s\"", definition_title(name)),
				 errdetail("The name stands for %s of another owner.", relation_name(other)),
				 errhint("Use another name, or have that owner create the generator with hilo_create, and grant it with hilo_grant.")));
}

/*
 * Report an error if a generator without its table must not become that of another
 * one, or of a role: a column of somebody else, who could use or create it, draws
 * from it.  A table of its name may always have it, whatever columns are planted.
 */
void
privilege_refuse_takeover(text *name, const Definition *orphan, Oid rel, Oid role)
{
	if (relation_has_name(rel, name, true, true))
		return;
	role = OidIsValid(rel) ? relation_owner(rel) : role;
	foreach_ptr(ColumnDefault, column, column_default_list(name, NULL, InvalidOid))
	{
		Oid			owner = relation_find_owner(column->relid);

		if (OidIsValid(owner) && !has_privs_of_role(role, owner) &&
			(privilege_is_given(name, orphan, owner) ||
			 DatabaseCreate(owner) == ACLCHECK_OK ||
			 relation_has_name(column->relid, name, false, false)))
			ereport(ERROR,
					(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
					 errmsg("cannot take over generator \"%s\" because a column of another owner draws from it",
							definition_title(name)),
					 errdetail("Its own table is gone. The column is \"%s\" of table %s.",
							   get_attname(column->relid, column->attnum, false), relation_name(column->relid)),
					 errhint("Use another name, or have a superuser give the generator to a role with hilo_alter.")));
	}
}
