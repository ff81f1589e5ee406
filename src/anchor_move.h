/*-------------------------------------------------------------------------
 *
 * anchor_move.h
 *	  Moving buckets to another server.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/anchor_move.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ANCHOR_MOVE_H
#define HILO_ANCHOR_MOVE_H

extern void anchor_move_work(const void *input, void *answer);

#endif							/* HILO_ANCHOR_MOVE_H */
