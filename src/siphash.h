/*-------------------------------------------------------------------------
 *
 * siphash.h
 *	  SipHash-2-4 of Aumasson and Bernstein, a word at a time.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/siphash.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SIPHASH_H
#define HILO_SIPHASH_H

#include "port/pg_bitutils.h"

#define SIPHASH_KEY_LENGTH 16

typedef struct SipHash
{
	uint64		v0;
	uint64		v1;
	uint64		v2;
	uint64		v3;
} SipHash;

/*
 * siphash_load gives the little-endian number in up to 8 bytes.
 */
static inline uint64
siphash_load(const unsigned char *bytes, int length)
{
	uint64		word = 0;

	for (int i = 0; i < length; i++)
		word |= (uint64) bytes[i] << (8 * i);
	return word;
}

#define SIPHASH_ROTATE(word, n) (((word) << (n)) | ((word) >> (64 - (n))))

static inline void
siphash_rounds(SipHash *state, int rounds)
{
	uint64		v0 = state->v0;
	uint64		v1 = state->v1;
	uint64		v2 = state->v2;
	uint64		v3 = state->v3;

	for (int i = 0; i < rounds; i++)
	{
		v0 += v1;
		v1 = SIPHASH_ROTATE(v1, 13) ^ v0;
		v0 = SIPHASH_ROTATE(v0, 32);
		v2 += v3;
		v3 = SIPHASH_ROTATE(v3, 16) ^ v2;
		v0 += v3;
		v3 = SIPHASH_ROTATE(v3, 21) ^ v0;
		v2 += v1;
		v1 = SIPHASH_ROTATE(v1, 17) ^ v2;
		v2 = SIPHASH_ROTATE(v2, 32);
	}
	*state = (SipHash) {v0, v1, v2, v3};
}

/*
 * siphash_begin starts the hash of a message.
 */
static inline void
siphash_begin(SipHash *state, const unsigned char *key)
{
	uint64		k0 = siphash_load(key, 8);
	uint64		k1 = siphash_load(key + 8, 8);

	state->v0 = k0 ^ UINT64CONST(0x736f6d6570736575);
	state->v1 = k1 ^ UINT64CONST(0x646f72616e646f6d);
	state->v2 = k0 ^ UINT64CONST(0x6c7967656e657261);
	state->v3 = k1 ^ UINT64CONST(0x7465646279746573);
}

/*
 * siphash_add adds the next 8 bytes of the message.
 */
static inline void
siphash_add(SipHash *state, uint64 word)
{
	state->v3 ^= word;
	siphash_rounds(state, 2);
	state->v0 ^= word;
}

/*
 * siphash_end gives the hash of a message of so many bytes, the last
 * length % 8 of which are in tail.
 */
static inline uint64
siphash_end(SipHash *state, uint64 length, uint64 tail)
{
	siphash_add(state, length << 56 | tail);
	state->v2 ^= 0xff;
	siphash_rounds(state, 4);
	return state->v0 ^ state->v1 ^ state->v2 ^ state->v3;
}

#endif							/* HILO_SIPHASH_H */
