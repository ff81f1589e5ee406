/* What everything stands on. */
#ifndef HILO_BASE_H
#define HILO_BASE_H

/* the headers of PostgreSQL that nearly every file needs */
#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "common/hashfn.h"
#include "common/int.h"
#include "common/pg_prng.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/lwlock.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

#include "base/compat.h"

/* case_fold.c: RavenDB's lower-casing of document ids */

/*
 * The most bytes of a text in lower case.  U+023A and U+023E grow from two
 * bytes to three, and no other character grows.
 */
#define CASE_FOLD_BOUND(length) ((length) + (length) / 2)

extern text *case_fold(const char *bytes, int length);
extern void case_fold_check(const char *bytes, int length);
extern bool case_fold_is_possible(const char *bytes, int length);
extern text *case_fold_name(const char *name);

static inline bool
text_equal(const text *text1, const text *text2)
{
	Size		length = VARSIZE_ANY_EXHDR(text1);

	return length == VARSIZE_ANY_EXHDR(text2) &&
		memcmp(VARDATA_ANY(text1), VARDATA_ANY(text2), length) == 0;
}

/* Return the lower case of a text, as case_fold does. */
static inline text *
text_fold(const text *value)
{
	return case_fold(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
}

static inline uint32
text_hash(const text *value)
{
	return hash_bytes((const unsigned char *) VARDATA_ANY(value),
					  VARSIZE_ANY_EXHDR(value));
}

/*
 * sleeps in builds of test/instrumented, at places where a race does most harm
 */
#ifndef delay_at_random
#define delay_at_random() ((void) 0)
#endif

/* subxact.c: work in a subtransaction */
extern ErrorData *subxact_run(void (*work) (void *), void *arg, bool undo);

#define run_in_subxact(work, arg) subxact_run(work, arg, false)
#define run_and_roll_back(work, arg) ((void) subxact_run(work, arg, true))

/* A command of this session. */
typedef struct Moment
{
	LocalTransactionId transaction;
	CommandId	command;
} Moment;

static inline Moment
this_moment(void)
{
	return (Moment)
	{
		MyLocalTransactionId, GetCurrentCommandId(false)
	};
}

static inline bool
is_now(Moment moment)
{
	return moment.transaction == MyLocalTransactionId &&
		moment.command == GetCurrentCommandId(false);
}

/* fcinfo.c: the arguments of SQL functions, and the rows that they return */
extern void argument_require(FunctionCallInfo fcinfo, int number,
							 const char *what);
extern void put_row(void *rsinfo, Datum *values, bool *nulls);
extern Datum call_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls);

/* node.c: the marks of this server in ids, and the separator */
#define NODE_TAG_MAX_LENGTH 4

#define HILO_SEPARATOR_RULE \
	"The separator must be one character other than an ASCII letter or digit, \"$\" and \"|\"."

extern char *hilo_node_tag;
extern int	hilo_node_no;
extern char *hilo_identity_parts_separator;

extern bool separator_is_valid(const char *separator);
extern void separator_check(const char *separator);

/* each process has its own seed */
#define random_number() ((int64) pg_prng_uint64(&pg_global_prng_state))

/* wait_event.c: core has names for waits for locks, the disk and standbys */
#define WAIT_HUB "HiloHub"		/* to connect, or to answer */
#define WAIT_WORKER_SLOT "HiloWorkerSlot"	/* for a background worker */
#define WAIT_SOURCE_ANSWER "HiloSourceAnswer"	/* of that worker */
#define WAIT_TRACE_CLOCK "HiloTraceClock"	/* to come near to a trace id */
#define WAIT_WINDOW_SLOT "HiloWindowSlot"	/* that no session is at work on */

extern void wait_event_for_latch(const char *event, long milliseconds);

/* range.c: a run of ids, low .. high, and the arithmetic on it */

/* Both ends are in the range; it is empty when high is below low. */
typedef struct Range
{
	int64		low;
	int64		high;
} Range;

#define RANGE_OF(low, high) ((Range) {low, high})
#define EMPTY_RANGE RANGE_OF(1, 0)
#define RangeIsEmpty(range) ((range).high < (range).low)
#define RangeLength(range) ((range).high - (range).low + 1)
#define RangeDatums(range) \
	((Datum[]) {Int64GetDatum((range).low), Int64GetDatum((range).high)})

/* The size of a range before anything is known of its use. */
#define RANGE_DEFAULT_SIZE INT64CONST(32)
#define RANGE_DEFAULT_MAX_SIZE INT64CONST(1048576)

/* how many ids are reserved at once of those left, if nobody asks for more */
#define RangeShare(left) Max((left) / 1000, 1)

extern int64 range_adapted_size(int64 last_size, TimestampTz last_at,
								int64 floor, int64 ceiling);
extern Range range_above(int64 last, int64 size, int64 max_value);
extern Range range_block_above(int64 last, int64 block, int64 max_value);
extern Range range_split(Range *range, int64 size);
extern Range range_clip(Range range, int64 max_value);
extern Range range_above_id(Range range, int64 id);

/* scatter.c: a bijection of the ids of so many bits; the domains of ids */
#define ID_DOMAIN_MIN_BITS 2
#define ID_DOMAIN_MAX_BITS 63

extern int64 scatter_id(int64 id, int bits);
extern int64 id_domain_max(int bits);
extern void id_domain_check(const char *what, int64 value, int64 low,
							int64 high);

/* shared_memory.c: memory that all sessions of the server share */

/* protects what no atomic step can change; NULL before shared_memory_attach */
extern LWLock *shared_lock;

/*
 * The life word.  It is raised when sessions must stop using the ids that they
 * hold, and before hilo's rows change.  It may be read before
 * shared_memory_attach.
 */
extern pg_atomic_uint64 *life_word;

extern void shared_memory_reserve(void **memory, Size size, bool is_saved);
extern void shared_memory_attach(void);
extern void shared_memory_init(void);

#endif							/* HILO_BASE_H */
