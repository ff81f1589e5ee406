/*
 * hilo_privilege: who owns a generator, and who else may use it.
 *
 * A generator without an owner belongs to superusers.  Whether it is open to
 * PUBLIC stands in its definition, so that it stays so where roles are missing.
 *
 * Who has no row here may have the right by a table (privilege_use.c).
 *
 * Rows travel to other servers, in a dump or by logical replication, and roles
 * do not.  The type hilo_role is an OID that is written as the role's name, and
 * read as none where the role is missing; guard.c then leaves the row out.
 * With regrole the whole COPY would fail, and an apply worker for ever.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/pg_type.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "table/table.h"

PG_FUNCTION_INFO_V1(hilo_role_in);
PG_FUNCTION_INFO_V1(hilo_role_out);

enum
{
	Anum_privilege_generator = 1,
	Anum_privilege_role,
	Anum_privilege_is_owner,
	Natts_privilege = Anum_privilege_is_owner
};

typedef struct Privilege
{
	ItemPointerData tid;
	Oid			role;
	bool		is_owner;
} Privilege;

static int	compare_strings(const ListCell *a, const ListCell *b);
static List *privileges_of(text *name);

Datum
hilo_role_in(PG_FUNCTION_ARGS)
{
	PG_RETURN_OID(get_role_oid(PG_GETARG_CSTRING(0), true));
}

/*
 * hilo_role_out(hilo_role): the name of the role, empty if it is none: no role
 * is called so.
 */
Datum
hilo_role_out(PG_FUNCTION_ARGS)
{
	char	   *name = GetUserNameFromId(PG_GETARG_OID(0), true);

	PG_RETURN_CSTRING(name == NULL ? pstrdup("") : name);
}

/*
 * Check whether a role may use a generator as its owner, or by hilo_grant.
 */
bool
privilege_is_granted(text *name, bool is_public, Oid role)
{
	ListCell   *cell;

	if (is_public || superuser_arg(role))
		return true;
	foreach(cell, privileges_of(name))
	{
		if (has_privs_of_role(role, ((Privilege *) lfirst(cell))->role))
			return true;
	}
	return false;
}

/*
 * Return the owner of a generator, InvalidOid if it has none.
 */
Oid
privilege_owner(text *name)
{
	ListCell   *cell;

	foreach(cell, privileges_of(name))
	{
		Privilege  *privilege = lfirst(cell);

		if (privilege->is_owner)
			return privilege->role;
	}
	return InvalidOid;
}

/*
 * Return the role whose rights are used for a generator where it reaches further:
 * its owner.  Report an error if it has none.
 */
Oid
privilege_actor(text *name)
{
	Oid			owner = privilege_owner(name);

	/* the role may have been dropped */
	if (!SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(owner)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("generator \"%s\" has no owner",
						text_to_cstring(name)),
				 errdetail("Its hub or source is accessed with the rights of its owner."),
				 errhint("Give it an owner with hilo_alter.")));
	return owner;
}

/*
 * Return the names of the roles, but for the owner, that may use a generator
 * if it is not open to PUBLIC, in their order.
 */
ArrayType *
privilege_grants(text *name)
{
	ArrayBuildState *names = initArrayResult(NAMEOID, CurrentMemoryContext, false);
	List	   *roles = NIL;
	ListCell   *cell;

	foreach(cell, privileges_of(name))
	{
		Privilege  *privilege = lfirst(cell);
		char	   *role = GetUserNameFromId(privilege->role, true);

		if (!privilege->is_owner && role != NULL)
			roles = lappend(roles, role);
	}

	list_sort(roles, compare_strings);
	foreach(cell, roles)
		accumArrayResult(names, DirectFunctionCall1(namein, CStringGetDatum(lfirst(cell))),
						 false, NAMEOID, CurrentMemoryContext);
	return DatumGetArrayTypeP(makeArrayResult(names, CurrentMemoryContext));
}

/*
 * Check whether a row to be inserted has nothing to add: the role is missing,
 * has a row for that generator, or would be a second owner.
 */
bool
privilege_is_known(Relation rel, HeapTuple tuple, text *name)
{
	Oid			role;
	bool		is_owner;

	/* a null fails in the table itself */
	if (HeapTupleHasNulls(tuple))
		return false;
	privilege_from_tuple(rel, tuple, &role, &is_owner);
	return !OidIsValid(role) || catalog_has_key(rel, tuple) ||
		(is_owner && OidIsValid(privilege_owner(name)));
}

void
privilege_from_tuple(Relation rel, HeapTuple tuple, Oid *role, bool *is_owner)
{
	TupleDesc	desc = RelationGetDescr(rel);
	bool		isnull;

	*role = DatumGetObjectId(heap_getattr(tuple, Anum_privilege_role, desc,
										  &isnull));
	*is_owner = DatumGetBool(heap_getattr(tuple, Anum_privilege_is_owner, desc,
										  &isnull));
}

/*
 * Give a role the right to use a generator, or make it the owner, if it has
 * no row already, which stays as it is.  The caller holds the lock of the
 * name.
 */
void
privilege_insert(text *name, Oid role, bool is_owner, bool frozen)
{
	Relation	rel = catalog_open(CATALOG_PRIVILEGE, RowExclusiveLock);
	Datum		values[Natts_privilege];
	bool		nulls[Natts_privilege] = {0};
	bool		exists = false;
	ListCell   *cell;

	foreach(cell, privileges_of(name))
		exists |= ((Privilege *) lfirst(cell))->role == role;

	values[Anum_privilege_generator - 1] = PointerGetDatum(name);
	values[Anum_privilege_role - 1] = ObjectIdGetDatum(role);
	values[Anum_privilege_is_owner - 1] = BoolGetDatum(is_owner);
	if (!exists)
		catalog_insert(rel, heap_form_tuple(RelationGetDescr(rel), values, nulls),
					   frozen);
	table_close(rel, NoLock);
}

/*
 * Take the ownership of a generator, or the right to use it, away from a
 * role.  The caller holds the lock of the name.
 */
void
privilege_delete(text *name, Oid role, bool is_owner)
{
	Relation	rel = catalog_open(CATALOG_PRIVILEGE, RowExclusiveLock);
	ListCell   *cell;

	foreach(cell, privileges_of(name))
	{
		Privilege  *privilege = lfirst(cell);

		if (privilege->role == role && privilege->is_owner == is_owner)
			CatalogTupleDelete(rel, &privilege->tid);
	}
	table_close(rel, NoLock);
}

static int
compare_strings(const ListCell *a, const ListCell *b)
{
	return strcmp(lfirst(a), lfirst(b));
}

static List *
privileges_of(text *name)
{
	Relation	rel = catalog_open(CATALOG_PRIVILEGE, AccessShareLock);
	SysScanDesc scan = catalog_scan(rel, name, SnapshotSelf);
	List	   *privileges = NIL;
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Privilege  *privilege = palloc(sizeof(*privilege));

		privilege->tid = tuple->t_self;
		privilege_from_tuple(rel, tuple, &privilege->role, &privilege->is_owner);
		privileges = lappend(privileges, privilege);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return privileges;
}
