/*
 * hilo_privilege: who owns a generator, and who else may use it.
 *
 * A generator without an owner belongs to superusers.  Whether it is open to
 * PUBLIC stands in its definition, so that it stays so where roles are missing.
 *
 * As with the sequence of an identity column, whoever may insert into a table
 * may use the generator that a column of it draws from.  The owner of the table
 * must have the right himself: else anybody could gain it by making a table.  A
 * session remembers which columns draw from which generator, and looks at a
 * column again before the column gives the right.  The right holds until
 * catalog_generation changes, as it does with the table.
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
#include "catalog/pg_inherits.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
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
 * A look while a row is being replaced may see neither version; the next look
 * sees the new one, unless that is being replaced, too.
 */
#define LOOKS_BEFORE_REFUSAL 10

typedef struct DrawingColumn
{
	uint32		hash;			/* of the folded name of the generator */
	AttrNumber	attnum;
	Oid			relid;
} DrawingColumn;

/* the columns of this database that draw from generators, as last read */
static struct
{
	uint64		generation;		/* catalog_default_generation of that time */
	DrawingColumn *columns;
	int			count;
}			drawing;

static List *privileges_of(text *name);
static bool column_gives_it(text *name, bool is_public, Oid role);
static bool table_gives_it(Oid relid, const char *col, text *name,
						   bool is_public, Oid role);
static void read_drawing_columns(void);

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

/* Check whether a role may use a generator as its owner, or by hilo_grant. */
bool
privilege_is_granted(text *name, bool is_public, Oid role)
{
	return is_public || superuser_arg(role) ||
		OidIsValid(privilege_granted_to(name, role));
}

/*
 * Return the owner of a generator, or the role that has it by hilo_grant,
 * whose privileges a role has; InvalidOid if there is none.
 */
Oid
privilege_granted_to(text *name, Oid role)
{
	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		if (has_privs_of_role(role, privilege->role))
			return privilege->role;
	}
	return InvalidOid;
}

/* Return the owner of a generator, InvalidOid if it has none. */
Oid
privilege_owner(text *name)
{
	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		if (privilege->is_owner)
			return privilege->role;
	}
	return InvalidOid;
}

/*
 * Return the owner of a generator, with whose rights its hub or source is
 * accessed.  Report an error if it has none.
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
 * if it is not open to PUBLIC.
 */
ArrayType *
privilege_grants(text *name)
{
	ArrayBuildState *names = initArrayResult(NAMEOID, CurrentMemoryContext,
											 false);

	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		char	   *role = GetUserNameFromId(privilege->role, true);

		if (!privilege->is_owner && role != NULL)
			accumArrayResult(names,
							 DirectFunctionCall1(namein, CStringGetDatum(role)),
							 false, NAMEOID, CurrentMemoryContext);
	}
	return DatumGetArrayTypeP(makeArrayResult(names, CurrentMemoryContext));
}

/*
 * Check whether a row to be inserted has nothing to add: the role is missing,
 * has a row for that generator, or would be a second owner.
 */
bool
privilege_is_known(Relation rel, HeapTuple tuple, text *name)
{
	Privilege	privilege;

	/* a null fails in the table itself */
	if (HeapTupleHasNulls(tuple))
		return false;
	privilege = privilege_from_tuple(rel, tuple);
	return !OidIsValid(privilege.role) || catalog_has_key(rel, tuple) ||
		(privilege.is_owner && OidIsValid(privilege_owner(name)));
}

Privilege
privilege_from_tuple(Relation rel, HeapTuple tuple)
{
	Datum		values[Natts_privilege];
	bool		nulls[Natts_privilege];

	heap_deform_tuple(tuple, RelationGetDescr(rel), values, nulls);
	return (Privilege) {tuple->t_self,
		DatumGetObjectId(values[Anum_privilege_role - 1]),
		DatumGetBool(values[Anum_privilege_is_owner - 1])};
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
	Datum		values[] = {PointerGetDatum(name), ObjectIdGetDatum(role), BoolGetDatum(is_owner)};
	bool		nulls[Natts_privilege] = {0};
	HeapTuple	tuple = heap_form_tuple(RelationGetDescr(rel), values, nulls);

	if (!catalog_has_key(rel, tuple))
		catalog_insert(rel, tuple, frozen);
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

	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		if (privilege->role == role && privilege->is_owner == is_owner)
			CatalogTupleDelete(rel, &privilege->tid);
	}
	table_close(rel, NoLock);
}

