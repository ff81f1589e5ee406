/*-------------------------------------------------------------------------
 *
 * shared_memory.h
 *	  Memory that all sessions of the server share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SHARED_MEMORY_H
#define HILO_SHARED_MEMORY_H

#include "storage/lwlock.h"

/* of what is not changed in one step; NULL before shared_memory_attach */
extern LWLock *shared_lock;

extern void shared_memory_reserve(void **memory, Size size);
extern void shared_memory_attach(void);

#endif							/* HILO_SHARED_MEMORY_H */
