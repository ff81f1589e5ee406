/* Decimal and trace ids. */
#ifndef HILO_SCHEME_H
#define HILO_SCHEME_H

#include "call/call.h"

/* decimal_id.c: counter, generator and launch, each in its own digits */
#define LAUNCH_MAX 99999

extern int	decimal_launch_id;

/* trace_id.c: second, node, chunk and counter, like in elfo */
extern int	trace_ahead;

/* trace_bound.c: the bound of a node number's seconds, locked */
typedef struct TraceBound
{
	int			node_no;
	text	   *name;			/* of its generator */
	int64		incarnation;
	int64		second;
	bool		is_of_this_start;	/* the word counts all ids up to it */
} TraceBound;

/* What the server keeps of a bound since its start, under shared_lock. */
typedef struct TraceSlot
{
	WindowKey	key;			/* without a database: free */
	int			node_no;
	int64		bound;
} TraceSlot;

/* more bounds take slots from each other, which skips ids */
#define TRACE_SLOTS 256

/* node numbers that share a word skip each other's ids */
#define TRACE_WORDS 64

typedef struct TraceSegment
{
	TraceSlot	slots[TRACE_SLOTS];
	uint32		next;			/* to be claimed */

	pg_atomic_uint64 words[TRACE_WORDS];	/* of the last trace ids */
} TraceSegment;

extern TraceSegment *trace_segment;

extern TraceBound trace_bound_open(int node_no);
extern void trace_bound_raise(TraceBound *bound, int64 second);
extern void trace_bound_close(const TraceBound *bound);

#endif							/* HILO_SCHEME_H */
