/*
 * The arguments of SQL functions and the rows that they return; work whose error
 * is returned; what this server is called; random numbers; waits.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "utils/resowner.h"

#include "base/base.h"

/* The result row type of one of hilo's functions, looked up once a session. */
typedef struct RowType
{
	Oid			function;
	TupleDesc	desc;			/* blessed */
	struct RowType *next;
} RowType;

static RowType *row_types = NULL;

char	   *hilo_node_tag = "A";
int			hilo_node_no;
char	   *hilo_identity_parts_separator = "/";

void
require_not_null(bool isnull, const char *what)
{
	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", what)));
}

/*
 * Return a row of the type that the function returns, without nulls if nulls is
 * NULL.  The type is looked up once a session, as the look-up costs more than
 * all the rest of a reservation in memory.
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
	return HeapTupleGetDatum(heap_form_tuple(type->desc, values,
											 nulls != NULL ? nulls : none));
}

/*
 * Do a piece of work in a subtransaction.  Return the error that it raised,
 * after a rollback of what it did, or NULL; or, to undo, roll back what it did in
 * any case, with the locks that it took, and re-throw the error.  Re-throw a
 * query cancel, unless the work itself raised that SQLSTATE.
 */
ErrorData *
attempt_work(void (*work) (void *), void *arg, bool undo)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		work(arg);
		if (undo)
			RollbackAndReleaseCurrentSubTransaction();
		else
			ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;

	if (error != NULL &&
		(undo || (error->sqlerrcode == ERRCODE_QUERY_CANCELED &&
				  error->funcname != NULL &&
				  strcmp(error->funcname, "ProcessInterrupts") == 0)))
		ReThrowError(error);
	return error;
}

/*
 * Check whether a string can stand between the parts of a text id: one
 * character, and not the one that marks identities.
 */
bool
separator_is_valid(const char *separator)
{
	size_t		length = strlen(separator);

	/* in every database alike, as the postmaster reads the file */
	return length > 0 &&
		(size_t) pg_utf_mblen((const unsigned char *) separator) == length &&
		(unsigned char) *separator >= ' ' && *separator != '\177' &&
		*separator != '|';
}

/* Return a random number, or report an error if there is none to be had. */
int64
random_number(void)
{
	int64		number;

	if (!pg_strong_random(&number, sizeof(number)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	return number;
}

/* Wait that long, or until the latch is set; can be cancelled. */
void
wait_event_for_latch(const char *event, long milliseconds)
{
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
					 milliseconds, wait_event(event));
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
}
