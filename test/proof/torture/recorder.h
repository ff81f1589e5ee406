/*
 * A client that writes down every id it sees, outside the server.
 *
 * Clients work in units: a call or a transaction, with its ids written to the
 * client's history before the next call.  What follows from ids that a client
 * saw (a forced seed, drop and create) is done behind a barrier, while no
 * other client is in a unit.
 */
#ifndef RECORDER_H
#define RECORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <libpq-fe.h>

#define MAX_CLIENTS 256

/* those that a client is at by turns */
#define MAX_DATABASES 2

/* Where all wait for one, that one does not wait long, for a prepared transaction. */
#define SHORT_LOCK_TIMEOUT "SET LOCAL lock_timeout = 20"

/* after those of the test setup, the names that clients use for the first time */
#define FIXED_GENERATORS 27
#define MAX_GENERATORS 2048

/* bits of the ids that are scattered */
#define SCATTER_BITS 53

/*
 * What a client may do: the kinds of generators it uses, and what it does to
 * them besides taking ids.
 */
typedef enum Part
{
	SESSION = 1 << 0,
	GLOBAL = 1 << 1,
	SCATTERED = 1 << 2,
	GAPLESS = 1 << 3,
	IDENTITY = 1 << 4,
	DOCUMENT = 1 << 5,
	ADOPTED = 1 << 6,
	DECIMAL = 1 << 7,
	TRACE = 1 << 8,
	HUB = 1 << 9,				/* ranges of a hub */
	HUB_IDENTITY = 1 << 10,
	FIRST_USE = 1 << 11,		/* of a name */
	SEED = 1 << 12,				/* forced ones, too */
	DROP = 1 << 13,				/* and create again */
	ALTER = 1 << 14,
	SERIES = 1 << 15,			/* numbers of a group, by a trigger */
	BESIDE = 1 << 16,			/* what else transactions with numbers do */
	SOURCES = 1 << 17,			/* what SQL does to ORMs' sources */
	JOINS = 1 << 18				/* rows that join a table which draws */
} Part;

/* those whose ids hilo_next gives, and those that have ranges to be given away */
#define WITH_NEXT (SESSION | GLOBAL | SCATTERED | ADOPTED | HUB)
#define WITH_RANGES (SESSION | GLOBAL)
#define OF_HUB (HUB | HUB_IDENTITY)
#define NUMBERS (GAPLESS | SERIES)

/* in one order for all sessions */
#define IN_ORDER (GLOBAL | NUMBERS | IDENTITY | DOCUMENT | DECIMAL | TRACE | HUB_IDENTITY)

/*
 * What the clients know together, in a file that they map.
 */
typedef struct Shared
{
	atomic_int	hold;			/* the test wants no client in a unit */
	atomic_int	barrier;		/* 1 + the client that holds it, 0: none */
	atomic_int	busy[MAX_CLIENTS];	/* is in a unit */
	atomic_int	newest;			/* the generator used for the first time last */
	atomic_int_least64_t losses;	/* times that a session may have lost what
									 * it held */
	atomic_int_least64_t highest[MAX_GENERATORS];	/* id that any client saw */
	atomic_int_least64_t left_out[MAX_GENERATORS];	/* ids by the clients' own
													 * doing */
	atomic_int	forced[MAX_GENERATORS]; /* how often ranges were made void */
	atomic_int	incarnation[MAX_GENERATORS];	/* how often it was dropped */
	atomic_int	forked;			/* how many clients came of others */
} Shared;

/*
 * As hilo_create has it.
 */
typedef struct Generator
{
	Part		kind;
	const char *name;
	int64_t		first;
	int64_t		max_value;
	int			range_size;
	int			max_range_size;
} Generator;

/*
 * How ids came, or what happened.
 */
