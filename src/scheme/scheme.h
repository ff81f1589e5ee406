/*
 * The settings of decimal and trace ids.
 */
#ifndef HILO_SCHEME_H
#define HILO_SCHEME_H

/*
 * decimal_id.c: decimal ids: counter, generator and launch, each in digits of its own.
 */

#define LAUNCH_MAX 99999
#define GENERATOR_MAX 99999

extern int	decimal_launch_id;
extern bool decimal_launch_testing;

/* the foreign server that is the hub for decimal ids, or empty */
extern char *decimal_hub;

extern void decimal_id_init(void);

/*
 * trace_id.c: trace ids: second, node, chunk and counter, as elfo has them.
 */

extern int	trace_ahead;

extern void trace_id_init(void);

#endif							/* HILO_SCHEME_H */
