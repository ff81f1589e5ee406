/*-------------------------------------------------------------------------
 *
 * shared_memory.c
 *	  Memory that all sessions of the server share.
 *
 * It needs no shared_preload_libraries: a segment of dynamic shared memory is
 * made by whoever comes first and stays until the server stops or crashes.
 * Core finds such segments by name since 17.  Before that, their handles are
 * kept in the main shared memory, out of what it has to spare, as
 * contrib/pg_prewarm keeps its state there.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/shared_memory.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/dsm.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "shared_memory.h"

static void say_what_to_do(void *arg);

#ifndef NamedSegment
static void *NamedSegment(const char *name, Size size,
						  void (*init) (SegmentInitArguments));
static void *make_segment(Size size, void (*init) (SegmentInitArguments),
						  dsm_handle *handle);
#endif

/*
 * Gives the memory of a name, filled by init when it is new; mapped to the
 * end of the session.  The name tells the layout, too: a library of another
 * version may be at work beside this one.
 */
void *
shared_memory(const char *name, Size size, void (*init) (SegmentInitArguments))
{
	ErrorContextCallback callback = {
		.previous = error_context_stack,
		.callback = say_what_to_do,
		.arg = &size,
	};
	void	   *memory;

	error_context_stack = &callback;
	memory = NamedSegment(name, size, init);
	error_context_stack = callback.previous;
	return memory;
}

/*
 * Callback: core could not make or map a segment.
 */
static void
say_what_to_do(void *arg)
{
	errhint("See to it that there is room for %zu bytes where dynamic_shared_memory_type has them, for posix in /dev/shm.",
			*(Size *) arg);
}

#ifndef NamedSegment
/*
 * Does what it does in later versions.
 */
static void *
NamedSegment(const char *name, Size size, void (*init) (SegmentInitArguments))
{
	dsm_handle *handle;
	bool		found;
	void	   *memory;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	handle = ShmemInitStruct(name, sizeof(*handle), &found);
	if (!found)
		*handle = DSM_HANDLE_INVALID;

	if (*handle == DSM_HANDLE_INVALID)
		memory = make_segment(size, init, handle);
	else
	{
		dsm_segment *segment = dsm_find_mapping(*handle);

		if (segment == NULL)
		{
			segment = dsm_attach(*handle);
			if (segment == NULL)
				elog(ERROR, "could not map dynamic shared memory segment");
			dsm_pin_mapping(segment);
		}
		memory = dsm_segment_address(segment);
	}
	LWLockRelease(AddinShmemInitLock);
	return memory;
}

/*
 * Makes a segment that outlives this session.  An error leaves none behind.
 */
static void *
make_segment(Size size, void (*init) (SegmentInitArguments), dsm_handle *handle)
{
	dsm_segment *segment = dsm_create(size, 0);
	void	   *memory = dsm_segment_address(segment);

	init(memory);
	dsm_pin_segment(segment);
	dsm_pin_mapping(segment);
	*handle = dsm_segment_handle(segment);
	return memory;
}
#endif
