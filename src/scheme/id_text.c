/*
 * Ids as text: Crockford's base32, always 13 digits.
 *
 * So texts sort like their ids in collations with digits before letters.  Each
 * id has a single text: id_from_text reads only what id_text writes.
 */
#include "postgres.h"

#include "base/base.h"

PG_FUNCTION_INFO_V1(id_text);
PG_FUNCTION_INFO_V1(id_from_text);

/* the digits, and five symbols that are only check characters */
static const char symbols[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U";

#define BASE 32
#define CHECK_BASE 37			/* the number of symbols, a prime */
#define DIGITS 13				/* of 5 bits each: 63 bits */

Datum
id_text(PG_FUNCTION_ARGS)
{
	int64		id = PG_GETARG_INT64(0);
	char		digits[DIGITS + 1];
	int64		rest = id;

	id_domain_check("id", id, 1, PG_INT64_MAX);
	for (int i = DIGITS - 1; i >= 0; i--)
	{
		digits[i] = symbols[rest % BASE];
		rest /= BASE;
	}
	digits[DIGITS] = symbols[id % CHECK_BASE];
	PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, PG_GETARG_BOOL(1) ?
											  DIGITS + 1 : DIGITS));
}

Datum
id_from_text(PG_FUNCTION_ARGS)
{
	text	   *source = PG_GETARG_TEXT_PP(0);
	bool		with_check = PG_GETARG_BOOL(1);
	const char *bytes = VARDATA_ANY(source);
	bool		is_valid =
		VARSIZE_ANY_EXHDR(source) == (with_check ? DIGITS + 1 : DIGITS);
	uint64		id = 0;

	for (int i = 0; is_valid && i < DIGITS; i++)
	{
		const char *place = memchr(symbols, bytes[i], BASE);

		is_valid = place != NULL && (i > 0 || place < symbols + BASE / 4);
		id = id * BASE + (is_valid ? place - symbols : 0);
	}
	if (!is_valid || (with_check && bytes[DIGITS] != symbols[id % CHECK_BASE]))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				errmsg("invalid text of an id: \"%s\"",
					   text_to_cstring(source)),
				errdetail("It must have 13 digits, plus the check character if with_check is true. A digit is 0 to 9 or A to Z without I, L, O and U, and the first is at most 7."));
	id_domain_check("id", (int64) id, 1, PG_INT64_MAX);
	PG_RETURN_INT64((int64) id);
}
