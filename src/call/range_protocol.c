/*
 * Ranges for clients and other servers, which hand out the ids themselves.
 *
 * hilo_next_range answers like RavenDB's /hilo/next.  hilo_return_range is
 * stricter than /hilo/return, which compares only the end of the range with
 * Max.
 *
 * Other servers call the functions hilo_hub_..., each in its own transaction.
 * They get no ids of a generator that has a hub itself.  Servers that are each
 * other's hub, or their own, would wait for each other.
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
static bool lock_for_worker(FunctionCallInfo fcinfo);
static void begin_for_server(FunctionCallInfo fcinfo);
static SessionEntry *client_entry(Datum argument);
static int64 requested_size(FunctionCallInfo fcinfo, SessionEntry *entry);
static int64 size_of_left(const SessionEntry *entry, int64 size);
static void refuse_hub(text *name, const Definition *definition);
static Range range_for_server(SessionEntry *entry, FunctionCallInfo fcinfo);
static void require_ranges(SessionEntry *entry, const char *function);
static int64 range_last_max(SessionEntry *entry, int64 last_max);
static const char *client_take(SessionEntry *entry, StoreRequest *request);
static bool may_carve(const SessionEntry *entry, const StoreRequest *request);
static void take_from_sequence(SessionEntry *entry, StoreRequest *request);
static void range_take(SessionEntry *entry, StoreRequest *request);

Datum
hilo_next_range(PG_FUNCTION_ARGS)
{
	int64		last_max = 0;
	const char *separator = hilo_identity_parts_separator;
	SessionEntry *entry;
	StoreRequest request =
	{.taken.role = GetUserId(),.is_exact = !PG_ARGISNULL(1)};
	const char *node_tag;
	text	   *prefix;
	Datum		row[7];

	if (!PG_ARGISNULL(4))
		last_max = PG_GETARG_INT64(4);
	if (!PG_ARGISNULL(5))
		separator = text_to_cstring(PG_GETARG_TEXT_PP(5));
	separator_check(separator);
	entry = call_named_entry(fcinfo, client_entry);
	require_writable("hilo_next_range()");
	session_check_size(entry, PG_ARGISNULL(1) ? 1 : PG_GETARG_INT64(1), "size");
	request.size = requested_size(fcinfo, entry);
	request.last_max = range_last_max(entry, last_max);
	node_tag = client_take(entry, &request);
	/* another client may have reported ids that lie above the window */
	if (request.taken.range.low <= last_max)
	{
		skip_up_to(entry->name, last_max, false);
		session_revalidate(entry);
		node_tag = client_take(entry, &request);
	}
	prefix = definition_unmarked(PG_GETARG_TEXT_PP(0));
	if (OidIsValid(entry->definition.table))
		prefix = name_without_schema(prefix, entry->definition.table);
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
 * Take back the ids above last_used.  "High" must be the end of the last range
 * that was reserved, and the current role must have got it by hilo_next_range.
 *
 * Without range_no, this session must have got the range and used at least one
 * of its ids.  Otherwise a late return would look like a good one.
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

	/* do not create a generator for a return */
	if (!definition_find(name_argument(fcinfo, NAME_TO_READ), &definition))
		PG_RETURN_BOOL(false);
	/* nobody can tell whether another session has taken more since */
	if (definition.origin == FROM_SEQUENCE)
		PG_RETURN_BOOL(false);
	entry = call_named_entry(fcinfo, session_stream_entry);
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
	entry = call_named_entry(fcinfo, client_entry);
	require_writable("hilo_next_hi()");
	request.size = PG_GETARG_INT64(1);
	session_check_size(entry, request.size, "max_lo");
	(void) client_take(entry, &request);
	PG_RETURN_INT64(request.taken.range.low / request.size);
}

/*
 * Return what another server must know about a generator to get its ids.  The
 * first call creates the generator.
 */
Datum
hilo_hub_define(PG_FUNCTION_ARGS)
{
	Definition	definition = {0};
	const char *owner = "";
	Datum		row[5];

	/* a max_value of 0 says that the generator is locked */
	if (lock_for_worker(fcinfo))
	{
		SessionEntry *entry = hub_entry(fcinfo, "hilo_hub_define()");

		definition = entry->definition;
		owner = GetUserNameFromId(privilege_actor(entry->name), false);
	}
	row[0] = Int64GetDatum(definition.holder == HELD_BY_SERVER);
	row[1] = Int64GetDatum(definition.max_value);
	row[2] = Int64GetDatum(definition.range_size);
	row[3] = Int64GetDatum(definition.max_range_size);
	row[4] = CStringGetTextDatum(owner);
	return call_row(fcinfo, row, NULL);
}

