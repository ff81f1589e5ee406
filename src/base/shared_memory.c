/*
 * Memory that all sessions of the server share: one segment for all modules.
 *
 * Preloaded, it is in the main shared memory, and saved in a file at shutdown.
 * Else it is dynamic shared memory, made by the first session; its handle is in
 * the spare main shared memory, as contrib/pg_prewarm keeps its state there.
 *
 * A file counts only at the start after the shutdown that wrote it: the control
 * file has the checkpoint of that shutdown still, and there is nothing to
 * recover.  It is gone, durably, before what was in it is used.
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

/* the layout: a library of another version may be at work beside this one */
#define SEGMENT_NAME "hilo 20"

typedef struct SegmentHead
{
	LWLockPadded lock;
	pg_atomic_uint64 life;		/* alone on its cache line: see PARTS_OFFSET */
} SegmentHead;

/* What a module keeps in the segment, and where it wants the address. */
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
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];	/* a copy has another one */
	pg_crc32c	crc;			/* of what is saved */
} SavedHead;

#define SAVED_FILE PGSTAT_STAT_PERMANENT_DIRECTORY "/hilo"
#define UNFINISHED_FILE SAVED_FILE ".tmp"
#define PARTS_OFFSET CACHELINEALIGN(sizeof(SegmentHead))

LWLock	   *shared_lock = NULL;

static pg_atomic_uint64 no_life;
pg_atomic_uint64 *life_word = &no_life;

static Part parts[5];
static int	nparts = 0;
static Size total_size = PARTS_OFFSET;

/* the parts that are saved come first */
static char *saved;
static Size saved_size = 0;

static shmem_request_hook_type next_request_hook;
static shmem_startup_hook_type next_startup_hook;

static void set_addresses(void *segment);
static void init_segment(void *segment);
static void request_memory(void);
static void start_up(void);
static void read_saved(void);
static bool head_of_now(SavedHead *head);
static void save(int code, Datum arg);

/*
 * Reserve memory, zeroed (a valid pg_atomic_uint64 of 0) or, if saved, as it
 * was at the shutdown.  Called as the library is loaded, in one order in every
 * session.
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

/* Have the memory in the main shared memory, if that can be. */
void
shared_memory_init(void)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	next_request_hook = shmem_request_hook;
	shmem_request_hook = request_memory;
	next_startup_hook = shmem_startup_hook;
	shmem_startup_hook = start_up;
}

/* Map the segment to the end of the session, for all modules. */
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

/* Called by the postmaster alone: no process attaches to the memory anew. */
static void
start_up(void)
{
	bool		found;
	char	   *segment;

	if (next_startup_hook != NULL)
		next_startup_hook();
	segment = ShmemInitStruct(SEGMENT_NAME " preloaded", total_size, &found);
	init_segment(segment);
	saved = segment + PARTS_OFFSET;
	read_saved();
	set_addresses(segment);
	on_shmem_exit(save, (Datum) 0);
}

/* Take what the last shutdown saved, if nothing has happened since. */
static void
read_saved(void)
{
	FILE	   *file = AllocateFile(SAVED_FILE, PG_BINARY_R);
	struct stat st;
	SavedHead	now;
	SavedHead	head;
	bool		done;

	/* of a shutdown that was cut off */
	(void) unlink(UNFINISHED_FILE);
	if (file == NULL)
		return;
	done = fread(&head, sizeof(head), 1, file) == 1 &&
		fread(saved, saved_size, 1, file) == 1;
	FreeFile(file);
	if (durable_unlink(SAVED_FILE, LOG) != 0 || !done || !head_of_now(&now) ||
		memcmp(&head, &now, sizeof(head)) != 0 ||
		stat(STANDBY_SIGNAL_FILE, &st) == 0 ||
		stat(RECOVERY_SIGNAL_FILE, &st) == 0)
		memset(saved, 0, saved_size);
}

/* Make the head of a file of now; false unless the server is shut down. */
static bool
head_of_now(SavedHead *head)
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

/* Callback: save what is to be saved, when no other process is there. */
static void
save(int code, Datum arg)
{
	SavedHead	head;
	FILE	   *file;

	if (!head_of_now(&head))
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
