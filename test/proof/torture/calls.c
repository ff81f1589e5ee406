/*
 * The calls that a client makes, each of the generators it fits.
 */
#include <stddef.h>
#include <stdlib.h>

#include "recorder.h"

/* counters of decimal ids, above their generator_id and launch_id */
#define DECIMAL_COUNTER(id) ((id) / INT64_C(10000000000))
#define DECIMAL_GENERATOR(id) ((int) ((id) / 100000 % 100000))

/* Each gives false if it failed, or that is unknown. */
typedef bool (*Call) (int generator);

static bool next(int generator);
static bool next_prepared(int generator);
static bool next_count(int generator);
static bool next_of_rows(int generator);
static bool next_many(int generator);
static bool next_id(int generator);
static bool next_caught(int generator);
static bool next_hi(int generator);
static bool next_block(int generator);
static bool release(int generator);
static bool alter_size(int generator);
static bool alter_ordering(int generator);
static bool change_session(int generator);
static bool identity(int generator);
static bool identity_block(int generator);
static bool identity_batch(int generator);
static bool identity_id(int generator);
static bool server_side_id(int generator);
static bool decimal_ids(int generator);
static bool trace_ids(int generator);

static bool record(int generator, PGresult *result);
static bool record_block(int generator, Event event, PGresult *result);

static const struct
{
	int			weight;
	int			kinds;			/* of generators that it fits */
	int			part;			/* that the client must have besides, or 0 */
	Call		call;
}			calls[] = {
	{30, WITH_NEXT, 0, next},
	{30, WITH_NEXT, 0, next_prepared},
	{10, WITH_NEXT, 0, next_count},
	{10, WITH_NEXT, 0, next_of_rows},
	{5, SESSION, 0, next_many},
	{10, SESSION | GLOBAL | ADOPTED | HUB, 0, next_id},
	{10, SESSION | GLOBAL | SCATTERED | HUB, 0, next_caught},
	{5, WITH_RANGES | HUB, 0, next_hi},
	{5, WITH_RANGES | HUB, 0, next_block},
	{10, WITH_RANGES | HUB, 0, range_take},
	{20, WITH_RANGES | HUB, 0, range_use},
	{10, WITH_RANGES | HUB, 0, range_return},
	{5, SESSION | SCATTERED | HUB, 0, release},
	{2, WITH_RANGES | SCATTERED | IDENTITY | OF_HUB, SEED, raise_last},
	{2, ADOPTED, SEED, source_raise},
	{1, WITH_RANGES | HUB, ALTER, alter_size},
	{1, SESSION, ALTER, alter_ordering},
	{1, ~0, 0, change_session},
	{40, IDENTITY | HUB_IDENTITY, 0, identity},
	{10, IDENTITY | HUB_IDENTITY, 0, identity_block},
	{5, IDENTITY, 0, identity_batch},
	{20, IDENTITY | HUB_IDENTITY, 0, identity_id},
	{20, OF_HUB, 0, hub_next},
	{100, DOCUMENT, 0, server_side_id},
	{100, DECIMAL, 0, decimal_ids},
	{100, TRACE, 0, trace_ids},
};

/* units to go without trace ids: they wait while the clock is behind */
static int	trace_pause;

/*
 * Make one call, and write down the ids that came of it.
 */
bool
call_something(int generator)
{
	int			kind = generator_of(generator)->kind;
	const size_t count = sizeof(calls) / sizeof(calls[0]);
	int			weights = 0;
	int			ticket;
	bool		fits[sizeof(calls) / sizeof(calls[0])];
	size_t		i;

	for (i = 0; i < count; i++)
	{
		fits[i] = (calls[i].kinds & kind) &&
			(calls[i].part == 0 || (options.parts & calls[i].part));
		weights += fits[i] ? calls[i].weight : 0;
	}
	ticket = (int) random_below(weights);
	for (i = 0; !fits[i] || ticket >= calls[i].weight; i++)
		ticket -= fits[i] ? calls[i].weight : 0;
	return calls[i].call(generator);
}

/*
 * Write down the ids that came, if any did.
 */
static bool
record(int generator, PGresult *result)
{
	if (result == NULL)
		return false;
	history_result(generator, result);
	PQclear(result);
	return true;
}

/*
 * Write down the ids from the first column to the second.
 */
static bool
record_block(int generator, Event event, PGresult *result)
{
	if (result == NULL)
		return false;
	history_ids(generator, event, strtoll(PQgetvalue(result, 0, 0), NULL, 10),
				strtoll(PQgetvalue(result, 0, 1), NULL, 10));
	PQclear(result);
	return true;
}

static bool
next(int generator)
{
	return record(generator, session_query("SELECT hilo_next_tag('%s')",
										   generator_name(generator)));
}

static bool
next_prepared(int generator)
{
	if (options.is_pooled)
		return next(generator);
	return record(generator, session_query("EXECUTE next('%s')",
										   generator_name(generator)));
}

static bool
next_count(int generator)
{
	return record(generator, session_query("SELECT hilo_next_tag('%s', %d)",
										   generator_name(generator),
										   (int) random_below(100)));
}

