/*-------------------------------------------------------------------------
 *
 * decimal_id.h
 *	  Decimal ids: counter, generator and launch, each in digits of its own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_DECIMAL_ID_H
#define HILO_DECIMAL_ID_H

#define LAUNCH_MAX 99999
#define GENERATOR_MAX 99999

extern int	decimal_launch_id;
extern bool decimal_launch_testing;

extern void decimal_id_init(void);
extern int32 decimal_next_generator_id(int32 launch_id, int64 at_least);

/* hilo_launches, the log that numbers launches */
extern int32 launch_next(text *note, const char *function);

#endif							/* HILO_DECIMAL_ID_H */
