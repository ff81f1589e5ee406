/*-------------------------------------------------------------------------
 *
 * column.c
 *	  An integer column, in its table and those that inherit it.
 *
 * Its greatest value is read without a query: row security hides nothing from
 * that, nothing of the table owner's is evaluated, and the snapshot is one that
 * shows what is committed now under any isolation level, and could not fail a
 * serializable transaction.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/column.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/catalog.h"
#include "catalog/dependency.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "catalog.h"
#include "column.h"
#include "compat.h"
#include "lock.h"
#include "relation.h"

/*
 * The greatest value seen so far.
 */
typedef struct Greatest
{
	bool		found;
	int64		value;
} Greatest;

static void require_owned_table(Oid relid);
static Oid	integer_type(Oid relid, AttrNumber attnum, const char *name);
static void max_in_table(Relation rel, AttrNumber attnum, Oid type,
						 Snapshot snapshot, Greatest *greatest);
static Relation open_index_on(Relation rel, AttrNumber attnum);
static bool is_index_on(Relation index, AttrNumber attnum);
static void max_in_index(Relation rel, Relation index, AttrNumber attnum,
						 Oid type, Snapshot snapshot, Greatest *greatest);
static void max_in_rows(Relation rel, AttrNumber attnum, Oid type,
						Snapshot snapshot, Greatest *greatest);
static void consider(Datum datum, bool isnull, Oid type, Greatest *greatest);

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
 * Gives the number of a table's last column, or raises an error if there is
 * no such table.
 */
AttrNumber
column_count(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	AttrNumber	count;

	if (!HeapTupleIsValid(tuple))
		relation_refuse_missing(relid);
	count = ((Form_pg_class) GETSTRUCT(tuple))->relnatts;
	ReleaseSysCache(tuple);
	return count;
}

/*
 * Gives the number of a column, or raises an error if there is no such table
 * or column.
 */
AttrNumber
column_number(Oid relid, const char *name)
{
	AttrNumber	attnum;

	(void) column_count(relid);
	attnum = get_attnum(relid, name);
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
 * Says whether ids fit into a type.
 */
bool
column_type_is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

/*
 * Gives the last id that fits into a type.
 */
int64
column_type_max(Oid type)
{
	switch (type)
	{
		case INT2OID:
			return PG_INT16_MAX;
		case INT4OID:
			return PG_INT32_MAX;
		default:
			return PG_INT64_MAX;
	}
}

/*
 * Says whether a table has its column from one that it inherits from.
 */
bool
column_is_inherited(Oid relid, AttrNumber attnum)
{
	HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(relid),
										Int16GetDatum(attnum));
	bool		inherited = false;

	if (HeapTupleIsValid(tuple))
	{
		inherited = ((Form_pg_attribute) GETSTRUCT(tuple))->attinhcount > 0;
		ReleaseSysCache(tuple);
	}
	return inherited;
}

/*
 * Says whether some of the rows are in a foreign table.
 */
bool
column_has_foreign(const Column *column)
{
	ListCell   *cell;

	foreach(cell, column->tables)
	{
		if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_FOREIGN_TABLE)
			return true;
	}
	return false;
}

/*
 * Reads the greatest value of a column as it is now; false if there is none.
 * The tables are locked.  Without a lock that keeps writers out, a row that is
 * being replaced meanwhile may be missed.
 */
bool
column_max(const Column *column, int64 *max)
{
	Greatest	greatest = {false, 0};
	Snapshot	snapshot = catalog_latest_snapshot();
	ListCell   *cell;

	foreach(cell, column->tables)
	{
		Relation	rel = table_open(lfirst_oid(cell), NoLock);

		if (rel->rd_rel->relkind == RELKIND_FOREIGN_TABLE)
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("cannot look for the greatest id in foreign table \"%s\"",
							RelationGetRelationName(rel)),
					 errhint("Use hilo_seed, and ALTER TABLE to set the default.")));
		if (rel->rd_rel->relkind == RELKIND_RELATION &&
			!RELATION_IS_OTHER_TEMP(rel))
			max_in_table(rel, get_attnum(RelationGetRelid(rel), column->name),
						 column->type, snapshot, &greatest);
		table_close(rel, NoLock);
	}
	catalog_end_snapshot(snapshot);
	*max = greatest.value;
	return greatest.found;
}

