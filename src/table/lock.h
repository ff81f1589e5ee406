/*
 * The locks of names, generators and tables.
 */
#ifndef HILO_LOCK_H
#define HILO_LOCK_H

#include "nodes/pg_list.h"
#include "storage/lock.h"

/*
 * What a generator is known by over all databases of the server.
 */
typedef struct WindowKey
{
	Oid			database;
	Oid			relid;			/* its hilo_hi */
	int64		incarnation;
} WindowKey;

/*
 * A slot for a background worker, as it is locked.
 */
typedef struct WorkerSlot
{
	LOCKTAG		of_role;
	LOCKTAG		of_server;
} WorkerSlot;

extern void lock_name(text *name);
extern void unlock_name(text *name);
extern void lock_source(int64 incarnation);
extern bool lock_source_without_wait(int64 incarnation);
extern void unlock_source(int64 incarnation);
extern void lock_incarnation(int64 incarnation, LOCKMODE lockmode);
extern void lock_table(Oid relid, LOCKMODE lockmode);
extern bool lock_table_without_wait(Oid relid, LOCKMODE lockmode);
extern void lock_limit_waits(void);
extern List *lock_inheritors(Oid relid, LOCKMODE lockmode);
extern void unlock_table(Oid relid, LOCKMODE lockmode);
extern void lock_source_row(Oid relid, const char *key);
extern void unlock_source_row(Oid relid, const char *key);
extern bool lock_worker_slot(int slots, Oid role, WorkerSlot *slot);
extern void unlock_worker_slot(const WorkerSlot *slot);
extern WindowKey window_key(int64 incarnation);
extern void lock_window(const WindowKey *key);
extern bool lock_window_without_wait(const WindowKey *key);
extern void wait_for_window(const WindowKey *key);
extern void unlock_window(const WindowKey *key);

#endif							/* HILO_LOCK_H */
