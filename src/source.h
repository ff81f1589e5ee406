/*-------------------------------------------------------------------------
 *
 * source.h
 *	  Where the ranges of a generator come from.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/source.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SOURCE_H
#define HILO_SOURCE_H

#include "definition.h"
#include "store.h"

extern StoreResult source_take(const Definition *definition,
							   const StoreRequest *request,
							   StoreRange *taken);
extern bool source_give_back(const Definition *definition, text *name,
							 int64 incarnation, int64 epoch, Range own,
							 int64 next);

#endif							/* HILO_SOURCE_H */
