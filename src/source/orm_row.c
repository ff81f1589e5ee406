/*
 * The row that an ORM takes its hi from, as a background worker changes it.
 *
 * The row is changed as core changes a row of a catalog: it is found, locked,
 * formed anew and updated, and its index entries are made, all without the
 * executor.  No trigger, rule or policy is looked at, and no expression is
 * evaluated: nobody's code runs.  So a table is refused where code of somebody
 * would have to run for the change to be right: where row security applies, a
 * rule stands in place of the change, a CHECK constraint or a generated column
 * may depend on it, or a type or an index is not built in and plain.
 *
 * A row or a table that somebody holds is not waited for here.  The answer names
 * the holder, and the session waits, which the detector of deadlocks sees.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/indexing.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "executor/executor.h"
#include "optimizer/optimizer.h"
#include "storage/bufmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "source/source.h"

/* The table, and the columns of the change; 0: it has none. */
typedef struct OrmRow
{
	const RowChange *change;
	Relation	rel;
	AttrNumber	hi;
	AttrNumber	key;
	AttrNumber	count;
} OrmRow;

typedef enum Found
{
	ROW_CHANGED,
	ROW_HELD,					/* by somebody */
	ROW_MOVED					/* to be looked for again */
} Found;

static OrmRow row_in(Relation rel, const RowChange *change);
static AttrNumber number_of(Oid relid, const NameData *column);
static Found change_row(const OrmRow *row, OrmAnswer *answer);
static int	find_rows(const OrmRow *row, Snapshot snapshot, HeapTuple found);
static bool has_key(const OrmRow *row, HeapTuple tuple);
static Found lock_row(const OrmRow *row, HeapTuple tuple, OrmAnswer *answer);
static void update_row(const OrmRow *row, HeapTuple tuple, OrmAnswer *answer);
static void insert_row(const OrmRow *row);
static HeapTuple form_row(const OrmRow *row, HeapTuple before, int64 hi,
						  int64 count);
static void require_plain(const OrmRow *row);
static void require_plain_type(const OrmRow *row, AttrNumber attnum);
static void require_plain_check(const OrmRow *row, const char *expression);
static void require_plain_index(const OrmRow *row, Oid indexid);
static bool is_built_in(Relation index);
pg_noreturn static void refuse(const OrmRow *row, const char *detail,
							   const char *hint);
static void require_right(const OrmRow *row, AttrNumber attnum, AclMode mode);
static int64 number_in(const OrmRow *row, HeapTuple tuple, AttrNumber attnum);
static Datum value_for(const OrmRow *row, AttrNumber attnum, const char *text,
					   bool with_typmod);

/*
 * Report an error unless the row of a table can be changed as it says.  The
 * caller has no lock.
 */
void
orm_row_check(const RowChange *change)
{
	Relation	rel = table_open(change->relid, AccessShareLock);
	OrmRow		row = row_in(rel, change);

	require_plain(&row);
	table_close(rel, NoLock);
}

/*
 * Change the row, and make it first if it is missing.  Without waiting: if
 * somebody holds it, or the table, nothing is changed, and the answer says so.
 *
 * The session has the lock of the row, so no other worker is at work on it.
 */
void
orm_row_change(const RowChange *change, OrmAnswer *answer)
{
	Relation	rel;
	OrmRow		row;
	Found		found;

	answer->is_held = !ConditionalLockRelationOid(change->relid, RowExclusiveLock);
	if (answer->is_held)
		return;
	rel = try_table_open(change->relid, NoLock);
	if (rel == NULL)
		relation_refuse_missing(change->relid);
	row = row_in(rel, change);
	require_plain(&row);
	require_right(&row, row.hi, ACL_SELECT);
	require_right(&row, row.hi, ACL_UPDATE);
	require_right(&row, row.count, ACL_SELECT);
	require_right(&row, row.count, ACL_UPDATE);
	require_right(&row, row.key, ACL_SELECT);
	while ((found = change_row(&row, answer)) == ROW_MOVED)
		CHECK_FOR_INTERRUPTS();
	answer->is_held = found == ROW_HELD;
	table_close(rel, NoLock);
}

static OrmRow
row_in(Relation rel, const RowChange *change)
{
	OrmRow		row = {
		change, rel, number_of(change->relid, &change->hi_column),
		number_of(change->relid, &change->key_column),
		number_of(change->relid, &change->count_column)
	};

	return row;
}

