/*-------------------------------------------------------------------------
 *
 * lock.c
 *	  The locks of names and of generators.
 *
 * Under the lock of a name its rows come, change and go, but for the changes
 * in place.  Whoever takes ids from a generator holds its lock in RowExclusive
 * mode to the end of the transaction; what must not happen beside that holds
 * it in AccessExclusive mode.  Both are heavyweight locks on objects of the
 * class hilo_hi, so they show in pg_locks, can be cancelled, and take part in
 * the detection of deadlocks.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/lock.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/lmgr.h"
#include "utils/resowner.h"

#include "case_fold.h"
#include "catalog.h"
#include "compat.h"
#include "lock.h"

/* the objsubid that tells the lock of a name from the lock of a generator */
#define NAME_LOCK 1
#define GENERATOR_LOCK 0

/*
 * Takes the lock of a name, under which its rows come, change and go; until
 * unlock_name or the end of the transaction.
 */
void
lock_name(text *name)
{
	LockDatabaseObject(catalog_relid(CATALOG_HI), case_fold_hash(name),
					   NAME_LOCK, AccessExclusiveLock);
}

/*
 * Gives up the lock of a name, once: what was done under it is final.
 */
void
unlock_name(text *name)
{
	UnlockDatabaseObject(catalog_relid(CATALOG_HI), case_fold_hash(name),
						 NAME_LOCK, AccessExclusiveLock);
}

/*
 * Takes the lock of a generator to the end of the transaction, and reads its
 * row under it; false if there is no such row.  The generator may be another
 * one of that name after the wait: then that one is locked.
 */
bool
lock_generator(text *name, LOCKMODE lockmode, FormData_hilo_hi *hi)
{
	int64		locked = 0;

	while (store_read(name, hi))
	{
		if (hi->incarnation == locked)
			return true;
		lock_incarnation(hi->incarnation, lockmode);
		locked = hi->incarnation;
	}
	return false;
}

/*
 * Takes the lock of an incarnation of a generator to the end of the
 * transaction.  A session goes on with its ranges after a ROLLBACK TO, so the
 * lock for that stays; the one for a drop goes with what it was for.
 */
void
lock_incarnation(int64 incarnation, LOCKMODE lockmode)
{
	ResourceOwner owner = CurrentResourceOwner;
	Oid			relid = catalog_relid(CATALOG_HI);

	if (lockmode == RowExclusiveLock)
		CurrentResourceOwner = TopTransactionResourceOwner;
	LockRelationOid(relid, RowExclusiveLock);
	LockDatabaseObject(relid, (Oid) ((uint64) incarnation >> 32),
					   GENERATOR_LOCK, lockmode);
	CurrentResourceOwner = owner;
}
