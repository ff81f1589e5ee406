/*
 * Ids of documents, like RavenDB's.
 *
 * There are two rules for ids.  A valid id has 1 to 512 bytes, as written and
 * in lower case, no control character of Unicode, and no "|" at its end.  No
 * setting changes this, so a constraint can check it.  A final id does not end
 * with the separator either, because it would be a pattern.
 *
 * A number counts as a part of an id only as hilo or RavenDB write it: from 1
 * to 2^63-1, without leading zeros, except in the 19 digits of a server-side
 * id.
 */
#include "postgres.h"

#include "anchor/anchor.h"
#include "document/document_id.h"

PG_FUNCTION_INFO_V1(document_id);
PG_FUNCTION_INFO_V1(document_id_strategy);
PG_FUNCTION_INFO_V1(document_id_valid);
PG_FUNCTION_INFO_V1(hilo_tag);
PG_FUNCTION_INFO_V1(document_id_parts);

#define piece_value(bytes, length) \
	PointerGetDatum(cstring_to_text_with_len(bytes, length))

static text *server_side_id(text *prefix);
static text *identity_id(text *pattern, FuncExpr *call, Oid table);
static const char *id_fault(const char *bytes, int length, int more);
static void report_fault(const char *fault);
static bool is_guid(const char *bytes, int length);

Datum
document_id(PG_FUNCTION_ARGS)
{
	text	   *pattern = PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0);
	FuncExpr   *call = (FuncExpr *) fcinfo->flinfo->fn_expr;

	PG_RETURN_TEXT_P(document_id_resolve(pattern, call, InvalidOid));
}

Datum
document_id_strategy(PG_FUNCTION_ARGS)
{
	text	   *pattern = PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0);

	PG_RETURN_TEXT_P(cstring_to_text(pattern_strategy_names[pattern_strategy(pattern)]));
}

Datum
document_id_valid(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	char	   *separator = text_to_cstring(PG_GETARG_TEXT_PP(1));
	int			length = strlen(separator);
	int			start = VARSIZE_ANY_EXHDR(id) - length;
	PatternStrategy strategy = pattern_strategy(id);

	separator_check(separator);
	PG_RETURN_BOOL(strategy != STRATEGY_GUID && strategy != STRATEGY_IDENTITY &&
				   id_fault(VARDATA_ANY(id), VARSIZE_ANY_EXHDR(id),
							0) == NULL &&
				   (start < 0 ||
					memcmp(VARDATA_ANY(id) + start, separator, length) != 0));
}

Datum
hilo_tag(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(pattern_tag(PG_GETARG_TEXT_PP(0)));
}

/*
 * Return the id for a pattern, which may be NULL.  The call or, in a trigger,
 * the table is for the check of rights.  Use up no number if this fails.
 */
text *
document_id_resolve(text *pattern, FuncExpr *call, Oid table)
{
	text	   *id;

	switch (pattern_strategy(pattern))
	{
		case STRATEGY_GUID:
			return cstring_to_text(OidOutputFunctionCall(F_UUID_OUT,
														 DirectFunctionCall1(gen_random_uuid, (Datum) 0)));
		case STRATEGY_SERVER_SIDE:
			id = server_side_id(pattern);
			break;
		case STRATEGY_IDENTITY:
			id = identity_id(pattern, call, table);
			break;
		default:
			id = pattern;
	}
	document_id_require_final(id);
	return id;
}

/* Report an error unless an id that does not end with "|" is final. */
void
document_id_require_final(text *id)
{
	const char *bytes = VARDATA_ANY(id);
	int			length = VARSIZE_ANY_EXHDR(id);

	report_fault(id_fault(bytes, length, 0));
	if (pattern_last_part(bytes, length) == bytes + length)
		report_fault("It ends with the separator.");
}

