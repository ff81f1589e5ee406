/*
 * Gapless numbers: a transaction has them when it is committed.
 *
 * Where the answer to the commit is lost, nobody knows whether it has them.
 */
#include <stdlib.h>

#include "recorder.h"

#define MAX_NUMBERS 8

/* what the transaction has taken */
static Entry taken[MAX_NUMBERS];
static int	n_taken;

/* a prepared transaction has them, as far as the client knows */
static bool is_prepared;

/* which of the client's; one that a failover brings back is not this one */
static int	n_prepared;

static bool take(int generator);
static bool take_and_give_back(int generator);
static void end(void);
static void have(Event event);
static void finish_prepared(void);

/*
 * Take some numbers in a transaction of their own, or give them back.
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
	done = session_do("BEGIN") &&
		(options.commits != NULL ||
		 session_do("SET LOCAL synchronous_commit = on"));
	for (int i = (int) random_below(3); done && i >= 0; i--)
		done = one_in(3) ? take_and_give_back(generator) : take(generator);
	if (done)
		end();
	else
		session_do("ROLLBACK");
}

/*
 * End what is prepared, so that its numbers are somebody's or nobody's.
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
	result = session_query("SELECT hilo_next_tag('%s')", generator_name(generator));
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

static void
end(void)
{
	if (one_in(5))
		session_do("ROLLBACK");
	else if (one_in(20))
	{
		is_prepared = true;
		n_prepared++;
		if (!session_do("PREPARE TRANSACTION 'numbers %d %d'", client, n_prepared))
			session_do("ROLLBACK");
	}
	else
		have(session_do("COMMIT") ? CAME_NEXT : CAME_PERHAPS);
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
