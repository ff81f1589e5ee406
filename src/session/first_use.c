/*
 * Generators that are made, by the first use of their names or by a call.
 *
 * A first use makes a generator with the defaults, out of reach of the caller's rollback: its
 * row in hilo_hi, then its row in hilo_generator, so that a crash half-way leaves nothing that
 * a later first use could take for a generator whose ids are all still to be had.
 *
 * A generator that a default or trigger calls belongs to the table that is written to, whoever
 * comes first; one that is called by its name, to a table of the current role that draws from
 * it, or to that role.  It starts above what the columns of its owner's tables hold, but for
 * rows that are not committed.
 *
 * On a Citus worker the coordinator decides all that: a generator is made there, and here
 * another one that takes its ids and has its owner or a table here.
 */
#include "postgres.h"

#include "session/session.h"

typedef struct NewGenerator
{
	Definition	definition;
	Oid			owner;			/* if it is no table's; InvalidOid: superusers */
	int64		last;			/* the id before its first one */
} NewGenerator;

bool		first_use_is_on = true;

static void first_use_of_table(text *key);
static TransactionId number_xmin(text *name, bool frozen);
static bool make_generator(text *name, NewGenerator *new, bool is_on);
static void refuse_first_use(text *name, bool is_on);
static void insert_rows(text *name, const Definition *definition, Oid owner,
						int64 last, bool frozen);
static void delete_leftovers(text *name, const Definition *definition);
static void table_generator_create(text *key, const Definition *definition, int64 last);
static void find_owner(text *name, NewGenerator *new);
static Oid	table_for(text *name, Oid role);

/*
 * Make the generator of a name that is used for the first time, here or by
 * somebody else, final and visible to all at once.  Waits for a transaction that
 * has created or dropped that very name, for a restore, for the query of a column's
 * greatest value, and for the coordinator of a Citus worker, but for nobody else.
 */
void
first_use(text *name, text *written)
{
	NewGenerator new = {definition_default(written),
	definition_is_of_columns(name) ? GetUserId() : InvalidOid, 0};

	if (definition_is_table(name))
	{
		first_use_of_table(name);
		return;
	}
	if (definition_is_internal(name))
		definition_require_name(name, GetUserId());
	if (citus_is_worker())
	{
		new.definition.rel = table_for(name, GetUserId());
		new.owner = hub_define(name, written, new.definition.rel, &new.definition);
		(void) make_generator(name, &new, true);
	}
	else if (make_generator(name, &new, first_use_is_on))
		ereport(NOTICE,
				(OidIsValid(new.definition.rel) ?
				 errmsg("generator \"%s\" has been created for table %s",
						text_to_cstring(new.definition.written), relation_name(new.definition.rel)) :
				 !OidIsValid(new.owner) || superuser_arg(new.owner) ?
				 errmsg("generator \"%s\" has been created", text_to_cstring(new.definition.written)) :
				 errmsg("generator \"%s\" has been created for role %s", text_to_cstring(new.definition.written),
						quote_identifier(GetUserNameFromId(new.owner, false))),
				 errhint("Set hilo.auto_create to off to refuse unknown names.")));
}

/* Make a generator of superusers, or of a table, above last, unless there is one. */
void
first_use_as(text *name, const Definition *definition, int64 last)
{
	NewGenerator new = {*definition, InvalidOid, last};

	(void) make_generator(name, &new, true);
}

/*
 * Make a table's own generator, for a role that may use it.
 *
 * Its number is final at once.  So is its definition, unless the transaction has
 * written before: then a rollback takes that back, and with it whatever the rows and
 * columns say now, and the next first use goes on above the number and the rows.
 * Until then it holds the lock of the name, for which others' first use waits.  A DROP
 * of the table waits, too, so that it finds the rows.
 */
