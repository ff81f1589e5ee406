/*
 * Generators of hilo's own, which keep what other schemes must not repeat.
 */
#ifndef HILO_RESERVED_H
#define HILO_RESERVED_H

#include "store/store.h"
#include "table/table.h"

/*
 * A generator of hilo's own, whose lock this transaction has.
 */
typedef struct Reserved
{
	text	   *name;
	int64		max_value;
	WindowKey	key;
	StandbyList standbys;		/* that have the id taken last */
} Reserved;

extern Reserved reserved_open(const char *suffix, int64 max_value);
extern int64 reserved_last(const Reserved *reserved);
extern int64 reserved_take(Reserved *reserved, int64 at_least,
						   int64 *id);

#endif							/* HILO_RESERVED_H */
