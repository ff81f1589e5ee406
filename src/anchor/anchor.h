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

extern text *anchor_part(text *id);
extern text *anchor_append(text *id, text *target);

/*
 * Find where the anchor of an id begins: behind the last "$" that is not its
 * first character, else at the start.  No character of a server's encoding but
 * "$" itself has such a byte.
 */
static inline const char *
anchor_find(const char *id, const char *end)
{
	const char *anchor = id;
	const char *from = id + 1;
	const char *separator;

	while (from < end &&
		   (separator = memchr(from, ANCHOR_SEPARATOR, end - from)) != NULL)
		anchor = from = separator + 1;
	return anchor;
}

#endif							/* HILO_ANCHOR_H */
