/*
 * Where the ids of a generator come from, for the folders that take or raise
 * them.
 */
#include "postgres.h"

#include "source/source.h"

/* Reserve a range in the source of the ids, like store_take. */
StoreResult
source_take(StoreRequest *request)
{
	Origin		origin = request->definition->origin;

	if (origin == FROM_ROW)
		return store_take(request);
	if (origin == FROM_ORM)
		return orm_source_take(request);
	return hub_take(request);
}

/* Raise the last id of an ORM or a hub, which never falls, and return it. */
int64
source_seed(text *name, const Definition *definition, int64 value)
{
	if (definition->origin == FROM_HUB)
		return hub_seed(name, definition, value);
	return orm_source_seed(name, value);
}
