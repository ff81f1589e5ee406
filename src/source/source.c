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
