/* Sources of ids that are raised to what columns hold. */
#include "postgres.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_resync);
PG_FUNCTION_INFO_V1(hilo_try_resync);

static int64 resync_column(const Column *column);
static text *drawn_by_default(text *name);
static void try_resync(void *arg);
static List *sources_of(const Column *column);

/*
 * hilo_resync(rel, col): raises each generator of a column to what the column
 * holds, or creates it, and returns the greatest last id.  Waits for the
 * writers of the table, and lets them go on when it is done.  Raises a
 * generator only if the table's owner could do so, because that role decides
 * what the column holds and what its default is.
 */
Datum
hilo_resync(PG_FUNCTION_ARGS)
{
	Column		column = column_argument(fcinfo, "hilo_resync()", ShareLock);

	PG_RETURN_INT64(resync_column(&column));
}

/* Raise all generators of a column, or the one that the caller has set. */
static int64
resync_column(const Column *column)
{
	int64		greatest = PG_INT64_MIN;

	foreach_ptr(ColumnDefault, source, sources_of(column))
	{
		int64		last;

		if (column->generator != NULL &&
			!text_equal(source->generator, column->generator))
			continue;
		last = resync_generator(*column, source->written);
		greatest = Max(greatest, last);
	}
	column_unlock(column, ShareLock);
	return greatest;
}

/* Raise a generator or sequence of a column, and return its last id. */
int64
resync_generator(Column column, text *written)
{
	text	   *name = definition_fold_name(written);
	Oid			sequence = key_sequence(name);
	Definition	definition;
	int64		last;

	column.generator = name;
	name = drawn_by_default(name);
	if (OidIsValid(sequence))
	{
		sequence_refuse_citus(column.relid, column.name, sequence);
		column.floor = sequence_floor(sequence);
		/* ids above its end may be another site's */
		column.max_value = Min(column.max_value,
							   sequence_form(sequence).seqmax);
	}
	last = column_greatest_id(&column, last_shown(name));
	if (citus_is_hub(CITUS_HUB) && !key_is_relation(name))
		first_use(name, written);
	if (!definition_find(name, &definition))
	{
		if (!key_is_relation(name))
			name_refuse_table_of_same_name(name);
		lock_name(name);
		if (!definition_find(name, &definition))
			definition = create_generator(&column, name, written, last,
										  relation_owner(column.relid), false,
										  true);
		/* generator_create may have locked it to the transaction's end */
		unlock_name(name);
	}
	definition_refuse_scattered(&definition, name);
	/* the column may end first */
	definition_fit_column(&column, &definition);
	return seed_above_table(column.relid, name, &definition, last);
}

/*
 * Return the key that a column with this key in its default draws from: that of
 * another table's stream, if the table has no generator of its own.
 */
static text *
drawn_by_default(text *name)
{
	text	   *stream = NULL;

	if (key_is_relation(name) && !definition_exists(name))
		stream = stream_of_table(key_relid(name), true);
	return stream == NULL ? name : stream;
}

/*
 * Resync one generator for hilo_resync_all; null, with a warning, if that
 * fails.
 */
Datum
hilo_try_resync(PG_FUNCTION_ARGS)
{
	char	   *table;
	ErrorData  *error;

	require_writable("hilo_resync_all()");
	error = run_in_subxact(try_resync, fcinfo);
	if (error == NULL)
		return PG_GETARG_DATUM(0);
	table = get_rel_name(PG_GETARG_OID(0));
	if (table != NULL)
		ereport(WARNING,
				errmsg("skipping column \"%s\" of table \"%s\": %s",
					   NameStr(*PG_GETARG_NAME(1)), table, error->message));
	PG_RETURN_NULL();
}

/*
 * callback of run_in_subxact, which puts the result in place of the first
 * argument
 */
static void
try_resync(void *arg)
{
	FunctionCallInfo fcinfo = arg;
	Column		column = {
		.relid = PG_GETARG_OID(0),.name = NameStr(*PG_GETARG_NAME(1)),
		.generator = PG_GETARG_TEXT_PP(2),
		.greatest_cache = column_greatest_cache(fcinfo),
		.lockmode = ShareLock,.is_sole_column = PG_GETARG_BOOL(3)
	};

	lock_limit_waits();
	relation_require_kind(column.relid, true, false, GetUserId());
	column = column_lock_tree(column, 0);
	fcinfo->args[0].value = Int64GetDatum(resync_column(&column));
}

/*
 * Return what a column draws from, as ColumnDefault; an error if that is no
 * generator and no sequence.
 */
static List *
sources_of(const Column *column)
{
	List	   *sources = column_default_generators(column->relid,
													column->attnum);

	if (sources == NIL)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg("column \"%s\" of table \"%s\" does not draw from a generator or a sequence",
					   column->name, get_rel_name(column->relid)),
				errdetail(UNRECOGNIZED_DEFAULT),
				errhint("To let it draw from one, call hilo_attach(%s, %s).",
						quote_literal_cstr(relation_name(column->relid)),
						quote_literal_cstr(column->name)));
	return sources;
}
