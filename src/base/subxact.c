/* Work that returns its error and does not raise it. */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "utils/resowner.h"

#include "base/base.h"

/*
 * Do a piece of work in a subtransaction.  If it raises an error, roll back its
 * changes and return the error; otherwise return NULL.
 *
 * With undo, roll back its changes and its locks in any case, and re-throw the
 * error.  A query cancel is always re-thrown.  Code of another role could raise
 * an error with the same SQLSTATE, but it could as well run until it is
 * cancelled.
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
		/* the context may show a statement with values of a row */
		error->context = NULL;
		ThrowErrorData(error);
	}
	/* code of a role can raise messages of any size: cut them */
	if (error != NULL && error->message != NULL)
	{
		int			length = strlen(error->message);

		error->message[pg_mbcliplen(error->message, length, 1000)] = '\0';
	}
	return error;
}
