/*-------------------------------------------------------------------------
 *
 * call_entry.c
 *	  What a call of an SQL function is about, and the row that it returns.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tupdesc.h"
#include "funcapi.h"
#include "nodes/primnodes.h"
#include "utils/memutils.h"

#include "session/call_entry.h"

/*
 * The row type of a function of ours, which stays what it is.
 */
typedef struct RowType
{
	Oid			function;
	TupleDesc	desc;			/* blessed */
	struct RowType *next;
} RowType;

static RowType *row_types = NULL;

static TupleDesc row_type(FunctionCallInfo fcinfo);
static bool name_is_constant(FmgrInfo *flinfo);

/*
 * Finds the entry of the name in the first argument, for this call and those
 * that follow.
 */
SessionEntry *
call_entry_find(FunctionCallInfo fcinfo, EntryFinder find)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	text	   *written;
	Size		length;
	CallEntry  *call;

	if (PG_ARGISNULL(0))
		definition_argument(fcinfo);

	written = PG_GETARG_TEXT_PP(0);
	length = VARSIZE_ANY_EXHDR(written);
	if (flinfo->fn_extra != NULL)
	{
		pfree(flinfo->fn_extra);
		flinfo->fn_extra = NULL;
	}
	call = MemoryContextAlloc(flinfo->fn_mcxt,
							  offsetof(CallEntry, written) + length);
	call->entry = find(written);
	call->is_constant = name_is_constant(flinfo);
	call->length = length;
	memcpy(call->written, VARDATA_ANY(written), length);
	flinfo->fn_extra = call;
	return call->entry;
}

/*
 * Makes the row that the function returns.
 */
Datum
call_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	return HeapTupleGetDatum(heap_form_tuple(row_type(fcinfo), values, nulls));
}

/*
 * Gives the type of the row that the function returns.  Looked up once a
 * session, as that costs more than all the rest of a reservation in memory.
 */
static TupleDesc
row_type(FunctionCallInfo fcinfo)
{
	Oid			function = fcinfo->flinfo->fn_oid;
	RowType    *type;
	TupleDesc	desc;
	MemoryContext before;

	for (type = row_types; type != NULL; type = type->next)
	{
		if (type->function == function)
			return type->desc;
	}

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	before = MemoryContextSwitchTo(TopMemoryContext);
	type = palloc(sizeof(*type));
	type->function = function;
	type->desc = CreateTupleDescCopy(BlessTupleDesc(desc));
	MemoryContextSwitchTo(before);
	type->next = row_types;
	row_types = type;
	return type->desc;
}

/*
 * Says whether the first argument is a constant of the query.  Nothing less
 * will do: PL/pgSQL keeps a call while its parameters change.
 */
static bool
name_is_constant(FmgrInfo *flinfo)
{
	Node	   *expr = flinfo->fn_expr;

	return expr != NULL && IsA(expr, FuncExpr) &&
		IsA(linitial(((FuncExpr *) expr)->args), Const);
}
