/*-------------------------------------------------------------------------
 *
 * generator.h
 *	  Generators as SQL creates, changes and drops them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_GENERATOR_H
#define HILO_GENERATOR_H

#include "storage/lockdefs.h"

#include "store/hi_row.h"
#include "store/store.h"
#include "table/definition.h"

extern void generator_create(text *name, text *written,
							 const Definition *definition, Oid owner,
							 int64 last);
extern void generator_limit(text *name, text *written, int64 max_value);
extern Definition generator_owned(text *name, text *written);
extern void generator_lock_complete(text *name, text *written,
									LOCKMODE lockmode, FormData_hilo_hi *hi);
extern int64 generator_last(text *name, const Definition *definition);

/* seed.c */
extern void seed_check(text *written, int64 value);
extern int64 seed_generator(text *written, const int64 *to, SeedKind kind);
extern void seed_pass(text *name, int64 value);

#endif							/* HILO_GENERATOR_H */
