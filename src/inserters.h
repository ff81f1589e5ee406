/*-------------------------------------------------------------------------
 *
 * inserters.h
 *	  Who may insert into a table.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/inserters.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_INSERTERS_H
#define HILO_INSERTERS_H

#include "nodes/pg_list.h"

extern List *inserters_named(Oid relid);
extern bool inserters_include(Oid relid, Oid role);

#endif							/* HILO_INSERTERS_H */
