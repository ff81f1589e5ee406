/*
 * A change of an ORM's table in a transaction of its own, in a background worker.
 */
#ifndef HILO_WORKER_H
#define HILO_WORKER_H

extern void worker_run(Oid relid, Oid role, const void *input, Size size,
					   void *answer, Size answer_size);
extern void worker_begin_transaction(void);
extern void worker_commit_transaction(void);
extern PGDLLEXPORT void hilo_worker_main(Datum handle);

#endif							/* HILO_WORKER_H */