/*
 * Raises an error unless there is such a table, and the current role owns it.
 */
static void
require_owned_table(Oid relid)
{
	char		relkind;

	(void) column_count(relid);
	relkind = get_rel_relkind(relid);
	if (relkind != RELKIND_RELATION && relkind != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table", get_rel_name(relid))));
	if (IsCatalogRelationOid(relid))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied: \"%s\" is a system catalog",
						get_rel_name(relid))));
	if (getExtensionOfObject(RelationRelationId, relid) ==
		get_extension_oid("hilo", false))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied: \"%s\" is a table of hilo",
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

	if (get_attgenerated(relid, attnum) != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("column \"%s\" of table \"%s\" is a generated column",
						name, get_rel_name(relid))));
	if (!column_type_is_integer(type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of table \"%s\" is not of an integer type",
						name, get_rel_name(relid)),
				 errdetail("Its type is %s.", format_type_be(type))));
	return type;
}

/*
 * Looks for the greatest value of a column in one table.
 */
static void
max_in_table(Relation rel, AttrNumber attnum, Oid type, Snapshot snapshot,
			 Greatest *greatest)
{
	Relation	index = open_index_on(rel, attnum);

	if (index == NULL)
	{
		max_in_rows(rel, attnum, type, snapshot, greatest);
		return;
	}
	max_in_index(rel, index, attnum, type, snapshot, greatest);
	index_close(index, AccessShareLock);
}

/*
 * Opens an index that has all values of the column in their order; NULL if
 * there is none.
 */
static Relation
open_index_on(Relation rel, AttrNumber attnum)
{
	List	   *indexes = RelationGetIndexList(rel);
	ListCell   *cell;

	foreach(cell, indexes)
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		if (is_index_on(index, attnum))
		{
			list_free(indexes);
			return index;
		}
		index_close(index, AccessShareLock);
	}
	list_free(indexes);
	return NULL;
}

static bool
is_index_on(Relation index, AttrNumber attnum)
{
	return index->rd_rel->relam == BTREE_AM_OID &&
		index->rd_index->indisvalid &&
		index->rd_index->indkey.values[0] == attnum &&
		index->rd_opfamily[0] == INTEGER_BTREE_FAM_OID &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL);
}

static void
max_in_index(Relation rel, Relation index, AttrNumber attnum, Oid type,
			 Snapshot snapshot, Greatest *greatest)
{
	bool		descending = (index->rd_indoption[0] & INDOPTION_DESC) != 0;
	ScanKeyData not_null;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyEntryInitialize(&not_null, SK_ISNULL | SK_SEARCHNOTNULL, attnum,
						   InvalidStrategy, InvalidOid, InvalidOid, InvalidOid,
						   (Datum) 0);
	scan = systable_beginscan_ordered(rel, index, snapshot, 1, &not_null);
	tuple = systable_getnext_ordered(scan, descending ? ForwardScanDirection :
									 BackwardScanDirection);
	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;
		Datum		datum = heap_getattr(tuple, attnum, RelationGetDescr(rel),
										 &isnull);

		consider(datum, isnull, type, greatest);
	}
	systable_endscan_ordered(scan);
}

static void
max_in_rows(Relation rel, AttrNumber attnum, Oid type, Snapshot snapshot,
			Greatest *greatest)
{
	TableScanDesc scan = table_beginscan(rel, snapshot, 0, NULL);
	TupleTableSlot *slot = table_slot_create(rel, NULL);

	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		bool		isnull;
		Datum		datum = slot_getattr(slot, attnum, &isnull);

		CHECK_FOR_INTERRUPTS();
		consider(datum, isnull, type, greatest);
	}
	ExecDropSingleTupleTableSlot(slot);
	table_endscan(scan);
}

static void
consider(Datum datum, bool isnull, Oid type, Greatest *greatest)
{
	int64		value;

	if (isnull)
		return;
	if (type == INT2OID)
		value = DatumGetInt16(datum);
	else if (type == INT4OID)
		value = DatumGetInt32(datum);
	else
		value = DatumGetInt64(datum);

	if (!greatest->found || value > greatest->value)
		greatest->value = value;
	greatest->found = true;
}
