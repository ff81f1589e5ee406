/*
 * Work whose error is returned and not raised.
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/resowner.h"

#include "base/base.h"

static ErrorData *work_in_subtransaction(void (*work) (void *), void *arg,
										 void (*end) (void));

/*
 * Do a piece of work in a subtransaction.  Return the error that it raised,
 * after a rollback of what it did, or NULL.  Re-throw a query cancel, unless the
 * work itself raised that SQLSTATE.
 */
ErrorData *
attempt(void (*work) (void *), void *arg)
{
	return work_in_subtransaction(work, arg, ReleaseCurrentSubTransaction);
}

/* Do a piece of work, and roll back what it did, with the locks that it took. */
void
attempt_and_undo(void (*work) (void *), void *arg)
{
	ErrorData  *error = work_in_subtransaction(work, arg,
											   RollbackAndReleaseCurrentSubTransaction);

	if (error != NULL)
		ReThrowError(error);
}

static ErrorData *
work_in_subtransaction(void (*work) (void *), void *arg, void (*end) (void))
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		work(arg);
		end();
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

	if (error != NULL && error->sqlerrcode == ERRCODE_QUERY_CANCELED &&
		error->funcname != NULL &&
		strcmp(error->funcname, "ProcessInterrupts") == 0)
		ReThrowError(error);
	return error;
}
