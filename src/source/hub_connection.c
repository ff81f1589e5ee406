/*
 * Calls of functions on hubs, by libpq.
 *
 * A hub is reached as a foreign server and a user mapping say, by one
 * connection for each session and user mapping, which only this module uses.
 * The mapping is that of the generator's owner, who must have USAGE of the
 * server.  As in postgres_fdw, the owner needs a password in the mapping, and
 * never connects as this server does, unless superusers have decided so.
 *
 * On the hub only functions of the schema hilo_internal are called, which must
 * belong to a superuser there at each call: whoever owns the database can drop
 * the extension, by the schema of its functions, and make another
 * hilo_internal.
 *
 * A call is one transaction, which the hub commits before it answers.  No
 * transaction is open between calls, so a connection that is given up in the
 * middle of one leaves nothing behind but, maybe, a gap; after each error it
 * is given up.  For the same reason a call may be made once more where the
 * connection turns out to be lost.
 *
 * Nothing here blocks in libpq: each wait is for the socket and the latch, and
 * can be cancelled.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "catalog/pg_foreign_server.h"
#include "foreign/foreign.h"
#include "libpq-fe.h"
#include "mb/pg_wchar.h"
#include "storage/fd.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "source/source.h"

/* if the foreign server's options do not say */
#define CONNECT_TIMEOUT_SECONDS 10

/*
 * What comes before each call and returns no row.  It keeps the extension from
 * being dropped, and raises an error if hilo_internal is not a superuser's.
 */
#define REQUIRE_HILO \
	"LOCK TABLE hilo_internal.hilo_node IN ACCESS SHARE MODE; " \
	"SELECT 1 / count(*) FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner" \
	" WHERE n.nspname = 'hilo_internal' AND r.rolsuper HAVING count(*) = 0; "

/*
 * milliseconds that statement_timeout has to end a wait by itself:
 * lock_limit_waits sets it without a timer
 */
#define TIMEOUT_GRACE 500

typedef struct HubConnection
{
	struct HubConnection *next;
	Oid			mapping;
	uint64		generation;		/* of the options, from before they were read */
	PGconn	   *conn;			/* NULL: not connected */
	PGresult   *result;			/* of its last statement */

	/* of the call that is made */
	const char *hub;
	TimestampTz deadline;
} HubConnection;

static HubConnection *connections;

/* changes whenever a foreign server or a user mapping may have changed */
static uint64 option_generation;

static pg_noinline HubConnection *find_connection(const char *hub, Oid owner,
												  ForeignServer **server,
												  UserMapping **mapping);
static void options_changed(Datum arg, int cacheid, uint32 hashvalue);
static bool needs_password(const ForeignServer *server,
						   const UserMapping *mapping, Oid owner);
static void disconnect(HubConnection *connection);
pg_noreturn static void refuse_identity(const char *hub, const char *detail);
static void connect_to_hub(HubConnection *connection, List *options);
static PGconn *start_connecting(List *options);
static const char *option_of(List *options, const char *name);
static void register_at_hub(HubConnection *connection);
static void ask(HubConnection *connection, const char *statements);
static const char *value_of(HubConnection *connection, int column);
static int64 number_in_result(HubConnection *connection, int column);
static PGresult *next_result(HubConnection *connection);
static int	await_socket(HubConnection *connection, int event,
						 TimestampTz deadline);
static void ignore_notice(void *arg, const PGresult *result);
static char *copy_of_answer(const char *text);
static void raise_error(HubConnection *connection);
static int	own_state(const char *state);

/*
 * Call a function on a hub, given with its arguments, by the rights and the
 * user mapping of a generator's owner.  When this returns, the call is
 * committed there.  The results are bigint, but for a text that may come last.
 * An error of the hub is raised here; without an answer, one of class 08.
 *
 * The coordinator of a Citus cluster knows the owner, so a superuser's mapping
 * leads there, and the coordinator looks at the rights that the owner has.
 *
 * Waits for the hub, patience milliseconds at most if that is not 0, which can
 * be cancelled.
 */
