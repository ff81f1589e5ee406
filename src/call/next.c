/* hilo_next and its kin: ids for SQL. */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_next);
PG_FUNCTION_INFO_V1(hilo_next_count);
PG_FUNCTION_INFO_V1(hilo_next_tag);
PG_FUNCTION_INFO_V1(hilo_next_tag_count);
PG_FUNCTION_INFO_V1(hilo_next_id);
PG_FUNCTION_INFO_V1(hilo_current);
PG_FUNCTION_INFO_V1(hilo_session);
PG_FUNCTION_INFO_V1(hilo_release);

/* A call that returns several ids. */
typedef struct NextIds
{
	SessionEntry *entry;
	SequenceTake taken;			/* if they come from a sequence */
} NextIds;

static Datum next_count(FunctionCallInfo fcinfo, EntryFinder find,
						const char *function);
static NextIds *start_count(SessionEntry *entry, int64 count);

Datum
hilo_next(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(next_id(call_entry(fcinfo, session_table_entry),
							"hilo_next()", 0));
}

Datum
hilo_next_tag(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(next_id(call_entry(fcinfo, session_tag_entry),
							"hilo_next_tag()", 0));
}

Datum
hilo_next_count(PG_FUNCTION_ARGS)
{
	return next_count(fcinfo, session_table_entry, "hilo_next()");
}

Datum
hilo_next_tag_count(PG_FUNCTION_ARGS)
{
	return next_count(fcinfo, session_tag_entry, "hilo_next_tag()");
}

static Datum
next_count(FunctionCallInfo fcinfo, EntryFinder find, const char *function)
{
	FuncCallContext *call;
	NextIds    *ids;
	int64		id;

	if (SRF_IS_FIRSTCALL())
	{
		SessionEntry *entry;
		int64		count;
		MemoryContext before;

		call = SRF_FIRSTCALL_INIT();
		argument_require(fcinfo, 0, call_argument(find));
		argument_require(fcinfo, 1, "count");
		count = PG_GETARG_INT64(1);
		if (count < 0)
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("count must not be negative"));

		entry = find(PG_GETARG_DATUM(0));
		require_writable(function);
		session_revalidate(entry);
		before = MemoryContextSwitchTo(call->multi_call_memory_ctx);
		call->user_fctx = start_count(entry, count);
		MemoryContextSwitchTo(before);
		call->max_calls = (uint64) count;
	}

	call = SRF_PERCALL_SETUP();
	if (call->call_cntr >= call->max_calls)
		SRF_RETURN_DONE(call);

	/* before SRF_RETURN_NEXT, which counts this call first */
	ids = call->user_fctx;
	if (ids->taken.count > 0)
		id = ids->taken.first +
			(int64) call->call_cntr * ids->taken.increment;
	else
		id = next_id(ids->entry, function,
					 (int64) (call->max_calls - call->call_cntr));
	SRF_RETURN_NEXT(call, Int64GetDatum(id));
}

/* Take all ids at once if they come from a sequence. */
static NextIds *
start_count(SessionEntry *entry, int64 count)
{
	NextIds    *ids = palloc0(sizeof(*ids));
	SequenceTake take = {.count = count};

	ids->entry = entry;
	if (entry->definition.holder != HELD_BY_SEQUENCE || count == 0)
		return ids;
	definition_check_size(&entry->definition, count, "count");
	ids->taken = session_take_values(entry, take, false);
	return ids;
}

Datum
hilo_next_id(PG_FUNCTION_ARGS)
{
	if (fcinfo->flinfo->fn_extra == NULL && !PG_ARGISNULL(0))
		pattern_refuse(PG_GETARG_TEXT_PP(0));
	PG_RETURN_TEXT_P(next_text_id(call_entry(fcinfo, session_tag_entry),
								  "hilo_next_id()"));
}

text *
next_text_id(SessionEntry *entry, const char *function)
{
	int64		number;

	/* an id that is too long must use no number, and make no generator */
	definition_check_id(VARDATA_ANY(entry->name),
						VARSIZE_ANY_EXHDR(entry->name),
						strlen(hilo_identity_parts_separator) + strlen("1-A"));
	number = next_id(entry, function, 0);
	return text_id(entry->definition.written,
				   VARSIZE_ANY_EXHDR(entry->definition.written),
				   hilo_identity_parts_separator, 0, number, entry->node_tag);
}

