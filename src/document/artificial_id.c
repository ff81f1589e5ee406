/*
 * Ids that are made from a key: the same key always gives the same id.
 *
 * The id is a hash, XXH64 with seed 0, over the parts of the key as text.
 * Each part is written like a field in binary COPY: its length as four bytes in
 * network order, -1 for NULL, then its bytes in UTF-8.  So different keys never
 * have the same bytes, and every server has the same ones for a key.  The "x"
 * before the digits keeps the id from being read as a number.
 *
 * The text of a part is that of the type's output function under the settings
 * of the SQL function, like in postgres_fdw.  The session's DateStyle and
 * similar settings do not change it.
 */
#include "postgres.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "libpq/pqformat.h"

#include "document/document_id.h"

PG_FUNCTION_INFO_V1(artificial_id);

Datum
artificial_id(PG_FUNCTION_ARGS)
{
	StringInfoData key;
	text	   *id;
	uint64		hash;
	Datum	   *values;
	Oid		   *types;
	bool	   *nulls;
	int			nparts;

	argument_require(fcinfo, 0, "collection");
	pattern_refuse(PG_GETARG_TEXT_PP(0));
	nparts = extract_variadic_args(fcinfo, 1, true, &values, &types, &nulls);
	if (nparts < 0)
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("key must not be a null array"));

	initStringInfo(&key);
	for (int i = 0; i < nparts; i++)
	{
		Oid			output;
		bool		is_varlena;
		char	   *part;

		if (nulls[i])
		{
			pq_sendint32(&key, (uint32) -1);
			continue;
		}
		getTypeOutputInfo(types[i], &output, &is_varlena);
		part = OidOutputFunctionCall(output, values[i]);
		case_fold_check(part, strlen(part));
		pq_sendint32(&key, strlen(part));
		appendStringInfoString(&key, part);
	}

	hash = XXH64(key.data, key.len, 0);
	id = cstring_to_text(psprintf("%s/x%016llx",
								  text_to_cstring(PG_GETARG_TEXT_PP(0)),
								  (unsigned long long) hash));
	document_id_require_final(id);
	PG_RETURN_TEXT_P(id);
}
