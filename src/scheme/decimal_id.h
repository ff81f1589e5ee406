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

/* the foreign server that is the hub for decimal ids, or empty */
extern char *decimal_hub;

extern void decimal_id_init(void);

#endif							/* HILO_DECIMAL_ID_H */
