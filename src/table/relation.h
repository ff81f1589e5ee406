/*
 * Relations: how statements and errors name them, who owns them, what they are
 * parts of.
 */
#ifndef HILO_RELATION_H
#define HILO_RELATION_H

#include "catalog/pg_sequence.h"
#include "commands/sequence.h"
#include "executor/tuptable.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

#include "base/base.h"

/* what is done with a row */
typedef void (*RelationRow) (TupleTableSlot *slot, void *arg);

extern char *relation_name(Oid relid);
pg_noreturn extern void relation_refuse_missing(Oid relid);
extern Oid	relation_owner(Oid relid);
extern bool relation_is_table(Oid relid);
extern bool relation_is_system(Oid relid);
extern bool relation_may_insert(Oid relid, Oid role);
extern void relation_require_permanent(Oid relid, bool of_table);
extern Oid	relation_partition_parent(Oid relid);
extern void relation_run(const char *statement);
extern int	relation_execute(Oid relid, const char *statement);
extern void relation_each_row(Relation rel, RelationRow row, void *arg);
extern Snapshot relation_snapshot(void);

/* what a sequence is at */
extern FormData_pg_sequence sequence_form(Oid relid);
extern FormData_pg_sequence_data sequence_state(Oid relid);

#endif							/* HILO_RELATION_H */
