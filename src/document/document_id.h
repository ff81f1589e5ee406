/*-------------------------------------------------------------------------
 *
 * document_id.h
 *	  Ids of documents, as RavenDB has them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_DOCUMENT_ID_H
#define HILO_DOCUMENT_ID_H

#include "access/htup.h"

typedef enum DocumentIdStrategy
{
	STRATEGY_GUID,
	STRATEGY_SERVER_SIDE,
	STRATEGY_IDENTITY,
	STRATEGY_HILO,				/* those up to here are a trigger's, too */
	STRATEGY_NUMBER,
	STRATEGY_SEMANTIC
} DocumentIdStrategy;

#define STRATEGY_LAST_OF_TRIGGER STRATEGY_HILO

extern const char *const document_id_strategy_names[];

/* the generator of all server-side ids; no identity can have this name */
#define SERVER_SIDE_GENERATOR "|"

extern text *document_id_resolve(text *pattern);
extern text *document_id_generator(text *pattern, bool any_separator);
extern void document_id_require_valid(const char *id, int length);
extern void document_id_require_final(const char *id, int length);
extern text *document_id_tag(text *collection);
extern text *document_id_trigger_generator(HeapTuple tuple, TupleDesc desc,
										   AttrNumber *column);

#endif							/* HILO_DOCUMENT_ID_H */
