/*
 * The stream of a table: where its ids come from.
 *
 * That is what a key of the table draws from, be it a sequence, the table's own
 * generator or a tag.  A partition or child without a source has its parent's.
 * A table without any key that draws may have its own generator.
 */
#include "postgres.h"

#include "catalog/pg_index.h"

#include "relation/relation.h"

/* Columns of a table that draw, and from what. */
typedef struct Sources
{
	ColumnDefault *own;			/* from the table's own generator */
	ColumnDefault *key;			/* in a key */
	ColumnDefault *other_key;	/* from something else */
	ColumnDefault *no_key;
} Sources;

static bool is_number(Oid relid, AttrNumber attnum);
static Sources find_sources(Oid relid);
static bool draws_number(const ColumnDefault *column);
static bool has_keys(Oid relid, Bitmapset **columns);
static void refuse_several(Oid relid, const Sources *sources);
static void refuse_no_key(Oid relid, const ColumnDefault *column);

/*
 * Return the key of the stream of a table, or of the sequence if relid is one.
 * For reading, return NULL if no one stream is meant.  Else make one the
 * table's own generator, and report an error if several streams could be meant,
 * or if only a column draws that is in no key: its numbers are no ids; and
 * watch what has been asked.
 */
text *
stream_of_table(Oid relid, bool for_reading)
{
	List	   *tables = relation_ancestors(relid, NIL);
	text	   *own = key_of_relation(relid);

	/* of a part that programs number, too, the whole has the generator */
	if (!definition_exists(own))
		own = key_of_relation(llast_oid(tables));
	foreach_oid(table, tables)
	{
		Sources		sources;

		if (!for_reading)
			watch_relation(table);
		sources = find_sources(table);
		if (sources.own != NULL)
			return sources.own->generator;
		if (sources.key != NULL && sources.other_key == NULL)
			return sources.key->generator;
		if (for_reading)
			continue;
		if (sources.other_key != NULL)
			refuse_several(table, &sources);
		if (sources.no_key != NULL && !definition_exists(own))
			refuse_no_key(table, sources.no_key);
	}
	return for_reading && !definition_exists(own) ? NULL : own;
}

/*
 * Return the one column of a table's primary key, if that is a number that
 * programs set.
 */
AttrNumber
relation_integer_key(Oid relid)
{
	Relation	rel = RelationIdGetRelation(relid);
	Oid			index;
	HeapTuple	tuple;
	Form_pg_index form;
	AttrNumber	column = InvalidAttrNumber;

	if (rel == NULL)
		return InvalidAttrNumber;
	index = RelationGetPrimaryKeyIndex(rel, true);
	RelationClose(rel);
	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	if (!HeapTupleIsValid(tuple))
		return InvalidAttrNumber;
	form = (Form_pg_index) GETSTRUCT(tuple);
	if (form->indnkeyatts == 1)
		column = form->indkey.values[0];
	ReleaseSysCache(tuple);
	return is_number(relid, column) && !column_is_filled(relid, column) ?
		column : InvalidAttrNumber;
}

/* Return the numbers of the columns of numbers in the keys of a table. */
List *
relation_key_attnums(Oid relid)
{
	Bitmapset  *keys = NULL;
	List	   *numbers = NIL;
	int			column = -1;

	(void) has_keys(relid, &keys);
	while ((column = bms_next_member(keys, column)) >= 0)
	{
		if (is_number(relid, column))
			numbers = lappend_int(numbers, column);
	}
	return numbers;
}

/* Check whether something else sets a column: a default, or a sequence. */
bool
column_is_filled(Oid relid, AttrNumber attnum)
{
	return relation_has_default(relid, attnum) ||
		sequence_owned(relid, attnum, true) != NIL;
}

static bool
is_number(Oid relid, AttrNumber attnum)
{
	return attnum > 0 &&
		column_type_is_number(getBaseType(get_atttype(relid, attnum)));
}

/*
 * Return what a column draws from, or its namesake in the next table above that
 * has a source; the tables asked are added to the list.
 */
