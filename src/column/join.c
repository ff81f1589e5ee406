/*
 * Columns with rows that begin to draw from a table's generator.
 *
 * A default, a partition or a child may bring rows with greater ids than the
 * generator has handed out.  The ALTER TABLE that joins them holds the lock of
 * the table, so no row with a greater id comes before its commit.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_inherits.h"
#include "utils/inval.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_join_tables);

static void join_tree(Oid relid);
static void join_columns(Oid relid, Oid source, bool with_old);
static bool is_made_now(Oid catalog, Oid index, AttrNumber column, Oid key);
static void warn_of_own_default(Oid part, const char *name,
								const ColumnDefault *whole);
static void raise_joined(void *arg);

/* off while column_set_default alters a table: its callers look at the rows */
bool		join_is_on = true;

/*
 * An event trigger on ddl_command_end of ALTER TABLE and ALTER DOMAIN: raise
 * the generators of tables above the rows of columns that now draw from them.
 * Only warn if that fails: the ALTER goes on.
 */
Datum
hilo_join_tables(PG_FUNCTION_ARGS)
{
	if (join_is_on)
	{
		foreach_oid(relid,
					relation_select("SELECT DISTINCT c.objid FROM pg_catalog.pg_event_trigger_ddl_commands() c"
									" WHERE c.object_type OPERATOR(pg_catalog.=) 'table'"))
			join_tree(relid);
		foreach_oid(relid,
					relation_select("SELECT DISTINCT a.attrelid FROM pg_catalog.pg_event_trigger_ddl_commands() c"
									" JOIN pg_catalog.pg_attribute a ON a.atttypid OPERATOR(pg_catalog.=) c.objid"
									" WHERE c.command_tag OPERATOR(pg_catalog.=) 'ALTER DOMAIN'"))
		{
			if (!relation_is_table(relid))
				continue;
			/* a default gives and takes rights, also in other sessions */
			CacheInvalidateRelcacheByRelid(relid);
			join_columns(relid, relid, true);
		}
	}
	PG_RETURN_NULL();
}

/*
 * Join the new defaults of a table, and all defaults that a new part of its tree
 * inherits.
 */
static void
join_tree(Oid relid)
{
	if (!relation_is_table(relid))
		return;
	join_columns(relid, relid, false);
	foreach_oid(part, find_all_inheritors(relid, NoLock, NULL))
	{
		if (!is_made_now(InheritsRelationId, InheritsRelidSeqnoIndexId,
						 Anum_pg_inherits_inhrelid, part))
			continue;
		foreach_oid(source, relation_ancestors(part, NIL))
			join_columns(part, source, true);
	}
}

/*
 * Raise the generators that the columns of a source table draw from above the
 * rows in relid, which is the same table or inherits from it.  Without with_old
 * leave out the defaults of relid that were made before this transaction.
 */
static void
join_columns(Oid relid, Oid source, bool with_old)
{
	foreach_ptr(ColumnDefault, found, column_default_of_table(source, 0, NULL))
	{
		Column		column = {
			.relid = relid,.name = get_attname(source, found->attnum, true),
			.generator = found->folded,.is_wrapped = found->is_wrapped,
			.is_named = true,.lockmode = AccessShareLock
		};
		ErrorData  *error;
		text	   *shown;

		if (found->by_trigger || found->folded == NULL ||
			!definition_is_table(found->folded))
			continue;
		if (column.name == NULL || get_attnum(relid, column.name) <= 0)
			continue;
		if (!with_old && relation_has_default(relid, found->attnum) &&
			!is_made_now(AttrDefaultRelationId, AttrDefaultOidIndexId,
						 Anum_pg_attrdef_oid,
						 GetAttrDefaultOid(relid, found->attnum)))
			continue;
		if (relid != source)
			warn_of_own_default(relid, column.name, found);
		error = run_in_subxact(raise_joined, &column);
		if (error == NULL)
			continue;
		shown = name_shown(column.generator, column.generator);
		ereport(WARNING,
				errcode(error->sqlerrcode),
				errmsg_internal("%s", error->message),
				errdetail("Ids of column \"%s\" of table \"%s\" may repeat.",
						  column.name, get_rel_name(relid)),
				errhint("Raise the generator above the ids there with hilo_seed(%s, ...).",
						quote_literal_cstr(text_to_cstring(shown))));
	}
}

/* Warn of a part that keeps another source of ids than the whole has. */
static void
warn_of_own_default(Oid part, const char *name, const ColumnDefault *whole)
{
	ColumnDefault own = column_default_find(part, name);

	if (own.is_constant ||
		(own.folded != NULL && text_equal(own.folded, whole->folded)))
		return;
	ereport(WARNING,
			errmsg("table \"%s\" keeps its own default for column \"%s\"",
				   get_rel_name(part), name),
			errdetail("Its ids may repeat those of table \"%s\".",
					  get_rel_name(whole->relid)),
			errhint("Give the column the same default as in that table."));
}

/* Check whether the current transaction has made a row of a catalog. */
static bool
is_made_now(Oid catalog, Oid index, AttrNumber column, Oid key)
{
	Datum		xmin;

	for (int n = 1;; n++)
	{
		xmin = catalog_find_value(NULL, catalog, index, column, F_OIDEQ,
								  ObjectIdGetDatum(key), n,
								  MinTransactionIdAttributeNumber);
		if (xmin == 0)
			return false;
		if (TransactionIdIsCurrentTransactionId(DatumGetTransactionId(xmin)))
			return true;
	}
}

/*
 * Callback of run_in_subxact: raise a generator above a column.  Do nothing if
 * there is no generator yet, or if the table's owner may not raise it.
 */
static void
raise_joined(void *arg)
{
	Column		column = *(Column *) arg;
	text	   *key = column.generator;
	Definition	definition;
	int64		last;
	int64		max;

	if (!definition_find(key, &definition) || definition.scattered ||
		!privilege_may_change(key, relation_owner(column.relid)))
		return;
	column = column_look(column, ERRCODE_LOCK_NOT_AVAILABLE);
	last = generator_last(key, &definition);
	max = column_max(&column, last);
	column_unlock(&column, AccessShareLock);
	if (max > last)
		(void) seed_above_table(column.relid, key, &definition, max);
}
