/*-------------------------------------------------------------------------
 *
 * utf8.c
 *	  Text in UTF-8, whatever the database's encoding.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/utf8.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_conversion.h"
#include "catalog/pg_namespace.h"
#include "mb/pg_wchar.h"

#include "compat.h"
#include "utf8.h"

/*
 * Gives the UTF-8 form of bytes that are in the database's encoding; the bytes
 * themselves where that is UTF-8 or has no conversion (SQL_ASCII and
 * MULE_INTERNAL), else a copy in the current memory context.
 *
 * Where Unicode has not one of the characters: NULL if missing_ok, else an
 * error.
 */
const char *
utf8_form(const char *bytes, int length, bool missing_ok, int *utf8_length)
{
	int			encoding = GetDatabaseEncoding();
	Oid			procedure = InvalidOid;
	Size		size = (Size) length * MAX_CONVERSION_GROWTH + 1;
	char	   *utf8;

	/* core's own conversion, whatever the search_path puts before it */
	if (encoding != PG_UTF8)
		procedure = FindDefaultConversion(PG_CATALOG_NAMESPACE, encoding,
										  PG_UTF8);
	*utf8_length = length;
	if (!OidIsValid(procedure))
		return bytes;
	if (size > PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("text is too long to be converted to UTF-8"),
				 errdetail("It has %d bytes.", length)));

	utf8 = MemoryContextAllocHuge(CurrentMemoryContext, size);
	if (pg_do_encoding_conversion_buf(procedure, encoding, PG_UTF8,
									  (unsigned char *) bytes, length,
									  (unsigned char *) utf8, (int) size,
									  missing_ok) < length)
		return NULL;
	*utf8_length = strlen(utf8);
	return utf8;
}

/*
 * Says whether two texts are the same, byte by byte.
 */
bool
text_equal(text *text1, text *text2)
{
	return VARSIZE_ANY_EXHDR(text1) == VARSIZE_ANY_EXHDR(text2) &&
		memcmp(VARDATA_ANY(text1), VARDATA_ANY(text2),
			   VARSIZE_ANY_EXHDR(text1)) == 0;
}
