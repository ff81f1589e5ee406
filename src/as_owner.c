/*-------------------------------------------------------------------------
 *
 * as_owner.c
 *	  Looking at a relation with the rights of its owner.
 *
 * A query runs what the owner of a relation has put there: the checks of
 * domains, casts, the expressions of indexes.  Who calls a function of hilo need
 * not know that it looks at somebody's relation, so that must not run with the
 * rights of the caller; VACUUM does it so as well.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/as_owner.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "parser/parse_node.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "as_owner.h"
#include "attempt.h"
#include "lock.h"
#include "relation.h"

/*
 * A query of as_owner_select, and its answer.
 */
typedef struct OwnerSelect
{
	Oid			relid;
	const char *query;
	int64		value;
	bool		isnull;
} OwnerSelect;

static void run_select(void *arg);
static void set_up_parser(ParseState *pstate, void *arg);
static Node *require_relation(ParseState *pstate, ColumnRef *column);

/*
 * Makes the owner of a relation the current role, which can do nothing that
 * outlasts as_owner_end and whom row security hides nothing of its tables, and
 * search_path pg_catalog.  The caller has locked the relation, and has seen that
 * the current role may do what is done then.  An error ends it by the abort of the
 * transaction or subtransaction.
 */
AsOwner
as_owner_begin(Oid relid)
{
	AsOwner		before;
	Oid			owner = relation_owner(relid);

	GetUserIdAndSecContext(&before.role, &before.security_context);
	SetUserIdAndSecContext(owner, before.security_context |
						   SECURITY_RESTRICTED_OPERATION | SECURITY_NOFORCE_RLS);
	before.guc_level = NewGUCNestLevel();
	(void) set_config_option("search_path", "pg_catalog, pg_temp",
							 PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE,
							 true, 0, false);
	return before;
}

/*
 * Ends that.
 */
void
as_owner_end(const AsOwner *before)
{
	AtEOXact_GUC(false, before->guc_level);
	SetUserIdAndSecContext(before->role, before->security_context);
}

/*
 * Run a query of one relation, which the caller has locked, as its owner.
 * Return its first value, an int8; false if that is null.  The query sees all
 * rows that are committed now, under any isolation level and past row security,
 * and gives up where code of the owner's waits for a lock.  Neither locks nor
 * anything that such code does stays.
 */
bool
as_owner_select(Oid relid, const char *query, int64 *value)
{
	OwnerSelect work = {.relid = relid, .query = query};

	attempt_and_undo(run_select, &work);
	*value = work.value;
	return !work.isnull;
}

/*
 * Callback of attempt_and_undo, which ends what as_owner_begin begins.
 */
static void
run_select(void *arg)
{
	OwnerSelect *work = arg;
	SPIExecuteOptions options = {.read_only = true, .params = makeParamList(0)};

	(void) as_owner_begin(work->relid);
	lock_limit_waits();
	options.params->parserSetup = set_up_parser;
	options.params->parserSetupArg = &work->relid;
	CommandCounterIncrement();
	PushActiveSnapshot(GetLatestSnapshot());
	SPI_connect();
	if (SPI_execute_extended(work->query, &options) != SPI_OK_SELECT ||
		SPI_processed != 1)
		elog(ERROR, "failed to run: %s", work->query);
	work->value = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0],
											  SPI_tuptable->tupdesc, 1,
											  &work->isnull));
	SPI_finish();
	PopActiveSnapshot();
}

/*
 * Callback: have each column of a query looked at.
 */
static void
set_up_parser(ParseState *pstate, void *arg)
{
	pstate->p_ref_hook_state = arg;
	pstate->p_pre_columnref_hook = require_relation;
}

/*
 * Callback: report an error if the name in a query leads to another relation:
 * its schema may be renamed at any time.
 */
static Node *
require_relation(ParseState *pstate, ColumnRef *column)
{
	Oid			relid = *(Oid *) pstate->p_ref_hook_state;

	if (linitial_node(RangeTblEntry, pstate->p_rtable)->relid != relid)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation \"%s\" has been renamed",
						get_rel_name(relid))));
	return NULL;
}
