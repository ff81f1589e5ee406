/*
 * The ranges that this session holds.
 *
 * A range is taken out of an entry before it is given back: an error then
 * costs a gap, never a repeat.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "session/session.h"

PG_FUNCTION_INFO_V1(hilo_release);
PG_FUNCTION_INFO_V1(hilo_session);

/*
 * hilo_release(name): gives back what this session holds of a generator, or
 * of all it may use.  Waits for nobody: what somebody else has in hand at the
 * moment is lost.
 */
Datum
hilo_release(PG_FUNCTION_ARGS)
{
	text	   *name = PG_ARGISNULL(0) ? NULL : definition_argument(fcinfo);
	int64		ids = 0;

	catalog_require_writable("hilo_release()");
	for (SessionEntry *entry = session_latest_entry; entry != NULL;
		 entry = entry->older)
	{
		Definition	definition;

		/* if it was dropped, what is held is lost anyway */
		if ((name != NULL && !text_equal(entry->name, name)) ||
			session_held(entry) == 0 ||
			!definition_find(entry->name, &definition, NULL))
			continue;
		if (name != NULL)
			session_require_use(entry, &definition);
		else if (!privilege_may_use(entry->name, &definition,
									GetUserId()))
			continue;
		ids += session_give_back(entry, true);
	}
	PG_RETURN_INT64(ids);
}

Datum
hilo_session(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (SessionEntry *entry = session_latest_entry; entry != NULL;
		 entry = entry->older)
	{
		int64		current = session_current(entry);
		bool		is_empty = session_held(entry) == 0;
		Datum		values[] = {
			PointerGetDatum(entry->written),
			Int64GetDatum(session_id(entry, current)),
			Int64GetDatum(entry->handed_out + 1),
			Int64GetDatum(entry->range.high),
			CStringGetTextDatum(entry->node_tag)
		};
		bool		nulls[] = {false, current == 0, is_empty, is_empty, is_empty};
		Definition	definition;
		FormData_hilo_hi hi;

		if (definition_find(entry->name, &definition, NULL) &&
			privilege_may_use(entry->name, &definition,
							  GetUserId()) &&
			store_read(entry->name, &hi) &&
			hi.incarnation == entry->incarnation)
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values,
								 nulls);
	}
	return (Datum) 0;
}

/*
 * Make an entry ready to hand out at least one id, from a range carved now if
 * need be; wanted says how many ids the caller knows it will need.
 *
 * The life word is read once more after the range was carved: whatever ended
 * its life before that is seen, and what ends it later closes the window.
 * Return false if somebody else holds the ids now, as the generator was
 * altered.
 */
bool
session_fill(SessionEntry *entry, const char *function, int64 wanted)
{
	const Definition *definition = &entry->definition;

	while (entry->handed_out >= entry->stop || !session_knows(entry))
	{
		if (!session_knows(entry))
			session_check(entry, function);
		else if (definition->holder != HELD_BY_SESSION)
			return false;
		else if (session_held(entry) > 0)
			shared_reserve_ahead(entry);
		else if (!shared_carve(entry, Min(Max(definition->range_size, wanted),
										  definition->max_range_size), function))
			return false;
	}
	return true;
}

/*
 * Give back what the entry holds, if it may be returned; return how many ids,
 * 0 if they are lost.  Waits for nothing.
 */
int64
session_give_back(SessionEntry *entry, bool may_return)
{
	Range		range = session_take_rest(entry);
	int64		ids = RangeLength(range);

	if (ids == 0 || (may_return && shared_give_back(entry, range)))
		return ids;
	tally(entry->incarnation, TALLY_LOST, ids);
	tally(entry->incarnation, TALLY_HANDED_OUT, -ids);
	return 0;
}
