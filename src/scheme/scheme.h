/* Decimal and trace ids. */
#ifndef HILO_SCHEME_H
#define HILO_SCHEME_H

#include "session/session.h"

/* decimal_id.c: counter, generator and launch, each in its own digits */
#define LAUNCH_MAX 99999

extern int	decimal_launch_id;
extern bool decimal_launch_testing;

/* the foreign server that is the hub for decimal ids, or empty */
extern char *decimal_hub;

/* trace_id.c: second, node, chunk and counter, like in elfo */
extern int	trace_ahead;

/* internal_generator.c: one of hilo's own generators, locked */
typedef struct InternalGenerator
{
	text	   *name;
	int64		max_value;
	int64		incarnation;
	int64		last;			/* the last id taken */
} InternalGenerator;

/* What the server keeps of a generator since its start. */
typedef struct SchemeSlot
{
	pg_atomic_uint64 word;		/* alone on its cache line; of decimal ids */
	char		padding[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];

	/* changed under shared_lock */
	WindowKey	key;			/* without a database: free */
	int32		number;			/* the launch_id; of trace ids, -node_no */
	int64		taken;			/* the last id that this server took */
} SchemeSlot;

/* more launches take slots from each other, which uses up generator_ids */
#define SCHEME_SLOTS 256

/* node numbers that share a word skip each other's ids */
#define TRACE_WORDS 64

typedef struct SchemeSegment
{
	SchemeSlot	slots[SCHEME_SLOTS];
	uint32		next;			/* to be claimed */

	pg_atomic_uint64 words[TRACE_WORDS];	/* of the last trace ids */
} SchemeSegment;

extern SchemeSegment *scheme_segment;

extern InternalGenerator internal_open(const char *written, int64 max_value);
extern int64 internal_take(InternalGenerator internal, int64 at_least);
extern SchemeSlot *internal_find(InternalGenerator *internal, int32 number,
								 bool of_any_database, SchemeSlot *found);
extern SchemeSlot *internal_slot(int32 number, bool of_any_database,
								 int64 claim);

#endif							/* HILO_SCHEME_H */
