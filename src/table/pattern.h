/*
 * The generators that number the ids of documents.
 */
#ifndef HILO_PATTERN_H
#define HILO_PATTERN_H

#include "access/htup.h"
#include "utils/reltrigger.h"

typedef enum PatternStrategy
{
	STRATEGY_GUID,
	STRATEGY_SERVER_SIDE,
	STRATEGY_IDENTITY,
	STRATEGY_HILO,				/* those up to here are a trigger's, too */
	STRATEGY_NUMBER,
	STRATEGY_SEMANTIC
} PatternStrategy;

#define STRATEGY_LAST_OF_TRIGGER STRATEGY_HILO

extern const char *const pattern_strategy_names[];

/* the generator of all server-side ids; no identity can have this name */
#define SERVER_SIDE_GENERATOR "|"

extern PatternStrategy pattern_strategy(text *pattern);
extern text *pattern_generator(text *pattern, bool any_separator);
extern text *pattern_of_trigger(HeapTuple tuple, TupleDesc desc,
								AttrNumber *column);
extern const char *pattern_argument(Trigger *trigger, int number);
extern const char *pattern_collection(Oid relid);
extern text *pattern_tag(text *collection);
extern const char *pattern_last_part(const char *id, int length);
extern bool pattern_ends_with_separator(const char *bytes, int length);

#endif							/* HILO_PATTERN_H */
