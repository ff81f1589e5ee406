/*-------------------------------------------------------------------------
 *
 * attempt.h
 *	  Work whose error is told and not raised.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ATTEMPT_H
#define HILO_ATTEMPT_H

extern ErrorData *attempt(void (*work) (void *), void *arg);
extern void attempt_and_undo(void (*work) (void *), void *arg);

#endif							/* HILO_ATTEMPT_H */
