/* Where the ids of a generator come from, for the folders that take or raise them. */
#include "postgres.h"

#include "source/source.h"

/* Reserve a range where the ids come from, as store_take does. */
StoreResult
source_take(StoreRequest *request)
{
	Origin		origin = request->definition->origin;

	return origin == FROM_ROW ? store_take(request) :
		origin == FROM_ORM ? orm_source_take(request) : hub_take(request);
}

/* Raise the last id of an ORM or a hub, where it cannot be lowered, and return it. */
int64
source_seed(text *name, const Definition *definition, int64 incarnation, int64 value)
{
	return definition->origin == FROM_HUB ? hub_seed(name, definition, value) :
		orm_source_seed(name, definition, incarnation, value);
}

/* Take a range from elsewhere and note it in the row; one on its way at a raise is lost. */
StoreResult
source_receive(StoreRequest *request)
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
		range = request->definition->origin == FROM_ORM ?
			orm_source_ask(request, hi.reserved) : hub_ask(request, hi.reserved);
		range = range_clip(range, request->max_value);
		if (RangeIsEmpty(range) || (request->whole_block && RangeLength(range) < request->size))
			return STORE_EXHAUSTED;
		result = store_receive(request, range);
	} while (result == STORE_OK && request->incarnation != hi.incarnation);
	return result;
}
