/*-------------------------------------------------------------------------
 *
 * check.c
 *	  What is wrong with the columns whose default is a generator.
 *
 * A column is looked at first, then judged by one function after the other;
 * each puts a row into the result for a problem that it finds.  What the
 * caller may not see it does not learn: the rows of a table only by the right
 * to select them, a generator as in hilo_generators.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/check.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rls.h"

#include "attempt.h"
#include "case_fold.h"
#include "column.h"
#include "column_default.h"
#include "definition.h"
#include "generator.h"
#include "inserters.h"
#include "orm_source.h"
#include "privilege.h"
#include "relation.h"
#include "store.h"

PG_FUNCTION_INFO_V1(hilo_check);

/*
 * A column, and what there is to be seen of it.
 */
typedef struct Subject
{
	const ColumnDefault *column;
	List	   *columns;		/* all of them */
	const char *col;
	Oid			type;

	/* its rows */
	const char *unchecked;		/* why they were not looked at, or NULL */
	bool		has_max;
	int64		max;

	/* its generator */
	text	   *name;			/* NULL: not a constant */
	bool		exists;
	bool		is_complete;	/* has a row in hilo_hi */
	bool		may_see;
	Definition	definition;
	FormData_hilo_hi hi;

	/* the result */
	ReturnSetInfo *rsinfo;
	int			problems;
} Subject;

static void check_column(Subject *subject);
static void look_and_judge(void *arg);
static void look(Subject *subject);
static void look_at_source(Subject *subject);
static void look_at_rows(Subject *subject);
static const char *reason_not_to_look(Subject *subject);
static void check_name(Subject *subject);
static void check_rows(Subject *subject);
static void check_limit(Subject *subject);
static void check_room(Subject *subject);
static void check_grants(Subject *subject);
static void check_sharing(Subject *subject);
static void check_lastval(Subject *subject);
static bool is_readable(const Subject *subject);
static Definition within_type(const Subject *subject);
static double used_ratio(const Subject *subject);
static bool lacks_grant(const Subject *subject, Oid role);
static const ColumnDefault *home_of(const Subject *subject);
static bool is_called(Oid relid, text *name);
static char *call_for(const Subject *subject, const char *function);
static void put_row(Subject *subject, const char *problem, const char *detail,
					const char *hint);
static void put_text(const char *text, Datum *value, bool *isnull);

/* in the order of their rows */
static void (*const checks[]) (Subject *subject) = {
	check_name,
	check_rows,
	check_limit,
	check_room,
	check_grants,
	check_sharing,
	check_lastval,
};

/*
 * hilo_check(): a row for each problem of each column whose default is a
 * generator, and one for each column without.  Waits for no lock on a table.
 */
Datum
hilo_check(PG_FUNCTION_ARGS)
{
	List	   *columns = column_default_list(NULL);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "hilo_check",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = CurrentMemoryContext;
	ListCell   *cell;

	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, columns)
	{
		Subject		subject = {0};

		subject.column = lfirst(cell);
		subject.columns = columns;
		subject.rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
		MemoryContextSwitchTo(context);
		check_column(&subject);
		MemoryContextSwitchTo(before);
		MemoryContextReset(context);
	}
	return (Datum) 0;
}

static void
check_column(Subject *subject)
{
	Oid			relid = subject->column->relid;
	ErrorData  *error;

	subject->col = get_attname(relid, subject->column->attnum, true);
	if (subject->col == NULL || isOtherTempNamespace(get_rel_namespace(relid)))
		return;

	/* no lock keeps the table from being dropped meanwhile */
	error = attempt(look_and_judge, subject);
	if (error != NULL && get_rel_name(relid) != NULL)
		put_row(subject, "check failed", error->message, NULL);
}

/*
 * Callback of attempt.
 */
