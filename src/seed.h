/*-------------------------------------------------------------------------
 *
 * seed.h
 *	  Raising the last id of a generator by hand, or lowering it.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/seed.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SEED_H
#define HILO_SEED_H

#include "store.h"

extern void seed_check(text *written, int64 value);
extern int64 seed_generator(text *written, const int64 *to, SeedKind kind);
extern void seed_pass(text *name, int64 value);

#endif							/* HILO_SEED_H */
