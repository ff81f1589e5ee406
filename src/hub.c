/*-------------------------------------------------------------------------
 *
 * hub.c
 *	  Generators whose ids come from a generator on another server.
 *
 * The one on the hub has the same name.  Where the order is that of sessions,
 * the server takes ranges from it into a stock (stock.c), of which sessions take
 * theirs; where it is global, each id comes from the hub.  Either way the hub
 * has them on disk before it answers, out of reach of every rollback, and an
 * answer that is lost is a gap.
 *
 * The ids of one hub only rise.  So a range asked for after "last" was read lies
 * above it, or the hub has been set back and its ids may be in use.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "catalog/pg_foreign_server.h"
#include "common/int.h"
#include "foreign/foreign.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "attempt.h"
#include "compat.h"
#include "decimal_id.h"
#include "delay.h"
#include "hub.h"
#include "hub_connection.h"
#include "lock.h"
#include "privilege.h"
#include "stock.h"
#include "tally.h"

/* a range for the stock is that of so many sessions */
#define SESSIONS_IN_STOCK 4

/* with fewer left, the stock is filled ahead of need */
#define SESSIONS_LEFT 2

/* how long a session waits for the hub ahead of need, in milliseconds */
#define PATIENCE 500

/*
 * What fill_ahead is about.
 */
typedef struct Filling
{
	const Definition *definition;
	const StoreRequest *request;
} Filling;

char	   *hub_for_decimal_ids;

static StoreResult take_from_stock(const Definition *definition,
								   const StoreRequest *request,
								   StoreRange *taken);
static StoreResult take_ahead(const Definition *definition,
							  const StoreRequest *request,
							  StoreRange *taken);
static void fill_ahead(const Definition *definition,
					   const StoreRequest *request);
static void try_to_fill(void *arg);
static StoreResult fill(const Definition *definition,
						const StoreRequest *request, int patience);
static StoreResult take_for_client(const Definition *definition,
								   const StoreRequest *request,
								   StoreRange *taken);
pg_noreturn static void refuse_block(const Definition *definition,
									 const StoreRequest *request);
static Range ask_for_range(const Definition *definition,
						   const StoreRequest *request, int patience,
						   int64 *epoch);
static void refuse_if_behind(text *name, const Definition *definition,
							 Range range, int64 last);
static void refuse_other_size(const Definition *definition,
							  const StoreRequest *request, Range range);
static HubCall call_of(text *name, const Definition *definition,
					   const char *function);
static Oid	owner_of(text *name);
static const char *number(int64 value);
static int32 ask_for_decimal(const char *function, const char *argument1,
							 const char *argument2, int64 low, int64 high);

/*
 * Raises an error unless there is a foreign server of that name which the
 * current role may use.
 */
void
hub_require_server(const char *hub)
{
	ForeignServer *server = GetForeignServerByName(hub, false);
	AclResult	result = ForeignServerUsage(server->serverid, GetUserId());

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FOREIGN_SERVER, hub);
}

/*
 * Takes a range as store_take does from hilo_hi.  Without wait, it may ask the
 * hub ahead of need, and then waits for it a little.
 */
StoreResult
hub_take(const Definition *definition, const StoreRequest *request,
		 StoreRange *taken)
{
	if (request->whole_block && definition->ordering == ORDERING_GLOBAL)
		refuse_block(definition, request);
	if (request->whole_block || OidIsValid(request->role))
		return take_for_client(definition, request, taken);
	if (!request->wait)
		return take_ahead(definition, request, taken);
	return take_from_stock(definition, request, taken);
}

/*
 * Gives the next ids of a generator whose order is global, count of them in a
 * row, above all that any server was given before.
 *
 * What "last" says of them is not flushed: it is there to find a hub out that
 * was set back, and they are on disk there.
 */
Range
hub_next_block(SessionEntry *entry, int64 count)
{
	StoreRequest request = {
		.name = entry->name,
		.incarnation = entry->incarnation,
		.max_value = entry->definition.max_value,
		.size = count,
		.is_exact = true,
		.wait = true,
		.own = EMPTY_RANGE,
	};
	StoreRange	taken = {0};

	session_require_taken(entry, take_for_client(&entry->definition, &request,
												 &taken),
						  request.max_value);
	if (RangeLength(taken.range) < count)
		session_exhausted(entry, request.max_value);
	entry->current = taken.range.high;
	strlcpy(entry->node_tag, hilo_node_tag, sizeof(entry->node_tag));
	tally(entry->incarnation, TALLY_HANDED_OUT, RangeLength(taken.range));
	session_warn_of_end(entry, taken.range.high);
	return taken.range;
}

/*
 * Gives the last id that anybody got, of whichever server.
 */
int64
hub_last(text *name, const Definition *definition)
{
	HubCall		call = call_of(name, definition,
							   "hilo_hub_last(" HUB_TEXT(1) ")");
	int64		results[HUB_MAX_RESULTS];

	call.narguments = 1;
	hub_connection_call(&call, results);
	return results[0];
}

