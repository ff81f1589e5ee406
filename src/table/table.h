/*
 * hilo's own tables, and what it knows of those of others.
 */
#ifndef HILO_TABLE_H
#define HILO_TABLE_H

#include "catalog/pg_sequence.h"
#include "commands/sequence.h"

#include "base/base.h"

#define INTERNAL_SCHEMA "hilo_internal"

/* catalog.c: the extension's own tables */
typedef enum CatalogTable
{
	CATALOG_DEFINITION,			/* hilo_generator */
	CATALOG_HI,					/* hilo_hi */
	CATALOG_GAPLESS,			/* hilo_gapless */
	CATALOG_PRIVILEGE,			/* hilo_privilege */
	CATALOG_SOURCE,				/* hilo_source */
	CATALOG_NODE				/* hilo_node */
} CatalogTable;

#define CATALOG_TABLES (CATALOG_NODE + 1)

/* the column of the name in hilo_hi */
#define Anum_hilo_hi_name 6

/* the errdetail for rows that must survive a rollback */
#define ROW_DANGER "A row written now could be lost."

/* what is done with a row */
typedef void (*CatalogWork) (Relation rel, HeapTuple tuple, void *arg);

/* changes whenever what is remembered of a generator may have become wrong */
extern uint64 catalog_generation;

/* changes whenever the default of a column may have changed */
extern uint64 catalog_default_generation;

extern Oid	catalog_relid(CatalogTable table);
extern TransactionId catalog_row_xmin(int cache, Oid oid);
extern CatalogTable catalog_table_of(Oid relid);
extern Oid	catalog_public_schema(void);
extern Relation catalog_open(CatalogTable table, LOCKMODE lockmode);
extern Relation catalog_open_durable(CatalogTable table, bool wait,
									 const char *danger);
extern void catalog_require_durable(Relation rel, bool with_indexes,
									const char *danger);
extern AttrNumber catalog_name_column(CatalogTable table);
extern text *catalog_name(Relation rel, HeapTuple tuple);
extern SysScanDesc catalog_scan(Relation rel, text *name, Snapshot snapshot);
extern HeapTuple catalog_copy(CatalogTable table, text *name);
extern bool catalog_has_key(Relation rel, HeapTuple tuple);
extern void catalog_each(CatalogTable table, CatalogWork work, void *arg);
extern void catalog_changed(void);
extern void catalog_changed_at_once(void);
extern void catalog_watch(Oid relid);

/* catalog_change.c */

/* What a rollback of the current transaction undoes of a generator. */
typedef enum CatalogChange
{
	CHANGED_NOTHING,			/* that matters */
	CHANGED_IDS,				/* ids taken now would repeat after it */
	CHANGED_GONE				/* dropped or renamed: a rollback restores its
								 * row */
} CatalogChange;

extern HeapTuple catalog_form(Relation rel, const void *row,
							  const Datum *texts);
extern void catalog_insert(Relation rel, HeapTuple tuple, bool frozen);
extern void catalog_update(Relation rel, ItemPointer tid, HeapTuple tuple);
extern void catalog_delete(CatalogTable table, text *name);
extern void catalog_rename(text *name, text *new_name);
extern void catalog_remember(text *name, CatalogChange change);
extern CatalogChange catalog_remembered(text *name);

/*
 * Report the error of nextval where nothing may be written: in a read-only
 * transaction, in recovery and in parallel mode.
 */
static inline void
catalog_require_writable(const char *function)
{
	PreventCommandIfReadOnly(function);
	PreventCommandIfParallelMode(function);
}

/* definition.c: hilo_generator: what kind of generator a name stands for */

/* of a generator's name, in bytes, and of a text id, in bytes of UTF-8 */
#define ID_MAX_LENGTH 512

/* ends the name of an identity's generator */
#define IDENTITY_MARK '|'

/* begins the names of hilo's own generators */
#define INTERNAL_PREFIX "hilo."

/* Who holds the ids that are reserved and not handed out yet. */
typedef enum Holder
{
	HELD_BY_SESSION,			/* each session a range of its own */
	HELD_BY_SERVER,				/* all sessions one window, in one order */
	HELD_BY_NOBODY				/* a number is its transaction's: no gaps */
} Holder;

/* Where ids are reserved. */
typedef enum Origin
{
	FROM_ROW,					/* the generator's own row of hilo_hi */
	FROM_ORM,					/* the sequence or table of an ORM */
	FROM_HUB					/* a generator on another server */
} Origin;

