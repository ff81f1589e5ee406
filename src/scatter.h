/*-------------------------------------------------------------------------
 *
 * scatter.h
 *	  A bijection of the ids of so many bits, without a key.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/scatter.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SCATTER_H
#define HILO_SCATTER_H

extern int64 scatter_id(int64 id, int bits);
extern int64 scatter_gather(int64 id, int bits);

#endif							/* HILO_SCATTER_H */
