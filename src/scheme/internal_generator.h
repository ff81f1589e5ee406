/*
 * Generators of hilo's own, which keep what other schemes must not repeat.
 */
#ifndef HILO_INTERNAL_GENERATOR_H
#define HILO_INTERNAL_GENERATOR_H

#include "store/store.h"
#include "table/table.h"

/*
 * A generator of hilo's own, whose lock this transaction has.
 */
typedef struct InternalGenerator
{
	text	   *name;
	int64		max_value;
	WindowKey	key;
	StandbyList standbys;		/* that have the id taken last */
} InternalGenerator;

extern InternalGenerator internal_open(const char *suffix, int64 max_value);
extern int64 internal_last(const InternalGenerator *internal);
extern int64 internal_take(InternalGenerator *internal, int64 at_least,
						   int64 *id);

#endif							/* HILO_INTERNAL_GENERATOR_H */
