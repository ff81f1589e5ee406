/*
 * Seeds: to where no id was seen.
 *
 * A forced one is right only while no client has an id that was not written down,
 * hence the barrier.  The sessions keep what they have cached: to forget it is
 * for the server to see to.
 */
#include <inttypes.h>

#include "recorder.h"

static bool may_seed(int generator, int64_t value);

/*
 * Raise "last", if it is not higher.
 */
bool
raise_last(int generator)
{
	int64_t		value = shared->highest[generator] + (int64_t) random_below(50);
	int64_t		last;

	if (!may_seed(generator, value))
		return true;
	/* every session forgets what it holds */
	shared->losses += MAX_CLIENTS;
	shared->left_out[generator] += 50;
	if (!session_read(&last, "SELECT hilo_seed('%s', %" PRId64 ")",
					  generator_name(generator), value))
		return false;
	if (last == value)
		history_ids(generator, RAISED, value, value);
	return true;
}

/*
 * Go back to the highest id that any client saw, or to one a little above.
 *
 * Whether it came to that does not matter: "last" is not below what was seen.
 */
void
force_seed(int generator)
{
	int64_t		value;

	if (!barrier_begin())
		return;

	value = shared->highest[generator];
	if (one_in(3) && may_seed(generator, value + 10))
		value += (int64_t) random_below(10);
	if (!may_seed(generator, value))
		value = generator_of(generator)->first - 1;

	shared->forced[generator]++;
	shared->losses += MAX_CLIENTS;
	shared->left_out[generator] += 10;
	if (session_do("BEGIN") &&
		session_do(SHORT_LOCK_TIMEOUT) &&
		session_do("SELECT hilo_seed('%s', %" PRId64 ", true)",
				   generator_name(generator), value))
		history_mark(generator, SEEDED);
	session_do(one_in(2) ? "COMMIT" : "ROLLBACK");
	barrier_end();
}

static bool
may_seed(int generator, int64_t value)
{
	return value >= generator_of(generator)->first - 1 &&
		value <= generator_of(generator)->max_value;
}
