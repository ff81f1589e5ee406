/* Work that returns its error and does not raise it. */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "utils/resowner.h"

#include "base/base.h"

/*
 * Do a piece of work in a subtransaction.  Return the error that it raised,
 * after a rollback of its changes, or NULL.  With undo, roll back its changes
 * and its locks in any case, and re-throw the error.  Re-throw a query cancel:
 * code of a role that raises its SQLSTATE could as well run until the caller
 * cancels it.
 */
ErrorData *
subxact_run(void (*work) (void *), void *arg, bool undo)
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

	if (error != NULL && (undo || error->sqlerrcode == ERRCODE_QUERY_CANCELED))
	{
		/* the statement may have values of a row in it */
		error->context = NULL;
		ThrowErrorData(error);
	}
	/* the message of a role's code may have any size */
	if (error != NULL && error->message != NULL)
	{
		int			length = strlen(error->message);

		error->message[pg_mbcliplen(error->message, length, 1000)] = '\0';
	}
	return error;
}
