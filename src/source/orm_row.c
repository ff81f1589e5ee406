/*
 * The row of an ORM's hi, and how a background worker changes it.
 *
 * The worker changes the row like core changes a row of a catalog: it finds,
 * locks, forms and updates the row with its index entries, without the
 * executor.  It looks at no trigger, rule or policy and evaluates no
 * expression, so no role's code runs.  A table is refused if the change would
 * be wrong without such code: if row security or triggers apply to the
 * generator's owner, if there is a rule, a CHECK constraint or a generated
 * column, or if a type or an index is not a plain one of core's.
 *
 * The worker does not wait for a locked row or table.  It answers with the
 * holder, and the session waits, so that deadlocks are detected.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "catalog/indexing.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_inherits.h"
#include "executor/executor.h"
#include "executor/spi.h"
#include "storage/bufmgr.h"
#include "utils/rls.h"
#include "utils/typcache.h"

#include "source/source.h"

/* The table, and the columns of the change; 0: it has none. */
typedef struct OrmRow
{
	const OrmSource *source;
	Relation	rel;
	AttrNumber	hi;
	AttrNumber	key;
	AttrNumber	count;			/* of the changes of the row */
	Oid			key_index;		/* the primary key, if that is the key */
} OrmRow;

/* what the ORM stores in a new row */
#define FirstOf(source) ((source)->initial - (source)->style->offset)

/* how many keys an error names */
#define SHOWN_KEYS 10

static OrmRow open_row(const OrmSource *source);
static TM_Result change_row(const OrmRow *row, OrmChange *change);
static int	find_rows(const OrmRow *row, Snapshot snapshot, int limit,
					  HeapTuple found);
static ScanKeyData key_of(const OrmRow *row, const char *value);
static TM_Result lock_row(const OrmRow *row, HeapTuple tuple,
						  TransactionId *holder);
static int64 update_row(const OrmRow *row, HeapTuple tuple,
						const OrmChange *change);
static void refuse_beside_others(const OrmRow *row, bool with_keys);
static void insert_row(const OrmRow *row);
static void require_plain(const OrmRow *row);
static void require_plain_type(const OrmRow *row, AttrNumber attnum);
static void require_plain_index(const OrmRow *row, Oid indexid);
pg_noreturn static void report(const OrmRow *row, const char *detail,
							   const char *hint);
static void require_right(const OrmRow *row, AttrNumber attnum, AclMode mode);
static int64 number_in(const OrmRow *row, HeapTuple tuple, AttrNumber attnum);

/*
 * Report an error unless the row can be changed as the source says, and is
 * there, or none of another key is.
 */
void
orm_row_check(const OrmSource *source)
{
	OrmRow		row = open_row(source);
	SnapshotData dirty;
	HeapTupleData tuple;

	require_plain(&row);
	InitDirtySnapshot(dirty);
	/* the type of the column must accept the key */
	if (find_rows(&row, &dirty, 1, &tuple) == 0)
		refuse_beside_others(&row, true);
	table_close(row.rel, NoLock);
}

/* Check whether a key is the source's, as the type of the column compares. */
bool
orm_row_is_key(const OrmSource *source, const char *key_value)
{
	OrmRow		row = open_row(source);
	bool		is_equal = true;

	if (row.key != 0)
	{
		ScanKeyData key;
		ScanKeyData other;

		/* the owner may have altered it, and this may be another role */
		require_plain_type(&row, row.key);
		key = key_of(&row, source->key_value);
		other = key_of(&row, key_value);
		is_equal =
			DatumGetBool(FunctionCall2Coll(&key.sk_func, key.sk_collation,
										   key.sk_argument,
										   other.sk_argument));
	}
	table_close(row.rel, AccessShareLock);
	return is_equal;
}

/*
 * Take blocks out of the row, or raise it; insert it first if it is missing.
 * If it, or the table, is locked, change nothing, and set is_held.
 *
 * The session has the lock of the source, so no other worker changes the row.
 */
void
orm_row_change(const OrmSource *source, OrmChange *change)
{
	TM_Result	result;
	OrmRow		row;

	change->holder = InvalidTransactionId;
	change->is_held = !ConditionalLockRelationOid(source->relid,
												  RowExclusiveLock);
	if (change->is_held)
		return;
	relation_require_kind(source->relid, true, true, InvalidOid);
	row = open_row(source);
	require_plain(&row);
	require_right(&row, row.key, ACL_SELECT);
	require_right(&row, row.hi, ACL_SELECT);
	require_right(&row, row.hi, ACL_UPDATE);
	require_right(&row, row.count, ACL_SELECT);
	require_right(&row, row.count, ACL_UPDATE);
	do
	{
		CHECK_FOR_INTERRUPTS();
		result = change_row(&row, change);
	} while (result != TM_Ok && result != TM_WouldBlock);
	change->is_held = result == TM_WouldBlock;
	table_close(row.rel, NoLock);
}

