/*
 * The extension's own tables.
 */
#ifndef HILO_CATALOG_H
#define HILO_CATALOG_H

#include "access/genam.h"
#include "miscadmin.h"
#include "utils/relcache.h"

typedef enum CatalogTable
{
	CATALOG_DEFINITION,			/* hilo_generator */
	CATALOG_HI,					/* hilo_hi */
	CATALOG_GAPLESS,			/* hilo_gapless */
	CATALOG_PRIVILEGE,			/* hilo_privilege */
	CATALOG_SOURCE,				/* hilo_source */
	CATALOG_LAUNCH,				/* hilo_launches */
	CATALOG_LEDGER,				/* hilo_ledger */
	CATALOG_NODE				/* hilo_node */
} CatalogTable;

#define CATALOG_TABLES (CATALOG_NODE + 1)

/* the column of the name in hilo_hi */
#define Anum_hilo_hi_name 18

/* what is done with a row */
typedef void (*CatalogWork) (Relation rel, HeapTuple tuple, void *arg);

/* changes whenever what is remembered of a generator may have become wrong */
extern uint64 catalog_generation;

/* changes whenever the default of a column may have changed */
extern uint64 catalog_default_generation;

extern Oid	catalog_relid(CatalogTable table);
extern bool catalog_table_of(Oid relid, CatalogTable *table);
extern Oid	catalog_public_schema(void);
extern Relation catalog_open(CatalogTable table, LOCKMODE lockmode);
extern Relation catalog_open_durable(CatalogTable table, bool wait,
									 const char *danger);
extern void catalog_require_durable(Relation rel, const char *danger);
extern Oid	catalog_index(Relation rel);
extern SysScanDesc catalog_scan(Relation rel, AttrNumber name_column,
								text *name, Snapshot snapshot);
extern HeapTuple catalog_row(Relation rel, AttrNumber name_column, text *name,
							 SysScanDesc *scan);
extern bool catalog_has(Relation rel, AttrNumber name_column, text *name);
extern bool catalog_has_key(Relation rel, HeapTuple tuple);
extern void catalog_each(CatalogTable table, CatalogWork work, void *arg);
extern void catalog_changed(void);
extern void catalog_changed_at_once(void);
extern void catalog_watch(Oid relid);

/* catalog_change.c */
extern void catalog_insert(Relation rel, HeapTuple tuple, bool frozen);
extern void catalog_note(Relation rel, HeapTuple tuple);
extern void catalog_update(Relation rel, ItemPointer tid, HeapTuple tuple);
extern void catalog_delete(CatalogTable table, AttrNumber name_column,
						   text *name);
extern bool catalog_deleted_in_this_transaction(HeapTuple tuple);
extern bool catalog_dropped_in_this_transaction(text *name);

/*
 * Raises the error of nextval where nothing may be written: in a read-only
 * transaction, in recovery and in parallel mode.
 */
static inline void
catalog_require_writable(const char *function)
{
	PreventCommandIfReadOnly(function);
	PreventCommandIfParallelMode(function);
}

#endif							/* HILO_CATALOG_H */
