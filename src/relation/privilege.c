/*
 * hilo_privilege: the owner of each generator, and the grants.
 *
 * A tag belongs to the role that made it, and without an owner to superusers.
 * A table's own generator belongs to the table: its owner is the table's now.
 *
 * Rows travel in a dump or by logical replication, and roles do not.  So the
 * type hilo_role is written as the role's name, and read as none where the role
 * is missing, which would fail a COPY of regrole; guard.c then leaves the row
 * out.
 */
#include "postgres.h"

#include "catalog/indexing.h"
#include "catalog/pg_authid.h"

#include "relation/relation.h"

PG_FUNCTION_INFO_V1(hilo_role_in);
PG_FUNCTION_INFO_V1(hilo_role_out);

static List *privileges_of(text *name);

Datum
hilo_role_in(PG_FUNCTION_ARGS)
{
	PG_RETURN_OID(get_role_oid(PG_GETARG_CSTRING(0), true));
}

/* Return the name of the role, empty if it is none: no role is called so. */
Datum
hilo_role_out(PG_FUNCTION_ARGS)
{
	char	   *name = GetUserNameFromId(PG_GETARG_OID(0), true);

	PG_RETURN_CSTRING(name == NULL ? pstrdup("") : name);
}

/*
 * Check whether a role owns a generator or was granted it by name.  Being a
 * superuser is no grant, nor does a public one count.
 */
bool
privilege_is_given(text *name, Oid role)
{
	Oid			table = key_relid(name);

	if (privilege_has_role(role, relation_find_owner(table)))
		return true;
	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		if (privilege_has_role(role, privilege->role) &&
			!(privilege->is_owner && OidIsValid(table)))
			return true;
	}
	return false;
}

/* Return the owner of a generator, InvalidOid if it has none any more. */
Oid
privilege_owner(text *name)
{
	if (key_is_relation(name))
		return relation_find_owner(key_relid(name));
	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		if (privilege->is_owner &&
			SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(privilege->role)))
			return privilege->role;
	}
	return InvalidOid;
}

/*
 * Return the owner, or report an error if there is none: a source is accessed
 * with the owner's rights.
 */
Oid
privilege_actor(text *name)
{
	Oid			owner = privilege_owner(name);

	if (!OidIsValid(owner))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg("generator \"%s\" has no owner", definition_title(name)),
				errdetail("Its hub or source is accessed with the rights of its owner."),
				errhint("Give it an owner with hilo_alter."));
	return owner;
}

/* Return the names of the roles that were granted a generator. */
ArrayType *
privilege_grants(text *name)
{
	ArrayBuildState *names = initArrayResult(NAMEOID, CurrentMemoryContext,
											 false);

	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		char	   *role_name = GetUserNameFromId(privilege->role, true);

		/* one may be gone */
		if (role_name != NULL && !privilege->is_owner)
			accumArrayResult(names,
							 DirectFunctionCall1(namein,
												 CStringGetDatum(role_name)),
							 false, NAMEOID, CurrentMemoryContext);
	}
	return DatumGetArrayTypeP(makeArrayResult(names, CurrentMemoryContext));
}

/*
 * Insert a row for a role as user or owner, unless it has one.  The caller has
 * locked the name.
 */
void
privilege_insert(text *name, Oid role, bool is_owner, bool frozen)
{
	Privilege	row = {.role = role,.is_owner = is_owner};

	foreach_ptr(Privilege, known, privileges_of(name))
	{
		if (known->role == role)
			return;
	}
	own_table_insert(OWN_PRIVILEGE, &row, NULL, name, frozen);
}

/*
 * Delete the row of a role, if it is of that kind.  The caller has locked the
 * name.
 */
void
privilege_delete(text *name, Oid role, bool is_owner)
{
	Relation	rel = own_table_open(OWN_PRIVILEGE, RowExclusiveLock);

	foreach_ptr(HeapTupleData, tuple, own_table_rows(OWN_PRIVILEGE, name))
	{
		const Privilege *privilege = (Privilege *) GETSTRUCT(tuple);

		if (privilege->role == role && privilege->is_owner == is_owner)
			CatalogTupleDelete(rel, &tuple->t_self);
	}
	table_close(rel, NoLock);
}

/* Return a role as GRANT has it, or NULL if it is gone. */
const char *
privilege_grantee(Oid role)
{
	const char *name;

	if (role == ACL_ID_PUBLIC)
		return "PUBLIC";
	name = GetUserNameFromId(role, true);
	return name == NULL ? NULL : quote_identifier(name);
}

/*
 * Check whether a role may alter, drop, seed and grant a generator, or set a
 * sequence.
 */
bool
privilege_may_change(text *name, Oid role)
{
	Oid			sequence = key_sequence(name);

	if (OidIsValid(sequence))
		return pg_class_aclcheck(sequence, role, ACL_UPDATE) == ACLCHECK_OK;
	return has_privs_of_role(role, privilege_owner(name));
}

static List *
privileges_of(text *name)
{
	List	   *privileges = NIL;

	foreach_ptr(HeapTupleData, tuple, own_table_rows(OWN_PRIVILEGE, name))
		privileges = lappend(privileges, GETSTRUCT(tuple));
	return privileges;
}

/*
 * Check whether a role has the rights of another, and not because it is a
 * superuser.
 */
bool
privilege_has_role(Oid member, Oid role)
{
	if (superuser_arg(member))
		return is_member_of_role_nosuper(member, role);
	return has_privs_of_role(member, role);
}
