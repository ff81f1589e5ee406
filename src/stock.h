/*-------------------------------------------------------------------------
 *
 * stock.h
 *	  Ids of a hub that the server holds for its sessions.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/stock.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_STOCK_H
#define HILO_STOCK_H

#include "store.h"

/*
 * What is left after a take.
 */
typedef struct Stock
{
	int64		ids;
	bool		has_room;		/* for one range more */
} Stock;

extern StoreResult stock_take(const StoreRequest *request, StoreRange *taken,
							  Stock *left);
extern StoreResult stock_add(const StoreRequest *request, Range range,
							 int64 epoch);
extern bool stock_give_back(text *name, int64 incarnation, int64 epoch,
							Range own, int64 next);
extern void stock_pass(text *name, int64 value, SeedKind kind);

#endif							/* HILO_STOCK_H */