/*
 * Return an id: start, separator, the number with at least width digits, and
 * the node tag if it is not empty.
 */
text *
text_id(text *start, int start_length, const char *separator, int width,
		int64 number, const char *node_tag)
{
	/* in pieces, because psprintf would cost more than all the rest */
	char		digits[MAXINT8LEN + 1];
	int			ndigits = pg_ulltoa_n(number, digits);
	text	   *id = palloc(VARHDRSZ + start_length + strlen(separator) +
							MAXINT8LEN + strlen(node_tag) + 1);
	char	   *end = VARDATA(id);

	memcpy(end, VARDATA_ANY(start), start_length);
	end = stpcpy(end + start_length, separator);
	for (; width > ndigits; width--)
		*end++ = '0';
	memcpy(end, digits, ndigits);
	end += ndigits;
	if (node_tag[0] != '\0')
	{
		*end++ = '-';
		end = stpcpy(end, node_tag);
	}
	SET_VARSIZE(id, end - (char *) id);
	definition_check_id(VARDATA(id), end - VARDATA(id), 0);
	return id;
}

/* Creates nothing and takes no lock, so it works where currval does. */
Datum
hilo_current(PG_FUNCTION_ARGS)
{
	text	   *name = name_argument(fcinfo, NAME_TO_READ);
	Definition	definition = generator_require(name);
	SessionEntry *entry = session_find(name);
	FormData_hilo_hi hi;

	privilege_require_use(name, &definition);
	if (definition.origin == FROM_SEQUENCE)
		return DirectFunctionCall1(currval_oid,
								   ObjectIdGetDatum(definition.table));
	if (entry == NULL || session_current(entry) == 0 ||
		!store_read(name, &hi) ||
		!SameGenerator(hi.incarnation, entry->incarnation))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("the current id of generator \"%s\" is not yet defined in this session",
					   definition_title(name)));
	PG_RETURN_INT64(session_id(entry, session_current(entry)));
}

Datum
hilo_session(PG_FUNCTION_ARGS)
{
	InitMaterializedSRF(fcinfo, 0);
	for (SessionEntry *entry = session_latest_entry; entry != NULL;
		 entry = entry->older)
	{
		int64		current = session_current(entry);
		bool		is_empty = session_held(entry) == 0;
		Datum		values[] = {
			PointerGetDatum(name_shown(entry->name, entry->definition.written)),
			Int64GetDatum(session_id(entry, current)),
			Int64GetDatum(entry->handed_out + 1),
			Int64GetDatum(entry->range.high),
			CStringGetTextDatum(entry->node_tag)
		};
		bool		nulls[] = {false, current == 0, is_empty, is_empty,
		is_empty};
		Definition	definition;
		FormData_hilo_hi hi;

		if (definition_find(entry->name, &definition) &&
			privilege_may_see(entry->name, &definition) &&
			store_read(entry->name, &hi) &&
			SameGenerator(hi.incarnation, entry->incarnation))
			put_row(fcinfo->resultinfo, values, nulls);
	}
	return (Datum) 0;
}

/*
 * Return the unused ids of this session: those of one generator, or of all that
 * the role may use.  Waits for no other session.
 */
Datum
hilo_release(PG_FUNCTION_ARGS)
{
	text	   *name = NULL;
	int64		ids = 0;

	if (!PG_ARGISNULL(0))
		name = name_argument(fcinfo, NAME_TO_READ);
	require_writable("hilo_release()");
	for (SessionEntry *entry = session_latest_entry; entry != NULL;
		 entry = entry->older)
	{
		Definition	definition;

		/* the ids of a dropped generator are lost anyway */
		if ((name != NULL && !text_equal(entry->name, name)) ||
			session_held(entry) == 0 ||
			!definition_find(entry->name, &definition))
			continue;
		if (name != NULL)
			session_require_use(entry, &definition);
		else if (!privilege_may_use(entry->name, &definition, GetUserId()))
			continue;
		ids += session_give_back(entry);
	}
	PG_RETURN_INT64(ids);
}