static void
look_and_judge(void *arg)
{
	Subject    *subject = arg;

	look(subject);
	for (size_t i = 0; i < lengthof(checks); i++)
		checks[i] (subject);
	if (subject->unchecked != NULL)
		put_row(subject, NULL,
				psprintf("rows not checked: %s", subject->unchecked), NULL);
	else if (subject->problems == 0)
		put_row(subject, NULL, NULL, NULL);
}

/*
 * Looks at the rows, then at the generator, which by then has reserved all ids
 * that it has handed out to them.
 */
static void
look(Subject *subject)
{
	subject->type = getBaseType(get_atttype(subject->column->relid,
											subject->column->attnum));
	look_at_rows(subject);

	if (subject->column->generator == NULL)
		return;
	subject->name = definition_name(subject->column->generator);
	subject->exists = definition_find(subject->name, &subject->definition, NULL);
	if (!subject->exists)
		return;
	subject->is_complete = store_read(subject->name, &subject->hi);
	subject->hi.last = generator_last(subject->name, &subject->definition);
	look_at_source(subject);
	subject->may_see = privilege_may_see(subject->name,
										 subject->definition.is_public,
										 GetUserId());
	if (!subject->may_see)
		subject->unchecked = "permission denied for the generator";
	else if (!subject->column->bare ||
			 subject->definition.ordering == ORDERING_SCATTERED)
	{
		/* the greatest of them says nothing about the generator's numbers */
		subject->unchecked = subject->column->bare ?
			"the generator's ids are scattered" :
			"the default changes the generator's ids";
		subject->has_max = false;
	}
}

/*
 * An ORM takes blocks of its source, too, and "last" does not know of them.
 */
static void
look_at_source(Subject *subject)
{
	if (subject->definition.ordering != ORDERING_ADOPTED ||
		orm_source_last(subject->name, &subject->hi.last))
		return;
	if (subject->unchecked == NULL)
		subject->unchecked = "the source of the generator cannot be read";
	subject->has_max = false;
}

/*
 * Looks for the greatest value of the column, if that is possible.
 */
static void
look_at_rows(Subject *subject)
{
	Column		column;

	subject->unchecked = reason_not_to_look(subject);
	if (subject->unchecked != NULL)
		return;
	if (!column_try_lock(subject->column->relid, subject->col, AccessShareLock,
						 &column))
	{
		subject->unchecked = "somebody has locked the table";
		return;
	}
	if (column_has_foreign(&column))
		subject->unchecked = "a partition is a foreign table";
	else
		subject->has_max = column_max(&column, &subject->max);
	column_unlock(&column, AccessShareLock);
}

/*
 * Says why the current role could not find the greatest value of the column
 * by a query, NULL if it could.
 */
static const char *
reason_not_to_look(Subject *subject)
{
	Oid			relid = subject->column->relid;
	AclMode		select = ACL_SELECT;

	if (!relation_is_table(relid))
		return "the relation is not a table";
	if (!column_type_is_integer(subject->type))
		return "the column is not of an integer type";
	if (pg_class_aclcheck(relid, GetUserId(), select) != ACLCHECK_OK &&
		pg_attribute_aclcheck(relid, subject->column->attnum, GetUserId(),
							  select) != ACLCHECK_OK)
		return "permission denied for the table";
	if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		return "row security hides some from the current role";
	return NULL;
}

/*
 * A default that names no generator, or one that is not there.
 */
static void
check_name(Subject *subject)
{
	if (subject->name == NULL)
		put_row(subject, "name not constant",
				"The default calls a generator by a name that is not a constant, so nothing else could be checked.",
				NULL);
	else if (!subject->exists)
		put_row(subject, "no generator",
				"There is no such generator. Its first use would begin at 1.",
				relation_is_table(subject->column->relid) &&
				column_type_is_integer(subject->type) ?
				call_for(subject, "hilo_resync") :
				"Create it with hilo_create, and raise it with hilo_seed.");
	else if (!subject->is_complete)
		put_row(subject, "incomplete generator",
				"The generator has no row in hilo_hi: a restore has not finished, or has failed for that table.",
				"Restore hilo_hi.");
}

