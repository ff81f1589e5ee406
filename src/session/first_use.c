/*
 * Generators that are made by the first use of their names.
 *
 * A first use makes a generator with the defaults, out of reach of the caller's
 * rollback.  A generator is its row in hilo_generator and its row in hilo_hi.
 * The definition is made last, so that a crash half-way leaves nothing that a
 * later first use could take for a generator whose ids are all still to be had.
 *
 * A generator that the default of a column names belongs to the owner of the
 * table, whoever comes first, and starts above what the column holds.  A row
 * with an id of its own that is not committed by then is not seen.  Any other
 * generator belongs to the current role, which needs the CREATE privilege on
 * the database.
 *
 * On a Citus worker the coordinator decides all that: a generator is made
 * there, if it may be, and here another one that takes its ids and has its
 * owner.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_inherits.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "session/session.h"
#include "source/source.h"

/* What a first use makes. */
typedef struct NewGenerator
{
	Definition	definition;
	Oid			owner;			/* InvalidOid: superusers */
	int64		last;			/* the id before its first one */
} NewGenerator;

/* whether the first use of a name makes its generator */
bool		first_use_is_on = true;

static bool make_generator(text *name, text *written, NewGenerator *new,
						   bool is_on);
static void refuse_first_use(text *name, bool is_on, bool is_half);
static void fit_columns(text *name, NewGenerator *new);
static Oid	owner_for(List *columns);
static bool is_written_to(Oid relid);
static void fit_column(const ColumnDefault *found, NewGenerator *new);

/*
 * Make the generator of a name that is used for the first time, final and
 * visible to all at once.  Its order is global if it is an identity's.  On a
 * Citus worker its ids are the coordinator's.
 *
 * Waits for a transaction that has created or dropped that very name, and for a
 * restore, but for nobody else.  When it returns there is a generator of that
 * name, made here or by somebody else.
 */
void
first_use(text *name, text *written)
{
	NewGenerator new = {definition_default(name), GetUserId(), 0};
	const char *hub = citus_hub();

	definition_require_name(name, GetUserId());
	if (hub != NULL)
	{
		new.owner = hub_define(hub, name, written, &new.definition);
		(void) make_generator(name, written, &new, true);
	}
	else if (make_generator(name, written, &new, first_use_is_on))
		ereport(NOTICE,
				(errmsg("generator \"%s\" has been created",
						text_to_cstring(written)),
				 errhint("Set hilo.auto_create to off to refuse unknown names.")));
}

/*
 * Make a generator of hilo's own, if there is none of that name, in the way of
 * a first use, whatever hilo.auto_create says.  It belongs to superusers.
 */
void
first_use_internal(text *name, int64 max_value)
{
	NewGenerator new = {definition_default(name), InvalidOid, 0};

	new.definition.max_value = max_value;
	(void) make_generator(name, name, &new, true);
}

/*
 * Make a generator, final and visible to all at once, unless there is one of
 * that name; return whether it did.  Report an error if there is none and names
 * do not make their generators.
 */
