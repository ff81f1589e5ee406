/*-------------------------------------------------------------------------
 *
 * catalog_change.h
 *	  Changes of rows of the extension's own tables.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/catalog_change.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_CATALOG_CHANGE_H
#define HILO_CATALOG_CHANGE_H

#include "catalog.h"

extern void catalog_insert(Relation rel, HeapTuple tuple, bool frozen);
extern void catalog_note(Relation rel, HeapTuple tuple);
extern void catalog_update(Relation rel, ItemPointer tid, HeapTuple tuple);
extern void catalog_delete(CatalogTable table, AttrNumber name_column,
						   text *name);
extern bool catalog_deleted_here(HeapTuple tuple);

#endif							/* HILO_CATALOG_CHANGE_H */
