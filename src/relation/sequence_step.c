/*
 * A step of a sequence, under the lock of its page.
 *
 * nextval comes before or after the step, which waits for no transaction and
 * which no rollback undoes.  The page holds less than its WAL says, because
 * nextval logs values ahead.  So a step writes core's own record, with the
 * whole tuple: redo of a mere difference would apply it to what the WAL said.
 *
 * While the page is locked, there is no look-up and no report.
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/rmgr.h"
#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "relation/relation.h"

/* A sequence whose page is locked. */
typedef struct LockedSequence
{
	Relation	rel;
	Buffer		buffer;
	HeapTupleData tuple;
	Form_pg_sequence_data state;	/* in the page */
} LockedSequence;

static LockedSequence lock_page(Oid relid);
static void write_next(LockedSequence *sequence, int64 value);

/*
 * Make value the next one of a sequence, unless that is higher already.  Return
 * false, without a change, if it is lower and may_raise is not set.  Once the
 * WAL is flushed up to lsn, a crash does not lower the next value below this
 * one.  The caller holds the lock that nextval takes.
 */
bool
sequence_raise(Oid relid, int64 value, bool may_raise, XLogRecPtr *lsn)
{
	FormData_pg_sequence form = sequence_form(relid);
	LockedSequence sequence;
	bool		is_lower;

	if (value > form.seqmax)
		ereport(ERROR,
				errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				errmsg("sequence \"%s\" ends below %lld",
					   get_rel_name(relid), (long long) value),
				errhint("Raise its limit with ALTER SEQUENCE ... AS bigint or MAXVALUE."));
	sequence = lock_page(relid);
	is_lower = sequence_next(*sequence.state, form.seqincrement) < value;
	if (is_lower && may_raise)
		write_next(&sequence, value);
	/* another session's change may not be on disk yet */
	*lsn = PageGetLSN(BufferGetPage(sequence.buffer));
	UnlockReleaseBuffer(sequence.buffer);
	relation_close(sequence.rel, NoLock);
	return may_raise || !is_lower;
}

static LockedSequence
lock_page(Oid relid)
{
	LockedSequence sequence = {.rel = relation_open(relid, NoLock)};
	HeapTuple	tuple = &sequence.tuple;
	Page		page;
	ItemId		item;

	sequence.buffer = ReadBuffer(sequence.rel, 0);
	LockBuffer(sequence.buffer, BUFFER_LOCK_EXCLUSIVE);
	page = BufferGetPage(sequence.buffer);
	item = PageGetItemId(page, FirstOffsetNumber);
	tuple->t_data = (HeapTupleHeader) PageGetItem(page, item);
	tuple->t_len = ItemIdGetLength(item);
	sequence.state = (Form_pg_sequence_data) GETSTRUCT(tuple);
	return sequence;
}

/* Set the next value, and log that as setval does. */
static void
write_next(LockedSequence *sequence, int64 value)
{
	xl_seq_rec	record = {sequence->rel->rd_locator};
	XLogRecPtr	lsn;

	START_CRIT_SECTION();
	/* before the record: a checkpoint in between has to write the page */
	MarkBufferDirty(sequence->buffer);
	sequence->state->last_value = value;
	sequence->state->is_called = false;
	/* so that the next value is logged */
	sequence->state->log_cnt = 0;
	if (RelationNeedsWAL(sequence->rel))
	{
		XLogBeginInsert();
		XLogRegisterBuffer(0, sequence->buffer, REGBUF_WILL_INIT);
		XLogRegisterData((void *) &record, sizeof(record));
		XLogRegisterData((void *) sequence->tuple.t_data,
						 sequence->tuple.t_len);
		lsn = XLogInsert(RM_SEQ_ID, XLOG_SEQ_LOG);
		PageSetLSN(BufferGetPage(sequence->buffer), lsn);
	}
	END_CRIT_SECTION();
}
