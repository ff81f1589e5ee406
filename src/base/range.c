/*
 * A run of ids, low .. high, and the arithmetic on it.
 *
 * There is no state here, and no addition wraps.
 */
#include "postgres.h"

#include "base/base.h"

/*
 * RavenDB's: the next range doubles if one was used up sooner, or halves later
 */
#define DOUBLE_WITHIN (30 * USECS_PER_SEC)
#define HALVE_AFTER (60 * USECS_PER_SEC)

/*
 * Return the size of the range after one of last_size ids, which was reserved
 * at last_at (DT_NOBEGIN: unknown), by the rule of RavenDB's server.
 *
 * Like there, the ceiling limits only a doubled size.  A caller that cannot
 * trust last_size must limit the result.
 */
int64
range_adapted_size(int64 last_size, TimestampTz last_at, int64 floor,
				   int64 ceiling)
{
	TimestampTz now = GetCurrentTimestamp();
	int64		age;

	if (last_at == DT_NOBEGIN)
		return Max(floor, last_size);

	/*
	 * last_at is in the future if the clock was set back, or a client sent it
	 */
	age = Max(now - last_at, 0);
	if (age < DOUBLE_WITHIN)
	{
		if (last_size > ceiling / 2)
			return ceiling;
		return Max(floor, Max(last_size, 0) * 2);
	}
	return Max(floor, age > HALVE_AFTER ? last_size / 2 : last_size);
}

/*
 * Return the size ids that follow last, or as many of them as max_value leaves.
 */
Range
range_above(int64 last, int64 size, int64 max_value)
{
	Assert(last >= 0 && size > 0);
	if (last >= max_value)
		return EMPTY_RANGE;
	return RANGE_OF(last + 1, last + Min(size, max_value - last));
}

/*
 * Return the lowest whole block hi * block .. hi * block + block - 1, hi at
 * least 1, that lies above last; an empty range if max_value cuts it.
 */
Range
range_block_above(int64 last, int64 block, int64 max_value)
{
	Range		range;
	int64		hi = last / block;

	Assert(last >= 0 && block > 0);

	/* block hi starts at or below last, so take the next one */
	if (pg_add_s64_overflow(hi, 1, &hi) ||
		pg_mul_s64_overflow(hi, block, &range.low) ||
		pg_add_s64_overflow(range.low, block - 1, &range.high) ||
		range.high > max_value)
		return EMPTY_RANGE;
	return range;
}

/* Take up to size ids off the low end of a range that is not empty. */
Range
range_split(Range *range, int64 size)
{
	Range		head = {range->low,
	range->low - 1 + Min(size, RangeLength(*range))};

	*range = range_above_id(*range, head.high);
	return head;
}

/* Return the part of a range that does not lie above max_value. */
Range
range_clip(Range range, int64 max_value)
{
	if (range.low > max_value)
		return EMPTY_RANGE;
	range.high = Min(range.high, max_value);
	return range;
}

/* Return the part of a range that lies above an id. */
Range
range_above_id(Range range, int64 id)
{
	if (range.high <= id)
		return EMPTY_RANGE;
	range.low = Max(range.low, id + 1);
	return range;
}
