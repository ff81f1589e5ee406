/*
 * The generators of the load.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"

#define SCATTER_MASK ((INT64_C(1) << SCATTER_BITS) - 1)

/*
 * Small ranges, and a max_value that keeps windows as small: sessions meet in the store,
 * and a crash meets a fresh window.
 */
static const Generator fixed[FIXED_GENERATORS] = {
	{SESSION, "single", 1, 250000, 1, 8},
	{SESSION, "small", 1, 500000, 4, 16},
	{SESSION, "adaptive", 1000, INT64_MAX, 32, 1048576},
	{SESSION, "middle", 1, 1000000, 8, 32},
	{SESSION, "narrow", 100, 5000, 8, 8},
	{SESSION, "bulk", 1, INT64_MAX, 1000, 1048576},
	{GLOBAL, "order", 1, 500000, 4, 16},
	{GLOBAL, "window", 10, INT64_MAX, 32, 1048576},
	{SCATTERED, "spread", 1, SCATTER_MASK, 4, 64},
	{IDENTITY, "people|", 1, INT64_MAX, 32, 1048576},
	{DOCUMENT, "|", 1, INT64_MAX, 32, 1048576},
	{GAPLESS, "invoices", 1, INT64_MAX, 1, 1},
	{GAPLESS, "receipts", 1, INT64_MAX, 1, 1},
	{SERIES, "1", 1, INT64_MAX, 1, 1},
	{SERIES, "2", 1, INT64_MAX, 1, 1},
	{ADOPTED, "orders", 1, INT64_MAX, 10, 10},
	{ADOPTED, "singles", 1, INT64_MAX, 1, 1},
	{ADOPTED, "products", 1, INT64_MAX, 10, 10},
	{ADOPTED, "docs", 1, INT64_MAX, 10, 10},
	{DECIMAL, "decimal", 1, INT64_MAX, 1, 1},
	{TRACE, "trace", 1, INT64_MAX, 1, 1},
	{HUB, "far", 1, INT64_MAX, 4, 16},
	{HUB_IDENTITY, "tickets|", 1, INT64_MAX, 32, 1048576},
	{JOINS, "months", 1, INT64_MAX, 8, 32},
	{JOINS, "weeks", 1, INT64_MAX, 8, 32},
	{JOINS, "years", 1, INT64_MAX, 1, 1},
	{JOINS, "fresh", 1, INT64_MAX, 32, 1048576},
};

/* what a first use makes */
static const Generator first_use = {SESSION, NULL, 1, INT64_MAX, 32, 1048576};

/*
 * Picks a generator of the client's kinds: mostly one of the fixed, else one
 * whose first use was a moment ago, or is this one, for several clients at
 * once.
 */
int
any_generator(void)
{
	int			newest = shared->newest;
	int			generator;

	if (!(options.parts & FIRST_USE) || !one_in(10))
	{
		do
			generator = (int) random_below(FIXED_GENERATORS);
		while (!(options.parts & fixed[generator].kind));
		return generator;
	}

	if (one_in(50) && FIXED_GENERATORS + newest + 3 < MAX_GENERATORS)
		shared->newest++;
	generator = newest - (int) random_below(3);
	return FIXED_GENERATORS + (generator > 0 ? generator : 0);
}

/*
 * Return the name of a generator, in one or another case.
 */
const char *
generator_name(int generator)
{
	static char name[32];

	if (generator < FIXED_GENERATORS)
		snprintf(name, sizeof(name), "%s", fixed[generator].name);
	else
		snprintf(name, sizeof(name), "first use %d", generator);
	if (one_in(8))
		name[0] = (char) toupper((unsigned char) name[0]);
	return name;
}

/*
 * Return the generator of a name in lower case, -1 if it is none of ours.
 */
int
generator_number(const char *name)
{
	int			generator;

	for (generator = 0; generator < FIXED_GENERATORS; generator++)
	{
		if (strcmp(name, fixed[generator].name) == 0)
			return generator;
	}
	return sscanf(name, "first use %d", &generator) == 1 ? generator : -1;
}

const Generator *
generator_of(int generator)
{
	return generator < FIXED_GENERATORS ? &fixed[generator] : &first_use;
}

/*
 * Check whether this is a good time to make the generator again: it is used up,
 * or was made again a moment ago, so that the sessions still hold ids that it
 * is about to reach.
 */
bool
generator_is_ripe(int generator)
{
	const Generator *of = generator_of(generator);
	int64_t		highest = shared->highest[generator];

	return highest > of->max_value - of->range_size ||
		(shared->incarnation[generator] > 0 && highest < of->first + 100);
}

/*
 * Return the id that the generator counts for one that came: scattered ids are
 * put back in their order, as id_gather does.
 */
int64_t
generator_id(int generator, int64_t id)
{
	uint64_t	gathered = (uint64_t) id;
	int			shift = (SCATTER_BITS + 1) / 2;

	if (generator_of(generator)->kind != SCATTERED)
		return id;
	gathered ^= gathered >> shift;
	gathered = (gathered * UINT64_C(0x9cb4b2f8129337db)) & SCATTER_MASK;
	gathered ^= gathered >> shift;
	gathered = (gathered * UINT64_C(0x4f74430c22a54005)) & SCATTER_MASK;
	gathered ^= gathered >> shift;
	return (int64_t) gathered;
}
