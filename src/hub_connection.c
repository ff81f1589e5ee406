/*-------------------------------------------------------------------------
 *
 * hub_connection.c
 *	  Connections of this session to hubs.
 *
 * A hub is reached as a foreign server and a user mapping say, by one
 * connection a session and user mapping.  It is nobody's but this module's: a
 * named connection of dblink would be there for every role of the session.  The
 * mapping is that of the generator's owner, and for owners that are no
 * superusers the rule of postgres_fdw holds: they connect by a password of
 * their own, never as whoever runs this server.
 *
 * A call is one statement, which the hub commits before it answers.  No
 * transaction is open between calls, so a connection that is given up in the
 * middle of one leaves nothing behind but, maybe, a gap.  For the same reason a
 * call may be made once more where the connection turns out to be lost.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub_connection.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "catalog/pg_foreign_server.h"
#include "commands/defrem.h"
#include "foreign/foreign.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "hilo.h"
#include "hub_connection.h"
#include "trace_id.h"

/* after a failure, nothing that can wait is asked for so long */
#define REST_MS 10000

/* the first version whose functions for other servers are as called here */
#define HUB_VERSION "1.0.0"

typedef struct HubConnection
{
	Oid			mapping;		/* hash key */
	uint64		generation;		/* of the options, from before they were read */
	HubLink		link;
	TimestampTz rests_until;
} HubConnection;

static HTAB *connections;

/* changes whenever a foreign server or a user mapping may have changed */
static uint64 option_generation = 1;

static HubConnection *find_connection(const char *hub, Oid owner,
									  ForeignServer **server,
									  UserMapping **mapping);
static ForeignServer *find_server(const char *hub);
static UserMapping *find_mapping(const ForeignServer *server, Oid owner);
static void make_connections(void);
static void options_changed(Datum arg, int cacheid, uint32 hashvalue);
static void close_old_links(void);
static HubReply *call_function(HubConnection *connection, const HubCall *call,
							   TimestampTz deadline);
pg_noreturn static void raise_lost(const char *hub, const char *message);
static void raise_reply(const char *hub, const HubReply *reply);
static int64 result_of(const char *hub, const HubReply *reply, int number);
static void require_usage(const ForeignServer *server, Oid owner);
static bool may_share(const HubConnection *connection,
					  const ForeignServer *server,
					  const UserMapping *mapping, Oid owner);
static void establish(HubConnection *connection, const ForeignServer *server,
					  const UserMapping *mapping, Oid owner,
					  TimestampTz deadline);
static bool may_have_identity(const ForeignServer *server,
							  const UserMapping *mapping, Oid owner);
pg_noreturn static void refuse_identity(const ForeignServer *server,
										const char *detail);
static void introduce(HubConnection *connection, const ForeignServer *server,
					  TimestampTz deadline);
static void require_version(HubConnection *connection,
							const ForeignServer *server,
							TimestampTz deadline);
static bool version_is_older(const char *version, const char *than);
static void register_node(HubConnection *connection,
						  const ForeignServer *server, TimestampTz deadline);

/*
 * Calls a function on a hub.  It is done, and committed there, when this comes
 * back; an error of the hub is raised here, and what keeps the hub from
 * answering as one of class 08.
 *
 * Waits for the hub, which can be cancelled.
 */
void
hub_connection_call(const HubCall *call, int64 results[HUB_MAX_RESULTS])
{
	ForeignServer *server;
	UserMapping *mapping;
	HubConnection *connection = find_connection(call->hub, call->owner,
												&server, &mapping);
	TimestampTz deadline = call->patience == 0 ? DT_NOEND :
		TimestampTzPlusMilliseconds(GetCurrentTimestamp(), call->patience);
	HubReply   *volatile reply = NULL;

	require_usage(server, call->owner);
	if (!may_share(connection, server, mapping, call->owner))
		hub_link_close(&connection->link);
	PG_TRY();
	{
		if (HubLinkIsOpen(&connection->link))
			reply = call_function(connection, call, deadline);
		if (reply == NULL || reply->is_lost)
		{
			hub_link_close(&connection->link);
			establish(connection, server, mapping, call->owner, deadline);
			reply = call_function(connection, call, deadline);
		}
		if (reply->is_lost)
			raise_lost(call->hub, reply->message);
		/* one that is cancelled there is no answer */
		if (reply->sqlstate == ERRCODE_QUERY_CANCELED)
			raise_reply(call->hub, reply);
	}
	PG_CATCH();
	{
		hub_link_close(&connection->link);
		connection->rests_until =
			TimestampTzPlusMilliseconds(GetCurrentTimestamp(), REST_MS);
		PG_RE_THROW();
	}
	PG_END_TRY();

	/* by then another host may take what this one refuses */
	if (ERRCODE_TO_CATEGORY(reply->sqlstate) == ERRCODE_INVALID_TRANSACTION_STATE)
		hub_link_close(&connection->link);
	connection->rests_until = 0;
	raise_reply(call->hub, reply);
	for (int i = 0; i < call->nresults; i++)
		results[i] = result_of(call->hub, reply, i);
}

