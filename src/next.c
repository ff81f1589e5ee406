/*-------------------------------------------------------------------------
 *
 * next.c
 *	  hilo_next and its kin: ids for SQL.
 *
 * A call remembers the entry of the session cache in fn_extra, and the name
 * it was for, unless that is a constant.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/next.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"

#include "privilege.h"
#include "session_cache.h"
#include "store.h"

PG_FUNCTION_INFO_V1(hilo_next);
PG_FUNCTION_INFO_V1(hilo_next_count);
PG_FUNCTION_INFO_V1(hilo_next_id);
PG_FUNCTION_INFO_V1(hilo_current);

/*
 * What fn_extra points at.
 */
typedef struct NextCall
{
	SessionEntry *entry;
	bool		is_constant;	/* the name is the same in every call */
	Size		length;
	char		written[FLEXIBLE_ARRAY_MEMBER];
} NextCall;

static inline SessionEntry *entry_of_call(FunctionCallInfo fcinfo);
static inline int64 next_id(SessionEntry *entry, const char *function);
static SessionEntry *remember_entry(FunctionCallInfo fcinfo);
static bool name_is_constant(FmgrInfo *flinfo);
static void require_ids(SessionEntry *entry, int64 count);

/*
 * hilo_next(name): the next id.
 */
Datum
hilo_next(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(next_id(entry_of_call(fcinfo), "hilo_next()"));
}

/*
 * hilo_next(name, count): the next ids, that many.
 */
Datum
hilo_next_count(PG_FUNCTION_ARGS)
{
	FuncCallContext *call;
	SessionEntry *entry;

	if (SRF_IS_FIRSTCALL())
	{
		int64		count;

		call = SRF_FIRSTCALL_INIT();
		definition_argument(fcinfo);
		if (PG_ARGISNULL(1))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("count must not be null")));
		count = PG_GETARG_INT64(1);
		if (count < 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("count must not be negative")));

		entry = session_entry(PG_GETARG_TEXT_PP(0));
		session_check(entry, "hilo_next()");
		require_ids(entry, count);
		call->user_fctx = entry;
		call->max_calls = (uint64) count;
	}

	call = SRF_PERCALL_SETUP();
	if (call->call_cntr >= call->max_calls)
		SRF_RETURN_DONE(call);

	entry = call->user_fctx;
	if (!session_ready(entry))
		session_fill(entry, "hilo_next()",
					 (int64) (call->max_calls - call->call_cntr));
	SRF_RETURN_NEXT(call, Int64GetDatum(++entry->last));
}

/*
 * hilo_next_id(name): the next id as text, orders/54-B.
 */
Datum
hilo_next_id(PG_FUNCTION_ARGS)
{
	SessionEntry *entry = entry_of_call(fcinfo);
	StringInfoData id;

	if (!session_ready(entry))
		session_fill(entry, "hilo_next_id()", 0);

	initStringInfo(&id);
	appendBinaryStringInfo(&id, VARDATA_ANY(entry->written),
						   VARSIZE_ANY_EXHDR(entry->written));
	appendStringInfo(&id, "%s%lld-%s", hilo_identity_parts_separator,
					 (long long) entry->last + 1, entry->node_tag);
	if (id.len > ID_MAX_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("id is too long"),
				 errdetail("It has %d bytes, the limit is %d.",
						   id.len, ID_MAX_LENGTH)));
	entry->last++;
	PG_RETURN_TEXT_P(cstring_to_text_with_len(id.data, id.len));
}

/*
 * hilo_current(name): the id that this session got last.
 *
 * Creates nothing and takes no lock, so it works where currval does.
 */
Datum
hilo_current(PG_FUNCTION_ARGS)
{
	text	   *name = definition_argument(fcinfo);
	SessionEntry *entry = session_find(name);
	Definition	definition;
	FormData_hilo_hi hi;

	if (definition_find(name, &definition, NULL))
		privilege_require_use(name, PG_GETARG_TEXT_PP(0), definition.is_public);

	if (entry == NULL || session_current(entry) == 0 ||
		!store_read(name, &hi) || hi.incarnation != entry->incarnation)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the current id of generator \"%s\" is not yet defined in this session",
						text_to_cstring(PG_GETARG_TEXT_PP(0)))));
	PG_RETURN_INT64(session_current(entry));
}

/*
 * Gives the entry of the name in the first argument, at once if the last call
 * was for the same one.
 */
static inline SessionEntry *
entry_of_call(FunctionCallInfo fcinfo)
{
	NextCall   *call = fcinfo->flinfo->fn_extra;
	text	   *written;

	if (unlikely(call == NULL || PG_ARGISNULL(0)))
		return remember_entry(fcinfo);
	if (call->is_constant)
		return call->entry;

	written = PG_GETARG_TEXT_PP(0);
	if (likely(VARSIZE_ANY_EXHDR(written) == call->length &&
			   memcmp(VARDATA_ANY(written), call->written, call->length) == 0))
		return call->entry;
	return remember_entry(fcinfo);
}

/*
 * Hands out the next id.
 */
static inline int64
next_id(SessionEntry *entry, const char *function)
{
	if (unlikely(!session_ready(entry)))
		session_fill(entry, function, 0);
	return ++entry->last;
}

/*
 * Finds the entry of the name in the first argument, for this call and those
 * that follow.
 */
static SessionEntry *
remember_entry(FunctionCallInfo fcinfo)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	text	   *written;
	Size		length;
	NextCall   *call;

	if (PG_ARGISNULL(0))
		definition_argument(fcinfo);

	written = PG_GETARG_TEXT_PP(0);
	length = VARSIZE_ANY_EXHDR(written);
	if (flinfo->fn_extra != NULL)
	{
		pfree(flinfo->fn_extra);
		flinfo->fn_extra = NULL;
	}
	call = MemoryContextAlloc(flinfo->fn_mcxt,
							  offsetof(NextCall, written) + length);
	call->entry = session_entry(written);
	call->is_constant = name_is_constant(flinfo);
	call->length = length;
	memcpy(call->written, VARDATA_ANY(written), length);
	flinfo->fn_extra = call;
	return call->entry;
}

/*
 * Says whether the first argument is a constant of the query.  Nothing less
 * will do: PL/pgSQL keeps a call while its parameters change.
 */
static bool
name_is_constant(FmgrInfo *flinfo)
{
	Node	   *expr = flinfo->fn_expr;

	return expr != NULL && IsA(expr, FuncExpr) &&
		IsA(linitial(((FuncExpr *) expr)->args), Const);
}

/*
 * Raises the error of a generator that has no id left if it has not as many
 * as are asked for, before it gives any of them.
 */
static void
require_ids(SessionEntry *entry, int64 count)
{
	FormData_hilo_hi hi;
	int64		held = entry->range.high - Min(entry->last, entry->range.high) +
		RangeLength(entry->prefetched.range);

	if (count > held &&
		store_read(entry->name, &hi) &&
		count - held > entry->definition.max_value -
		Min(hi.last, entry->definition.max_value) + store_spare_ids(&hi, entry->definition.max_value))
		session_exhausted(entry);
}