/*
 * Ids in rows that the generator would hand out once more.
 */
static void
check_rows(Subject *subject)
{
	if (is_readable(subject) && subject->has_max &&
		subject->max > subject->hi.last)
		put_row(subject, "rows above last",
				psprintf("The column holds ids up to %lld, the last id reserved is %lld.",
						 (long long) subject->max,
						 (long long) subject->hi.last),
				call_for(subject, "hilo_resync"));
}

/*
 * A generator that goes on beyond the type.
 */
static void
check_limit(Subject *subject)
{
	int64		type_max = column_type_max(subject->type);

	if (is_readable(subject) && subject->definition.max_value > type_max)
		put_row(subject, "max_value above type",
				psprintf("The generator goes up to %lld, the type to %lld.",
						 (long long) subject->definition.max_value,
						 (long long) type_max),
				subject->hi.last > type_max ?
				"Change the type of the column to bigint." :
				psprintf("Run hilo_alter(%s, max_value => %lld).",
						 quote_literal_cstr(text_to_cstring(subject->column->generator)),
						 (long long) type_max));
}

/*
 * A type, or a generator, that has few ids left.
 */
static void
check_room(Subject *subject)
{
	Definition	definition = within_type(subject);
	char	   *detail;

	if (!is_readable(subject) || used_ratio(subject) < NEARLY_USED_UP)
		return;
	detail = psprintf("The last id reserved is %lld, the last one possible is %lld.",
					  (long long) subject->hi.last,
					  (long long) definition.max_value);
	if (definition.max_value != PG_INT64_MAX &&
		definition.max_value == column_type_max(subject->type))
		put_row(subject, "type nearly used up", detail,
				"Change the type of the column to bigint, then raise max_value with hilo_alter.");
	else
		put_row(subject, "generator nearly used up", detail,
				definition_limit_hint(&definition, definition.max_value));
}

/*
 * Roles that may insert into the table and not use the generator.
 */
static void
check_grants(Subject *subject)
{
	List	   *roles;
	ListCell   *cell;
	StringInfoData names;

	if (!subject->exists)
		return;
	/* who may not see the generator learns of itself only */
	roles = subject->may_see ? inserters_named(subject->column->relid) :
		list_make1_oid(GetUserId());

	initStringInfo(&names);
	foreach(cell, roles)
	{
		if (lacks_grant(subject, lfirst_oid(cell)))
			appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "",
							 lfirst_oid(cell) == ACL_ID_PUBLIC ? "PUBLIC" :
							 GetUserNameFromId(lfirst_oid(cell), false));
	}
	if (names.len > 0)
		put_row(subject, "missing grant",
				psprintf("Allowed to insert into the table, and not to use the generator: %s.",
						 names.data),
				psprintf("Run hilo_grant(%s, ...) for each of them.",
						 quote_literal_cstr(text_to_cstring(subject->column->generator))));
}

/*
 * A generator that is called as the table of another column which uses it, as
 * CREATE TABLE ... (LIKE ... INCLUDING DEFAULTS) leaves it, or a second column of
 * that table.
 */
static void
check_sharing(Subject *subject)
{
	const ColumnDefault *home = home_of(subject);

	if (home != NULL && home != subject->column)
		put_row(subject, "shared generator",
				psprintf("The generator is that of column \"%s\" of table \"%s\", too.",
						 get_attname(home->relid, home->attnum, false),
						 get_rel_name(home->relid)),
				"If the column is to have ids of its own, run hilo_attach with another name.");
}

/*
 * A refill that is a nextval: who reads ids back by lastval() gets its value.
 */
