/*
 * What hilo knows of the relations of others, and which rights follow from it.
 */
#ifndef HILO_RELATION_H
#define HILO_RELATION_H

#include "access/xlogdefs.h"
#include "catalog/pg_sequence.h"
#include "commands/sequence.h"
#include "parser/parse_coerce.h"

#include "citus/citus.h"
#include "pattern/pattern.h"
#include "table/table.h"

/* sequence.c: the options and the state of a sequence, and its column */

/* a lock that keeps ALTER SEQUENCE away, except on a standby */
#define SequenceLookLock() \
	(RecoveryInProgress() ? AccessShareLock : RowExclusiveLock)

extern FormData_pg_sequence sequence_form(Oid relid);
extern FormData_pg_sequence_data sequence_state(Oid relid);
extern int64 sequence_last(Oid relid);
extern int64 sequence_floor(Oid relid);
pg_noreturn extern void sequence_report_owner(Oid sequence, Oid relid);
extern const char *sequence_fault(Oid relid, const char **mend);
extern void sequence_report_fault(Oid sequence, Oid relid, int elevel);
extern int64 sequence_next(FormData_pg_sequence_data state, int64 increment);
extern List *sequence_owned(Oid relid, AttrNumber attnum, bool with_others);
extern Oid	sequence_of_identity(Oid relid, AttrNumber attnum);
extern text *sequence_generator(Oid sequence);

/* sequence_step.c: a step of a sequence, under the lock of its page */

/* Values to be taken, which are one increment apart. */
typedef struct SequenceTake
{
	int64		count;
	int64		above;			/* all values up to this are in use; 0: none */
	int64		block;			/* the first one is a multiple of it; 0: any */

	/* the result */
	int64		first;
	int64		increment;
	XLogRecPtr	lsn;
} SequenceTake;

/* An id in use, and what became of it. */
typedef struct SequencePass
{
	int64		id;
	int64		end;			/* of the ids; not 0: make no far jump */
	bool		may_raise;

	/* the result */
	int64		last;			/* before it; below the first value: none */
	XLogRecPtr	lsn;
} SequencePass;

typedef enum PassResult
{
	SEQUENCE_PASSED,
	SEQUENCE_REFUSED,			/* the sequence is lower, and must not be
								 * raised */
	SEQUENCE_IS_FAR				/* below the id, and was not raised */
} PassResult;

extern bool sequence_raise(Oid relid, int64 value, bool may_raise,
						   XLogRecPtr *lsn);
extern bool sequence_take(Oid relid, SequenceTake *take);
extern PassResult sequence_pass(Oid relid, const FormData_pg_sequence *form,
								SequencePass *pass);
extern bool sequence_is_far(const SequencePass *pass);
extern XLogRecPtr sequence_lsn(Oid relid);

/* relation.c: names, owners, rights and parents of relations */

extern char *relation_name(Oid relid);
extern char *relation_name_in_dump(Oid relid);
extern Oid	relation_of_name(const char *name, char **column);
extern Oid	relation_find_owner(Oid relid);
extern Oid	relation_owner(Oid relid);
extern TransactionId relation_creating_xid(Oid relid);
extern bool relation_is_table(Oid relid);
extern bool relation_is_in_use(Oid relid);
extern Oid	relation_of_others(text *tag, Oid role, bool *is_own);
extern bool relation_has_default(Oid relid, AttrNumber attnum);
extern bool relation_may_insert(Oid relid, Oid role);
extern bool relation_may_read(Oid relid, Oid role);
extern List *relation_grantees(Oid relid, AclMode mode);
extern void relation_require_kind(Oid relid, bool of_table, bool is_permanent,
								  Oid owner);
extern void relation_lock_own(Oid relid, LOCKMODE lockmode);
extern Oid	relation_parent(Oid relid, int n);
extern List *relation_ancestors(Oid relid, List *found);
extern TriggerDesc *relation_triggers(Oid relid);
extern Oid	relation_same_trigger(Oid relid, const Trigger *trigger);
extern List *relation_select(const char *query);
extern void relation_run(void *statement);

/* column_type.c: the number of a column, and which ids its type can hold */

extern AttrNumber column_require_attnum(Oid relid, const char *name);
extern void column_require_number(Oid relid, AttrNumber attnum,
								  const char *hint);
extern bool column_type_is_number(Oid type);
extern bool column_type_has_ids(Oid type);
extern int64 column_type_max(Oid relid, AttrNumber attnum);

