/*
 * The part of an id that says where its row lives.
 */
#ifndef HILO_ANCHOR_H
#define HILO_ANCHOR_H

#include "fmgr.h"

/* between an id and its anchor */
#define ANCHOR_SEPARATOR '$'

/* how many buckets there are */
#define ANCHOR_BUCKETS 1048576

extern PGDLLEXPORT Datum anchor_bucket(PG_FUNCTION_ARGS);
extern text *anchor_part(text *id);
extern const char *anchor_find(const char *id, int length);
extern text *anchor_append(text *id, text *target);

#endif							/* HILO_ANCHOR_H */
