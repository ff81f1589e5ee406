/* The table and the column that SQL names. */
#include "postgres.h"

#include "column/column.h"

/* Report an error unless the first two arguments are a table and a column. */
void
column_require_argument(FunctionCallInfo fcinfo, const char *function)
{
	require_writable(function);
	argument_require(fcinfo, 0, "table");
	argument_require(fcinfo, 1, "column");
}

/* Lock the table in the first argument, of the column in the second. */
Column
column_argument(FunctionCallInfo fcinfo, const char *function,
				LOCKMODE lockmode)
{
	column_require_argument(fcinfo, function);
	return column_lock_own(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)),
						   lockmode);
}
