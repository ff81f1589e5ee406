/*
 * A step of a sequence, under the lock of its page.
 *
 * nextval comes before or after the step, which waits for no transaction and
 * which no rollback undoes.  The page holds less than its WAL says, because
 * values are logged ahead.  So a step writes core's own record, with the whole
 * tuple: redo of a mere difference would apply it to what the WAL said.
 *
 * While the page is locked, there is no look-up and no report.  The caller
 * holds the lock that nextval takes.
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/rmgr.h"
#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "relation/relation.h"

/* as many values are logged ahead as nextval does */
#define VALUES_AHEAD 32

/* A jump by more ids is made only when its transaction commits. */
#define FAR_JUMP 1048576

/* A sequence whose page is locked. */
typedef struct LockedSequence
{
	Relation	rel;
	Buffer		buffer;
	HeapTupleData tuple;
	Form_pg_sequence_data state;	/* in the page */
} LockedSequence;

/* where the last page was: the next row raises the same sequence */
static Buffer recent_page = InvalidBuffer;

static LockedSequence lock_page(Oid relid);
static XLogRecPtr unlock_page(LockedSequence *sequence);
static bool find_values(const LockedSequence *sequence,
						const FormData_pg_sequence *form, SequenceTake *take,
						int64 *last);
static int64 lattice_value(const FormData_pg_sequence *form, int64 first,
						   int64 id);
static void write_last(LockedSequence *sequence,
					   const FormData_pg_sequence *form, int64 last);
static bool is_logged(const LockedSequence *sequence,
					  const FormData_pg_sequence *form, int64 last,
					  int64 *ahead);
static void write_state(LockedSequence *sequence, int64 last, bool is_called);

/*
 * Make value the next one of a sequence, unless that is higher already.  Return
 * false, without a change, if it is lower and may_raise is not set.  Once the
 * WAL is flushed up to lsn, a crash does not lower the next value below this
 * one.
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
	{
		START_CRIT_SECTION();
		MarkBufferDirty(sequence.buffer);
		write_state(&sequence, value, false);
		END_CRIT_SECTION();
	}
	/* another session's change may not be on disk yet */
	*lsn = unlock_page(&sequence);
	return may_raise || !is_lower;
}

/*
 * Take values in one step, or return false and take none if too few are left.
 * Once the WAL is flushed up to their LSN, no crash gives them again.
 */
bool
sequence_take(Oid relid, SequenceTake *take)
{
	FormData_pg_sequence form = sequence_form(relid);
	LockedSequence sequence = lock_page(relid);
	int64		last;
	bool		are_left = find_values(&sequence, &form, take, &last);

	if (are_left)
		write_last(&sequence, &form, last);
	take->increment = form.seqincrement;
	take->lsn = unlock_page(&sequence);
	return are_left;
}

/*
 * Let no value come that is, or whose block of increments reaches down to, an
 * id that is in use.  The values stay a multiple of the increment apart.  The
 * sequence counts up, and the id is one that it can give.
 */
PassResult
sequence_pass(Oid relid, const FormData_pg_sequence *form, SequencePass *pass)
{
	PassResult	result = SEQUENCE_PASSED;
	LockedSequence sequence = lock_page(relid);
	int64		first = sequence_next(*sequence.state, form->seqincrement);
	int64		block_end;

	if (pg_add_s64_overflow(pass->id, form->seqincrement, &block_end))
		block_end = PG_INT64_MAX;
	pass->last = sequence.state->last_value;
	if (!sequence.state->is_called &&
		pg_sub_s64_overflow(pass->last, form->seqincrement, &pass->last))
		pass->last = PG_INT64_MIN;
	if (first < block_end && first <= form->seqmax)
	{
		if (!pass->may_raise)
			result = SEQUENCE_REFUSED;
		else if (pass->end != 0 && sequence_is_far(pass))
			result = SEQUENCE_IS_FAR;
		else
			write_last(&sequence, form, lattice_value(form, first, pass->id));
	}
	pass->lsn = unlock_page(&sequence);
	return result;
}

/* Return the LSN up to which the WAL has what was taken from a sequence. */
XLogRecPtr
sequence_lsn(Oid relid)
{
	LockedSequence sequence = lock_page(relid);

	return unlock_page(&sequence);
}

static LockedSequence
lock_page(Oid relid)
{
	LockedSequence sequence = {.rel = relation_open(relid, NoLock)};
	HeapTuple	tuple = &sequence.tuple;
	Page		page;
	ItemId		item;

	if (!BufferIsValid(recent_page) ||
		!ReadRecentBuffer(sequence.rel->rd_locator, MAIN_FORKNUM, 0,
						  recent_page))
		recent_page = ReadBuffer(sequence.rel, 0);
	sequence.buffer = recent_page;
	LockBuffer(sequence.buffer, BUFFER_LOCK_EXCLUSIVE);
	page = BufferGetPage(sequence.buffer);
	item = PageGetItemId(page, FirstOffsetNumber);
	tuple->t_data = (HeapTupleHeader) PageGetItem(page, item);
	tuple->t_len = ItemIdGetLength(item);
	sequence.state = (Form_pg_sequence_data) GETSTRUCT(tuple);
	return sequence;
}

