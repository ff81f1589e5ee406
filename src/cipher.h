/*-------------------------------------------------------------------------
 *
 * cipher.h
 *	  A bijection of any interval of ids, under a key.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/cipher.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_CIPHER_H
#define HILO_CIPHER_H

#include "siphash.h"

#define CIPHER_KEY_LENGTH SIPHASH_KEY_LENGTH

/*
 * A key and a tweak, ready for use.
 */
typedef struct Cipher
{
	SipHash		state;
} Cipher;

extern void cipher_check_key(bytea *key);
extern void cipher_init(Cipher *cipher, const unsigned char *key,
						int64 tweak);
extern int64 cipher_encrypt(const Cipher *cipher, int64 id, int64 low,
							int64 high);
extern int64 cipher_decrypt(const Cipher *cipher, int64 id, int64 low,
							int64 high);

#endif							/* HILO_CIPHER_H */
