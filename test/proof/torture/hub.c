/*
 * Ids that a client takes at the hub itself, of the generators that its
 * server takes from there.
 *
 * By its own connection, which may be lost in any call, and is made anew
 * in the next one.  What comes of it is not part of any transaction at the
 * server.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "recorder.h"

static PGconn *connection;

static bool connect_to_hub(void);
static void write_call(char *sql, size_t size, int generator);
static void leave(void);
static void record(int generator, const PGresult *result);

/*
 * Take ids at the hub, which may be away: that is no failure of a call at
 * the server.
 */
bool
hub_next(int generator)
{
	PGresult   *result;
	char		sql[128];

	if (*options.hub == '\0' || !connect_to_hub())
		return true;

	write_call(sql, sizeof(sql), generator);
	history_begin();
	result = PQexec(connection, sql);
	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		record(generator, result);
	else
		session_note_error(result, sql);
	PQclear(result);
	if (PQstatus(connection) != CONNECTION_OK || one_in(100))
		leave();
	return true;
}

/*
 * Leave the connection to the client that this one was forked from.
 */
void
hub_forget(void)
{
	if (connection != NULL)
		close(PQsocket(connection));
	connection = NULL;
}

static bool
connect_to_hub(void)
{
	if (connection != NULL)
		return true;
	connection = PQconnectdb(options.hub);
	if (PQstatus(connection) == CONNECTION_OK)
		return true;
	leave();
	return false;
}

/*
 * Write a call that gives the first and the last of the ids that are taken.
 */
static void
write_call(char *sql, size_t size, int generator)
{
	const char *name = generator_name(generator);
	int			count = (int) random_below(20) + 1;

	if (generator_of(generator)->kind == HUB_IDENTITY)
		snprintf(sql, size, "SELECT * FROM identity_next('%s', %d)", name, count);
	else if (one_in(2))
		snprintf(sql, size, "SELECT id, id FROM hilo_next_tag('%s') id", name);
	else
		snprintf(sql, size, "SELECT low, high FROM hilo_next_range('%s', size => %d)",
				 name, count);
}

static void
leave(void)
{
	PQfinish(connection);
	connection = NULL;
}

/*
 * Write down the ids from the first column to the second.  Identities are in
 * one order with those that come by way of the server.
 */
static void
record(int generator, const PGresult *result)
{
	history_ids(generator,
				generator_of(generator)->kind == HUB ? CAME_APART : CAME_NEXT,
				strtoll(PQgetvalue(result, 0, 0), NULL, 10),
				strtoll(PQgetvalue(result, 0, 1), NULL, 10));
}
