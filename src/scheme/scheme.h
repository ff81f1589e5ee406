/*
 * Decimal and trace ids.
 */
#ifndef HILO_SCHEME_H
#define HILO_SCHEME_H

#include "store/store.h"
#include "table/table.h"

/* decimal_id.c: counter, generator and launch, each in digits of its own */
#define LAUNCH_MAX 99999
#define GENERATOR_MAX 99999

extern int	decimal_launch_id;
extern bool decimal_launch_testing;

/* the foreign server that is the hub for decimal ids, or empty */
extern char *decimal_hub;

extern void decimal_id_init(void);

/* trace_id.c: second, node, chunk and counter, as elfo has them */
extern int	trace_ahead;

extern void trace_id_init(void);

/*
 * internal_generator.c: a generator of hilo's own, whose lock this transaction
 * has.
 */
typedef struct InternalGenerator
{
	text	   *name;
	int64		max_value;
	WindowKey	key;
} InternalGenerator;

extern InternalGenerator internal_open(const char *suffix, int64 max_value);
extern int64 internal_last(const InternalGenerator *internal);
extern int64 internal_take(InternalGenerator *internal, int64 at_least,
						   int64 *id);

#endif							/* HILO_SCHEME_H */
