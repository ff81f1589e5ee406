/*-------------------------------------------------------------------------
 *
 * inserters.c
 *	  Who may insert into a table.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/inserters.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/syscache.h"

#include "column.h"
#include "inserters.h"

static List *add_columns(Oid relid, List *roles);
static List *add_roles(List *roles, Datum acl);

/*
 * Gives the owner of a table, and the roles that its ACL and those of its columns
 * name for INSERT; ACL_ID_PUBLIC for PUBLIC.
 */
List *
inserters_named(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	List	   *roles;
	Datum		acl;
	bool		isnull;

	if (!HeapTupleIsValid(tuple))
		return NIL;
	roles = list_make1_oid(((Form_pg_class) GETSTRUCT(tuple))->relowner);
	acl = SysCacheGetAttr(RELOID, tuple, Anum_pg_class_relacl, &isnull);
	if (!isnull)
		roles = add_roles(roles, acl);
	ReleaseSysCache(tuple);
	return add_columns(relid, roles);
}

/*
 * Says whether a role may insert into a table, if only into some columns.
 */
bool
inserters_include(Oid relid, Oid role)
{
	return pg_class_aclcheck(relid, role, ACL_INSERT) == ACLCHECK_OK ||
		pg_attribute_aclcheck_all(relid, role, ACL_INSERT,
								  ACLMASK_ANY) == ACLCHECK_OK;
}

/*
 * Adds the roles that the ACLs of a table's columns name.
 */
static List *
add_columns(Oid relid, List *roles)
{
	AttrNumber	count = column_count(relid);

	for (AttrNumber attnum = 1; attnum <= count; attnum++)
	{
		HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(relid),
											Int16GetDatum(attnum));
		Datum		acl;
		bool		isnull;

		if (!HeapTupleIsValid(tuple))
			continue;
		acl = SysCacheGetAttr(ATTNUM, tuple, Anum_pg_attribute_attacl, &isnull);
		if (!isnull)
			roles = add_roles(roles, acl);
		ReleaseSysCache(tuple);
	}
	return roles;
}

static List *
add_roles(List *roles, Datum acl)
{
	Acl		   *items = DatumGetAclP(acl);

	for (int i = 0; i < ACL_NUM(items); i++)
	{
		AclItem    *item = &ACL_DAT(items)[i];

		if (ACLITEM_GET_PRIVS(*item) & ACL_INSERT)
			roles = list_append_unique_oid(roles, item->ai_grantee);
	}
	return roles;
}
