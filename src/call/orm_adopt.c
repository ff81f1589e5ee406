/* Generators for the hi sources of ORMs, as SQL makes them. */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_adopt_sequence_tag);
PG_FUNCTION_INFO_V1(hilo_adopt_table_tag);
PG_FUNCTION_INFO_V1(hilo_sources);
PG_FUNCTION_INFO_V1(hilo_marten_next_hi);

static void put_source_row(text *name, HeapTuple tuple, void *rsinfo);
static OrmSource new_source(FunctionCallInfo fcinfo, text *name, int first,
							bool of_table);
static void adopt_source(text *name, text *written, const OrmSource *source);

Datum
hilo_adopt_sequence_tag(PG_FUNCTION_ARGS)
{
	argument_require(fcinfo, 0, "tag");
	adopt_sequence(fcinfo, name_of_tag(PG_GETARG_TEXT_PP(0)),
				   PG_GETARG_TEXT_PP(0), 1);
	PG_RETURN_VOID();
}

Datum
hilo_adopt_table_tag(PG_FUNCTION_ARGS)
{
	argument_require(fcinfo, 0, "tag");
	adopt_table(fcinfo, name_of_tag(PG_GETARG_TEXT_PP(0)), PG_GETARG_TEXT_PP(0),
				1);
	PG_RETURN_VOID();
}

/* Adopt the sequence in the arguments from one on: sequence, style, block. */
void
adopt_sequence(FunctionCallInfo fcinfo, text *name, text *written, int first)
{
	OrmSource	source = new_source(fcinfo, name, first, false);

	source.initial = sequence_form(source.relid).seqstart;
	(void) orm_sequence_lock(source.relid, true);
	orm_sequence_check(&source);
	adopt_source(name, written, &source);
}

/*
 * Adopt a row of a table, by the same arguments, key column and value, hi
 * column, initial.
 */
void
adopt_table(FunctionCallInfo fcinfo, text *name, text *written, int first)
{
	OrmSource	source = new_source(fcinfo, name, first, true);
	const OrmStyle *style = source.style;
	const char *key_column = style->key_column;
	const char *key_value = style->key_value;
	const char *hi_column = style->hi_column;

	if (!PG_ARGISNULL(first + 3))
		key_column = NameStr(*PG_GETARG_NAME(first + 3));
	if (!PG_ARGISNULL(first + 4))
		key_value = text_to_cstring(PG_GETARG_TEXT_PP(first + 4));
	if (key_column == NULL && !PG_ARGISNULL(first + 4))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("key_value needs a key_column"),
				errdetail("The table of style \"%s\" has one row, without a key.",
						  style->name));
	if (key_column != NULL)
	{
		namestrcpy(&source.key_column, key_column);
		orm_source_set_key(&source, key_value != NULL ? key_value :
						   text_to_cstring(written));
	}
	if (!PG_ARGISNULL(first + 5))
		hi_column = NameStr(*PG_GETARG_NAME(first + 5));
	namestrcpy(&source.hi_column, hi_column);
	source.initial = style->first;
	if (!PG_ARGISNULL(first + 6))
		source.initial = PG_GETARG_INT64(first + 6);
	orm_row_check(&source);
	adopt_source(name, written, &source);
}

Datum
hilo_sources(PG_FUNCTION_ARGS)
{
	InitMaterializedSRF(fcinfo, 0);
	own_table_each(OWN_SOURCE, put_source_row, fcinfo->resultinfo);
	return (Datum) 0;
}

/* Callback: put a source into the result, if the role may see its generator. */
static void
put_source_row(text *name, HeapTuple tuple, void *rsinfo)
{
	Definition	definition;
	OrmSource	source;

	if (orm_source_from_tuple(tuple, &source) &&
		definition_find(name, &definition) &&
		privilege_may_see(name, &definition))
	{
		bool		of_table = IsOfTable(&source);
		bool		has_key = NameStr(source.key_column)[0] != '\0';
		Datum		values[] = {
			PointerGetDatum(name_shown(name, definition.written)),
			ObjectIdGetDatum(source.relid),
			CStringGetTextDatum(source.style->name),
			Int64GetDatum(source.block), Int64GetDatum(source.initial),
			NameGetDatum(&source.hi_column), NameGetDatum(&source.key_column),
			CStringGetTextDatum(source.key_value)
		};
		bool		nulls[] = {
			false, get_rel_relkind(source.relid) == '\0', false, false,
			!of_table, !of_table, !has_key, !has_key
		};

		put_row(rsinfo, values, nulls);
	}
}