void
hub_call(const char *hub, Oid owner, const char *function, int patience,
		 int nresults, int64 *results, const char **text_result)
{
	const char *act_as = "";
	ForeignServer *server;
	UserMapping *mapping;
	HubConnection *connection;
	bool		by_password;
	char	   *statement;

	if (citus_is_hub(hub))
	{
		act_as = psprintf("CALL hilo_internal.hilo_hub_act_as(%s); ",
						  quote_literal_cstr(GetUserNameFromId(owner, false)));
		owner = BOOTSTRAP_SUPERUSERID;
	}
	connection = find_connection(hub, owner, &server, &mapping);
	by_password = needs_password(server, mapping, owner);
	statement = psprintf(REQUIRE_HILO "%sSELECT * FROM hilo_internal.%s",
						 act_as, function);

	if (patience == 0 && StatementTimeout > 0)
		patience = Min(StatementTimeout, PG_INT32_MAX - TIMEOUT_GRACE) +
			TIMEOUT_GRACE;
	connection->deadline = patience == 0 ? DT_NOEND :
		TimestampTzPlusMilliseconds(GetCurrentTimestamp(), patience);
	if (ForeignServerUsage(server->serverid, owner) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_FOREIGN_SERVER, hub);
	if (by_password && option_of(mapping->options, "password") == NULL)
		refuse_identity(hub, "The user mapping has no password.");
	/* a connection by the mapping of PUBLIC may be another owner's */
	if (by_password && connection->conn != NULL &&
		!PQconnectionUsedPassword(connection->conn))
		disconnect(connection);
	PG_TRY();
	{
		if (connection->conn != NULL)
			ask(connection, statement);
		if (PQstatus(connection->conn) == CONNECTION_BAD)
		{
			disconnect(connection);
			connect_to_hub(connection, list_concat_copy(server->options,
														mapping->options));
			if (by_password && !PQconnectionUsedPassword(connection->conn))
				refuse_identity(hub, "The hub has not asked for the password.");
			register_at_hub(connection);
			ask(connection, statement);
		}
		raise_error(connection);
		for (int i = 0; i < nresults; i++)
			results[i] = number_in_result(connection, i);
		if (text_result != NULL)
			*text_result = value_of(connection, nresults);
	}
	PG_CATCH();
	{
		disconnect(connection);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

/* Report the error of an answer that is none of hilo's. */
void
hub_refuse_answer(const char *hub, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROTOCOL_VIOLATION),
			 errmsg("unexpected answer from hub \"%s\"", hub),
			 errdetail_internal("%s", detail),
			 errhint("Check that hilo on the hub is as it was installed.")));
}

/*
 * Return what this session knows of the user mapping by which a role reaches a
 * hub, and set the options as they are now.  Connections by options that may
 * have changed are closed: otherwise that of a dropped mapping would stay.
 */
static HubConnection *
find_connection(const char *hub, Oid owner, ForeignServer **server,
				UserMapping **mapping)
{
	HubConnection *found = NULL;
	uint64		generation;

	if (option_generation == 0)
	{
		CacheRegisterSyscacheCallback(FOREIGNSERVEROID, options_changed,
									  (Datum) 0);
		CacheRegisterSyscacheCallback(USERMAPPINGOID, options_changed, (Datum) 0);
		option_generation = 1;
	}
	/* a change from here on may not be in what is read */
	generation = option_generation;
	*server = GetForeignServerByName(hub, false);
	if (!SearchSysCacheExists2(USERMAPPINGUSERSERVER, ObjectIdGetDatum(owner),
							   ObjectIdGetDatum((*server)->serverid)) &&
		!SearchSysCacheExists2(USERMAPPINGUSERSERVER,
							   ObjectIdGetDatum(InvalidOid),
							   ObjectIdGetDatum((*server)->serverid)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("role \"%s\" has no user mapping for hub \"%s\"",
						GetUserNameFromId(owner, false), hub),
				 errhint("Run CREATE USER MAPPING for that role or for PUBLIC.")));
	*mapping = GetUserMapping(owner, (*server)->serverid);
	for (HubConnection *one = connections; one != NULL; one = one->next)
	{
		if (one->generation != generation)
			disconnect(one);
		if (one->mapping == (*mapping)->umid)
			found = one;
	}
	if (found == NULL)
	{
		found = MemoryContextAllocZero(TopMemoryContext, sizeof(*found));
		found->mapping = (*mapping)->umid;
		found->next = connections;
		connections = found;
	}
	found->generation = generation;
	found->hub = hub;
	return found;
}

