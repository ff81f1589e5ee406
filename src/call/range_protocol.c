/*
 * Ranges for those who hold them themselves: clients, and other servers.
 *
 * hilo_next_range answers as RavenDB's server does to /hilo/next.  A return is
 * stricter than /hilo/return, which compares Max with the end of the range
 * only.
 *
 * The functions hilo_hub_... are called by other servers, each in a transaction
 * of its own.  A generator that has a hub itself is refused to them: servers
 * that are each other's hub, or their own, would wait for each other.
 */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_next_range);
PG_FUNCTION_INFO_V1(hilo_return_range);
PG_FUNCTION_INFO_V1(hilo_next_hi);
PG_FUNCTION_INFO_V1(hilo_hub_define);
PG_FUNCTION_INFO_V1(hilo_hub_take);
PG_FUNCTION_INFO_V1(hilo_hub_last);
PG_FUNCTION_INFO_V1(hilo_hub_seed);

static SessionEntry *hub_entry(FunctionCallInfo fcinfo, const char *function);
static void act_as(FunctionCallInfo fcinfo);
static SessionEntry *client_entry(Datum argument);
static int64 requested_size(FunctionCallInfo fcinfo, SessionEntry *entry);
static void refuse_hub(text *name, const Definition *definition);
static Range range_for_server(SessionEntry *entry, FunctionCallInfo fcinfo);
static void require_ranges(SessionEntry *entry, const char *function);
static int64 range_last_max(SessionEntry *entry, int64 last_max);
static const char *client_take(SessionEntry *entry, StoreRequest *request);
static void range_take(SessionEntry *entry, StoreRequest *request);

Datum
hilo_next_range(PG_FUNCTION_ARGS)
{
	int64		last_max = PG_ARGISNULL(4) ? 0 : PG_GETARG_INT64(4);
	const char *separator = PG_ARGISNULL(5) ? hilo_identity_parts_separator :
		text_to_cstring(PG_GETARG_TEXT_PP(5));
	SessionEntry *entry;
	StoreRequest request =
	{.taken.role = GetUserId(),.is_exact = !PG_ARGISNULL(1)};
	const char *node_tag;
	text	   *prefix;
	Datum		row[7];

	separator_check(separator);
	entry = call_entry(fcinfo, client_entry);
	require_writable("hilo_next_range()");
	session_check_size(entry, PG_ARGISNULL(1) ? 1 : PG_GETARG_INT64(1), "size");
	request.size = requested_size(fcinfo, entry);
	request.last_max = range_last_max(entry, last_max);
	node_tag = client_take(entry, &request);
	/* others may have had ids past the window, and the client knows of those */
	if (request.taken.range.low <= last_max)
	{
		skip_up_to(entry->name, last_max, false);
		node_tag = client_take(entry, &request);
	}
	prefix = definition_unmarked(PG_GETARG_TEXT_PP(0));
	if (definition_is_table(entry->name))
		prefix = entry->definition.written;
	row[0] = DirectFunctionCall2(textcat, PointerGetDatum(prefix),
								 CStringGetTextDatum(separator));
	row[1] = Int64GetDatum(request.taken.range.low);
	row[2] = Int64GetDatum(request.taken.range.high);
	row[3] = Int64GetDatum(RangeLength(request.taken.range));
	row[4] = CStringGetTextDatum(node_tag);
	row[5] = TimestampTzGetDatum(GetCurrentTimestamp());
	row[6] = Int64GetDatum(request.taken.number);
	return call_row(fcinfo, row, NULL);
}

/*
 * Take back the ids above last_used, if high is the end of the last range that
 * was reserved, and the current role took that by hilo_next_range.  Without
 * range_no, this session must have taken it, and have used at least one id: ids
 * alone cannot tell a late return from a good one.
 */
Datum
hilo_return_range(PG_FUNCTION_ARGS)
{
	SessionEntry *entry;
	Definition	definition;
	bool		has_number = !PG_ARGISNULL(3);
	ClientRange client = {.role = GetUserId()};

	argument_require(fcinfo, 1, "high");
	argument_require(fcinfo, 2, "last_used");

	/* a return makes no generator */
	if (!definition_find(name_argument(fcinfo, NAME_LOOKS), &definition))
		PG_RETURN_BOOL(false);
	entry = call_entry(fcinfo, session_entry);
	require_ranges(entry, "hilo_return_range()");
	client.number = has_number ? PG_GETARG_INT64(3) : entry->client_number;
	client.range.high = PG_GETARG_INT64(1);
	PG_RETURN_BOOL(shared_return_range(entry, &client, has_number,
									   PG_GETARG_INT64(2)));
}

