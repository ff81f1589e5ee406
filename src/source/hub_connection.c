/*
 * Calls of functions on hubs, by libpq.
 *
 * The foreign server and the user mapping of the generator's owner show how to
 * reach a hub; the owner must have USAGE of the server.  The session keeps its
 * last connection.
 *
 * Only functions of the schema hilo_internal are called on the hub.  Each call
 * checks that the schema belongs to a superuser, because the owner of the
 * database can drop the extension and make another hilo_internal.
 *
 * A call is one transaction, which the hub commits before it answers.  So a
 * connection that is given up, which each error does, leaves nothing but a gap,
 * and a call can be repeated if its connection is lost.
 *
 * Only the look-up of a host's name blocks in libpq.  Each other wait is for
 * the socket and the latch, can be cancelled, and ends.  libpq keeps all that
 * it reads, so the bytes are counted before it reads them.
 */
#include "postgres.h"

#include <sys/ioctl.h>

#include "catalog/pg_authid.h"
#include "libpq-fe.h"
#include "mb/pg_wchar.h"
#include "storage/fd.h"

#include "source/source.h"

/*
 * seconds to connect, if the foreign server does not say; milliseconds of a
 * call
 */
#define CONNECT_TIMEOUT 10
#define CALL_TIMEOUT 60000

/* bytes: of an answer, with all that comes with it; of those to a connection */
#define ANSWER_BYTES 65536
#define CONNECTION_BYTES (16 * ANSWER_BYTES)

/*
 * What comes before each call and returns no row.  It keeps the extension from
 * being dropped, and raises an error if hilo_internal is not a superuser's.
 * The call names a table of the hub as any session of its role does.
 */
#define REQUIRE_HILO \
	"SET LOCAL search_path = pg_catalog; " \
	"LOCK TABLE hilo_internal.hilo_node IN ACCESS SHARE MODE; " \
	"SELECT 1 / count(*) FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner" \
	" WHERE n.nspname = 'hilo_internal' AND r.rolsuper HAVING count(*) = 0; " \
	"SET LOCAL search_path TO DEFAULT; "

#define REQUIRING_STATEMENTS 4

/* their errors: no schema, no table, or not a superuser's */
#define NO_HILO "3F000 42P01 22012"

/* by which hilo refuses a call; another one is about the hub's transaction */
#define FORWARDED_SQLSTATES "0A000 22003 22023 2200H 42501 42704 42P08 55000"

static PGconn *conn;			/* NULL: not connected */
static char *conn_options;		/* by which it was made */
static int64 received;			/* bytes, by it */
static PGresult *result;		/* of its last statement */

/* A call that is made. */
typedef struct HubCall
{
	const char *hub;
	TimestampTz deadline;
	int64		limit;			/* of received */
	int			statements;		/* that have ended well */
} HubCall;

static void make_call(HubCall *call, Oid actor, const char *function);
static void require_password(const ForeignServer *server,
							 const UserMapping *mapping, Oid owner);
static void disconnect(void);
static void connect_to_hub(HubCall *call, List *options);
static PGconn *start_connecting(List *options);
static const char *option_of(List *options, const char *name);
static void register_at_hub(HubCall *call);
static void ask(HubCall *call, const char *function);
static void await_socket(const HubCall *call, int event, TimestampTz until);
static void ignore_notice(void *arg, const PGresult *notice);
static const char *copy_of_answer(const char *text);
static void require_answer(const HubCall *call);

/*
 * Call a function on a hub by the rights and the user mapping of a generator's
 * owner.  When this returns, the call is committed there.  Return the results:
 * bigint, but for a text that may come last, empty for NULL.  An error of the
 * hub is raised here; no answer, as one of class 08.
 *
 * The coordinator of a Citus cluster is reached by a superuser's mapping; it
 * knows the owner, and looks at the owner's rights.
 *
 * Waits at most patience milliseconds, or CALL_TIMEOUT if 0; can be cancelled.
 */