/* column_trigger.c: triggers that set a column */

extern void column_require_before_row(FunctionCallInfo fcinfo,
									  const char *function, bool of_updates);
extern void column_require_timing(const Trigger *trigger,
								  const char *function, bool of_updates);
extern bool trigger_numbers_column(const Trigger *trigger, const char *column);
extern void column_refuse_numbered(Oid relid, const char *name);
extern List *column_trigger_owners(Oid relid);
extern AttrNumber column_require_assignable(Relation rel, const char *name);
extern text *column_trigger_generator(HeapTuple tuple, TupleDesc desc,
									  AttrNumber *column);
extern const char *column_trigger_argument(Trigger *trigger, int number);
extern PatternStrategy column_trigger_strategy(Trigger *trigger);
extern text *column_trigger_collection(Oid relid, Trigger *trigger);

/* column_default.c: what the default or the trigger of a column draws from */

#define UNRECOGNIZED_DEFAULT \
	"A column draws from a generator if its default is a call of hilo_next, hilo_next_tag, hilo_next_id, identity_next, identity_next_id or document_id with a constant name and nothing but casts that keep the id around it, or if the trigger document_id_assign sets it."

typedef struct ColumnDefault
{
	Oid			relid;
	AttrNumber	attnum;
	text	   *written;		/* its name there; NULL: not recognized */
	text	   *generator;		/* folded, need not be valid; also there if
								 * wrapped, where written is NULL */
	bool		is_wrapped;		/* by a call in an expression */
	bool		name_is_computed;	/* one of them computes its name */
	Oid			sequence;		/* of which it is the next value */
	bool		draws_nothing;	/* draws from nothing; so does no default */
	bool		by_trigger;		/* document_id_assign, and no default */
	bool		of_other_owner; /* a domain's, of another owner */
	bool		with_deleted;	/* as for Column; set by a first use */
} ColumnDefault;

extern ColumnDefault column_default_find(Oid relid, const char *name);
extern List *column_default_of_table(Oid relid, AttrNumber attnum, text *only);
extern List *column_default_generators(Oid relid, AttrNumber attnum);
extern List *relation_rule_relations(Oid relid);
extern List *column_default_tables(text *name);
extern bool column_default_is_by_owner(const ColumnDefault *column,
									   bool strictly);
extern List *column_default_list(text *only, bool by_users, Oid owner);
extern void column_default_refuse(text *name, const char *what,
								  const char *then);

/* stream.c: where the ids of a table come from */

extern text *stream_of_table(Oid relid, bool for_reading);
extern ColumnDefault stream_of_column(Oid relid, const char *name,
									  List **tables);
extern void stream_refuse_adopted(Oid sequence);
extern AttrNumber relation_integer_key(Oid relid);
extern List *relation_key_attnums(Oid relid);
extern bool column_is_filled(Oid relid, AttrNumber attnum);

/* column.c: a column, in its table and those that inherit it */

typedef struct Column
{
	Oid			relid;
	const char *name;
	AttrNumber	attnum;
	Oid			type;			/* below a domain */
	int64		max_value;		/* of that type, or of a domain of ours */
	List	   *tables;			/* OIDs: the table and what inherits from it */
	text	   *generator;		/* folded: what it draws from, or NULL */
	bool		is_wrapped;		/* its values show no number */
	bool		requires_index; /* an index must give its greatest value */
	bool		prefers_index;	/* an index may: no ids follow from it */
	bool		with_uncommitted;	/* it may, with rows of open transactions */
	bool		trusts_owner;	/* the call names the table: the owner's code
								 * may run */
	bool		is_sole_column; /* no other column names its generator */
	bool		with_deleted;	/* as if this transaction had done nothing */

	/* for column_lock_tree, which sets those that are not given */
	struct HTAB *greatest_cache;	/* of a statement, or NULL */
	LOCKMODE	lockmode;		/* of the tables */
	List	   *with_other_stream;	/* OIDs: what inherits, with another
									 * source */
	Oid			sequence;		/* the source, if it is no generator */
	int64		floor;			/* ids up to it do not count */
} Column;

extern Datum column_input(Form_pg_attribute column, const char *value);
extern HeapTuple column_assign(Relation rel, HeapTuple tuple, int column,
							   const char *value);