static void
options_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	option_generation++;
}

/*
 * Check whether the owner needs a password, so as not to reach the hub as, say,
 * this server's operating system user.  If a superuser owns the foreign server,
 * and so decides where the hub is, superusers need none; nor do roles whose
 * mapping has password_required off, which only postgres_fdw reserves to
 * superusers.
 */
static bool
needs_password(const ForeignServer *server, const UserMapping *mapping,
			   Oid owner)
{
	const char *option = option_of(mapping->options, "password_required");
	bool		required;

	if (!superuser_arg(server->owner))
		return true;
	if (superuser_arg(owner))
		return false;
	return option == NULL || !parse_bool(option, &required) || required ||
		strcmp(GetForeignDataWrapper(server->fdwid)->fdwname, "postgres_fdw") != 0;
}

static void
disconnect(HubConnection *connection)
{
	PQclear(connection->result);
	connection->result = NULL;
	if (connection->conn == NULL)
		return;
	PQfinish(connection->conn);
	connection->conn = NULL;
	ReleaseExternalFD();
}

/* Report the error of an owner who would connect as this server does. */
static void
refuse_identity(const char *hub, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_S_R_E_PROHIBITED_SQL_STATEMENT_ATTEMPTED),
			 errmsg("password is required for hub \"%s\"", hub),
			 errdetail_internal("%s", detail),
			 errhint("Set a password in the user mapping and let the hub ask for it, or let superusers own both the generator and the foreign server.")));
}

/*
 * Connect to the first suitable host, by libpq's own rules, or report an error.
 */
static void
connect_to_hub(HubConnection *connection, List *options)
{
	const char *timeout = option_of(options, "connect_timeout");
	int			seconds = timeout == NULL ? 0 : atoi(timeout);
	TimestampTz deadline = GetCurrentTimestamp() +
		(seconds > 0 ? seconds : CONNECT_TIMEOUT_SECONDS) * USECS_PER_SEC;
	PostgresPollingStatusType status = PGRES_POLLING_WRITING;
	bool		has_file = AcquireExternalFD();

	/* each wait for it will take another one, for a moment */
	if (!has_file || !AcquireExternalFD())
	{
		if (has_file)
			ReleaseExternalFD();
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				 errmsg("too many files are open to connect to a hub"),
				 errhint("Raise max_files_per_process, or the operating system's limit.")));
	}
	ReleaseExternalFD();
	connection->conn = start_connecting(options);
	if (connection->conn == NULL)
		ReleaseExternalFD();
	PQsetNoticeReceiver(connection->conn, ignore_notice, NULL);

	while (PQstatus(connection->conn) != CONNECTION_BAD &&
		   status != PGRES_POLLING_OK && status != PGRES_POLLING_FAILED)
	{
		int			event = status == PGRES_POLLING_READING ?
			WL_SOCKET_READABLE : WL_SOCKET_WRITEABLE;
		int			happened = await_socket(connection, event,
											Min(deadline, connection->deadline));

		if (happened == 0)
			break;
		if (happened & event)
			status = PQconnectPoll(connection->conn);
	}
	if (status != PGRES_POLLING_OK)
		ereport(ERROR,
				(errcode(ERRCODE_SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION),
				 errmsg("could not connect to hub \"%s\"", connection->hub),
				 errdetail_internal("%s", PQstatus(connection->conn) == CONNECTION_BAD ?
									copy_of_answer(PQerrorMessage(connection->conn)) :
									"timeout expired"),
				 errhint("Ids will be available again once the hub can be reached with the options of its foreign server and user mapping.")));
}

