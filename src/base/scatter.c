/*
 * A bijection of the ids of a number of bits, without a key; the domains of
 * ids.
 *
 * Each step maps the numbers of these bits onto themselves and 0 onto 0, so all
 * steps together map 1 .. 2^bits - 1 onto itself.  A multiplication by an odd
 * number is undone by its inverse.  x ^ x >> s is undone by itself if s is at
 * least half of the bits.  One multiplication alone is not enough: the lowest
 * bits of its product depend only on those of the id, so ids would alternate
 * between odd and even for ever.
 *
 * The multipliers are those of MurmurHash3's 64-bit finalizer, cut to the bits.
 */
#include "postgres.h"

#include "base/base.h"

PG_FUNCTION_INFO_V1(id_scatter);
PG_FUNCTION_INFO_V1(id_gather);

#define MULTIPLIER_1 UINT64CONST(0xff51afd7ed558ccd)
#define MULTIPLIER_2 UINT64CONST(0xc4ceb9fe1a85ec53)

/* their inverses modulo 2^64, and so modulo any lower power of 2 */
#define INVERSE_1 UINT64CONST(0x4f74430c22a54005)
#define INVERSE_2 UINT64CONST(0x9cb4b2f8129337db)

static int64 id_argument(FunctionCallInfo fcinfo);
static uint64 mix(uint64 id, int bits, uint64 first, uint64 second);

Datum
id_scatter(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(scatter_id(id_argument(fcinfo), PG_GETARG_INT32(1)));
}

Datum
id_gather(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) mix((uint64) id_argument(fcinfo),
								PG_GETARG_INT32(1),
								INVERSE_2, INVERSE_1));
}

/* Return the place of an id in the domain 1 .. 2^bits - 1. */
int64
scatter_id(int64 id, int bits)
{
	return (int64) mix((uint64) id, bits, MULTIPLIER_1, MULTIPLIER_2);
}

/* Return the highest id of a domain; report an error if there is none. */
int64
id_domain_max(int bits)
{
	id_domain_check("bits", bits, ID_DOMAIN_MIN_BITS, ID_DOMAIN_MAX_BITS);
	return (int64) ((UINT64CONST(1) << bits) - 1);
}

/* Report an error unless a value is in low .. high; "what" is its name. */
void
id_domain_check(const char *what, int64 value, int64 low, int64 high)
{
	if (value < low || value > high)
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("%s %lld is out of range", what, (long long) value),
				errdetail("It must be between %lld and %lld.",
						  (long long) low, (long long) high));
}

/* Return the first argument, which must be an id of the second one's domain. */
static int64
id_argument(FunctionCallInfo fcinfo)
{
	int64		id = PG_GETARG_INT64(0);

	id_domain_check("id", id, 1, id_domain_max(PG_GETARG_INT32(1)));
	return id;
}

static uint64
mix(uint64 id, int bits, uint64 first, uint64 second)
{
	uint64		mask = (UINT64CONST(1) << bits) - 1;
	int			shift = (bits + 1) / 2;

	id ^= id >> shift;
	id = (id * first) & mask;
	id ^= id >> shift;
	id = (id * second) & mask;
	id ^= id >> shift;
	return id;
}
