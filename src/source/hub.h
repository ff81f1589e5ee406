/*
 * Generators whose ids come from a generator on another server.
 */
#ifndef HILO_HUB_H
#define HILO_HUB_H

#include "base/base.h"
#include "store/store.h"
#include "table/definition.h"

extern void hub_require_server(const char *hub);
extern StoreResult hub_take(const Definition *definition,
							const StoreRequest *request, StoreRange *taken);
extern bool hub_give_back(text *name, int64 incarnation, int64 epoch,
						  Range own, int64 next, bool recycle);
extern int64 hub_last(text *name, const Definition *definition);
extern int64 hub_seed(text *name, const Definition *definition,
					  int64 incarnation, int64 value, SeedKind kind);
extern void hub_pass(text *name, const Definition *definition, int64 value);
extern void hub_refuse_force(void);

/* hub_connection.c */
extern void hub_call(const char *hub, Oid owner, const char *function,
					 int patience, int nresults, int64 *results);

#endif							/* HILO_HUB_H */
