/*
 * Generators that are made by the first use of their names.
 *
 * A first use makes a generator with the defaults, out of reach of the caller's
 * rollback: its row in hilo_hi, then its row in hilo_generator, so that a crash
 * half-way leaves nothing that a later first use could take for a generator whose
 * ids are all still to be had.
 *
 * A generator that a default or trigger calls belongs to the table that is
 * written to, whoever comes first; one that is called by its name, to a table of
 * the current role that draws from it, or to that role.  It starts above what the
 * columns of its owner's tables hold, but for rows that are not committed.
 *
 * On a Citus worker the coordinator decides all that: a generator is made there,
 * and here another one that takes its ids and has its owner or a table here.
 */
#include "postgres.h"

#include "session/session.h"

/* What a first use makes. */
typedef struct NewGenerator
{
	Definition	definition;
	Oid			owner;			/* InvalidOid: superusers, or the table's */
	int64		last;			/* the id before its first one */
} NewGenerator;

/* whether the first use of a name makes its generator */
bool		first_use_is_on = true;

static bool make_generator(text *name, text *written, NewGenerator *new,
						   bool is_on);
static void refuse_first_use(text *name, bool is_on, bool is_half);
static void take_over(text *name, text *written, Definition definition,
					  const NewGenerator *new);
static void find_owner(text *name, NewGenerator *new);
static Oid	table_for(text *name);

/*
 * Make the generator of a name that is used for the first time, here or by
 * somebody else, final and visible to all at once.  Waits for a transaction that
 * has created or dropped that very name, and for a restore, but for nobody else.
 */
void
first_use(text *name, text *written)
{
	NewGenerator new = {definition_default(name), GetUserId(), 0};
	const char *hub = citus_hub();

	definition_require_name(name, GetUserId());
	if (hub != NULL)
	{
		new.definition.rel = table_for(name);
		new.owner = hub_define(hub, name, written, new.definition.rel,
							   &new.definition);
		if (OidIsValid(new.definition.rel))
			new.owner = InvalidOid;
		(void) make_generator(name, written, &new, true);
	}
	else if (make_generator(name, written, &new, first_use_is_on))
		ereport(NOTICE,
				(OidIsValid(new.definition.rel) ?
				 errmsg("generator \"%s\" has been created for table %s",
						text_to_cstring(written),
						relation_name(new.definition.rel)) :
				 errmsg("generator \"%s\" has been created",
						text_to_cstring(written)),
				 errhint("Set hilo.auto_create to off to refuse unknown names.")));
}

/* Make a generator of superusers, or of a table, above last, unless there is one. */
void
first_use_as(text *name, const Definition *definition, int64 last)
{
	NewGenerator new = {*definition, InvalidOid, last};

	(void) make_generator(name, name, &new, true);
}

/* Make a generator, unless there is one; return whether it did. */
static bool
make_generator(text *name, text *written, NewGenerator *new, bool is_on)
{
	FormData_hilo_hi hi;
	Definition	found;
	bool		has_definition;
	bool		has_hi;
	bool		is_orphan;

	lock_name(name);

	has_definition = definition_find(name, &found, NULL);
	is_orphan = has_definition && definition_is_orphan(&found);
	has_hi = store_read(name, &hi);
	if (!has_definition || !has_hi || is_orphan)
	{
		/* a crash between the two inserts leaves a row, unlike a restore's */
		refuse_first_use(name, is_on, !is_orphan &&
						 (has_definition ||
						  (has_hi && !IsFirstLife(hi.incarnation)) ||
						  catalog_copy(CATALOG_GAPLESS, name) != NULL ||
						  catalog_copy(CATALOG_SOURCE, name) != NULL));
		if (OidIsValid(new->owner) && !source_of(&new->definition)->is_remote)
			find_owner(name, new);
		if (is_orphan && has_hi)
		{
			take_over(name, written, found, new);
			return true;
		}
		column_default_refuse_hidden(name, new->definition.rel);
		/* before the first row is made: store_insert looks at hilo_hi */
		table_close(catalog_open_durable(CATALOG_PRIVILEGE, true),
					RowExclusiveLock);
		table_close(catalog_open_durable(CATALOG_DEFINITION, true),
					RowExclusiveLock);
		if (!has_hi)
			store_insert(name, new->last, new->definition.range_size, true);
		else
			(void) store_seed(name, new->last, SEED_RAISE,
							  new->definition.max_value);
		delay_at_random();
		/* a crash here, or a failed restore, may have left an owner */
		if (OidIsValid(new->owner) && !OidIsValid(privilege_owner(name)))
			privilege_insert(name, new->owner, true, true);
		definition_insert(name, written, &new->definition, true);
	}

	unlock_name(name);
	return !has_definition;
}

/*
 * Give a generator whose table is gone to who uses its name now, by the current
 * transaction: a rollback may bring the table back.  Its numbers continue.
 */
