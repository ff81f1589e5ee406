/*-------------------------------------------------------------------------
 *
 * case_fold.c
 *	  RavenDB's lower-casing of document ids.
 *
 * RavenDB (DocumentIdWorker.cs) sets bit 0x20 in A to Z; an id that is not
 * all ASCII goes through .NET's char.ToLowerInvariant, one UTF-16 code unit
 * after the other.  We follow what that does on Linux with ICU, which is how
 * RavenDB's own images run (GlobalizationNative_ChangeCaseInvariant in
 * pal_casing.c of dotnet/runtime): u_tolower(), that is Unicode's simple
 * lowercase mapping, but U+0130, I with dot above, stays.  So
 *	- one character becomes one character, whatever stands around it and
 *	  whatever the locale: a capital sigma at the end is not a final sigma;
 *	- characters beyond the BMP stay, since a surrogate has no lower case.
 * The table that .NET 8 and later use without ICU is made by the same rule;
 * earlier versions without ICU, and Windows' NLS, lower fewer characters.
 *
 * Our table is that of one Unicode version, 15.0, and not the server's or its
 * ICU's, for indexes and stored names must not change under a later library.
 * In the BMP it is what ICU 70 to 74 have; ICU 76 lowers five letters more
 * that were new in Unicode 16 (U+1C89, U+A7CB, U+A7CC, U+A7DA, U+A7DC).
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/case_fold.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_conversion.h"
#include "catalog/pg_namespace.h"
#include "common/hashfn.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "case_fold.h"
#include "case_fold_table.h"
#include "compat.h"

PG_FUNCTION_INFO_V1(docid_fold);

/*
 * Room for one character in any encoding, and for the reserve without which
 * pg_do_encoding_conversion_buf() does not convert it whole.  In UTF-8 it may
 * be two code points (EUC_JIS_2004 has such characters), and folded more.
 */
#define CONVERTED_SIZE \
	(CASE_FOLD_UTF8_BOUND(2 * MAX_MULTIBYTE_CHAR_LEN) * MAX_CONVERSION_GROWTH + 1)

/*
 * The way from the database's encoding to UTF-8 and back.
 */
typedef struct Conversion
{
	int			encoding;
	Oid			to_utf8;		/* InvalidOid: there is none */
	Oid			from_utf8;
} Conversion;

static bool is_utf8(const char *bytes, int length);
static text *fold_by_conversion(const char *bytes, int length);
static void append_folded(StringInfo dst, const char *src, int length,
						  const Conversion *conversion);
static bool convert_character(Oid procedure, int from, int to,
							  const char *src, int length, char *dst);
static int	fold_utf8_character(const char *src, int length, char *dst);
static pg_wchar lower_code_point(pg_wchar code);
static char lower_ascii(char c);

/*
 * docid_fold(id): the document id in RavenDB's lower case.
 */
Datum
docid_fold(PG_FUNCTION_ARGS)
{
	char	   *id = text_to_cstring(PG_GETARG_TEXT_PP(0));

	PG_RETURN_TEXT_P(case_fold(id, strlen(id)));
}

/*
 * Gives the lower case of the bytes, which are in the database's encoding, as
 * a new text in that encoding.  Never fails but for lack of memory: where the
 * encoding is not UTF-8, a character that Unicode does not have, or whose
 * lower case the encoding does not have, stays as it is.
 */
text *
case_fold(const char *bytes, int length)
{
	char	   *folded;
	text	   *result;

	if (!is_utf8(bytes, length))
		return fold_by_conversion(bytes, length);

	folded = palloc(CASE_FOLD_UTF8_BOUND(length));
	result = cstring_to_text_with_len(folded,
									  case_fold_utf8(bytes, length, folded));
	pfree(folded);
	return result;
}

/*
 * Writes the lower case of length bytes of UTF-8 to dst, which has room for
 * CASE_FOLD_UTF8_BOUND(length) and does not overlap src, and gives how many
 * bytes it wrote (no NUL follows).  The bound also holds for bytes that are
 * not valid UTF-8, but what becomes of them is open.
 */
int
case_fold_utf8(const char *src, int length, char *dst)
{
	const char *end = src + length;
	char	   *start = dst;

	while (src < end)
	{
		if (!IS_HIGHBIT_SET(*src))
			*dst++ = lower_ascii(*src++);
		else
		{
			int			n = pg_utf_mblen((const unsigned char *) src);

			if (n > end - src)
				n = 1;
			dst += fold_utf8_character(src, n, dst);
			src += n;
		}
	}
	return dst - start;
}

/*
 * Gives a hash of a folded text.
 */
uint32
case_fold_hash(text *folded)
{
	return hash_bytes((unsigned char *) VARDATA_ANY(folded),
					  VARSIZE_ANY_EXHDR(folded));
}

