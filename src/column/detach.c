/*
 * Columns that leave their generator for a sequence: the one that the column
 * owns, or else one like that of a serial.
 */
#include "postgres.h"

#include "catalog/dependency.h"
#include "commands/defrem.h"
#include "storage/lmgr.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_detach);
PG_FUNCTION_INFO_V1(hilo_drop);

pg_noreturn static void report_detached(const Column *column);
static Oid	owned_sequence(const Column *column);
static Oid	make_sequence(const Column *column);

/*
 * hilo_detach(rel, col): ends what hilo does for a column.  A sequence that
 * follows does so no longer.  A generator stays, and the column draws from a
 * sequence, above all ids in use.
 */
Datum
hilo_detach(PG_FUNCTION_ARGS)
{
	text	   *none = cstring_to_text("");
	Column		column = column_argument(fcinfo, "hilo_detach()",
										 AccessExclusiveLock);
	ColumnDefault found = column_default_find(column.relid, column.name);
	int64		last;
	Oid			sequence;

	/* also of a column that draws from nothing any more */
	if (found.written == NULL || OidIsValid(found.sequence))
	{
		if (!follow_drop(&column))
			report_detached(&column);
		PG_RETURN_VOID();
	}
	column_require_number(column.relid, column.attnum,
						  psprintf("Run ALTER TABLE %s ALTER %s DROP DEFAULT.",
								   relation_name(column.relid),
								   quote_identifier(column.name)));
	refuse_other_parent(&column, NULL);
	if (citus_has_rows_of(column.relid))
		column_sequence_report(column.relid, column.name,
							   "Citus workers begin anew with each sequence.");
	last = ids_in_use(&column, column_sequence_list(&column, true), none);
	(void) follow_drop(&column);
	sequence = owned_sequence(&column);
	if (!OidIsValid(sequence))
		sequence = make_sequence(&column);
	privilege_pass_on(column.tables, sequence);
	if (sequence_last(sequence) < last)
		DirectFunctionCall2(setval_oid, ObjectIdGetDatum(sequence),
							Int64GetDatum(last));
	ddl_run(psprintf("ALTER TABLE %s ALTER %s SET DEFAULT pg_catalog.nextval(%s::pg_catalog.regclass)",
					 relation_name(column.relid),
					 quote_identifier(column.name),
					 quote_literal_cstr(relation_name(sequence))));
	PG_RETURN_VOID();
}

/*
 * hilo_drop(name, if_exists): drops a generator, and the triggers that follow
 * columns of its table which draw no more.
 */
Datum
hilo_drop(PG_FUNCTION_ARGS)
{
	text	   *name = name_argument(fcinfo, NAME_TO_CHANGE);
	Column		left = {.name = ""};

	if (key_is_relation(name) && definition_exists(name))
	{
		privilege_require_owner(name);
		left.tables = list_make1_oid(key_relid(name));
	}
	/* the lock of the table comes before that of the name */
	(void) follow_drop(&left);
	generator_drop(name, !PG_ARGISNULL(1) && PG_GETARG_BOOL(1));
	PG_RETURN_VOID();
}

static void
report_detached(const Column *column)
{
	const char *name = column->name;

	/* a partition has a copy of the trigger */
	Oid			table = follow_table(column->relid, name);

	column_refuse_numbered(column->relid, name);
	ereport(ERROR,
			errcode(ERRCODE_UNDEFINED_OBJECT),
			errmsg("column \"%s\" of table \"%s\" neither draws from a generator nor is followed",
				   name, get_rel_name(column->relid)),
			!OidIsValid(table) ? 0 :
			errhint("Call hilo_detach(%s, %s) for the parent table instead.",
					quote_literal_cstr(relation_name(table)),
					quote_literal_cstr(name)));
}

/*
 * Return a sequence that a column owns, if it can give its ids, or InvalidOid.
 * With a CACHE, sessions hold values that the generator may have handed out.
 */
static Oid
owned_sequence(const Column *column)
{
	foreach_oid(sequence,
				sequence_owned(column->relid, column->attnum, true))
	{
		/* ids_in_use has locked it, and accepts no other options */
		if (sequence_form(sequence).seqcache == 1 &&
			sequence_generator(sequence) == NULL)
			return sequence;
	}
	return InvalidOid;
}

/* Make the sequence that a serial column would have. */
static Oid
make_sequence(const Column *column)
{
	Oid			schema = get_rel_namespace(column->relid);
	Oid			owner = relation_owner(column->relid);
	Oid			type = column->type == NUMERICOID ? INT8OID : column->type;
	char	   *table = relation_name(column->relid);
	char	   *name = ChooseRelationName(get_rel_name(column->relid),
										  column->name, "seq", schema, false);
	char	   *written =
		quote_qualified_identifier(get_namespace_name(schema), name);
	const char *kind = "";

	/* in a temporary schema it is temporary */
	if (get_rel_persistence(column->relid) == RELPERSISTENCE_UNLOGGED)
		kind = "UNLOGGED ";
	ddl_run(psprintf("CREATE %sSEQUENCE %s AS %s", kind, written,
					 format_type_be_qualified(type)));
	ddl_run(psprintf("ALTER SEQUENCE %s OWNER TO %s", written,
					 privilege_grantee(owner)));
	ddl_run(psprintf("ALTER SEQUENCE %s OWNED BY %s.%s", written, table,
					 quote_identifier(column->name)));
	return get_relname_relid(name, schema);
}
