/*
 * What one session found of a generator, for the next ones, which then read no
 * table of hilo's.
 *
 * A finding holds until one of two words in shared memory is raised: the life
 * word, or the word of changes, which whoever changes rows raises under the
 * lock of the name, held to the end of the transaction.  So the rows are read
 * under that lock, too.
 *
 * Of a right, only the role is kept that a row of hilo_privilege names: each
 * session checks its own membership, or its right to the generator's table.
 * Sessions with the right by another table read hilo's tables.
 *
 * A database or an extension may have the OIDs of one that is gone, but its
 * row in pg_database, or that of hilo_hi in pg_class, is of another
 * transaction.
 */
#include "postgres.h"

#include "utils/acl.h"
#include "utils/syscache.h"

#include "session/session.h"

/* the latest of the names that share a place has it */
#define FINDINGS 2048

static Finding *findings;

static Finding *place_of(text *name);

void
finding_init(void)
{
	shared_memory_reserve((void **) &findings, FINDINGS * sizeof(Finding), false);
}

/* Return the sum of both words, each of which only rises. */
uint64
finding_stamp(void)
{
	uint64		stamp = shared_life_read() + pg_atomic_read_u64(shared_changes);

	pg_read_barrier();
	return stamp;
}

/*
 * Read what was found of a name; false if that does not hold any more, or does
 * not tell that the current role may use the generator.  From then on this
 * session is told of changes.
 */
bool
finding_read(text *name, Finding *finding)
{
	LWLockAcquire(shared_lock, LW_SHARED);
	*finding = *place_of(name);
	LWLockRelease(shared_lock);
	if (finding->database != MyDatabaseId)
		return false;
	catalog_watch(finding->definition.rel);

	return finding->name_length == (int) VARSIZE_ANY_EXHDR(name) &&
		memcmp(finding->names, VARDATA_ANY(name), finding->name_length) == 0 &&
		finding->database_xmin == catalog_row_xmin(DATABASEOID, MyDatabaseId) &&
		catalog_know_hi(finding->hi_relid, finding->hi_xmin) &&
		!definition_is_orphan(&finding->definition) &&
		(finding->definition.is_public || superuser() ||
		 (OidIsValid(finding->role) &&
		  has_privs_of_role(GetUserId(), finding->role)) ||
		 privilege_by_table(&finding->definition, GetUserId())) &&
		finding->stamp == finding_stamp();
}

/*
 * Keep what was found, unless this transaction has changed something.  The
 * caller holds the lock of the name.
 */
void
finding_keep(text *name, text *written, Finding *finding)
{
	int			name_length = VARSIZE_ANY_EXHDR(name);
	int			written_length = VARSIZE_ANY_EXHDR(written);

	if (TransactionIdIsValid(GetTopTransactionIdIfAny()) ||
		name_length + written_length > (int) sizeof(finding->names))
		return;
	finding->role = privilege_granted_to(name, GetUserId());
	if (!OidIsValid(finding->role) && !finding->definition.is_public &&
		!superuser() && !privilege_by_table(&finding->definition, GetUserId()))
		return;
	finding->database = MyDatabaseId;
	finding->database_xmin = catalog_row_xmin(DATABASEOID, MyDatabaseId);
	finding->hi_relid = catalog_relid(CATALOG_HI);
	finding->hi_xmin = catalog_row_xmin(RELOID, finding->hi_relid);
	finding->name_length = name_length;
	finding->written_length = written_length;
	memcpy(finding->names, VARDATA_ANY(name), name_length);
	memcpy(finding->names + name_length, VARDATA_ANY(written), written_length);

	LWLockAcquire(shared_lock, LW_EXCLUSIVE);
	*place_of(name) = *finding;
	LWLockRelease(shared_lock);
}

static Finding *
place_of(text *name)
{
	return &findings[(case_fold_hash(name) ^ MyDatabaseId) % FINDINGS];
}
