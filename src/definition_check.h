/*-------------------------------------------------------------------------
 *
 * definition_check.h
 *	  What a generator cannot be, and what cannot be asked of it.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/definition_check.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_DEFINITION_CHECK_H
#define HILO_DEFINITION_CHECK_H

#include "definition.h"

extern void definition_check(text *name, const Definition *definition);
extern void definition_check_size(const Definition *definition, int64 size,
								  const char *argument);
extern void definition_check_id(const char *id, int length, int more);

#endif							/* HILO_DEFINITION_CHECK_H */