extern Column column_lock_own(Oid relid, const char *name, LOCKMODE lockmode);
extern Column column_lock_tree(Column column, int sqlstate);
extern bool column_lock_part(const Column *column, Oid relid, int sqlstate);
extern void column_unlock(const Column *column, LOCKMODE lockmode);
extern void definition_fit_column(const Column *column,
								  Definition *definition);

/* column_sequence.c: the sequences that a column draws from, or owns */

extern List *column_sequence_list(const Column *column, bool with_owned);
extern List *column_sequence_by_convention(Oid relid, const char *column);
extern void column_sequence_refuse_programs(const Column *column, List *drawn,
											List *owned);
extern int64 column_sequence_last(const Column *column, List *sequences);
extern void column_sequence_drop(const Column *column, List *sequences,
								 bool of_identity);
pg_noreturn extern void column_sequence_report(Oid relid, const char *name,
											   const char *detail);

/* owner_query.c: queries of a table, as its owner */

extern void owner_query(const Column *column, List *tables, const char *query,
						DestReceiver *receiver);
extern void owner_query_begin(Oid relid);
extern void owner_query_require_safe(Oid relid, Oid trusted);
extern void owner_query_require_table(List *tables, Oid relid);

/* column_greatest.c: the greatest value of a column, and its greatest id */

extern struct HTAB *column_greatest_cache(FunctionCallInfo fcinfo);
extern int64 column_greatest_id(const Column *column, int64 last);
extern int64 column_greatest_value(const Column *column, int64 limit);
extern bool column_is_sentinel(Oid relid, AttrNumber attnum, int64 id,
							   int64 rest, const char *what);

/* what a hint is to raise */
#define GENERATOR_SEED_HINT "the generator above them with hilo_seed"

/* privilege.c: hilo_privilege: the owner of a generator, and the grants */

/* A row, up to the name; keep in step with privilege.sql. */
typedef struct Privilege
{
	Oid			role;
	bool		is_owner;
} Privilege;

extern bool privilege_has_role(Oid member, Oid role);
extern bool privilege_is_given(text *name, Oid role);
extern Oid	privilege_owner(text *name);
extern Oid	privilege_actor(text *name);
extern ArrayType *privilege_grants(text *name);

extern void privilege_insert(text *name, Oid role, bool is_owner, bool frozen);
extern void privilege_delete(text *name, Oid role, bool is_owner);

extern bool privilege_may_change(text *name, Oid role);
extern const char *privilege_grantee(Oid role);

/* privilege_may.c: which roles may use a generator */

extern bool privilege_may_use(text *name, const Definition *definition,
							  Oid role);
extern bool privilege_may_see(text *name, const Definition *definition);
extern bool privilege_may_insert(Oid relid, Oid role);
extern bool privilege_may_draw(text *name, Oid table);
extern List *privilege_must_not_draw(text *name, List *relids);
extern void privilege_pass_on(List *tables, Oid sequence);

/* privilege_require.c: errors for roles without the right to a generator */

extern void privilege_require_use(text *name, const Definition *definition);
extern List *privilege_disputed(text *name);
extern void privilege_require_targets(text *name, List *disputed);
extern void privilege_require_owner(text *name);
extern void privilege_require_draw(text *name, Oid table);
extern void privilege_require_create(text *tag, Oid role);

/* name.c: what the name of a generator means */

/* What a call is about to do with what a name stands for. */
typedef enum NameUse
{
	NAME_TO_READ,				/* a stream, which may be a sequence */
	NAME_TO_DRAW,				/* the same; a generator is made if need be */
	NAME_TO_CHANGE,				/* a generator, no sequence */
	NAME_TO_CREATE
} NameUse;

extern text *name_of_tag(text *written);
extern text *name_of_generator(text *written, NameUse use);
extern text *name_without_schema(text *written, Oid expected);
extern Oid	name_find_table(text *written);
extern text *name_argument(FunctionCallInfo fcinfo, NameUse use);
extern text *name_shown(text *name, text *written);
extern void name_require_generator_table(Oid relid);
extern void name_require_id_column(Oid relid);
extern void name_refuse_other_stream(Oid relid);
extern void name_lock_generator_table(Oid relid);
extern void name_lock_owned_table(Oid relid);
extern void name_refuse_tag_of_same_name(Oid relid);
extern void name_refuse_table_of_same_name(text *tag);

#endif							/* HILO_RELATION_H */
