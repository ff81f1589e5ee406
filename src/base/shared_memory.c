/*
 * Memory that all sessions of the server share: one segment for all modules.
 *
 * If the library is preloaded, the segment is in the main shared memory, and a
 * part of it is saved in a file at shutdown.  Otherwise the first session makes
 * a dynamic segment.  Its handle is in the spare main shared memory, where
 * contrib/pg_prewarm keeps its state, too.
 *
 * The file is valid only at the start after the shutdown that wrote it: the
 * control file still has the checkpoint of that shutdown, and there is nothing
 * to recover.  The file is removed durably before its contents are used.
 * Otherwise a crash could bring the same ids back.
 */
#include "postgres.h"

#include <sys/stat.h>

#include "access/xlog.h"
#include "catalog/pg_control.h"
#include "common/controldata_utils.h"
#include "pgstat.h"
#include "port/pg_crc32c.h"
#include "storage/dsm.h"
#include "storage/fd.h"
#include "storage/ipc.h"
#include "storage/shmem.h"

#include "base/base.h"

/* the number of the layout: a library of another version may run, too */
#define SEGMENT_NAME "hilo 21"

typedef struct SegmentHead
{
	LWLockPadded lock;
	pg_atomic_uint64 life;		/* alone on its cache line: see PARTS_OFFSET */
} SegmentHead;

/* A module's part of the segment, and its variable for the address. */
typedef struct Part
{
	void	  **memory;
	Size		offset;
} Part;

typedef struct SavedHead
{
	char		name[16];		/* of the segment */
	Size		total_size;
	uint64		system_identifier;
	CheckPoint	checkpoint;		/* of the shutdown, with timeline and time */
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];	/* a copy has another */
	pg_crc32c	crc;			/* of what is saved */
} SavedHead;

#define SAVED_FILE PGSTAT_STAT_PERMANENT_DIRECTORY "/hilo"
#define UNFINISHED_FILE SAVED_FILE ".tmp"
#define PARTS_OFFSET CACHELINEALIGN(sizeof(SegmentHead))

LWLock	   *shared_lock = NULL;

static pg_atomic_uint64 no_life;
pg_atomic_uint64 *life_word = &no_life;

static Part parts[5];			/* room for the modules that reserve one */
static int	nparts = 0;
static Size total_size = PARTS_OFFSET;

/* the saved parts, which come first in the segment */
static char *saved;
static Size saved_size = 0;

static shmem_request_hook_type next_request_hook;
static shmem_startup_hook_type next_startup_hook;

static void set_addresses(void *segment);
static void init_segment(void *segment);
static void request_memory(void);
static void startup_memory(void);
static void read_saved_parts(void);
static bool make_saved_head(SavedHead *head);
static void save_parts(int code, Datum arg);

/*
 * Reserve memory.  It will be zeroed, which is a valid pg_atomic_uint64, or
 * have the contents of the last shutdown if it is saved.
 *
 * Called while the library is loaded.  The order of the calls is the same in
 * every process, so the offsets are, too.
 */
void
shared_memory_reserve(void **memory, Size size, bool is_saved)
{
	Assert(nparts < (int) lengthof(parts));
	parts[nparts].memory = memory;
	parts[nparts++].offset = total_size;
	total_size += CACHELINEALIGN(size);
	if (is_saved)
		saved_size = total_size - PARTS_OFFSET;
}

/* Use the main shared memory if the library is preloaded. */
void
shared_memory_init(void)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	next_request_hook = shmem_request_hook;
	shmem_request_hook = request_memory;
	next_startup_hook = shmem_startup_hook;
	shmem_startup_hook = startup_memory;
}

/* Map the segment for all modules, until the session ends. */
void
shared_memory_attach(void)
{
	dsm_handle *handle;
	dsm_segment *segment;
	bool		found;

	if (shared_lock != NULL)
		return;
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	handle = ShmemInitStruct(SEGMENT_NAME, sizeof(*handle), &found);
	if (!found)
		*handle = DSM_HANDLE_INVALID;
	found = *handle != DSM_HANDLE_INVALID;
	segment = found ? dsm_attach(*handle) : dsm_create(total_size, 0);
	if (segment == NULL)
		elog(ERROR, "could not map dynamic shared memory segment");
	dsm_pin_mapping(segment);
	if (!found)
	{
		dsm_pin_segment(segment);
		*handle = dsm_segment_handle(segment);
		init_segment(dsm_segment_address(segment));
	}
	LWLockRelease(AddinShmemInitLock);
	set_addresses(dsm_segment_address(segment));
}

