/* The SQL functions that make an ORM's sequence or row a generator's source. */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_adopt_sequence_tag);
PG_FUNCTION_INFO_V1(hilo_adopt_table_tag);
PG_FUNCTION_INFO_V1(hilo_sources);
PG_FUNCTION_INFO_V1(hilo_marten_next_hi);

/* the arguments that say what to adopt, from the first of them on */
enum
{
	SOURCE, STYLE, BLOCK, KEY_COLUMN, KEY_VALUE, HI_COLUMN, INITIAL
};

static void adopt_tag(FunctionCallInfo fcinfo, SourceReader read);
static void put_source_row(text *name, HeapTuple tuple, void *rsinfo);
static OrmSource new_source(FunctionCallInfo fcinfo, text *name, int first,
							bool of_table);
static int64 block_of(FunctionCallInfo fcinfo, int first,
					  const OrmSource *source);

Datum
hilo_adopt_sequence_tag(PG_FUNCTION_ARGS)
{
	adopt_tag(fcinfo, source_of_sequence);
	PG_RETURN_VOID();
}

Datum
hilo_adopt_table_tag(PG_FUNCTION_ARGS)
{
	adopt_tag(fcinfo, source_of_table);
	PG_RETURN_VOID();
}

static void
adopt_tag(FunctionCallInfo fcinfo, SourceReader read)
{
	text	   *written;
	text	   *tag;
	OrmSource	source;

	argument_require(fcinfo, 0, "tag");
	written = PG_GETARG_TEXT_PP(0);
	tag = name_of_tag(written);
	source = read(fcinfo, tag, written, 1);
	if (!orm_source_equals(tag, &source))
		adopt_source(tag, written, &source, 0);
}

/* Return the sequence in the arguments from "first" on. */
OrmSource
source_of_sequence(FunctionCallInfo fcinfo, text *name, text *written,
				   int first)
{
	OrmSource	source = new_source(fcinfo, name, first, false);

	source.initial = sequence_form(source.relid).seqstart;
	orm_sequence_check(&source);
	return source;
}

/*
 * Return the row of the table in the arguments from "first" on.  Its key is the
 * generator's name as it was written, unless the caller or the style says
 * another.
 */
OrmSource
source_of_table(FunctionCallInfo fcinfo, text *name, text *written, int first)
{
	OrmSource	source = new_source(fcinfo, name, first, true);
	const OrmStyle *style = source.style;
	const char *key_column = style->key_column;
	const char *key_value = style->key_value;
	const char *hi_column = style->hi_column;

	if (!PG_ARGISNULL(first + KEY_COLUMN))
		key_column = NameStr(*PG_GETARG_NAME(first + KEY_COLUMN));
	if (!PG_ARGISNULL(first + KEY_VALUE))
		key_value = text_to_cstring(PG_GETARG_TEXT_PP(first + KEY_VALUE));
	if (key_column == NULL && !PG_ARGISNULL(first + KEY_VALUE))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("key_value needs a key_column"),
				errdetail("The table of style \"%s\" has one row, without a key.",
						  style->name));
	if (key_column != NULL)
	{
		if (key_value == NULL)
			key_value = text_to_cstring(written);
		namestrcpy(&source.key_column, key_column);
		orm_source_set_key(&source, key_value);
	}
	if (!PG_ARGISNULL(first + HI_COLUMN))
		hi_column = NameStr(*PG_GETARG_NAME(first + HI_COLUMN));
	namestrcpy(&source.hi_column, hi_column);
	source.initial = style->first;
	if (!PG_ARGISNULL(first + INITIAL))
		source.initial = PG_GETARG_INT64(first + INITIAL);
	return source;
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
 * Marten's own function returns the same.  Here the row is changed by its own
 * transaction, which waits for others.  So there is no -1, no 40001 and no
 * unique violation of two first calls, and the change is on disk whatever
 * synchronous_commit is.  The rights of the caller count, because there is no
 * generator with an owner.
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

