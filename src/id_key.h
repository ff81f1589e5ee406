/*-------------------------------------------------------------------------
 *
 * id_key.h
 *	  hilo_id_key: keys with names.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/id_key.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ID_KEY_H
#define HILO_ID_KEY_H

#include "access/htup.h"
#include "utils/relcache.h"

extern bool id_key_is_known(Relation rel, HeapTuple tuple);

#endif							/* HILO_ID_KEY_H */
