/* Ids of documents, like RavenDB's. */
#ifndef HILO_DOCUMENT_ID_H
#define HILO_DOCUMENT_ID_H

#include "call/call.h"

extern text *document_id_resolve(text *pattern, FuncExpr *call, Oid table);
extern void document_id_require_final(text *id);

#endif							/* HILO_DOCUMENT_ID_H */
