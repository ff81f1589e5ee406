/*
 * The part of an id that says where its row lives.
 */
#ifndef HILO_ANCHOR_H
#define HILO_ANCHOR_H

#include "fmgr.h"

/* how many buckets there are */
#define ANCHOR_BUCKETS 1048576

extern text *anchor_part(text *id);
extern text *anchor_append(text *id, text *target);

#endif							/* HILO_ANCHOR_H */
