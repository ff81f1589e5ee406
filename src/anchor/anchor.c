/*
 * The part of an id that says where its row lives, and its bucket.
 *
 * RavenDB (ShardHelper.cs) hashes the anchor of an id: what follows its last
 * "$", or the whole id.  So invoices/1$orders/54-B lives where orders/54-B
 * does.  A "$" as the first character does not count.  The lower case is
 * hashed.
 */
#include "postgres.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "anchor/anchor.h"

PG_FUNCTION_INFO_V1(anchor_bucket);
PG_FUNCTION_INFO_V1(anchor_of);
PG_FUNCTION_INFO_V1(anchor_to);

#define ANCHOR_BUCKETS 1048576	/* as many as RavenDB has */

static void require_final(const char *what, const char *id, int length);

/*
 * Return the bucket of an id.  Report an error if its lower case is too long.
 */
Datum
anchor_bucket(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	text	   *folded = text_fold(id);
	const char *bytes = VARDATA(folded);
	const char *end = (char *) folded + VARSIZE(folded);
	const char *anchor = anchor_find(bytes, end);

	definition_check_id(bytes, end - bytes, 0);
	PG_RETURN_INT32(XXH64(anchor, end - anchor, 0) % ANCHOR_BUCKETS);
}

Datum
anchor_of(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	const char *end = VARDATA_ANY(id) + VARSIZE_ANY_EXHDR(id);
	const char *anchor = anchor_find(VARDATA_ANY(id), end);

	PG_RETURN_TEXT_P(cstring_to_text_with_len(anchor, end - anchor));
}

/*
 * Append the anchor of the target to the id.  A former anchor of the id has no
 * effect then, because the last one counts.  Report an error if one of them is
 * no final id, if no id can have this anchor, or if the result is too long.
 */
Datum
anchor_to(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	text	   *target = PG_GETARG_TEXT_PP(1);
	const char *target_end = VARDATA_ANY(target) + VARSIZE_ANY_EXHDR(target);
	const char *anchor;
	text	   *result;

	require_final("id", VARDATA_ANY(id), VARSIZE_ANY_EXHDR(id));
	require_final("target", VARDATA_ANY(target), VARSIZE_ANY_EXHDR(target));

	anchor = anchor_find(VARDATA_ANY(target), target_end);
	if (anchor < target_end && *anchor == ANCHOR_SEPARATOR)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("cannot anchor an id to \"%s\"",
					   text_to_cstring(target)),
				errdetail("A \"%c\" does not begin an anchor when it is the first character of an id.",
						  ANCHOR_SEPARATOR));

	result = cstring_to_text(psprintf("%s%c%.*s", text_to_cstring(id),
									  ANCHOR_SEPARATOR,
									  (int) (target_end - anchor), anchor));
	/* this checks the length of the lower case */
	(void) DirectFunctionCall1(anchor_bucket, PointerGetDatum(result));
	PG_RETURN_TEXT_P(result);
}

/*
 * Report an error if an id is a pattern: empty, or with "/" or "|" at its end.
 */
static void
require_final(const char *what, const char *id, int length)
{
	if (length == 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("%s must not be empty", what));
	if (id[length - 1] == '/' || id[length - 1] == '|')
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("%s must not end with \"%c\"", what, id[length - 1]),
				errhint("Call document_id first, and anchor its result."));
}
