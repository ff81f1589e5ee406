/* The arguments of SQL functions, and the rows that they return. */
#include "postgres.h"

#include "base/base.h"

/* The row type of a function's result, looked up once in a session. */
typedef struct RowType
{
	Oid			function;
	TupleDesc	desc;			/* blessed */
	struct RowType *next;
} RowType;

static RowType *row_types = NULL;

void
argument_require(FunctionCallInfo fcinfo, int number, const char *what)
{
	if (PG_ARGISNULL(number))
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("%s must not be null", what));
}

/* Add a row to the result of a function that returns a set of rows. */
void
put_row(void *rsinfo, Datum *values, bool *nulls)
{
	ReturnSetInfo *result = rsinfo;

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/*
 * Return a row of the function's type, without nulls if nulls is NULL.  The
 * type is kept: to look it up costs more than to reserve a range in memory.
 */
Datum
call_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	Oid			function = fcinfo->flinfo->fn_oid;
	RowType    *type = row_types;
	bool		none[16] = {0};
	TupleDesc	desc;
	MemoryContext before;

	while (type != NULL && type->function != function)
		type = type->next;
	if (type == NULL)
	{
		if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		before = MemoryContextSwitchTo(TopMemoryContext);
		type = palloc(sizeof(*type));
		type->function = function;
		type->desc = CreateTupleDescCopy(BlessTupleDesc(desc));
		MemoryContextSwitchTo(before);
		type->next = row_types;
		row_types = type;
	}
	Assert(type->desc->natts <= (int) lengthof(none));
	if (nulls == NULL)
		nulls = none;
	return HeapTupleGetDatum(heap_form_tuple(type->desc, values, nulls));
}
