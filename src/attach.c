/*-------------------------------------------------------------------------
 *
 * attach.c
 *	  Columns that are put on a generator, and taken off it.
 *
 * The tables are locked so that no writer is left: then the greatest value of
 * the column is all there is to know of the ids in use, besides what the
 * sequences and the generator of the old default have handed out.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/attach.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "attempt.h"
#include "case_fold.h"
#include "catalog.h"
#include "column.h"
#include "column_default.h"
#include "column_sequence.h"
#include "compat.h"
#include "definition.h"
#include "generator.h"
#include "lock.h"
#include "privilege.h"
#include "relation.h"
#include "seed.h"

PG_FUNCTION_INFO_V1(hilo_attach);
PG_FUNCTION_INFO_V1(hilo_detach);
PG_FUNCTION_INFO_V1(hilo_resync);
PG_FUNCTION_INFO_V1(hilo_resync_all);

/*
 * A resync to be attempted.
 */
typedef struct Resync
{
	Oid			relid;
	const char *col;
	int64		last;
} Resync;

static int64 ids_in_use(const Column *column, text *name);
static int64 last_of_generator(text *name, text *written);
pg_noreturn static void refuse_changed_ids(Oid relid, const char *name, text *written);
static int64 create_generator(const Column *column, text *name, text *written,
							  int64 last);
static void share_generator(const Column *column, text *name, text *written,
							Definition definition, int64 last);
static void refuse_scattered(const Definition *definition, text *written);
pg_noreturn static void refuse_change(text *written, const char *detail, const char *hint);
static void set_default(const Column *column, const char *schema,
						const char *function, const char *argument,
						const char *type);
static void warn_of_end(const Column *column, text *name);
static text *generator_of(const Column *column);
static int64 resync(const Column *column, bool as_owner);
static void put_resynced(ReturnSetInfo *rsinfo, const ColumnDefault *found);
static void try_resync(void *arg);

/*
 * hilo_attach(rel, col, generator): has the column's ids come from a
 * generator, which is created, or, where it exists and is named, shared.
 * Its ids lie above all that are in use.
 */
Datum
hilo_attach(PG_FUNCTION_ARGS)
{
	Column		column;
	text	   *written;
	text	   *name;
	Definition	definition;
	int64		last;

	catalog_require_writable("hilo_attach()");
	column_refuse_nulls(fcinfo);
	column = column_lock(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)),
						 AccessExclusiveLock);
	written = PG_ARGISNULL(2) ? cstring_to_text(get_rel_name(column.relid)) :
		PG_GETARG_TEXT_PP(2);
	name = definition_name(written);
	last = ids_in_use(&column, name);

	/* to the end: nobody drops it before the default is there */
	lock_name(name);
	if (!definition_find(name, &definition, NULL))
		(void) create_generator(&column, name, written, last);
	else if (!PG_ARGISNULL(2))
		share_generator(&column, name, written, definition, last);
	else
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("generator \"%s\" already exists",
						text_to_cstring(written)),
				 errhint("Give another name for one of the column's own, or this one to share it.")));

	column_sequence_drop_identity(&column);
	set_default(&column,
				get_namespace_name(catalog_public_schema()),
				"hilo_next", text_to_cstring(written), "text");
	warn_of_end(&column, name);
	PG_RETURN_VOID();
}

/*
 * hilo_detach(rel, col): has the column's ids come from a sequence again, above
 * all that are in use.  The generator stays.
 */
Datum
hilo_detach(PG_FUNCTION_ARGS)
{
	Column		column;
	Oid			sequence;

	catalog_require_writable("hilo_detach()");
	column_refuse_nulls(fcinfo);
	column = column_lock(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)),
						 AccessExclusiveLock);
	(void) generator_of(&column);
	sequence = column_sequence_above(&column, ids_in_use(&column, NULL));
	set_default(&column, "pg_catalog", "nextval",
				relation_name(sequence), "regclass");
	PG_RETURN_VOID();
}

/*
 * hilo_resync(rel, col): raises the generator of a column to what the column
 * holds, and gives its last id.  Waits for the writers of the table, and lets
 * them go on when it is done.
 */
Datum
hilo_resync(PG_FUNCTION_ARGS)
{
	Column		column;
	int64		last;

	catalog_require_writable("hilo_resync()");
	column_refuse_nulls(fcinfo);
	column = column_lock(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)),
						 ShareLock);
	last = resync(&column, false);
	column_unlock(&column, ShareLock);
	PG_RETURN_INT64(last);
}

/*
 * hilo_resync_all(): does that for every column whose default is a generator,
 * one after the other, and gives a row for each.  Those that it cannot do it
 * for are left out with a warning.
 */