/*
 * Raises the generator on the hub to value, and has this server go on above it;
 * gives the resulting last id of the hub.
 */
int64
hub_seed(text *name, const Definition *definition, int64 value, SeedKind kind)
{
	HubCall		call = call_of(name, definition,
							   "hilo_hub_seed(" HUB_TEXT(1) ", " HUB_INT8(2) ")");
	int64		results[HUB_MAX_RESULTS];

	call.narguments = 2;
	call.arguments[1] = number(value);
	hub_connection_call(&call, results);
	stock_pass(name, value, kind);
	return results[0];
}

/*
 * Takes the next launch_id from the hub for decimal ids, where it is logged.
 */
int32
hub_launch(text *note)
{
	return ask_for_decimal("hilo_hub_launch(" HUB_TEXT(1) ")",
						   note == NULL ? NULL : text_to_cstring(note), NULL,
						   1, LAUNCH_MAX);
}

/*
 * Takes the next generator_id of a launch from the hub for decimal ids, at least
 * so much.
 */
int32
hub_generator_id(int launch_id, int64 at_least)
{
	return ask_for_decimal("hilo_hub_generator_id(" HUB_INT4(1) ", " HUB_INT8(2) ")",
						   number(launch_id), number(at_least),
						   at_least, GENERATOR_MAX);
}

/*
 * Takes a session's range from the stock, which is filled if it is empty.
 */
static StoreResult
take_from_stock(const Definition *definition, const StoreRequest *request,
				StoreRange *taken)
{
	Stock		left;
	StoreResult result = stock_take(request, taken, &left);

	if (result != STORE_EXHAUSTED)
		return result;

	/* the others wait for the one who asks the hub */
	lock_source(request->incarnation);
	while ((result = stock_take(request, taken, &left)) == STORE_EXHAUSTED)
	{
		result = fill(definition, request, 0);
		if (result != STORE_OK)
			break;
	}
	unlock_source(request->incarnation);
	return result;
}

/*
 * Takes a session's next range from the stock, ahead of need, and fills it if
 * little is left.
 */
static StoreResult
take_ahead(const Definition *definition, const StoreRequest *request,
		   StoreRange *taken)
{
	Stock		left;
	StoreResult result = stock_take(request, taken, &left);

	if (result == STORE_EXHAUSTED)
	{
		fill_ahead(definition, request);
		return stock_take(request, taken, &left);
	}
	if (result == STORE_OK && left.has_room &&
		left.ids / SESSIONS_LEFT < request->size)
		fill_ahead(definition, request);
	return result;
}

/*
 * Fills the stock if the hub answers soon and nobody else is at it.  That it
 * does not is no error here: there are ids still.
 */
static void
fill_ahead(const Definition *definition, const StoreRequest *request)
{
	Filling		filling = {definition, request};
	ErrorData  *error;

	if (!lock_source_without_wait(request->incarnation))
		return;
	error = attempt(try_to_fill, &filling);
	unlock_source(request->incarnation);
	if (error != NULL)
		ereport(LOG,
				(errmsg("could not take ids for generator \"%s\" from hub \"%s\" ahead of need: %s",
						text_to_cstring(request->name),
						NameStr(definition->hub), error->message),
				 error->detail ? errdetail_internal("%s", error->detail) : 0));
}

/*
 * Callback of attempt.
 */
static void
try_to_fill(void *arg)
{
	Filling    *filling = arg;

	if (!hub_connection_rests(NameStr(filling->definition->hub),
							  owner_of(filling->request->name)))
		(void) fill(filling->definition, filling->request, PATIENCE);
}

/*
 * Takes a range from the hub into the stock.  The caller holds the lock of the
 * generator's source.
 */
static StoreResult
fill(const Definition *definition, const StoreRequest *request, int patience)
{
	StoreRequest all = *request;
	int64		epoch;
	Range		range;

	/* once the range is there, a moment for the row is worth it */
	all.wait = true;
	if (pg_mul_s64_overflow(request->size, SESSIONS_IN_STOCK, &all.size))
		all.size = request->size;
	range = ask_for_range(definition, &all, patience, &epoch);
	if (RangeIsEmpty(range_clip(range, request->max_value)))
		return STORE_EXHAUSTED;
	return stock_add(&all, range, epoch);
}

/*
 * Raises the error of a hi that would have to be both the next of all servers'
 * ids and at a multiple of its size.
 */
static void
refuse_block(const Definition *definition, const StoreRequest *request)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("generator \"%s\" has no hi", text_to_cstring(request->name)),
			 errdetail("Its ids come in one order from hub \"%s\".",
					   NameStr(definition->hub)),
			 errhint("Call hilo_next_range.")));
}

/*
 * Takes a range from the hub that does not go through the stock.  One that was
 * on its way when the generator was seeded is lost.
 */
