/*-------------------------------------------------------------------------
 *
 * hilo.h
 *	  Settings that say how text ids look.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_HILO_H
#define HILO_HILO_H

#define NODE_TAG_MAX_LENGTH 4

#define HILO_SEPARATOR_RULE \
	"The separator is one character other than \"|\"."

extern char *hilo_node_tag;
extern char *hilo_identity_parts_separator;

extern bool hilo_node_tag_is_valid(const char *tag);
extern bool hilo_separator_is_valid(const char *separator);

#endif							/* HILO_HILO_H */