int64 *
hub_call(const char *name, Oid owner, const char *function,
		 const char *arguments,
		 int patience, int nresults, const char **text_result)
{
	int64	   *results = palloc(nresults * sizeof(*results));
	Oid			actor = owner;
	char	   *act_as = "";
	HubCall		call = {.hub = name};

	if (citus_is_hub(name))
	{
		actor = BOOTSTRAP_SUPERUSERID;
		act_as = psprintf(", act_as => %s",
						  quote_literal_cstr(GetUserNameFromId(owner, false)));
	}
	if (patience == 0)
		patience = CALL_TIMEOUT;
	/* lock_limit_waits sets it without a timer */
	if (StatementTimeout > 0)
		patience = Min(patience, StatementTimeout);
	call.deadline =
		TimestampTzPlusMilliseconds(GetCurrentTimestamp(), patience);
	PG_TRY();
	{
		make_call(&call, actor,
				  psprintf("%s(%s%s)", function, arguments, act_as));
		for (int i = 0; i < nresults; i++)
		{
			const char *value = copy_of_answer(PQgetvalue(result, 0, i));
			char	   *end;

			errno = 0;
			results[i] = strtoi64(value, &end, 10);
			if (end == value || *end != '\0' || errno != 0)
				hub_report_answer(name, "It gave no number.");
		}
		if (text_result != NULL)
			*text_result = copy_of_answer(PQgetvalue(result, 0, nresults));
	}
	PG_CATCH();
	{
		disconnect();
		PG_RE_THROW();
	}
	PG_END_TRY();
	return results;
}

/*
 * Make a call by the session's connection, or by a new one if that leads
 * elsewhere, has read much, or is lost.
 */
static void
make_call(HubCall *call, Oid actor, const char *function)
{
	ForeignServer *server = hub_server(call->hub, actor);
	UserMapping *mapping = GetUserMapping(actor, server->serverid);
	List	   *options = list_concat_copy(server->options, mapping->options);
	char	   *as_text;

	/* the coordinator may have got another address; the last option counts */
	if (citus_is_hub(call->hub))
		options = list_concat(options, citus_coordinator());
	as_text = nodeToString(options);
	if (conn != NULL &&
		(strcmp(as_text, conn_options) != 0 || received > CONNECTION_BYTES))
		disconnect();
	require_password(server, mapping, actor);
	ask(call, function);
	if (PQstatus(conn) == CONNECTION_BAD)
	{
		disconnect();
		conn_options = MemoryContextStrdup(TopMemoryContext, as_text);
		connect_to_hub(call, options);
		require_password(server, mapping, actor);
		register_at_hub(call);
		ask(call, function);
	}
	require_answer(call);
}

/* Return a foreign server, or report an error if the role may not use it. */
ForeignServer *
hub_server(const char *name, Oid role)
{
	ForeignServer *server = GetForeignServerByName(name, false);

	aclcheck_error(object_aclcheck(ForeignServerRelationId, server->serverid,
								   role, ACL_USAGE),
				   OBJECT_FOREIGN_SERVER, name);
	return server;
}

/* Report the error of a hub's answer, which is none of hilo's. */
void
hub_report_answer(const char *hub, const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_PROTOCOL_VIOLATION),
			errmsg("unexpected answer from hub \"%s\"", hub),
			errdetail_internal("%s", detail),
			errhint("Check that the functions of hilo on the hub have not been changed."));
}

/*
 * Report an error if the owner would connect, or has connected, without a
 * password, which would be with the rights of this server's operating system
 * user.  If a superuser owns the foreign server, it is allowed to superusers,
 * and to roles with password_required off in their user mapping.  Only
 * postgres_fdw lets none but superusers set that option.
 */
static void
require_password(const ForeignServer *server, const UserMapping *mapping,
				 Oid owner)
{
	const char *option = option_of(mapping->options, "password_required");
	bool		has_password = option_of(mapping->options, "password") != NULL;
	bool		required;

	if (superuser_arg(server->owner) &&
		(superuser_arg(owner) ||
		 (option != NULL && parse_bool(option, &required) && !required &&
		  strcmp(GetForeignDataWrapper(server->fdwid)->fdwname,
				 "postgres_fdw") == 0)))
		return;
	if (!has_password || (conn != NULL && !PQconnectionUsedPassword(conn)))
		ereport(ERROR,
				errcode(ERRCODE_S_R_E_PROHIBITED_SQL_STATEMENT_ATTEMPTED),
				errmsg("password is required for hub \"%s\"",
					   server->servername),
				errdetail_internal("%s", has_password ?
								   "The hub has not asked for the password." :
								   "The user mapping has no password."),
				errhint("Set a password in the user mapping and let the hub ask for it, or let superusers own both the generator and the foreign server."));
}

