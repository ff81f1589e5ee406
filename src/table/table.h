/* hilo's own tables, their rows and their locks. */
#ifndef HILO_TABLE_H
#define HILO_TABLE_H

#include "base/base.h"

#define INTERNAL_SCHEMA "hilo_internal"

/* own_table.c: the extension's own tables */
typedef enum OwnTable
{
	OWN_DEFINITION,				/* hilo_generator */
	OWN_HI,						/* hilo_hi */
	OWN_GAPLESS,				/* hilo_gapless */
	OWN_PRIVILEGE,				/* hilo_privilege */
	OWN_SOURCE,					/* hilo_source */
	OWN_SERIES,					/* hilo_series, with rows without a name */
	OWN_NODE					/* hilo_node, which only SQL changes */
} OwnTable;

#define OWN_NAMED_TABLES OWN_SERIES
#define OWN_TABLES (OWN_NODE + 1)

/*
 * a row that is replaced at the moment may escape a scan, which sees neither
 * version
 */
#define SCAN_ATTEMPTS 3

/* what is done with the row of a name */
typedef void (*OwnTableWork) (text *name, HeapTuple tuple, void *arg);

/*
 * The clocks, which never fall.  What is remembered at a time of one of them is
 * right as long as that stands still:
 *
 * generator_changes, of generators and who may use them, and of each relation
 * that is watched;
 * relation_changes, of the default of any column, and of any right; the
 * relations that moved it are those of relations_changed_since;
 * life_word, in shared memory, of ranges in sessions.
 */
extern uint64 generator_changes;
extern uint64 relation_changes;

extern Oid	own_table_relid(OwnTable table);
extern Oid	catalog_public_schema(void);
extern Relation own_table_open(OwnTable table, LOCKMODE lockmode);
extern char *own_table_mending(OwnTable table);
extern Relation own_table_open_durable(OwnTable table);
extern void own_table_require_durable(Relation rel, bool with_indexes);
extern AttrNumber own_table_name_column(Relation rel);
extern text *own_table_name(Relation rel, HeapTuple tuple);
extern SysScanDesc own_table_scan(Relation rel, text *name, Snapshot snapshot);
extern List *own_table_rows(OwnTable table, text *name);
extern HeapTuple own_table_row(OwnTable table, text *name);
extern Datum catalog_find_value(Snapshot snapshot, Oid catalog, Oid index,
								AttrNumber key_column, RegProcedure compare,
								Datum key, int n, AttrNumber column);
extern bool catalog_is_made_now(Oid catalog, Oid index, AttrNumber key_column,
								Oid key);
extern void own_table_each(OwnTable table, OwnTableWork work, void *arg);
extern void generators_changed(void);
extern void watch_relation(Oid relid);
extern List *relations_changed_since(uint64 generation);

/* Return the time of generator_changes and the life word together. */
static inline uint64
generators_as_of(void)
{
	return generator_changes + pg_atomic_read_u64(life_word);
}

/* own_table_change.c */

/* What a rollback of the current transaction undoes of a generator. */
typedef enum OwnChange
{
	CHANGED_NOTHING,			/* that matters */
	CHANGED_IDS,				/* ids taken now would repeat after it */
	CHANGED_GONE				/* dropped or renamed; its row may come back */
} OwnChange;

extern HeapTuple own_table_form(Relation rel, const void *row, void *other,
								text *last);
extern void own_table_insert_as(OwnTable table, const void *row, void *other,
								text *last, TransactionId xmin);
#define own_table_insert(table, row, other, last, frozen) \
	own_table_insert_as(table, row, other, last, \
					  (frozen) ? FrozenTransactionId : InvalidTransactionId)
extern bool own_table_index(Relation rel, HeapTuple tuple,
							IndexUniqueCheck check);
extern void own_table_update(Relation rel, HeapTuple old, HeapTuple tuple);
extern void own_table_delete(OwnTable table, text *name);
extern void own_table_rename(text *name, text *new_name);
extern void change_remember(text *name, OwnChange change);
extern OwnChange change_remembered(text *name);

/*
 * Report nextval's error in a read-only transaction, in recovery and in
 * parallel mode.
 */
static inline void
require_writable(const char *function)
{
	PreventCommandIfReadOnly(function);
	PreventCommandIfParallelMode(function);
}

/* definition.c: hilo_generator: what kind of generator a name stands for */

/* of a generator's name, in bytes, and of a text id, in bytes of UTF-8 */
#define ID_MAX_LENGTH 512

/* ends the name of an identity's generator */
#define IDENTITY_MARK '|'

/* the generator of all server-side ids; no identity can have this name */
#define SERVER_SIDE_GENERATOR "|"

/* begins the key of a table's generator, or of a sequence, before its OID */
#define TABLE_MARK '#'

/* begins the names of hilo's own generators */
#define INTERNAL_PREFIX "hilo."

/* The holder of the ids that are reserved and not handed out yet. */
typedef enum Holder
{
	HELD_BY_SESSION,			/* each session a range of its own */
	HELD_BY_SERVER,				/* all sessions one window, in one order */
	HELD_BY_TRANSACTION,		/* a number is its transaction's: no gaps */
	HELD_BY_SEQUENCE			/* PostgreSQL's own */
} Holder;