static StoreResult
take_for_client(const Definition *definition, const StoreRequest *request,
				StoreRange *taken)
{
	StoreResult result;
	int64		epoch;

	do
	{
		Range		range = range_clip(ask_for_range(definition, request, 0,
													 &epoch),
									   request->max_value);

		if (RangeIsEmpty(range) ||
			(request->whole_block && RangeLength(range) < request->size))
			return STORE_EXHAUSTED;
		result = store_receive(request, range, taken);
	} while (result == STORE_OK && taken->epoch != epoch);
	return result;
}

/*
 * Asks the hub for a range, unless this server's own ids have ended; sets the
 * epoch that the generator had before.
 */
static Range
ask_for_range(const Definition *definition, const StoreRequest *request,
			  int patience, int64 *epoch)
{
	HubCall		call = call_of(request->name, definition,
							   "hilo_hub_take(" HUB_TEXT(1) ", " HUB_TEXT(2) ", " HUB_INT8(3)
							   ", " HUB_BOOL(4) ", " HUB_BOOL(5) ", " HUB_INT8(6)
							   ", " HUB_INT8(7) ")");
	int64		results[HUB_MAX_RESULTS];
	FormData_hilo_hi hi = {0};
	Range		range;

	(void) store_read(request->name, &hi);
	*epoch = hi.epoch;
	if (hi.last >= request->max_value)
		return EMPTY_RANGE;

	call.narguments = 7;
	call.nresults = 2;
	call.arguments[1] = definition_ordering_name(definition->ordering);
	call.arguments[2] = number(request->size);
	call.arguments[3] = request->is_exact ? "true" : "false";
	call.arguments[4] = request->whole_block ? "true" : "false";
	call.arguments[5] = number(request->last_max);
	call.arguments[6] = number(request->max_value);
	call.patience = patience;
	hub_connection_call(&call, results);
	delay_at_random();
	range = (Range) {results[0], results[1]};
	refuse_if_behind(request->name, definition, range, hi.last);
	refuse_other_size(definition, request, range);
	return range;
}

/*
 * Raises an error if a range is not above what was received before it was asked
 * for: the hub has been set back, or its generator is another one now.
 */
static void
refuse_if_behind(text *name, const Definition *definition, Range range,
				 int64 last)
{
	if (range.low <= last || RangeIsEmpty(range))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("hub \"%s\" is behind generator \"%s\"",
						NameStr(definition->hub), text_to_cstring(name)),
				 errdetail("It gave the range %lld to %lld, but ids up to %lld have been handed out.",
						   (long long) range.low, (long long) range.high,
						   (long long) last),
				 errhint("Raise it with hilo_seed, above the last id of each of the servers.")));
}

/*
 * Raises an error if a range has more ids than were asked for, or is not the
 * block that was: its caller would count ids that are not in it.
 */
static void
refuse_other_size(const Definition *definition, const StoreRequest *request,
				  Range range)
{
	if (RangeLength(range) > request->size ||
		(request->whole_block &&
		 (RangeLength(range) < request->size || range.low % request->size != 0)))
		ereport(ERROR,
				(errcode(ERRCODE_PROTOCOL_VIOLATION),
				 errmsg("hub \"%s\" has given other ids than it was asked for",
						NameStr(definition->hub)),
				 errdetail("It gave the range %lld to %lld for %lld ids.",
						   (long long) range.low, (long long) range.high,
						   (long long) request->size),
				 errhint("Look whether hilo on the hub is as it was installed.")));
}

/*
 * Begins a call about a generator: the first argument is its name.
 */
static HubCall
call_of(text *name, const Definition *definition, const char *function)
{
	HubCall		call = {
		.hub = NameStr(definition->hub),
		.owner = owner_of(name),
		.function = function,
		.nresults = 1,
		.arguments = {text_to_cstring(name)},
	};

	return call;
}

/*
 * Gives the owner of a generator, InvalidOid if it has none or the role is gone.
 */
static Oid
owner_of(text *name)
{
	Oid			owner = privilege_owner(name);

	return SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(owner)) ?
		owner : InvalidOid;
}

static const char *
number(int64 value)
{
	return psprintf("%lld", (long long) value);
}

/*
 * Calls a function of the hub for decimal ids, as a superuser's mapping says;
 * gives its result, which is from low to high.
 */
static int32
ask_for_decimal(const char *function, const char *argument1,
				const char *argument2, int64 low, int64 high)
{
	HubCall		call = {
		.hub = hub_for_decimal_ids,
		.owner = BOOTSTRAP_SUPERUSERID,
		.function = function,
		.narguments = argument2 == NULL ? 1 : 2,
		.nresults = 1,
		.arguments = {argument1, argument2},
	};
	int64		results[HUB_MAX_RESULTS];

	hub_connection_call(&call, results);
	if (results[0] < low || results[0] > high)
		ereport(ERROR,
				(errcode(ERRCODE_PROTOCOL_VIOLATION),
				 errmsg("hub \"%s\" has given %lld, which is not from %lld to %lld",
						hub_for_decimal_ids, (long long) results[0],
						(long long) low, (long long) high),
				 errhint("Look whether hilo on the hub is as it was installed.")));
	return (int32) results[0];
}