static void
take_over(text *name, text *written, Definition definition,
		  const NewGenerator *new)
{
	FormData_hilo_hi hi;

	privilege_refuse_takeover(name, &definition, new->definition.rel, new->owner);
	definition.rel = new->definition.rel;
	/* as the column's type has it; what is narrower would need all sessions */
	definition.max_value = Max(definition.max_value, new->definition.max_value);
	definition.is_public = false;
	catalog_delete(CATALOG_PRIVILEGE, name);
	if (OidIsValid(new->owner))
		privilege_insert(name, new->owner, true, false);
	/* also those that are reserved, and in use in the new table */
	if (new->last > 0 && definition.origin == FROM_ROW &&
		store_lock(name, RowExclusiveLock, &hi))
	{
		(void) session_seed(name, &definition, hi.incarnation,
							Min(new->last, definition.max_value), SEED_PASS);
		unlock_generator(hi.incarnation, RowExclusiveLock);
	}
	definition_update(name, &definition, written);
	catalog_changed();
}

/* Report an error if the first use of a name must not make its generator. */
static void
refuse_first_use(text *name, bool is_on, bool is_half)
{
	if (is_half)
		definition_refuse_incomplete(name);
	if (!is_on)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("generator \"%s\" does not exist",
						text_to_cstring(name)),
				 errhint("Create it with hilo_create, or set hilo.auto_create to on.")));
	if (catalog_remembered(name) == CHANGED_GONE)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("generator \"%s\" was dropped or renamed by the current transaction",
						text_to_cstring(name)),
				 errhint("Take ids after the transaction, or create the generator with hilo_create if it was dropped.")));
}

/*
 * Find out whose a new generator is, which must be allowed to create it, and fit
 * it to the columns that draw from it in tables of that owner.
 *
 * Generators of hilo's own are for no column: who may make a table could have
 * one of them made by a superuser who inserts into it.
 */
static void
find_owner(text *name, NewGenerator *new)
{
	Oid			table = table_for(name);
	List	   *columns = NIL;

	if (definition_is_internal(name))
	{
		definition_require_name(name, OidIsValid(table) ? InvalidOid : GetUserId());
		new->owner = InvalidOid;
		return;
	}
	if (OidIsValid(table))
		new->owner = relation_owner(table);
	if (definition_is_of_columns(name))
		columns = column_default_list(name, NULL, new->owner);
	else
		table = InvalidOid;
	foreach_ptr(ColumnDefault, column, columns)
	{
		/* a view of the table adds no ids */
		if (OidIsValid(table) &&
			get_rel_relkind(column->relid) == RELKIND_VIEW)
			continue;
		first_use_fit(column, NULL, &new->definition, &new->last);
		if (!OidIsValid(table))
			table = column_default_root(column);
	}
	privilege_require_create(name, table, new->owner);
	new->definition.rel = table;
	if (OidIsValid(table))
		new->owner = InvalidOid;
}

/* Return the table written to that a first use is for; one of the role's own first. */
static Oid
table_for(text *name)
{
	Oid			table = InvalidOid;

	foreach_ptr(ColumnDefault, column, column_default_written(name))
	{
		Oid			owner = relation_find_owner(column->relid);

		if (!OidIsValid(table) || owner == GetUserId())
			table = column_default_root(column);
		if (owner == GetUserId())
			break;
	}
	return table;
}

/*
 * Make a new generator start above what a column holds, in the rows of a condition
 * or in all, and end where its type does.  Waits for no lock, as whoever inserts
 * has locked the table already.
 */
void
first_use_fit(const ColumnDefault *found, const char *where,
			  Definition *definition, int64 *last)
{
	char	   *col = get_attname(found->relid, found->attnum, false);
	Column		column;
	int64		max;

	if (!found->is_wrapped &&
		!column_type_has_ids(getBaseType(get_atttype(found->relid, found->attnum))))
		column_refuse_type(found->relid, found->attnum, found->generator);
	if (!column_try_lock(found->relid, col, AccessShareLock, &column))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not obtain lock on relation \"%s\"",
						get_rel_name(found->relid)),
				 errdetail("Generator \"%s\" starts above the greatest value of column \"%s\".",
						   text_to_cstring(found->folded), col),
				 errhint("Try again when the other transaction has ended, or run hilo_create and hilo_seed.")));
	column.where = where;
	column.is_wrapped = found->is_wrapped;
	/* one without gaps goes with a rollback */
	max = column_max(&column, found->folded,
					 definition->holder != HELD_BY_NOBODY);
	*last = Max(*last, max);
	definition->max_value = Min(definition->max_value, column.max_value);
	definition->max_range_size = Min(definition->max_range_size,
									 column_type_range_size(column.type));
	column_unlock(&column, AccessShareLock);
}