Datum
hilo_resync_all(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	ListCell   *cell;

	catalog_require_writable("hilo_resync_all()");
	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, column_default_list(NULL))
		put_resynced(rsinfo, lfirst(cell));
	return (Datum) 0;
}

/*
 * Gives the highest id that is in a row of the column, or has been handed out
 * by its sequences or its generator, if that is not the one of the folded name;
 * none above what its type holds, at least 0.
 */
static int64
ids_in_use(const Column *column, text *name)
{
	int64		last = column_sequence_last(column);
	int64		max;
	ListCell   *cell;

	if (column_max(column, &max))
		last = Max(last, max);
	foreach(cell, column->tables)
	{
		Oid			relid = lfirst_oid(cell);
		text	   *generator;
		text	   *other;
		bool		bare;

		if (!column_default_find(relid, get_attnum(relid, column->name),
								 &generator, &bare) ||
			generator == NULL)
			continue;
		if (!bare)
			refuse_changed_ids(relid, column->name, generator);
		other = definition_name(generator);
		if (name == NULL || !text_equal(other, name))
			last = Max(last, last_of_generator(other, generator));
	}
	return Min(last, column_type_max(column->type));
}

/*
 * Gives the last id that a generator has reserved, 0 if there is no such
 * generator; raises an error if others go on above it, or its ids have no order.
 */
static int64
last_of_generator(text *name, text *written)
{
	Definition	definition;
	FormData_hilo_hi hi;

	if (!definition_find(name, &definition, NULL))
		return 0;
	privilege_require_use(name, written, definition.is_public);
	if (definition.ordering == ORDERING_SCATTERED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ids of generator \"%s\" are scattered",
						text_to_cstring(written)),
				 errdetail("What goes on above its last number can come to an id that was handed out."),
				 errhint("Change the default of the column by ALTER TABLE.")));
	if (definition.ordering == ORDERING_ADOPTED)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("generator \"%s\" has a source of its own",
						text_to_cstring(written)),
				 errdetail("The ORM goes on with the blocks of that source."),
				 errhint("Once it does not, change the default of the column by ALTER TABLE.")));
	/* a number that a transaction has is known when that has ended */
	if (definition.ordering == ORDERING_GAPLESS)
		(void) lock_generator(name, ShareUpdateExclusiveLock, &hi);
	return generator_last(name, &definition);
}

/*
 * Raises the error of a column whose default changes the ids of its generator:
 * the highest of them tells nothing of the others.
 */
static void
refuse_changed_ids(Oid relid, const char *name, text *written)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("the default of column \"%s\" of table \"%s\" changes the ids of generator \"%s\"",
					name, get_rel_name(relid), text_to_cstring(written)),
			 errdetail("The highest id in the column is not the last one of the generator."),
			 errhint("Change the default by ALTER TABLE, or call hilo_seed with the last number of the generator that is in use.")));
}

/*
 * Creates a generator for the column, owned by the owner of the table, whose
 * first id lies above last; gives its last id, which a restore may have brought.
 */
static int64
create_generator(const Column *column, text *name, text *written, int64 last)
{
	Definition	definition = definition_default(name);

	definition.max_value = column_type_max(column->type);
	generator_create(name, written, &definition, relation_owner(column->relid),
					 last);
	return generator_last(name, &definition);
}

/*
 * Makes a generator that exists fit for the column.  That takes the right to
 * change it only where it does not fit already.
 */
static void
share_generator(const Column *column, text *name, text *written,
				Definition definition, int64 last)
{
	int64		max_value = column_type_max(column->type);

	privilege_require_use(name, written, definition.is_public);
	refuse_scattered(&definition, written);
	if (definition.max_value > max_value)
	{
		if (!privilege_may_change(name, GetUserId()))
			refuse_change(written,
						  psprintf("Its max_value (%lld) must be lowered to %lld, the greatest value of the column's type.",
								   (long long) definition.max_value,
								   (long long) max_value),
						  "Have its owner run hilo_alter.");
		generator_limit(name, written, max_value);
	}

	if (last > generator_last(name, &definition))
	{
		if (!privilege_may_change(name, GetUserId()))
			refuse_change(written,
						  psprintf("Its last id must be raised to %lld, which is in use in the column.",
								   (long long) last),
						  "Have its owner run hilo_seed.");
		(void) seed_generator(written, &last, SEED_PASS);
	}
	else
		seed_pass(name, last);
}

/*
 * Raises an error if the ids of a generator are scattered: the greatest one
 * in a column says nothing about its numbers.
 */