static void
check_lastval(Subject *subject)
{
	if (subject->exists && subject->definition.ordering == ORDERING_ADOPTED &&
		orm_source_is_sequence(subject->name))
		put_row(subject, "lastval is not the id",
				"The generator takes blocks of a sequence: after an insert, lastval() gives the value of the block and not the id of the row.",
				"Have programs read the id back by RETURNING or hilo_current.");
}

/*
 * Says whether the state of the generator is known, and may be told.
 */
static bool
is_readable(const Subject *subject)
{
	return subject->is_complete && subject->may_see;
}

/*
 * Gives the definition with the narrower of its limit and the type's.
 */
static Definition
within_type(const Subject *subject)
{
	Definition	definition = subject->definition;

	definition.max_value = Min(definition.max_value,
							   column_type_max(subject->type));
	return definition;
}

/*
 * Gives how much of that is used, 0 to 1.
 */
static double
used_ratio(const Subject *subject)
{
	Definition	definition = within_type(subject);

	if (subject->hi.last >= definition.max_value)
		return 1;
	return definition_used_ratio(&definition, subject->hi.last);
}

/*
 * Says whether a role may insert into the table and not use the generator.
 */
static bool
lacks_grant(const Subject *subject, Oid role)
{
	/* by the table, where its owner may use it */
	if (role == ACL_ID_PUBLIC)
		return !privilege_is_granted(subject->name, subject->definition.is_public,
									 relation_owner(subject->column->relid));
	return inserters_include(subject->column->relid, role) &&
		!privilege_may_use(subject->name, subject->definition.is_public, role);
}

/*
 * Gives the first column on the same generator in a table that the generator is
 * called as; NULL if there is none, or if this column inherits its default, or
 * is that of a view.
 */
static const ColumnDefault *
home_of(const Subject *subject)
{
	Oid			relid = subject->column->relid;
	ListCell   *cell;

	if (subject->name == NULL || get_rel_relkind(relid) == RELKIND_VIEW ||
		column_is_inherited(relid, subject->column->attnum))
		return NULL;
	foreach(cell, subject->columns)
	{
		const ColumnDefault *other = lfirst(cell);

		if (other->folded != NULL &&
			text_equal(other->folded, subject->name) &&
			is_called(other->relid, subject->name))
			return other;
	}
	return NULL;
}

/*
 * Says whether that is the name of a table.
 */
static bool
is_called(Oid relid, text *name)
{
	char	   *table = get_rel_name(relid);

	return table != NULL && case_fold_is_possible(table, strlen(table)) &&
		text_equal(case_fold(table, strlen(table)), name);
}

/*
 * Makes the call of a function for the column.
 */
static char *
call_for(const Subject *subject, const char *function)
{
	return psprintf("Run %s(%s, %s).", function,
					quote_literal_cstr(relation_name(subject->column->relid)),
					quote_literal_cstr(subject->col));
}

/*
 * Puts a row into the result.
 */
static void
put_row(Subject *subject, const char *problem, const char *detail,
		const char *hint)
{
	ReturnSetInfo *rsinfo = subject->rsinfo;
	bool		readable = is_readable(subject);
	Datum		values[7] = {0};
	bool		nulls[7] = {0};
	int			i = 0;

	values[i++] = ObjectIdGetDatum(subject->column->relid);
	values[i++] = DirectFunctionCall1(namein, CStringGetDatum(subject->col));
	nulls[i] = subject->column->generator == NULL;
	values[i++] = PointerGetDatum(subject->column->generator);
	put_text(problem, &values[i], &nulls[i]);
	i++;
	put_text(detail, &values[i], &nulls[i]);
	i++;
	put_text(hint, &values[i], &nulls[i]);
	i++;
	nulls[i] = !readable;
	values[i++] = Float8GetDatum(readable ? used_ratio(subject) : 0);
	Assert(i == lengthof(values));
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	subject->problems++;
}

static void
put_text(const char *text, Datum *value, bool *isnull)
{
	*isnull = text == NULL;
	if (text != NULL)
		*value = CStringGetTextDatum(text);
}
