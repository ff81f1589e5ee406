/*
 * A client's choices: the same seed gives the same ones.
 */
#include "recorder.h"

static uint64_t state;

void
random_start(uint64_t seed)
{
	state = seed;
}

/*
 * Return a number from 0 to bound - 1 (splitmix64).
 */
uint64_t
random_below(uint64_t bound)
{
	uint64_t	z = (state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return (z ^ (z >> 31)) % bound;
}

bool
one_in(uint64_t chances)
{
	return random_below(chances) == 0;
}
