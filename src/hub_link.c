/*-------------------------------------------------------------------------
 *
 * hub_link.c
 *	  One connection to a hub, by libpq.
 *
 * Nothing here blocks in libpq: each wait is for the socket and the latch, can be
 * cancelled and has an end where the caller wants one.  After an error the link
 * is in no state to go on, and is to be closed.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub_link.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "libpq-fe.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "storage/latch.h"
#include "utils/timestamp.h"

#include "hub_link.h"
#include "wait_event.h"

/* for each host, if the foreign server's options do not say */
#define CONNECT_TIMEOUT_SECONDS 10

static bool acquire_file(void);
static bool connect_to_one(HubLink *link, const HubOptions *options,
						   TimestampTz deadline, StringInfo messages);
static void pass_on(void *arg, const PGresult *result);
static void await_result(HubLink *link, TimestampTz deadline);
static bool has_row(const PGresult *result);
static bool is_error(const PGresult *result);
static bool is_copy(const PGresult *result);
static void read_reply(const PGresult *result, HubReply *reply);
static char *field_of(const PGresult *result, int field);
static int	await_socket(PGconn *conn, int event, TimestampTz deadline);
static void append_message(StringInfo messages, const char *message);
static void clear_result(HubLink *link);

/*
 * Connects to the first of the hosts that is there and as it should be, or
 * raises an error, which names the hub.  The link is to be closed either way.
 *
 * libpq would go from host to host by itself, but it leaves the time that one
 * may take to those who use it without waiting.
 */
void
hub_link_open(HubLink *link, const char *hub, const HubOptions *options,
			  TimestampTz deadline)
{
	HubOptions	of_host;
	StringInfoData messages;

	initStringInfo(&messages);
	for (int i = 0; hub_options_of_host(options, i, &of_host); i++)
	{
		if (connect_to_one(link, &of_host, deadline, &messages))
			return;
		hub_link_close(link);
	}
	ereport(ERROR,
			(errcode(ERRCODE_SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION),
			 errmsg("could not connect to hub \"%s\"", hub),
			 errdetail_internal("%s", messages.data),
			 errhint("Ids of the generator come again when the hub is there and the options of its foreign server and user mapping fit.")));
}

/*
 * Says whether the hub has asked for a password.
 */
bool
hub_link_used_password(const HubLink *link)
{
	return PQconnectionUsedPassword(link->conn);
}

/*
 * Has a statement executed on the hub and gives what came back.  The values are
 * those of the first row, NULL where there is none.
 */
HubReply *
hub_link_ask(HubLink *link, const char *statement, int narguments,
			 const char *const *arguments, TimestampTz deadline)
{
	HubReply   *reply = palloc0(sizeof(*reply));

	/* row by row: more than one are not to be kept */
	if (PQsendQueryParams(link->conn, statement, narguments, NULL,
						  arguments, NULL, NULL, 0) &&
		PQsetSingleRowMode(link->conn))
		await_result(link, deadline);
	if (link->result == NULL || is_copy(link->result) ||
		PQstatus(link->conn) == CONNECTION_BAD)
	{
		reply->is_lost = true;
		reply->message = link->result != NULL && is_copy(link->result) ?
			pstrdup("It has begun a COPY.") :
			pchomp(PQerrorMessage(link->conn));
	}
	else
		read_reply(link->result, reply);
	clear_result(link);
	return reply;
}

/*
 * Gives a connection up, if it stands.
 */
void
hub_link_close(HubLink *link)
{
	clear_result(link);
	if (link->conn == NULL)
		return;
	PQfinish(link->conn);
	link->conn = NULL;
	ReleaseExternalFD();
}

/*
 * Connects to one host, and says whether it did; if not, appends why.
 */
static bool
connect_to_one(HubLink *link, const HubOptions *options,
			   TimestampTz deadline, StringInfo messages)
{
	const char *timeout = hub_options_get(options, "connect_timeout");
	long		seconds = timeout == NULL ? 0 : strtol(timeout, NULL, 10);
	PostgresPollingStatusType status = PGRES_POLLING_WRITING;
	PGconn	   *conn;

	if (seconds <= 0)
		seconds = CONNECT_TIMEOUT_SECONDS;
	deadline = Min(deadline,
				   TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
											   seconds * 1000));
	if (!acquire_file())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				 errmsg("too many files are open to connect to a hub"),
				 errhint("Raise max_files_per_process, or the operating system's limit.")));
	conn = PQconnectStartParams(options->keywords, options->values, 0);
	if (conn == NULL)
	{
		ReleaseExternalFD();
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory")));
	}
	link->conn = conn;
	PQsetNoticeReceiver(conn, pass_on, NULL);

	while (PQstatus(conn) != CONNECTION_BAD &&
		   status != PGRES_POLLING_OK && status != PGRES_POLLING_FAILED)
	{
		int			event = status == PGRES_POLLING_READING ?
			WL_SOCKET_READABLE : WL_SOCKET_WRITEABLE;
		int			happened = await_socket(conn, event, deadline);

		if (happened == 0)
		{
			append_message(messages, "timeout expired");
			return false;
		}
		if (happened & event)
			status = PQconnectPoll(conn);
	}
	if (status == PGRES_POLLING_OK)
		return true;
	append_message(messages, PQerrorMessage(conn));
	return false;
}

