/*
 * The differences between PostgreSQL 15 and 19, by the names and arguments of
 * the newest.
 */
#ifndef HILO_COMPAT_H
#define HILO_COMPAT_H

#include "storage/lmgr.h"
#include "storage/proc.h"
#include "utils/guc_tables.h"
#include "utils/wait_event.h"

/* heap_inplace_lock() and what goes with it */
#if PG_VERSION_NUM < 150009 || PG_VERSION_NUM == 170000 || \
	(PG_VERSION_NUM >= 160000 && PG_VERSION_NUM < 160005)
#error "hilo needs PostgreSQL 15.9, 16.5, 17.1 or later"
#endif

/* with Datums of 4 bytes, hilo's tests crash the server */
#if SIZEOF_VOID_P < 8
#error "hilo needs a PostgreSQL of 64 bits"
#endif

#if PG_VERSION_NUM >= 160000
#include "catalog/pg_database.h"
#include "catalog/pg_foreign_server.h"
#include "catalog/pg_namespace.h"
#include "varatt.h"
#else
#define member_can_set_role is_member_of_role
#define rd_firstRelfilelocatorSubid rd_firstRelfilenodeSubid
#define rd_locator rd_node
#define object_ownercheck(catalog, oid, role) pg_class_ownercheck(oid, role)
#define object_aclcheck(catalog, oid, role, mode) aclcheck_##catalog(oid, role, mode)
#define aclcheck_DatabaseRelationId pg_database_aclcheck
#define aclcheck_ForeignServerRelationId pg_foreign_server_aclcheck
#define aclcheck_NamespaceRelationId pg_namespace_aclcheck
#define aclcheck_ProcedureRelationId pg_proc_aclcheck
#endif

#if PG_VERSION_NUM < 160000
typedef bool TU_UpdateIndexes;
#define heap_update(rel, tid, tuple, cid, options, crosscheck, wait, failure, lockmode, indexes) \
	((void) (indexes), heap_update(rel, tid, tuple, cid, crosscheck, wait, failure, lockmode))
#elif PG_VERSION_NUM < 190000
#define heap_update(rel, tid, tuple, cid, options, crosscheck, wait, failure, lockmode, indexes) \
	heap_update(rel, tid, tuple, cid, crosscheck, wait, failure, lockmode, indexes)
#endif

#define DatabaseCreate(role) \
	object_aclcheck(DatabaseRelationId, MyDatabaseId, role, ACL_CREATE)

/*
 * Check whether the relation got new storage in the current transaction.  Look
 * at the first change: a rollback to a savepoint forgets the latest one.
 */
#define RelationHasNewStorage(rel) \
	((rel)->rd_firstRelfilelocatorSubid != InvalidSubTransactionId)

/* since 18, pg_get_loaded_modules() shows the name and the version */
#ifndef PG_MODULE_MAGIC_EXT
#define PG_MODULE_MAGIC_EXT(...) PG_MODULE_MAGIC
#endif

/* Find a setting; NULL if there is none of that name. */
static inline struct config_generic *
setting_find(const char *name)
{
#if PG_VERSION_NUM >= 160000
	return find_option(name, false, true, LOG);
#else
	for (int i = 0; i < GetNumConfigOptions(); i++)
		if (pg_strcasecmp(get_guc_variables()[i]->name, name) == 0)
			return get_guc_variables()[i];
	return NULL;
#endif
}

#if PG_VERSION_NUM >= 170000
#define MyLocalTransactionId (MyProc->vxid.lxid)
#else
#define MyLocalTransactionId (MyProc->lxid)
/* all waits have the same name in pg_stat_activity */
#define WaitEventExtensionNew(name) ((void) (name), PG_WAIT_EXTENSION)
#define foreach_of(type, item, list, value) \
	for (ForEachState item##_at = {(list), 0}; item##_at.l != NIL; item##_at.l = NIL) \
		for (type item; item##_at.i < list_length(item##_at.l) && \
			 (item = value(list_nth_cell(item##_at.l, item##_at.i)), true); item##_at.i++)
#define foreach_ptr(type, item, list) foreach_of(type *, item, list, lfirst)
#define foreach_int(item, list) foreach_of(int, item, list, lfirst_int)
#define foreach_oid(item, list) foreach_of(Oid, item, list, lfirst_oid)
#endif

#if PG_VERSION_NUM < 180000
#define pg_noreturn pg_attribute_noreturn()
#define RelationGetPrimaryKeyIndex(rel, deferrable) RelationGetPrimaryKeyIndex(rel)
#define has_generated_virtual has_generated_stored
#endif

/*
 * Minor releases before 15.13, 16.9 and 17.5 have a bool in place of
 * sync_standbys_status.  Until the checkpointer has set SYNC_STANDBY_INIT, only
 * the setting shows it.
 */
#ifdef SYNC_STANDBY_DEFINED
#define StandbysAreDefined(ctl) \
	(((ctl)->sync_standbys_status & SYNC_STANDBY_DEFINED) != 0 || \
	 (((ctl)->sync_standbys_status & SYNC_STANDBY_INIT) == 0 && \
	  SyncRepStandbyNames != NULL && SyncRepStandbyNames[0] != '\0'))
#else
#define StandbysAreDefined(ctl) ((ctl)->sync_standbys_defined)
#endif

#if PG_VERSION_NUM >= 190000
#include "commands/sequence_xlog.h"
/* a tranche has its name in shared memory */
#define LWLockRegisterTranche(tranche, name) ((void) 0)
#else
#define LWLockNewTrancheId(name) LWLockNewTrancheId()
#define pg_plan_query(query, text, options, params, es) \
	pg_plan_query(query, text, options, params)
#endif

#endif							/* HILO_COMPAT_H */
