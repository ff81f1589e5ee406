/*-------------------------------------------------------------------------
 *
 * range.h
 *	  A run of ids, low .. high, and the arithmetic on it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_RANGE_H
#define HILO_RANGE_H

#include "datatype/timestamp.h"

/* Both ends are in the range; it is empty when high is below low. */
typedef struct Range
{
	int64		low;
	int64		high;
} Range;

#define EMPTY_RANGE ((Range) {1, 0})
#define RangeIsEmpty(range) ((range).high < (range).low)
#define RangeLength(range) ((range).high - (range).low + 1)

/* The size of a range before anything is known of its use. */
#define RANGE_DEFAULT_SIZE INT64CONST(32)
#define RANGE_DEFAULT_MAX_SIZE INT64CONST(1048576)

extern int64 range_adapted_size(int64 last_size, TimestampTz last_at,
								TimestampTz now, int64 floor, int64 ceiling);
extern Range range_above(int64 last, int64 size, int64 max_value);
extern Range range_block_above(int64 last, int64 block, int64 max_value);
extern Range range_split(Range *range, int64 size);
extern Range range_clip(Range range, int64 max_value);

#endif							/* HILO_RANGE_H */
