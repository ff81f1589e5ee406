/* The part of an id that says where its row lives. */
#ifndef HILO_ANCHOR_H
#define HILO_ANCHOR_H

#include "relation/relation.h"

extern Datum anchor_of(PG_FUNCTION_ARGS);
extern Datum anchor_to(PG_FUNCTION_ARGS);

/*
 * Return the start of an id's anchor: after the last "$" that is not the first
 * character, or the start of the id.  In server encodings, no byte of another
 * character is a "$".
 */
static inline const char *
anchor_find(const char *id, const char *end)
{
	const char *anchor = end;

	while (anchor > id + 1 && anchor[-1] != ANCHOR_SEPARATOR)
		anchor--;
	return anchor > id + 1 ? anchor : id;
}

#endif							/* HILO_ANCHOR_H */