/*
 * Says whether a file may be opened for a connection, and notes that it is.
 * Each wait for the connection will take another one, for a moment, and should
 * find it.
 */
static bool
acquire_file(void)
{
	bool		has_another;

	if (!AcquireExternalFD())
		return false;
	has_another = AcquireExternalFD();
	ReleaseExternalFD();
	return has_another;
}

/*
 * Callback of libpq: a warning of the hub is for the caller, but not that its
 * session there ends.
 */
static void
pass_on(void *arg, const PGresult *result)
{
	const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
	const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	if (severity == NULL || strcmp(severity, "WARNING") != 0 ||
		message == NULL || state == NULL || strncmp(state, "57", 2) == 0)
		return;
	ereport(WARNING,
			(errmsg_internal("%s", message),
			 detail ? errdetail_internal("%s", detail) : 0,
			 errcontext("hub")));
}

/*
 * Waits until the hub is done with a statement, and keeps its first row, or its
 * error.  A COPY is never done.
 */
static void
await_result(HubLink *link, TimestampTz deadline)
{
	PGconn	   *conn = link->conn;
	PGresult   *result;

	do
	{
		while (PQisBusy(conn))
		{
			if (await_socket(conn, WL_SOCKET_READABLE, deadline) == 0)
				ereport(ERROR,
						(errcode(ERRCODE_CONNECTION_FAILURE),
						 errmsg("the hub has not answered in time")));
			if (!PQconsumeInput(conn))
				break;
		}
		result = PQgetResult(conn);
		if (result != NULL && has_row(link->result) && !is_error(result))
			PQclear(result);
		else if (result != NULL)
		{
			clear_result(link);
			link->result = result;
		}
	} while (result != NULL && PQstatus(conn) != CONNECTION_BAD &&
			 !is_copy(link->result));
}

static bool
has_row(const PGresult *result)
{
	return PQresultStatus(result) == PGRES_SINGLE_TUPLE;
}

static bool
is_error(const PGresult *result)
{
	return !has_row(result) && PQresultStatus(result) != PGRES_TUPLES_OK;
}

static bool
is_copy(const PGresult *result)
{
	ExecStatusType status = PQresultStatus(result);

	return status == PGRES_COPY_IN || status == PGRES_COPY_OUT ||
		status == PGRES_COPY_BOTH;
}

/*
 * Takes a result apart, into the current memory context.
 */
static void
read_reply(const PGresult *result, HubReply *reply)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	if (is_error(result))
	{
		if (state != NULL && strlen(state) == 5)
			reply->sqlstate = MAKE_SQLSTATE(state[0], state[1], state[2], state[3], state[4]);
		if (reply->sqlstate == ERRCODE_SUCCESSFUL_COMPLETION)
			reply->sqlstate = ERRCODE_CONNECTION_FAILURE;
		reply->message = field_of(result, PG_DIAG_MESSAGE_PRIMARY);
		reply->detail = field_of(result, PG_DIAG_MESSAGE_DETAIL);
		reply->hint = field_of(result, PG_DIAG_MESSAGE_HINT);
		if (reply->message == NULL)
			reply->message = pchomp(PQresultErrorMessage(result));
		return;
	}
	for (int i = 0; i < Min(PQnfields(result), (int) lengthof(reply->values)); i++)
	{
		if (PQntuples(result) > 0 && !PQgetisnull(result, 0, i))
			reply->values[i] = pstrdup(PQgetvalue(result, 0, i));
	}
}

static char *
field_of(const PGresult *result, int field)
{
	const char *value = PQresultErrorField(result, field);

	return value == NULL ? NULL : pstrdup(value);
}

/*
 * Waits for the socket of a connection; gives what happened, 0 if the time is
 * over.
 */
static int
await_socket(PGconn *conn, int event, TimestampTz deadline)
{
	int			events = event | WL_LATCH_SET | WL_EXIT_ON_PM_DEATH;
	long		timeout = -1;
	int			happened;

	if (!TIMESTAMP_IS_NOEND(deadline))
	{
		timeout = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), deadline);
		if (timeout <= 0)
			return 0;
		events |= WL_TIMEOUT;
	}
	happened = WaitLatchOrSocket(MyLatch, events, PQsocket(conn), timeout,
								 wait_event(WAIT_HUB));
	if (happened & WL_LATCH_SET)
	{
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	return happened;
}

/*
 * Appends what libpq says of one host.
 */
static void
append_message(StringInfo messages, const char *message)
{
	if (messages->len > 0)
		appendStringInfoChar(messages, '\n');
	appendStringInfoString(messages, pchomp(message));
}

static void
clear_result(HubLink *link)
{
	PQclear(link->result);
	link->result = NULL;
}
