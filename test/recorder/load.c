/*-------------------------------------------------------------------------
 *
 * load.c
 *	  What a client does in a unit.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  test/recorder/load.c
 *
 *-------------------------------------------------------------------------
 */
#include <stddef.h>

#include "recorder.h"

/* Each gives false if it failed, or nobody knows. */
typedef bool (*Call) (int generator);

static bool next(int generator);
static bool next_prepared(int generator);
static bool next_count(int generator);
static bool next_of_rows(int generator);
static bool next_id(int generator);
static bool next_caught(int generator);
static bool next_hi(int generator);
static bool release(int generator);
static bool alter_size(int generator);
static bool change_session(int generator);

static bool record(int generator, const char *kind, PGresult *result);
static void transaction(void);
static bool savepoint(void);
static bool call_something(int generator);
static void end_transaction(void);
static void finish_prepared(void);

static const struct
{
	int			weight;
	Call		call;
}			calls[] =
{
	{30, next},
	{30, next_prepared},
	{10, next_count},
	{10, next_of_rows},
	{10, next_id},
	{10, next_caught},
	{5, next_hi},
	{10, range_take},
	{20, range_use},
	{10, range_return},
	{5, release},
	{2, raise_last},
	{1, alter_size},
	{1, change_session},
};

/* the client has a prepared transaction, as far as it knows */
static bool is_prepared;

/*
 * Does something, and writes down the ids that came of it.
 */
void
load_unit(void)
{
	int			generator = any_generator();

	if (one_in(500))
		force_seed(generator);
	else if (one_in(generator_is_ripe(generator) ? 50 : 1000))
		recreate(generator);
	else if (is_prepared && one_in(10))
		finish_prepared();
	else if (one_in(3))
		transaction();
	else
		call_something(generator);
}

/*
 * Makes one call.
 */
static bool
call_something(int generator)
{
	int			weights = 0;
	int			ticket;
	size_t		i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		weights += calls[i].weight;
	ticket = (int) random_below(weights);
	for (i = 0; ticket >= calls[i].weight; i++)
		ticket -= calls[i].weight;
	return calls[i].call(generator);
}

/*
 * Writes down the ids that came, if any did.
 */
static bool
record(int generator, const char *kind, PGresult *result)
{
	if (result == NULL)
		return false;
	history_result(generator, kind, result);
	PQclear(result);
	return true;
}

static bool
next(int generator)
{
	return record(generator, "next",
				  session_query("SELECT hilo_next('%s')",
								generator_name(generator)));
}

static bool
next_prepared(int generator)
{
	return record(generator, "prepared",
				  session_query("EXECUTE next('%s')",
								generator_name(generator)));
}

static bool
next_count(int generator)
{
	return record(generator, "count",
				  session_query("SELECT hilo_next('%s', %d)",
								generator_name(generator),
								(int) random_below(100)));
}

static bool
next_of_rows(int generator)
{
	return record(generator, "rows",
				  session_query("SELECT hilo_next('%s') FROM generate_series(1, %d)",
								generator_name(generator),
								(int) random_below(40)));
}

static bool
next_id(int generator)
{
	return record(generator, "id",
				  session_query("SELECT hilo_next_id('%s')",
								generator_name(generator)));
}

/*
 * The next id, out of a block that is rolled back.
 */
static bool
next_caught(int generator)
{
	return record(generator, "caught",
				  session_query("SELECT next_caught('%s')",
								generator_name(generator)));
}

static bool
next_hi(int generator)
{
	int			max_lo = (int) random_below(8) + 1;
	int64_t		hi;

	if (!session_read(&hi, "SELECT hilo_next_hi('%s', %d)",
					  generator_name(generator), max_lo))
		return false;
	history_ids(generator, "hi", hi * max_lo, hi * max_lo + max_lo - 1);
	return true;
}

static bool
release(int generator)
{
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
		session_do("SELECT hilo_alter('%s', range_size => %d)",
				   generator_name(generator), (int) random_below(8) + 1);
}

static bool
change_session(int generator)
{
	(void) generator;
	return session_settings();
}

/*
 * Makes a few calls in a transaction, and ends it in one way or another.
 */
static void
transaction(void)
{
	static const char *const levels[] = {
		"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"
	};

	if (!session_do("BEGIN ISOLATION LEVEL %s", levels[random_below(3)]))
		return;

	/* with an xid, the end of the transaction is flushed */
	if (one_in(4) && !session_do("SELECT pg_current_xact_id()"))
	{
		session_do("ROLLBACK");
		return;
	}
	for (int i = (int) random_below(6); i >= 0; i--)
	{
		if (one_in(3) ? !savepoint() : !call_something(any_generator()))
		{
			session_do("ROLLBACK");
			return;
		}
	}
	end_transaction();
}

/*
 * Makes calls in a subtransaction; false if the transaction cannot go on.
 */
static bool
savepoint(void)
{
	bool		done = true;

	if (!session_do("SAVEPOINT here"))
		return false;
	for (int i = (int) random_below(3); done && i >= 0; i--)
		done = call_something(any_generator());
	if (done && one_in(2))
		return session_do("RELEASE SAVEPOINT here");
	return session_do("ROLLBACK TO SAVEPOINT here");
}

static void
end_transaction(void)
{
	if (one_in(10) && !is_prepared)
	{
		is_prepared = true;
		if (!session_do("PREPARE TRANSACTION 'client %d'", client))
			session_do("ROLLBACK");
	}
	else
		session_do(one_in(2) ? "COMMIT" : "ROLLBACK");
}

/*
 * Ends the prepared transaction, if it came to that.
 */
static void
finish_prepared(void)
{
	int64_t		found;

	if (session_do("%s PREPARED 'client %d'", one_in(2) ? "COMMIT" : "ROLLBACK",
				   client))
		is_prepared = false;
	else if (session_read(&found,
						  "SELECT count(*) FROM pg_prepared_xacts WHERE gid = 'client %d'",
						  client) && found == 0)
		is_prepared = false;
}