/*
 * Reserve a range for a generator of another server with an ordering and a
 * max_value.  No id of the range lies above this max_value.
 */
Datum
hilo_hub_take(PG_FUNCTION_ARGS)
{
	Definition	wanted = {0};
	SessionEntry *entry;
	Range		range;

	definition_set_ordering(&wanted, text_to_cstring(PG_GETARG_TEXT_PP(1)));
	if (!lock_for_worker(fcinfo))
		return call_row(fcinfo, RangeDatums(EMPTY_RANGE), NULL);
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
		/* the generator was altered meanwhile */
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

	begin_for_server(fcinfo);
	name = name_of_tag(PG_GETARG_TEXT_PP(0));
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

	begin_for_server(fcinfo);
	name = name_of_tag(PG_GETARG_TEXT_PP(0));
	require_writable("hilo_hub_seed()");
	definition = seed_check(name, written, value, SEED_RAISE);
	refuse_hub(name, &definition);
	PG_RETURN_INT64(seed_generator(name, written, value, SEED_RAISE));
}

/* Return the entry for another server; it must have ranges and no hub. */
static SessionEntry *
hub_entry(FunctionCallInfo fcinfo, const char *function)
{
	SessionEntry *entry;
	text	   *name;

	begin_for_server(fcinfo);
	/* that of decimal ids comes by no other use */
	name = name_of_tag(PG_GETARG_TEXT_PP(0));
	if (definition_is_internal(name) && superuser() && !definition_exists(name))
	{
		Definition	definition = definition_default(name);

		(void) first_use_of_tag(name, &definition, InvalidOid, true);
	}
	entry = call_entry(fcinfo, session_tag_entry);
	require_ranges(entry, function);
	refuse_hub(entry->name, &entry->definition);
	return entry;
}

/*
 * Lock the generator for a Citus worker, to the end of the call's transaction;
 * false if that means a wait.  The holder of the lock may wait for the worker.
 */
static bool
lock_for_worker(FunctionCallInfo fcinfo)
{
	FormData_hilo_hi hi;
	text	   *written = definition_unmarked(PG_GETARG_TEXT_PP(0));

	return *NameStr(*PG_GETARG_NAME(PG_NARGS() - 1)) == '\0' ||
		!store_read(name_of_tag(written), &hi) ||
		try_lock_generator(hi.incarnation, RowExclusiveLock);
}

/*
 * Take the "##" from the name, which is always a tag's.  Do what SET LOCAL ROLE
 * does with the role in the last argument, if it is not empty: nodes of a
 * cluster have the same roles, and call each other as a superuser.
 */
static void
begin_for_server(FunctionCallInfo fcinfo)
{
	const char *role = NameStr(*PG_GETARG_NAME(PG_NARGS() - 1));

	fcinfo->args[0].value =
		PointerGetDatum(definition_unmarked(PG_GETARG_TEXT_PP(0)));
	if (*role == '\0' || get_role_oid(role, false) == GetUserId())
		return;
	(void) set_config_option("role", role, PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_LOCAL, true, 0, false);
}

/* Return the entry of a name; report an error if it is a pattern. */
static SessionEntry *
client_entry(Datum argument)
{
	text	   *written = DatumGetTextPP(argument);

	if (!definition_is_identity(definition_fold_name(written)))
		pattern_refuse(written);
	return session_stream_entry(argument);
}

/*
 * Return the number of ids to reserve: the argument, or a number by RavenDB's
 * rule.  RavenDB trusts every last_size.  Here max_range_size limits it, unless
 * the role may seed the generator.
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
	return size_of_left(entry, size);
}

/* Return size, or as many ids as may be reserved at once of those left. */
static int64
size_of_left(const SessionEntry *entry, int64 size)
{
	int64		max_value = entry->definition.max_value;

	/* a bigint always has so many */
	if (max_value == PG_INT64_MAX)
		return size;
	return Min(size,
			   RangeShare(max_value -
						  generator_last(entry->name, &entry->definition)));
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
 * Reserve a range for the sessions of another server, which may be smaller than
 * requested, or for its clients.
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
		request.size =
			size_of_left(entry, Min(request.size,
									entry->definition.max_range_size));
	definition_check_size(&entry->definition, request.size,
						  request.whole_block ? "max_lo" : "size");
	/* an ORM's source gives whole blocks, of which the end is lost */
	range_take(entry, &request);
	return range_split(&request.taken.range, request.size);
}

