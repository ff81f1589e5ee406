/*
 * hilo_privilege: who owns a generator, and who else may use it.
 *
 * A generator without an owner belongs to superusers.  Whether it is open to
 * PUBLIC stands in its definition, so that it stays so where roles are missing.
 *
 * Who has no row here may have the right by a table (column_right.c).
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
#include "catalog/pg_authid.h"
#include "catalog/pg_database.h"
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

/*
 * A look at the moment when a row is replaced by another may see neither; the
 * next one sees the other, unless that is just being replaced, too.
 */
#define LOOKS_BEFORE_REFUSAL 10

/*
 * A scan of the rows of one generator.
 */
typedef struct PrivilegeScan
{
	Relation	rel;
	SysScanDesc scan;
	LOCKMODE	lockmode;
	HeapTuple	tuple;			/* the current row */
	Oid			role;
	bool		is_owner;
} PrivilegeScan;

static int	compare_strings(const ListCell *a, const ListCell *b);
static void privilege_begin(PrivilegeScan *scan, text *name,
							LOCKMODE lockmode);
static bool privilege_next(PrivilegeScan *scan);
static void privilege_end(PrivilegeScan *scan);

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
	PrivilegeScan scan;
	bool		allowed = false;

	if (is_public || superuser_arg(role))
		return true;

	privilege_begin(&scan, name, AccessShareLock);
	while (!allowed && privilege_next(&scan))
		allowed = has_privs_of_role(role, scan.role);
	privilege_end(&scan);
	return allowed;
}

bool
privilege_may_use(text *name, bool is_public, Oid role)
{
	return privilege_is_granted(name, is_public, role) ||
		column_right(name, is_public, role);
}

/*
 * Check whether a role may see the state of a generator: to use it, or to watch
 * the server, is enough.
 */
bool
privilege_may_see(text *name, bool is_public, Oid role)
{
	return has_privs_of_role(role, ROLE_PG_READ_ALL_STATS) ||
		privilege_may_use(name, is_public, role);
}

/*
 * Check whether a role may alter, drop, seed and grant a generator.
 */
bool
privilege_may_change(text *name, Oid role)
{
	Oid			owner;

	if (superuser_arg(role))
		return true;
	owner = privilege_owner(name);
	return OidIsValid(owner) && has_privs_of_role(role, owner);
}

void
privilege_require_use(text *name, text *written, bool is_public)
{
	for (int look = 0; look < LOOKS_BEFORE_REFUSAL; look++)
	{
		if (privilege_may_use(name, is_public, GetUserId()))
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("permission denied for generator \"%s\"",
					text_to_cstring(written))));
}

void
privilege_require_see(text *name, text *written, bool is_public)
{
	if (!privilege_may_see(name, is_public, GetUserId()))
		privilege_require_use(name, written, is_public);
}

void
privilege_require_owner(text *name, text *written)
{
	for (int look = 0; look < LOOKS_BEFORE_REFUSAL; look++)
	{
		if (privilege_may_change(name, GetUserId()))
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("must be owner of generator \"%s\"",
					text_to_cstring(written))));
}

/*
 * Report an error unless the current role may create generators by name.
 */
void
privilege_require_create(text *written)
{
	if (DatabaseCreate(GetUserId()) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to create generator \"%s\"",
						text_to_cstring(written)),
				 errdetail("Generators that are not made for a column need the CREATE privilege on the database.")));
}

/*
 * Return the owner of a generator, InvalidOid if it has none.
 */
Oid
privilege_owner(text *name)
{
	PrivilegeScan scan;
	Oid			owner = InvalidOid;

	privilege_begin(&scan, name, AccessShareLock);
	while (!OidIsValid(owner) && privilege_next(&scan))
	{
		if (scan.is_owner)
			owner = scan.role;
	}
	privilege_end(&scan);
	return owner;
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
	PrivilegeScan scan;
	List	   *roles = NIL;
	ListCell   *cell;
	Datum	   *names;
	int			count = 0;

	privilege_begin(&scan, name, AccessShareLock);
	while (privilege_next(&scan))
	{
		char	   *role = GetUserNameFromId(scan.role, true);

		if (!scan.is_owner && role != NULL)
			roles = lappend(roles, role);
	}
	privilege_end(&scan);

	list_sort(roles, compare_strings);
	names = palloc((list_length(roles) + 1) * sizeof(Datum));
	foreach(cell, roles)
		names[count++] = DirectFunctionCall1(namein,
											 CStringGetDatum(lfirst(cell)));
	return construct_array(names, count, NAMEOID, NAMEDATALEN, false,
						   TYPALIGN_CHAR);
}

