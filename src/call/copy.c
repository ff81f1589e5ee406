/*
 * Ids in COPY.
 *
 * COPY inserts rows in batches if no default calls a volatile function except
 * nextval().  So a call of hilo_next() or hilo_next_tag() is replaced there by
 * its twin, which is stable and has the same code.  No other statement gets a
 * twin: ALTER TABLE would give one id to all rows.  SQL cannot call a twin,
 * because its argument is internal.
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "nodes/supportnodes.h"
#include "tcop/utility.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_copy_support);

static ProcessUtility_hook_type next_hook;

/* the innermost utility statement may use twins; false between statements */
static bool is_copying;

static bool may_use_twins(Node *statement);
static bool discards_sequences(Node *statement);

/* The hook: set is_copying while a statement runs, also if it fails. */
static void
process_utility(PlannedStmt *plan, const char *source, bool read_only,
				ProcessUtilityContext context, ParamListInfo params,
				QueryEnvironment *environment, DestReceiver *receiver,
				QueryCompletion *completion)
{
	bool		before = is_copying;

	is_copying = may_use_twins(plan->utilityStmt);
	PG_TRY();
	{
		next_hook(plan, source, read_only, context, params, environment,
				  receiver, completion);
	}
	PG_FINALLY();
	{
		is_copying = before;
	}
	PG_END_TRY();
	/* as core forgets currval */
	if (discards_sequences(plan->utilityStmt))
		session_forget_currents();
}

void
copy_init(void)
{
	next_hook =
		ProcessUtility_hook ? ProcessUtility_hook : standard_ProcessUtility;
	ProcessUtility_hook = process_utility;
}

/* Check whether a statement is COPY FROM, with rows of the same columns. */
static bool
may_use_twins(Node *statement)
{
	CopyStmt   *copy = (CopyStmt *) statement;

	if (!IsA(statement, CopyStmt) || !copy->is_from)
		return false;
	/* a row may bring an id, which a first use does not see in the batch */
	foreach_ptr(DefElem, option, copy->options)
	{
		if (strcmp(option->defname, "default") == 0)
			return false;
	}
	return true;
}

static bool
discards_sequences(Node *statement)
{
	DiscardStmt *discard = (DiscardStmt *) statement;

	return IsA(statement, DiscardStmt) &&
		(discard->target == DISCARD_ALL || discard->target == DISCARD_SEQUENCES);
}

/*
 * A planner support function: replace a call in a default that COPY evaluates.
 * COPY plans an expression alone, without a root.  So the calls in the
 * statements of triggers stay.
 */
Datum
hilo_copy_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request =
		(SupportRequestSimplify *) PG_GETARG_POINTER(0);
	FuncExpr   *call;
	Oid			argument = INTERNALOID;

	if (!is_copying || !IsA(request, SupportRequestSimplify) ||
		request->root != NULL ||
		object_aclcheck(ProcedureRelationId, request->fcall->funcid,
						GetUserId(),
						ACL_EXECUTE) != ACLCHECK_OK)
		PG_RETURN_POINTER(NULL);

	call = copyObject(request->fcall);
	call->funcid = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
								   CStringGetDatum(get_func_name(call->funcid)),
								   PointerGetDatum(buildoidvector(&argument,
																  1)),
								   ObjectIdGetDatum(get_func_namespace(fcinfo->flinfo->fn_oid)));
	PG_RETURN_POINTER(call);
}
