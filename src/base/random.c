/*
 * Numbers that nobody has had.
 */
#include "postgres.h"

#include "base/base.h"

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
