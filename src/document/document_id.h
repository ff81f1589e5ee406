/*
 * Ids of documents, as RavenDB has them.
 */
#ifndef HILO_DOCUMENT_ID_H
#define HILO_DOCUMENT_ID_H

#include "call/call.h"

extern text *document_id_resolve(text *pattern, FunctionCallInfo fcinfo);
extern void document_id_require_valid(const char *id, int length);
extern void document_id_require_final(const char *id, int length);

#endif							/* HILO_DOCUMENT_ID_H */
