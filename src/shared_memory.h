/*-------------------------------------------------------------------------
 *
 * shared_memory.h
 *	  Memory that all sessions of the server share.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/shared_memory.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SHARED_MEMORY_H
#define HILO_SHARED_MEMORY_H

#include "compat.h"

extern void *shared_memory(const char *name, Size size,
						   void (*init) (SegmentInitArguments));

#endif							/* HILO_SHARED_MEMORY_H */
