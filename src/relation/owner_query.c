/*
 * Queries of a table, as its owner.
 *
 * They are restricted as core restricts a REINDEX.  So no other role's code
 * runs, and the owner's code runs only for the owner, or in an INSERT, which
 * runs it anyway.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "parser/parse_node.h"
#include "utils/guc.h"

#include "relation/relation.h"

/* what makes a query of table $1 run code of another role than $2 */
static const char code_of_others[] =
"SELECT FROM ("
" SELECT 'pg_class'::regclass::oid, indexrelid FROM pg_index"
" WHERE indrelid = $1 AND coalesce(indexprs, indpred) IS NOT NULL"
" UNION ALL SELECT 'pg_statistic_ext'::regclass, oid"
" FROM pg_statistic_ext WHERE stxrelid = $1) o (class, oid)"
" JOIN pg_depend d ON (d.classid, d.objid) = (o.class, o.oid)"
" LEFT JOIN pg_operator r"
" ON (refclassid, refobjid) = ('pg_operator'::regclass, r.oid)"
" LEFT JOIN pg_proc p ON p.oid = CASE refclassid"
" WHEN 'pg_proc'::regclass THEN refobjid ELSE oprcode END"
" LEFT JOIN pg_type t"
" ON (refclassid, refobjid) = ('pg_type'::regclass, t.oid)"
" WHERE NOT pg_has_role(proowner, $2, 'USAGE') OR typtype = 'd'";

static void set_up_parser(ParseState *pstate, void *arg);
static Node *require_relation(ParseState *pstate, ColumnRef *column);
static bool has_expressions(Oid relid);

/*
 * Run a query as the owner of a table, restricted.  The table is the first of
 * the list; the others inherit from it.  Call this under run_and_roll_back,
 * which ends the settings.
 */
void
owner_query(const Column *column, List *tables, const char *query,
			DestReceiver *receiver)
{
	Oid			relid = linitial_oid(tables);
	SPIExecuteOptions options = {.read_only = true,.dest = receiver};
	SnapshotData snapshot;
	Oid			owner = relation_owner(relid);
	Oid			trusted = InvalidOid;

	/* a list of all columns runs no code of their owners */
	if (column->trusts_owner || owner == GetUserId())
		trusted = owner;

	owner_query_begin(relid);
	CommandCounterIncrement();
	snapshot = *GetLatestSnapshot();
	if (column->with_deleted)
		snapshot.curcid = FirstCommandId;
	PushCopiedSnapshot(&snapshot);
	SPI_connect();
	foreach_oid(table, tables)
		owner_query_require_safe(table, trusted);
	(void) SPI_execute_plan_extended(SPI_prepare_params(query, set_up_parser,
														&relid, 0),
									 &options);
	SPI_finish();
	PopActiveSnapshot();
}

/*
 * Become the owner of a table, restricted, with settings for a query.  The
 * caller must end both.
 */
void
owner_query_begin(Oid relid)
{
	static const char *const settings[][2] = {
		{"search_path", "pg_catalog, pg_temp"}, {"row_security", "off"},
		{"constraint_exclusion", "off"}, {"gin_fuzzy_search_limit", "0"},
		{"jit", "off"}, {"max_parallel_workers_per_gather", "0"}
	};

	int			context = SECURITY_RESTRICTED_OPERATION;

	/* on other nodes, row security would hide rows without an error */
	if (!citus_has_rows_of(relid))
		context |= SECURITY_NOFORCE_RLS;
	SetUserIdAndSecContext(relation_owner(relid), context);
	for (size_t i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i][0], settings[i][1], PGC_USERSET,
								 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
								 false);
}

/*
 * Report an error if a query could run code of a role without the rights of the
 * trusted one.  The planner computes what is constant in expressions of indexes
 * and statistics, and plans the constraints of domains in them.
 */
void
owner_query_require_safe(Oid relid, Oid trusted)
{
	static SPIPlanPtr plan;
	Oid			types[] = {OIDOID, OIDOID};
	Datum		values[] = {ObjectIdGetDatum(relid),
	ObjectIdGetDatum(trusted)};
	const char *hint = "Make the call as the table's owner.";

	if (!has_expressions(relid))
		return;
	if (OidIsValid(trusted))
		hint =
			"Drop the index or the statistics, or give the function to the table's owner.";
	if (plan == NULL)
	{
		plan = SPI_prepare(code_of_others, lengthof(types), types);
		SPI_keepplan(plan);
	}
	(void) SPI_execute_plan(plan, values, NULL, true, 1);
	if (SPI_processed == 0)
		return;
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("a query of table \"%s\" could run code of another role",
				   get_rel_name(relid)),
			errdetail("An index or statistics use a domain or another role's function."),
			errhint("%s", hint));
}

/*
 * Check whether the planner may compute an expression of a table.  Most have
 * none, and then a query of pg_depend is the larger part of a first use.
 */
static bool
has_expressions(Oid relid)
{
	Relation	rel = RelationIdGetRelation(relid);
	bool		has = rel != NULL && RelationGetStatExtList(rel) != NIL;

	if (rel == NULL)
		return true;
	foreach_oid(oid, RelationGetIndexList(rel))
	{
		HeapTuple	index = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(oid));

		if (!HeapTupleIsValid(index))
			continue;
		has |= !heap_attisnull(index, Anum_pg_index_indexprs, NULL) ||
			!heap_attisnull(index, Anum_pg_index_indpred, NULL);
		ReleaseSysCache(index);
	}
	RelationClose(rel);
	return has;
}

static void
set_up_parser(ParseState *pstate, void *arg)
{
	pstate->p_ref_hook_state = arg;
	pstate->p_pre_columnref_hook = require_relation;
}

static Node *
require_relation(ParseState *pstate, ColumnRef *column)
{
	owner_query_require_table(pstate->p_rtable,
							  *(Oid *) pstate->p_ref_hook_state);
	return NULL;
}

/*
 * Report an error if the name in a query means another table, because a schema
 * has been renamed since the name was written.
 */
void
owner_query_require_table(List *tables, Oid relid)
{
	if (linitial_node(RangeTblEntry, tables)->relid != relid)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("relation \"%s\" has been renamed",
					   get_rel_name(relid)));
}
