/*-------------------------------------------------------------------------
 *
 * launch.h
 *	  hilo_launches: the log of launches, which gives them their numbers.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/launch.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_LAUNCH_H
#define HILO_LAUNCH_H

extern int32 launch_next(text *note, const char *function);

#endif							/* HILO_LAUNCH_H */
