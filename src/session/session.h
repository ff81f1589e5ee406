/* The holders of ranges: each session, and all of them together. */
#ifndef HILO_SESSION_H
#define HILO_SESSION_H

#include "access/parallel.h"
#include "access/xlog.h"

#include "source/source.h"

/*
 * The counter of a window is one word: the generation of the window, how many
 * of its ids are taken, and whether a client has the last of these and may
 * return them.  One atomic step takes an id and shows its window.
 */
#define WINDOW_OFFSET_BITS 26
#define WINDOW_RETURNABLE (UINT64CONST(1) << (WINDOW_OFFSET_BITS - 1))

#define WINDOW_MAX_LENGTH INT64CONST(0x1000000)

#define WordGeneration(word) ((word) >> WINDOW_OFFSET_BITS)
#define WordOffset(word) ((word) & (WINDOW_RETURNABLE - 1))
#define MakeWord(generation, offset) ((generation) << WINDOW_OFFSET_BITS | (offset))

/*
 * A session's copy of a window, which is constant while its generation is in
 * the word.
 */
typedef struct SessionWindow
{
	pg_atomic_uint64 *word;
	uint64		generation;
	int64		last;			/* the id before its first one */
	uint64		room;			/* how many ids it has, up to max_value */
	uint64		length;			/* the same if it is on disk; else 0: no id
								 * may be drawn from it */
	uint64		limit;			/* at this offset, reserve the next window */
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];
} SessionWindow;

/* look_up.c: what this session knows of a generator */

/* What this session knows and holds of a generator.  It is never freed. */
typedef struct SessionEntry
{
	/* what never changes */
	text	   *name;			/* hash key: the folded name */
	struct SessionEntry *older; /* the entry made before this one */

	/* what changes with each id, and is looked at before it */
	int64		handed_out;		/* the id before the next one */
	int64		stop;			/* above this id, look again or reserve ahead */
	uint64		as_of;			/* generators_as_of, before its last look-up */
	Oid			role;			/* the last role that was checked */

	/* the generator, as it was looked up */
	int64		incarnation;	/* 0: not looked up yet */
	Definition	definition;
	Oid			sequence;		/* that an ORM takes its blocks from, or none */
	LocalTransactionId held_in; /* the transaction that has locked it */

	/* the range */
	Range		range;			/* its ids above handed_out are unused */
	uint64		top_word;		/* of the window while no id above the range
								 * is taken */
	char		node_tag[NODE_TAG_MAX_LENGTH + 1];
	int64		current;		/* handed out before the range; 0: nothing */
	int			warned;			/* percentage in the last warning */

	/* what the rights of tables to draw were, at a relation_changes */
	List	   *disputed;		/* OIDs: relations that must not draw */
	uint64		disputed_at;
	Moment		drawn_at;		/* by a command whose targets may draw */
	Oid			checked_table;	/* a table with a trigger that may draw */
	uint64		checked_at;

	/* what the range is carved from */
	Oid			source_version; /* relfilenode of an ORM's source, or for a
								 * hub when this server was started */
	SessionWindow window;

	int64		client_number;	/* of the client's last range; 0: none */
} SessionEntry;

/* makes the generator of a name, if no other session has made it */
typedef void (*GeneratorMaker) (text *name, text *written);

extern bool session_prefetch;
extern int	session_hub_window;
extern bool session_auto_create;

/* first_use; set when the library is loaded */
extern GeneratorMaker session_make_generator;

/* from here on by "older", all entries */
extern SessionEntry *session_latest_entry;

extern SessionEntry *session_stream_entry(Datum written);
extern SessionEntry *session_tag_entry(Datum written);
extern SessionEntry *session_table_entry(Datum rel);
extern SessionEntry *session_entry_of_default(Datum rel);
extern SessionEntry *session_entry_of(text *name, text *written);
extern SessionEntry *session_find(text *name);
extern void session_revalidate(SessionEntry *entry);
extern bool session_call_is_stored(FuncExpr *call);
extern void session_forget_currents(void);
extern void session_check_size(SessionEntry *entry, int64 size,
							   const char *argument);
extern void session_require_use(const SessionEntry *entry,
								const Definition *definition);
extern bool session_lock(SessionEntry *entry, LOCKMODE lockmode,
						 bool with_window);
extern void session_warn_of_end(SessionEntry *entry, int64 last);

/* Return the id that a number of the generator stands for. */
static inline int64
session_id(const SessionEntry *entry, int64 number)
{
	return likely(!entry->definition.scattered) ? number :
		scatter_id(number, entry->definition.domain_bits);
}

/* Return the id that this session got last, 0 before the first. */
static inline int64
session_current(const SessionEntry *entry)
{
	return entry->handed_out >= entry->range.low ? entry->handed_out :
		entry->current;
}

/* Return how many ids of its range this session has not handed out. */
static inline int64
session_held(const SessionEntry *entry)
{
	return entry->range.high - Min(entry->handed_out, entry->range.high);
}

/*
 * Check whether the entry knows the generator as it is: since it was looked up,
 * no invalidation has come and no life has ended, the role is the one that was
 * checked, and nextval would not be refused.
 */
