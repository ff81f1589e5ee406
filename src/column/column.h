/* What the files of this folder have in common. */
#ifndef HILO_COLUMN_H
#define HILO_COLUMN_H

#include "call/call.h"

/* attach.c */
extern void column_attach(const Column *column, text *name, text *written, bool follow);
extern char *column_source_constant(text *generator);
extern void column_set_default(const char *only, Oid relid, const char *name, text *generator);

/* join.c: columns with rows that begin to draw from a table's generator */
extern bool column_joins;

/* number.c: numbers for the rows of each group */
extern text *number_urgent_series(const Column *column, Oid trigger, int64 *highest);

/* follow.c: generators that follow the ids which rows bring along */
extern void follow_id(Oid relid, AttrNumber attnum, SessionEntry *entry, int64 id);
extern char *follow_trigger(Oid relid, AttrNumber attnum);
extern void column_follow(const Column *column, text *generator);
extern void follow_require_own_ids(text *name, const Definition *definition);
pg_noreturn extern void column_refuse_renamed(void);

#endif							/* HILO_COLUMN_H */
