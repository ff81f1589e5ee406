/*-------------------------------------------------------------------------
 *
 * empty.c
 *	  What a call of a C function costs that does nothing: the baseline.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  test/bench/empty.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(empty);

/*
 * empty(text): a number, for nothing.
 */
Datum
empty(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(1);
}
