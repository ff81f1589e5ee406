/*-------------------------------------------------------------------------
 *
 * window.h
 *	  A window of ids in shared memory, as a session knows it.
 *
 * The counter of a window is one word: the generation of the window and how
 * many of its ids are taken.  One atomic step both takes an id and tells of
 * which window it is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_WINDOW_H
#define HILO_WINDOW_H

#include "port/atomics.h"

#define WINDOW_OFFSET_BITS 24
#define WINDOW_MAX_GENERATION (PG_UINT64_MAX >> WINDOW_OFFSET_BITS)

/* what an offset can count beyond these is for calls that come too late */
#define WINDOW_MAX_LENGTH INT64CONST(0x400000)
#define WINDOW_CLOSED INT64CONST(0x800000)

#define WordGeneration(word) ((word) >> WINDOW_OFFSET_BITS)
#define WordOffset(word) \
	((word) & ((UINT64CONST(1) << WINDOW_OFFSET_BITS) - 1))
#define MakeWord(generation, offset) \
	((generation) << WINDOW_OFFSET_BITS | (offset))

/*
 * A session's copy of a window.  A window never changes while its generation
 * is in the word.
 */
typedef struct SessionWindow
{
	pg_atomic_uint64 *word;
	uint64		generation;
	int64		low;
	uint64		length;			/* no ids beyond */
	uint64		limit;			/* have a second look from here on; 0: none */
	uint64		tenancy;		/* of the slot; 0: has no part in any */
} SessionWindow;

#endif							/* HILO_WINDOW_H */
