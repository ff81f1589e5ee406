/*
 * Work whose error is told and not raised.
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/resowner.h"

#include "base/base.h"

/*
 * Do a piece of work in a subtransaction.  Return the error that it raised,
 * after a rollback of what it did, NULL if there was none.  A cancelled query
 * is cancelled, but not by code that raises the same error itself.
 */
ErrorData *
attempt(void (*work) (void *), void *arg)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		work(arg);
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

	if (error != NULL && error->sqlerrcode == ERRCODE_QUERY_CANCELED &&
		error->funcname != NULL &&
		strcmp(error->funcname, "ProcessInterrupts") == 0)
		ReThrowError(error);
	return error;
}
