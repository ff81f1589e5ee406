/* A column, in its table and those that inherit it. */
#include "postgres.h"

#include "catalog/pg_inherits.h"

#include "relation/relation.h"

static void find_stream(Column *column);
static bool has_other_stream(Column *column, Oid relid);
static Column column_with_type(Column column);

Datum
column_input(Form_pg_attribute column, const char *value)
{
	Oid			input;
	Oid			parameter;

	getTypeInputInfo(column->atttypid, &input, &parameter);
	return OidInputFunctionCall(input, unconstify(char *, value), parameter,
								column->atttypmod);
}

HeapTuple
column_assign(Relation rel, HeapTuple tuple, int column, const char *value)
{
	TupleDesc	desc = RelationGetDescr(rel);
	Datum		datum = column_input(TupleDescAttr(desc, column - 1), value);
	bool		isnull = false;

	return heap_modify_tuple_by_cols(tuple, desc, 1, &column, &datum, &isnull);
}

/*
 * Lock a table of the current role, and its children, to the transaction's end.
 */
Column
column_lock_own(Oid relid, const char *name, LOCKMODE lockmode)
{
	Column		column = {.relid = relid,.name = name,.trusts_owner = true};

	relation_lock_own(relid, lockmode);
	column.tables = lock_inheritors(relid, lockmode);
	return column_with_type(column);
}

/*
 * Lock a column's table, of any owner, and what inherits from it.  In
 * AccessShare mode report an error of that sqlstate in place of a wait.
 *
 * If a statement looks at many columns, it has a greatest_cache.  Then leave
 * out what inherits from the table and has another stream, because the
 * statement looks at that, too.  So each table belongs to one column of a tree
 * of tables.
 */
Column
column_lock_tree(Column column, int sqlstate)
{
	if (column.greatest_cache != NULL && column.generator == NULL &&
		!OidIsValid(column.sequence))
		find_stream(&column);
	column.tables = list_make1_oid(column.relid);
	column.with_other_stream = NIL;
	for (int i = 0; i < list_length(column.tables); i++)
	{
		Oid			table = list_nth_oid(column.tables, i);
		List	   *children;

		if (!column_lock_part(&column, table, sqlstate))
			continue;
		children = find_inheritance_children_extended(table, false, NoLock,
													  NULL, NULL);
		foreach_oid(child, children)
		{
			if (column.greatest_cache != NULL &&
				has_other_stream(&column, child))
				column.with_other_stream =
					list_append_unique_oid(column.with_other_stream, child);
			else
				column.tables = list_append_unique_oid(column.tables, child);
		}
	}
	return column_with_type(column);
}

/* Lock one of a column's tables; false if it was dropped before that. */
bool
column_lock_part(const Column *column, Oid relid, int sqlstate)
{
	if (!lock_table(relid, column->lockmode,
					column->lockmode != AccessShareLock))
		ereport(ERROR,
				errcode(sqlstate),
				errmsg("could not obtain lock on relation \"%s\"",
					   get_rel_name(relid)),
				errdetail("Ids begin above the greatest value of column \"%s\".",
						  column->name),
				errhint("Try again when the other transaction has ended."));
	return get_rel_relkind(relid) != '\0';
}

/* Check whether a table that inherits a column has its ids from elsewhere. */
static bool
has_other_stream(Column *column, Oid relid)
{
	Column		part = {.relid = relid,.name = column->name};
	List	   *generators =
		column_default_generators(relid, get_attnum(relid, column->name));

	foreach_ptr(ColumnDefault, source, generators)
	{
		if (column->generator != NULL &&
			text_equal(source->generator, column->generator))
			return false;
		if (OidIsValid(column->sequence) &&
			source->sequence == column->sequence)
			return false;
	}
	if (generators != NIL)
		return true;
	find_stream(&part);
	return OidIsValid(part.sequence) && part.sequence != column->sequence;
}

/*
 * Set what a column draws from: its generator, or the sequence of its default,
 * or else one that it owns.
 */
static void
find_stream(Column *column)
{
	ColumnDefault found = column_default_find(column->relid, column->name);
	List	   *owned = sequence_owned(column->relid, found.attnum, true);

	column->generator = found.generator;
	column->sequence = found.sequence;
	if (!OidIsValid(found.sequence) && owned != NIL)
		column->sequence = linitial_oid(owned);
}

void
column_unlock(const Column *column, LOCKMODE lockmode)
{
	foreach_oid(relid, column->tables)
		unlock_table(relid, lockmode);
}

/*
 * Let a generator end where a column does at the latest, and let one call take
 * only a small share of the column's ids.
 */
void
definition_fit_column(const Column *column, Definition *definition)
{
	definition->max_value = Min(definition->max_value, column->max_value);
	definition->max_range_size = Min(definition->max_range_size,
									 Max(RANGE_DEFAULT_SIZE,
										 column->max_value / 32768 + 1));
	definition->range_size = Min(definition->range_size,
								 definition->max_range_size);
}

/*
 * Set the number, the type and the greatest id of a column: at least 1, even if
 * its type cannot hold that.
 */
static Column
column_with_type(Column column)
{
	column.attnum = column_require_attnum(column.relid, column.name);
	column.type = getBaseType(get_atttype(column.relid, column.attnum));
	column.max_value = Max(column_type_max(column.relid, column.attnum), 1);
	return column;
}
