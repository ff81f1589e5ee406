/*-------------------------------------------------------------------------
 *
 * anchor.h
 *	  The part of an id that says where its row lives.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/anchor.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ANCHOR_H
#define HILO_ANCHOR_H

/* between an id and its anchor */
#define ANCHOR_SEPARATOR '$'

/* how many buckets there are, of a database or of a prefix */
#define ANCHOR_BUCKETS 1048576

extern int	anchor_bucket_of_id(text *id);
extern const char *anchor_find(const char *id, int length);
extern text *anchor_append(text *id, text *target);

#endif							/* HILO_ANCHOR_H */