static void
disconnect(void)
{
	PQclear(result);
	result = NULL;
	if (conn_options != NULL)
		pfree(conn_options);
	conn_options = NULL;
	if (conn == NULL)
		return;
	PQfinish(conn);
	conn = NULL;
	ReleaseExternalFD();
}

/* Connect to the first suitable host, as libpq does, or report an error. */
static void
connect_to_hub(HubCall *call, List *options)
{
	const char *timeout = option_of(options, "connect_timeout");
	int			seconds = CONNECT_TIMEOUT;
	TimestampTz until;
	PostgresPollingStatusType status = PGRES_POLLING_WRITING;

	if (timeout != NULL && atoi(timeout) > 0)
		seconds = atoi(timeout);
	until = GetCurrentTimestamp() + seconds * USECS_PER_SEC;
	received = 0;
	call->limit = ANSWER_BYTES;
	conn = start_connecting(options);
	if (conn != NULL)
		ReserveExternalFD();
	PQsetNoticeReceiver(conn, ignore_notice, NULL);
	while (status != PGRES_POLLING_OK && PQstatus(conn) != CONNECTION_BAD)
	{
		int			event = WL_SOCKET_WRITEABLE;

		if (status == PGRES_POLLING_READING)
			event = WL_SOCKET_READABLE;
		await_socket(call, event, Min(call->deadline, until));
		status = PQconnectPoll(conn);
	}
	if (PQstatus(conn) == CONNECTION_BAD)
		ereport(ERROR,
				errcode(ERRCODE_SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION),
				errmsg("could not connect to hub \"%s\"", call->hub),
				errdetail_internal("%s", copy_of_answer(PQerrorMessage(conn))),
				errhint("Ids will be available again once the hub can be reached with the options of its foreign server and user mapping."));
}

/*
 * Begin to connect, NULL if there is no memory for it.  Options for debugging
 * could write files, and so could a file of options; for OAuth libpq asks other
 * servers.
 */
static PGconn *
start_connecting(List *options)
{
	int			room = list_length(options) + 3;
	const char **names = palloc0(room * sizeof(char *));
	const char **values = palloc0(room * sizeof(char *));
	PQconninfoOption *known = PQconndefaults();
	int			count = 0;

	if (known == NULL)
		return NULL;
	for (PQconninfoOption *one = known; one->keyword != NULL; one++)
	{
		const char *value = option_of(options, one->keyword);

		if (value == NULL || strchr(one->dispchar, 'D') != NULL ||
			strcmp(one->keyword, "servicefile") == 0 ||
			strstr(one->keyword, "oauth_") != NULL)
			continue;
		names[count] = one->keyword;
		values[count++] = value;
	}
	PQconninfoFree(known);
	names[count] = "fallback_application_name";
	values[count++] = "hilo";
	names[count] = "client_encoding";
	values[count] = GetDatabaseEncodingName();
	return PQconnectStartParams(names, values, 0);
}

/* Return an option as libpq takes it: the last one that is not empty. */
static const char *
option_of(List *options, const char *name)
{
	const char *value = NULL;

	foreach_ptr(DefElem, option, options)
	{
		if (strcmp(option->defname, name) == 0 && *strVal(option->arg) != '\0')
			value = strVal(option->arg);
	}
	return value;
}

/*
 * Register this server at the hub; warn if another one has its node tag or
 * number.
 */
static void
register_at_hub(HubCall *call)
{
	const char *cluster = GetConfigOption("cluster_name", true, false);
	const char *others;

	ask(call, psprintf("hilo_hub_register(" INT64_FORMAT ", %s, %d, %s)",
					   (int64) GetSystemIdentifier(),
					   quote_literal_cstr(hilo_node_tag), hilo_node_no,
					   quote_literal_cstr(cluster)));
	require_answer(call);
	others = copy_of_answer(PQgetvalue(result, 0, 0));
	if (*others != '\0')
		ereport(WARNING,
				errcode(ERRCODE_DUPLICATE_OBJECT),
				errmsg("another server of hub \"%s\" has this server's node tag or number",
					   call->hub),
				errdetail_internal("%s", others),
				errhint("Give each server its own hilo.node_tag and hilo.node_no. If the other server is gone for good, run hilo_node_forget on the hub."));
}