static void
set_addresses(void *segment)
{
	SegmentHead *head = segment;

	for (int i = 0; i < nparts; i++)
		*parts[i].memory = (char *) segment + parts[i].offset;
	shared_lock = &head->lock.lock;
	life_word = &head->life;
	LWLockRegisterTranche(shared_lock->tranche, "hilo");
}

static void
init_segment(void *segment)
{
	memset(segment, 0, total_size);
	LWLockInitialize(&((SegmentHead *) segment)->lock.lock,
					 LWLockNewTrancheId("hilo"));
}

static void
request_memory(void)
{
	if (next_request_hook != NULL)
		next_request_hook();
	RequestAddinShmemSpace(total_size);
}

/* Called only in the postmaster, because no other process attaches to it. */
static void
startup_memory(void)
{
	bool		found;
	char	   *segment;

	if (next_startup_hook != NULL)
		next_startup_hook();
	segment = ShmemInitStruct(SEGMENT_NAME " preloaded", total_size, &found);
	init_segment(segment);
	saved = segment + PARTS_OFFSET;
	read_saved_parts();
	set_addresses(segment);
	on_shmem_exit(save_parts, (Datum) 0);
}

/* Read the file of the last shutdown, if nothing has happened since. */
static void
read_saved_parts(void)
{
	FILE	   *file = AllocateFile(SAVED_FILE, PG_BINARY_R);
	struct stat st;
	SavedHead	now;
	SavedHead	head;
	bool		is_read;

	/* the file of an interrupted shutdown */
	(void) unlink(UNFINISHED_FILE);
	if (file == NULL)
		return;
	is_read = fread(&head, sizeof(head), 1, file) == 1 &&
		fread(saved, saved_size, 1, file) == 1;
	FreeFile(file);
	if (durable_unlink(SAVED_FILE, LOG) != 0 || !is_read ||
		!make_saved_head(&now) ||
		memcmp(&head, &now, sizeof(head)) != 0 ||
		stat(STANDBY_SIGNAL_FILE, &st) == 0 ||
		stat(RECOVERY_SIGNAL_FILE, &st) == 0)
		memset(saved, 0, saved_size);
}

/* Fill in the head of a file; return false unless the server is shut down. */
static bool
make_saved_head(SavedHead *head)
{
	bool		is_right;
	ControlFileData *control = get_controlfile(DataDir, &is_right);

	memset(head, 0, sizeof(*head));
	strlcpy(head->name, SEGMENT_NAME, sizeof(head->name));
	head->total_size = total_size;
	head->system_identifier = control->system_identifier;
	head->checkpoint = control->checkPointCopy;
	strlcpy(head->node_tag, hilo_node_tag, sizeof(head->node_tag));
	INIT_CRC32C(head->crc);
	COMP_CRC32C(head->crc, saved, saved_size);
	FIN_CRC32C(head->crc);
	is_right = is_right && control->state == DB_SHUTDOWNED;
	pfree(control);
	return is_right;
}

/* Callback of on_shmem_exit: save the parts, after all other processes. */
static void
save_parts(int code, Datum arg)
{
	SavedHead	head;
	FILE	   *file;

	if (!make_saved_head(&head))
		return;
	file = AllocateFile(UNFINISHED_FILE, PG_BINARY_W);
	if (file == NULL || fwrite(&head, sizeof(head), 1, file) != 1 ||
		fwrite(saved, saved_size, 1, file) != 1 || FreeFile(file) != 0 ||
		durable_rename(UNFINISHED_FILE, SAVED_FILE, LOG) != 0)
	{
		ereport(LOG,
				errcode_for_file_access(),
				errmsg("could not write file \"%s\": %m", SAVED_FILE));
		(void) unlink(UNFINISHED_FILE);
	}
}