static OrmRow
open_row(const OrmSource *source)
{
	const char *key = NameStr(source->key_column);
	const char *count = source->style->count_column;
	OrmRow		row = {
		.source = source,
		.rel = table_open(source->relid, AccessShareLock),
		.hi = column_require_attnum(source->relid, NameStr(source->hi_column)),
		.key = *key == '\0' ? 0 : column_require_attnum(source->relid, key),
		.count = count == NULL ?
		0 : column_require_attnum(source->relid, count)
	};
	Bitmapset  *primary;

	primary = RelationGetIndexAttrBitmap(row.rel,
										 INDEX_ATTR_BITMAP_PRIMARY_KEY);
	if (bms_equal(primary,
				  bms_make_singleton(row.key - FirstLowInvalidHeapAttributeNumber)))
		row.key_index = RelationGetPrimaryKeyIndex(row.rel, false);
	return row;
}

/*
 * Change the row if it is not locked, or insert it if it is missing.  The caller
 * must call again unless the result is TM_Ok or TM_WouldBlock.
 *
 * Only a snapshot of what is committed shows each row once, however often it is
 * updated meanwhile.  Only a dirty one shows a row that another transaction has
 * inserted and not committed.
 */
static TM_Result
change_row(const OrmRow *row, OrmChange *change)
{
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	SnapshotData dirty;
	HeapTupleData tuple;
	int			count = find_rows(row, snapshot, 2, &tuple);
	TM_Result	result;

	UnregisterSnapshot(snapshot);
	if (count > 1)
		ereport(ERROR,
				errcode(ERRCODE_CARDINALITY_VIOLATION),
				errmsg("more than one row of table \"%s\" could be the source",
					   RelationGetRelationName(row->rel)),
				errhint("Adopt the table with a key_column and a key_value of one row."));
	if (count == 1)
	{
		result = lock_row(row, &tuple, &change->holder);
		if (result == TM_Ok)
			change->stored = update_row(row, &tuple, change);
		return result;
	}
	InitDirtySnapshot(dirty);
	/* a dirty scan leaves the xmin of the row that it saw last: look for one */
	if (find_rows(row, &dirty, 1, &tuple) == 0)
	{
		change->stored = FirstOf(row->source);
		/* a missing row is as good as the first one */
		if (change->blocks == 0 && change->at_least <= change->stored)
			return TM_Ok;
		if (!change->beside_others)
			refuse_beside_others(row, false);
		insert_row(row);
	}
	else if (TransactionIdIsValid(dirty.xmin))
	{
		change->holder = dirty.xmin;
		return TM_WouldBlock;
	}
	return TM_Updated;
}

/* Count the rows of the key up to a limit; set found to the last of them. */
static int
find_rows(const OrmRow *row, Snapshot snapshot, int limit, HeapTuple found)
{
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	int			count = 0;

	if (row->key != 0)
		key = key_of(row, row->source->key_value);
	scan = systable_beginscan(row->rel, row->key_index,
							  OidIsValid(row->key_index),
							  snapshot, row->key != 0, &key);
	while (count < limit && (tuple = systable_getnext(scan)) != NULL)
	{
		*found = *tuple;
		count++;
	}
	systable_endscan(scan);
	return count;
}

static ScanKeyData
key_of(const OrmRow *row, const char *value)
{
	Form_pg_attribute column = TupleDescAttr(RelationGetDescr(row->rel),
											 row->key - 1);
	TypeCacheEntry *type = lookup_type_cache(column->atttypid,
											 TYPECACHE_EQ_OPR_FINFO);
	ScanKeyData key;

	ScanKeyEntryInitializeWithInfo(&key, 0, row->key, BTEqualStrategyNumber,
								   InvalidOid,
								   column->attcollation, &type->eq_opr_finfo,
								   column_input(column, value));
	return key;
}

/* Lock the row, so that the update does not wait; or return its holder. */
static TM_Result
lock_row(const OrmRow *row, HeapTuple tuple, TransactionId *holder)
{
	TM_FailureData failure;
	Buffer		buffer;
	TM_Result	result = heap_lock_tuple(row->rel, tuple,
										 GetCurrentCommandId(true),
										 LockTupleExclusive, LockWaitSkip,
										 false, &buffer, &failure);

	/* if several share the lock, name none */
	if (result == TM_WouldBlock &&
		((tuple->t_data->t_infomask & HEAP_XMAX_IS_MULTI) == 0 ||
		 !HEAP_XMAX_IS_LOCKED_ONLY(tuple->t_data->t_infomask)))
		*holder = failure.xmax;
	*tuple = *heap_copytuple(tuple);
	ReleaseBuffer(buffer);
	return result;
}

