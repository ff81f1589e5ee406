/*
 * Ranges that the client holds itself.
 *
 * They outlive connections, but belong to one process and one database.  An id of a
 * range counts as seen when the client uses it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

#define MAX_RANGES 4

typedef struct HeldRange
{
	int			generator;
	int			forced;			/* of the generator when it was taken */
	bool		is_ours;		/* ids may still be used */
	int64_t		low;
	int64_t		next;			/* the first id not used */
	int64_t		high;
	int64_t		number;
	int64_t		begin;			/* of the call that took it */
} HeldRange;

static HeldRange held[MAX_DATABASES][MAX_RANGES];

static bool return_twice(const HeldRange *range);
static bool give(const HeldRange *range, bool with_number, bool *done);
static HeldRange *any_range(void);
static bool ignores(const char *what);
static bool may_use(const HeldRange *range);

/*
 * Take a range in place of one that is held, by one or another rule.
 */
bool
range_take(int generator)
{
	HeldRange  *range = any_range();
	const char *name = generator_name(generator);
	PGresult   *result;
	char		how[96] = "";
	int64_t		begin = history_time();

	switch (random_below(4))
	{
		case 0:
			snprintf(how, sizeof(how), ", size => %d", (int) random_below(8) + 1);
			break;
		case 1:
			snprintf(how, sizeof(how), ", last_size => 8, last_range_at => now()");
			break;
		case 2:
			snprintf(how, sizeof(how), ", size => 2, last_max => %" PRId64,
					 shared->highest[generator] + (int64_t) random_below(3));
			break;
	}
	result = session_query("SELECT low, high, range_no FROM hilo_next_range('%s'%s)",
						   name, how);
	if (result == NULL)
		return false;

	/* and what last_max jumps over */
	shared->left_out[generator] += 64;
	range->generator = generator;
	range->forced = shared->forced[generator];
	range->is_ours = true;
	range->begin = begin;
	range->low = range->next = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	range->high = strtoll(PQgetvalue(result, 0, 1), NULL, 10);
	range->number = strtoll(PQgetvalue(result, 0, 2), NULL, 10);
	shared->left_out[generator] += range->high - range->low + 1;
	PQclear(result);
	return true;
}

/*
 * Uses some ids of a range.
 */
bool
range_use(int generator)
{
	HeldRange  *range = any_range();
	int64_t		last;

	if (!may_use(range) || range->next > range->high)
		return true;

	last = range->next + (int64_t) random_below(range->high - range->next + 1);
	history_began(range->begin);
	history_ids(range->generator, CAME_APART, range->next, last);
	range->next = last + 1;
	return true;
}

/*
 * Returns what is left of a range.  It stays in hand and may be returned again,
 * which must come to nothing.
 */
bool
range_return(int generator)
{
	HeldRange  *range = any_range();
	bool		with_number = one_in(2);
	bool		done;

	if (range->number == 0 || (range->next == range->low && !with_number))
		return true;
	if (!give(range, with_number, &done))
	{
		/* it may have been taken back */
		range->is_ours = false;
		return false;
	}
	if (!done)
		return true;
	range->is_ours = false;
	return !one_in(2) || return_twice(range);
}

/*
 * Take the ids again that were just given back, then give them back once
 * more by the answer of before.
 */
static bool
return_twice(const HeldRange *range)
{
	const char *name = generator_name(range->generator);
	int64_t		size = range->high - range->next + 1;
	PGresult   *result;
	bool		done;

	if (size < 1 || size > generator_of(range->generator)->max_range_size || size > 10000)
		return true;
	result = session_query("SELECT low, high FROM hilo_next_range('%s', size => %" PRId64 ")",
						   name, size);
	if (result == NULL)
		return false;
	history_ids(range->generator, CAME_APART,
				strtoll(PQgetvalue(result, 0, 0), NULL, 10),
				strtoll(PQgetvalue(result, 0, 1), NULL, 10));
	PQclear(result);
	return give(range, one_in(2), &done);
}

/*
 * Check whether there was an answer, and in done what it was.
 */
static bool
give(const HeldRange *range, bool with_number, bool *done)
{
	PGresult   *result;
	char		number[32] = "";

	if (with_number)
		snprintf(number, sizeof(number), ", %" PRId64, range->number);
	result = session_query("SELECT hilo_return_range('%s', %" PRId64 ", %" PRId64 "%s)",
						   generator_name(range->generator), range->high,
						   range->next - 1, number);
	*done = result != NULL && *PQgetvalue(result, 0, 0) == 't';
	PQclear(result);
	return result != NULL;
}

static HeldRange *
any_range(void)
{
	return &held[ignores("databases") ? 0 : database][random_below(MAX_RANGES)];
}

/*
 * Forget all ranges, in a client that was forked.
 */
void
ranges_forget(void)
{
	if (!ignores("fork"))
		memset(held, 0, sizeof(held));
}

static bool
ignores(const char *what)
{
	return options.ignores != NULL && strcmp(options.ignores, what) == 0;
}

/*
 * Check whether the range is ours, whatever was forced since it was taken.
 */
static bool
may_use(const HeldRange *range)
{
	return range->is_ours && range->forced == shared->forced[range->generator];
}
