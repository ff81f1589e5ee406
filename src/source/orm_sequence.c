/*
 * Sequences that ORMs take their hi from.
 *
 * A block is what nextval returns, by the privileges of the generator's owner.
 * Its WAL may have been written long before; as hilo_hi is changed
 * afterwards, the flush of that change covers it.
 */
#include "postgres.h"

#include "access/relation.h"

#include "source/source.h"

pg_noreturn static void report_sequence(const OrmSource *source);

/*
 * Report an error unless blocks can come from the sequence, by the owner's
 * rights.
 */
void
orm_sequence_check(const OrmSource *source)
{
	FormData_pg_sequence form;

	if (pg_class_aclcheck(source->relid, source->actor,
						  ACL_USAGE | ACL_UPDATE) != ACLCHECK_OK)
		report_sequence(source);
	form = sequence_form(source->relid);
	/* else blocks would overlap, come out of order, or be of another setting */
	if (form.seqincrement != OrmStep(source) || form.seqcache != 1 ||
		form.seqcycle)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("sequence \"%s\" does not fit style \"%s\"",
					   get_rel_name(source->relid), source->style->name),
				errdetail("It has INCREMENT %lld and CACHE %lld; blocks of %lld ids need INCREMENT %lld, CACHE 1 and NO CYCLE.",
						  (long long) form.seqincrement,
						  (long long) form.seqcache, (long long) source->ids,
						  (long long) OrmStep(source)),
				errhint("Alter the sequence, or adopt it with the current setting of the ORM."));
}

/*
 * Take the next value; or make sure that it is at least the one given, without
 * waiting for transactions that have used it.  The value stored is the one
 * taken, or the one that comes next.
 */
OrmChange
orm_sequence_change(const OrmSource *source, bool take, int64 at_least)
{
	OrmChange	change = {.at_least = at_least};
	Oid			relid = source->relid;
	bool		may_raise;

	/* without a generator, it is being adopted */
	(void) orm_sequence_lock(relid, source->generator == NULL);
	if (take)
	{
		orm_sequence_check(source);
		change.stored = nextval_internal(relid, false);
		return change;
	}
	may_raise =
		pg_class_aclcheck(relid, source->actor, ACL_UPDATE) == ACLCHECK_OK;
	if (!sequence_raise(relid, at_least, may_raise, &change.lsn))
		report_sequence(source);
	change.stored = sequence_next(sequence_state(relid), OrmStep(source));
	return change;
}

/*
 * Lock a sequence as nextval does, to the end of the transaction, so that what
 * is seen stays.  Return its file, which is another one after a RESTART or
 * another INCREMENT.  Report an error if a rollback could repeat values that
 * are taken now; an adoption is undone by the same rollback.
 */
Oid
orm_sequence_lock(Oid relid, bool to_adopt)
{
	Relation	rel;
	Oid			file;

	LockRelationOid(relid, RowExclusiveLock);
	relation_require_kind(relid, false, true, InvalidOid);
	rel = relation_open(relid, NoLock);
	if (RelationHasNewStorage(rel) && !to_adopt)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("sequence \"%s\" was altered by the current transaction",
					   RelationGetRelationName(rel)),
				errdetail("It could give the same values again."),
				errhint("Draw ids in another transaction."));
	file = rel->rd_rel->relfilenode;
	relation_close(rel, NoLock);
	return file;
}

/* Report that the owner of the generator lacks a right to the sequence. */
static void
report_sequence(const OrmSource *source)
{
	ereport(ERROR,
			errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			errmsg("permission denied for sequence %s",
				   get_rel_name(source->relid)),
			errdetail("The generator uses the sequence with the rights of its owner."),
			errhint("Grant USAGE on the sequence to role \"%s\". To raise the sequence, that role also needs UPDATE.",
					GetUserNameFromId(source->actor, false)));
}