/*
 * Call a function on the hub, unless the connection is lost; keep the result or
 * error.
 */
static void
ask(HubCall *call, const char *function)
{
	ExecStatusType status;

	PQclear(result);
	result = NULL;
	call->limit = received + ANSWER_BYTES;
	call->statements = 0;
	if (!PQsendQuery(conn,
					 psprintf(REQUIRE_HILO "SELECT * FROM hilo_internal.%s",
							  function)))
		return;
	do
	{
		PGresult   *next;

		while (PQisBusy(conn))
		{
			await_socket(call, WL_SOCKET_READABLE, call->deadline);
			if (!PQconsumeInput(conn))
				break;
		}
		next = PQgetResult(conn);
		if (next == NULL)
			return;
		PQclear(result);
		result = next;
		status = PQresultStatus(next);
		call->statements += status != PGRES_FATAL_ERROR;
		/* after an error the connection may turn out to be lost */
	} while (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
			 status == PGRES_FATAL_ERROR);
}

/*
 * Wait for the socket; report an error if time is over or the answer is too
 * long.
 */
static void
await_socket(const HubCall *call, int event, TimestampTz until)
{
	int			happened = 0;
	int			bytes = 0;

	while ((happened & event) == 0)
	{
		long		timeout =
			TimestampDifferenceMilliseconds(GetCurrentTimestamp(), until);

		/* of a statement_timeout that ends now, the error comes first */
		CHECK_FOR_INTERRUPTS();
		if (timeout == 0)
			ereport(ERROR,
					errcode(ERRCODE_CONNECTION_FAILURE),
					errmsg("hub \"%s\" has not answered in time",
						   call->hub));
		happened = WaitLatchOrSocket(MyLatch,
									 event | WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
									 PQsocket(conn), timeout,
									 WaitEventExtensionNew(WAIT_HUB));
		if (happened & WL_LATCH_SET)
			ResetLatch(MyLatch);
	}
	(void) ioctl(PQsocket(conn), FIONREAD, &bytes);
	received += bytes;
	if (received > call->limit)
		hub_report_answer(call->hub,
						  psprintf("It is longer than %d bytes.",
								   ANSWER_BYTES));
}

/* Callback: drop a notice, which libpq would write to the server's log. */
static void
ignore_notice(void *arg, const PGresult *notice)
{
}

static const char *
copy_of_answer(const char *text)
{
	if (text == NULL || !pg_verifymbstr(text, strlen(text), true))
		return "(no text)";
	return pchomp(text);
}

/* Report an error if the connection is lost, or the hub answered with one. */
static void
require_answer(const HubCall *call)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
	const char *hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
	int			sqlstate = ERRCODE_CONNECTION_FAILURE;

	if (PQstatus(conn) == CONNECTION_BAD)
		ereport(ERROR,
				errcode(ERRCODE_CONNECTION_FAILURE),
				errmsg("lost the connection to hub \"%s\"",
					   call->hub),
				errdetail_internal("%s", copy_of_answer(PQerrorMessage(conn))),
				errhint("Try again."));
	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		return;
	/* a state that no list below has */
	if (state == NULL || strlen(state) != 5 || strchr(state, ' ') != NULL)
		state = "XX000";
	if (call->statements < REQUIRING_STATEMENTS &&
		strstr(NO_HILO, state) != NULL)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("extension \"%s\" is not installed on hub \"%s\"",
					   "hilo", call->hub),
				errhint("Run CREATE EXTENSION hilo in the database that the foreign server names. If a schema hilo_internal is there, drop it first."));
	if (strstr(FORWARDED_SQLSTATES, state) != NULL)
		sqlstate = MAKE_SQLSTATE(state[0], state[1], state[2], state[3],
								 state[4]);
	ereport(ERROR,
			errcode(sqlstate),
			errmsg_internal("%s",
							copy_of_answer(PQresultErrorField(result,
															  PG_DIAG_MESSAGE_PRIMARY))),
			detail ? errdetail_internal("%s", copy_of_answer(detail)) : 0,
			hint ? errhint("%s", copy_of_answer(hint)) : 0,
			errcontext("hub \"%s\"", call->hub));
}
