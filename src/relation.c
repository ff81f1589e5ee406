/*-------------------------------------------------------------------------
 *
 * relation.c
 *	  Relations, as statements and errors name them.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/relation.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "relation.h"

/*
 * Gives the name of a relation with its schema, as it is written in a
 * statement, or raises an error if there is no such relation.
 */
char *
relation_name(Oid relid)
{
	char	   *name = get_rel_name(relid);

	if (name == NULL)
		relation_refuse_missing(relid);
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relid)),
									  name);
}

/*
 * Raises the error for a relation that is not there.
 */
void
relation_refuse_missing(Oid relid)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_TABLE),
			 errmsg("relation with OID %u does not exist", relid)));
}