static void
first_use_of_table(text *key)
{
	Oid			relid = definition_table(key);
	Definition	definition = definition_default(key);
	int64		last = 0;
	bool		is_final;

	name_lock_table(relid);
	lock_name(key);
	if (store_is_incomplete(key))
		definition_refuse_incomplete(key);
	if (!definition_exists(key))
	{
		refuse_first_use(key, true);
		privilege_require_use(key, &definition, false);
		name_refuse_tag_beside(relid);
		first_use_fit_table(key, &definition, &last);
	}
	/* code of the table's owner may have made it meanwhile */
	if (definition_exists(key))
	{
		unlock_name(key);
		unlock_table(relid, AccessShareLock);
		return;
	}
	is_final = !TransactionIdIsValid(GetTopTransactionIdIfAny());
	if (is_final)
		table_close(catalog_open_durable(CATALOG_DEFINITION, true), RowExclusiveLock);
	insert_rows(key, &definition, InvalidOid, last, is_final);
	if (is_final)
	{
		unlock_name(key);
		unlock_table(relid, AccessShareLock);
	}
}

/*
 * Make a table's new generator start above what the columns that draw from it hold,
 * in tables of owners who have its owner's rights, or its primary key where none does.
 */
void
first_use_fit_table(text *key, Definition *definition, int64 *last)
{
	Oid			relid = definition_table(key);
	ColumnDefault by_key = {.relid = relid,.folded = key};
	List	   *columns = column_default_list(key, NULL, relation_owner(relid));

	by_key.attnum = relation_integer_key(relid);
	if (columns == NIL && by_key.attnum != InvalidAttrNumber)
		columns = list_make1(&by_key);
	foreach_ptr(ColumnDefault, column, columns)
		first_use_fit(column, NULL, false, definition, last);
}

/* Make a generator, unless there is one; return whether it did. */
static bool
make_generator(text *name, NewGenerator *new, bool is_on)
{
	Definition	found;
	OrmSource	source;
	bool		has_definition;
	bool		is_orphan;

	lock_name(name);
	has_definition = definition_find(name, &found);
	is_orphan = has_definition && definition_is_orphan(&found);
	if (!is_orphan && store_is_incomplete(name))
		definition_refuse_incomplete(name);
	if (has_definition && !is_orphan)
	{
		unlock_name(name);
		return false;
	}

	refuse_first_use(name, is_on || is_orphan);
	/* no column draws from hilo's own: anybody may make a column */
	if (OidIsValid(new->owner) && new->definition.origin != FROM_HUB)
		find_owner(name, new);
	/* code of a table's owner may have made it meanwhile */
	if (!has_definition && definition_exists(name))
	{
		unlock_name(name);
		return false;
	}
	if (is_orphan)
	{
		/* with the former options, but for owner, type and another's source */
		if (found.origin == FROM_ORM &&
			(!orm_source_find(name, &source) || relation_find_owner(source.relid) != new->owner))
			found = new->definition;
		found.written = new->definition.written;
		found.rel = new->definition.rel;
		found.is_public = false;
		if (!found.scattered)
			found.max_value = Max(found.max_value, new->definition.max_value);
		generator_create(name, &found, new->owner, new->last);
		return true;
	}

	column_default_refuse_hidden(name, new->definition.rel);
	/* before the first row is made: store_insert looks at hilo_hi */
	table_close(catalog_open_durable(CATALOG_PRIVILEGE, true), RowExclusiveLock);
	table_close(catalog_open_durable(CATALOG_DEFINITION, true), RowExclusiveLock);
	insert_rows(name, &new->definition, new->owner, new->last, true);
	unlock_name(name);
	return true;
}

/*
 * Create a generator whose first id lies above last, for a role, or a table if
 * its definition has one, by the current transaction.  It replaces one whose table is
 * gone, and continues above its numbers: a rollback may bring the table back.
 */
