/*
 * Sequences that rows raise.
 *
 * The sequence goes up to the id in one step under the lock of its page, for
 * good, as nextval does.  The step acts for the owner of the table.  A sequence
 * that counts down is left alone, and so are ids outside its limits: they may
 * be another site's.
 *
 * A row that is rolled back must not use up the ids of all.  So an id near the
 * end is ignored, with a warning, while the sequence is in its first half; and
 * a far jump is made only when its transaction commits.
 */
#include "postgres.h"

#include "replication/logicalworker.h"
#include "storage/lmgr.h"
#include "utils/resowner.h"

#include "follow/followed.h"

/* A far jump of this transaction. */
typedef struct FarJump
{
	Oid			sequence;		/* InvalidOid: of a generator */
	SessionEntry *entry;
	int64		id;
	TransactionId xid;			/* of the subtransaction */
} FarJump;

/* of the transaction jumped_in, the latest first */
static List *far_jumps;
static LocalTransactionId jumped_in;

static PassResult step(FollowedSequence *followed, SequencePass *pass);
static bool lock_for_step(FollowedSequence *followed);
static bool check_raise(FollowedSequence *followed);
static void refuse_follow(const FollowedSequence *followed);
static void go_far(FollowedSequence *followed, int64 id, int64 last);
static bool is_near_end(FollowedSequence *followed, int64 id, int64 last);
static void make_jump(const FarJump *jump);
static void make_far_jumps(XactEvent event, void *arg);

void
follow_sequence_look_up(FollowedSequence *followed, Oid sequence, Oid table,
						AttrNumber attnum)
{
	int64		type_max = column_type_max(table, attnum);

	memset(followed, 0, sizeof(*followed));
	watch_relation(sequence);
	followed->form = sequence_form(sequence);
	if (followed->form.seqincrement < 0)
		return;
	followed->table = table;
	followed->attnum = attnum;
	followed->end = Min(followed->form.seqmax, type_max);
	followed->relid = sequence;
}

/* Let no value up to an id that a row brings come any more. */
void
follow_sequence(FollowedSequence *followed, int64 id)
{
	SequencePass pass = {.id = id,.end = followed->end};
	PassResult	result;

	if (id < followed->form.seqmin || id > followed->form.seqmax)
		return;
	/* further rows of a load that begins far above the sequence */
	if (id >= followed->far && id <= followed->end - followed->end / 10 &&
		is_now(followed->far_at))
	{
		follow_at_commit(followed->relid, NULL, id);
		followed->far = id;
		return;
	}
	if (XactReadOnly &&
		get_rel_persistence(followed->relid) != RELPERSISTENCE_TEMP)
		PreventCommandIfReadOnly("hilo_follow()");

	result = step(followed, &pass);
	if (result == SEQUENCE_REFUSED && !followed->is_checked)
	{
		if (!check_raise(followed))
			return;
		/* the same id once more */
		followed->stepped_in = InvalidLocalTransactionId;
		result = step(followed, &pass);
	}
	if (result == SEQUENCE_REFUSED)
		refuse_follow(followed);
	else if (result == SEQUENCE_IS_FAR)
		go_far(followed, id, pass.last);
	else
	{
		followed->passed = Max(id, pass.last);
		followed->passed_at = this_moment();
	}
}

static PassResult
step(FollowedSequence *followed, SequencePass *pass)
{
	bool		is_kept = lock_for_step(followed);
	PassResult	result;

	pass->may_raise = followed->may_raise;
	result = sequence_pass(followed->relid, &followed->form, pass);
	if (!is_kept)
		UnlockRelationOid(followed->relid, RowExclusiveLock);
	return result;
}

/*
 * Look up whether the owner of the table may raise the sequence.  Return false,
 * and follow nothing any more, if each id would raise it by a block, because it
 * is the source of a generator; or if an error would show that role how high it
 * is, because the role has no right to it.
 */
static bool
check_raise(FollowedSequence *followed)
{
	Oid			sequence = followed->relid;
	Oid			owner = relation_owner(followed->table);

	if (sequence_generator(sequence) != NULL ||
		pg_class_aclcheck(sequence, owner,
						  ACL_SELECT | ACL_USAGE | ACL_UPDATE) != ACLCHECK_OK)
	{
		followed->relid = InvalidOid;
		return false;
	}
	followed->may_raise =
		pg_class_aclcheck(sequence, owner, ACL_UPDATE) == ACLCHECK_OK;
	followed->is_checked = true;
	return true;
}

/*
 * Take the lock that nextval takes, and read the options under it.  A
 * transaction that brings one id releases it after the step, so that no ALTER
 * SEQUENCE waits for its end; one that brings more keeps it, like nextval.
 * Return whether it is kept.
 */
