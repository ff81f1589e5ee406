/*
 * A library that shows the rows of table x_kept to queries of table x, as extensions do
 * that compress rows: there is nothing in x itself.  ONLY shows x itself.
 */
#include "postgres.h"

#include "fmgr.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "storage/lmgr.h"
#include "utils/lsyscache.h"

PG_MODULE_MAGIC;

static PlannedStmt *
plan_elsewhere(Query *query, const char *string, int options, ParamListInfo params)
{
	ListCell   *cell;

	foreach(cell, query->commandType == CMD_SELECT ? query->rtable : NIL)
	{
		RangeTblEntry *rte = lfirst(cell);
		Oid			kept;

		if (rte->rtekind != RTE_RELATION || !rte->inh)
			continue;
		kept = get_relname_relid(psprintf("%s_kept", get_rel_name(rte->relid)),
								 get_rel_namespace(rte->relid));
		if (!OidIsValid(kept))
			continue;
		LockRelationOid(kept, AccessShareLock);
		rte->relid = kept;
#if PG_VERSION_NUM >= 160000
		if (rte->perminfoindex > 0)
			list_nth_node(RTEPermissionInfo, query->rteperminfos, rte->perminfoindex - 1)->relid = kept;
#endif
	}
	return standard_planner(query, string, options, params);
}

/* as TimescaleDB and Citus do */
static void
add_no_path(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
}

void		_PG_init(void);

void
_PG_init(void)
{
	planner_hook = plan_elsewhere;
	set_rel_pathlist_hook = add_no_path;
}