/* Reserve the keys of a hi, which is at least 1. */
Datum
hilo_next_hi(PG_FUNCTION_ARGS)
{
	StoreRequest request = {.whole_block = true};
	SessionEntry *entry;

	argument_require(fcinfo, 1, "max_lo");
	entry = call_entry(fcinfo, client_entry);
	require_writable("hilo_next_hi()");
	request.size = PG_GETARG_INT64(1);
	session_check_size(entry, request.size, "max_lo");
	(void) client_take(entry, &request);
	PG_RETURN_INT64(request.taken.range.low / request.size);
}

/*
 * Return what another server must know of a generator, which is made if need
 * be, to have one that takes its ids.
 */
Datum
hilo_hub_define(PG_FUNCTION_ARGS)
{
	SessionEntry *entry = hub_entry(fcinfo, "hilo_hub_define()");
	const Definition *definition = &entry->definition;
	Oid			owner = privilege_actor(entry->name);
	Datum		row[] = {
		Int64GetDatum(definition->holder == HELD_BY_SERVER),
		Int64GetDatum(definition->max_value),
		Int64GetDatum(definition->range_size),
		Int64GetDatum(definition->max_range_size),
		CStringGetTextDatum(GetUserNameFromId(owner, false))
	};

	return call_row(fcinfo, row, NULL);
}

/*
 * Take a range for the generator of another server, with that ordering and that
 * max_value.  No id of it lies above that, as the server could not use it.
 */
Datum
hilo_hub_take(PG_FUNCTION_ARGS)
{
	Definition	wanted = {0};
	SessionEntry *entry;
	Range		range;

	definition_set_ordering(&wanted, text_to_cstring(PG_GETARG_TEXT_PP(1)));
	entry = hub_entry(fcinfo, "hilo_hub_take()");
	if (wanted.holder == HELD_BY_SERVER &&
		entry->definition.holder != wanted.holder)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("ordering of generator \"%s\" on the hub is \"%s\", not \"global\"",
					   text_to_cstring(entry->definition.written),
					   definition_ordering(&entry->definition)),
				errhint("Run hilo_alter(..., ordering => 'session') on the server that asked, or hilo_alter(..., ordering => 'global') on the hub."));
	if (wanted.holder == HELD_BY_SERVER &&
		range_last_max(entry, PG_GETARG_INT64(5)) == 0)
	{
		definition_check_size(&entry->definition, PG_GETARG_INT64(2), "count");
		range = shared_next_block(entry, PG_GETARG_INT64(2),
								  PG_GETARG_INT64(6));
		/* altered meanwhile */
		if (RangeIsEmpty(range))
			return hilo_hub_take(fcinfo);
	}
	else
		range = range_for_server(entry, fcinfo);
	return call_row(fcinfo, RangeDatums(range), NULL);
}

Datum
hilo_hub_last(PG_FUNCTION_ARGS)
{
	text	   *name;
	Definition	definition;
	int64		last;

	act_as(fcinfo);
	name = name_argument(fcinfo, NAME_LOOKS);
	if (!definition_find(name, &definition))
		PG_RETURN_INT64(0);
	privilege_require_use(name, &definition);
	refuse_hub(name, &definition);
	last = generator_last(name, &definition);
	PG_RETURN_INT64(last < definition.first ? 0 : last);
}

Datum
hilo_hub_seed(PG_FUNCTION_ARGS)
{
	text	   *name;
	text	   *written = PG_GETARG_TEXT_PP(0);
	int64		value = PG_GETARG_INT64(1);
	Definition	definition;

	act_as(fcinfo);
	name = name_argument(fcinfo, NAME_TAKES);
	require_writable("hilo_hub_seed()");
	definition = seed_check(name, written, value, SEED_RAISE);
	refuse_hub(name, &definition);
	PG_RETURN_INT64(seed_generator(name, written, value, SEED_RAISE));
}

/*
 * Return the entry that another server asks for, which has ranges and no hub.
 */
static SessionEntry *
hub_entry(FunctionCallInfo fcinfo, const char *function)
{
	SessionEntry *entry;

	act_as(fcinfo);
	entry = call_entry(fcinfo, session_entry);
	require_ranges(entry, function);
	refuse_hub(entry->name, &entry->definition);
	return entry;
}

/*
 * Act as the role in the last argument, if there is one, to the end of the
 * transaction, like SET LOCAL ROLE: nodes of a cluster have the same roles, and
 * call each other as a superuser.
 */
static void
act_as(FunctionCallInfo fcinfo)
{
	const char *role = NameStr(*PG_GETARG_NAME(PG_NARGS() - 1));

	if (*role == '\0' || get_role_oid(role, false) == GetUserId())
		return;
	(void) set_config_option("role", role, PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_LOCAL, true, 0, false);
}

/* Return the entry of a name; a pattern makes no generator. */
static SessionEntry *
client_entry(Datum argument)
{
	text	   *written = DatumGetTextPP(argument);

	if (!definition_is_identity(definition_name(written)))
		pattern_refuse(written);
	return session_entry(argument);
}

/*
 * Return the number of ids to reserve: the one asked for, or by RavenDB's rule.
 * RavenDB trusts the client's last_size without limit; here only a role that
 * could seed the generator is trusted so far.
 */
