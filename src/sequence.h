/*-------------------------------------------------------------------------
 *
 * sequence.h
 *	  The options and the state of a sequence.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/sequence.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SEQUENCE_H
#define HILO_SEQUENCE_H

#include "catalog/pg_sequence.h"
#include "commands/sequence.h"

extern FormData_pg_sequence sequence_form(Oid relid);
extern FormData_pg_sequence_data sequence_state(Oid relid);

#endif							/* HILO_SEQUENCE_H */
