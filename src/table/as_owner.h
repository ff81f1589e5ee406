/*
 * Looking at a relation with the rights of its owner.
 */
#ifndef HILO_AS_OWNER_H
#define HILO_AS_OWNER_H

extern bool as_owner_select(Oid relid, const char *query, int64 *value);

#endif							/* HILO_AS_OWNER_H */
