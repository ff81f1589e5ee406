/*-------------------------------------------------------------------------
 *
 * hub_service.c
 *	  What a hub does for other servers.
 *
 * They call these functions, each in a transaction of its own.  A generator that
 * has a hub itself is refused to them: servers that are each other's hub, or
 * their own, would wait for each other.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub_service.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "call_entry.h"
#include "decimal_id.h"
#include "definition.h"
#include "generator.h"
#include "hub.h"
#include "identity.h"
#include "privilege.h"
#include "range_protocol.h"
#include "seed.h"
#include "shared_counter.h"

PG_FUNCTION_INFO_V1(hilo_hub_take);
PG_FUNCTION_INFO_V1(hilo_hub_last);
PG_FUNCTION_INFO_V1(hilo_hub_seed);
PG_FUNCTION_INFO_V1(hilo_hub_launch);
PG_FUNCTION_INFO_V1(hilo_hub_generator_id);

/* in place of the percentage in the last warning; more than any */
#define WARNED_ELSEWHERE 101

static void refuse_hub(text *written, const Definition *definition);
static void require_ordering(const SessionEntry *entry, Ordering wanted);
static Range take_range(SessionEntry *entry, FunctionCallInfo fcinfo);
static void refuse_decimal_hub(void);

/*
 * hilo_hub_take(name, ordering, size, is_exact, whole_block, last_max,
 * max_value): a range for another server, whose generator has that ordering and
 * that max_value.  No id of it lies above that, as the server could not use it.
 */
Datum
hilo_hub_take(PG_FUNCTION_ARGS)
{
	Ordering	wanted = definition_ordering(text_to_cstring(PG_GETARG_TEXT_PP(1)));
	SessionEntry *entry = range_entry(PG_GETARG_TEXT_PP(0), "hilo_hub_take()");
	Range		range;
	Datum		values[2];
	bool		nulls[2] = {0};

	refuse_hub(entry->written, &entry->definition);
	require_ordering(entry, wanted);
	/* where the end of the other server comes first, it warns of that itself */
	if (PG_GETARG_INT64(6) <= entry->definition.max_value)
		entry->warned = WARNED_ELSEWHERE;
	else if (entry->warned == WARNED_ELSEWHERE)
		entry->warned = 0;
	if (wanted == ORDERING_GLOBAL)
	{
		definition_check_size(&entry->definition, PG_GETARG_INT64(2), "count");
		range = shared_next_block(entry, PG_GETARG_INT64(2), PG_GETARG_INT64(6),
								  "hilo_hub_take()");
	}
	else
		range = take_range(entry, fcinfo);
	values[0] = Int64GetDatum(range.low);
	values[1] = Int64GetDatum(range.high);
	PG_RETURN_DATUM(call_row(fcinfo, values, nulls));
}

/*
 * hilo_hub_last(name): the last id that anybody got, 0 before the first.
 */
Datum
hilo_hub_last(PG_FUNCTION_ARGS)
{
	text	   *written = PG_GETARG_TEXT_PP(0);
	text	   *name = definition_name(written);
	Definition	definition;
	int64		last;

	if (!definition_find(name, &definition, NULL))
		PG_RETURN_INT64(0);
	privilege_require_use(name, written, definition.is_public);
	refuse_hub(written, &definition);
	last = definition.ordering == ORDERING_GLOBAL ?
		identity_last(name, &definition) : generator_last(name, &definition);
	PG_RETURN_INT64(last < definition.first ? 0 : last);
}

/*
 * hilo_hub_seed(name, value): raises a generator, and gives the result.
 */
Datum
hilo_hub_seed(PG_FUNCTION_ARGS)
{
	text	   *written = PG_GETARG_TEXT_PP(0);
	int64		value = PG_GETARG_INT64(1);
	Definition	definition;

	catalog_require_writable("hilo_hub_seed()");
	if (definition_find(definition_name(written), &definition, NULL))
	{
		privilege_require_owner(definition_name(written), written);
		refuse_hub(written, &definition);
	}
	PG_RETURN_INT64(seed_generator(written, &value, SEED_RAISE));
}

/*
 * hilo_hub_launch(note): the next launch_id.
 */
Datum
hilo_hub_launch(PG_FUNCTION_ARGS)
{
	refuse_decimal_hub();
	PG_RETURN_INT64(launch_next(PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0),
								"hilo_hub_launch()"));
}

/*
 * hilo_hub_generator_id(launch_id, at_least): the next generator_id of a launch.
 */
Datum
hilo_hub_generator_id(PG_FUNCTION_ARGS)
{
	refuse_decimal_hub();
	catalog_require_writable("hilo_hub_generator_id()");
	PG_RETURN_INT64(decimal_next_generator_id(PG_GETARG_INT32(0),
											  PG_GETARG_INT64(1)));
}

/*
 * Report an error if a generator has a hub.
 */
static void
refuse_hub(text *written, const Definition *definition)
{
	if (DefinitionHasHub(definition))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("generator \"%s\" takes its own ids from hub \"%s\"",
						text_to_cstring(written), NameStr(definition->hub)),
				 errdetail("The generator that others take ids from has no hub, not even by way of others."),
				 errhint("Give the servers a hub whose generator has none.")));
}

/*
 * Report an error unless a generator can serve one of that ordering.
 */
static void
require_ordering(const SessionEntry *entry, Ordering wanted)
{
	if (wanted == ORDERING_GLOBAL &&
		entry->definition.ordering != ORDERING_GLOBAL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("ordering of generator \"%s\" on the hub is \"%s\" and not \"%s\"",
						text_to_cstring(entry->written),
						definition_ordering_name(entry->definition.ordering),
						definition_ordering_name(wanted)),
				 errhint("Run hilo_alter(..., ordering => 'global') on the hub.")));
}

/*
 * Take a range for the sessions of another server, or a client's of its.  For
 * sessions it may be smaller.
 */
static Range
take_range(SessionEntry *entry, FunctionCallInfo fcinfo)
{
	int64		size = PG_GETARG_INT64(2);
	bool		is_exact = PG_GETARG_BOOL(3);
	bool		whole_block = PG_GETARG_BOOL(4);
	StoreRequest request = {
		.name = entry->name,
		.incarnation = entry->incarnation,
		.max_value = Min(entry->definition.max_value, PG_GETARG_INT64(6)),
		.size = Min(size, entry->definition.max_range_size),
		.whole_block = whole_block,
		.is_exact = is_exact,
		.wait = true,
		.own = EMPTY_RANGE,
		.last_max = range_last_max(entry, PG_GETARG_INT64(5)),
	};
	StoreRange	taken;

	if (whole_block)
		range_require_hi(entry);
	definition_check_size(&entry->definition,
						  is_exact || whole_block ? size : request.size,
						  whole_block ? "max_lo" : "size");
	/* the source of an ORM gives whole blocks */
	range_take(entry, &request, &taken);
	return range_split(&taken.range, request.size);
}

/*
 * Report an error if decimal ids have a hub here, too.
 */
static void
refuse_decimal_hub(void)
{
	if (*hub_for_decimal_ids != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("hilo.hub is set on the hub, too"),
				 errhint("Set it on the servers that use the hub, and not there.")));
}