void
privilege_require_use(text *name, bool is_public)
{
	for (int look = 0; look < LOOKS_BEFORE_REFUSAL; look++)
	{
		if (privilege_may_use(name, is_public, GetUserId()))
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("permission denied for generator \"%s\"", text_to_cstring(name)),
			 definition_is_internal(name) ||
			 SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(privilege_owner(name))) ? 0 :
			 errhint("The generator has no owner. A superuser can give it one with hilo_alter.")));
}

void
privilege_require_see(text *name, bool is_public)
{
	if (!privilege_may_see(name, is_public, GetUserId()))
		privilege_require_use(name, is_public);
}

void
privilege_require_owner(text *name)
{
	for (int look = 0; look < LOOKS_BEFORE_REFUSAL; look++)
	{
		if (privilege_may_change(name, GetUserId()))
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("must be owner of generator \"%s\"", text_to_cstring(name))));
}

void
privilege_require_create(text *name)
{
	if (DatabaseCreate(GetUserId()) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to create generator \"%s\"",
						text_to_cstring(name)),
				 errdetail("Generators that are not made for a column need the CREATE privilege on the database.")));
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
 * Check whether a role may use a generator as its owner, by hilo_grant, or
 * because it may insert into a table.
 */
bool
privilege_may_use(text *name, bool is_public, Oid role)
{
	if (privilege_is_granted(name, is_public, role) ||
		column_gives_it(name, is_public, role))
		return true;
	if (drawing.generation == catalog_default_generation)
		return false;
	read_drawing_columns();
	return column_gives_it(name, is_public, role);
}

/* Check whether a role may alter, drop, seed and grant a generator. */
bool
privilege_may_change(text *name, Oid role)
{
	Oid			owner;

	if (superuser_arg(role))
		return true;
	owner = privilege_owner(name);
	return OidIsValid(owner) && has_privs_of_role(role, owner);
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

		*privilege = privilege_from_tuple(rel, tuple);
		privileges = lappend(privileges, privilege);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return privileges;
}

/*
 * Check whether a column that is remembered gives a role the right to use a
 * generator, as it is now; rows may be inserted into partitions, too.
 */
static bool
column_gives_it(text *name, bool is_public, Oid role)
{
	uint32		hash = case_fold_hash(name);

	for (int i = 0; i < drawing.count; i++)
	{
		Oid			relid = drawing.columns[i].relid;
		char	   *col;

		if (drawing.columns[i].hash != hash)
			continue;
		col = get_attname(relid, drawing.columns[i].attnum, true);
		if (col == NULL)
			continue;
		if (table_gives_it(relid, col, name, is_public, role))
			return true;
		if (get_rel_relkind(relid) != RELKIND_PARTITIONED_TABLE)
			continue;
		foreach_oid(part, find_all_inheritors(relid, NoLock, NULL))
		{
			if (table_gives_it(part, col, name, is_public, role))
				return true;
		}
	}
	return false;
}

/*
 * Check whether a column of a table gives a role the right to use a generator.
 * Changes of the table are watched before the look.
 */
static bool
table_gives_it(Oid relid, const char *col, text *name, bool is_public,
			   Oid role)
{
	AttrNumber	attnum = get_attnum(relid, col);
	ColumnDefault *column;

	if (attnum == InvalidAttrNumber)
		return false;
	catalog_watch(relid);
	if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relid)) ||
		!relation_may_insert(relid, role) ||
		!privilege_is_granted(name, is_public, relation_owner(relid)))
		return false;
	column = column_default_find(relid, attnum);
	return column != NULL && column->folded != NULL &&
		text_equal(column->folded, name);
}

static void
read_drawing_columns(void)
{
	uint64		generation = catalog_default_generation;
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext,
												  "hilo defaults",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(scratch);
	List	   *columns = column_default_list(NULL);
	DrawingColumn *found = MemoryContextAllocHuge(TopMemoryContext,
												  (list_length(columns) + 1) * sizeof(*found));
	int			count = 0;

	foreach_ptr(ColumnDefault, column, columns)
	{
		if (column->folded != NULL)
			found[count++] = (DrawingColumn) {case_fold_hash(column->folded),
				column->attnum, column->relid};
	}
	MemoryContextSwitchTo(before);
	MemoryContextDelete(scratch);

	if (drawing.columns != NULL)
		pfree(drawing.columns);
	drawing.generation = generation;
	drawing.columns = found;
	drawing.count = count;
}
