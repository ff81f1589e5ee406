/*
 * A client's connection, which may be lost in any call.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "recorder.h"

#define RETRY_MICROSECONDS 10000

/* statement_timeout is up before, except for what waits while libfaketime's clock is ahead */
#define ANSWER_SECONDS 12

const char *conninfo;

static PGconn *connection;
static PGcancel *cancel;

/* what the call has done may be undone by a failover */
static bool is_in_doubt;

static PGresult *run(const char *format, va_list arguments);
static void cancel_call(int signal_number);
static bool is_expected(const char *sqlstate);
static void take_notice(void *arg, const PGresult *result);

/*
 * Connects, however long the server is away.
 */
void
session_open(void)
{
	signal(SIGALRM, cancel_call);
	for (;;)
	{
		connection = PQconnectdb(conninfo);
		cancel = PQgetCancel(connection);
		PQsetNoticeReceiver(connection, take_notice, NULL);
		history_new_session();
		if (shared != NULL)
			shared->losses++;
		if (options.is_pooled ? !session_lost() :
			session_do("PREPARE next(text) AS SELECT hilo_next_tag($1)") &&
			session_settings())
			return;
		session_close();
		usleep(RETRY_MICROSECONDS);
	}
}

/*
 * Changes the settings of the session.
 */
bool
session_settings(void)
{
	static const char *const commits[] = {"on", "off", "local"};
	const char *commit = commits[random_below(3)];

	/* they keep the others from numbers, which all wait for */
	int			hasty = options.parts & BESIDE ? 100 : 6;

	if (options.is_pooled)
		return true;
	return session_do("SET synchronous_commit = %s",
					  options.commits != NULL ? options.commits : commit) &&
		session_do("SET hilo.prefetch = %s", one_in(3) ? "off" : "on") &&
		session_do("SET hilo.return_on_exit = %s", one_in(3) ? "off" : "on") &&
		session_do("SET lock_timeout = %d", one_in(hasty) ? 1 : 2000);
}

bool
session_lost(void)
{
	return PQstatus(connection) != CONNECTION_OK;
}

/*
 * Check whether it is unknown if the last call succeeded.
 */
bool
session_in_doubt(void)
{
	return is_in_doubt || session_lost();
}

void
session_close(void)
{
	PQfreeCancel(cancel);
	cancel = NULL;
	PQfinish(connection);
	connection = NULL;
}

/*
 * Leave the connection to the client that this one was forked from.
 */
void
session_forget(void)
{
	close(PQsocket(connection));
	connection = NULL;
	cancel = NULL;
}

/*
 * Leaves without a word, with a call under way as likely as not.
 */
void
session_cut(void)
{
	if (one_in(2))
		PQsendQuery(connection, "SELECT hilo_next_tag('single'), hilo_next_tag('small'), identity_next('people')");
	shutdown(PQsocket(connection), SHUT_RDWR);
	session_close();
}

/*
 * Return the rows of a query; NULL if it failed, or that is unknown.
 */
PGresult *
session_query(const char *format,...)
{
	va_list		arguments;
	PGresult   *result;

	va_start(arguments, format);
	result = run(format, arguments);
	va_end(arguments);
	return result;
}

/*
 * Check whether a command is known to have succeeded.
 */
bool
session_do(const char *format,...)
{
	va_list		arguments;
	PGresult   *result;

	va_start(arguments, format);
	result = run(format, arguments);
	va_end(arguments);
	PQclear(result);
	return result != NULL;
}

/*
 * Begin a transaction of any isolation level.
 */
bool
session_begin(void)
{
	static const char *const levels[] = {
		"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"
	};

	return session_do("BEGIN ISOLATION LEVEL %s", levels[random_below(3)]);
}

/*
 * End the transaction that a BEGIN has left which was cancelled, or a ROLLBACK.
 */
void
session_leave_transaction(void)
{
	PGTransactionStatusType status = PQtransactionStatus(connection);

	if (status == PQTRANS_INTRANS || status == PQTRANS_INERROR)
		session_do("ROLLBACK");
}

/*
 * Read one number; false if the query failed or gave none.
 */
bool
session_read(int64_t *value, const char *format,...)
{
	va_list		arguments;
	PGresult   *result;
	bool		found;

	va_start(arguments, format);
	result = run(format, arguments);
	va_end(arguments);
	found = result != NULL && PQntuples(result) == 1 &&
		!PQgetisnull(result, 0, 0);
	if (found)
		*value = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	PQclear(result);
	return found;
}

/*
 * A call begins here, from which ids may come.
 */
static PGresult *
run(const char *format, va_list arguments)
{
	char		sql[1024];
	PGresult   *result;
	ExecStatusType status;

	vsnprintf(sql, sizeof(sql), format, arguments);
	/* behind a pool the next call may be made by another session */
	if (options.is_pooled)
		history_new_session();
	is_in_doubt = false;
	history_begin();
	alarm(ANSWER_SECONDS);
	result = PQexec(connection, sql);
	alarm(0);
	status = PQresultStatus(result);
	if ((status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) &&
		!is_in_doubt)
		return result;

	if (shared != NULL)
		shared->losses++;
	session_note_error(result, sql);
	PQclear(result);
	return NULL;
}

static void
cancel_call(int signal_number)
{
	char		error[256];

	(void) signal_number;
	PQcancel(cancel, error, sizeof(error));
	alarm(ANSWER_SECONDS);
}

/*
 * Write down the error of a call, if that should not have met it.
 */
void
session_note_error(const PGresult *result, const char *sql)
{
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

	/* SERIALIZABLE transactions fail by their own reads and writes */
	if (sqlstate != NULL && !is_expected(sqlstate) &&
		strstr(message, "read/write dependencies") == NULL)
		history_error(sqlstate, message, sql);
}

/*
 * Check whether a call may fail like that.  Not among them is 40001: no call
 * of hilo's depends on the caller's snapshot.
 */
static bool
is_expected(const char *sqlstate)
{
	static const char *const expected[] = {
		"2200H",				/* the generator is used up */
		"57014",				/* canceled, or statement_timeout */
		"55P03",				/* lock_timeout */
		"40P01",				/* two transactions alter two generators */
		"57P01", "57P02", "57P03",	/* the server stops, crashes, starts */
		"25P03",				/* idle_in_transaction_session_timeout */
		"42704",				/* no such prepared transaction */
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
	{
		if (strcmp(sqlstate, expected[i]) == 0)
			return true;
	}
	return options.expected != NULL &&
		strstr(options.expected, sqlstate) != NULL;
}

/*
 * A commit whose wait for the standbys was canceled is answered as if it had
 * not been, with a warning; and so is DDL whose rows could not be joined.
 */
static void
take_notice(void *arg, const PGresult *result)
{
	const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
	const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);

	(void) arg;
	if (severity != NULL && strcmp(severity, "WARNING") == 0 &&
		(strstr(message, "canceling") != NULL ||
		 (detail != NULL && strstr(detail, "may repeat") != NULL)))
		is_in_doubt = true;
}
