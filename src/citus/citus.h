/* What Citus knows about this server. */
#ifndef HILO_CITUS_H
#define HILO_CITUS_H

#include "table/table.h"

/* the foreign server by which a worker reaches the coordinator */
#define CITUS_HUB "hilo_coordinator"

extern bool citus_is_here(void);
extern bool citus_is_worker(void);
extern bool citus_is_hub(const char *server);
extern List *citus_coordinator(void);
extern void citus_refuse_own_ids(text *name, const Definition *definition);
extern void citus_recall(text *name, bool is_raised);
extern bool citus_has_rows_of(Oid relid);
extern bool citus_may_distribute(Oid relid);
extern Oid	citus_table_of(Oid relid);

#endif							/* HILO_CITUS_H */
