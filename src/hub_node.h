/*-------------------------------------------------------------------------
 *
 * hub_node.h
 *	  hilo_node: the servers that a hub knows.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub_node.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_HUB_NODE_H
#define HILO_HUB_NODE_H

#include "access/htup.h"
#include "utils/relcache.h"

extern bool hub_node_is_known(Relation rel, HeapTuple tuple);

#endif							/* HILO_HUB_NODE_H */
