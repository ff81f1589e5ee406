/*
 * Generators that are made, and made again.
 */
#include <inttypes.h>

#include "recorder.h"

static bool read_incarnation(int generator, int64_t *incarnation);

/*
 * Make a generator of the test setup.
 */
bool
create(int generator)
{
	const Generator *of = generator_of(generator);

	switch (of->kind)
	{
		case SESSION:
			return session_do("SELECT hilo_create('%s', first => %" PRId64
							  ", max_value => %" PRId64 ", range_size => %d"
							  ", max_range_size => %d)",
							  generator_name(generator), of->first,
							  of->max_value, of->range_size,
							  of->max_range_size);
		case GLOBAL:
			return session_do("SELECT hilo_create('%s', 'global', first => %" PRId64
							  ", max_value => %" PRId64 ", range_size => %d"
							  ", max_range_size => %d)",
							  generator_name(generator), of->first,
							  of->max_value, of->range_size, of->max_range_size);
		case SCATTERED:
			return session_do("SELECT hilo_create('%s', 'scattered', domain_bits => %d"
							  ", range_size => %d, max_range_size => %d)",
							  generator_name(generator), SCATTER_BITS,
							  of->range_size, of->max_range_size);
		case GAPLESS:
			return session_do("SELECT hilo_create('%s', 'gapless')",
							  generator_name(generator));
		case ADOPTED:
			return source_create(generator);
		case JOINS:
			return !(options.parts & JOINS) || join_create(generator);
		case HUB:
		case HUB_IDENTITY:
			return options.hub == NULL ||
				session_do("SELECT hilo_create('%s', '%s', range_size => %d"
						   ", max_range_size => %d, hub => 'hub')",
						   generator_name(generator),
						   of->kind == HUB ? "session" : "global",
						   of->range_size, of->max_range_size);
		default:
			return true;		/* made by its first use */
	}
}

/*
 * Drops the generator and makes it again, from its first id on.
 * Behind the barrier, so that what a client sees is of the one or the other.
 */
void
recreate(int generator)
{
	int64_t		before;
	int64_t		after;
	bool		done;

	if (!barrier_begin())
		return;

	if (read_incarnation(generator, &before))
	{
		shared->forced[generator]++;
		shared->losses += MAX_CLIENTS;
		history_mark(generator, DROPPING);
		done = session_do("BEGIN") &&
			session_do(SHORT_LOCK_TIMEOUT) &&
			session_do("SET LOCAL synchronous_commit = on") &&
			session_do("SELECT hilo_drop('%s')", generator_name(generator)) &&
			create(generator);
		session_do(done && !one_in(3) ? "COMMIT" : "ROLLBACK");

		/* the answer to COMMIT may be lost */
		while (!read_incarnation(generator, &after))
		{
			if (session_lost())
			{
				session_close();
				session_open();
			}
		}
		if (after != before)
		{
			shared->highest[generator] = 0;
			shared->incarnation[generator]++;
			history_mark(generator, CREATED);
		}
	}
	barrier_end();
}

static bool
read_incarnation(int generator, int64_t *incarnation)
{
	return session_read(incarnation,
						"SELECT incarnation >> 32 FROM hilo_internal.hilo_hi WHERE name = lower('%s')",
						generator_name(generator));
}
