/*-------------------------------------------------------------------------
 *
 * id_domain.c
 *	  The intervals that ids are from.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/id_domain.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "id_domain.h"

/*
 * Gives the highest id of the domain of so many bits, the lowest being 1, or
 * raises an error if there is no such domain.
 */
int64
id_domain_max(int bits)
{
	if (bits < ID_DOMAIN_MIN_BITS || bits > ID_DOMAIN_MAX_BITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("bits must be between %d and %d",
						ID_DOMAIN_MIN_BITS, ID_DOMAIN_MAX_BITS)));
	return (int64) ((UINT64CONST(1) << bits) - 1);
}

/*
 * Raises an error unless the id is one of low .. high.
 */
void
id_domain_check(int64 id, int64 low, int64 high)
{
	id_domain_check_part("id", id, low, high);
}

/*
 * Raises an error unless the part of an id of that name is one of low .. high.
 */
void
id_domain_check_part(const char *part, int64 value, int64 low, int64 high)
{
	if (value < low || value > high)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("%s %lld is out of range", part, (long long) value),
				 errdetail("It must be between %lld and %lld.",
						   (long long) low, (long long) high)));
}