/*
 * Says whether a hub has failed so lately that nothing should be asked of it
 * that can wait.
 */
bool
hub_connection_rests(const char *hub, Oid owner)
{
	ForeignServer *server;
	UserMapping *mapping;
	HubConnection *connection = find_connection(hub, owner, &server, &mapping);

	return connection->rests_until > GetCurrentTimestamp();
}

/*
 * Gives what this session knows of the user mapping by which a role reaches a
 * hub, and the options as they are now.  It stays where it is, with no link and
 * no rest if the options may have changed.
 */
static HubConnection *
find_connection(const char *hub, Oid owner, ForeignServer **server,
				UserMapping **mapping)
{
	HubConnection *connection;
	uint64		generation;
	bool		found;

	if (connections == NULL)
		make_connections();
	/* a change from here on may not be in what is read */
	generation = option_generation;
	*server = find_server(hub);
	*mapping = find_mapping(*server, owner);
	connection = hash_search(connections, &(*mapping)->umid, HASH_ENTER, &found);
	if (!found)
		memset((char *) connection + sizeof(Oid), 0,
			   sizeof(*connection) - sizeof(Oid));
	if (connection->generation != generation)
	{
		close_old_links();
		connection->rests_until = 0;
		connection->generation = generation;
	}
	return connection;
}

static ForeignServer *
find_server(const char *hub)
{
	ForeignServer *server = GetForeignServerByName(hub, true);

	if (server == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("hub \"%s\" does not exist", hub),
				 errdetail("There is no foreign server of that name."),
				 errhint("Create it with CREATE SERVER, or give the generator another hub with hilo_alter.")));
	return server;
}

/*
 * Gives the user mapping of a role, or else that of PUBLIC; the latter without
 * an owner.
 */
static UserMapping *
find_mapping(const ForeignServer *server, Oid owner)
{
	if (!SearchSysCacheExists2(USERMAPPINGUSERSERVER, ObjectIdGetDatum(owner),
							   ObjectIdGetDatum(server->serverid)) &&
		!SearchSysCacheExists2(USERMAPPINGUSERSERVER,
							   ObjectIdGetDatum(InvalidOid),
							   ObjectIdGetDatum(server->serverid)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 OidIsValid(owner) ?
				 errmsg("role \"%s\" has no user mapping for hub \"%s\"",
						GetUserNameFromId(owner, false), server->servername) :
				 errmsg("generator has no owner and hub \"%s\" no user mapping for PUBLIC",
						server->servername),
				 errdetail("A generator reaches its hub as the user mapping of its owner says, or that of PUBLIC."),
				 errhint("Create one with CREATE USER MAPPING.")));
	return GetUserMapping(owner, server->serverid);
}

static void
make_connections(void)
{
	HASHCTL		ctl = {
		.keysize = sizeof(Oid),
		.entrysize = sizeof(HubConnection),
		.hcxt = TopMemoryContext,
	};

	connections = hash_create("hilo hub connections", 8, &ctl,
							  HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	CacheRegisterSyscacheCallback(FOREIGNSERVEROID, options_changed, (Datum) 0);
	CacheRegisterSyscacheCallback(USERMAPPINGOID, options_changed, (Datum) 0);
}

/*
 * Callback: a foreign server or a user mapping changed.
 */
static void
options_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	option_generation++;
}

/*
 * Closes the links that were opened by options that may have changed.  That of
 * a user mapping which was dropped would else stay to the end of the session.
 */
