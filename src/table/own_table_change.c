/*
 * Changes of rows of the extension's own tables.
 *
 * Changes belong to transactions, like those of DDL.  Frozen rows are visible
 * at once, and no rollback removes them.  Changes of hilo_hi in place are in
 * hi_row.c.
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/heapam.h"
#include "access/heaptoast.h"
#include "access/rmgr.h"
#include "access/xlog.h"
#include "catalog/index.h"
#include "catalog/indexing.h"
#include "executor/executor.h"
#include "storage/bufmgr.h"

#include "table/table.h"

typedef struct Change
{
	text	   *name;
	TransactionId xid;			/* of the subtransaction */
	OwnChange	change;
} Change;

/* of the transaction changed_in, the latest first */
static List *changes;
static LocalTransactionId changed_in;

static CatalogIndexState open_indexes(Relation rel);

/*
 * Form a row: a struct of fixed columns, another if the table has one, and
 * the last, its name.
 */
HeapTuple
own_table_form(Relation rel, const void *row, void *other, text *last)
{
	TupleDesc	desc = RelationGetDescr(rel);
	Datum		values[16];
	bool		nulls[lengthof(values)] = {0};

	Assert(desc->natts <= (int) lengthof(values));
	for (int i = 0, offset = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		offset = att_align_nominal(offset, att->attalign);
		if (att->attlen > 0)
			values[i] = fetch_att((const char *) row + offset, att->attbyval,
								  att->attlen);
		else
			values[i] = PointerGetDatum(i + 1 == desc->natts ? last : other);
		offset += att->attlen;
	}
	return heap_form_tuple(desc, values, nulls);
}

/*
 * Insert a row and make it visible to the current transaction.
 *
 * A frozen row is visible to all sessions at once, and stays however the
 * transaction ends, like the first tuple of a sequence.  The caller holds the
 * lock of the name and has seen that there is no row of that name, not even one
 * that this transaction has deleted: a rollback would bring it back.
 *
 * The row is frozen after its index entries are made.  After a crash or an
 * error in between it is dead; the other order could leave a row that no index
 * knows.
 *
 * With another xmin, one of this transaction's, the row goes when that
 * subtransaction is rolled back.
 *
 * No row goes to logical replication: generators are per server.
 */
void
own_table_insert_as(OwnTable table, const void *row, void *other, text *last,
					TransactionId xmin)
{
	bool		frozen = xmin == FrozenTransactionId;
	Relation	rel = own_table_open(table, RowExclusiveLock);
	HeapTuple	tuple = own_table_form(rel, row, other, last);

	if (frozen)
		own_table_require_durable(rel, true);
	/* a name is too short for TOAST, which goes with the transaction */
	Assert(!frozen || tuple->t_len <= TOAST_TUPLE_THRESHOLD);
	heap_insert(rel, tuple, GetCurrentCommandId(true), HEAP_INSERT_NO_LOGICAL,
				NULL);
	(void) own_table_index(rel, tuple, UNIQUE_CHECK_YES);
	if (TransactionIdIsValid(xmin))
	{
		Buffer		buffer = ReadBuffer(rel,
										ItemPointerGetBlockNumber(&tuple->t_self));
		GenericXLogState *state;
		int			flags;
		Page		page;
		ItemId		item;
		HeapTupleHeader header;

		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
		state = GenericXLogStart(rel);
		/* the check compares hint bits, too, in which a standby differs */
		flags = wal_consistency_checking[RM_GENERIC_ID] ?
			GENERIC_XLOG_FULL_IMAGE : 0;
		page = GenericXLogRegisterBuffer(state, buffer, flags);
		item = PageGetItemId(page, ItemPointerGetOffsetNumber(&tuple->t_self));
		header = (HeapTupleHeader) PageGetItem(page, item);
		if (frozen)
			HeapTupleHeaderSetXminFrozen(header);
		else
			HeapTupleHeaderSetXmin(header, xmin);
		GenericXLogFinish(state);
		UnlockReleaseBuffer(buffer);
	}
	table_close(rel, frozen ? RowExclusiveLock : NoLock);
	CommandCounterIncrement();
}

/*
 * Make the index entries of a row.  With UNIQUE_CHECK_PARTIAL, return whether
 * no other row has its key.
 */
