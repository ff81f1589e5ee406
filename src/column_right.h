/*-------------------------------------------------------------------------
 *
 * column_right.h
 *	  The right to use a generator that comes with a table.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/column_right.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_COLUMN_RIGHT_H
#define HILO_COLUMN_RIGHT_H

extern bool column_right(text *name, bool is_public, Oid role);

#endif							/* HILO_COLUMN_RIGHT_H */
