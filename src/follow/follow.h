/* Triggers by which what a column draws from follows the ids in its rows. */
#ifndef HILO_FOLLOW_H
#define HILO_FOLLOW_H

#include "call/call.h"

/* Whether a generator is to follow a column. */
typedef enum Follow
{
	FOLLOW_NO,
	FOLLOW_YES,					/* inserted and updated rows */
	FOLLOW_BY_DEFAULT			/* inserted rows, if follows_by_default */
} Follow;

/* own_ddl.c: statements by which hilo itself alters tables */
extern bool ddl_is_own;

extern void ddl_run(const char *statement);
extern void column_set_default(const char *only, Oid relid, const char *name,
							   text *generator);
pg_noreturn extern void column_report_renamed(void);

/* follow_trigger.c: triggers by which ids in rows are followed */
extern Follow follow_of(Oid relid, AttrNumber attnum);
extern void column_follow(const Column *column, text *generator, Follow follow);
extern void follow_require_own_ids(text *name, const Definition *definition);
extern bool follow_drop(const Column *column);
extern bool follow_is_done(Oid relid, const char *name, Follow follow);
extern void follow_renamed(Oid relid, AttrNumber attnum);
extern void follow_like(Oid relid, Oid other, const char *only);
extern List *follow_mend(Oid relid);
extern Oid	follow_table(Oid relid, const char *name);

#endif							/* HILO_FOLLOW_H */
