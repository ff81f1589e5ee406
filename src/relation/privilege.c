/*
 * hilo_privilege: who owns a generator, and who else may use it.
 *
 * A generator without an owner belongs to superusers.  One that was made for a
 * column belongs to the table: its owner is the table's now, and whoever may
 * insert into the table or a part of it may use it, as with an identity.
 *
 * Of other tables, only those count that the transaction writes to: a default
 * gives the right to use what the owner of the table was given, be that owner a
 * superuser or not.  A trigger, which need not be the owner's, does so for a
 * generator with the table's name only.
 *
 * Rows travel in a dump or by logical replication, and roles do not.  So the type
 * hilo_role is written as the role's name, and read as none where the role is
 * missing, which would fail a COPY of regrole; guard.c then leaves the row out.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/indexing.h"
#include "catalog/pg_authid.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/rls.h"

#include "relation/relation.h"

PG_FUNCTION_INFO_V1(hilo_role_in);
PG_FUNCTION_INFO_V1(hilo_role_out);

enum
{
	Anum_privilege_generator = 1,
	Anum_privilege_role,
	Anum_privilege_is_owner,
	Natts_privilege = Anum_privilege_is_owner
};

static List *privileges_of(text *name);
static bool is_given_to(text *name, const Definition *definition, Oid role);
static bool has_role(Oid member, Oid role);
static Oid	view_target(Oid view);

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

/* Check whether a role may use a generator as its owner, or by hilo_grant. */
bool
privilege_is_granted(text *name, const Definition *definition, Oid role)
{
	return superuser_arg(role) || is_given_to(name, definition, role);
}

/* Return a role that was given a generator, and whose privileges a role has, or 0. */
Oid
privilege_granted_to(text *name, Oid role)
{
	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		if (has_role(role, privilege->role))
			return privilege->role;
	}
	return InvalidOid;
}

/* Check whether a role owns a generator's table, or may insert into a part of it. */
bool
privilege_by_table(const Definition *definition, Oid role)
{
	static uint64 answered[3];
	static Oid	part;			/* the answer: one that it may insert into */
	Oid			rel = definition->rel;
	uint64		asked[] = {rel, role, catalog_generation + catalog_default_generation};

	if (!OidIsValid(rel) || definition_is_orphan(definition))
		return false;
	if (has_privs_of_role(role, relation_find_owner(rel)) ||
		relation_may_insert(rel, role))
		return true;
	/* not again for each of a table's million groups */
	if (memcmp(asked, answered, sizeof(asked)) != 0)
	{
		answered[0] = part = InvalidOid;
		foreach_oid(each, lock_inheritors(rel, NoLock))
			part = OidIsValid(part) || !relation_may_insert(each, role) ? part : each;
		memcpy(answered, asked, sizeof(asked));
	}
	/* whoever remembers this watches the table itself already */
	catalog_watch(part);
	return OidIsValid(part);
}

/* Return the owner of a generator, InvalidOid if it has none any more. */
Oid
privilege_owner(text *name)
{
	Definition	definition;

	if (definition_find(name, &definition, NULL) && OidIsValid(definition.rel))
		return relation_find_owner(definition.rel);
	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		if (privilege->is_owner &&
			SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(privilege->role)))
			return privilege->role;
	}
	return InvalidOid;
}

/* Return the owner, who must exist, with whose rights a source is accessed. */
Oid
privilege_actor(text *name)
{
	Oid			owner = privilege_owner(name);

	if (!OidIsValid(owner))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("generator \"%s\" has no owner", text_to_cstring(name)),
				 errdetail("Its hub or source is accessed with the rights of its owner."),
				 errhint("Give it an owner with hilo_alter.")));
	return owner;
}

/* Return the names of the roles that may use a generator, but for the owner. */
ArrayType *
privilege_grants(text *name)
{
	ArrayBuildState *names = initArrayResult(NAMEOID, CurrentMemoryContext, false);

	foreach_ptr(Privilege, privilege, privileges_of(name))
	{
		char	   *role = GetUserNameFromId(privilege->role, true);

		if (!privilege->is_owner && role != NULL)
			accumArrayResult(names, DirectFunctionCall1(namein, CStringGetDatum(role)),
							 false, NAMEOID, CurrentMemoryContext);
	}
	return DatumGetArrayTypeP(makeArrayResult(names, CurrentMemoryContext));
}

