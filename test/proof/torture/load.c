/*
 * What a client does in a unit.
 */
#include "recorder.h"

static void transaction(void);
static int	any_but_numbers(void);
static bool savepoint(void);
static void end_transaction(void);
static void finish_prepared(void);

/* the client has a prepared transaction, as far as it knows */
static bool is_prepared;

/*
 * Make a call, and write down the ids that came of it.
 */
void
load_unit(void)
{
	int			generator = any_generator();
	int			kind = generator_of(generator)->kind;

	session_leave_transaction();
	if (kind & NUMBERS)
		number_unit(generator);
	else if (kind == JOINS)
		join_unit(generator);
	else if (!options.has_transactions)
		call_something(generator);
	else if (kind == ADOPTED && (options.parts & SOURCES) && one_in(4))
		source_change(generator);
	else if (kind == ADOPTED && one_in(5))
		source_unit(generator);
	else if ((options.parts & SEED) && (kind & (WITH_RANGES | SCATTERED)) &&
			 one_in(500))
		force_seed(generator);
	else if ((options.parts & DROP) && (kind & (WITH_RANGES | SCATTERED)) &&
			 one_in(generator_is_ripe(generator) ? 50 : 1000))
		recreate(generator);
	else if (is_prepared && one_in(10))
		finish_prepared();
	else if (one_in(3))
		transaction();
	else
		call_something(generator);
}

/*
 * Make a few calls in a transaction, and end it in one way or another.
 */
static void
transaction(void)
{
	if (!session_begin())
		return;

	/* with an xid, the end of the transaction is flushed */
	if (one_in(4) && !session_do("SELECT pg_current_xact_id()"))
	{
		session_do("ROLLBACK");
		return;
	}
	for (int i = (int) random_below(6); i >= 0; i--)
	{
		if (one_in(3) ? !savepoint() : !call_something(any_but_numbers()))
		{
			session_do("ROLLBACK");
			return;
		}
	}
	end_transaction();
}

/*
 * Numbers are taken in their own transactions.
 */
static int
any_but_numbers(void)
{
	int			generator;

	do
		generator = any_generator();
	while (generator_of(generator)->kind & (NUMBERS | JOINS));
	return generator;
}

/*
 * Make calls in a subtransaction; false if the transaction cannot go on.
 */
static bool
savepoint(void)
{
	bool		done = true;

	if (!session_do("SAVEPOINT here"))
		return false;
	for (int i = (int) random_below(3); done && i >= 0; i--)
		done = call_something(any_but_numbers());
	if (done && one_in(2))
		return session_do("RELEASE SAVEPOINT here");
	return session_do("ROLLBACK TO SAVEPOINT here");
}

static void
end_transaction(void)
{
	if (one_in(10) && !is_prepared)
	{
		/* what the session holds is forgotten */
		shared->losses++;
		is_prepared = true;
		if (!session_do("PREPARE TRANSACTION 'client %d'", client))
			session_do("ROLLBACK");
	}
	else
		session_do(one_in(2) ? "COMMIT" : "ROLLBACK");
}

/*
 * End the prepared transaction, if it came to that.
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