/* Update the locked row; return the value of its blocks, or the next one. */
static int64
update_row(const OrmRow *row, HeapTuple tuple, const OrmChange *change)
{
	HeapTuple	changed;
	int64		taken;
	int64		hi;

	if (pg_mul_s64_overflow(change->blocks, OrmStep(row->source), &taken) ||
		pg_add_s64_overflow(number_in(row, tuple, row->hi), taken, &hi))
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("bigint out of range"));
	hi = Max(hi, change->at_least);
	changed = column_assign(row->rel, tuple, row->hi,
							psprintf(INT64_FORMAT, hi));
	if (row->count != 0)
		changed = column_assign(row->rel, changed, row->count,
								psprintf(INT64_FORMAT,
										 number_in(row, tuple,
												   row->count) + 1));
	CheckCmdReplicaIdentity(row->rel, CMD_UPDATE);
	CatalogTupleUpdate(row->rel, &tuple->t_self, changed);
	return hi - taken;
}

/*
 * Report an error if the table has rows of other keys: the missing one may be
 * misspelt, and a second stream.
 */
static void
refuse_beside_others(const OrmRow *row, bool with_keys)
{
	const OrmSource *source = row->source;
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	SysScanDesc scan = systable_beginscan(row->rel, InvalidOid, false, snapshot,
										  0, NULL);
	StringInfo	keys = makeStringInfo();
	const char *count = source->style->count_column;
	HeapTuple	tuple;

	for (int n = 0; n < SHOWN_KEYS &&
		 HeapTupleIsValid(tuple = systable_getnext(scan)); n++)
		appendStringInfo(keys, ", \"%s\"",
						 SPI_getvalue(tuple, RelationGetDescr(row->rel),
									  row->key));
	systable_endscan(scan);
	UnregisterSnapshot(snapshot);
	if (keys->len > 0)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("table \"%s\" has no row with the key \"%s\"",
					   RelationGetRelationName(row->rel), source->key_value),
				!with_keys ? 0 :
				errdetail("It has rows with the keys %s.", keys->data + 2),
				errhint("If the ORM is to have such a row, run INSERT INTO %s (%s, %s%s%s) VALUES (%s, %lld%s).",
						relation_name(source->relid),
						quote_identifier(NameStr(source->key_column)),
						quote_identifier(NameStr(source->hi_column)),
						count == NULL ? "" : ", ",
						count == NULL ? "" : count,
						quote_literal_cstr(source->key_value),
						(long long) FirstOf(source), count == NULL ? "" : ", 0"));
}

/*
 * Insert the row like the ORM would.  Report an error if another column needs a
 * value that an expression would decide.
 */
static void
insert_row(const OrmRow *row)
{
	const OrmSource *source = row->source;
	TupleDesc	desc = RelationGetDescr(row->rel);
	char	   *values[MaxHeapAttributeNumber];

	for (AttrNumber attnum = 1; attnum <= desc->natts; attnum++)
	{
		Form_pg_attribute column = TupleDescAttr(desc, attnum - 1);
		const char *value = NULL;

		if (attnum == row->key)
			value = source->key_value;
		else if (attnum == row->hi)
			value = psprintf(INT64_FORMAT, FirstOf(source));
		else if (attnum == row->count)
			value = "0";
		values[attnum - 1] = unconstify(char *, value);
		if (value != NULL)
			require_right(row, attnum, ACL_INSERT);
		else if (column->attnotnull || column->atthasdef ||
				 column->attidentity != '\0' ||
				 get_typtype(column->atttypid) == TYPTYPE_DOMAIN)
			report(row,
				   "The row is missing, and another column has a default, NOT NULL or a domain.",
				   "Insert the row as the ORM would.");
	}
	CatalogTupleInsert(row->rel,
					   BuildTupleFromCStrings(TupleDescGetAttInMetadata(desc),
											  values));
	CommandCounterIncrement();
}