Datum
document_id_parts(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	const char *bytes = VARDATA_ANY(id);
	const char *end = bytes + VARSIZE_ANY_EXHDR(id);
	const char *anchor = anchor_find(bytes, end);
	int			length = (anchor == bytes ? end : anchor - 1) - bytes;
	PatternNumber found = {.strategy = STRATEGY_SEMANTIC};
	const char *last_part;
	Datum		values[5] = {0};
	bool		nulls[5];

	if (is_guid(bytes, length))
		found.strategy = STRATEGY_GUID;
	else if (pattern_number(bytes, length, false, &found))
	{
		values[0] = piece_value(bytes, found.prefix_length);
		values[1] = Int64GetDatum(found.number);
		if (found.tag_length > 0)
			values[2] = piece_value(bytes + length - found.tag_length,
									found.tag_length);
	}
	else if ((last_part = pattern_last_part(bytes, length)) != NULL)
		values[0] = piece_value(bytes, last_part - bytes);
	if (anchor != bytes)
		values[3] = piece_value(anchor, end - anchor);
	values[4] = CStringGetTextDatum(pattern_strategy_names[found.strategy]);
	for (size_t i = 0; i < lengthof(values); i++)
		nulls[i] = values[i] == 0;
	PG_RETURN_DATUM(call_row(fcinfo, values, nulls));
}

static text *
server_side_id(text *prefix)
{
	int			length = VARSIZE_ANY_EXHDR(prefix);
	SessionEntry *entry;
	int64		number;

	report_fault(id_fault(VARDATA_ANY(prefix), length,
						  SERVER_SIDE_DIGITS + strlen("-A")));
	entry = session_tag_entry(CStringGetTextDatum(SERVER_SIDE_GENERATOR));
	number = next_id(entry, "document_id()", 0);
	return text_id(prefix, length, "", SERVER_SIDE_DIGITS, number,
				   entry->node_tag);
}

/* Return the next id of an identity: users/1 for users|. */
static text *
identity_id(text *pattern, FuncExpr *call, Oid table)
{
	const char *separator = hilo_identity_parts_separator;
	int			length = VARSIZE_ANY_EXHDR(pattern) - 1;
	SessionEntry *entry;

	report_fault(id_fault(VARDATA_ANY(pattern), length,
						  strlen(separator) + strlen("1")));
	entry = identity_entry(PointerGetDatum(pattern));
	if (OidIsValid(table))
		drawing_check_trigger(entry, table);
	else
		drawing_check_default(entry, call);
	return text_id(pattern, length, separator, 0,
				   next_id(entry, "document_id()", 0), "");
}

/*
 * Return what is wrong with an id that gets "more" bytes at its end, or NULL.
 */
static const char *
id_fault(const char *bytes, int length, int more)
{
	case_fold_check(bytes, length);
	if (length + more > ID_MAX_LENGTH ||
		(CASE_FOLD_BOUND(length) + more > ID_MAX_LENGTH &&
		 (int) VARSIZE_ANY_EXHDR(case_fold(bytes,
										   length)) + more > ID_MAX_LENGTH))
		return "It has more than 512 bytes in UTF-8.";

	for (int i = 0; i < length; i++)
	{
		unsigned char c = bytes[i];

		if (c < ' ' || c == 0x7F ||
			(c == 0xC2 && i + 1 < length &&
			 (unsigned char) bytes[i + 1] < 0xA0))
			return "It has a control character.";
	}
	return NULL;
}

static void
report_fault(const char *fault)
{
	if (fault != NULL)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid document id"), errdetail_internal("%s", fault));
}

static bool
is_guid(const char *bytes, int length)
{
	static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (length != (int) strlen(shape))
		return false;
	for (int i = 0; i < length; i++)
	{
		if ((shape[i] == '-') != (bytes[i] == '-'))
			return false;
		if (shape[i] != '-' &&
			strchr("0123456789abcdefABCDEF", bytes[i]) == NULL)
			return false;
	}
	return true;
}