void
generator_create(text *name, const Definition *definition, Oid owner, int64 last)
{
	Definition	found = {0};
	FormData_hilo_hi hi;
	int64		in_use = last;
	int64		number;
	bool		has_hi;

	definition_require_name(name, OidIsValid(definition->rel) ? InvalidOid : owner);
	citus_refuse_own_ids(name, definition);
	lock_name(name);
	if (definition_is_table(name))
	{
		table_generator_create(name, definition, last);
		return;
	}
	if (definition_find(name, &found))
	{
		if (!definition_is_orphan(&found))
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_OBJECT),
					 errmsg("generator \"%s\" already exists", definition_title(name))));
		privilege_refuse_takeover(name, &found, definition->rel, owner);
	}

	/* rows without a definition are what a failed restore leaves */
	has_hi = store_lock(name, AccessExclusiveLock, &hi);
	if (has_hi && found.holder != HELD_BY_NOBODY)
		last = Max(last, hi.reserved);
	if (gapless_last(name, &number))
		last = Max(last, number);
	/* no window goes on elsewhere, nor after a rollback; a crash left none */
	if (has_hi && ((definition->origin == FROM_ORM && definition->created != found.created) ||
				   !definition_takes_alike(&found, definition)))
	{
		if (definition_exists(name) || !IsFirstLife(hi.incarnation))
			last = store_seed(name, last, SEED_FORGET, definition->max_value);
		catalog_delete(CATALOG_HI, name);
	}
	catalog_delete(CATALOG_DEFINITION, name);
	delete_leftovers(name, definition);
	insert_rows(name, definition, owner, last, false);
	catalog_changed();
	/* of the ids that are reserved already, too */
	if (has_hi)
		seed_pass(name, in_use, false);
}

/*
 * Create a table's own generator, above last and above the number that is left of a
 * first use which was rolled back, or of half a restore.
 */
static void
table_generator_create(text *key, const Definition *definition, int64 last)
{
	int64		number;

	if (definition_exists(key))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("generator \"%s\" already exists", definition_title(key))));
	if (gapless_last(key, &number))
		last = Max(last, number);
	delete_leftovers(key, definition);
	insert_rows(key, definition, InvalidOid, last, false);
	catalog_changed();
}

/* Delete what a table that is gone, or a failed restore, has left of a generator to be made. */
static void
delete_leftovers(text *name, const Definition *definition)
{
	if (definition->origin != FROM_ORM)
		catalog_delete(CATALOG_SOURCE, name);
	catalog_delete(CATALOG_GAPLESS, name);
	catalog_delete(CATALOG_PRIVILEGE, name);
}

/* Insert the rows of a generator, but for one in hilo_hi, which is raised. */
static void
insert_rows(text *name, const Definition *definition, Oid owner, int64 last, bool frozen)
{
	FormData_hilo_hi hi;

	if (store_read(name, &hi))
		last = store_seed(name, last, definition_is_table(name) ? SEED_FORGET : SEED_RAISE,
						  definition->max_value);
	else
		store_insert(name, last, definition->range_size, number_xmin(name, frozen));
	if (definition->holder == HELD_BY_NOBODY)
		catalog_insert(CATALOG_GAPLESS, &last, NULL, name, false);
	delay_at_random();
	/* a crash here, or a failed restore, may have left an owner */
	if (OidIsValid(owner) && !OidIsValid(definition->rel) && !OidIsValid(privilege_owner(name)))
		privilege_insert(name, owner, true, frozen);
	catalog_insert(CATALOG_DEFINITION, definition, definition->written, name, frozen);
	/* ids may be on disk before their definition is */
	if (!frozen)
		ForceSyncCommit();
}

/*
 * Return whose a new row of hilo_hi is to be.  That of a table goes with the table, if this
 * transaction has made it, also by a rollback to a savepoint; else it stays, unless
 * a rollback brings back another one.
 */
static TransactionId
number_xmin(text *name, bool frozen)
{
	Oid			relid = definition_table(name);
	Relation	rel;
	HeapTuple	tuple;
	TransactionId xmin = FrozenTransactionId;

	if (frozen)
		return FrozenTransactionId;
	if (!OidIsValid(relid) || catalog_remembered(name) == CHANGED_GONE)
		return InvalidTransactionId;
	rel = RelationIdGetRelation(relid);
	/* of the row of ctid, which nothing changes later on */
	if (RelationIsValid(rel) && rel->rd_createSubid != InvalidSubTransactionId)
	{
		tuple = SearchSysCacheCopy2(ATTNUM, ObjectIdGetDatum(relid),
									Int16GetDatum(SelfItemPointerAttributeNumber));
		if (HeapTupleIsValid(tuple))
			xmin = HeapTupleHeaderGetRawXmin(tuple->t_data);
	}
	if (RelationIsValid(rel))
		RelationClose(rel);
	return TransactionIdIsCurrentTransactionId(xmin) ? xmin : FrozenTransactionId;
}

