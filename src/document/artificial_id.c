/*
 * Ids that are made of a key: the same key, the same id.
 *
 * The id is a hash, XXH64 with seed 0, over the parts of the key as text.
 * Each part is what a field is in a row of binary COPY: its length as four
 * bytes in network order, -1 for NULL, then its bytes, in UTF-8.  So neither
 * where a part ends nor the server's byte order or encoding is left open.
 * The "x" before its digits keeps the id from being read as a number.
 *
 * Text is what the output function of the type gives under the settings of the
 * SQL function, the way postgres_fdw sends values to other servers: the
 * session's DateStyle and its like have no part in it.
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