static inline bool
entry_is_current(const SessionEntry *entry)
{
	return entry->as_of == generators_as_of() &&
		!XactReadOnly &&
		entry->role == GetUserId() &&
		!IsInParallelMode();
}

/* Check whether all ids are taken from one window, and from nowhere else. */
static inline bool
session_has_one_window(const SessionEntry *entry)
{
	return entry->definition.holder == HELD_BY_SERVER &&
		entry->definition.origin == FROM_ROW;
}

/* hand_out.c: the next ids */
extern int64 session_next(SessionEntry *entry, const char *function,
						  int64 wanted);
extern Range session_next_block(SessionEntry *entry, int64 count);
extern SequenceTake session_take_values(SessionEntry *entry, SequenceTake take,
										bool is_for_client);

/* carve.c: ids are carved from windows */
extern Range shared_next_block(SessionEntry *entry, int64 count,
							   int64 max_value);
extern bool shared_next_range(SessionEntry *entry, StoreRequest *request);

/*
 * Hand out the next id of the window that the entry knows, if that is still
 * open and nothing asks for a second look: see entry_is_current.
 */
static inline bool
shared_try_next(SessionEntry *entry)
{
	SessionWindow *window = &entry->window;
	uint64		word;

	if (window->length == 0)
		return false;
	word = pg_atomic_read_u64(window->word);
	do
	{
		if (WordGeneration(word) != window->generation ||
			WordOffset(word) >= window->limit)
			return false;
		delay_at_random();
	} while (!pg_atomic_compare_exchange_u64(window->word, &word,
											 (word & ~WINDOW_RETURNABLE) + 1));
	entry->current = window->last + 1 + (int64) WordOffset(word);
	return true;
}

extern bool window_skip_to(SessionEntry *entry, int64 id);
extern bool shared_raise_floor(const SessionEntry *entry, int64 id);

/*
 * Move the word of the window that the entry knows up to an id that a row
 * brings, so that no id up to it is handed out.  Return false if the window is
 * not open any more, or ends below the id.  The caller has checked
 * session_has_one_window, so all ids below the window are used already.
 */
static inline bool
window_try_skip_to(const SessionEntry *entry, int64 id)
{
	const SessionWindow *window = &entry->window;
	uint64		word;

	if (window->word == NULL || id > window->last + (int64) window->room)
		return false;
	word = pg_atomic_read_u64(window->word);
	do
	{
		if (WordGeneration(word) != window->generation)
			return false;
		if (id <= window->last + (int64) WordOffset(word))
			return (word & WINDOW_RETURNABLE) == 0 ||
				shared_raise_floor(entry, id);
		delay_at_random();
	} while (!pg_atomic_compare_exchange_u64(window->word, &word,
											 MakeWord(window->generation,
													  (uint64) (id - window->last))));
	return true;
}

/* reserve.c: windows are reserved, and opened */
extern bool session_take(SessionEntry *entry, StoreRequest *request);

/* return.c: what was carved and not handed out comes back */
extern bool session_return_on_exit;

#define session_give_back(entry) session_end_range(entry, true)
#define session_lose_range(entry) ((void) session_end_range(entry, false))

extern int64 session_end_range(SessionEntry *entry, bool may_return);
extern void returned_init(void);
extern bool shared_return_range(SessionEntry *entry, const ClientRange *client,
								bool whole, int64 last_used);

/* end.c: windows end, and the use of ranges carved from them */
extern void skip_up_to(text *name, int64 value, bool may_raise);
extern int64 session_seed(text *name, const Definition *definition,
						  const FormData_hilo_hi *before, int64 value,
						  SeedKind kind);
extern void end_generator_use(int64 incarnation, int64 last, bool is_drop);

/* of end_generator_use: nothing of the window is handed out any more */
#define WINDOW_CLOSES PG_INT64_MAX

/* slot.c: what shared memory holds of a generator, and its counters */

typedef enum TallyCounter
{
	TALLY_RANGES,				/* reserved */
	TALLY_IDS,					/* in these ranges */
	TALLY_HANDED_OUT,			/* of these, as far as is known */
	TALLY_PREFETCHED,			/* ranges reserved ahead of need */
	TALLY_PREFETCH_HITS,		/* on disk when needed */
	TALLY_PREFETCH_MISSES,		/* flushed when needed */
	TALLY_PREFETCH_BUSY,		/* the hub is away, or none is left */
	TALLY_RETURNED,				/* ids */
	TALLY_LOST,					/* ids that could not be given back */
	TALLY_WINDOWS,				/* opened */
	TALLY_FLUSH_WAITS,			/* for the disk or a standby */
	TALLY_FLUSH_TIME,			/* in them, microseconds */
	TALLY_COUNTERS
} TallyCounter;

extern int	max_generators;

extern void slot_init(void);
extern int64 shared_last_carved(const FormData_hilo_hi *hi);

/* A number of one range of a client for ever, exact in JavaScript. */
#define client_number() ((int64) ((uint64) random_number() >> 11))

extern void tally(const SessionEntry *entry, TallyCounter counter,
				  int64 count);
extern void tally_read(int64 incarnation, TimestampTz *since, int64 *counters);
extern void tally_reset(void);

#endif							/* HILO_SESSION_H */
