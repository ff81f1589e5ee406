/*
 * RavenDB's lower-casing of document ids.
 *
 * An id that is not all ASCII goes through .NET's char.ToLowerInvariant, one
 * UTF-16 code unit after the other.  On Linux with ICU, as in RavenDB's images,
 * that is Unicode's simple lowercase mapping, except that U+0130, I with dot
 * above, stays.  So each character becomes one character, in every context and
 * locale, and characters beyond the BMP stay.
 *
 * The table is always that of Unicode 15.0, not that of the server or its ICU:
 * a later library must not change indexes and stored names.
 *
 * Names and ids beyond ASCII need a database in UTF8.  In other encodings the
 * same name would have other bytes, and other letters would have a lower case.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "base/base.h"
#include "base/case_fold_table.h"

PG_FUNCTION_INFO_V1(docid_fold);

/* three numbers of case_fold_table; delta 1: every second letter */
typedef struct CaseFoldRange
{
	int32		first;
	int32		last;
	int32		delta;
} CaseFoldRange;

static pg_wchar lower_code_point(pg_wchar code);
static int	compare_with_range(const void *code, const void *element);

Datum
docid_fold(PG_FUNCTION_ARGS)
{
	char	   *id = text_to_cstring(PG_GETARG_TEXT_PP(0));

	PG_RETURN_TEXT_P(case_fold(id, strlen(id)));
}

/*
 * Return the lower case of a name or an id.  Report an error if it is beyond
 * ASCII and the database is not in UTF8.  The result for bytes that are not
 * UTF-8 is undefined.
 */
text *
case_fold(const char *bytes, int length)
{
	text	   *folded = palloc(VARHDRSZ + CASE_FOLD_BOUND(length));
	const char *end = bytes + length;
	char	   *dst = VARDATA(folded);

	case_fold_check(bytes, length);
	while (bytes < end)
	{
		if (!IS_HIGHBIT_SET(*bytes))
		{
			*dst = *bytes++;
			if (*dst >= 'A' && *dst <= 'Z')
				*dst |= 0x20;
			dst++;
		}
		else
		{
			int			n = pg_utf_mblen((const unsigned char *) bytes);
			pg_wchar	code = 0;

			if (n > end - bytes)
				n = 1;
			if (n == 2 || n == 3)	/* no other is in the table */
				code =
					lower_code_point(utf8_to_unicode((const unsigned char *) bytes));
			if (code != 0)
				dst += pg_utf_mblen(unicode_to_utf8(code,
													(unsigned char *) dst));
			else
			{
				memcpy(dst, bytes, n);
				dst += n;
			}
			bytes += n;
		}
	}
	SET_VARSIZE(folded, dst - (char *) folded);
	return folded;
}

/* Report an error unless the bytes can be a name or an id. */
void
case_fold_check(const char *bytes, int length)
{
	if (!case_fold_is_possible(bytes, length))
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("names and ids with non-ASCII characters need a database with encoding UTF8"),
				errdetail("The encoding of this database is %s.",
						  GetDatabaseEncodingName()),
				errhint("Create the database with ENCODING 'UTF8', or use ASCII only."));
}

/* Check whether bytes can be a name or an id: in UTF8, or in ASCII. */
bool
case_fold_is_possible(const char *bytes, int length)
{
	if (GetDatabaseEncoding() == PG_UTF8)
		return true;
	while (length > 0 && !IS_HIGHBIT_SET(bytes[length - 1]))
		length--;
	return length == 0;
}

/*
 * Return a name in lower case, to compare it with tags, if a tag can have it.
 */
text *
case_fold_name(const char *name)
{
	int			length = strlen(name);

	if (!case_fold_is_possible(name, length))
		return cstring_to_text(name);
	return case_fold(name, length);
}

/* Return the lower case of a code point above ASCII, 0 if it has none. */
static pg_wchar
lower_code_point(pg_wchar code)
{
	const CaseFoldRange *range =
		bsearch(&code, case_fold_table, lengthof(case_fold_table) / 3,
				sizeof(CaseFoldRange), compare_with_range);

	if (range == NULL ||
		(range->delta == 1 && (code - range->first) % 2 != 0))
		return 0;
	return code + range->delta;
}

static int
compare_with_range(const void *code, const void *element)
{
	const CaseFoldRange *range = element;
	int32		number = *(const pg_wchar *) code;

	if (number < range->first)
		return -1;
	return number > range->last;
}