/*
 * Begin to connect, NULL if there is no memory for it.  Options of libpq for
 * debugging are left out, as they could write files.
 */
static PGconn *
start_connecting(List *options)
{
	const char *of_session = option_of(options, "options");
	int			room = list_length(options) + 4;
	const char **names = palloc0(room * sizeof(char *));
	const char **values = palloc0(room * sizeof(char *));
	PQconninfoOption *known = PQconndefaults();
	PGconn	   *conn = NULL;
	int			count = 0;

	for (PQconninfoOption *one = known; one != NULL && one->keyword != NULL; one++)
	{
		const char *value = option_of(options, one->keyword);

		if (value == NULL || strchr(one->dispchar, 'D') != NULL)
			continue;
		names[count] = one->keyword;
		values[count++] = value;
	}
	names[count] = "fallback_application_name";
	values[count++] = "hilo";
	names[count] = "client_encoding";
	values[count++] = GetDatabaseEncodingName();
	names[count] = "options";
	values[count++] = psprintf("%s -c search_path=pg_catalog",
							   of_session == NULL ? "" : of_session);
	if (known != NULL)
		conn = PQconnectStartParams(names, values, 0);
	PQconninfoFree(known);
	return conn;
}

/*
 * Return an option of a list as libpq takes it: the last one that is not empty,
 * NULL if there is none.
 */
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
 * Register this server at the hub, and warn if another one has its node tag or
 * number.
 */
static void
register_at_hub(HubConnection *connection)
{
	ask(connection,
		psprintf(REQUIRE_HILO "SELECT hilo_internal.hilo_hub_register(" INT64_FORMAT ", %s, %d, %s)",
				 (int64) GetSystemIdentifier(),
				 quote_literal_cstr(hilo_node_tag), hilo_node_no,
				 quote_literal_cstr(GetConfigOption("cluster_name", true, false))));
	raise_error(connection);
	if (value_of(connection, 0) != NULL)
		ereport(WARNING,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("hub \"%s\" knows another server by the same mark",
						connection->hub),
				 errdetail_internal("%s", value_of(connection, 0)),
				 errhint("Give each server a hilo.node_tag and a hilo.node_no of its own. If the other one is gone for good, run hilo_node_forget on the hub.")));
}

/*
 * Run statements on the hub, unless the connection is lost, and keep the result
 * of the last one, or an error in place of it.
 */
static void
ask(HubConnection *connection, const char *statements)
{
	PGresult   *result;

	PQclear(connection->result);
	connection->result = NULL;
	if (!PQsendQuery(connection->conn, statements))
		return;
	while ((result = next_result(connection)) != NULL)
	{
		PQclear(connection->result);
		connection->result = result;
		/* libpq gives a COPY again and again */
		if (PQresultStatus(result) != PGRES_COMMAND_OK &&
			PQresultStatus(result) != PGRES_TUPLES_OK &&
			PQresultStatus(result) != PGRES_FATAL_ERROR)
			break;
	}
}

/* Return a value of the row that came, NULL if there is none. */
static const char *
value_of(HubConnection *connection, int column)
{
	if (PQgetisnull(connection->result, 0, column))
		return NULL;
	return copy_of_answer(PQgetvalue(connection->result, 0, column));
}

/* Return a value of the row that came, which must be a bigint. */
static int64
number_in_result(HubConnection *connection, int column)
{
	const char *value = value_of(connection, column);
	char	   *end = NULL;
	int64		number = 0;

	errno = 0;
	if (value != NULL)
		number = strtoi64(value, &end, 10);
	if (end == value || *end != '\0' || errno != 0)
		hub_refuse_answer(connection->hub, "It gave no number.");
	return number;
}