ColumnDefault
stream_of_column(Oid relid, const char *name, List **tables)
{
	ColumnDefault source = column_default_find(relid, name);

	*tables = list_make1_oid(relid);
	if (source.generator != NULL && !source.by_trigger)
		return source;
	*tables = relation_ancestors(relid, NIL);
	foreach_oid(table, list_copy_tail(*tables, 1))
	{
		source = column_default_find(table, name);
		if (source.generator != NULL && !source.by_trigger)
			return source;
	}
	return (ColumnDefault)
	{
		.relid = relid
	};
}

/*
 * Report an error if a generator takes its blocks from a sequence, if there is
 * one: raw values are no ids.
 */
void
stream_refuse_adopted(Oid sequence)
{
	text	   *generator;

	if (!OidIsValid(sequence))
		return;
	generator = sequence_generator(sequence);
	if (generator == NULL)
		return;
	/* the name of the generator is not for every role */
	if (pg_class_aclcheck(sequence, GetUserId(),
						  ACL_SELECT | ACL_USAGE | ACL_UPDATE) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_SEQUENCE,
					   get_rel_name(sequence));
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("sequence \"%s\" is the source of generator \"%s\"",
				   get_rel_name(sequence), definition_title(generator)),
			errdetail("Its values stand for blocks of ids."),
			errhint("Use the name of the generator."));
}

/* Find what the columns of a table itself draw from. */
static Sources
find_sources(Oid relid)
{
	Sources		sources = {0};
	text	   *own = key_of_relation(relid);
	List	   *columns = column_default_of_table(relid, 0, NULL);
	Bitmapset  *keys = NULL;
	bool		has_key = columns != NIL && has_keys(relid, &keys);

	foreach_ptr(ColumnDefault, column, columns)
	{
		if (column->generator != NULL && text_equal(column->generator, own))
			sources.own = column;
		else if (!draws_number(column))
			continue;
		else if (has_key && !bms_is_member(column->attnum, keys))
			sources.no_key = column;
		else if (sources.key == NULL)
			sources.key = column;
		else if (!text_equal(column->generator, sources.key->generator))
			sources.other_key = column;
	}
	return sources;
}

/* Check whether a column draws numbers, and nothing is done with them. */
static bool
draws_number(const ColumnDefault *column)
{
	return column->written != NULL && !column->by_trigger &&
		is_number(column->relid, column->attnum);
}

/* Set the columns of the keys of a table; false if it has no key. */
static bool
has_keys(Oid relid, Bitmapset **columns)
{
	Relation	rel = RelationIdGetRelation(relid);
	List	   *indexes;
	bool		has = false;

	if (rel == NULL)
		return false;
	indexes = RelationGetIndexList(rel);
	RelationClose(rel);
	foreach_oid(index, indexes)
	{
		HeapTuple	tuple = SearchSysCache1(INDEXRELID,
											ObjectIdGetDatum(index));
		Form_pg_index form;

		if (!HeapTupleIsValid(tuple))
			continue;
		form = (Form_pg_index) GETSTRUCT(tuple);
		if (form->indisunique &&
			heap_attisnull(tuple, Anum_pg_index_indpred, NULL))
		{
			has = true;
			for (int i = 0; i < form->indnkeyatts; i++)
			{
				if (form->indkey.values[i] > 0)
					*columns = bms_add_member(*columns,
											  form->indkey.values[i]);
			}
		}
		ReleaseSysCache(tuple);
	}
	return has;
}

static void
refuse_several(Oid relid, const Sources *sources)
{
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("keys of table %s draw from several sources",
				   relation_name(relid)),
			errdetail("Column \"%s\" draws from \"%s\", and column \"%s\" from \"%s\".",
					  get_attname(relid, sources->key->attnum, false),
					  definition_title(sources->key->generator),
					  get_attname(relid, sources->other_key->attnum, false),
					  definition_title(sources->other_key->generator)),
			errhint("Name the source in place of the table, a tag with hilo_next_tag."));
}

static void
refuse_no_key(Oid relid, const ColumnDefault *column)
{
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("no key of table %s draws ids", relation_name(relid)),
			errdetail("Column \"%s\", which is in no key, draws from \"%s\".",
					  get_attname(relid, column->attnum, false),
					  definition_title(column->generator)),
			errhint("For ids of a key, call hilo_attach(%s, ...) with its column. For numbers of column \"%s\", name their source.",
					quote_literal_cstr(relation_name(relid)),
					get_attname(relid, column->attnum, false)));
}