static void
close_old_links(void)
{
	HASH_SEQ_STATUS status;
	HubConnection *connection;

	hash_seq_init(&status, connections);
	while ((connection = hash_seq_search(&status)) != NULL)
	{
		if (connection->generation != option_generation)
			hub_link_close(&connection->link);
	}
}

/*
 * Makes a call on a connection that stands.
 */
static HubReply *
call_function(HubConnection *connection, const HubCall *call,
			  TimestampTz deadline)
{
	StringInfoData statement;

	initStringInfo(&statement);
	appendStringInfo(&statement, "SELECT * FROM hilo_internal.%s",
					 call->function);
	return hub_link_ask(&connection->link, statement.data, call->narguments,
						call->arguments, deadline);
}

/*
 * Raises the error for a connection that is lost, and was just made anew.
 */
static void
raise_lost(const char *hub, const char *message)
{
	ereport(ERROR,
			(errcode(ERRCODE_CONNECTION_FAILURE),
			 errmsg("lost the connection to hub \"%s\"", hub),
			 errdetail_internal("%s", message),
			 errhint("Ids that were under way are a gap; try again.")));
}

/*
 * Raises the error of a reply, if it is one.  A statement that was cancelled on
 * the hub is not the one that runs here.
 */
static void
raise_reply(const char *hub, const HubReply *reply)
{
	if (reply->sqlstate != 0)
		ereport(ERROR,
				(errcode(reply->sqlstate == ERRCODE_QUERY_CANCELED ?
						 ERRCODE_CONNECTION_FAILURE : reply->sqlstate),
				 errmsg_internal("%s", reply->message),
				 reply->detail ? errdetail_internal("%s", reply->detail) : 0,
				 reply->hint ? errhint("%s", reply->hint) : 0,
				 errcontext("hub \"%s\"", hub)));
}

/*
 * Gives one of the numbers in a reply, or raises an error if there is none.
 */
static int64
result_of(const char *hub, const HubReply *reply, int number)
{
	if (reply->values[number] == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_PROTOCOL_VIOLATION),
				 errmsg("hub \"%s\" has given no number", hub),
				 errhint("Look whether hilo on the hub is as it was installed.")));
	return pg_strtoint64(reply->values[number]);
}

/*
 * Connects to the hub and makes this server known there, or raises an error.
 */
static void
establish(HubConnection *connection, const ForeignServer *server,
		  const UserMapping *mapping, Oid owner, TimestampTz deadline)
{
	HubOptions	options = hub_options(server, mapping);
	bool		as_server = may_have_identity(server, mapping, owner);

	if (!as_server && hub_options_get(&options, "password") == NULL)
		refuse_identity(server, "The user mapping of a role that is no superuser must have a password.");
	hub_link_open(&connection->link, server->servername, &options, deadline);
	if (!as_server && !hub_link_used_password(&connection->link))
		refuse_identity(server, "The hub has not asked for the password.");
	introduce(connection, server, deadline);
}

/*
 * Raises an error unless the owner may use the foreign server.
 */
static void
require_usage(const ForeignServer *server, Oid owner)
{
	if (OidIsValid(owner) &&
		ForeignServerUsage(server->serverid, owner) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_FOREIGN_SERVER,
					   server->servername);
}

/*
 * Says whether the owner may use a connection that stands: that of a mapping for
 * PUBLIC may have been made for another owner, who needed no password.
 */
static bool
may_share(const HubConnection *connection, const ForeignServer *server,
		  const UserMapping *mapping, Oid owner)
{
	return HubLinkIsOpen(&connection->link) &&
		(hub_link_used_password(&connection->link) ||
		 may_have_identity(server, mapping, owner));
}

/*
 * Says whether the owner may reach the hub without a password, as this server's
 * operating system user, say.  As postgres_fdw has it: superusers may, and those
 * for whom one of them has made a mapping with password_required off, an option
 * that only postgres_fdw keeps from others.
 */
static bool
may_have_identity(const ForeignServer *server, const UserMapping *mapping,
				  Oid owner)
{
	ForeignDataWrapper *wrapper = GetForeignDataWrapper(server->fdwid);
	ListCell   *cell;

	if (OidIsValid(owner) && superuser_arg(owner))
		return true;
	foreach(cell, mapping->options)
	{
		DefElem    *option = lfirst(cell);

		if (strcmp(option->defname, "password_required") == 0 &&
			strcmp(wrapper->fdwname, "postgres_fdw") == 0)
			return !defGetBoolean(option);
	}
	return false;
}

