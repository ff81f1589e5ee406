/*
 * What the files of this folder have in common.
 */
#ifndef HILO_COLUMN_H
#define HILO_COLUMN_H

#include "call/call.h"

/* attach.c */
extern int64 require_above(Oid relid, text *name, text *written,
						   const Definition *definition, int64 max);

/* follow.c: generators that follow the ids which rows bring along */
extern bool column_is_followed(const Column *column);
extern void column_follow(const Column *column, text *generator);

#endif							/* HILO_COLUMN_H */