/* Where ids are reserved. */
typedef enum Origin
{
	FROM_ROW,					/* the generator's own row of hilo_hi */
	FROM_ORM,					/* the sequence or table of an ORM */
	FROM_HUB,					/* a generator on another server */
	FROM_SEQUENCE				/* hilo has no row of it */
} Origin;

/*
 * A row of hilo_generator; keep its first columns in step with definition.sql.
 */
typedef struct Definition
{
	int64		first;
	int64		max_value;
	int64		range_size;
	int64		max_range_size;
	TimestampTz created;
	bool		is_public;		/* all roles may use it */
	int32		domain_bits;
	NameData	hub;			/* the foreign server of FROM_HUB, else empty */
	NameData	ordering;		/* set by definition_set_ordering only */

	/* what follows from the ordering and the hub */
	Holder		holder;
	Origin		origin;
	bool		scattered;		/* an id is its number's place in a domain */

	Oid			table;			/* that it belongs to, or the sequence; 0: a
								 * tag */
	text	   *written;		/* the name as first written, in the row */
} Definition;

extern text *definition_fold_name(text *written);
extern text *definition_unmarked(text *written);
extern Definition definition_default(text *written);
extern void definition_set_ordering(Definition *definition,
									const char *ordering);
extern void definition_set_hub(Definition *definition, const char *hub);
#define definition_ordering(definition) NameStr((definition)->ordering)
extern bool definition_same_order_and_hub(const Definition *one,
										  const Definition *other);
pg_noreturn extern void definition_report_incomplete(text *name);
extern void definition_require_ranges(const Definition *definition);
extern void definition_refuse_scattered(const Definition *definition,
										text *name);
extern double definition_used_ratio(const Definition *definition, int64 last);
extern const char *definition_limit_hint(const Definition *definition,
										 int64 max_value);

extern bool definition_exists(text *name);
extern bool definition_find(text *name, Definition *definition);
extern TransactionId definition_creating_xid(text *name);
extern Definition definition_from_tuple(text *name, HeapTuple tuple);
extern void definition_update(text *name, const Definition *definition);
extern text *key_of_relation(Oid relid);
extern bool key_is_relation(text *name);
extern Oid	key_relid(text *name);
extern Oid	key_sequence(text *name);
extern char *definition_title(text *name);
extern bool definition_is_internal(text *name);
extern bool definition_is_user_named(text *name);
extern bool definition_is_identity(text *name);
extern void definition_require_unreserved(text *name, Oid owner);

extern void definition_check(text *name, const Definition *definition);
extern void definition_check_size(const Definition *definition, int64 size,
								  const char *argument);
extern void definition_check_id(const char *id, int length, int more);

/* lock.c: the locks of names, generators and tables */

/*
 * The upper half of an incarnation is random, and stays until the generator is
 * dropped: locks and slots go by it.  The lower half is random and odd at
 * first.  It changes, and is even from then on, when the ranges of before must
 * not count.  It changes by chance, as a copy of the database may change it as
 * well.
 */
#define GeneratorOf(incarnation) ((uint32) ((uint64) (incarnation) >> 32))
#define SameGenerator(one, other) (GeneratorOf(one) == GeneratorOf(other))
#define IsFirstLife(incarnation) (((incarnation) & 1) != 0)
#define NextIncarnation(incarnation) \
	((int64) GeneratorOf(incarnation) << 32 | \
	 (uint32) (((incarnation) | 1) + 1 + (random_number() & 0x7ffffffe)))

/* What a generator is known by over all databases of the server. */
typedef struct WindowKey
{
	Oid			database;
	int64		incarnation;
} WindowKey;

#define window_key(incarnation) ((WindowKey) {MyDatabaseId, incarnation})

/* the objsubid of each kind of lock */
#define GENERATOR_LOCK 0
#define NAME_LOCK 1
#define WINDOW_LOCK 2

extern void lock_name(text *name);
extern void unlock_name(text *name);
extern void lock_generator(int64 incarnation, LOCKMODE lockmode);
extern bool try_lock_generator(int64 incarnation, LOCKMODE lockmode);
extern void unlock_generator(int64 incarnation, LOCKMODE lockmode);
extern bool lock_table(Oid relid, LOCKMODE lockmode, bool wait);
extern void lock_limit_waits(void);
extern List *lock_inheritors(Oid relid, LOCKMODE lockmode);
extern void unlock_table(Oid relid, LOCKMODE lockmode);
extern bool lock_acquire(LOCKTAG tag, bool wait);
extern void lock_release(LOCKTAG tag);
extern LOCKTAG lock_of_generator(Oid database, int64 incarnation, uint16 kind);

/* The lock under which the window in shared memory is opened and closed. */
#define window_lock(incarnation) \
	lock_of_generator(MyDatabaseId, incarnation, WINDOW_LOCK)
#define lock_window(incarnation) \
	((void) lock_acquire(window_lock(incarnation), true))
#define try_lock_window(incarnation) \
	lock_acquire(window_lock(incarnation), false)
#define unlock_window(incarnation) lock_release(window_lock(incarnation))

#endif							/* HILO_TABLE_H */
