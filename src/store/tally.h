/*-------------------------------------------------------------------------
 *
 * tally.h
 *	  Counters of what was done with each generator, in shared memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_TALLY_H
#define HILO_TALLY_H

#include "access/xlogdefs.h"
#include "datatype/timestamp.h"

typedef enum TallyCounter
{
	TALLY_RANGES,				/* reserved */
	TALLY_IDS,					/* in them */
	TALLY_HANDED_OUT,			/* of these, as far as is known */
	TALLY_PREFETCHED,			/* ranges reserved ahead of need */
	TALLY_PREFETCH_HITS,		/* on disk when needed */
	TALLY_PREFETCH_MISSES,		/* flushed when needed */
	TALLY_PREFETCH_BUSY,		/* nothing was: row held, hub away, or none left */
	TALLY_GIVEN_BACK,			/* ids */
	TALLY_LOST,					/* ids that could not be given back */
	TALLY_WINDOWS,				/* opened, of a global generator */
	TALLY_FLUSH_WAITS,			/* for the disk or a standby */
	TALLY_FLUSH_TIME,			/* in them, microseconds */
	TALLY_COUNTERS
} TallyCounter;

/*
 * What was counted.
 */
typedef struct Tally
{
	TimestampTz since;			/* 0: nothing was counted */
	int64		counters[TALLY_COUNTERS];
} Tally;

extern void tally_init(void);
extern void tally(int64 incarnation, TallyCounter counter, int64 count);
extern void tally_in(Oid database, int64 incarnation, TallyCounter counter,
					 int64 count);
extern void tally_both(int64 incarnation, TallyCounter one, int64 count_of_one,
					   TallyCounter other, int64 count_of_other);
extern void tally_prefetched(int64 incarnation, XLogRecPtr lsn);
extern void tally_read(int64 incarnation, Tally *result);
extern void tally_reset(int64 incarnation);

#endif							/* HILO_TALLY_H */