static bool
next_of_rows(int generator)
{
	return record(generator,
				  session_query("SELECT hilo_next_tag('%s') FROM generate_series(1, %d)",
								generator_name(generator),
								(int) random_below(40)));
}

/*
 * Thousands of ids, of the generator that has ranges for that.
 */
static bool
next_many(int generator)
{
	if (generator_of(generator)->range_size < 1000)
		return next(generator);
	return record(generator, session_query("SELECT hilo_next_tag('%s', %d)",
										   generator_name(generator),
										   1000 + (int) random_below(5000)));
}

static bool
next_id(int generator)
{
	return record(generator, session_query("SELECT hilo_next_id('%s')",
										   generator_name(generator)));
}

/*
 * The next id, out of a block that is rolled back.
 */
static bool
next_caught(int generator)
{
	return record(generator, session_query("SELECT next_caught('%s')",
										   generator_name(generator)));
}

static bool
next_hi(int generator)
{
	int			max_lo = (int) random_below(8) + 1;
	int64_t		hi;

	shared->left_out[generator] += max_lo;
	if (!session_read(&hi, "SELECT hilo_next_hi('%s', %d)",
					  generator_name(generator), max_lo))
		return false;
	history_ids(generator, CAME_APART, hi * max_lo, hi * max_lo + max_lo - 1);
	return true;
}

/*
 * A range of the largest size, used whole.
 */
static bool
next_block(int generator)
{
	int			size = generator_of(generator)->max_range_size;

	return record_block(generator, CAME_APART,
						session_query("SELECT low, high FROM hilo_next_range('%s', size => %d)",
									  generator_name(generator),
									  size < 10000 ? size : 10000));
}

static bool
release(int generator)
{
	shared->losses++;
	if (one_in(2))
		return session_do("SELECT hilo_release()");
	return session_do("SELECT hilo_release('%s')", generator_name(generator));
}

/*
 * Changes the definition, which a rollback may take back; of those generators
 * that are sure to be there.
 */
static bool
alter_size(int generator)
{
	return generator >= FIXED_GENERATORS ||
		generator_of(generator)->range_size >= 1000 ||
		session_do("SELECT hilo_alter('%s', range_size => %d)",
				   generator_name(generator), (int) random_below(8) + 1);
}

/*
 * Changes the ordering, in a transaction that may go on with it and may take it back.
 * Ids still rise in each session, and every session forgets what it holds.
 */
static bool
alter_ordering(int generator)
{
	if (generator >= FIXED_GENERATORS)
		return true;
	shared->losses += MAX_CLIENTS;
	return session_do("SELECT hilo_alter('%s', ordering => '%s')",
					  generator_name(generator), one_in(2) ? "session" : "global");
}

static bool
change_session(int generator)
{
	(void) generator;
	return session_settings();
}

static bool
identity(int generator)
{
	return record(generator, session_query("SELECT identity_next('%s')",
										   generator_name(generator)));
}

static bool
identity_block(int generator)
{
	return record_block(generator, CAME_NEXT,
						session_query("SELECT * FROM identity_next('%s', %d)",
									  generator_name(generator),
									  (int) random_below(one_in(10) ? 1000000 : 100) + 1));
}

static bool
identity_batch(int generator)
{
	return record(generator,
				  session_query("SELECT unnest(ARRAY[identity_next('%s'), "
								"identity_next('%s'), identity_next('%s')])",
								generator_name(generator), "people",
								generator_name(generator)));
}

static bool
identity_id(int generator)
{
	return record(generator,
				  session_query(one_in(2) ? "SELECT identity_next_id('%s')" :
								"SELECT document_id('%s')",
								generator_name(generator)));
}

/*
 * Numbers that the ids of all collections have in common.
 */
static bool
server_side_id(int generator)
{
	static const char *const collections[] = {"users/", "orders/lines/"};

	return record(generator,
				  session_query("SELECT document_id('%s') FROM generate_series(1, %d)",
								collections[random_below(2)],
								(int) random_below(20) + 1));
}

/*
 * A decimal id shows its generator_id, and the counter of that one.
 */
static bool
decimal_ids(int generator)
{
	PGresult   *result = session_query("SELECT decimal_id_next() FROM generate_series(1, %d)",
									   (int) random_below(20) + 1);

	if (result == NULL)
		return false;
	for (int i = 0; i < PQntuples(result); i++)
	{
		int64_t		id = strtoll(PQgetvalue(result, i, 0), NULL, 10);

		history_of(generator, DECIMAL_GENERATOR(id), DECIMAL_COUNTER(id),
				   DECIMAL_COUNTER(id));
	}
	PQclear(result);
	return true;
}

static bool
trace_ids(int generator)
{
	if (trace_pause > 0)
	{
		trace_pause--;
		return true;
	}
	if (record(generator,
			   session_query("SELECT trace_id_next() FROM generate_series(1, %d)",
							 (int) random_below(20) + 1)))
		return true;
	trace_pause = 1000;
	return false;
}
