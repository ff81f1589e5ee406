/* The generator that the first argument of a call stands for. */
#include "postgres.h"

#include "utils/inval.h"

#include "call/call.h"

/*
 * Find the entry of the first argument; for the next calls, too, if it is a
 * constant.
 */
SessionEntry *
call_entry_find(FunctionCallInfo fcinfo, EntryFinder find)
{
	FuncExpr   *expr = (FuncExpr *) fcinfo->flinfo->fn_expr;
	SessionEntry *entry;

	argument_require(fcinfo, 0, call_argument(find));
	/* executing a prepared statement may take no lock, which would do this */
	AcceptInvalidationMessages();
	entry = find(PG_GETARG_DATUM(0));
	session_check_drawing(entry, expr);
	/* PL/pgSQL keeps calls with other parameters, or by other roles */
	if (expr != NULL && IsA(expr, FuncExpr) && IsA(linitial(expr->args), Const))
		fcinfo->flinfo->fn_extra = entry;
	return entry;
}

/* Return what the argument of a finder is called in errors. */
const char *
call_argument(EntryFinder find)
{
	if (find == session_table_entry)
		return "table";
	return find == session_tag_entry ? "tag" : "generator name";
}