/* Check whether a row adds nothing: its role is missing or known, or the owner is. */
bool
privilege_is_known(Relation rel, HeapTuple tuple, text *name)
{
	Privilege	privilege = privilege_from_tuple(rel, tuple);

	return !OidIsValid(privilege.role) || catalog_has_key(rel, tuple) ||
		(privilege.is_owner && OidIsValid(privilege_owner(name)));
}

Privilege
privilege_from_tuple(Relation rel, HeapTuple tuple)
{
	Datum		values[Natts_privilege];
	bool		nulls[Natts_privilege];
	Privilege	privilege = {.tid = tuple->t_self};

	heap_deform_tuple(tuple, RelationGetDescr(rel), values, nulls);
	privilege.role = DatumGetObjectId(values[Anum_privilege_role - 1]);
	privilege.is_owner = DatumGetBool(values[Anum_privilege_is_owner - 1]);
	return privilege;
}

/*
 * Give a role without a row, which would stay, the right to use a generator, or
 * make it the owner.  The caller holds the lock of the name.
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

/* Take that away from a role.  The caller holds the lock of the name. */
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

/*
 * Report an error unless the current role may use a generator, if only by a table
 * that the transaction writes to: the generator's, or one that draws from it.
 */
void
privilege_require_use(text *name, const Definition *definition)
{
	/* without an owner, only the functions of decimal and trace ids take them */
	if (!(definition_is_internal(name) && !OidIsValid(privilege_owner(name))) &&
		privilege_may_use(name, definition, GetUserId()))
		return;
	if (definition_is_of_columns(name))
	{
		List	   *written = lock_written();

		if (list_member_oid(written, definition->rel) &&
			privilege_may_insert(definition->rel, GetUserId(), written))
			return;
		foreach_ptr(ColumnDefault, column, column_default_written(name))
		{
			if (column_default_is_named(column) &&
				is_given_to(name, definition, relation_find_owner(column->relid)))
				return;
		}
	}
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("permission denied for generator \"%s\"", text_to_cstring(name)),
			 definition_is_internal(name) || OidIsValid(privilege_owner(name)) ? 0 :
			 errhint("The generator has no owner. A superuser can give it one with hilo_alter.")));
}

void
privilege_require_owner(text *name)
{
	if (!privilege_may_change(name, GetUserId()))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of generator \"%s\"", text_to_cstring(name))));
}

/*
 * Report an error if a role may not create a generator of that name.  Who may not
 * create on the database takes only the name of the table that it is for.
 */
void
privilege_require_create(text *name, Oid rel, Oid role)
{
	if (definition_is_series(name))
		ereport(ERROR,
				(errcode(ERRCODE_RESERVED_NAME),
				 errmsg("generator name \"%s\" is reserved", text_to_cstring(name)),
				 errdetail("Only the trigger hilo_number_assign makes generators whose names contain \"#\" and end with \")\".")));
	if (DatabaseCreate(role) != ACLCHECK_OK &&
		!(OidIsValid(rel) && relation_has_name(rel, name, false)))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to create generator \"%s\"", text_to_cstring(name)),
				 errdetail("A role without the CREATE privilege on the database creates only generators whose names begin with that of a relation of its own, with its schema, unless that is the schema of hilo."),
				 OidIsValid(rel) && get_rel_persistence(rel) != RELPERSISTENCE_TEMP ?
				 errhint("Use the name %s, or this name with a dot and more behind it.",
						 quote_literal_cstr(relation_name(rel))) :
				 errhint("A role with that privilege can create it with hilo_create.")));
}

/*
 * Report an error if a generator without its table must not become that of another
 * one, or of a role: a column of somebody else, who could use or create it, draws
 * from it.  A table of its name may always have it, whatever columns are planted.
 */
