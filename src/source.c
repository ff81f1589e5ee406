/*-------------------------------------------------------------------------
 *
 * source.c
 *	  Where the ranges of a generator come from.
 *
 * From its own row of hilo_hi, from the hi of an ORM, or from a hub.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/source.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "hub.h"
#include "orm_source.h"
#include "source.h"

/*
 * Reserves a range; see store_take.
 */
StoreResult
source_take(const Definition *definition, const StoreRequest *request,
			StoreRange *taken)
{
	if (definition->ordering == ORDERING_ADOPTED)
		return orm_source_take(request, taken);
	if (DefinitionHasHub(definition))
		return hub_take(definition, request, taken);
	return store_take(request, taken);
}

/*
 * Gives the ids next .. own.high of a session's own range back, and says
 * whether it did.  Waits for nothing; see store_give_back.
 */
bool
source_give_back(const Definition *definition, text *name, int64 incarnation,
				 int64 epoch, Range own, int64 next)
{
	if (DefinitionHasHub(definition))
		return hub_give_back(name, incarnation, epoch, own, next);
	return store_give_back(name, incarnation, epoch, own, next,
						   definition->recycle, false);
}
