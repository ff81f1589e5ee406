/*
 * Looking at a relation with the rights of its owner.
 *
 * A query runs what the owner of a relation has put there: the checks of
 * domains, casts, the expressions of indexes.  Who calls a function of hilo need
 * not know that it looks at somebody's relation, so that must not run with the
 * rights of the caller; VACUUM does it so as well.
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/snapmgr.h"

#include "base/base.h"
#include "table/as_owner.h"
#include "table/lock.h"
#include "table/relation.h"

/*
 * A query, and its answer.
 */
typedef struct OwnerSelect
{
	Oid			relid;
	const char *query;
	int64		value;
	bool		isnull;
} OwnerSelect;

static void run_select(void *arg);
static void become_owner(Oid relid);

/*
 * Run a query of one relation, which the caller has locked, as its owner.
 * Return its value, an int8; false if that is null, or not one row is found.  The
 * query sees all rows that are committed now, under any isolation level and past
 * row security, and gives up where code of the owner's waits for a lock.  Neither
 * locks nor anything that such code does stays.
 */
bool
as_owner_select(Oid relid, const char *query, int64 *value)
{
	OwnerSelect work = {.relid = relid, .query = query, .isnull = true};

	attempt_and_undo(run_select, &work);
	if (!work.isnull)
		*value = work.value;
	return !work.isnull;
}

/*
 * Callback of attempt_and_undo, which also ends what become_owner begins.
 */
static void
run_select(void *arg)
{
	OwnerSelect *work = arg;

	become_owner(work->relid);
	lock_limit_waits();
	CommandCounterIncrement();
	PushActiveSnapshot(GetLatestSnapshot());
	SPI_connect();
	if (relation_execute(work->relid, work->query, true) != SPI_OK_SELECT)
		elog(ERROR, "failed to run: %s", work->query);
	if (SPI_processed == 1)
		work->value = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0],
												  SPI_tuptable->tupdesc, 1,
												  &work->isnull));
	SPI_finish();
	PopActiveSnapshot();
}

/*
 * Make the owner of a relation the current role, which can do nothing that
 * outlasts the subtransaction, and search_path pg_catalog.
 */
static void
become_owner(Oid relid)
{
	Oid			role;
	int			security_context;

	GetUserIdAndSecContext(&role, &security_context);
	SetUserIdAndSecContext(relation_owner(relid), security_context |
						   SECURITY_RESTRICTED_OPERATION | SECURITY_NOFORCE_RLS);
	(void) NewGUCNestLevel();
	(void) set_config_option("search_path", "pg_catalog, pg_temp",
							 PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE,
							 true, 0, false);
}