void
privilege_refuse_takeover(text *name, const Definition *orphan, Oid rel, Oid role)
{
	if (OidIsValid(rel))
		role = relation_owner(rel);
	if (OidIsValid(rel) && relation_has_name(rel, name, true))
		return;
	foreach_ptr(ColumnDefault, column, column_default_list(name, NULL, InvalidOid))
	{
		Oid			owner = relation_find_owner(column->relid);

		if (OidIsValid(owner) && !has_privs_of_role(role, owner) &&
			column_default_is_named(column) &&
			(privilege_is_granted(name, orphan, owner) ||
			 DatabaseCreate(owner) == ACLCHECK_OK ||
			 relation_has_name(column->relid, name, false)))
			ereport(ERROR,
					(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
					 errmsg("cannot take over generator \"%s\" because a column of another owner draws from it",
							text_to_cstring(name)),
					 errdetail("Its own table is gone. The column is \"%s\" of table %s.",
							   get_attname(column->relid, column->attnum, false), relation_name(column->relid)),
					 errhint("Use another name, or have a superuser give the generator to a role with hilo_alter.")));
	}
}

/*
 * Check whether a role may watch the server, or may use a generator, and see the
 * rows whose values are in its name if it numbers a group.
 */
bool
privilege_may_see(text *name, const Definition *definition, Oid role)
{
	return has_privs_of_role(role, ROLE_PG_READ_ALL_STATS) ||
		privilege_is_granted(name, definition, role) ||
		(privilege_by_table(definition, role) &&
		 (!definition_is_series(name) ||
		  (pg_class_aclcheck(definition->rel, role, ACL_SELECT) == ACLCHECK_OK &&
		   check_enable_rls(definition->rel, role, true) != RLS_ENABLED)));
}

/* Check whether a role may use a generator as it is, whatever is written to. */
bool
privilege_may_use(text *name, const Definition *definition, Oid role)
{
	return privilege_is_granted(name, definition, role) ||
		privilege_by_table(definition, role);
}

/*
 * Check whether a role may insert into a relation, or through a view among those
 * that the transaction writes to, with the rights of the view's owner.
 */
bool
privilege_may_insert(Oid relid, Oid role, List *written)
{
	List	   *others = list_delete_oid(list_copy(written), relid);

	catalog_watch(relid);
	if (relation_may_insert(relid, role))
		return true;
	foreach_oid(view, others)
	{
		if (get_rel_relkind(view) == RELKIND_VIEW && view_target(view) == relid &&
			relation_may_insert(relid, relation_owner(view)) &&
			privilege_may_insert(view, role, others))
			return true;
	}
	return false;
}

/* Check whether a role may alter, drop, seed and grant a generator. */
bool
privilege_may_change(text *name, Oid role)
{
	return has_privs_of_role(role, privilege_owner(name));
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

/* Check whether a role, be it a superuser or not, owns or was given a generator. */
static bool
is_given_to(text *name, const Definition *definition, Oid role)
{
	return definition->is_public ||
		(OidIsValid(definition->rel) &&
		 has_role(role, relation_find_owner(definition->rel))) ||
		OidIsValid(privilege_granted_to(name, role));
}

static bool
has_role(Oid member, Oid role)
{
	return superuser_arg(member) ? is_member_of_role_nosuper(member, role) :
		has_privs_of_role(member, role);
}

/* Return the relation that an INSERT into a locked view writes to as its owner. */
static Oid
view_target(Oid view)
{
	Relation	rel = relation_open(view, NoLock);
	Oid			target = InvalidOid;
	bool		has_rule = false;

	for (int i = 0; i < rel->rd_rules->numLocks; i++)
		has_rule |= rel->rd_rules->rules[i]->event == CMD_INSERT;
	if (!RelationHasSecurityInvoker(rel) && !has_rule &&
		(rel->trigdesc == NULL || !rel->trigdesc->trig_insert_instead_row))
	{
		Query	   *query = get_view_query(rel);

		if (view_query_is_auto_updatable(query, true) == NULL)
			target = rt_fetch(linitial_node(RangeTblRef, query->jointree->fromlist)->rtindex,
							  query->rtable)->relid;
	}
	relation_close(rel, NoLock);
	return target;
}