static bool
lock_for_step(FollowedSequence *followed)
{
	ResourceOwner owner = CurrentResourceOwner;

	if (followed->locked_in == MyLocalTransactionId)
		return true;
	if (followed->stepped_in != MyLocalTransactionId)
	{
		LockRelationOid(followed->relid, RowExclusiveLock);
		followed->form = sequence_form(followed->relid);
		followed->stepped_in = MyLocalTransactionId;
		return false;
	}
	/* also beyond a subtransaction */
	CurrentResourceOwner = TopTransactionResourceOwner;
	LockRelationOid(followed->relid, RowExclusiveLock);
	CurrentResourceOwner = owner;
	followed->form = sequence_form(followed->relid);
	followed->locked_in = MyLocalTransactionId;
	return true;
}

/* Report that the owner of the table may not raise the sequence. */
static void
refuse_follow(const FollowedSequence *followed)
{
	if (!IsLogicalWorker())
		sequence_report_owner(followed->relid, followed->table);
	ereport(WARNING,
			errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			errmsg("permission denied for sequence %s",
				   get_rel_name(followed->relid)),
			errdetail("The sequence does not follow the ids of table \"%s\".",
					  get_rel_name(followed->table)));
}

/* Ignore an id near the end, or have the sequence pass it at the commit. */
static void
go_far(FollowedSequence *followed, int64 id, int64 last)
{
	if (is_near_end(followed, id, last))
		return;
	follow_at_commit(followed->relid, NULL, id);
	followed->far = id;
	followed->far_at = this_moment();
}

/*
 * Check whether an id lies in the last tenth while the sequence is in the first
 * half, and warn of that once in a statement.
 */
static bool
is_near_end(FollowedSequence *followed, int64 id, int64 last)
{
	if (id <= followed->end - followed->end / 10 || last > followed->end / 2)
		return false;
	if (is_now(followed->warned_at))
		return true;
	followed->warned_at = this_moment();
	ereport(WARNING,
			errmsg("column \"%s\" of table \"%s\" gets an id near the end of what sequence \"%s\" or its type can hold",
				   get_attname(followed->table, followed->attnum, false),
				   get_rel_name(followed->table),
				   get_rel_name(followed->relid)),
			errdetail("The sequence does not follow it."),
			errhint("Give such rows other ids. If they are no mistake, raise the sequence with setval."));
	return true;
}

/*
 * Have a sequence, or a generator, jump above an id when the transaction
 * commits, unless the subtransaction is rolled back.
 */
void
follow_at_commit(Oid sequence, SessionEntry *entry, int64 id)
{
	static bool is_registered = false;
	TransactionId xid = GetCurrentTransactionId();
	MemoryContext before;
	FarJump    *jump;

	if (jumped_in != MyLocalTransactionId)
		far_jumps = NIL;
	jumped_in = MyLocalTransactionId;
	foreach_ptr(FarJump, known, far_jumps)
	{
		if (known->xid != xid)
			break;
		if (known->sequence != sequence || known->entry != entry)
			continue;
		known->id = Max(known->id, id);
		return;
	}
	if (!is_registered)
		RegisterXactCallback(make_far_jumps, NULL);
	is_registered = true;
	before = MemoryContextSwitchTo(TopTransactionContext);
	jump = palloc_object(FarJump);
	*jump = (FarJump)
	{
		.sequence = sequence,.entry = entry,.id = id,.xid = xid
	};
	far_jumps = lcons(jump, far_jumps);
	MemoryContextSwitchTo(before);
}

/* Callback: make the jumps of subtransactions that were not rolled back. */
static void
make_far_jumps(XactEvent event, void *arg)
{
	if ((event != XACT_EVENT_PRE_COMMIT && event != XACT_EVENT_PRE_PREPARE) ||
		jumped_in != MyLocalTransactionId)
		return;
	foreach_ptr(FarJump, jump, far_jumps)
	{
		if (TransactionIdIsCurrentTransactionId(jump->xid))
			make_jump(jump);
	}
}

static void
make_jump(const FarJump *jump)
{
	SequencePass pass = {.id = jump->id,.may_raise = true};
	FormData_pg_sequence form;

	if (jump->entry != NULL)
	{
		skip_up_to(jump->entry->name, jump->id, true);
		return;
	}
	/* it may have been dropped, or got other limits */
	if (!lock_table(jump->sequence, RowExclusiveLock, true) ||
		get_rel_relkind(jump->sequence) != RELKIND_SEQUENCE)
		return;
	form = sequence_form(jump->sequence);
	if (form.seqincrement > 0 && jump->id >= form.seqmin &&
		jump->id <= form.seqmax)
		(void) sequence_pass(jump->sequence, &form, &pass);
	/* a prepared transaction would keep the lock */
	unlock_table(jump->sequence, RowExclusiveLock);
}