/* Return the LSN of the page. */
static XLogRecPtr
unlock_page(LockedSequence *sequence)
{
	XLogRecPtr	lsn = PageGetLSN(BufferGetPage(sequence->buffer));

	UnlockReleaseBuffer(sequence->buffer);
	relation_close(sequence->rel, NoLock);
	return lsn;
}

/* Find the first and the last value to take; false if they are not left. */
static bool
find_values(const LockedSequence *sequence, const FormData_pg_sequence *form,
			SequenceTake *take, int64 *last)
{
	int64		increment = form->seqincrement;
	int64		first = sequence->state->last_value;
	int64		rest = 0;
	int64		span;

	if (sequence->state->is_called &&
		pg_add_s64_overflow(first, increment, &first))
		return false;
	if (take->above > 0 && take->above >= first &&
		pg_add_s64_overflow(take->above, 1, &first))
		return false;
	if (take->block > 0)
	{
		first = Max(first, take->block);
		rest = first % take->block;
	}
	if (rest > 0 && pg_add_s64_overflow(first, take->block - rest, &first))
		return false;
	if (pg_mul_s64_overflow(take->count - 1, increment, &span) ||
		pg_add_s64_overflow(first, span, last))
		return false;
	take->first = first;
	if (increment < 0)
		return *last >= form->seqmin;
	return *last <= form->seqmax;
}

/*
 * Check whether an id is far above the last value: if its row is rolled back,
 * too many ids would be lost.
 */
bool
sequence_is_far(const SequencePass *pass)
{
	int64		jump;
	int64		left;

	if (pg_sub_s64_overflow(pass->id, pass->last, &jump) || jump > FAR_JUMP)
		return true;
	return !pg_sub_s64_overflow(pass->end, pass->last, &left) &&
		jump > left / 2;
}

/*
 * Return the lowest value from first on that is not below an id, or the last
 * one that the sequence can give.
 */
static int64
lattice_value(const FormData_pg_sequence *form, int64 first, int64 id)
{
	uint64		increment = (uint64) form->seqincrement;
	uint64		steps = 0;
	uint64		room = ((uint64) form->seqmax - (uint64) first) / increment;
	uint64		distance = (uint64) id - (uint64) first;

	if (id > first)
		steps = distance / increment + (distance % increment != 0);
	return (int64) ((uint64) first + Min(steps, room) * increment);
}

/* Set the last value, and log some ahead, unless it is logged already. */
static void
write_last(LockedSequence *sequence, const FormData_pg_sequence *form,
		   int64 last)
{
	int64		ahead;

	START_CRIT_SECTION();
	/* before the look at the redo pointer: a checkpoint writes the page */
	MarkBufferDirty(sequence->buffer);
	if (!is_logged(sequence, form, last, &ahead))
		write_state(sequence, last + ahead * form->seqincrement, true);
	sequence->state->last_value = last;
	sequence->state->is_called = true;
	sequence->state->log_cnt = ahead;
	END_CRIT_SECTION();
}

/*
 * Check whether the WAL since the last checkpoint has a value, and set how many
 * values are, or are to be, logged ahead of it.
 */
static bool
is_logged(const LockedSequence *sequence, const FormData_pg_sequence *form,
		  int64 last, int64 *ahead)
{
	const FormData_pg_sequence_data *state = sequence->state;
	int64		increment = form->seqincrement;
	uint64		room;
	int64		span;

	if (state->is_called &&
		!pg_sub_s64_overflow(last, state->last_value, &span) &&
		span / increment <= state->log_cnt &&
		PageGetLSN(BufferGetPage(sequence->buffer)) > GetRedoRecPtr())
	{
		*ahead = state->log_cnt - span / increment;
		return true;
	}
	if (increment > 0)
		room = ((uint64) form->seqmax - (uint64) last) / (uint64) increment;
	else
		room = ((uint64) last - (uint64) form->seqmin) / -(uint64) increment;
	*ahead = (int64) Min(room, VALUES_AHEAD);
	return false;
}

/*
 * Set the state, and log it like setval.  The caller has marked the buffer as
 * dirty, in the critical section.
 */
static void
write_state(LockedSequence *sequence, int64 last, bool is_called)
{
	xl_seq_rec	record = {sequence->rel->rd_locator};
	XLogRecPtr	lsn;

	sequence->state->last_value = last;
	sequence->state->is_called = is_called;
	sequence->state->log_cnt = 0;
	if (!RelationNeedsWAL(sequence->rel))
		return;
	XLogBeginInsert();
	XLogRegisterBuffer(0, sequence->buffer, REGBUF_WILL_INIT);
	XLogRegisterData((void *) &record, sizeof(record));
	XLogRegisterData((void *) sequence->tuple.t_data, sequence->tuple.t_len);
	lsn = XLogInsert(RM_SEQ_ID, XLOG_SEQ_LOG);
	PageSetLSN(BufferGetPage(sequence->buffer), lsn);
}