static void
refuse_scattered(const Definition *definition, text *written)
{
	if (definition->ordering == ORDERING_SCATTERED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ids of generator \"%s\" are scattered",
						text_to_cstring(written)),
				 errdetail("What the column holds does not say which of its numbers are in use."),
				 errhint("Call hilo_seed with the greatest id_gather(id, domain_bits).")));
}

static void
refuse_change(text *written, const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("must be owner of generator \"%s\"",
					text_to_cstring(written)),
			 errdetail_internal("%s", detail),
			 errhint("%s", hint)));
}

/*
 * Makes the call of a function with a constant the default of the column, also
 * in what inherits from its table.
 */
static void
set_default(const Column *column, const char *schema, const char *function,
			const char *argument, const char *type)
{
	relation_run(psprintf("ALTER TABLE %s ALTER COLUMN %s SET DEFAULT %s(%s::pg_catalog.%s)",
						  relation_name(column->relid),
						  quote_identifier(column->name),
						  quote_qualified_identifier(schema, function),
						  quote_literal_cstr(argument), type));
}

/*
 * Warns if the column's ids come to an end.
 */
static void
warn_of_end(const Column *column, text *name)
{
	Definition	definition;
	int64		last;
	double		used;

	if (!definition_find(name, &definition, NULL))
		return;
	last = generator_last(name, &definition);
	used = definition_used_ratio(&definition, last);
	if (used >= NEARLY_USED_UP)
		ereport(WARNING,
				(errmsg("column \"%s\" of table \"%s\" has used %d%% of its ids",
						column->name, get_rel_name(column->relid),
						(int) (used * 100)),
				 errdetail("The last id is %lld, max_value of its generator is %lld.",
						   (long long) last,
						   (long long) definition.max_value)));
}

/*
 * Gives the name of the generator whose ids are the default of the column, or
 * raises an error if there is none.
 */
static text *
generator_of(const Column *column)
{
	text	   *generator;
	bool		bare;

	if (!column_default_find(column->relid, column->attnum, &generator, &bare))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("column \"%s\" of table \"%s\" has no generator as its default",
						column->name, get_rel_name(column->relid))));
	if (generator == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the generator of column \"%s\" of table \"%s\" has no constant name",
						column->name, get_rel_name(column->relid))));
	if (!bare)
		refuse_changed_ids(column->relid, column->name, generator);
	return generator;
}

/*
 * Raises the generator of a column to what the column holds, and gives its
 * last id.  One that does not exist is created.
 *
 * With as_owner, only where the owner of the table could do it: what the
 * column holds is that role's, and the current one has not chosen the table.
 */
static int64
resync(const Column *column, bool as_owner)
{
	text	   *written = generator_of(column);
	text	   *name = definition_name(written);
	Definition	definition;
	int64		max;

	if (!column_max(column, &max) || max < 0)
		max = 0;
	if (!definition_exists(name))
	{
		lock_name(name);
		if (!definition_exists(name))
			return create_generator(column, name, written, max);
	}
	if (definition_find(name, &definition, NULL))
	{
		refuse_scattered(&definition, written);
		if (as_owner && max > generator_last(name, &definition) &&
			!privilege_may_change(name, relation_owner(column->relid)))
			refuse_change(written,
						  "The owner of the table is not.",
						  "Use hilo_resync, if the ids in the table are to be trusted.");
	}
	return seed_generator(written, &max, SEED_PASS);
}

/*
 * Resyncs a column and puts it into the result, or warns that it cannot, as
 * for one of a foreign table.  A view has no rows of its own.
 */
static void
put_resynced(ReturnSetInfo *rsinfo, const ColumnDefault *found)
{
	Resync		work = {.relid = found->relid};
	ErrorData  *error;
	Datum		values[4];
	bool		nulls[4] = {0};

	if (!relation_is_table(found->relid) &&
		get_rel_relkind(found->relid) != RELKIND_FOREIGN_TABLE)
		return;
	work.col = get_attname(found->relid, found->attnum, false);
	error = attempt(try_resync, &work);
	if (error != NULL && get_rel_name(found->relid) != NULL)
		ereport(WARNING,
				(errmsg("skipping column \"%s\" of table \"%s\"",
						work.col, get_rel_name(found->relid)),
				 errdetail_internal("%s", error->message)));
	if (error != NULL)
		return;

	values[0] = ObjectIdGetDatum(found->relid);
	values[1] = DirectFunctionCall1(namein, CStringGetDatum(work.col));
	values[2] = PointerGetDatum(found->generator);
	values[3] = Int64GetDatum(work.last);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/*
 * Callback of attempt: resyncs a column.
 */
static void
try_resync(void *arg)
{
	Resync	   *work = arg;
	Column		column = column_lock(work->relid, work->col, ShareLock);

	work->last = resync(&column, true);
	column_unlock(&column, ShareLock);
}
