/* The generator that the first argument of a call stands for. */
#include "postgres.h"

#include "utils/inval.h"

#include "call/call.h"

/*
 * Find the entry of the first argument.  If that is a constant, keep the entry
 * for the next calls.
 */
SessionEntry *
call_entry_find(FunctionCallInfo fcinfo, EntryFinder find)
{
	FuncExpr   *expr = (FuncExpr *) fcinfo->flinfo->fn_expr;
	SessionEntry *entry;

	argument_require(fcinfo, 0, call_argument(find));
	if (find == session_table_entry && session_call_is_stored(expr))
		find = session_entry_of_default;
	/* taking a lock would do this, but a prepared statement may take none */
	AcceptInvalidationMessages();
	entry = find(PG_GETARG_DATUM(0));
	drawing_check_default(entry, expr);
	/* PL/pgSQL reuses fn_extra with other parameters and under other roles */
	if (expr != NULL && IsA(expr, FuncExpr) && IsA(linitial(expr->args), Const))
		fcinfo->flinfo->fn_extra = entry;
	return entry;
}

/* Return the name of a finder's argument, for errors. */
const char *
call_argument(EntryFinder find)
{
	if (find == session_table_entry)
		return "table";
	return find == session_tag_entry ? "tag" : "generator name";
}