static bool
make_generator(text *name, text *written, NewGenerator *new, bool is_on)
{
	FormData_hilo_hi hi;
	bool		has_definition;
	bool		has_hi;

	lock_name(name);

	has_definition = definition_exists(name);
	has_hi = store_read(name, &hi);
	if (!has_definition || !has_hi)
	{
		/* a hi row of this server, untouched, is what a crash here leaves */
		refuse_first_use(name, is_on, has_definition ||
						 (has_hi &&
						  (hi.top_low != NO_TOP_RANGE || hi.epoch > 0)) ||
						 catalog_copy(CATALOG_GAPLESS, name) != NULL ||
						 catalog_copy(CATALOG_SOURCE, name) != NULL);
		if (OidIsValid(new->owner) && !source_of(&new->definition)->is_remote)
			fit_columns(name, new);
		/* before the first row is made: store_insert looks at hilo_hi */
		table_close(catalog_open_durable(CATALOG_PRIVILEGE, true, ROW_DANGER),
					RowExclusiveLock);
		table_close(catalog_open_durable(CATALOG_DEFINITION, true, ROW_DANGER),
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
 * Fit a new generator to the columns whose default names it, of tables of one
 * owner, who becomes its owner.  Report an error if there are none and the
 * current role may not create generators.
 *
 * Generators of hilo's own are for no column: who may make a table could have
 * one of them made by a superuser who inserts into it.
 */
static void
fit_columns(text *name, NewGenerator *new)
{
	List	   *columns = column_default_list(name);
	Oid			owner = owner_for(columns);

	if (definition_is_internal(name))
	{
		if (columns != NIL)
			ereport(ERROR,
					(errcode(ERRCODE_RESERVED_NAME),
					 errmsg("generator name \"%s\" is reserved",
							text_to_cstring(name)),
					 errdetail("The default of a column cannot create a generator of hilo's own.")));
		new->owner = InvalidOid;
		return;
	}
	if (!OidIsValid(owner))
	{
		privilege_require_create(name);
		return;
	}
	new->owner = owner;
	foreach_ptr(ColumnDefault, column, columns)
	{
		if (relation_is_table(column->relid) &&
			relation_owner(column->relid) == owner)
			fit_column(column, new);
	}
}

/*
 * Return the owner of the table that the first use is about, InvalidOid if
 * there is none: the current role has the rights of its owner, or may insert
 * into it.  A table that the transaction writes to comes first, then one whose
 * owner's rights the role has; of several, the first one.
 */
static Oid
owner_for(List *columns)
{
	Oid			found = InvalidOid;
	int			found_rank = 0;

	foreach_ptr(ColumnDefault, column, columns)
	{
		Oid			relid = column->relid;
		Oid			owner;
		int			rank;

		if (!relation_is_table(relid))
			continue;
		owner = relation_owner(relid);
		rank = has_privs_of_role(GetUserId(), owner) ? 2 :
			relation_may_insert(relid, GetUserId()) ? 1 : 0;
		if (rank > 0 && is_written_to(relid))
			rank += 2;
		if (rank > found_rank)
		{
			found = owner;
			found_rank = rank;
		}
	}
	return found;
}

/*
 * Check whether the current transaction has the lock of an INSERT on a table
 * or a partition of it.
 */
static bool
is_written_to(Oid relid)
{
	bool		is = false;

	foreach_oid(part, find_all_inheritors(relid, NoLock, NULL))
	{
		Relation	rel = RelationIdGetRelation(part);

		if (!RelationIsValid(rel))
			continue;
		is |= CheckRelationLockedByMe(rel, RowExclusiveLock, false);
		RelationClose(rel);
	}
	return is;
}

/*
 * Make a new generator start above what a column holds, and end where its type
 * does.
 *
 * It takes no lock that it would have to wait for, as whoever inserts has
 * locked the table already.
 */
static void
fit_column(const ColumnDefault *found, NewGenerator *new)
{
	char	   *col = get_attname(found->relid, found->attnum, false);
	Oid			type = get_atttype(found->relid, found->attnum);
	Column		column;
	int64		max;

	if (!column_type_has_ids(getBaseType(type)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot determine the greatest id in column \"%s\" of type %s",
						col, format_type_be(type)),
				 errhint("Run hilo_create(%s), then hilo_seed(%s, ...) with the greatest id.",
						 quote_literal_cstr(text_to_cstring(found->generator)),
						 quote_literal_cstr(text_to_cstring(found->generator)))));
	if (!column_try_lock(found->relid, col, AccessShareLock, &column))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not obtain lock on relation \"%s\"",
						get_rel_name(found->relid)),
				 errdetail("Generator \"%s\" starts above the greatest value of column \"%s\".",
						   text_to_cstring(found->folded), col),
				 errhint("Try again when the other transaction has ended, or run hilo_create and hilo_seed.")));
	max = column_max(&column, found->folded, true);
	new->last = Max(new->last, max);
	new->definition.max_value = Min(new->definition.max_value, column.max_value);
	new->definition.max_range_size = Min(new->definition.max_range_size,
										 column_type_range_size(column.type));
	column_unlock(&column, AccessShareLock);
}