/* A row of hilo_generator; keep its first columns in step with definition.sql. */
typedef struct Definition
{
	int64		first;
	int64		max_value;
	int64		range_size;
	int64		max_range_size;
	TimestampTz created;
	bool		is_public;		/* anyone may use it */
	int32		domain_bits;
	Oid			rel;			/* the table that it belongs to; 0: a role's */
	NameData	hub;			/* the foreign server of FROM_HUB, else empty */
	NameData	ordering;		/* as it was read; "adopted" is FROM_ORM */

	/* what the ordering stands for */
	Holder		holder;
	Origin		origin;
	bool		scattered;		/* an id is its number's place in a domain */
} Definition;

#define DEFINITION_SIZE offsetof(Definition, holder)

extern text *definition_argument(FunctionCallInfo fcinfo);
extern text *definition_name(text *written);
extern Definition definition_default(text *name);
extern void definition_set_ordering(Definition *definition,
									const char *ordering);
extern void definition_set_hub(Definition *definition, Name hub);
extern int	definition_scatter_bits(const Definition *definition);
extern const char *definition_ordering(const Definition *definition);
extern bool definition_takes_alike(const Definition *one,
								   const Definition *other);
pg_noreturn extern void definition_refuse_incomplete(text *name);
extern void definition_require_ranges(const Definition *definition,
									  text *written);
extern void definition_refuse_scattered(const Definition *definition,
										text *name);
extern double definition_used_ratio(const Definition *definition, int64 last);
extern const char *definition_limit_hint(const Definition *definition,
										 int64 max_value);

extern bool definition_is_orphan(const Definition *definition);
#define definition_exists(name) (catalog_copy(CATALOG_DEFINITION, name) != NULL)
extern bool definition_find(text *name, Definition *definition,
							text **written);
extern bool definition_find_alive(text *name, Definition *definition);
extern Definition definition_get(text *name);
extern void definition_from_tuple(HeapTuple tuple, Definition *definition,
								  text **written);
extern void definition_insert(text *name, text *written,
							  const Definition *definition, bool frozen);
extern void definition_update(text *name, const Definition *definition,
							  text *written);
extern bool definition_is_internal(text *name);
extern bool definition_is_series(text *name);
extern char *definition_series_prefix(Oid relid);
extern bool definition_is_of_columns(text *name);
extern bool definition_is_identity(text *name);
extern void definition_require_name(text *name, Oid owner);

extern void definition_check(text *name, const Definition *definition);
extern void definition_check_size(const Definition *definition, int64 size,
								  const char *argument);
extern void definition_check_id(const char *id, int length, int more);

/* privilege.c: hilo_privilege: who owns a generator, and who else may use it */
typedef struct Privilege
{
	ItemPointerData tid;
	Oid			role;
	bool		is_owner;
} Privilege;

extern bool privilege_is_granted(text *name, const Definition *definition,
								 Oid role);
extern Oid	privilege_granted_to(text *name, Oid role);
extern bool privilege_by_table(const Definition *definition, Oid role);
extern Oid	privilege_owner(text *name);
extern Oid	privilege_actor(text *name);
extern ArrayType *privilege_grants(text *name);

extern Privilege privilege_from_tuple(Relation rel, HeapTuple tuple);
extern bool privilege_is_known(Relation rel, HeapTuple tuple, text *name);
extern void privilege_insert(text *name, Oid role, bool is_owner, bool frozen);
extern void privilege_delete(text *name, Oid role, bool is_owner);

extern bool privilege_may_use(text *name, const Definition *definition,
							  Oid role);
extern bool privilege_may_see(text *name, const Definition *definition,
							  Oid role);
extern bool privilege_may_change(text *name, Oid role);
extern void privilege_require_use(text *name, const Definition *definition);
extern void privilege_require_owner(text *name);
extern void privilege_require_create(text *name, Oid rel, Oid role);
extern void privilege_refuse_takeover(text *name, const Definition *orphan,
									  Oid rel, Oid role);
extern bool privilege_may_insert(Oid relid, Oid role, List *written);

/* lock.c: the locks of names, generators and tables */

/*
 * The upper half of an incarnation is random, and stays until the generator is
 * dropped: locks and slots go by it.  The lower half is random and odd at first.
 * It changes, and is even from then on, when the ranges of before must not count.
 */
