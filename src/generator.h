/*-------------------------------------------------------------------------
 *
 * generator.h
 *	  Generators as SQL creates, changes and drops them.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/generator.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_GENERATOR_H
#define HILO_GENERATOR_H

#include "definition.h"

extern void generator_create(text *name, text *written,
							 const Definition *definition, Oid owner,
							 int64 last);
extern void generator_limit(text *name, text *written, int64 max_value);
extern void generator_check_seed(text *written, int64 value);
extern int64 generator_seed(text *written, const int64 *to, bool force);
extern int64 generator_last(text *name, const Definition *definition);

#endif							/* HILO_GENERATOR_H */
