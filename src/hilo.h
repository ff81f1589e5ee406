/*-------------------------------------------------------------------------
 *
 * hilo.h
 *	  Settings that say how text ids look.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hilo.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_HILO_H
#define HILO_HILO_H

#define NODE_TAG_MAX_LENGTH 4

extern char *hilo_node_tag;
extern char *hilo_identity_parts_separator;

#endif							/* HILO_HILO_H */
