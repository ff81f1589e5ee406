/*
 * Gapless numbers: a transaction has them when it is committed.
 *
 * If the answer to the commit is lost, no client knows whether it has them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "recorder.h"

#define MAX_NUMBERS 8

/* what the transaction has taken */
static Entry taken[MAX_NUMBERS];
static int	n_taken;

/* the client of each is %1$d */
static const char *const beside_numbers[] = {
	"DROP TABLE IF EXISTS made_%1$d; CREATE TABLE made_%1$d AS SELECT 1 AS n",
	"CREATE TEMP TABLE IF NOT EXISTS gone (n int) ON COMMIT DROP",
	"CREATE TEMP TABLE IF NOT EXISTS kept (n int) ON COMMIT DELETE ROWS; INSERT INTO kept VALUES (1)",
	"LISTEN numbers; NOTIFY numbers, '%1$d'; UNLISTEN numbers",
	"SELECT lo_unlink(lo_from_bytea(0, 'x'))",
	"SET LOCAL synchronous_commit = remote_apply",
	/* 40001, also by COMMIT, where that is serializable */
	"SELECT sum(n) FROM beside; INSERT INTO beside VALUES (%1$d) ON CONFLICT (client) DO UPDATE SET n = beside.n + 1",
	/* 23503 by COMMIT, before callbacks are called */
	"INSERT INTO fails_late VALUES (0)",
	/* 0A000 after them: what ON COMMIT deletes is referred to */
	"CREATE TEMP TABLE IF NOT EXISTS emptied (n int PRIMARY KEY) ON COMMIT DELETE ROWS; "
	"CREATE TEMP TABLE IF NOT EXISTS stays (n int REFERENCES emptied)",
};

/* what cannot be prepared may come between them */
static bool has_beside;

/* a prepared transaction has them, as far as the client knows */
static bool is_prepared;

/* which of the client's; one that a failover brings back is not this one */
static int	n_prepared;

static bool take(int generator);
static bool take_and_give_back(int generator);
static bool take_at_commit(int generator);
static const char *take_sql(int generator);
static bool beside(void);
static void end(void);
static void have(Event event);
static void finish_prepared(void);

/*
 * Take some numbers in their own transaction, or give them back.
 */
void
number_unit(int generator)
{
	bool		done;

	if (is_prepared)
	{
		finish_prepared();
		return;
	}
	n_taken = 0;
	has_beside = false;
	if (!options.has_transactions)
	{
		if (take(generator))
			have(CAME_NEXT);
		else
			/* it may be committed, and the answer lost */
			shared->left_out[generator]++;
		return;
	}

	/* what is committed must not be lost in a crash */
	done = session_begin() &&
		(options.commits != NULL ||
		 session_do("SET LOCAL synchronous_commit = on")) &&
		beside();
	for (int i = (int) random_below(3); done && i >= 0; i--)
		done = one_in(3) ? take_and_give_back(generator) : take(generator);
	if (done && beside() && take_at_commit(generator))
		end();
	else
		session_do("ROLLBACK");
}

/*
 * End what is prepared, so that its numbers are a client's or free.
 */
void
numbers_finish(void)
{
	for (int i = 0; is_prepared && i < 10; i++)
		finish_prepared();
}

static bool
take(int generator)
{
	PGresult   *result;
	Entry	   *entry = &taken[n_taken];

	entry->begin = history_time();
	result = session_query("%s", take_sql(generator));
	if (result == NULL)
		return false;
	entry->generator = (short) generator;
	entry->low = entry->high = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	n_taken++;
	PQclear(result);
	return true;
}

/*
 * Take a number that is given back to the savepoint.
 */
static bool
take_and_give_back(int generator)
{
	int			before = n_taken;

	if (!session_do("SAVEPOINT before") || !take(generator) ||
		!session_do("ROLLBACK TO SAVEPOINT before"))
		return false;
	n_taken = before;
	return true;
}

/*
 * Have a deferred trigger take the number after the last one, which no other client can.
 */
static bool
take_at_commit(int generator)
{
	if (!(options.parts & BESIDE) || n_taken == 0 || !one_in(5))
		return true;
	if (!session_do("INSERT INTO done_late VALUES ($$%s$$)", take_sql(generator)))
		return false;
	taken[n_taken] = taken[n_taken - 1];
	taken[n_taken].low = ++taken[n_taken].high;
	n_taken++;
	return true;
}

static const char *
take_sql(int generator)
{
	static char sql[128];

	snprintf(sql, sizeof(sql), generator_of(generator)->kind == SERIES ?
			 "INSERT INTO papers VALUES ('%s') RETURNING number" :
			 "SELECT hilo_next_tag('%s')", generator_name(generator));
	return sql;
}

/*
 * Do something else in the transaction, now and then.
 */
static bool
beside(void)
{
	if (!(options.parts & BESIDE) || one_in(2))
		return true;
	has_beside = true;
	return session_do(beside_numbers[random_below(sizeof(beside_numbers) / sizeof(beside_numbers[0]))], client);
}

static void
end(void)
{
	if (one_in(5))
		session_do("ROLLBACK");
	else if (!has_beside && one_in(20))
	{
		is_prepared = true;
		n_prepared++;
		if (!session_do("PREPARE TRANSACTION 'numbers %d %d'", client, n_prepared))
			session_do("ROLLBACK");
	}
	else if (session_do("COMMIT"))
		have(CAME_NEXT);
	else if (session_in_doubt())
		have(CAME_PERHAPS);
}

static void
have(Event event)
{
	for (int i = 0; i < n_taken; i++)
	{
		taken[i].event = (short) event;
		history_entry(&taken[i]);
	}
	n_taken = 0;
}

/*
 * End the prepared transaction, if it came to that.
 */
static void
finish_prepared(void)
{
	bool		commit = one_in(2);
	int64_t		found;

	if (session_do("%s PREPARED 'numbers %d %d'", commit ? "COMMIT" : "ROLLBACK",
				   client, n_prepared))
	{
		is_prepared = false;
		if (commit)
			have(CAME_NEXT);
	}
	else if (session_read(&found,
						  "SELECT count(*) FROM pg_prepared_xacts WHERE gid = 'numbers %d %d'",
						  client, n_prepared) && found == 0)
	{
		is_prepared = false;
		have(CAME_PERHAPS);
	}
}
