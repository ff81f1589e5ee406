/*
 * hilo_privilege: who owns a generator, and who else may use it.
 */
#ifndef HILO_PRIVILEGE_H
#define HILO_PRIVILEGE_H

#include "access/htup.h"
#include "utils/array.h"
#include "utils/relcache.h"

extern bool privilege_is_granted(text *name, bool is_public, Oid role);
extern bool privilege_may_use(text *name, bool is_public, Oid role);
extern bool privilege_may_see(text *name, bool is_public, Oid role);
extern bool privilege_may_change(text *name, Oid role);
extern void privilege_require_use(text *name, text *written, bool is_public);
extern void privilege_require_see(text *name, text *written, bool is_public);
extern void privilege_require_owner(text *name, text *written);
extern void privilege_require_create(text *written);
extern Oid	privilege_owner(text *name);
extern Oid	privilege_actor(text *name);
extern ArrayType *privilege_grants(text *name);

extern void privilege_from_tuple(Relation rel, HeapTuple tuple, Oid *role,
								 bool *is_owner);
extern bool privilege_is_known(Relation rel, HeapTuple tuple);
extern void privilege_insert(text *name, Oid role, bool is_owner, bool frozen);
extern void privilege_delete(text *name, Oid role, bool is_owner);
extern void privilege_delete_all(text *name);

#endif							/* HILO_PRIVILEGE_H */
