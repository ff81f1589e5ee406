/*
 * Memory that all sessions of the server share.
 *
 * One segment for all modules.  It needs no shared_preload_libraries: the
 * segment is dynamic shared memory, is made by whoever comes first, and stays
 * until the server stops or crashes.  Core finds such segments by name since
 * 17.  Before that, their handles are kept in the spare main shared memory, as
 * contrib/pg_prewarm keeps its state there.
 */
#include "postgres.h"

#include "storage/dsm.h"

#include "base/base.h"

/* the layout: a library of another version may be at work beside this one */
#define SEGMENT_NAME "hilo 5"

/* The beginning of the segment. */
typedef struct SegmentHead
{
	LWLockPadded lock;
	pg_atomic_uint64 changes;
	pg_atomic_uint64 standbys;
	char		line[PG_CACHE_LINE_SIZE - 2 * sizeof(pg_atomic_uint64)];
	pg_atomic_uint64 life;		/* alone on its cache line */
	char		padding[PG_CACHE_LINE_SIZE - sizeof(pg_atomic_uint64)];
} SegmentHead;

/* What a module keeps in the segment. */
typedef struct Part
{
	void	  **memory;			/* where the module wants its address */
	Size		offset;
} Part;

LWLock	   *shared_lock = NULL;

static pg_atomic_uint64 no_life;
pg_atomic_uint64 *shared_life = &no_life;
pg_atomic_uint64 *shared_changes = NULL;
pg_atomic_uint64 *shared_standbys = NULL;

static Part parts[5];
static int	nparts = 0;
static Size total_size = CACHELINEALIGN(sizeof(SegmentHead));

static void init_segment(SegmentInitArguments);

#ifndef NamedSegment
static void *NamedSegment(const char *name, Size size,
						  void (*init) (SegmentInitArguments));
#endif

/*
 * Reserve zeroed memory; an all-zero pg_atomic_uint64 is a valid 0.  Called when the library is loaded, in the same order in every session.
 */
void
shared_memory_reserve(void **memory, Size size)
{
	Assert(nparts < (int) lengthof(parts));
	parts[nparts].memory = memory;
	parts[nparts++].offset = total_size;
	total_size += CACHELINEALIGN(size);
}

/*
 * Map the segment to the end of the session, and tell the modules where it is.
 */
void
shared_memory_attach(void)
{
	char	   *memory;

	if (shared_lock != NULL)
		return;
	memory = NamedSegment(SEGMENT_NAME, total_size, init_segment);
	for (int i = 0; i < nparts; i++)
		*parts[i].memory = memory + parts[i].offset;
	shared_lock = &((SegmentHead *) memory)->lock.lock;
	shared_life = &((SegmentHead *) memory)->life;
	shared_changes = &((SegmentHead *) memory)->changes;
	shared_standbys = &((SegmentHead *) memory)->standbys;
	NameTranche(shared_lock->tranche, "hilo");
}

static void
init_segment(SegmentInitArguments)
{
	memset(memory, 0, total_size);
	LWLockInitialize(&((SegmentHead *) memory)->lock.lock, NewTranche("hilo"));
}

/*
 * Make memory that stays as long as the segment, and map it to the end of the
 * session.  An error leaves none behind.
 */
void *
shared_memory_make(Size size, dsm_handle *handle)
{
	dsm_segment *segment = dsm_create(size, 0);

	dsm_pin_segment(segment);
	dsm_pin_mapping(segment);
	*handle = dsm_segment_handle(segment);
	return dsm_segment_address(segment);
}

/* Map memory of shared_memory_make to the end of the session. */
void *
shared_memory_map(dsm_handle handle)
{
	dsm_segment *segment = dsm_attach(handle);

	if (segment == NULL)
		elog(ERROR, "could not map dynamic shared memory segment");
	dsm_pin_mapping(segment);
	return dsm_segment_address(segment);
}

#ifndef NamedSegment
/*
 * Return the segment of a name, as GetNamedDSMSegment of later versions does.
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
	if (*handle != DSM_HANDLE_INVALID)
		memory = shared_memory_map(*handle);
	else
	{
		memory = shared_memory_make(size, handle);
		init(memory);
	}
	LWLockRelease(AddinShmemInitLock);
	return memory;
}
#endif
