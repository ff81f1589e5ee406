/*
 * What Marten expects in its schema: mt_hilo and mt_get_next_hi.
 *
 * The table is Marten's own.  The function gives what Marten's gives, but the
 * change of the row is a transaction of its own that waits for others instead
 * of giving up: no -1, no unique violation for two who come first, no 40001,
 * and on disk whatever synchronous_commit is.  A Marten that puts its own
 * function back goes on from the same rows.
 *
 * There is no generator whose owner's rights could count.  So those of the
 * caller do, as in Marten's function.
 */
#include "postgres.h"

#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "source/source.h"

PG_FUNCTION_INFO_V1(hilo_provide_marten);
PG_FUNCTION_INFO_V1(hilo_marten_next_hi);

Datum
hilo_provide_marten(PG_FUNCTION_ARGS)
{
	char	   *schema = NameStr(*PG_GETARG_NAME(0));
	char	   *table = quote_qualified_identifier(schema, "mt_hilo");
	char	   *function = quote_qualified_identifier(schema, "mt_get_next_hi");
	char	   *ours = get_namespace_name(catalog_public_schema());

	relation_run(psprintf("CREATE TABLE IF NOT EXISTS %s ("
						  "entity_name pg_catalog.varchar CONSTRAINT pk_mt_hilo PRIMARY KEY, "
						  "hi_value pg_catalog.int8 DEFAULT 0)", table));
	/* that of older Martens returns another type */
	relation_run(psprintf("DROP FUNCTION IF EXISTS %s(pg_catalog.varchar)", function));
	/* by its OID, whatever has its name later, and not through the table */
	relation_run(psprintf("CREATE FUNCTION %s(entity pg_catalog.varchar) "
						  "RETURNS pg_catalog.int8 LANGUAGE sql "
						  "RETURN %s(%s::pg_catalog.text::pg_catalog.regclass, entity::pg_catalog.text)",
						  function,
						  quote_qualified_identifier(ours, "hilo_marten_next_hi"),
						  quote_literal_cstr(table)));
	PG_RETURN_VOID();
}

Datum
hilo_marten_next_hi(PG_FUNCTION_ARGS)
{
	OrmSource	source = {0};
	OrmAnswer	answer;

	catalog_require_writable("hilo_marten_next_hi()");
	source.relid = PG_GETARG_OID(0);
	relation_require_kind(source.relid, true);
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