bool
own_table_index(Relation rel, HeapTuple tuple, IndexUniqueCheck check)
{
	CatalogIndexState indexes = open_indexes(rel);
	TupleTableSlot *slot = MakeSingleTupleTableSlot(RelationGetDescr(rel),
													&TTSOpsHeapTuple);
	bool		is_unique = true;

	ExecStoreHeapTuple(tuple, slot, false);
	for (int i = 0; i < indexes->ri_NumIndices; i++)
	{
		IndexInfo  *info = indexes->ri_IndexRelationInfo[i];
		Relation	index = indexes->ri_IndexRelationDescs[i];
		Datum		values[INDEX_MAX_KEYS];
		bool		isnull[INDEX_MAX_KEYS];

		if (!info->ii_ReadyForInserts)
			continue;
		FormIndexDatum(info, slot, NULL, values, isnull);
		is_unique &= index_insert(index, values, isnull, &tuple->t_self, rel,
								  info->ii_Unique ? check : UNIQUE_CHECK_NO,
								  check == UNIQUE_CHECK_NO, info) ||
			!info->ii_Unique;
	}
	ExecDropSingleTupleTableSlot(slot);
	CatalogCloseIndexes(indexes);
	return is_unique;
}

void
own_table_update(Relation rel, HeapTuple old, HeapTuple tuple)
{
	CatalogIndexState indexes = open_indexes(rel);

	CatalogTupleUpdateWithInfo(rel, &old->t_self, tuple, indexes);
	CatalogCloseIndexes(indexes);
	CommandCounterIncrement();
}

/* Delete the rows of a name, if any.  The caller holds the lock of the name. */
void
own_table_delete(OwnTable table, text *name)
{
	Relation	rel = own_table_open(table, RowExclusiveLock);

	foreach_ptr(HeapTupleData, tuple, own_table_rows(table, name))
		CatalogTupleDelete(rel, &tuple->t_self);
	table_close(rel, NoLock);
	if (table == OWN_HI)
		change_remember(name, CHANGED_GONE);
	CommandCounterIncrement();
}

/*
 * Put the rows of a generator under another name, in this transaction.  The
 * caller holds the locks of both names, and the generator's in AccessExclusive
 * mode.
 *
 * The row of hilo_hi gets another version: no ids are taken until the
 * transaction ends.
 */
void
own_table_rename(text *name, text *new_name)
{
	Datum		value = PointerGetDatum(new_name);
	bool		isnull = false;

	for (OwnTable table = 0; table < OWN_NAMED_TABLES; table++)
	{
		Relation	rel = own_table_open(table, RowExclusiveLock);
		int			column = own_table_name_column(rel);

		foreach_ptr(HeapTupleData, tuple, own_table_rows(table, name))
			own_table_update(rel, tuple,
							 heap_modify_tuple_by_cols(tuple,
													   RelationGetDescr(rel), 1,
													   &column, &value,
													   &isnull));
		table_close(rel, NoLock);
	}
	change_remember(name, CHANGED_GONE);
	change_remember(new_name, CHANGED_IDS);
}

/* Remember what the current transaction does to the generator of a name. */
void
change_remember(text *name, OwnChange change)
{
	MemoryContext before = MemoryContextSwitchTo(TopTransactionContext);
	Change	   *latest = palloc(sizeof(*latest));

	latest->name = DatumGetTextPCopy(PointerGetDatum(name));
	latest->xid = GetCurrentTransactionId();
	latest->change = change;
	changes = lcons(latest, changed_in == MyLocalTransactionId ? changes : NIL);
	changed_in = MyLocalTransactionId;
	MemoryContextSwitchTo(before);
}

/*
 * Return the last change of a generator by this transaction that is not rolled
 * back.
 */
OwnChange
change_remembered(text *name)
{
	if (changed_in != MyLocalTransactionId)
		return CHANGED_NOTHING;
	foreach_ptr(Change, change, changes)
	{
		if (text_equal(change->name, name) &&
			TransactionIdIsCurrentTransactionId(change->xid))
			return change->change;
	}
	return CHANGED_NOTHING;
}

/* Open the indexes of a table.  Nothing here can evaluate an expression. */
static CatalogIndexState
open_indexes(Relation rel)
{
	CatalogIndexState indexes = CatalogOpenIndexes(rel);

	for (int i = 0; i < indexes->ri_NumIndices; i++)
	{
		IndexInfo  *info = indexes->ri_IndexRelationInfo[i];

		if (info->ii_Expressions != NIL || info->ii_Predicate != NIL)
			ereport(ERROR,
					errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					errmsg("index \"%s\" has an expression or a condition",
						   RelationGetRelationName(indexes->ri_IndexRelationDescs[i])),
					errhint("Drop the index."));
	}
	return indexes;
}