/* Report an error if something would have to be evaluated for a change. */
static void
require_plain(const OrmRow *row)
{
	Relation	rel = row->rel;
	Oid			relid = RelationGetRelid(rel);
	TupleConstr *constr = RelationGetDescr(rel)->constr;

	if (rel->rd_rel->relkind != RELKIND_RELATION ||
		rel->rd_rel->relam != HEAP_TABLE_AM_OID ||
		rel->rd_rel->relispartition ||
		find_inheritance_children(relid, NoLock) != NIL ||
		citus_has_rows_of(relid))
		report(row, "It has partitions, is a partition, is distributed, or is not a heap.",
			   "Have the ORM use an ordinary table.");
	if (rel->rd_rules != NULL ||
		(constr != NULL &&
		 (constr->num_check > 0 || constr->has_generated_stored ||
		  constr->has_generated_virtual)))
		report(row, "It has a rule, a CHECK constraint or a generated column.",
			   "Drop the rule, the constraint or the column.");
	if (rel->trigdesc != NULL &&
		OidIsValid(get_trigger_oid(relid, "repack_trigger", true)))
		report(row, "pg_repack is rewriting it, and would lose the change.",
			   "Try again when it has ended. If it has failed, drop its trigger.");
	if (check_enable_rls(relid, row->source->actor, true) == RLS_ENABLED ||
		(rel->trigdesc != NULL &&
		 !object_ownercheck(RelationRelationId, relid, row->source->actor)))
		report(row,
			   "Row security or triggers apply to the role that changes the row.",
			   "Give the generator to the owner of the table or a superuser, or remove the row security or the triggers.");
	if (row->key != 0 && !OidIsValid(row->key_index) &&
		!superuser_arg(rel->rd_rel->relowner))
		report(row,
			   "The column of its key is not its primary key, so each block would have to search all rows.",
			   "Make the column the primary key.");
	require_plain_type(row, row->hi);
	require_plain_type(row, row->key);
	require_plain_type(row, row->count);
	foreach_oid(indexid, RelationGetIndexList(rel))
		require_plain_index(row, indexid);
}

/* Report an error if the type of a column is not one of a few. */
static void
require_plain_type(const OrmRow *row, AttrNumber attnum)
{
	Form_pg_attribute column = TupleDescAttr(RelationGetDescr(row->rel),
											 attnum - 1);

	if (attnum == 0 || column_type_is_number(column->atttypid) ||
		column->atttypid == TEXTOID || column->atttypid == VARCHAROID ||
		column->atttypid == BPCHAROID)
		return;
	report(row, psprintf("The type of its column \"%s\" is %s.",
						 NameStr(column->attname),
						 format_type_be(column->atttypid)),
		   "The column must be of an integer type, numeric or a text type, not of a domain.");
}

/* Report an error if an entry of an index takes more than what is built in. */
static void
require_plain_index(const OrmRow *row, Oid indexid)
{
	Relation	index = index_open(indexid, AccessShareLock);
	bool		is_plain = index->rd_rel->relam < FirstNormalObjectId &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indexprs, NULL) &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) &&
		!index->rd_index->indisexclusion && index->rd_index->indimmediate;

	for (int i = 1; i <= IndexRelationGetNumberOfKeyAttributes(index); i++)
		is_plain = is_plain &&
			get_index_column_opclass(indexid, i) < FirstNormalObjectId &&
			get_atttype(indexid, i) < FirstNormalObjectId;
	if (!is_plain)
		report(row,
			   psprintf("Its index \"%s\" is on an expression, partial, deferrable, an exclusion constraint, or of a type, operator class or access method that is not built in.",
						RelationGetRelationName(index)),
			   "Drop the index, or replace it with a plain one.");
	index_close(index, NoLock);
}

static void
report(const OrmRow *row, const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("table \"%s\" cannot be the source of a generator",
				   RelationGetRelationName(row->rel)),
			errdetail_internal("%s", detail),
			errhint("%s", hint));
}

/* Report an error unless the owner has the right to a column, if not 0. */
static void
require_right(const OrmRow *row, AttrNumber attnum, AclMode mode)
{
	Oid			relid = row->source->relid;
	Oid			actor = row->source->actor;

	if (attnum != 0 && pg_class_aclcheck(relid, actor, mode) != ACLCHECK_OK &&
		pg_attribute_aclcheck(relid, attnum, actor, mode) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE,
					   RelationGetRelationName(row->rel));
}

/* Return the number that a column of a row holds as a number or as text. */
static int64
number_in(const OrmRow *row, HeapTuple tuple, AttrNumber attnum)
{
	char	   *text = SPI_getvalue(tuple, RelationGetDescr(row->rel), attnum);

	if (text == NULL)
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("the row of table \"%s\" must not hold a null",
					   RelationGetRelationName(row->rel)));
	return DatumGetInt64(DirectFunctionCall1(int8in, CStringGetDatum(text)));
}
