/*
 * Sequences that ORMs take their hi from.
 *
 * A block is what nextval returns, by the privileges of the generator's owner.
 * Its WAL may have been written long before, by anybody; as hilo_hi is changed
 * afterwards, the flush of that change covers it.
 */
#include "postgres.h"

#include "access/relation.h"
#include "common/int.h"
#include "utils/acl.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

#include "source/source.h"

static void require_rights(const OrmSource *source, AclMode mode);
static void lock_sequence(const OrmSource *source, LOCKMODE lockmode);
static void check_increment(const OrmSource *source, int64 increment);

/*
 * Report an error unless blocks of the source can come from its sequence, by
 * the rights of the owner.  Holds the lock that nextval takes, to the end of
 * the transaction, so that what was seen stays.
 */
void
orm_sequence_check(const OrmSource *source)
{
	const char *name = get_rel_name(source->relid);
	FormData_pg_sequence form;

	/* before the lock, for which others would wait, and again after a wait */
	require_rights(source, ACL_USAGE | ACL_UPDATE);
	lock_sequence(source, RowExclusiveLock);
	require_rights(source, ACL_USAGE | ACL_UPDATE);
	form = sequence_form(source->relid);
	check_increment(source, form.seqincrement);
	if (form.seqincrement != source->increment)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the INCREMENT of sequence \"%s\" has changed", name),
				 errdetail("It is %lld, it was %lld when the sequence was adopted.",
						   (long long) form.seqincrement,
						   (long long) source->increment),
				 errhint("Adopt the sequence again with the ORM's current block, or change the INCREMENT back.")));
	if (form.seqcache != 1 || form.seqcycle)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sequence \"%s\" has a CACHE or may cycle", name),
				 errdetail("Its blocks would come out of order."),
				 errhint("Run ALTER SEQUENCE ... CACHE 1 NO CYCLE.")));
}

/* Take the next value, and set the value that the sequence starts with. */
int64
orm_sequence_take(const OrmSource *source, int64 *initial)
{
	orm_sequence_check(source);
	*initial = sequence_form(source->relid).seqstart;
	return nextval_internal(source->relid, false);
}

/*
 * Make sure that the next value is at least the one given, without waiting for
 * who has used the sequence.  Who raises a generator has the rights of its
 * owner.
 */
void
orm_sequence_raise(const OrmSource *source, int64 value)
{
	Oid			relid = source->relid;

	/* what it has now may be gone with a rollback */
	lock_sequence(source, RowExclusiveLock);
	if (orm_sequence_next_value(relid, sequence_form(relid).seqincrement) >= value)
		return;
	require_rights(source, ACL_UPDATE);
	sequence_raise(relid, value);
}

/*
 * Read the next value by the INCREMENT that the source was adopted with; false
 * if the current role may not see the sequence.
 */
bool
orm_sequence_read(const OrmSource *source, int64 *stored)
{
	if (pg_class_aclcheck(source->relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK ||
		!ConditionalLockRelationOid(source->relid, AccessShareLock))
		return false;
	*stored = orm_sequence_next_value(source->relid, source->increment);
	return true;
}

/*
 * Return the value that comes next by an INCREMENT.  The caller has locked the
 * sequence.
 */
int64
orm_sequence_next_value(Oid relid, int64 increment)
{
	FormData_pg_sequence_data state = sequence_state(relid);

	return sequence_next(&state, increment);
}

/* Report an error unless the owner has one of the rights to the sequence. */
static void
require_rights(const OrmSource *source, AclMode mode)
{
	if (pg_class_aclcheck(source->relid, source->actor, mode) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for sequence %s",
						get_rel_name(source->relid)),
				 errdetail("The generator uses the sequence with the rights of its owner."),
				 errhint("Grant USAGE, and UPDATE to raise it, on the sequence to role \"%s\".",
						 GetUserNameFromId(source->actor, false))));
}

/*
 * Lock a sequence to the end of the transaction, or report an error if values
 * that are taken now could repeat.
 */
static void
lock_sequence(const OrmSource *source, LOCKMODE lockmode)
{
	Relation	rel = try_relation_open(source->relid, lockmode);

	if (rel == NULL)
		relation_refuse_missing(source->relid);
	relation_require_permanent(source->relid, false);
	if (RelationHasNewStorage(rel))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sequence \"%s\" was altered by the current transaction",
						RelationGetRelationName(rel)),
				 errdetail("It could give the same values again.")));
	relation_close(rel, NoLock);
}

/*
 * Report an error if blocks would overlap; or if the sequence is stepped as
 * by another optimizer, whose blocks would overlap with those of the style.
 */
static void
check_increment(const OrmSource *source, int64 increment)
{
	const OrmStyle *style = source->style;
	bool		by_block = orm_style_steps_by_block(style);

	if (by_block ? increment >= source->ids : increment == 1)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("sequence \"%s\" does not fit style \"%s\"",
					get_rel_name(source->relid), style->name),
			 by_block ?
			 errdetail("Its INCREMENT is %lld, but blocks have %lld ids.",
					   (long long) increment, (long long) source->ids) :
			 errdetail("Its INCREMENT is %lld, but the style counts blocks of %lld ids one by one.",
					   (long long) increment, (long long) source->ids),
			 errhint("The INCREMENT, the setting of the ORM and the block of the generator must agree; hilo_adopt_sequence sets the block.")));
}
