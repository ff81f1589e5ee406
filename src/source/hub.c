/*
 * Generators that take their ids from one of that name on another server.
 *
 * If the order is that of sessions, windows come from it; if it is global, each
 * id does.  The hub has the ids on disk before it answers; a lost answer is a
 * gap.
 *
 * The ids of one hub only rise.  So a range asked for after "reserved", the
 * highest id ever received, was read lies above it, or the hub has been set
 * back and its ids may be in use.
 */
#include "postgres.h"

#include "storage/proc.h"

#include "source/source.h"

/* milliseconds: the wait ahead of need, and the rest after a failure */
#define PATIENCE 500
#define REST 10000

/* milliseconds: before a coordinator is asked again, and for how long */
#define LOCKED_REST 50
#define LOCKED_LIMIT 60000

/* whether the coordinator has said that the generator is locked there */
static bool is_locked = false;

/* no hub is asked ahead of need before that; an error leaves it as it is */
static TimestampTz rests_until = 0;

static const char *quoted_name(const char *hub, text *name);
static void take_range(void *request);
static Range range_of_hub(const StoreRequest *request, int64 last);

/*
 * Fill a definition from the generator of the Citus coordinator, made there if
 * need be by the rights of the role; return that generator's owner.
 */
Oid
hub_define(text *name, text *written, Definition *definition)
{
	int64	   *limits;
	const char *owner;

	definition_set_hub(definition, CITUS_HUB);
	for (;;)
	{
		limits = hub_call(CITUS_HUB, GetUserId(), "hilo_hub_define",
						  quoted_name(CITUS_HUB, written), 0, 4, &owner);
		if (limits[1] != 0)
			break;
		hub_rest(name);
	}
	definition_set_ordering(definition, limits[0] != 0 ? "global" : "session");
	definition->max_value = limits[1];
	definition->range_size = limits[2];
	definition->max_range_size = limits[3];
	definition_check(name, definition);
	return get_role_oid(owner, false);
}

/*
 * Take a range as store_take does from hilo_hi.  Without wait, ask the hub
 * ahead of need, and wait for it a little; it is no error if it does not
 * answer.
 */
StoreResult
hub_take(StoreRequest *request)
{
	const char *hub = NameStr(request->definition->hub);
	ErrorData  *error = NULL;

	request->result = STORE_BUSY;
	if (!request->nowait)
		take_range(request);
	/* no subtransaction can begin on a worker while Citus copies rows */
	else if (!citus_is_hub(hub) && GetCurrentTimestamp() >= rests_until)
		error = run_in_subxact(take_range, request);
	if (error != NULL)
	{
		rests_until = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), REST);
		ereport(LOG,
				errmsg("could not get ids for generator \"%s\" from hub \"%s\" ahead of need: %s",
					   text_to_cstring(request->name), hub, error->message),
				error->detail ? errdetail_internal("%s", error->detail) : 0);
	}
	return request->result;
}

/*
 * Rest before the coordinator is asked again, after STORE_BUSY without nowait:
 * a transaction there holds the generator's lock, and may wait for the locks of
 * this session, so the caller has given them up.  Waits like for a lock, but
 * not for ever: that transaction may wait for this statement.
 */
void
hub_rest(text *name)
{
	static TimestampTz since = 0;
	static TimestampTz last = 0;
	TimestampTz now = GetCurrentTimestamp();

	/* longer ago, it was another wait */
	if (now > TimestampTzPlusMilliseconds(last, REST))
		since = now;
	last = now;
	if (now > TimestampTzPlusMilliseconds(since, LockTimeout > 0 ?
										  LockTimeout : LOCKED_LIMIT))
	{
		last = 0;
		ereport(ERROR,
				errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				errmsg("generator \"%s\" is locked on the Citus coordinator",
					   text_to_cstring(name)),
				errdetail("A transaction there has changed it and has not ended."),
				errhint("End that transaction. Draw ids after it, not in it."));
	}
	wait_event_for_latch(WAIT_HUB, LOCKED_REST);
}

/* Return the last id that any server got. */
int64
hub_last(text *name, const Definition *definition)
{
	return *hub_call(NameStr(definition->hub), privilege_actor(name),
					 "hilo_hub_last",
					 quoted_name(NameStr(definition->hub), name), 0, 1, NULL);
}

/*
 * Raise the generator on the hub to value; return the resulting last id there.
 */
int64
hub_seed(text *name, const Definition *definition, int64 value)
{
	const char *hub = NameStr(definition->hub);

	/* no lock keeps the owner that a worker knows */
	return *hub_call(hub, citus_is_hub(hub) ? GetUserId() :
					 privilege_actor(name), "hilo_hub_seed",
					 psprintf("%s, " INT64_FORMAT, quoted_name(hub, name),
							  value), 0, 1, NULL);
}

/*
 * Return a generator's name for a hub, which may take it for that of a table.
 * Nodes of a Citus cluster have the tables in common, and mean the tag.
 */
static const char *
quoted_name(const char *hub, text *name)
{
	const char *mark = citus_is_hub(hub) ? "##" : "";

	return quote_literal_cstr(psprintf("%s%s", mark, text_to_cstring(name)));
}

static void
take_range(void *request)
{
	StoreRequest *take = request;

	is_locked = false;
	take->result = store_receive(take, range_of_hub);
	if (is_locked)
		take->result = STORE_BUSY;
}

/*
 * Ask the hub.  Report an error if the range is not above what was received
 * before, or has more ids than were asked for, or is not the block that was.
 */
static Range
range_of_hub(const StoreRequest *request, int64 last)
{
	const char *hub = NameStr(request->definition->hub);
	int64	   *results =
		hub_call(hub, privilege_actor(request->name), "hilo_hub_take",
				 psprintf("%s, '%s', " INT64_FORMAT ", '%d', '%d', " INT64_FORMAT ", " INT64_FORMAT,
						  quoted_name(hub, request->name),
						  definition_ordering(request->definition),
						  request->size, request->is_exact,
						  request->whole_block, request->last_max,
						  request->max_value),
				 request->nowait ? PATIENCE : 0, 2, NULL);
	Range		range = RANGE_OF(results[0], results[1]);

	delay_at_random();
	is_locked = RangeIsEmpty(range) && citus_is_hub(hub);
	if (is_locked)
		return range;
	if (range.low <= last && !RangeIsEmpty(range))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("hub \"%s\" is behind generator \"%s\"", hub,
					   text_to_cstring(request->name)),
				errdetail("It gave the range %lld to %lld, but ids up to %lld have been received.",
						  (long long) range.low, (long long) range.high,
						  (long long) last),
				errhint("On the hub, raise the generator with hilo_seed above the highest id that any server has received."));
	if (RangeIsEmpty(range) || RangeLength(range) > request->size ||
		(request->whole_block &&
		 (RangeLength(range) < request->size ||
		  range.low % request->size != 0)))
		hub_report_answer(hub,
						  psprintf("It gave the range %lld to %lld when asked for %lld ids.",
								   (long long) range.low,
								   (long long) range.high,
								   (long long) request->size));
	return range;
}