/* Wait for the next result, NULL after the last one. */
static PGresult *
next_result(HubConnection *connection)
{
	PGconn	   *conn = connection->conn;

	while (PQisBusy(conn))
	{
		if (await_socket(connection, WL_SOCKET_READABLE,
						 connection->deadline) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_CONNECTION_FAILURE),
					 errmsg("hub \"%s\" has not answered in time", connection->hub)));
		if (!PQconsumeInput(conn))
			break;
	}
	return PQgetResult(conn);
}

/* Wait for the socket; return what happened, 0 if the time is over. */
static int
await_socket(HubConnection *connection, int event, TimestampTz deadline)
{
	int			events = event | WL_LATCH_SET | WL_EXIT_ON_PM_DEATH;
	long		timeout = -1;
	int			happened;

	if (!TIMESTAMP_IS_NOEND(deadline))
	{
		timeout = TimestampDifferenceMilliseconds(GetCurrentTimestamp(),
												  deadline);
		if (timeout <= 0)
			return 0;
		events |= WL_TIMEOUT;
	}
	happened = WaitLatchOrSocket(MyLatch, events, PQsocket(connection->conn),
								 timeout, wait_event(WAIT_HUB));
	if (happened & WL_LATCH_SET)
	{
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	return happened;
}

/* Callback: drop a notice, which libpq would write to the server's log. */
static void
ignore_notice(void *arg, const PGresult *result)
{
}

/* Return a copy of what the hub says. */
static char *
copy_of_answer(const char *text)
{
	if (text == NULL || !pg_verifymbstr(text, strlen(text), true))
		return pstrdup("(no text)");
	return pchomp(text);
}

/*
 * Report an error if the connection is lost, or the hub has answered with one.
 */
static void
raise_error(HubConnection *connection)
{
	const PGresult *result = connection->result;
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
	const char *hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);

	if (PQstatus(connection->conn) == CONNECTION_BAD)
		ereport(ERROR,
				(errcode(ERRCODE_CONNECTION_FAILURE),
				 errmsg("lost the connection to hub \"%s\"", connection->hub),
				 errdetail_internal("%s", copy_of_answer(PQerrorMessage(connection->conn))),
				 errhint("Try again.")));
	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		return;
	/* the errors of REQUIRE_HILO: no schema, no table, or not a superuser's */
	if (state != NULL && (strcmp(state, "3F000") == 0 ||
						  strcmp(state, "42P01") == 0 || strcmp(state, "22012") == 0))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("extension \"%s\" is not installed on hub \"%s\"",
						"hilo", connection->hub),
				 errhint("Run CREATE EXTENSION hilo in the database that the foreign server names. If a schema hilo_internal is there, drop it first.")));
	ereport(ERROR,
			(errcode(own_state(state)),
			 errmsg_internal("%s", copy_of_answer(message)),
			 detail ? errdetail_internal("%s", copy_of_answer(detail)) : 0,
			 hint ? errhint("%s", copy_of_answer(hint)) : 0,
			 errcontext("hub \"%s\"", connection->hub)));
}

/*
 * Return the SQLSTATE for an error of the hub: those by which hilo refuses a
 * call are the caller's, too.  Any other is about the hub's transaction, and
 * would have an application retry its own, take it for read-only or look for a
 * table here.
 */
static int
own_state(const char *state)
{
	static const int of_calls[] = {
		ERRCODE_FEATURE_NOT_SUPPORTED,
		ERRCODE_INVALID_PARAMETER_VALUE,
		ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED,
		ERRCODE_INSUFFICIENT_PRIVILEGE,
		ERRCODE_UNDEFINED_OBJECT,
		ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE
	};

	for (int i = 0; state != NULL && i < (int) lengthof(of_calls); i++)
	{
		if (strcmp(state, unpack_sql_state(of_calls[i])) == 0)
			return of_calls[i];
	}
	return ERRCODE_CONNECTION_FAILURE;
}