/* Return the number of a column, 0 for none. */
static AttrNumber
number_of(Oid relid, const NameData *column)
{
	return NameStr(*column)[0] == '\0' ? 0 :
		column_number(relid, NameStr(*column));
}

/*
 * Change the row if nobody holds it, or make it if it is missing.
 *
 * Only a snapshot of what is committed shows each row once, however often it
 * moves meanwhile.  A row that somebody is about to make is in no such snapshot,
 * but in a dirty one.
 */
static Found
change_row(const OrmRow *row, OrmAnswer *answer)
{
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	SnapshotData dirty;
	HeapTupleData tuple;
	int			count = find_rows(row, snapshot, &tuple);

	UnregisterSnapshot(snapshot);
	if (count == 1)
		return lock_row(row, &tuple, answer);
	if (count > 1)
		ereport(ERROR,
				(errcode(ERRCODE_CARDINALITY_VIOLATION),
				 errmsg("more than one row of table \"%s\" could be the source",
						RelationGetRelationName(row->rel)),
				 errhint("Adopt the table with a key_column and a key_value of one row.")));
	InitDirtySnapshot(dirty);
	if (find_rows(row, &dirty, &tuple) == 0)
		insert_row(row);
	else if (TransactionIdIsValid(dirty.xmin))
	{
		answer->holder = dirty.xmin;
		return ROW_HELD;
	}
	return ROW_MOVED;
}

/*
 * Count the rows of the key, and set the tuple to where the last one is.  With a
 * dirty snapshot the first one counts, and the snapshot tells who makes it.
 */
static int
find_rows(const OrmRow *row, Snapshot snapshot, HeapTuple found)
{
	TableScanDesc scan = BeginTableScan(row->rel, snapshot);
	HeapTuple	tuple;
	int			count = 0;

	while ((count == 0 || snapshot->snapshot_type != SNAPSHOT_DIRTY) &&
		   (tuple = heap_getnext(scan, ForwardScanDirection)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (!has_key(row, tuple))
			continue;
		*found = *tuple;
		count++;
	}
	table_endscan(scan);
	return count;
}

static bool
has_key(const OrmRow *row, HeapTuple tuple)
{
	TupleDesc	desc = RelationGetDescr(row->rel);
	Form_pg_attribute column;
	TypeCacheEntry *type;
	Datum		key;
	bool		isnull;

	if (row->key == 0)
		return true;
	column = TupleDescAttr(desc, row->key - 1);
	type = lookup_type_cache(column->atttypid, TYPECACHE_EQ_OPR_FINFO);
	key = heap_getattr(tuple, row->key, desc, &isnull);
	return !isnull &&
		DatumGetBool(FunctionCall2Coll(&type->eq_opr_finfo,
									   column->attcollation, key,
									   value_for(row, row->key,
												 row->change->key_value,
												 false)));
}

/*
 * Lock the row where it is, so that the update waits for nobody, and change it.
 */
static Found
lock_row(const OrmRow *row, HeapTuple tuple, OrmAnswer *answer)
{
	TM_FailureData failure;
	Buffer		buffer;
	TM_Result	result = heap_lock_tuple(row->rel, tuple, GetCurrentCommandId(true),
										 LockTupleExclusive, LockWaitSkip,
										 false, &buffer, &failure);

	if (result == TM_Ok)
		update_row(row, tuple, answer);
	/* of several who share the lock, none is named */
	else if (result == TM_WouldBlock &&
			 ((tuple->t_data->t_infomask & HEAP_XMAX_IS_MULTI) == 0 ||
			  !HEAP_XMAX_IS_LOCKED_ONLY(tuple->t_data->t_infomask)))
		answer->holder = failure.xmax;
	ReleaseBuffer(buffer);
	return result == TM_Ok ? ROW_CHANGED :
		result == TM_WouldBlock ? ROW_HELD : ROW_MOVED;
}

static void
update_row(const OrmRow *row, HeapTuple tuple, OrmAnswer *answer)
{
	const RowChange *change = row->change;
	int64		hi;

	if (pg_add_s64_overflow(number_in(row, tuple, row->hi), change->add, &hi))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("bigint out of range")));
	hi = Max(hi, change->at_least);
	CheckCmdReplicaIdentity(row->rel, CMD_UPDATE);
	CatalogTupleUpdate(row->rel, &tuple->t_self,
					   form_row(row, tuple, hi, row->count == 0 ? 0 :
								number_in(row, tuple, row->count) + 1));
	answer->stored = hi - change->add;
}