/*
 * Says whether bytes in the database's encoding are UTF-8, as what is in SQL_ASCII
 * may be.
 */
static bool
is_utf8(const char *bytes, int length)
{
	return GetDatabaseEncoding() == PG_UTF8 ||
		(GetDatabaseEncoding() == PG_SQL_ASCII &&
		 pg_verify_mbstr(PG_UTF8, bytes, length, true));
}

/*
 * Does case_fold's work for encodings other than UTF-8, one character after
 * the other, so that one which cannot be converted costs nothing but itself.
 * Where there is no conversion (SQL_ASCII and MULE_INTERNAL) that is every
 * character but ASCII's.
 */
static text *
fold_by_conversion(const char *bytes, int length)
{
	const char *end = bytes + length;
	Conversion	conversion;
	StringInfoData folded;
	text	   *result;

	/* core's own conversions, whatever the search_path puts before them */
	conversion.encoding = GetDatabaseEncoding();
	conversion.to_utf8 = FindDefaultConversion(PG_CATALOG_NAMESPACE,
											   conversion.encoding, PG_UTF8);
	conversion.from_utf8 = FindDefaultConversion(PG_CATALOG_NAMESPACE,
												 PG_UTF8, conversion.encoding);

	initStringInfo(&folded);
	while (bytes < end)
	{
		int			n = pg_encoding_verifymbchar(conversion.encoding, bytes,
												 end - bytes);

		n = Max(n, 1);			/* a byte that is not valid stands alone */
		append_folded(&folded, bytes, n, &conversion);
		bytes += n;
	}
	result = cstring_to_text_with_len(folded.data, folded.len);
	pfree(folded.data);
	return result;
}

/*
 * Appends the lower case of one character in the database's encoding; the
 * character itself where it has none there.
 */
static void
append_folded(StringInfo dst, const char *src, int length,
			  const Conversion *conversion)
{
	char		utf8[CONVERTED_SIZE];
	char		lower_utf8[CONVERTED_SIZE];
	char		lower[CONVERTED_SIZE];

	if (!IS_HIGHBIT_SET(*src))
	{
		appendStringInfoChar(dst, lower_ascii(*src));
		return;
	}

	if (convert_character(conversion->to_utf8, conversion->encoding, PG_UTF8,
						  src, length, utf8))
	{
		lower_utf8[case_fold_utf8(utf8, strlen(utf8), lower_utf8)] = '\0';
		if (strcmp(utf8, lower_utf8) != 0 &&
			convert_character(conversion->from_utf8, PG_UTF8,
							  conversion->encoding,
							  lower_utf8, strlen(lower_utf8), lower))
		{
			appendStringInfoString(dst, lower);
			return;
		}
	}
	appendBinaryStringInfo(dst, src, length);
}

/*
 * Converts the bytes of one character to dst, which has CONVERTED_SIZE bytes,
 * and ends them with a NUL.  Gives false, with dst undefined, where the other
 * encoding does not have the character or there is no procedure.
 */
static bool
convert_character(Oid procedure, int from, int to,
				  const char *src, int length, char *dst)
{
	if (!OidIsValid(procedure))
		return false;
	return pg_do_encoding_conversion_buf(procedure, from, to,
										 (unsigned char *) src, length,
										 (unsigned char *) dst, CONVERTED_SIZE,
										 true) == length;
}

/*
 * Writes the lower case of one character of length bytes and gives its length,
 * which is at most one more, and that only if length is 2.
 */
static int
fold_utf8_character(const char *src, int length, char *dst)
{
	if (length == 2 || length == 3) /* no other is in the table */
	{
		pg_wchar	code = utf8_to_unicode((const unsigned char *) src);
		pg_wchar	lower = lower_code_point(code);

		if (lower != code)
		{
			unicode_to_utf8(lower, (unsigned char *) dst);
			return pg_utf_mblen((unsigned char *) dst);
		}
	}
	memcpy(dst, src, length);
	return length;
}

/*
 * Gives the simple lowercase mapping of a code point above ASCII, as .NET's
 * invariant culture has it; the code point itself if it has none.
 */
static pg_wchar
lower_code_point(pg_wchar code)
{
	int			low = 0;
	int			high = lengthof(case_fold_ranges) - 1;

	while (low <= high)
	{
		int			middle = (low + high) / 2;
		const CaseFoldRange *range = &case_fold_ranges[middle];

		if (code < range->first)
			high = middle - 1;
		else if (code > range->last)
			low = middle + 1;
		else if ((code - range->first) % range->step == 0)
			return code + range->delta;
		else
			break;
	}
	return code;
}

/*
 * Gives the lower case of A to Z, and any other byte as it is.
 */
static char
lower_ascii(char c)
{
	return (c >= 'A' && c <= 'Z') ? c | 0x20 : c;
}
