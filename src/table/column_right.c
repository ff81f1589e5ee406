/*
 * The right to use a generator that comes with a table.
 *
 * As with the sequence of an identity column, whoever may insert into a table
 * may use the generator that a column of it draws from.  The owner of the table
 * must have the right himself: else anybody could gain it by making a table.
 *
 * Which columns draw from which generator is remembered, to be found by name,
 * and looked at again before a column gives the right.  A session keeps the right
 * as long as catalog_generation stands: it changes with the table.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "table/table.h"

/*
 * A column that draws from a generator.
 */
typedef struct DrawingColumn
{
	text	   *generator;		/* folded */
	Oid			relid;
	AttrNumber	attnum;
} DrawingColumn;

/* those of this database as they were once, in the order of their generators */
static struct
{
	MemoryContext context;
	uint64		generation;		/* catalog_default_generation of that time */
	DrawingColumn *columns;
	int			count;
}			drawing;

static bool known_column_gives_it(text *name, bool is_public, Oid role);
static bool column_gives_it(const DrawingColumn *column, bool is_public,
							Oid role);
static bool table_gives_it(Oid relid, const char *col, text *name,
						   bool is_public, Oid role);
static bool draws_from(Oid relid, AttrNumber attnum, text *name);
static void read_drawing_columns(void);
static int	compare_generators(const void *a, const void *b);
static int	compare_texts(text *a, text *b);

/*
 * Check whether a role may use a generator because it may insert into a table.
 */
bool
column_right(text *name, bool is_public, Oid role)
{
	if (known_column_gives_it(name, is_public, role))
		return true;
	if (drawing.generation == catalog_default_generation)
		return false;
	read_drawing_columns();
	return known_column_gives_it(name, is_public, role);
}

/*
 * Check whether a column that is remembered gives a role the right to use a
 * generator.
 */
static bool
known_column_gives_it(text *name, bool is_public, Oid role)
{
	int			low = 0;
	int			high = drawing.count;

	/* the first one of that generator */
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (compare_texts(drawing.columns[middle].generator, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < drawing.count &&
		 text_equal(drawing.columns[low].generator, name); low++)
	{
		if (column_gives_it(&drawing.columns[low], is_public, role))
			return true;
	}
	return false;
}

/*
 * Check whether a column, as it is now, gives a role the right to use its
 * generator; rows may be inserted into partitions, too.
 */
static bool
column_gives_it(const DrawingColumn *column, bool is_public, Oid role)
{
	char	   *col = get_attname(column->relid, column->attnum, true);
	ListCell   *cell;

	if (col == NULL)
		return false;
	if (table_gives_it(column->relid, col, column->generator, is_public, role))
		return true;
	if (get_rel_relkind(column->relid) != RELKIND_PARTITIONED_TABLE)
		return false;
	foreach(cell, find_all_inheritors(column->relid, NoLock, NULL))
	{
		if (table_gives_it(lfirst_oid(cell), col, column->generator, is_public,
						   role))
			return true;
	}
	return false;
}

/*
 * Check whether a column of a table gives a role the right to use a generator.
 * Before it is looked at, its changes are watched.
 */
static bool
table_gives_it(Oid relid, const char *col, text *name, bool is_public,
			   Oid role)
{
	AttrNumber	attnum = get_attnum(relid, col);

	if (attnum == InvalidAttrNumber)
		return false;
	catalog_watch(relid);
	return SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relid)) &&
		relation_may_insert(relid, role) &&
		privilege_is_granted(name, is_public, relation_owner(relid)) &&
		draws_from(relid, attnum, name);
}

static bool
draws_from(Oid relid, AttrNumber attnum, text *name)
{
	ColumnDefault *column = column_default_find(relid, attnum);

	return column != NULL && column->folded != NULL &&
		text_equal(column->folded, name);
}

/*
 * Remember the columns that draw from generators.
 */
static void
read_drawing_columns(void)
{
	uint64		generation = catalog_default_generation;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "hilo drawing columns",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext,
												  "hilo defaults",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(scratch);
	List	   *columns = column_default_list(NULL);
	DrawingColumn *found;
	int			count = 0;
	ListCell   *cell;

	MemoryContextSwitchTo(context);
	found = palloc((list_length(columns) + 1) * sizeof(*found));
	foreach(cell, columns)
	{
		const ColumnDefault *column = lfirst(cell);

		if (column->folded == NULL)
			continue;
		found[count].generator = cstring_to_text_with_len(VARDATA_ANY(column->folded),
														  VARSIZE_ANY_EXHDR(column->folded));
		found[count].relid = column->relid;
		found[count++].attnum = column->attnum;
	}
	qsort(found, count, sizeof(*found), compare_generators);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(scratch);

	MemoryContextSetParent(context, TopMemoryContext);
	if (drawing.context != NULL)
		MemoryContextDelete(drawing.context);
	drawing.context = context;
	drawing.generation = generation;
	drawing.columns = found;
	drawing.count = count;
}

static int
compare_generators(const void *a, const void *b)
{
	return compare_texts(((const DrawingColumn *) a)->generator,
						 ((const DrawingColumn *) b)->generator);
}

static int
compare_texts(text *a, text *b)
{
	int			length = VARSIZE_ANY_EXHDR(a) - VARSIZE_ANY_EXHDR(b);

	return length != 0 ? length :
		memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a));
}