/* Revalidate an entry; report an error if its generator has no ranges. */
static void
require_ranges(SessionEntry *entry, const char *function)
{
	require_writable(function);
	session_revalidate(entry);
	definition_require_ranges(&entry->definition);
}

/*
 * Return last_max, the highest id that a client knows, or 0 if "last" has
 * reached it.  It raises the generator, so the role needs the right to seed it.
 */
static int64
range_last_max(SessionEntry *entry, int64 last_max)
{
	if (last_max <= 0 ||
		last_max <= generator_last(entry->name, &entry->definition))
		return 0;
	if (privilege_may_change(entry->name, GetUserId()))
		return last_max;
	/* as setval */
	if (entry->definition.origin == FROM_SEQUENCE)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_SEQUENCE,
					   get_rel_name(entry->definition.table));
	ereport(ERROR,
			errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			errmsg("permission denied to raise generator \"%s\" by last_max",
				   text_to_cstring(entry->definition.written)),
			errhint("Have the owner of the generator run hilo_seed."));
}

/*
 * Reserve a range for a client, and return the node tag of its ids.
 *
 * Carve it from the window if there can be one.  Reserve it from the source if
 * no window is long enough, or if the client knows higher ids.
 */
static const char *
client_take(SessionEntry *entry, StoreRequest *request)
{
	const Definition *definition = &entry->definition;
	bool		has_window = may_carve(entry, request);

	definition_require_ranges(definition);
	request->taken.range = EMPTY_RANGE;
	request->taken.number = client_number();
	if (definition->origin == FROM_SEQUENCE)
	{
		take_from_sequence(entry, request);
		return hilo_node_tag;
	}
	if (has_window && !shared_next_range(entry, request))
	{
		/* the generator was altered or dropped meanwhile */
		session_revalidate(entry);
		return client_take(entry, request);
	}
	entry->client_number = request->taken.number;
	if (!RangeIsEmpty(request->taken.range))
		return entry->window.node_tag;
	range_take(entry, request);
	return hilo_node_tag;
}

/*
 * Check whether a window can have the ids of a request.  Windows of a hub may
 * be too short for a good part of the ids left, and would be lost.
 */
static bool
may_carve(const SessionEntry *entry, const StoreRequest *request)
{
	const Definition *definition = &entry->definition;

	if (request->size > WINDOW_MAX_LENGTH / 2 || request->last_max > 0)
		return false;
	if (definition->origin != FROM_HUB)
		return definition->origin == FROM_ROW;
	return definition->holder == HELD_BY_SESSION &&
		size_of_left(entry, request->size) == request->size;
}

/* Take a range of a sequence, which must count by one. */
static void
take_from_sequence(SessionEntry *entry, StoreRequest *request)
{
	Oid			sequence = entry->definition.table;
	FormData_pg_sequence form = sequence_form(sequence);
	SequenceTake take = {.count = request->size,.above = request->last_max};

	if (form.seqincrement != 1 || form.seqcache != 1 || form.seqcycle)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("sequence \"%s\" has no ranges", get_rel_name(sequence)),
				errdetail("A range needs INCREMENT 1, CACHE 1 and NO CYCLE."),
				errhint("Call hilo_next, with a count for several ids."));
	if (request->whole_block)
		take.block = request->size;
	take = session_take_values(entry, take, true);
	request->taken.range = RANGE_OF(take.first, take.first + take.count - 1);
}

/*
 * Reserve a range from the source, and wait until it is on disk.
 *
 * The window has lower ids than this range.  Close it if they must not follow:
 * with the ordering "global", or if the client knows ids of the window.
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
	if (!session_take(entry, request))
	{
		unlock_generator(entry->incarnation, RowExclusiveLock);
		hub_rest(entry->name);
		range_take(entry, request);
		return;
	}
	if (request->last_max > 0 ||
		(definition->origin == FROM_ROW &&
		 definition->holder == HELD_BY_SERVER))
		end_generator_use(entry->incarnation, request->taken.range.high,
						  false);
	unlock_generator(entry->incarnation, RowExclusiveLock);
}
