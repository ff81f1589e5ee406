/*-------------------------------------------------------------------------
 *
 * hub_options.h
 *	  What libpq is told to reach a hub.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub_options.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_HUB_OPTIONS_H
#define HILO_HUB_OPTIONS_H

#include "foreign/foreign.h"

/*
 * Options for libpq, in step.
 */
typedef struct HubOptions
{
	const char **keywords;
	const char **values;
	int			count;
} HubOptions;

extern HubOptions hub_options(const ForeignServer *server,
							  const UserMapping *mapping);
extern const char *hub_options_get(const HubOptions *options,
								   const char *keyword);
extern bool hub_options_of_host(const HubOptions *all, int number,
								HubOptions *one);

#endif							/* HILO_HUB_OPTIONS_H */
