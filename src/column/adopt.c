/*
 * Give a table's own generator an ORM's source, or move it to another table.
 */
#include "postgres.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_adopt_sequence);
PG_FUNCTION_INFO_V1(hilo_adopt_table);
PG_FUNCTION_INFO_V1(hilo_move);

static void adopt(FunctionCallInfo fcinfo, const char *function,
				  SourceReader read);
static void refuse_plain(const Column *column, const OrmSource *source);
static void move_sequences(Oid from, Oid to);
static void move_columns(text *from, text *to);
static void follow_alike(Oid from, const ColumnDefault *column);

Datum
hilo_adopt_sequence(PG_FUNCTION_ARGS)
{
	adopt(fcinfo, "hilo_adopt_sequence()", source_of_sequence);
	PG_RETURN_VOID();
}

Datum
hilo_adopt_table(PG_FUNCTION_ARGS)
{
	adopt(fcinfo, "hilo_adopt_table()", source_of_table);
	PG_RETURN_VOID();
}

/*
 * hilo_move(from, to): gives the generator of a table, with its options, grants
 * and number, to the table that takes its place.  Columns that draw from the
 * former table's generator draw from the other's.  Waits for transactions that
 * use the tables, and for sessions that take ids.
 */
Datum
hilo_move(PG_FUNCTION_ARGS)
{
	text	   *from;
	text	   *to;
	Definition	definition;

	require_writable("hilo_move()");
	argument_require(fcinfo, 0, "table");
	argument_require(fcinfo, 1, "table");
	from = key_of_relation(PG_GETARG_OID(0));
	to = key_of_relation(PG_GETARG_OID(1));
	name_lock_owned_table(PG_GETARG_OID(0));
	name_lock_owned_table(PG_GETARG_OID(1));
	if (text_equal(from, to))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("a table's generator cannot be moved to itself"));
	if (!definition_exists(from))
	{
		move_sequences(PG_GETARG_OID(0), PG_GETARG_OID(1));
		PG_RETURN_VOID();
	}
	/* locks of tables come before those of generators */
	move_columns(from, to);
	foreach_ptr(ColumnDefault, column,
				column_default_of_table(PG_GETARG_OID(1), 0, to))
		follow_alike(PG_GETARG_OID(0), column);
	if (!first_use_lock(to))
	{
		const char *taken = relation_name(PG_GETARG_OID(1));

		ereport(ERROR,
				errcode(ERRCODE_DUPLICATE_OBJECT),
				errmsg("table %s already has its own generator", taken),
				errhint("Set its default to hilo_next(%s), run hilo_drop(%s), and try again.",
						quote_literal_cstr(relation_name(PG_GETARG_OID(0))),
						quote_literal_cstr(psprintf("#%s", taken))));
	}
	lock_name(from);
	definition = generator_require_owned(from);
	generator_rename(from, to, &definition);
	PG_RETURN_VOID();
}

/* What is so already takes no lock that stops others. */
static void
adopt(FunctionCallInfo fcinfo, const char *function, SourceReader read)
{
	Oid			relid;
	char	   *name;
	text	   *key;
	OrmSource	source;
	ColumnDefault before;
	Column		column;

	column_require_argument(fcinfo, function);
	relid = PG_GETARG_OID(0);
	key = key_of_relation(relid);
	name_require_generator_table(relid);
	/* it is not locked yet: report an error if it has been dropped */
	name = get_rel_name(relid);
	if (name == NULL)
		(void) relation_owner(relid);
	/* an ORM's row for the table has the table's name, if no other is given */
	source = read(fcinfo, key, cstring_to_text(name), 2);
	before = column_default_find(relid, NameStr(*PG_GETARG_NAME(1)));
	if (before.generator != NULL && text_equal(before.generator, key) &&
		!before.is_wrapped && orm_source_equals(key, &source))
		return;
	column = column_argument(fcinfo, function, AccessExclusiveLock);
	column_require_number(column.relid, column.attnum, TEXT_IDS_HINT);
	refuse_plain(&column, &source);
	adopt_source(key, key, &source, column_greatest_id(&column, 0));
	column_attach(&column, key, key, FOLLOW_NO);
}

/*
 * Report an error if a column would get a generator that gives the values of
 * the sequence which it draws from already.
 */
static void
refuse_plain(const Column *column, const OrmSource *source)
{
	Oid			before =
		column_default_find(column->relid, column->name).sequence;

	if (source->relid != before || source->ids > 1)
		return;
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("column \"%s\" of table \"%s\" draws from sequence \"%s\" already",
				   column->name, get_rel_name(column->relid),
				   get_rel_name(before)),
			errdetail("A block of that style is one value."),
			errhint("To have the sequence follow the ids in rows, call hilo_attach(%s, %s).",
					quote_literal_cstr(relation_name(column->relid)),
					quote_literal_cstr(column->name)));
}

/*
 * Raise what the columns of a table draw from above the sequences of their
 * namesakes in another one, and have it follow rows if those do.
 */
static void
move_sequences(Oid from, Oid to)
{
	bool		found = false;

	foreach_ptr(ColumnDefault, column, column_default_of_table(from, 0, NULL))
	{
		char	   *name = get_attname(from, column->attnum, false);
		ColumnDefault target = column_default_find(to, name);
		Definition	definition;

		if (!OidIsValid(column->sequence) || target.written == NULL ||
			!definition_find(target.generator, &definition))
			continue;
		(void) seed_above_table(to, target.generator, &definition,
								sequence_last(column->sequence));
		follow_alike(from, &target);
		found = true;
	}
	if (!found)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("no column of table %s draws ids like one of table %s",
					   relation_name(to), relation_name(from)),
				errhint("Run hilo_attach(%s, ...) for the column of the same name first.",
						quote_literal_cstr(relation_name(to))));
}

/* Make the columns that draw from a table's generator draw from another's. */
static void
move_columns(text *from, text *to)
{
	foreach_ptr(ColumnDefault, found,
				column_default_list(from, false, InvalidOid))
	{
		/* a DROP of the table will be refused with the names of the others */
		if (!found->is_wrapped && relation_is_table(found->relid) &&
			privilege_may_draw(from, found->relid))
			column_move(found, to);
	}
}

/* Have rows raise what a column draws from, if its namesake's rows did so. */
static void
follow_alike(Oid from, const ColumnDefault *column)
{
	char	   *name = get_attname(column->relid, column->attnum, false);
	Follow		follow = follow_of(from, get_attnum(from, name));
	Column		whole;

	if (follow == FOLLOW_NO || sequence_attach(column->relid, name, follow))
		return;
	whole = column_lock_own(column->relid, name, AccessExclusiveLock);
	column_follow(&whole, column->generator, follow);
}
