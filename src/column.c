/*-------------------------------------------------------------------------
 *
 * column.c
 *	  An integer column, in its table and those that inherit it.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/column.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "as_owner.h"
#include "column.h"
#include "compat.h"
#include "lock.h"
#include "privilege.h"
#include "range.h"
#include "relation.h"

static void require_owned_table(Oid relid);
static Oid	integer_type(Oid relid, AttrNumber attnum, const char *name);

/*
 * Raises an error if a function's table or column is null.
 */
void
column_refuse_nulls(FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("table must not be null")));
	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("column must not be null")));
}

/*
 * Gives the number of a column, or raises an error if there is no such table
 * or column.
 */
AttrNumber
column_number(Oid relid, const char *name)
{
	AttrNumber	attnum = get_attnum(relid, name);

	(void) relation_owner(relid);
	if (attnum <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist",
						name, get_rel_name(relid))));
	return attnum;
}

/*
 * Locks a table, and all that inherit from it, to the end of the transaction,
 * and gives its column of that name, which must be of an integer type.  Raises
 * an error unless the current role owns the table.
 */
Column
column_lock(Oid relid, const char *name, LOCKMODE lockmode)
{
	Column		column = {.relid = relid, .name = name};

	/* before the lock, which others would wait for; and as it is after a wait */
	require_owned_table(relid);
	lock_table(relid, lockmode);
	require_owned_table(relid);
	column.tables = lock_inheritors(relid, lockmode);

	column.attnum = column_number(relid, name);
	column.type = integer_type(relid, column.attnum, name);
	return column;
}

/*
 * Does as column_lock does, if that needs no waiting, and for an integer column
 * of a table of anybody's.
 */
bool
column_try_lock(Oid relid, const char *name, LOCKMODE lockmode, Column *column)
{
	List	   *tables;
	ListCell   *cell;

	if (!lock_table_without_wait(relid, lockmode))
		return false;
	*column = (Column) {.relid = relid, .name = name};
	column->attnum = column_number(relid, name);
	column->type = getBaseType(get_atttype(relid, column->attnum));
	column->tables = list_make1_oid(relid);

	tables = find_all_inheritors(relid, NoLock, NULL);
	for_each_from(cell, tables, 1)
	{
		if (!lock_table_without_wait(lfirst_oid(cell), lockmode))
		{
			column_unlock(column, lockmode);
			return false;
		}
		column->tables = lappend_oid(column->tables, lfirst_oid(cell));
	}
	return true;
}

/*
 * Gives up what column_lock or column_try_lock locked.
 */
void
column_unlock(const Column *column, LOCKMODE lockmode)
{
	ListCell   *cell;

	foreach(cell, column->tables)
		unlock_table(lfirst_oid(cell), lockmode);
}

/*
 * Check whether ids fit into a type.
 */
bool
column_type_is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

/*
 * Return the last id that fits into a type.
 */
int64
column_type_max(Oid type)
{
	return type == INT2OID ? PG_INT16_MAX :
		type == INT4OID ? PG_INT32_MAX : PG_INT64_MAX;
}

/*
 * Return how many ids for a column of a type one call may take: a small share of
 * those that there are, 1/1024 of smallint and 1/32768 of int.
 */
int64
column_type_range(Oid type)
{
	return type == INT2OID ? RANGE_DEFAULT_SIZE :
		type == INT4OID ? 65536 : RANGE_DEFAULT_MAX_SIZE;
}

/*
 * Read the greatest value of a column as it is now; false, and 0, if there is
 * none.  The tables are locked.  Each is looked at as its owner, whose code an
 * index or a type may have.
 */
bool
column_max(const Column *column, int64 *max)
{
	const char *name = quote_identifier(column->name);
	bool		found = false;
	ListCell   *cell;

	*max = 0;
	foreach(cell, column->tables)
	{
		Oid			relid = lfirst_oid(cell);
		char		relkind = get_rel_relkind(relid);
		int64		value;

		if (relkind == RELKIND_FOREIGN_TABLE)
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("cannot look for the greatest id in foreign table \"%s\"",
							get_rel_name(relid)),
					 errhint("Use hilo_seed, and ALTER TABLE to set the default.")));
		if (relkind == RELKIND_RELATION && relation_is_table(relid) &&
			as_owner_select(relid, psprintf("SELECT max(%s)::int8 FROM ONLY %s",
											name, relation_name(relid)),
							&value))
		{
			*max = found ? Max(*max, value) : value;
			found = true;
		}
	}
	return found;
}

/*
 * Check whether a generator belongs to a role that has not the rights of a
 * table's owner, and could set it back against that one's will.
 */
bool
column_is_foreign(Oid relid, text *name)
{
	Oid			owner = privilege_owner(name);

	return SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(owner)) &&
		!has_privs_of_role(owner, relation_owner(relid));
}

/*
 * Raises an error unless there is such a table, and the current role owns it.
 */
static void
require_owned_table(Oid relid)
{
	char		relkind = get_rel_relkind(relid);

	(void) relation_owner(relid);
	if (relkind != RELKIND_RELATION && relkind != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table", get_rel_name(relid))));
	if (relation_is_system(relid))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied: \"%s\" is a system catalog",
						get_rel_name(relid))));
	if (!RelationIsOwnedBy(relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(relid));
}

/*
 * Gives the type of a column, without the domains over it, or raises an error
 * if it cannot have ids.
 */
static Oid
integer_type(Oid relid, AttrNumber attnum, const char *name)
{
	Oid			type = getBaseType(get_atttype(relid, attnum));

	if (!column_type_is_integer(type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of table \"%s\" is not of an integer type",
						name, get_rel_name(relid)),
				 errdetail("Its type is %s.", format_type_be(type))));
	return type;
}
