/*-------------------------------------------------------------------------
 *
 * hub_options.c
 *	  What libpq is told to reach a hub.
 *
 * The options of a foreign server and a user mapping, which may have others that
 * are not for libpq.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub_options.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "libpq-fe.h"
#include "mb/pg_wchar.h"
#include "nodes/parsenodes.h"
#include "nodes/value.h"

#include "hub_options.h"

static bool is_for_libpq(const PQconninfoOption *known, const char *keyword);
static void set(HubOptions *options, const char *keyword, const char *value);
static char *element_of(const char *list, int number);

/*
 * Gives the options of the server and the mapping that are for libpq.
 */
HubOptions
hub_options(const ForeignServer *server, const UserMapping *mapping)
{
	List	   *given = list_concat_copy(server->options, mapping->options);
	/* two of ours, and the end */
	int			room = list_length(given) + 3;
	HubOptions	options = {
		.keywords = palloc0(room * sizeof(char *)),
		.values = palloc0(room * sizeof(char *)),
	};
	PQconninfoOption *known = PQconndefaults();
	ListCell   *cell;

	if (known == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory")));
	foreach(cell, given)
	{
		DefElem    *option = lfirst(cell);

		if (is_for_libpq(known, option->defname))
			set(&options, option->defname, strVal(option->arg));
	}
	PQconninfoFree(known);
	set(&options, "fallback_application_name", "hilo");
	set(&options, "client_encoding", GetDatabaseEncodingName());
	return options;
}

/*
 * Gives a parameter, NULL if it is not set or empty.
 */
const char *
hub_options_get(const HubOptions *options, const char *keyword)
{
	for (int i = 0; i < options->count; i++)
	{
		const char *value = options->values[i];

		if (strcmp(options->keywords[i], keyword) == 0)
			return value == NULL || *value == '\0' ? NULL : value;
	}
	return NULL;
}

/*
 * Gives the options for one of the hosts, counted from 0; false if there are not
 * so many.
 */
bool
hub_options_of_host(const HubOptions *all, int number, HubOptions *one)
{
	const char *hosts = hub_options_get(all, "host");
	const char *addresses = hub_options_get(all, "hostaddr");
	const char *ports = hub_options_get(all, "port");
	const char *list = addresses != NULL ? addresses : hosts;

	if (list == NULL ? number > 0 : element_of(list, number) == NULL)
		return false;
	one->count = all->count;
	one->keywords = palloc0((all->count + 1) * sizeof(char *));
	one->values = palloc0((all->count + 1) * sizeof(char *));
	memcpy(one->keywords, all->keywords, all->count * sizeof(char *));
	memcpy(one->values, all->values, all->count * sizeof(char *));
	if (hosts != NULL)
		set(one, "host", element_of(hosts, number));
	if (addresses != NULL)
		set(one, "hostaddr", element_of(addresses, number));
	if (ports != NULL && strchr(ports, ',') != NULL)
		set(one, "port", element_of(ports, number));
	return true;
}

/*
 * Says whether an option is one of libpq's that may be set: none that is for
 * debugging, as those could write files.
 */
static bool
is_for_libpq(const PQconninfoOption *known, const char *keyword)
{
	if (strcmp(keyword, "client_encoding") == 0 ||
		strcmp(keyword, "fallback_application_name") == 0)
		return false;
	for (; known->keyword != NULL; known++)
	{
		if (strcmp(keyword, known->keyword) == 0)
			return strchr(known->dispchar, 'D') == NULL;
	}
	return false;
}

/*
 * Sets a parameter, in place of what it was.  There is room.
 */
static void
set(HubOptions *options, const char *keyword, const char *value)
{
	int			i = 0;

	while (i < options->count &&
		   strcmp(options->keywords[i], keyword) != 0)
		i++;
	options->keywords[i] = keyword;
	options->values[i] = value;
	options->count = Max(options->count, i + 1);
}

/*
 * Gives an element of a list with commas, counted from 0; NULL if it has not so
 * many.
 */
static char *
element_of(const char *list, int number)
{
	const char *end;

	for (; number > 0; number--)
	{
		list = strchr(list, ',');
		if (list == NULL)
			return NULL;
		list++;
	}
	end = strchr(list, ',');
	return end == NULL ? pstrdup(list) : pnstrdup(list, end - list);
}
