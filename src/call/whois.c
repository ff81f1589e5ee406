/*
 * hilo_whois: when, by whom and where an id was taken.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "utils/acl.h"
#include "utils/builtins.h"

#include "call/call.h"
#include "source/source.h"

PG_FUNCTION_INFO_V1(hilo_whois);

static bool is_not_taken(text *name, const Definition *definition, int64 id);

/*
 * hilo_whois(name, id): who took the id is shown to roles that may know that of
 * the session, as in pg_stat_activity, and to the owner of the generator.
 */
Datum
hilo_whois(PG_FUNCTION_ARGS)
{
	text	   *name = definition_argument(fcinfo);
	const char *status = "unknown";
	Definition	definition;
	int			bits;
	int64		id;
	FormData_hilo_hi hi;
	Datum		entry[Natts_ledger];
	Datum		values[8] = {0};
	bool		nulls[8];

	argument_require(fcinfo, 1, "id");
	definition = definition_get(name);
	privilege_require_see(name, &definition);
	id = PG_GETARG_INT64(1);
	/* to the number that it stands for, 0 if it is none of the generator's */
	bits = definition_scatter_bits(&definition);
	if (bits > 0)
		id = id < 1 || id > id_domain_max(bits) ? 0 : scatter_gather(id, bits);

	memset(nulls, true, sizeof(nulls));
	if (is_not_taken(name, &definition, id))
		status = "not taken";
	else if (store_read(name, &hi) && ledger_find(hi.incarnation, id, entry))
	{
		Oid			taker = DatumGetObjectId(entry[Anum_ledger_role_id - 1]);

		status = "taken";
		memset(nulls, false, sizeof(nulls));
		values[1] = entry[Anum_ledger_low - 1];
		values[2] = entry[Anum_ledger_high - 1];
		values[3] = entry[Anum_ledger_taken_at - 1];
		values[4] = entry[Anum_ledger_role - 1];
		values[5] = entry[Anum_ledger_application - 1];
		values[6] = entry[Anum_ledger_node - 1];
		values[7] = entry[Anum_ledger_backend - 1];
		/* the role that took it may be gone */
		nulls[4] = nulls[5] = nulls[7] =
			!has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) &&
			!has_privs_of_role(GetUserId(), taker) &&
			!privilege_may_change(name, GetUserId());
	}
	values[0] = CStringGetTextDatum(status);
	nulls[0] = false;
	PG_RETURN_DATUM(call_row(fcinfo, values, nulls));
}

/*
 * Check whether it is known that an id was not taken: it is none, lies above
 * what is reserved, or below the first one.  An ORM may have taken by itself
 * what lies above or below, and "first" was never raised above ids in use if
 * the epoch was never changed.
 */
static bool
is_not_taken(text *name, const Definition *definition, int64 id)
{
	FormData_hilo_hi hi;

	if (id < 1)
		return true;
	if (source_of(definition)->has_others)
		return false;
	return id > generator_last(name, definition) ||
		(id < definition->first && store_read(name, &hi) && hi.epoch == 0);
}
