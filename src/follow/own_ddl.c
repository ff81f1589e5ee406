/* Statements by which hilo itself alters tables. */
#include "postgres.h"

#include "follow/follow.h"

/* set while one runs: its caller looks at the rows, and not join.c */
bool		ddl_is_own = false;

/* Run a statement at which the event trigger of join.c need not look. */
void
ddl_run(const char *statement)
{
	bool		before = ddl_is_own;

	ddl_is_own = true;
	PG_TRY();
	{
		relation_run(unconstify(char *, statement));
	}
	PG_FINALLY();
	{
		ddl_is_own = before;
	}
	PG_END_TRY();
}

/*
 * Make a column draw from a generator; with "ONLY ", not in what inherits it.
 */
void
column_set_default(const char *only, Oid relid, const char *name,
				   text *generator)
{
	const char *schema = get_namespace_name(catalog_public_schema());
	const char *function = "hilo_next_tag";
	const char *type = "text";
	const char *argument = text_to_cstring(generator);

	if (key_is_relation(generator))
	{
		function = "hilo_next";
		type = "regclass";
		argument = relation_name(key_relid(generator));
	}

	/* the callers have looked at the rows */
	ddl_run(psprintf("ALTER TABLE %s%s ALTER COLUMN %s SET DEFAULT %s(%s::pg_catalog.%s)",
					 only, relation_name(relid),
					 quote_identifier(name),
					 quote_qualified_identifier(schema, function),
					 quote_literal_cstr(argument), type));
	if (column_default_find(relid, name).written == NULL)
		column_report_renamed();
}

/*
 * Report that the schema of hilo was renamed while a statement named it.  The
 * statement may have called a function of another role.
 */
void
column_report_renamed(void)
{
	ereport(ERROR,
			errcode(ERRCODE_UNDEFINED_SCHEMA),
			errmsg("schema of extension \"%s\" has been renamed", "hilo"));
}
