/*
 * The generator that a call of an SQL function is about.
 */
#include "postgres.h"

#include "nodes/primnodes.h"
#include "utils/inval.h"
#include "utils/memutils.h"

#include "session/session.h"

static bool name_is_constant(FmgrInfo *flinfo);

/*
 * Find the entry of the name in the first argument, for this call and those
 * that follow.
 */
SessionEntry *
call_entry_find(FunctionCallInfo fcinfo, EntryFinder find)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	text	   *written;
	Size		length;
	SessionEntry *entry;
	CallEntry  *call;

	if (PG_ARGISNULL(0))
		definition_argument(fcinfo);

	/* a statement that is prepared may have taken no lock, which does this */
	AcceptInvalidationMessages();
	written = PG_GETARG_TEXT_PP(0);
	length = VARSIZE_ANY_EXHDR(written);
	if (flinfo->fn_extra != NULL)
	{
		pfree(flinfo->fn_extra);
		flinfo->fn_extra = NULL;
	}
	entry = find(written);
	if (name_is_constant(flinfo))
	{
		flinfo->fn_extra = &entry->call;
		return entry;
	}

	call = MemoryContextAlloc(flinfo->fn_mcxt, sizeof(*call) + length);
	call->entry = entry;
	call->written = memcpy(call + 1, VARDATA_ANY(written), length);
	call->length = length;
	flinfo->fn_extra = call;
	return entry;
}

/*
 * Check whether the first argument is a constant of the query.  Nothing less
 * will do: PL/pgSQL keeps a call while its parameters change.
 */
static bool
name_is_constant(FmgrInfo *flinfo)
{
	Node	   *expr = flinfo->fn_expr;

	return expr != NULL && IsA(expr, FuncExpr) &&
		IsA(linitial(((FuncExpr *) expr)->args), Const);
}
