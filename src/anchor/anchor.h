/* The part of an id that says where its row lives. */
#ifndef HILO_ANCHOR_H
#define HILO_ANCHOR_H

#include "relation/relation.h"

extern Datum anchor_of(PG_FUNCTION_ARGS);
extern Datum anchor_to(PG_FUNCTION_ARGS);

#endif							/* HILO_ANCHOR_H */
