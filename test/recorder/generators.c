/*-------------------------------------------------------------------------
 *
 * generators.c
 *	  The generators of the load.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  test/recorder/generators.c
 *
 *-------------------------------------------------------------------------
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"

/* Small ranges: sessions meet in the store, and a crash meets a fresh one. */
static const Generator fixed[FIXED_GENERATORS] = {
	{"single", 1, INT64_MAX, 1, 8, false},
	{"small", 1, INT64_MAX, 4, 16, false},
	{"adaptive", 1000, INT64_MAX, 32, 1048576, false},
	{"recycled", 1, INT64_MAX, 8, 32, true},
	{"narrow", 100, 5000, 8, 8, true},
};

/* what a first use makes */
static const Generator first_use = {NULL, 1, INT64_MAX, 32, 1048576, false};

/*
 * Picks a generator: mostly one of the fixed, else one whose first use was a
 * moment ago, or is this one, for several clients at once.
 */
int
any_generator(void)
{
	int			newest = shared->newest;
	int			candidate;

	if (!one_in(5))
		return (int) random_below(FIXED_GENERATORS);

	if (one_in(50) && FIXED_GENERATORS + newest + 3 < MAX_GENERATORS)
		shared->newest++;
	candidate = newest - (int) random_below(3);
	return FIXED_GENERATORS + (candidate > 0 ? candidate : 0);
}

/*
 * Gives the name of a generator, in one or another case.
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
 * Gives the generator of a name in lower case, -1 if it is none of ours.
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
 * Says whether this is a good time to make the generator again: it is used up,
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