/* Return the source in the arguments that both functions have. */
static OrmSource
new_source(FunctionCallInfo fcinfo, text *name, int first, bool of_table)
{
	OrmSource	source = {0};
	Definition	definition;
	char	   *style;

	require_writable(of_table ? "hilo_adopt_table()" :
					 "hilo_adopt_sequence()");
	argument_require(fcinfo, first + SOURCE, "source");
	argument_require(fcinfo, first + STYLE, "style");
	source.relid = PG_GETARG_OID(first + SOURCE);
	style = text_to_cstring(PG_GETARG_TEXT_PP(first + STYLE));
	namestrcpy(&source.style_name, style);
	source.style = orm_style(style);
	if (source.style == NULL || (source.style->hi_column != NULL) != of_table)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid style for a %s: \"%s\"",
					   of_table ? "table" : "sequence", style),
				errhint("The styles are %s.", orm_style_names(of_table)));
	relation_require_kind(source.relid, of_table, true, InvalidOid);
	/* the owner that the generator has, or will have */
	source.actor = relation_owner(source.relid);
	if (definition_find(name, &definition) && definition.origin == FROM_ORM)
		source.actor = privilege_actor(name);
	source.block = block_of(fcinfo, first, &source);
	source.ids = orm_formula_ids(source.style, source.block);
	if (source.ids == 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid block for style \"%s\": %lld", style,
					   (long long) source.block));
	return source;
}

/* Return the argument "block", or else what the style or the sequence says. */
static int64
block_of(FunctionCallInfo fcinfo, int first, const OrmSource *source)
{
	const OrmStyle *style = source->style;

	if (!PG_ARGISNULL(first + BLOCK))
		return PG_GETARG_INT64(first + BLOCK);
	if (style->setting == NULL)
		return 1;
	if (!IsOfTable(source) && StepsByBlock(style))
		return sequence_form(source->relid).seqincrement;
	if (style->block == 0)
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("style \"%s\" needs a block", style->name),
				errhint("Pass the value of %s from the ORM's mapping.",
						style->setting));
	return style->block;
}

/*
 * Make the generator, or give an existing one another source, which goes on
 * above last, the highest id in use, and the rows of columns that draw from the
 * generator.
 *
 * In AccessExclusive mode no session takes ids from the old source.  This
 * transaction takes none from the new one, because a rollback may remove it.
 * The source is locked first: its owner can make that wait long, and no other
 * session may wait for the name meanwhile.
 */
void
adopt_source(text *name, text *written, const OrmSource *source, int64 last)
{
	Definition	definition;
	FormData_hilo_hi hi;
	bool		is_adopted;

	relation_require_kind(source->relid, IsOfTable(source), true, GetUserId());
	if (IsOfTable(source))
		orm_row_check(source);
	else
		(void) orm_sequence_lock(source->relid, true);
	lock_name(name);
	is_adopted = definition_find(name, &definition) &&
		definition.origin == FROM_ORM;
	if (!is_adopted)
		definition =
			definition_default(key_is_relation(name) ? name : written);

	definition_set_ordering(&definition, "adopted");
	definition.range_size = source->ids;
	definition.max_range_size = Max(definition.range_size,
									RANGE_DEFAULT_MAX_SIZE);
	foreach_ptr(ColumnDefault, column,
				column_default_list(name, false, source->actor))
	{
		/* the rows of a view are those of a table that draws, too */
		if (get_rel_relkind(column->relid) != RELKIND_VIEW)
			first_use_fit_or_warn(column, &definition, &last);
	}
	definition_check(name, &definition);
	if (is_adopted)
	{
		privilege_require_owner(name);
		generator_recall(name);
		generator_lock_hi(name, AccessExclusiveLock, &hi);
		last = store_seed(name, last, SEED_FORGET);
		definition_update(name, &definition);
		change_remember(name, CHANGED_IDS);
	}
	else
	{
		if (key_is_relation(name))
			name_refuse_tag_of_same_name(definition.table);
		else
			privilege_require_create(name, GetUserId());
		generator_create(name, &definition, source->actor,
						 Max(last, definition.first - 1), false);
	}
	orm_source_replace(name, source, last);
}
