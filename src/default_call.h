/*-------------------------------------------------------------------------
 *
 * default_call.h
 *	  A call of a generator in the expression of a default.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/default_call.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_DEFAULT_CALL_H
#define HILO_DEFAULT_CALL_H

#include "nodes/nodes.h"

/*
 * What the search of an expression looks for, and finds.
 */
typedef struct DefaultCall
{
	Oid			functions[5];
	text	   *only;			/* folded: of this generator; NULL: of any */
	bool		found;			/* a call of one of them */
	text	   *written;		/* the generator's name; NULL: no constant */
	text	   *folded;			/* the same, to be compared; need not be valid */
	bool		bare;			/* the expression is that call, and casts of it */
} DefaultCall;

extern void default_call_begin(DefaultCall *call, text *only);
extern bool default_call_find(Node *node, DefaultCall *call);
extern bool default_call_is_bare(Node *node, const DefaultCall *call);

#endif							/* HILO_DEFAULT_CALL_H */
