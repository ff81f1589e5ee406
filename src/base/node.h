/*-------------------------------------------------------------------------
 *
 * node.h
 *	  What this server is called, and how that is written in ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_NODE_H
#define HILO_NODE_H

#define NODE_TAG_MAX_LENGTH 4

/* of trace ids; 0 is none */
#define NODE_NO_MAX 65535

#define HILO_SEPARATOR_RULE \
	"The separator is one character other than \"|\"."

extern char *hilo_node_tag;
extern int	hilo_node_no;
extern char *hilo_identity_parts_separator;

extern bool node_tag_is_valid(const char *tag);
extern bool separator_is_valid(const char *separator);

#endif							/* HILO_NODE_H */
