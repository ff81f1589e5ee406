/*-------------------------------------------------------------------------
 *
 * delay.h
 *	  Delays at the points where another session, or a crash, hurts most.
 *
 * A build with HILO_DELAYS defined sleeps there for up to two milliseconds,
 * every fifth time or so; any other has nothing there.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_DELAY_H
#define HILO_DELAY_H

#ifdef HILO_DELAYS

#include "common/pg_prng.h"

#define DELAY_SHARE 0.2
#define DELAY_MICROSECONDS 2000

static inline void
delay_at_random(void)
{
	if (pg_prng_double(&pg_global_prng_state) < DELAY_SHARE)
		pg_usleep((long) (pg_prng_double(&pg_global_prng_state) *
						  DELAY_MICROSECONDS));
}

#else
#define delay_at_random() ((void) 0)
#endif

#endif							/* HILO_DELAY_H */
