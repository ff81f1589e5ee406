/*
 * A permutation of the ids of a number of bits, under a key.
 *
 * An id less 1 is cut in two halves, and each of them is in turn changed by a
 * hash of the other: a Feistel network of ten rounds, with SipHash-2-4 under
 * the key as the hash.  That permutes all numbers of these bits.  The highest
 * of them is no id: a number that becomes it is encrypted again (cycle
 * walking).
 *
 * The tweak is the first word of each hashed message, so it selects another
 * permutation under the same key.  The second word differs between rounds and
 * between numbers of bits.
 */
#include "postgres.h"

#include "base/base.h"
#include "port/pg_bswap.h"

PG_FUNCTION_INFO_V1(id_encrypt);
PG_FUNCTION_INFO_V1(id_decrypt);

/* as many as NIST's FF1 has, also for small halves */
#define ROUNDS 10
#define LOW_BITS(number, bits) ((number) & ((UINT64CONST(1) << (bits)) - 1))

#define SIPHASH_KEY_LENGTH 16
#define SIPHASH_ROTATE(word, n) (((word) << (n)) | ((word) >> (64 - (n))))

typedef struct SipHash
{
	uint64		v0;
	uint64		v1;
	uint64		v2;
	uint64		v3;
} SipHash;

static int64 permute(FunctionCallInfo fcinfo, bool is_inverse);
static SipHash hash_begin(bytea *key, int64 tweak);
static uint64 hash_half(SipHash state, uint64 half, int round, int bits);
static inline void siphash_rounds(SipHash *state, int rounds);
static inline void siphash_add(SipHash *state, uint64 word);

Datum
id_encrypt(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(permute(fcinfo, false));
}

Datum
id_decrypt(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(permute(fcinfo, true));
}

/* Do the rounds, or undo them, until the result is an id. */
static int64
permute(FunctionCallInfo fcinfo, bool is_inverse)
{
	int64		id = PG_GETARG_INT64(0);
	SipHash		state = hash_begin(PG_GETARG_BYTEA_PP(1), PG_GETARG_INT64(3));
	int			bits = PG_GETARG_INT32(2);
	int64		max = id_domain_max(bits);
	int			sizes[] = {bits / 2, bits - bits / 2};
	uint64		offset = (uint64) id - 1;

	id_domain_check("id", id, 1, max);
	do
	{
		/* the high half first */
		uint64		halves[] = {offset >> sizes[1], LOW_BITS(offset, sizes[1])};

		for (int i = 0; i < ROUNDS; i++)
		{
			int			round = is_inverse ? ROUNDS - 1 - i : i;
			int			changed = round % 2;
			uint64		hash =
				hash_half(state, halves[1 - changed], round, bits);

			halves[changed] ^= LOW_BITS(hash, sizes[changed]);
		}
		offset = halves[0] << sizes[1] | halves[1];
	} while (offset == (uint64) max);
	return (int64) offset + 1;
}

/*
 * Return the state of the hash after the key and the tweak, with which all
 * rounds begin.  The error for a wrong key must not show the key.
 */
static SipHash
hash_begin(bytea *key, int64 tweak)
{
	uint64		words[SIPHASH_KEY_LENGTH / sizeof(uint64)];
	SipHash		state;

	if (VARSIZE_ANY_EXHDR(key) != SIPHASH_KEY_LENGTH)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("key must have %d bytes", SIPHASH_KEY_LENGTH),
				errdetail("It has %d bytes.", (int) VARSIZE_ANY_EXHDR(key)),
				errhint("Make one with SELECT uuid_send(gen_random_uuid())."));
	memcpy(words, VARDATA_ANY(key), sizeof(words));
	/* SipHash reads its words as little-endian */
	state.v0 = state.v2 = pg_bswap64(pg_ntoh64(words[0]));
	state.v1 = state.v3 = pg_bswap64(pg_ntoh64(words[1]));
	state.v0 ^= UINT64CONST(0x736f6d6570736575);
	state.v1 ^= UINT64CONST(0x646f72616e646f6d);
	state.v2 ^= UINT64CONST(0x6c7967656e657261);
	state.v3 ^= UINT64CONST(0x7465646279746573);
	siphash_add(&state, (uint64) tweak);
	return state;
}

static uint64
hash_half(SipHash state, uint64 half, int round, int bits)
{
	siphash_add(&state, half | (uint64) round << 32 | (uint64) bits << 40);
	siphash_add(&state, UINT64CONST(16) << 56);
	state.v2 ^= 0xff;
	siphash_rounds(&state, 4);
	return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

static inline void
siphash_rounds(SipHash *state, int rounds)
{
	SipHash		v = *state;

	for (int i = 0; i < rounds; i++)
	{
		v.v0 += v.v1;
		v.v1 = SIPHASH_ROTATE(v.v1, 13) ^ v.v0;
		v.v0 = SIPHASH_ROTATE(v.v0, 32);
		v.v2 += v.v3;
		v.v3 = SIPHASH_ROTATE(v.v3, 16) ^ v.v2;
		v.v0 += v.v3;
		v.v3 = SIPHASH_ROTATE(v.v3, 21) ^ v.v0;
		v.v2 += v.v1;
		v.v1 = SIPHASH_ROTATE(v.v1, 17) ^ v.v2;
		v.v2 = SIPHASH_ROTATE(v.v2, 32);
	}
	*state = v;
}

static inline void
siphash_add(SipHash *state, uint64 word)
{
	state->v3 ^= word;
	siphash_rounds(state, 2);
	state->v0 ^= word;
}