/*
 * Check whether a row to be inserted has nothing to add: the role is missing,
 * has a row for that generator, or would be a second owner.
 */
bool
privilege_is_known(Relation rel, HeapTuple tuple)
{
	PrivilegeScan scan;
	Datum		name;
	bool		isnull;
	Oid			role;
	bool		is_owner;
	bool		known = false;

	/* a null fails in the table itself */
	if (HeapTupleHasNulls(tuple))
		return false;

	name = heap_getattr(tuple, Anum_privilege_generator, RelationGetDescr(rel),
						&isnull);
	privilege_from_tuple(rel, tuple, &role, &is_owner);
	if (!OidIsValid(role))
		return true;
	privilege_begin(&scan, DatumGetTextPP(name), AccessShareLock);
	while (!known && privilege_next(&scan))
		known = scan.role == role || (is_owner && scan.is_owner);
	privilege_end(&scan);
	return known;
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
	PrivilegeScan scan;
	Datum		values[Natts_privilege];
	bool		nulls[Natts_privilege] = {0};
	bool		exists = false;

	privilege_begin(&scan, name, RowExclusiveLock);
	while (!exists && privilege_next(&scan))
		exists = scan.role == role;

	if (!exists)
	{
		HeapTuple	tuple;

		values[Anum_privilege_generator - 1] = PointerGetDatum(name);
		values[Anum_privilege_role - 1] = ObjectIdGetDatum(role);
		values[Anum_privilege_is_owner - 1] = BoolGetDatum(is_owner);
		tuple = heap_form_tuple(RelationGetDescr(scan.rel), values, nulls);
		catalog_insert(scan.rel, tuple, frozen);
		heap_freetuple(tuple);
	}
	privilege_end(&scan);
}

/*
 * Take the ownership of a generator, or the right to use it, away from a
 * role.  The caller holds the lock of the name.
 */
void
privilege_delete(text *name, Oid role, bool is_owner)
{
	PrivilegeScan scan;

	privilege_begin(&scan, name, RowExclusiveLock);
	while (privilege_next(&scan))
	{
		if (scan.role == role && scan.is_owner == is_owner)
			CatalogTupleDelete(scan.rel, &scan.tuple->t_self);
	}
	privilege_end(&scan);
}

/*
 * Delete the owner and the grants of a generator.  The caller holds the lock
 * of the name.
 */
void
privilege_delete_all(text *name)
{
	catalog_delete(CATALOG_PRIVILEGE, Anum_privilege_generator, name);
}

static int
compare_strings(const ListCell *a, const ListCell *b)
{
	return strcmp(lfirst(a), lfirst(b));
}

static void
privilege_begin(PrivilegeScan *scan, text *name, LOCKMODE lockmode)
{
	scan->lockmode = lockmode;
	scan->rel = catalog_open(CATALOG_PRIVILEGE, lockmode);
	scan->scan = catalog_scan(scan->rel, Anum_privilege_generator, name,
							  SnapshotSelf);
}

/*
 * Read the next row; false after the last one.
 */
static bool
privilege_next(PrivilegeScan *scan)
{
	scan->tuple = systable_getnext(scan->scan);
	if (!HeapTupleIsValid(scan->tuple))
		return false;
	privilege_from_tuple(scan->rel, scan->tuple, &scan->role, &scan->is_owner);
	return true;
}

/*
 * End a scan; a lock for changes stays to the end of the transaction.
 */
static void
privilege_end(PrivilegeScan *scan)
{
	systable_endscan(scan->scan);
	table_close(scan->rel,
				scan->lockmode == AccessShareLock ? AccessShareLock : NoLock);
}
