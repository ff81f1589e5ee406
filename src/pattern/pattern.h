/* The generators that number the ids of documents. */
#ifndef HILO_PATTERN_H
#define HILO_PATTERN_H

#include "table/table.h"

typedef enum PatternStrategy
{
	STRATEGY_GUID,
	STRATEGY_SERVER_SIDE,
	STRATEGY_IDENTITY,
	STRATEGY_HILO,				/* a trigger can have those up to here */
	STRATEGY_NUMBER,
	STRATEGY_SEMANTIC
} PatternStrategy;

extern const char *const pattern_strategy_names[];

/* digits of the number in a server-side id */
#define SERVER_SIDE_DIGITS 19

/* The number in an id without its anchor, and what stands around it. */
typedef struct PatternNumber
{
	int			prefix_length;	/* with the separator */
	int64		number;
	int			tag_length;		/* of the node tag at the end; 0: none */
	PatternStrategy strategy;
} PatternNumber;

extern PatternStrategy pattern_strategy(text *pattern);
extern text *pattern_generator(text *pattern, bool any_separator);
extern text *pattern_identity(text *written, bool any_separator);
extern text *pattern_tag(text *collection);
extern const char *pattern_last_part(const char *id, int length);
extern void pattern_refuse(text *name);
extern bool pattern_number(const char *id, int length, bool any_form,
						   PatternNumber *found);
extern int64 pattern_number_of(text *id, text *generator);

/* between an id and its anchor */
#define ANCHOR_SEPARATOR '$'

#endif							/* HILO_PATTERN_H */