/* Make the row as the ORM would, if no expression decides what is in it. */
static void
insert_row(const OrmRow *row)
{
	TupleDesc	desc = RelationGetDescr(row->rel);
	bool		is_plain = desc->constr == NULL || desc->constr->num_check == 0;

	for (AttrNumber attnum = 1; attnum <= desc->natts; attnum++)
	{
		Form_pg_attribute column = TupleDescAttr(desc, attnum - 1);

		if (attnum == row->hi || attnum == row->key || attnum == row->count)
			require_right(row, attnum, ACL_INSERT);
		else if (column->attnotnull || column->atthasdef ||
				 column->attidentity != '\0' ||
				 get_typtype(column->atttypid) == TYPTYPE_DOMAIN)
			is_plain = false;
	}
	if (!is_plain)
		refuse(row, "The row is missing, and the table has a CHECK constraint, or a default, NOT NULL or a domain on another column.",
			   "Insert the row as the ORM would.");
	CatalogTupleInsert(row->rel, form_row(row, NULL, row->change->first, 0));
	CommandCounterIncrement();
}

/* Return the row with another hi and count, or a new one if there was none. */
static HeapTuple
form_row(const OrmRow *row, HeapTuple before, int64 hi, int64 count)
{
	TupleDesc	desc = RelationGetDescr(row->rel);
	Datum		values[MaxHeapAttributeNumber + 1];
	bool		nulls[MaxHeapAttributeNumber + 1];
	bool		replaced[MaxHeapAttributeNumber + 1] = {0};

	/* places 0 are of columns that the table does not have */
	memset(nulls, true, sizeof(nulls));
	values[row->hi] = value_for(row, row->hi, psprintf(INT64_FORMAT, hi), true);
	if (row->key != 0 && before == NULL)
		values[row->key] = value_for(row, row->key, row->change->key_value, true);
	if (row->count != 0)
		values[row->count] = value_for(row, row->count,
									   psprintf(INT64_FORMAT, count), true);
	nulls[row->hi] = nulls[row->key] = nulls[row->count] = false;
	if (before == NULL)
		return heap_form_tuple(desc, values + 1, nulls + 1);
	replaced[row->hi] = replaced[row->count] = true;
	return heap_modify_tuple(before, desc, values + 1, nulls + 1, replaced + 1);
}

/*
 * Report an error if something of somebody's would have to be evaluated for a
 * change of the row.
 */
static void
require_plain(const OrmRow *row)
{
	Relation	rel = row->rel;
	TupleConstr *constr = RelationGetDescr(rel)->constr;

	relation_require_permanent(RelationGetRelid(rel), true);
	if (rel->rd_rel->relkind != RELKIND_RELATION ||
		rel->rd_rel->relam != HEAP_TABLE_AM_OID || rel->rd_rel->relispartition ||
		find_inheritance_children(RelationGetRelid(rel), NoLock) != NIL ||
		citus_has_rows_of(RelationGetRelid(rel)))
		refuse(row, "It has or is a partition, is distributed, or is no heap.",
			   "Have the ORM use an ordinary table.");
	if (rel->rd_rules != NULL)
		refuse(row, "It has a rule.", "Drop the rule.");
	if (check_enable_rls(RelationGetRelid(rel), row->change->actor, true) == RLS_ENABLED)
		refuse(row, "Row security applies to the role that changes the row.",
			   "Give the generator to a role that bypasses row security, or disable that for the table.");
	require_plain_type(row, row->hi);
	require_plain_type(row, row->key);
	require_plain_type(row, row->count);
	if (constr != NULL && HasGeneratedColumn(constr))
		refuse(row, "It has a generated column.",
			   "Drop the column, or its expression.");
	for (int i = 0; constr != NULL && i < constr->num_check; i++)
		require_plain_check(row, constr->check[i].ccbin);
	foreach_oid(indexid, RelationGetIndexList(rel))
		require_plain_index(row, indexid);
}

/* Report an error if the type of a column is not one of a few. */
static void
require_plain_type(const OrmRow *row, AttrNumber attnum)
{
	static const Oid plain[] = {
		INT2OID, INT4OID, INT8OID, NUMERICOID, TEXTOID, VARCHAROID, BPCHAROID
	};
	Form_pg_attribute column = TupleDescAttr(RelationGetDescr(row->rel),
											 attnum - 1);

	for (size_t i = 0; i < lengthof(plain); i++)
	{
		if (attnum == 0 || column->atttypid == plain[i])
			return;
	}
	refuse(row, psprintf("The type of its column \"%s\" is %s.",
						 NameStr(column->attname),
						 format_type_be(column->atttypid)),
		   "The column must be an integer, numeric, or a text, and not a domain.");
}

