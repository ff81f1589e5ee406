/*-------------------------------------------------------------------------
 *
 * scatter.c
 *	  A bijection of the ids of so many bits, without a key.
 *
 * Each step maps the numbers of that many bits onto themselves and 0 onto 0,
 * so all of them together map 1 .. 2^bits - 1 onto itself: a multiplication
 * by an odd number is undone by the one by its inverse, and x ^ x >> s, where
 * s is half of the bits or more, by itself.  One multiplication alone would
 * not do: the lowest bits of its product depend on those of the id only, so
 * that ids would alternate between odd and even for ever.
 *
 * The multipliers are those of MurmurHash3's 64-bit finalizer, cut to the
 * bits there are.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/scatter.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "id_domain.h"
#include "scatter.h"

PG_FUNCTION_INFO_V1(id_scatter);
PG_FUNCTION_INFO_V1(id_gather);

#define MULTIPLIER_1 UINT64CONST(0xff51afd7ed558ccd)
#define MULTIPLIER_2 UINT64CONST(0xc4ceb9fe1a85ec53)

/* their inverses modulo 2^64, and so modulo any lower power of 2 */
#define INVERSE_1 UINT64CONST(0x4f74430c22a54005)
#define INVERSE_2 UINT64CONST(0x9cb4b2f8129337db)

static uint64 mix(uint64 id, int bits, uint64 first, uint64 second);

/*
 * id_scatter(id, bits): the id that stands for it among 1 .. 2^bits - 1.
 */
Datum
id_scatter(PG_FUNCTION_ARGS)
{
	int64		id = PG_GETARG_INT64(0);
	int			bits = PG_GETARG_INT32(1);

	id_domain_check(id, 1, id_domain_max(bits));
	PG_RETURN_INT64(scatter_id(id, bits));
}

/*
 * id_gather(id, bits): the id that id_scatter has made this one of.
 */
Datum
id_gather(PG_FUNCTION_ARGS)
{
	int64		id = PG_GETARG_INT64(0);
	int			bits = PG_GETARG_INT32(1);

	id_domain_check(id, 1, id_domain_max(bits));
	PG_RETURN_INT64(scatter_gather(id, bits));
}

/*
 * Gives the id that stands for another of 1 .. 2^bits - 1.
 */
int64
scatter_id(int64 id, int bits)
{
	return (int64) mix((uint64) id, bits, MULTIPLIER_1, MULTIPLIER_2);
}

/*
 * Undoes scatter_id.
 */
int64
scatter_gather(int64 id, int bits)
{
	return (int64) mix((uint64) id, bits, INVERSE_2, INVERSE_1);
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
