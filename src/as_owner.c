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

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/syscache.h"

#include "as_owner.h"
#include "compat.h"
#include "relation.h"

PG_FUNCTION_INFO_V1(as_owner_ask);

static void require_owner(Oid relid);

/*
 * as_owner_ask(rel, query): runs a query as the owner of a relation, which the
 * current role must be able to become, and says whether it gave a row.
 */
Datum
as_owner_ask(PG_FUNCTION_ARGS)
{
	Oid			relid = PG_GETARG_OID(0);
	char	   *query = text_to_cstring(PG_GETARG_TEXT_PP(1));
	AsOwner		before;
	bool		found;

	/* before others wait for the lock, and with it, as the owner may have changed */
	require_owner(relid);
	LockRelationOid(relid, AccessShareLock);
	require_owner(relid);
	before = as_owner_begin(relid);
	SPI_connect();
	if (SPI_execute(query, false, 0) != SPI_OK_SELECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("not a query: \"%s\"", query)));
	found = SPI_processed > 0;
	SPI_finish();
	as_owner_end(&before);
	PG_RETURN_BOOL(found);
}

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

/*
 * Raises an error unless the current role can become the owner of a relation.
 */
static void
require_owner(Oid relid)
{
	Oid			owner = relation_owner(relid);

	if (!may_become(GetUserId(), owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to set role \"%s\"",
						GetUserNameFromId(owner, false))));
}
