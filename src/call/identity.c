/*
 * RavenDB's identities.
 *
 * The identity "users" is the generator "users|", with the ordering "global" or
 * "gapless".  The functions here accept both names.
 */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(identity_next);
PG_FUNCTION_INFO_V1(identity_next_count);
PG_FUNCTION_INFO_V1(identity_next_id);
PG_FUNCTION_INFO_V1(identity_current);
PG_FUNCTION_INFO_V1(identity_seed);

static text *identity_name(text *written);
static text *identity_argument(FunctionCallInfo fcinfo);

Datum
identity_next(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(next_id(call_entry(fcinfo, identity_entry),
							"identity_next()", 0));
}

Datum
identity_next_count(PG_FUNCTION_ARGS)
{
	SessionEntry *entry =
		session_tag_entry(PointerGetDatum(identity_argument(fcinfo)));
	Range		block;

	argument_require(fcinfo, 1, "count");
	require_writable("identity_next()");
	session_check_size(entry, PG_GETARG_INT64(1), "count");
	drawing_check_default(entry, (FuncExpr *) fcinfo->flinfo->fn_expr);
	do
	{
		session_revalidate(entry);
		block = session_next_block(entry, PG_GETARG_INT64(1));
	} while (RangeIsEmpty(block));
	return call_row(fcinfo, RangeDatums(block), NULL);
}

Datum
identity_next_id(PG_FUNCTION_ARGS)
{
	SessionEntry *entry = call_entry(fcinfo, identity_entry);
	text	   *pattern = PG_GETARG_TEXT_PP(0);
	int			length = VARSIZE_ANY_EXHDR(pattern);

	if (definition_is_identity(pattern))
		length--;
	pattern_refuse(cstring_to_text_with_len(VARDATA_ANY(pattern), length));
	/* check with one digit, before a value is used up */
	definition_check_id(VARDATA_ANY(pattern), length,
						strlen(hilo_identity_parts_separator) + 1);
	PG_RETURN_TEXT_P(text_id(pattern, length, hilo_identity_parts_separator, 0,
							 next_id(entry, "identity_next_id()", 0), ""));
}

/*
 * Return the last value, or 0.  This creates no generator, so it works in
 * read-only transactions.  A hub is asked with the user mapping of the
 * generator's owner, so the right to see the identity is not enough.
 */
Datum
identity_current(PG_FUNCTION_ARGS)
{
	text	   *name = name_of_tag(identity_argument(fcinfo));
	Definition	definition;
	int64		last;

	if (!definition_find(name, &definition))
		PG_RETURN_INT64(0);
	if (definition.origin == FROM_HUB ||
		!privilege_may_see(name, &definition))
		privilege_require_use(name, &definition);
	if (definition.origin == FROM_HUB)
		last = hub_last(name, &definition);
	else
		last = generator_last(name, &definition);
	PG_RETURN_INT64(last < definition.first ? 0 : last);
}

Datum
identity_seed(PG_FUNCTION_ARGS)
{
	require_writable("identity_seed()");
	fcinfo->args[0].value = PointerGetDatum(identity_argument(fcinfo));
	return hilo_seed(fcinfo);
}

SessionEntry *
identity_entry(Datum written)
{
	text	   *name = identity_name(DatumGetTextPP(written));

	return session_tag_entry(PointerGetDatum(name));
}

/* Return the name of an identity's generator; it must not be empty. */
static text *
identity_name(text *written)
{
	text	   *name = pattern_identity(written, false);

	if (VARSIZE_ANY_EXHDR(name) == 1)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_NAME),
				errmsg("identity name must not be empty"));
	return name;
}

static text *
identity_argument(FunctionCallInfo fcinfo)
{
	argument_require(fcinfo, 0, "identity name");
	return identity_name(PG_GETARG_TEXT_PP(0));
}
