/*-------------------------------------------------------------------------
 *
 * as_owner.c
 *	  Looking at a relation with the rights of its owner.
 *
 * A query runs what the owner of a relation has put there: the checks of
 * domains, casts, the expressions of indexes.  Who calls a function of hilo need
 * not know that it looks at somebody's relation, so that must not run with the
 * rights of the caller; VACUUM does it so as well.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/as_owner.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/guc.h"

#include "as_owner.h"
#include "relation.h"

/*
 * Makes the owner of a relation the current role, which can do nothing that
 * outlasts as_owner_end, and search_path pg_catalog.  The caller has locked the
 * relation, and has seen that the current role may do what is done then.  An
 * error ends it by the abort of the transaction or subtransaction.
 */
AsOwner
as_owner_begin(Oid relid)
{
	AsOwner		before;
	Oid			owner = relation_owner(relid);

	GetUserIdAndSecContext(&before.role, &before.security_context);
	SetUserIdAndSecContext(owner, before.security_context |
						   SECURITY_RESTRICTED_OPERATION);
	before.guc_level = NewGUCNestLevel();
	(void) set_config_option("search_path", "pg_catalog, pg_temp",
							 PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE,
							 true, 0, false);
	return before;
}

/*
 * Ends that.
 */
void
as_owner_end(const AsOwner *before)
{
	AtEOXact_GUC(false, before->guc_level);
	SetUserIdAndSecContext(before->role, before->security_context);
}
