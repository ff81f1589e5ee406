/*-------------------------------------------------------------------------
 *
 * orm_sequence.h
 *	  Sequences that ORMs take their hi from.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/orm_sequence.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ORM_SEQUENCE_H
#define HILO_ORM_SEQUENCE_H

#include "orm_source.h"

extern int64 orm_sequence_increment(Oid relid);
extern void orm_sequence_check(const OrmSource *source);
extern int64 orm_sequence_take(const OrmSource *source, int64 *initial);
extern void orm_sequence_require_rights(const OrmSource *source,
										AclMode mode);
extern bool orm_sequence_next(const OrmSource *source, int64 *value);
extern void orm_sequence_raise(const OrmSource *source, int64 value);
extern void orm_sequence_use_first(const OrmSource *source);

#endif							/* HILO_ORM_SEQUENCE_H */
