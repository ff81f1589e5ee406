/*-------------------------------------------------------------------------
 *
 * column_sequence.h
 *	  The sequences of a column.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/column_sequence.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_COLUMN_SEQUENCE_H
#define HILO_COLUMN_SEQUENCE_H

#include "column.h"

extern int64 column_sequence_last(const Column *column);
extern void column_sequence_drop_identity(const Column *column);
extern Oid	column_sequence_above(const Column *column, int64 last);

#endif							/* HILO_COLUMN_SEQUENCE_H */