#define GeneratorOf(incarnation) ((uint32) ((uint64) (incarnation) >> 32))
#define SameGenerator(one, other) (GeneratorOf(one) == GeneratorOf(other))
#define IsFirstLife(incarnation) (((incarnation) & 1) != 0)
#define NextIncarnation(incarnation) \
	((int64) GeneratorOf(incarnation) << 32 | (uint32) (((incarnation) | 1) + 1))

/* What a generator is known by over all databases of the server. */
typedef struct WindowKey
{
	Oid			database;
	Oid			relid;			/* its hilo_hi */
	int64		incarnation;
} WindowKey;

/* the objsubid that tells the locks apart */
#define GENERATOR_LOCK 0
#define NAME_LOCK 1
#define WINDOW_LOCK 2
#define SOURCE_LOCK 3

extern void lock_name(text *name);
extern void unlock_name(text *name);
extern LOCKTAG lock_of_name(text *name);
extern void lock_incarnation(int64 incarnation, LOCKMODE lockmode);
extern void unlock_incarnation(int64 incarnation, LOCKMODE lockmode);
extern bool lock_table(Oid relid, LOCKMODE lockmode, bool wait);
extern void lock_limit_waits(void);
extern List *lock_inheritors(Oid relid, LOCKMODE lockmode);
extern void unlock_table(Oid relid, LOCKMODE lockmode);
extern List *lock_written(void);
extern bool lock_take(LOCKTAG tag, bool wait);
extern void lock_give_up(LOCKTAG tag);
extern LOCKTAG lock_of_source(int64 incarnation);
extern LOCKTAG lock_of_source_row(Oid relid, const char *key);
extern LOCKTAG lock_of_generator(const WindowKey *key, uint16 kind);
extern WindowKey window_key(int64 incarnation);

/* The lock under which the window in shared memory is opened and closed. */
#define lock_window(key, wait) \
	lock_take(lock_of_generator(key, WINDOW_LOCK), wait)
#define unlock_window(key) lock_give_up(lock_of_generator(key, WINDOW_LOCK))

/* relation.c: how relations are named, who owns them, what they are parts of */

extern char *relation_name(Oid relid);
pg_noreturn extern void relation_refuse_missing(Oid relid);
extern Oid	relation_find_owner(Oid relid);
extern Oid	relation_owner(Oid relid);
extern bool relation_is_table(Oid relid);
extern bool relation_has_name(Oid relid, text *name, bool any_schema);
extern bool relation_may_insert(Oid relid, Oid role);
extern void relation_require_kind(Oid relid, bool of_table, bool is_permanent);
extern Oid	relation_parent(Oid relid);
extern bool relation_find_value(Oid catalog, Oid index, AttrNumber key_column,
								RegProcedure equal, Datum key,
								AttrNumber column, Datum *value);
extern void relation_run(void *statement);

/* the state of a sequence */
extern FormData_pg_sequence sequence_form(Oid relid);
extern FormData_pg_sequence_data sequence_state(Oid relid);
extern int64 sequence_next(Oid relid, int64 increment);
extern void sequence_raise(Oid relid, int64 value);

/* pattern.c: the generators that number the ids of documents */
typedef enum PatternStrategy
{
	STRATEGY_GUID,
	STRATEGY_SERVER_SIDE,
	STRATEGY_IDENTITY,
	STRATEGY_HILO,				/* those up to here are a trigger's, too */
	STRATEGY_NUMBER,
	STRATEGY_SEMANTIC
} PatternStrategy;

#define STRATEGY_LAST_OF_TRIGGER STRATEGY_HILO

extern const char *const pattern_strategy_names[];

/* digits of the number in a server-side id */
#define SERVER_SIDE_DIGITS 19

/* The number in an id without its anchor, and what stands around it. */
typedef struct PatternNumber
{
	int			prefix_length;	/* with the separator */
	int64		number;
	int			tag_length;		/* of the node tag at the end; 0: none */
	PatternStrategy strategy;
} PatternNumber;

/* the generator of all server-side ids; no identity can have this name */
#define SERVER_SIDE_GENERATOR "|"

extern PatternStrategy pattern_strategy(text *pattern);
extern text *pattern_generator(text *pattern, bool any_separator);
extern text *pattern_identity(text *written, bool any_separator);
extern text *pattern_of_trigger(HeapTuple tuple, TupleDesc desc,
								AttrNumber *column);
extern const char *pattern_argument(Trigger *trigger, int number);
extern const char *pattern_collection(Oid relid);
extern text *pattern_tag(text *collection);
extern const char *pattern_last_part(const char *id, int length);
extern void pattern_refuse(text *name);
extern bool pattern_number(const char *id, int length, bool any_case,
						   PatternNumber *found);
