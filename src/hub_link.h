/*-------------------------------------------------------------------------
 *
 * hub_link.h
 *	  One connection to a hub, by libpq.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub_link.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_HUB_LINK_H
#define HILO_HUB_LINK_H

#include "datatype/timestamp.h"

#include "hub_options.h"

#define HUB_MAX_RESULTS 2

typedef struct HubLink
{
	struct pg_conn *conn;		/* NULL: not connected */
	struct pg_result *result;	/* of its last statement, while it is read */
} HubLink;

/*
 * What the hub answered: values, or an error if that has an SQLSTATE.
 */
typedef struct HubReply
{
	bool		is_lost;		/* no answer, the connection is lost */
	int			sqlstate;
	char	   *message;
	char	   *detail;
	char	   *hint;
	char	   *values[HUB_MAX_RESULTS + 1];
} HubReply;

#define HubLinkIsOpen(link) ((link)->conn != NULL)

extern void hub_link_open(HubLink *link, const char *hub,
						  const HubOptions *options, TimestampTz deadline);
extern bool hub_link_used_password(const HubLink *link);
extern HubReply *hub_link_ask(HubLink *link, const char *statement,
							  int narguments, const char *const *arguments,
							  TimestampTz deadline);
extern void hub_link_close(HubLink *link);

#endif							/* HILO_HUB_LINK_H */
