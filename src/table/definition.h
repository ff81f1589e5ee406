/*-------------------------------------------------------------------------
 *
 * definition.h
 *	  hilo_generator: what kind of generator a name stands for.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_DEFINITION_H
#define HILO_DEFINITION_H

#include "access/htup.h"
#include "datatype/timestamp.h"
#include "fmgr.h"
#include "utils/relcache.h"

/* of a generator's name, in bytes, and of a text id, in bytes of UTF-8 */
#define ID_MAX_LENGTH 512

/* ends the name of an identity's generator */
#define IDENTITY_MARK '|'

/* begins the names of hilo's own generators */
#define RESERVED_PREFIX "hilo."

/* the share of its ids from which on a generator or a column is warned of */
#define NEARLY_USED_UP 0.75

typedef enum Ordering
{
	ORDERING_SESSION,
	ORDERING_GLOBAL,
	ORDERING_SCATTERED,
	ORDERING_GAPLESS,
	ORDERING_ADOPTED			/* as session, the ranges are an ORM's */
} Ordering;

typedef struct Definition
{
	Ordering	ordering;
	int64		first;
	int64		max_value;
	int64		range_size;
	int64		max_range_size;
	bool		recycle;
	int32		domain_bits;
	bool		is_public;		/* anyone may use it */
	TimestampTz created;
	NameData	hub;			/* the foreign server its ids come from, or empty */
} Definition;

#define DefinitionHasHub(definition) (NameStr((definition)->hub)[0] != '\0')

extern text *definition_argument(FunctionCallInfo fcinfo);
extern text *definition_name(text *written);
extern Definition definition_default(text *name);
extern Ordering definition_ordering(const char *name);
extern const char *definition_ordering_name(Ordering ordering);
extern int64 definition_next_size(const Definition *definition,
								  int64 last_size, TimestampTz last_at);
extern double definition_used_ratio(const Definition *definition, int64 last);
extern const char *definition_limit_hint(const Definition *definition,
										 int64 max_value);

extern bool definition_exists(text *name);
extern bool definition_find(text *name, Definition *definition,
							text **written);
extern Definition definition_get(text *name, text *written);
extern void definition_from_tuple(HeapTuple tuple, Relation rel,
								  Definition *definition, text **name,
								  text **written);
extern bool definition_altered_in_this_transaction(text *name, const Definition *now);
extern bool definition_scatters_otherwise(const Definition *one,
										  const Definition *other);
extern void definition_insert(text *name, text *written,
							  const Definition *definition, bool frozen);
extern void definition_update(text *name, const Definition *definition);
extern void definition_delete(text *name);
extern bool definition_is_reserved(text *name);
extern void definition_require_name(text *name, text *written, Oid owner);

extern void definition_check(text *name, const Definition *definition);
extern void definition_check_size(const Definition *definition, int64 size,
								  const char *argument);
extern void definition_check_id(const char *id, int length, int more);

#endif							/* HILO_DEFINITION_H */
