/*
 * Who may use, see, change and create a generator.
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

#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "catalog/pg_database.h"
#include "catalog/pg_inherits.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "table/table.h"

/*
 * A look at the moment when a row is replaced by another may see neither; the
 * next one sees the other, unless that is just being replaced, too.
 */
#define LOOKS_BEFORE_REFUSAL 10

typedef struct DrawingColumn
{
	uint32		hash;			/* of the folded name of the generator */
	AttrNumber	attnum;
	Oid			relid;
} DrawingColumn;

/* those of this database as they were once */
static struct
{
	uint64		generation;		/* catalog_default_generation of that time */
	DrawingColumn *columns;
	int			count;
}			drawing;

static bool column_gives_it(text *name, bool is_public, Oid role);
static bool table_gives_it(Oid relid, const char *col, text *name,
						   bool is_public, Oid role);
static void read_drawing_columns(void);

void
privilege_require_use(text *name, text *written, bool is_public)
{
	for (int look = 0; look < LOOKS_BEFORE_REFUSAL; look++)
	{
		if (privilege_may_use(name, is_public, GetUserId()))
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("permission denied for generator \"%s\"",
					text_to_cstring(written))));
}

void
privilege_require_see(text *name, text *written, bool is_public)
{
	if (!privilege_may_see(name, is_public, GetUserId()))
		privilege_require_use(name, written, is_public);
}

void
privilege_require_owner(text *name, text *written)
{
	for (int look = 0; look < LOOKS_BEFORE_REFUSAL; look++)
	{
		if (privilege_may_change(name, GetUserId()))
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("must be owner of generator \"%s\"",
					text_to_cstring(written))));
}

/*
 * Report an error unless the current role may create generators by name.
 */
void
privilege_require_create(text *written)
{
	if (DatabaseCreate(GetUserId()) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to create generator \"%s\"",
						text_to_cstring(written)),
				 errdetail("Generators that are not made for a column need the CREATE privilege on the database.")));
}

/*
 * Check whether a role may see the state of a generator: to use it, or to watch
 * the server, is enough.
 */
bool
privilege_may_see(text *name, bool is_public, Oid role)
{
	return has_privs_of_role(role, ROLE_PG_READ_ALL_STATS) ||
		privilege_may_use(name, is_public, role);
}

/*
 * Check whether a role may use a generator as its owner, by hilo_grant, or
 * because it may insert into a table.
 */
bool
privilege_may_use(text *name, bool is_public, Oid role)
{
	if (privilege_is_granted(name, is_public, role) ||
		column_gives_it(name, is_public, role))
		return true;
	if (drawing.generation == catalog_default_generation)
		return false;
	read_drawing_columns();
	return column_gives_it(name, is_public, role);
}

/*
 * Check whether a role may alter, drop, seed and grant a generator.
 */
bool
privilege_may_change(text *name, Oid role)
{
	Oid			owner;

	if (superuser_arg(role))
		return true;
	owner = privilege_owner(name);
	return OidIsValid(owner) && has_privs_of_role(role, owner);
}

/*
 * Check whether a column that is remembered gives a role the right to use a
 * generator, as it is now; rows may be inserted into partitions, too.
 */
static bool
column_gives_it(text *name, bool is_public, Oid role)
{
	uint32		hash = case_fold_hash(name);

	for (int i = 0; i < drawing.count; i++)
	{
		Oid			relid = drawing.columns[i].relid;
		char	   *col;
		ListCell   *cell;

		if (drawing.columns[i].hash != hash)
			continue;
		col = get_attname(relid, drawing.columns[i].attnum, true);
		if (col == NULL)
			continue;
		if (table_gives_it(relid, col, name, is_public, role))
			return true;
		if (get_rel_relkind(relid) != RELKIND_PARTITIONED_TABLE)
			continue;
		foreach(cell, find_all_inheritors(relid, NoLock, NULL))
		{
			if (table_gives_it(lfirst_oid(cell), col, name, is_public, role))
				return true;
		}
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
	ColumnDefault *column;

	if (attnum == InvalidAttrNumber)
		return false;
	catalog_watch(relid);
	if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relid)) ||
		!relation_may_insert(relid, role) ||
		!privilege_is_granted(name, is_public, relation_owner(relid)))
		return false;
	column = column_default_find(relid, attnum);
	return column != NULL && column->folded != NULL &&
		text_equal(column->folded, name);
}

static void
read_drawing_columns(void)
{
	uint64		generation = catalog_default_generation;
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext,
												  "hilo defaults",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(scratch);
	List	   *columns = column_default_list(NULL);
	DrawingColumn *found = MemoryContextAllocHuge(TopMemoryContext,
												  (list_length(columns) + 1) * sizeof(*found));
	int			count = 0;
	ListCell   *cell;

	foreach(cell, columns)
	{
		const ColumnDefault *column = lfirst(cell);

		if (column->folded != NULL)
			found[count++] = (DrawingColumn) {case_fold_hash(column->folded),
				column->attnum, column->relid};
	}
	MemoryContextSwitchTo(before);
	MemoryContextDelete(scratch);

	if (drawing.columns != NULL)
		pfree(drawing.columns);
	drawing.generation = generation;
	drawing.columns = found;
	drawing.count = count;
}
