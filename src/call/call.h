/* The functions that SQL calls, and what they have in common. */
#ifndef HILO_CALL_H
#define HILO_CALL_H

#include "session/session.h"

/* entry.c: the generator that the first argument of a call stands for */

/* finds the entry of a written name, or of a table */
typedef SessionEntry *(*EntryFinder) (Datum argument);

extern const char *call_argument(EntryFinder find);
extern SessionEntry *call_entry_find(FunctionCallInfo fcinfo, EntryFinder find);

/*
 * Return the entry of the first argument, which is kept for a constant.  If a
 * table draws from another source since, core has made another plan.
 */
static inline SessionEntry *
call_entry(FunctionCallInfo fcinfo, EntryFinder find)
{
	SessionEntry *entry = fcinfo->flinfo->fn_extra;

	return likely(entry != NULL) ? entry : call_entry_find(fcinfo, find);
}

/* Do so for a name, which may stand for another stream since. */
static inline SessionEntry *
call_named_entry(FunctionCallInfo fcinfo, EntryFinder find)
{
	SessionEntry *entry = fcinfo->flinfo->fn_extra;

	if (entry != NULL && entry->as_of == generators_as_of())
		return entry;
	return call_entry_find(fcinfo, find);
}

/* drawing.c: whether a default or a trigger may draw from a generator */
extern void drawing_check_default(SessionEntry *entry, FuncExpr *call);
extern void drawing_check_trigger(SessionEntry *entry, Oid relid);

/*
 * first_use.c: generators that are made, by the first use of their names or by
 * a call
 */
extern void first_use(text *name, text *written);
extern void generator_create(text *name, const Definition *definition,
							 Oid owner, int64 last, bool may_be_final);
extern bool first_use_of_tag(text *tag, Definition *definition, Oid owner,
							 bool may_make);
extern bool first_use_lock(text *name);
extern void generator_lock_name(text *name);
extern void first_use_with_notice(text *tag, text *written, Oid owner);
extern void first_use_fit(const ColumnDefault *found, Definition *definition,
						  int64 *last);
extern void first_use_fit_or_warn(const ColumnDefault *found,
								  Definition *definition, int64 *last);
extern List *first_use_columns(text *key);

/* next.c: the next id of a generator, whatever its ordering */
extern text *next_text_id(SessionEntry *entry, const char *function);
extern text *text_id(text *start, int start_length, const char *separator,
					 int width, int64 number, const char *node_tag);

/*
 * Hand out the next id.  The name of the function is for the errors that
 * nextval raises, too; wanted is how many ids the caller expects to need, or 0.
 */
static inline int64
next_id(SessionEntry *entry, const char *function, int64 wanted)
{
	if (likely(entry->handed_out < entry->stop && entry_is_current(entry)))
		return session_id(entry, ++entry->handed_out);
	return session_next(entry, function, wanted);
}

/* copy.c: ids in COPY */
extern void copy_init(void);

/* generator.c: creating, changing and dropping generators */
extern bool generator_has_rows(text *name);
extern void generator_grant(text *name, Oid role, bool grant);
extern void generator_drop(text *name, bool if_exists);
extern void generator_change(text *name, const Definition *before,
							 const Definition *definition);
extern void generator_rename(text *name, text *new_name,
							 const Definition *definition);
extern bool generator_is_lent(text *name, const Definition *definition);
extern void generator_recall(text *name);
extern Definition generator_require(text *name);
extern Definition generator_require_owned(text *name);
extern void generator_lock_hi(text *name, LOCKMODE lockmode,
							  FormData_hilo_hi *hi);
extern int64 generator_last(text *name, const Definition *definition);

/* seed.c */
extern PGDLLEXPORT Datum hilo_seed(PG_FUNCTION_ARGS);
extern Definition seed_check(text *name, text *written, int64 value,
							 SeedKind kind);
extern int64 seed_generator(text *name, text *written, int64 value,
							SeedKind kind);

extern int64 seed_above_table(Oid relid, text *name,
							  const Definition *definition, int64 max);
extern void seed_require_room(Oid relid, int64 end, int64 last,
							  int64 max);
extern void seed_require_table_owner(Oid relid, text *name, const char *hint);

/* orm_adopt.c: generators that take their ids from the source of an ORM */

/* returns the source for a generator that is in the arguments from first on */
typedef OrmSource (*SourceReader) (FunctionCallInfo fcinfo, text *name,
								   text *written, int first);

extern OrmSource source_of_sequence(FunctionCallInfo fcinfo, text *name,
									text *written, int first);
extern OrmSource source_of_table(FunctionCallInfo fcinfo, text *name,
								 text *written, int first);
extern void adopt_source(text *name, text *written, const OrmSource *source,
						 int64 last);

/* identity.c: RavenDB's identities */
extern SessionEntry *identity_entry(Datum written);

#endif							/* HILO_CALL_H */