static int64
requested_size(FunctionCallInfo fcinfo, SessionEntry *entry)
{
	const Definition *definition = &entry->definition;
	int64		last_size = 0;
	TimestampTz last_range_at = DT_NOBEGIN;
	int64		size;

	if (!PG_ARGISNULL(1))
		return PG_GETARG_INT64(1);
	if (!PG_ARGISNULL(2))
		last_size = PG_GETARG_INT64(2);
	if (!PG_ARGISNULL(3))
		last_range_at = PG_GETARG_TIMESTAMPTZ(3);
	size = range_adapted_size(last_size, last_range_at, definition->range_size,
							  definition->max_range_size);
	if (size > definition->max_range_size &&
		!privilege_may_change(entry->name, GetUserId()))
		size = definition->max_range_size;
	return size;
}

static void
refuse_hub(text *name, const Definition *definition)
{
	if (definition->origin == FROM_HUB)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("generator \"%s\" gets its own ids from hub \"%s\"",
					   definition_title(name), NameStr(definition->hub)),
				errdetail("A generator that gives ids to other servers must not have a hub itself."),
				errhint("Use a hub on which the generator has no hub."));
}

/*
 * Take a range for another server's sessions, which may be smaller, or for its
 * clients.
 */
static Range
range_for_server(SessionEntry *entry, FunctionCallInfo fcinfo)
{
	StoreRequest request = {
		.size = PG_GETARG_INT64(2),
		.is_exact = PG_GETARG_BOOL(3),
		.whole_block = PG_GETARG_BOOL(4),
		.last_max = range_last_max(entry, PG_GETARG_INT64(5)),
		.max_value = PG_GETARG_INT64(6)
	};

	if (!request.is_exact && !request.whole_block)
		request.size = Min(request.size, entry->definition.max_range_size);
	definition_check_size(&entry->definition, request.size,
						  request.whole_block ? "max_lo" : "size");
	/* the source of an ORM gives whole blocks */
	range_take(entry, &request);
	return range_split(&request.taken.range, request.size);
}

/* Check an entry, and report an error if its generator has no ranges. */
static void
require_ranges(SessionEntry *entry, const char *function)
{
	require_writable(function);
	session_revalidate(entry);
	definition_require_ranges(&entry->definition);
}

/*
 * Return the highest id that a client knows of, 0 if "last" is not below it.
 * It pushes the generator forward, which is the right of those who may seed it.
 */
static int64
range_last_max(SessionEntry *entry, int64 last_max)
{
	int64		last = last_max <= 0 ? 0 :
		generator_last(entry->name, &entry->definition);

	if (last_max <= last)
		return 0;
	if (!privilege_may_change(entry->name, GetUserId()))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied to raise generator \"%s\" by last_max",
					   text_to_cstring(entry->definition.written)),
				errhint("Have the owner of the generator run hilo_seed."));
	return last_max;
}

/*
 * Take a range for a client, and return the node tag that its ids have: out of
 * the window; or out of the source where there is no window, no window is that
 * long, or the client knows of higher ids.
 */
static const char *
client_take(SessionEntry *entry, StoreRequest *request)
{
	const Definition *definition = &entry->definition;
	bool		has_window = definition->origin == FROM_ROW &&
		request->size <= WINDOW_MAX_LENGTH / 2 && request->last_max == 0;

	definition_require_ranges(definition);
	request->taken.number = client_number();
	if (!has_window)
		range_take(entry, request);
	else if (!shared_next_range(entry, request))
	{
		/* altered meanwhile, or gone */
		session_revalidate(entry);
		return client_take(entry, request);
	}
	entry->client_number = request->taken.number;
	return has_window ? entry->window.node_tag : hilo_node_tag;
}

/*
 * Take a range past the window, and wait until it is on disk.  The window is
 * closed if a client may have ids of it, or lower ids must not follow later.
 */
static void
range_take(SessionEntry *entry, StoreRequest *request)
{
	const Definition *definition = &entry->definition;

	while (!session_lock(entry, RowExclusiveLock, false))
		session_revalidate(entry);
	definition_require_ranges(definition);
	if (request->whole_block &&
		(definition->origin == FROM_ORM ||
		 (definition->origin == FROM_HUB &&
		  definition->holder == HELD_BY_SERVER)))
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("cannot reserve a hi from generator \"%s\"",
					   text_to_cstring(entry->name)),
				errdetail("Its ids come from another server or an ORM's source, not in blocks of max_lo."),
				errhint("Call hilo_next_range."));
	session_take(entry, request);
	if (request->last_max > 0 ||
		(definition->origin == FROM_ROW &&
		 definition->holder == HELD_BY_SERVER))
		end_generator_use(entry->incarnation, request->taken.range.high);
	unlock_generator(entry->incarnation, RowExclusiveLock);
}
