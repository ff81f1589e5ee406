/*
 * Work in a transaction of its own, in a background worker.
 */
#ifndef HILO_WORKER_H
#define HILO_WORKER_H

#include "access/xlogdefs.h"

/* how many numbers a worker answers with */
#define WORKER_RESULTS 2

/* Does the work, as SPI_connect leaves it, in the worker. */
typedef void (*WorkerWork) (const void *input, int64 *results);

extern XLogRecPtr worker_run(const char *main, const char *table, Oid role,
							 const void *input, Size size, int64 *results);
extern void worker_serve(Datum handle, WorkerWork work);

/* orm_table.c */
extern PGDLLEXPORT void hilo_orm_table_main(Datum handle);

#endif							/* HILO_WORKER_H */
