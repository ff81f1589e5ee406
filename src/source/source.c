/*
 * Where the ids of a generator come from.
 *
 * Nothing above this folder asks which source a generator has in order to take
 * ids or to seed it: it calls what source_of returns.
 */
#include "postgres.h"

#include "source/source.h"

static const Source sources[] = {
	[FROM_ROW] = {
		.take = store_take,
	},
	/* it is somebody else's: no more is taken than is needed */
	[FROM_ORM] = {
		.take = orm_source_take,
		.seed = orm_source_seed,
		.has_others = true,
	},
	[FROM_HUB] = {
		.take = hub_take,
		.seed = hub_seed,
		.is_remote = true,
	},
};

const Source *
source_of(const Definition *definition)
{
	return &sources[definition->origin];
}

/*
 * Take a range from elsewhere and note it in the generator's row.  A range that
 * was on its way when the generator was raised is lost.
 */
StoreResult
source_receive(const StoreRequest *request, StoreRange *taken, SourceAsk ask,
			   void *arg)
{
	FormData_hilo_hi hi;
	StoreResult result;

	do
	{
		Range		range;

		if (!store_read(request->name, &hi))
			return STORE_GONE;
		if (hi.reserved >= request->max_value)
			return STORE_EXHAUSTED;
		range = range_clip(ask(request, hi.reserved, arg), request->max_value);
		if (RangeIsEmpty(range) ||
			(request->whole_block && RangeLength(range) < request->size))
			return STORE_EXHAUSTED;
		result = store_receive(request, range, taken);
	} while (result == STORE_OK && taken->incarnation != hi.incarnation);
	return result;
}