/* Report an error if a CHECK constraint is about a column that is changed. */
static void
require_plain_check(const OrmRow *row, const char *expression)
{
	Bitmapset  *columns = NULL;

	pull_varattnos(stringToNode(expression), 1, &columns);
	/* without a count that is 0, which also stands for the whole row */
	if (bms_is_member(0 - FirstLowInvalidHeapAttributeNumber, columns) ||
		bms_is_member(row->hi - FirstLowInvalidHeapAttributeNumber, columns) ||
		bms_is_member(row->count - FirstLowInvalidHeapAttributeNumber, columns))
		refuse(row, "It has a CHECK constraint on a column that is changed.",
			   "Drop the constraint.");
}

/* Report an error if an entry of an index takes more than what is built in. */
static void
require_plain_index(const OrmRow *row, Oid indexid)
{
	Relation	index = index_open(indexid, AccessShareLock);

	if (!heap_attisnull(index->rd_indextuple, Anum_pg_index_indexprs, NULL) ||
		!heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) ||
		index->rd_index->indisexclusion || !index->rd_index->indimmediate ||
		!is_built_in(index))
		refuse(row, psprintf("Its index \"%s\" is on an expression, partial, deferrable, an exclusion constraint, or of a type, operator class or access method that is not built in.",
							 RelationGetRelationName(index)),
			   "Drop the index, or replace it by a plain one.");
	index_close(index, NoLock);
}

static bool
is_built_in(Relation index)
{
	bool		isnull;
	Datum		classes = SysCacheGetAttr(INDEXRELID, index->rd_indextuple,
										  Anum_pg_index_indclass, &isnull);
	bool		built_in = index->rd_rel->relam < FirstNormalObjectId;

	for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); i++)
		built_in = built_in &&
			((oidvector *) DatumGetPointer(classes))->values[i] < FirstNormalObjectId &&
			TupleDescAttr(RelationGetDescr(index), i)->atttypid < FirstNormalObjectId;
	return built_in;
}

/* Report the error of a table whose row cannot be changed. */
static void
refuse(const OrmRow *row, const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("table \"%s\" cannot be the source of a generator",
					RelationGetRelationName(row->rel)),
			 errdetail_internal("%s", detail),
			 errhint("%s", hint)));
}

/*
 * Report an error unless the generator's owner has the right to a column, if
 * there is one.
 */
static void
require_right(const OrmRow *row, AttrNumber attnum, AclMode mode)
{
	const RowChange *change = row->change;

	if (attnum != 0 &&
		pg_class_aclcheck(change->relid, change->actor, mode) != ACLCHECK_OK &&
		pg_attribute_aclcheck(change->relid, attnum, change->actor, mode) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE,
					   RelationGetRelationName(row->rel));
}

/* Return the number that a column of a row holds as a number or as text. */
static int64
number_in(const OrmRow *row, HeapTuple tuple, AttrNumber attnum)
{
	TupleDesc	desc = RelationGetDescr(row->rel);
	Oid			output;
	bool		is_varlena;
	bool		isnull;
	Datum		value = heap_getattr(tuple, attnum, desc, &isnull);

	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the row of table \"%s\" must not hold a null",
						RelationGetRelationName(row->rel))));
	getTypeOutputInfo(TupleDescAttr(desc, attnum - 1)->atttypid, &output,
					  &is_varlena);
	value = DirectFunctionCall3(numeric_in,
								CStringGetDatum(OidOutputFunctionCall(output, value)),
								ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
	return DatumGetInt64(DirectFunctionCall1(numeric_int8, value));
}

/* Return a text as a value of a column's type, with its length and precision. */
static Datum
value_for(const OrmRow *row, AttrNumber attnum, const char *text,
		  bool with_typmod)
{
	Form_pg_attribute column = TupleDescAttr(RelationGetDescr(row->rel),
											 attnum - 1);
	Oid			input;
	Oid			parameter;

	getTypeInputInfo(column->atttypid, &input, &parameter);
	return OidInputFunctionCall(input, unconstify(char *, text), parameter,
								with_typmod ? column->atttypmod : -1);
}
