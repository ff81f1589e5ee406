/*-------------------------------------------------------------------------
 *
 * siphash.c
 *	  SipHash-2-4 for tests, which compare it with its published vectors.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/siphash.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "fmgr.h"

#include "siphash.h"

PG_FUNCTION_INFO_V1(hilo_siphash);

/*
 * hilo_siphash(key, message): the hash of any bytes.  The extension does not
 * declare it.
 */
Datum
hilo_siphash(PG_FUNCTION_ARGS)
{
	bytea	   *key = PG_GETARG_BYTEA_PP(0);
	bytea	   *message = PG_GETARG_BYTEA_PP(1);
	const unsigned char *bytes = (unsigned char *) VARDATA_ANY(message);
	int			length = VARSIZE_ANY_EXHDR(message);
	int			words = length / 8;
	SipHash		state;

	if (VARSIZE_ANY_EXHDR(key) != SIPHASH_KEY_LENGTH)
		elog(ERROR, "key must have %d bytes", SIPHASH_KEY_LENGTH);

	siphash_begin(&state, (unsigned char *) VARDATA_ANY(key));
	for (int i = 0; i < words; i++)
		siphash_add(&state, siphash_load(bytes + 8 * i, 8));
	PG_RETURN_INT64((int64) siphash_end(&state, length,
										siphash_load(bytes + 8 * words,
													 length % 8)));
}