extern int64 pattern_number_of(text *id, text *generator);

/* between an id and its anchor */
#define ANCHOR_SEPARATOR '$'

/*
 * Find where the anchor of an id begins: behind the last "$" that is not its
 * first character, else at the start.  No character of a server's encoding but
 * "$" itself has such a byte.
 */
static inline const char *
anchor_find(const char *id, const char *end)
{
	const char *anchor = id;
	const char *from = id + 1;
	const char *separator;

	while (from < end &&
		   (separator = memchr(from, ANCHOR_SEPARATOR, end - from)) != NULL)
		anchor = from = separator + 1;
	return anchor;
}

/* column.c: the columns that draw from generators, or are to do so */

typedef struct Column
{
	Oid			relid;
	const char *name;
	AttrNumber	attnum;
	Oid			type;			/* below a domain */
	int64		max_value;		/* of that type, or of a domain of ours */
	List	   *tables;			/* OIDs: the table and what inherits from it */
	const char *where;			/* of which rows, NULL for all; an AND before
								 * it */
} Column;

#define UNRECOGNIZED_DEFAULT \
	"A column draws from a generator if its default is a call of hilo_next, hilo_next_id, identity_next, identity_next_id or document_id with a constant name and nothing but casts around it, or if the trigger document_id_assign sets it."

typedef struct ColumnDefault
{
	Oid			relid;
	AttrNumber	attnum;
	text	   *generator;		/* as written there; NULL: not recognized */
	text	   *folded;			/* the same, to compare; need not be valid */
	Oid			sequence;		/* of which it is the next value */
	bool		is_constant;	/* draws from nothing; so does no default */
	bool		by_trigger;		/* document_id_assign, and no default */
} ColumnDefault;

extern AttrNumber column_number(Oid relid, const char *name);
extern void column_require_assignment(FunctionCallInfo fcinfo,
									  const char *function, bool of_updates);
extern AttrNumber column_of_trigger(FunctionCallInfo fcinfo, const char *name);
extern HeapTuple column_assign(TriggerData *trigger, int column,
							   char *value);
extern Column column_lock(Oid relid, const char *name, LOCKMODE lockmode);
extern bool column_try_lock(Oid relid, const char *name, LOCKMODE lockmode,
							Column *column);
extern void column_unlock(const Column *column, LOCKMODE lockmode);
extern void column_require_number(const Column *column);
extern bool column_type_is_number(Oid type);
extern bool column_type_has_ids(Oid type);
extern int64 column_type_max(Oid type);
extern int64 column_type_range_size(Oid type);
extern bool column_generator_is_foreign(Oid relid, text *name);

extern int64 column_max(const Column *column, text *generator,
						bool is_first_use);
extern int64 column_greatest(const Column *column, text *generator,
							 int64 limit, bool is_first_use);
extern bool column_is_sentinel(Oid relid, AttrNumber attnum, int64 id,
							   int64 rest);

extern List *column_sequence_list(const Column *column);
extern int64 column_sequence_last(List *sequences);
extern List *column_sequence_users(List *sequences);
extern void column_sequence_drop(List *sequences, Oid owner,
								 text *generator, bool is_shared);
extern void column_sequence_drop_identity(const Column *column);
extern Oid	column_sequence_above(const Column *column, int64 last);
pg_noreturn extern void column_sequence_refuse(Oid relid, const char *name,
											   const char *detail);

extern ColumnDefault column_default_find(Oid relid, AttrNumber attnum);
extern List *column_default_of_table(Oid relid, text *only);
extern List *column_default_written(text *name);
extern Oid	column_default_root(const ColumnDefault *column);
extern void column_default_refuse_hidden(text *name, Oid rel);
extern List *column_default_list(text *only, const Definition *definition,
								 Oid owner);
extern void column_default_refuse(text *name, const Definition *definition,
								  const char *what);

/* citus.c: what Citus knows of this server */

/* the foreign server by which a worker reaches the coordinator */
#define CITUS_HUB "hilo_coordinator"

extern const char *citus_hub(void);
extern bool citus_is_hub(const char *server);
extern void citus_refuse_own_ids(text *name, const Definition *definition);
extern bool citus_has_rows_of(Oid relid);
extern bool citus_is_shard(Oid relid);

#endif							/* HILO_TABLE_H */
