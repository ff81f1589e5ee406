/*
 * The locks of names, generators and tables.
 *
 * The rows of a name are inserted, changed and deleted under its lock, except
 * for changes in place.  A session that looks a generator up, or reserves ids
 * of it, holds its lock in RowExclusive mode for that moment.  What must not
 * happen meanwhile holds it in AccessExclusive mode to the end of the
 * transaction.  An id needs no lock, except that an adopted one locks the ORM's
 * sequence.  The locks of windows and of sources are held for moments.  All are
 * heavyweight locks: they show in pg_locks, can be cancelled, and take part in
 * the detection of deadlocks.
 *
 * Names and generators are objects of the class hilo_hi.  Windows are objects
 * of pg_extension, because other databases know them, too.  The lock of a table
 * is core's.  The lock of a source is on the ORM's sequence or table, with an
 * objsubid that core's locks do not have.
 *
 * A lock under which something is changed belongs to the transaction, as the
 * change does.  The resource owner of a cursor would release the lock with the
 * subtransaction in which the cursor fails, although the change stays.
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xlog.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_inherits.h"
#include "utils/resowner.h"

#include "table/table.h"

/* in milliseconds */
#define LOCK_WAIT_LIMIT 1000
#define ANSWER_WAIT_LIMIT 5000

/* Run a statement that takes or gives up locks of the transaction. */
#define FOR_TRANSACTION(statement) \
	do { \
		ResourceOwner owner = CurrentResourceOwner; \
		CurrentResourceOwner = CurTransactionResourceOwner; \
		statement; \
		CurrentResourceOwner = owner; \
	} while (0)

static uint32 name_hash(text *name);
static void limit_wait(const char *setting, int value, int limit);

/*
 * Lock a name, and keep restores out, until unlock_name or the end of the
 * transaction.
 */
void
lock_name(text *name)
{
	FOR_TRANSACTION(LockDatabaseObject(own_table_relid(OWN_HI),
									   name_hash(name),
									   NAME_LOCK, AccessExclusiveLock));
	FOR_TRANSACTION(LockRelationOid(own_table_relid(OWN_DEFINITION),
									RowExclusiveLock));
}

/* Undo one lock_name: what was done under it is final. */
void
unlock_name(text *name)
{
	FOR_TRANSACTION(UnlockRelationOid(own_table_relid(OWN_DEFINITION),
									  RowExclusiveLock));
	FOR_TRANSACTION(UnlockDatabaseObject(own_table_relid(OWN_HI),
										 name_hash(name),
										 NAME_LOCK, AccessExclusiveLock));
}

/* Lock a generator until unlock_generator or the transaction's end. */
void
lock_generator(int64 incarnation, LOCKMODE lockmode)
{
	Oid			relid = own_table_relid(OWN_HI);

	FOR_TRANSACTION(LockRelationOid(relid, RowExclusiveLock));
	FOR_TRANSACTION(LockDatabaseObject(relid, GeneratorOf(incarnation),
									   GENERATOR_LOCK, lockmode));
}

/* Lock a generator unless that means a wait; return whether it is locked. */
bool
try_lock_generator(int64 incarnation, LOCKMODE lockmode)
{
	LOCKTAG		tag;
	LockAcquireResult result;

	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, own_table_relid(OWN_HI),
					   GeneratorOf(incarnation), GENERATOR_LOCK);
	FOR_TRANSACTION(result = LockAcquire(&tag, lockmode, false, true));
	return result != LOCKACQUIRE_NOT_AVAIL;
}

void
unlock_generator(int64 incarnation, LOCKMODE lockmode)
{
	Oid			relid = own_table_relid(OWN_HI);

	FOR_TRANSACTION(UnlockDatabaseObject(relid, GeneratorOf(incarnation),
										 GENERATOR_LOCK, lockmode));
	FOR_TRANSACTION(UnlockRelationOid(relid, RowExclusiveLock));
}

/*
 * Lock a table until unlock_table or the end of the transaction.  Return
 * whether that worked without waiting, if wait is false.  A session that
 * already writes to the table does not wait behind others for it.
 */
bool
lock_table(Oid relid, LOCKMODE lockmode, bool wait)
{
	bool		locked = wait;

	if (!wait)
	{
		FOR_TRANSACTION(locked = ConditionalLockRelationOid(relid, lockmode));
		wait = !locked && lockmode == AccessShareLock &&
			CheckRelationOidLockedByMe(relid, RowExclusiveLock, true);
	}
	if (wait)
		FOR_TRANSACTION(LockRelationOid(relid, lockmode));
	return locked || wait;
}

/*
 * Limit waits for locks, and for workers and hubs, until the subtransaction
 * ends: no role can make another one wait without limit.  PostgreSQL looks
 * at the second setting when a statement begins; only hilo looks at it here.
 */
void
lock_limit_waits(void)
{
	limit_wait("lock_timeout", LockTimeout, LOCK_WAIT_LIMIT);
	limit_wait("statement_timeout", StatementTimeout, ANSWER_WAIT_LIMIT);
}

/*
 * Lock what inherits from a table that is locked, and return the OIDs of all.
 * What inherits by two paths is locked twice, and so to the end of the
 * transaction.
 *
 * Unlike core's find_all_inheritors, count a partition that is being detached:
 * it still draws from the generator of the table.
 */
List *
lock_inheritors(Oid relid, LOCKMODE lockmode)
{
	List	   *tables = list_make1_oid(relid);
	List	   *children;

	for (int i = 0; i < list_length(tables); i++)
	{
		Oid			table = list_nth_oid(tables, i);

		FOR_TRANSACTION(children =
						find_inheritance_children_extended(table, false,
														   lockmode,
														   NULL, NULL));
		tables = list_concat_unique_oid(tables, children);
	}
	return tables;
}

void
unlock_table(Oid relid, LOCKMODE lockmode)
{
	FOR_TRANSACTION(UnlockRelationOid(relid, lockmode));
}

/*
 * Take a lock for moments, until lock_release or the end of the transaction.
 * Return whether that worked without waiting, if wait is false.
 */
bool
lock_acquire(LOCKTAG tag, bool wait)
{
	return LockAcquire(&tag, ExclusiveLock, false,
					   !wait) != LOCKACQUIRE_NOT_AVAIL;
}

void
lock_release(LOCKTAG tag)
{
	(void) LockRelease(&tag, ExclusiveLock, false);
}

/*
 * Return a hash that no role can forge by another name: its seed is a secret of
 * the server.
 */
static uint32
name_hash(text *name)
{
	uint64		seed;

	memcpy(&seed, GetMockAuthenticationNonce(), sizeof(seed));
	return (uint32) hash_bytes_extended((unsigned char *) VARDATA_ANY(name),
										VARSIZE_ANY_EXHDR(name), seed);
}

LOCKTAG
lock_of_generator(Oid database, int64 incarnation, uint16 kind)
{
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, database, ExtensionRelationId,
					   GeneratorOf(incarnation), kind);
	return tag;
}

static void
limit_wait(const char *setting, int value, int limit)
{
	if (value == 0 || value > limit)
		(void) set_config_option(setting, psprintf("%d", limit), PGC_USERSET,
								 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
								 false);
}
