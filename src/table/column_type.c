/*
 * The types of columns, and which ids they hold.
 */
#include "postgres.h"

#include "catalog/pg_type.h"

#include "table/table.h"

bool
column_type_is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

/*
 * Check whether a type has ids whose numbers are known: integers, or texts.
 */
bool
column_type_has_ids(Oid type)
{
	return column_type_is_integer(type) || type == TEXTOID || type == VARCHAROID;
}

int64
column_type_max(Oid type)
{
	return type == INT2OID ? PG_INT16_MAX :
		type == INT4OID ? PG_INT32_MAX : PG_INT64_MAX;
}

/*
 * Return how many ids for a column of a type one call may take: a small share of
 * those that there are, 1/1024 of smallint and 1/32768 of int.
 */
int64
column_type_range(Oid type)
{
	return type == INT2OID ? RANGE_DEFAULT_SIZE :
		type == INT4OID ? 65536 : RANGE_DEFAULT_MAX_SIZE;
}
