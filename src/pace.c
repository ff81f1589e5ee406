/*-------------------------------------------------------------------------
 *
 * pace.c
 *	  How fast the ids of a generator are used up.
 *
 * The row of a generator keeps two samples of how far it was, a day or more
 * apart, the later one at most a day before its last range.  Since the earlier
 * one, then, is what was used in the last one to two days; it costs a look at
 * the clock.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/pace.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/int.h"
#include "utils/timestamp.h"

#include "pace.h"

static Sample sample_of(const FormData_hilo_hi *hi, TimestampTz now);
static void shift(Sample *sample, int64 ids);
static double microseconds_since(const Sample *sample);

/*
 * Makes both samples of a row that has its other columns.
 */
void
pace_start(FormData_hilo_hi *hi)
{
	hi->earlier = hi->later = sample_of(hi, GetCurrentTimestamp());
}

/*
 * Takes a new sample if it is time.  Called in the locked row, before a range
 * is taken.
 */
void
pace_note(FormData_hilo_hi *hi)
{
	TimestampTz now = GetCurrentTimestamp();

	if (now < hi->later.at)
		pace_start(hi);			/* the clock was wrong, then or now */
	else if (now - hi->later.at >= USECS_PER_DAY)
	{
		hi->earlier = hi->later;
		hi->later = sample_of(hi, now);
	}
}

/*
 * Takes in that "last" is about to be changed by that many ids which nobody
 * uses.
 */
void
pace_jump(FormData_hilo_hi *hi, int64 ids)
{
	shift(&hi->earlier, ids);
	shift(&hi->later, ids);
}

/*
 * Gives how many ids are used a day, 0 if there was none.
 */
double
pace_ids_per_day(const FormData_hilo_hi *hi)
{
	double		ids = (double) hi->last - (double) hi->earlier.last;

	return Max(ids, 0) / microseconds_since(&hi->earlier) * USECS_PER_DAY;
}

/*
 * Gives how many new ranges are taken a minute.
 */
double
pace_ranges_per_minute(const FormData_hilo_hi *hi)
{
	double		ranges = (double) (hi->top_number - hi->earlier.number);

	return ranges / microseconds_since(&hi->earlier) * USECS_PER_MINUTE;
}

static Sample
sample_of(const FormData_hilo_hi *hi, TimestampTz now)
{
	return (Sample) {now, hi->last, hi->top_number};
}

static void
shift(Sample *sample, int64 ids)
{
	if (pg_add_s64_overflow(sample->last, ids, &sample->last))
		sample->last = PG_INT64_MAX;
}

static double
microseconds_since(const Sample *sample)
{
	return Max((double) (GetCurrentTimestamp() - sample->at), 1);
}
