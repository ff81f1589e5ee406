/*-------------------------------------------------------------------------
 *
 * first_use.c
 *	  Generators that are made by the first use of their names.
 *
 * That makes a generator with the defaults, out of reach of the caller's
 * rollback.  A generator is its row in hilo_generator and its row in hilo_hi.
 * The definition is made last, so that a crash half-way leaves nothing that a
 * later first use could take for a generator whose ids are all still to be
 * had.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/first_use.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "catalog.h"
#include "delay.h"
#include "first_use.h"
#include "gapless.h"
#include "lock.h"
#include "orm_source.h"
#include "privilege.h"
#include "store.h"

/* whether the first use of a name makes its generator */
bool		first_use_is_on = true;

static bool make_generator(text *name, text *written, Definition definition,
						   bool is_on);
static void refuse(text *name, text *written, bool is_on, bool is_half);
static void require_durable(CatalogTable table);

/*
 * Makes the generator of a name that is used for the first time, final and
 * visible to all at once.  Its owner is the current role; its order is global
 * if it is an identity's.
 *
 * Waits for a transaction that has created or dropped that very name, and
 * for a restore, but for nobody else.  There is a generator of that name when
 * it comes back, made here or by somebody else.
 */
void
first_use(text *name, text *written)
{
	definition_require_name(name, written);
	if (make_generator(name, written, definition_default(name), first_use_is_on))
		ereport(NOTICE,
				(errmsg("generator \"%s\" has been created",
						text_to_cstring(written)),
				 errhint("Set hilo.auto_create to off to have unknown names refused.")));
}

/*
 * Makes a generator of hilo's own, if there is none of that name, in the way of
 * a first use, whatever hilo.auto_create says.  It belongs to superusers.
 */
void
first_use_reserved(text *name, int64 max_value)
{
	Definition	definition = definition_default(name);

	definition.max_value = max_value;
	(void) make_generator(name, name, definition, true);
}

/*
 * Makes a generator, final and visible to all at once, unless there is one of
 * that name; says whether it did.  Raises an error if there is none and names
 * do not make their generators.
 */
static bool
make_generator(text *name, text *written, Definition definition, bool is_on)
{
	FormData_hilo_hi hi;
	int64		last;
	bool		has_definition;
	bool		has_hi;

	lock_name(name);

	has_definition = definition_find(name, &definition, NULL);
	has_hi = store_read(name, &hi);
	if (!has_definition || !has_hi)
	{
		/* a hi row of this server, untouched, is what a crash here leaves */
		refuse(name, written, is_on, has_definition ||
			   (has_hi && (hi.last > 0 || hi.epoch > 0)) ||
			   gapless_last(name, &last) || orm_source_exists(name));
		require_durable(CATALOG_HI);
		require_durable(CATALOG_PRIVILEGE);
		require_durable(CATALOG_DEFINITION);
		if (!has_hi)
			store_insert(name, definition.first - 1, definition.range_size, true);
		delay_at_random();
		/* a crash here, or a failed restore, may have left an owner */
		if (!OidIsValid(privilege_owner(name)) && !definition_is_reserved(name))
			privilege_insert(name, GetUserId(), true, true);
		definition_insert(name, written, &definition, true);
	}

	unlock_name(name);
	return !has_definition;
}

/*
 * Raises an error if the first use of a name must not make its generator.
 */
static void
refuse(text *name, text *written, bool is_on, bool is_half)
{
	if (is_half)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("generator \"%s\" is incomplete",
						text_to_cstring(written)),
				 errdetail("It has rows in some of the tables of hilo only: a restore has not finished, or has failed for the others."),
				 errhint("Restore the other table, or define the generator anew: with hilo_create if hilo_hi has the row, after hilo_drop if not.")));
	if (!is_on)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("generator \"%s\" does not exist",
						text_to_cstring(written)),
				 errhint("Create it with hilo_create, or set hilo.auto_create to on.")));
	if (store_dropped_here(name))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("generator \"%s\" was dropped by the current transaction",
						text_to_cstring(written)),
				 errhint("Create it with hilo_create, or use it after the transaction.")));
}

/*
 * Raises an error if a row that is made for good could be lost.  All tables
 * are looked at before the first row is made.
 */
static void
require_durable(CatalogTable table)
{
	Relation	rel = catalog_open(table, AccessShareLock);

	catalog_require_durable(rel, "A row that is to stay could be lost.");
	table_close(rel, AccessShareLock);
}