/*
 * Raises the error for an owner who would connect as this server does.
 */
static void
refuse_identity(const ForeignServer *server, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_S_R_E_PROHIBITED_SQL_STATEMENT_ATTEMPTED),
			 errmsg("password is required for hub \"%s\"", server->servername),
			 errdetail_internal("%s", detail),
			 errhint("Have the hub ask for a password, or a superuser own the generator.")));
}

/*
 * Learns of the hub what there is to know of it, and tells it of this server.
 */
static void
introduce(HubConnection *connection, const ForeignServer *server,
		  TimestampTz deadline)
{
	require_version(connection, server, deadline);
	register_node(connection, server, deadline);
}

/*
 * Finds hilo on the hub, or raises an error if it is not there or older than
 * what this one needs.
 */
static void
require_version(HubConnection *connection, const ForeignServer *server,
				TimestampTz deadline)
{
	HubReply   *reply = hub_link_ask(&connection->link,
									 "SELECT e.extversion FROM pg_catalog.pg_extension e"
									 " WHERE e.extname OPERATOR(pg_catalog.=) 'hilo'",
									 0, NULL, deadline);

	if (reply->is_lost)
		raise_lost(server->servername, reply->message);
	raise_reply(server->servername, reply);
	if (reply->values[0] == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("extension \"%s\" is not installed on hub \"%s\"",
						"hilo", server->servername),
				 errhint("Run CREATE EXTENSION hilo in the database that the foreign server names.")));
	if (version_is_older(reply->values[0], HUB_VERSION))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("hub \"%s\" has version %s of extension \"%s\"",
						server->servername, reply->values[0], "hilo"),
				 errdetail("A hub has version %s or a later one.", HUB_VERSION),
				 errhint("Update the hub before the servers that use it.")));
}

/*
 * Compares versions, numbers with points between them.
 */
static bool
version_is_older(const char *version, const char *than)
{
	while (*version != '\0' || *than != '\0')
	{
		char	   *end;
		char	   *than_end;
		long		number = strtol(version, &end, 10);
		long		than_number = strtol(than, &than_end, 10);

		if (number != than_number)
			return number < than_number;
		if (end == version && than_end == than)
			break;
		version = *end == '.' ? end + 1 : end;
		than = *than_end == '.' ? than_end + 1 : than_end;
	}
	return false;
}

/*
 * Has the hub note this server, and warns if another one has its node tag or its
 * number.  A hub that cannot note it serves it all the same.
 */
static void
register_node(HubConnection *connection, const ForeignServer *server,
			  TimestampTz deadline)
{
	const char *arguments[] = {
		psprintf(INT64_FORMAT, (int64) GetSystemIdentifier()),
		hilo_node_tag,
		psprintf("%d", trace_node_no),
		GetConfigOption("cluster_name", true, false),
	};
	HubReply   *reply = hub_link_ask(&connection->link,
									 "SELECT hilo_internal.hilo_hub_register(" HUB_INT8(1) ", " HUB_TEXT(2)
									 ", " HUB_INT4(3) ", " HUB_TEXT(4) ")",
									 lengthof(arguments), arguments, deadline);

	if (reply->is_lost)
		raise_lost(server->servername, reply->message);
	if (reply->sqlstate != 0)
		ereport(WARNING,
				(errcode(reply->sqlstate),
				 errmsg("hub \"%s\" could not register this server",
						server->servername),
				 errdetail_internal("%s", reply->message),
				 errhint("Whether another server has the same hilo.node_tag or hilo.node_no remains unknown. GRANT EXECUTE ON FUNCTION hilo_internal.hilo_hub_register there gives a role the right.")));
	else if (reply->values[0] != NULL)
		ereport(WARNING,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("another server is known to hub \"%s\" by the same mark",
						server->servername),
				 errdetail_internal("%s", reply->values[0]),
				 errhint("Give each server a hilo.node_tag and a hilo.node_no of its own. If the other one is gone for good, run hilo_node_forget on the hub.")));
}