/* Report an error if the first use of a name must not make its generator. */
static void
refuse_first_use(text *name, bool is_on)
{
	if (!is_on)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("generator \"%s\" does not exist", definition_title(name)),
				 errhint("Create it with hilo_create, or set hilo.auto_create to on.")));
	if (catalog_remembered(name) == CHANGED_GONE)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("generator \"%s\" was dropped or renamed by the current transaction",
						definition_title(name)),
				 errhint("Take ids after the transaction, or create the generator with hilo_create if it was dropped.")));
}

/*
 * Find out whose a new generator is, which must be allowed to create it, and fit
 * it to the columns that draw from it in tables of that owner.
 */
static void
find_owner(text *name, NewGenerator *new)
{
	Oid			table = table_for(name, new->owner);
	List	   *columns = NIL;

	if (OidIsValid(table))
		new->owner = relation_owner(table);
	if (definition_is_of_columns(name))
		columns = column_default_list(name, NULL, new->owner);
	/* of the table written to, also by a trigger, maybe the caller's */
	foreach_ptr(ColumnDefault, column, column_default_written(name))
	{
		if (column_default_root(column) != table || column_default_is_by_owner(column, false))
			continue;
		columns = lappend(columns, column);
		privilege_require_create(name, table, new->owner, false);
		new->owner = GetUserId();
	}
	/* before the code of their owner, for which others could have to wait */
	privilege_require_create(name, table, new->owner, false);
	columns = list_concat(columns, column_default_unseen(name, table));
	new->definition.rel = table;
	foreach_ptr(ColumnDefault, column, columns)
	{
		/* the owner, and not the first caller, says how ids are written */
		if (column->relid == table && column->generator != NULL &&
			column_default_is_by_owner(column, true))
			new->definition.written = column->generator;
		first_use_fit(column, NULL, true, &new->definition, &new->last);
	}
}

/* Return the table that a first use is for, of which the role may own but a part. */
static Oid
table_for(text *name, Oid role)
{
	Oid			table = InvalidOid;

	foreach_ptr(ColumnDefault, column, column_default_written(name))
	{
		if (!relation_is_in_use(column->relid))
			continue;
		if (!OidIsValid(table))
			table = column_default_root(column);
		/* maybe only to delete; a temporary one is but a copy */
		else if (get_rel_persistence(column->relid) != RELPERSISTENCE_TEMP &&
				 relation_owner(column_default_root(column)) != relation_owner(table))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the current transaction writes to tables of two owners that draw from generator \"%s\"",
							definition_title(name)),
					 errdetail("The tables are %s and %s.", relation_name(table), relation_name(column->relid)),
					 errhint("Take the first id in a transaction that writes to one of them alone.")));
	}
	foreach_ptr(ColumnDefault, column, OidIsValid(table) || !definition_is_of_columns(name) ? NIL :
				column_default_list(name, NULL, role))
	{
		if (relation_is_table(column->relid) && relation_find_owner(column->relid) == role)
			return column_default_root(column);
	}
	return table;
}

/*
 * Make a new generator start above what a column holds, in the rows of a condition
 * or in all, and end where its type does; maybe one that outlives a rollback.  Waits
 * for no lock, as whoever inserts has locked the table already.
 */
void
first_use_fit(const ColumnDefault *found, const char *where, bool outlives,
			  Definition *definition, int64 *last)
{
	Column		column = {
		.relid = found->relid,.lockmode = AccessShareLock,
		.name = get_attname(found->relid, found->attnum, true),
		.generator = found->folded,.where = where,
		.is_wrapped = found->is_wrapped,.is_first_use = outlives,
		.is_named = definition_is_table(found->folded)
	};
	int64		max;

	/* dropped meanwhile, or a view of the table, which adds no ids */
	if (!OidIsValid(get_atttype(found->relid, found->attnum)) ||
		(OidIsValid(definition->rel) &&
		 column_default_is_shown(found->relid, found->folded)))
		return;
	column = column_look(column, ERRCODE_LOCK_NOT_AVAILABLE);
	max = column_max(&column, *last);
	*last = Max(*last, max);
	column_fit(&column, definition);
	column_unlock(&column, AccessShareLock);
}
