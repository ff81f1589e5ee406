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

extern void generator_check_seed(text *written, int64 value);
extern int64 generator_seed(text *written, const int64 *to, bool force);

#endif							/* HILO_GENERATOR_H */
