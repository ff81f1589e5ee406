/*-------------------------------------------------------------------------
 *
 * orm_worker.h
 *	  A transaction of its own, in a background worker.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/orm_worker.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ORM_WORKER_H
#define HILO_ORM_WORKER_H

#include "orm_table.h"

extern OrmAnswer orm_worker_run(const OrmChange *change, Size size);
extern PGDLLEXPORT void hilo_orm_worker_main(Datum handle);

#endif							/* HILO_ORM_WORKER_H */
