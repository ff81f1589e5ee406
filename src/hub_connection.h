/*-------------------------------------------------------------------------
 *
 * hub_connection.h
 *	  Connections of this session to hubs.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub_connection.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_HUB_CONNECTION_H
#define HILO_HUB_CONNECTION_H

#include "hub_link.h"

#define HUB_MAX_ARGUMENTS 7

/*
 * A call of a function of hilo on a hub.
 */
typedef struct HubCall
{
	const char *hub;			/* the name of the foreign server */
	Oid			owner;			/* as whose user mapping says; InvalidOid: PUBLIC's */
	const char *function;		/* with parameters, whose types say which one it
								 * is; all of its results are bigint */
	int			narguments;
	int			nresults;
	const char *arguments[HUB_MAX_ARGUMENTS];	/* as text; NULL is null */
	int			patience;		/* milliseconds to wait at most; 0: no limit */
} HubCall;

/*
 * The parameters of a call as it is written.  Without their types, a function of
 * the same name that somebody else has put beside ours could be a better match.
 */
#define HUB_TEXT(number) "$" #number "::pg_catalog.text"
#define HUB_INT8(number) "$" #number "::pg_catalog.int8"
#define HUB_INT4(number) "$" #number "::pg_catalog.int4"
#define HUB_BOOL(number) "$" #number "::pg_catalog.bool"

extern void hub_connection_call(const HubCall *call,
								int64 results[HUB_MAX_RESULTS]);
extern bool hub_connection_rests(const char *hub, Oid owner);

#endif							/* HILO_HUB_CONNECTION_H */
