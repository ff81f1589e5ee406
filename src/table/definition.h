/*
 * hilo_generator: what kind of generator a name stands for.
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

/*
 * Who holds the ids that are reserved and not handed out yet.
 */
typedef enum Holder
{
	HELD_BY_SESSION,			/* each session a range of its own */
	HELD_BY_SERVER,				/* all sessions one window, in one order */
	HELD_BY_NOBODY				/* a number is its transaction's: no gaps */
} Holder;

/*
 * Where ids are reserved.
 */
typedef enum Origin
{
	FROM_ROW,					/* the generator's own row of hilo_hi */
	FROM_ORM,					/* the sequence or table of an ORM */
	FROM_HUB					/* a generator on another server */
} Origin;

/*
 * What hilo_generator says of a generator.  Its column "ordering" stands for the
 * first three fields: "adopted" is FROM_ORM, and "scattered" is shown so.
 */
typedef struct Definition
{
	Holder		holder;
	Origin		origin;
	bool		scattered;		/* an id is its number's place in a domain */
	int64		first;
	int64		max_value;
	int64		range_size;
	int64		max_range_size;
	bool		recycle;
	int32		domain_bits;
	bool		is_public;		/* anyone may use it */
	TimestampTz created;
	NameData	hub;			/* the foreign server of FROM_HUB, else empty */
} Definition;

extern text *definition_argument(FunctionCallInfo fcinfo);
extern text *definition_name(text *written);
extern Definition definition_default(text *name);
extern void definition_set_ordering(Definition *definition,
									const char *ordering);
extern void definition_set_hub(Definition *definition, Name hub);
extern const char *definition_ordering(const Definition *definition);
extern bool definition_same_ordering(const Definition *one,
									 const Definition *other);
extern void definition_require_ranges(const Definition *definition,
									  text *written);
extern void definition_refuse_scattered(const Definition *definition,
										text *written, const char *detail,
										const char *hint);
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
