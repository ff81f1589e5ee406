/*-------------------------------------------------------------------------
 *
 * identity.h
 *	  RavenDB's identities.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_IDENTITY_H
#define HILO_IDENTITY_H

#include "session/session_entry.h"
#include "table/definition.h"

extern SessionEntry *identity_entry(text *written);
extern text *identity_name(text *written);
extern int64 identity_last(text *name, const Definition *definition);

#endif							/* HILO_IDENTITY_H */