/*
 * Return the next hi of Marten, for the function that hilo_provide_marten
 * makes.
 *
 * Marten's own function returns the same, but here the change of the row is a
 * transaction of its own that waits for others: no -1, no unique violation for
 * two calls that come first, no 40001, and on disk whatever synchronous_commit
 * is.  The rights of the caller count, as there is no generator that had an
 * owner.
 */
Datum
hilo_marten_next_hi(PG_FUNCTION_ARGS)
{
	OrmSource	source = {0};
	OrmChange	change;

	require_writable("hilo_marten_next_hi()");
	source.relid = PG_GETARG_OID(0);
	relation_require_kind(source.relid, true, false, InvalidOid);
	source.style = orm_style("marten");
	source.initial = source.style->first;
	namestrcpy(&source.style_name, source.style->name);
	namestrcpy(&source.hi_column, source.style->hi_column);
	namestrcpy(&source.key_column, source.style->key_column);
	orm_source_set_key(&source, text_to_cstring(PG_GETARG_TEXT_PP(1)));
	source.actor = GetUserId();
	/* else a role without the right could keep others from the row */
	aclcheck_error(pg_class_aclcheck(source.relid, source.actor, ACL_UPDATE),
				   OBJECT_TABLE, get_rel_name(source.relid));
	change = orm_source_take_beside(&source);
	/* the worker waits for the disk alone */
	(void) flush_wal(change.lsn);
	PG_RETURN_INT64(change.stored + 1);
}

/* Return the source in the first three arguments of both functions. */
static OrmSource
new_source(FunctionCallInfo fcinfo, text *name, int first, bool of_table)
{
	OrmSource	source = {0};
	Definition	definition;
	char	   *style;

	require_writable(of_table ? "hilo_adopt_table()" :
					 "hilo_adopt_sequence()");
	argument_require(fcinfo, first, "source");
	argument_require(fcinfo, first + 1, "style");
	source.relid = PG_GETARG_OID(first);
	style = text_to_cstring(PG_GETARG_TEXT_PP(first + 1));
	namestrcpy(&source.style_name, style);
	source.style = orm_style(style);
	if (source.style == NULL || (source.style->hi_column != NULL) != of_table)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid style for a %s: \"%s\"",
					   of_table ? "table" : "sequence", style),
				errhint("The styles are %s.", orm_style_names(of_table)));
	relation_require_kind(source.relid, of_table, true, GetUserId());
	/* the owner that the generator has, or will have */
	source.actor =
		definition_find(name, &definition) && definition.origin == FROM_ORM ?
		privilege_actor(name) : relation_owner(source.relid);

	source.block = source.style->block;
	if (!PG_ARGISNULL(first + 2))
		source.block = PG_GETARG_INT64(first + 2);
	else if (source.style->setting == NULL)
		source.block = 1;
	else if (!of_table && StepsByBlock(source.style))
		source.block = sequence_form(source.relid).seqincrement;
	if (source.block == 0 && PG_ARGISNULL(first + 2))
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("style \"%s\" needs a block", style),
				errhint("Pass the value of %s from the ORM's mapping.",
						source.style->setting));
	source.ids = orm_formula_ids(source.style, source.block);
	if (source.ids == 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid block for style \"%s\": %lld", style,
					   (long long) source.block));
	return source;
}

/*
 * Make the generator, or give an existing one another source, once no session
 * is about to take ids from the old one; this transaction takes none from the
 * new one, which may go with a rollback.  The owner of the source's relation
 * needs no other right to make a generator with its name.  The source is locked
 * already: its owner could make a wait for it last, and the name would be
 * locked so long.
 */
static void
adopt_source(text *name, text *written, const OrmSource *source)
{
	Definition	definition;
	FormData_hilo_hi hi = {0};
	bool		is_adopted;

	lock_name(name);
	is_adopted = definition_find(name,
								 &definition) && definition.origin == FROM_ORM;
	if (!is_adopted)
		definition =
			definition_default(definition_is_table(name) ? name : written);

	definition_set_ordering(&definition, "adopted");
	definition.range_size = source->ids;
	definition.max_range_size = Max(definition.range_size,
									RANGE_DEFAULT_MAX_SIZE);
	definition_check(name, &definition);
	if (is_adopted)
	{
		privilege_require_owner(name);
		if (orm_source_equals(name, source))
			return;
		generator_lock_complete(name, AccessExclusiveLock, &hi);
		(void) store_seed(name, 0, SEED_FORGET, SEED_SKIPS_NONE);
		definition_update(name, &definition);
		change_remember(name, CHANGED_IDS);
	}
	else
	{
		if (definition_is_table(name))
			name_refuse_tag_beside(definition.table);
		else
			privilege_require_create(name, GetUserId());
		generator_create(name, &definition, source->actor,
						 definition.first - 1);
	}
	orm_source_replace(name, source, hi.reserved);
}
