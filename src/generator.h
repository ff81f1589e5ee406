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

#include "fmgr.h"
#include "storage/lockdefs.h"

#include "store.h"

extern text *generator_argument(FunctionCallInfo fcinfo);
extern bool generator_lock(text *name, LOCKMODE lockmode,
						   FormData_hilo_hi *hi);
extern void generator_lock_incarnation(int64 incarnation, LOCKMODE lockmode);

#endif							/* HILO_GENERATOR_H */