typedef enum Event
{
	CAME_NEXT,					/* in the order that the generator promises */
	CAME_APART,					/* as a range, outside of that order */
	CAME_BY_ORM,				/* from the source, past hilo */
	CAME_PERHAPS,				/* it is unknown whether that was committed */
	RAISED,						/* by a seed, so that what follows lies above */
	SEEDED,
	DROPPING,
	CREATED
} Event;

/*
 * An entry of a history.
 */
typedef struct Entry
{
	int64_t		low;
	int64_t		high;
	int64_t		begin;			/* of the call, in nanoseconds */
	int64_t		end;
	int			session;
	int			incarnation;
	short		generator;
	short		event;
} Entry;

/*
 * What is asked of a client.
 */
typedef struct Options
{
	int			parts;
	const char *expected;		/* more SQLSTATEs that calls may meet */
	const char *commits;		/* a synchronous_commit for all, or NULL */
	const char *hub;			/* where that is, empty: the server's affair,
								 * NULL: there is none */
	bool		is_pooled;		/* nothing stays with the session */
	bool		has_transactions;
	const char *ignores;		/* "fork" or "databases", as a wrong recipe
								 * does, or NULL */
} Options;

extern Shared *shared;
extern int	database;			/* the one that it is at */
extern int	client;				/* its number */
extern Options options;

/* history.c */
extern void history_open(const char *directory, int number);
extern void history_begin(void);
extern void history_began(int64_t begin);
extern void history_ids(int generator, Event event, int64_t low, int64_t high);
extern void history_of(int generator, int incarnation, int64_t low,
					   int64_t high);
extern void history_result(int generator, const PGresult *result);
extern void history_mark(int generator, Event event);
extern void history_error(const char *sqlstate, const char *message,
						  const char *sql);
extern void history_new_session(void);
extern int64_t history_time(void);
extern void history_entry(const Entry *entry);

/* shared.c */
extern void shared_open(const char *directory);
extern void shared_enter(int number);
extern void unit_begin(void);
extern void unit_end(void);
extern bool barrier_begin(void);
extern void barrier_end(void);

/* session.c */
extern const char *conninfo;
extern void session_open(void);
extern bool session_settings(void);
extern bool session_lost(void);
extern bool session_in_doubt(void);
extern void session_close(void);
extern void session_cut(void);
extern void session_forget(void);
extern PGresult *session_query(const char *format,...)
			__attribute__((format(printf, 1, 2)));
extern bool session_do(const char *format,...)
			__attribute__((format(printf, 1, 2)));
extern bool session_begin(void);
extern void session_leave_transaction(void);
extern void session_note_error(const PGresult *result, const char *sql);
extern bool session_read(int64_t *value, const char *format,...)
			__attribute__((format(printf, 2, 3)));

/* generators.c */
extern int	any_generator(void);
extern const char *generator_name(int generator);
extern int	generator_number(const char *name);
extern const Generator *generator_of(int generator);
extern bool generator_is_ripe(int generator);
extern int64_t generator_id(int generator, int64_t id);

/* calls.c */
extern bool call_something(int generator);

/* ranges.c */
extern bool range_take(int generator);
extern bool range_use(int generator);
extern bool range_return(int generator);
extern void ranges_forget(void);

/* numbers.c */
extern void number_unit(int generator);
extern void numbers_finish(void);

/* sources.c */
extern void source_unit(int generator);
extern bool source_create(int generator);
extern bool source_raise(int generator);
extern void source_change(int generator);

/* joins.c */
extern bool join_create(int generator);
extern void join_unit(int generator);

/* hub.c */
extern bool hub_next(int generator);
extern void hub_forget(void);

/* load.c */
extern void load_unit(void);

/* seed.c */
extern bool raise_last(int generator);
extern void force_seed(int generator);

/* recreate.c */
extern bool create(int generator);
extern void recreate(int generator);

/* random.c */
extern void random_start(uint64_t seed);
extern uint64_t random_below(uint64_t bound);
extern bool one_in(uint64_t chances);

#endif							/* RECORDER_H */
