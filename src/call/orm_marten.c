/*
 * The next hi of Marten, for the function that hilo_provide_marten makes.
 *
 * It gives what Marten's own gives, but the change of the row is a transaction
 * of its own that waits for others: no -1, no unique violation for two who come
 * first, no 40001, and on disk whatever synchronous_commit is.
 *
 * There is no generator whose owner's rights could count.  So those of the
 * caller do, as in Marten's function.
 */
#include "postgres.h"

#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "source/source.h"

PG_FUNCTION_INFO_V1(hilo_marten_next_hi);

Datum
hilo_marten_next_hi(PG_FUNCTION_ARGS)
{
	OrmSource	source = {0};
	OrmAnswer	answer;

	catalog_require_writable("hilo_marten_next_hi()");
	source.relid = PG_GETARG_OID(0);
	relation_require_kind(source.relid, true, false);
	source.style = orm_style("marten");
	source.ids = 1;
	source.initial = source.style->first;
	namestrcpy(&source.style_name, source.style->name);
	namestrcpy(&source.hi_column, source.style->hi_column);
	namestrcpy(&source.key_column, source.style->key_column);
	orm_source_set_key(&source, text_to_cstring(PG_GETARG_TEXT_PP(1)));
	source.actor = GetUserId();
	/* before he keeps others from the row */
	if (pg_class_aclcheck(source.relid, source.actor, ACL_UPDATE) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE,
					   get_rel_name(source.relid));
	answer = orm_table_change(&source, 1, PG_INT64_MIN);
	/* the worker does not know for which standbys the session waits */
	flush_wait_for_standbys(answer.lsn);
	PG_RETURN_INT64(answer.stored + 1);
}
