/*
 * What is wrong with generators and with the columns that draw from them.
 *
 * The caller learns nothing that it may not see: the rows of a table only by
 * the right to select them, a generator as in hilo_generators.  Waits for no
 * lock on a table, and passes over errors, which may be those of its owner's
 * code.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "funcapi.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/tuplestore.h"

#include "call/call.h"
#include "source/source.h"

PG_FUNCTION_INFO_V1(hilo_check);

/*
 * A column, or a generator that none draws from, and what there is to be seen
 * of it.
 */
typedef struct Subject
{
	List	   *columns;		/* all that draw from generators */
	const ColumnDefault *column;	/* NULL: none */
	const char *col;
	Oid			type;

	/* its rows */
	const char *unchecked;		/* why they were not looked at, or NULL */
	bool		has_max;
	int64		max;

	/* its generator */
	text	   *generator;		/* as written there; NULL: not recognized */
	text	   *name;
	Definition	definition;
	bool		is_readable;	/* its state is known, and may be told */
	int64		last;
	double		used_ratio;		/* of it, or of the type */

	/* the result */
	ReturnSetInfo *rsinfo;
	int			problems;
} Subject;

static void check_subject(Subject *subject);
static void look_and_judge(void *arg);
static bool look_at_generator(Subject *subject);
static void judge_rights(Subject *subject);
static void look_at_rows(Subject *subject);
static const char *reason_not_to_look(const Subject *subject);
static void put_nearly_used_up(Subject *subject);
static void check_unused(Relation rel, HeapTuple tuple, void *arg);
static char *hint_of_name(const Subject *subject);
static char *call_of_resync(const Subject *subject);
static void put_row(Subject *subject, const char *problem, const char *detail,
					const char *hint);

Datum
hilo_check(PG_FUNCTION_ARGS)
{
	Subject		none = {
		.columns = column_default_list(NULL),
		.rsinfo = (ReturnSetInfo *) fcinfo->resultinfo
	};

	InitMaterializedSRF(fcinfo, 0);
	foreach_ptr(ColumnDefault, column, none.columns)
	{
		Subject		subject = none;

		subject.column = column;
		subject.col = get_attname(column->relid, column->attnum, true);
		subject.generator = column->generator;
		if (subject.col != NULL &&
			(PG_ARGISNULL(0) || column->relid == PG_GETARG_OID(0)) &&
			!isOtherTempNamespace(get_rel_namespace(column->relid)))
			check_subject(&subject);
	}
	if (PG_ARGISNULL(0))
		catalog_each(CATALOG_DEFINITION, check_unused, &none);
	return (Datum) 0;
}

/* No lock keeps the table from being dropped meanwhile. */
static void
check_subject(Subject *subject)
{
	ErrorData  *error = attempt(look_and_judge, subject);

	if (error != NULL && (subject->column == NULL ||
						  get_rel_name(subject->column->relid) != NULL))
		put_row(subject, "check failed", error->message, NULL);
}

/*
 * Callback of attempt.  Look at the rows, then at the generator, which by then
 * has reserved all ids that it has handed out to them.
 */
static void
look_and_judge(void *arg)
{
	Subject    *subject = arg;

	lock_limit_waits();
	if (subject->column != NULL)
	{
		subject->type = getBaseType(get_atttype(subject->column->relid,
												subject->column->attnum));
		look_at_rows(subject);
	}
	if (look_at_generator(subject))
	{
		if (subject->has_max && subject->max > subject->last)
			put_row(subject, "rows above last",
					psprintf("The column holds ids up to %lld, the generator's last id is %lld.",
							 (long long) subject->max, (long long) subject->last),
					call_of_resync(subject));
		if (subject->used_ratio >= NEARLY_USED_UP)
			put_nearly_used_up(subject);
		if (subject->column != NULL)
			judge_rights(subject);
	}
	if (subject->column == NULL)
	{
		if (subject->problems == 0)
			put_row(subject, NULL, "No column draws from the generator.",
					psprintf("If its table was dropped, and no program takes ids of it, run hilo_drop(%s).",
							 quote_literal_cstr(text_to_cstring(subject->generator))));
	}
	else if (subject->unchecked != NULL && subject->name != NULL)
		put_row(subject, NULL,
				psprintf("rows not checked: %s", subject->unchecked), NULL);
	else if (subject->problems == 0)
		put_row(subject, NULL, NULL, hint_of_name(subject));
}

/* Look at the generator; report it, and return false, if it is not there. */
static bool
look_at_generator(Subject *subject)
{
	Definition *definition = &subject->definition;
	FormData_hilo_hi hi;

	if (subject->generator == NULL)
	{
		put_row(subject, "default not recognized", UNRECOGNIZED_DEFAULT, NULL);
		return false;
	}
	subject->name = definition_name(subject->generator);
	if (!definition_find(subject->name, definition, NULL))
	{
		put_row(subject, "no generator", "There is no such generator.",
				subject->column != NULL &&
				relation_is_table(subject->column->relid) &&
				column_type_has_ids(subject->type) ?
				call_of_resync(subject) :
				"Create it with hilo_create, and raise it with hilo_seed.");
		return false;
	}
	if (!store_read(subject->name, &hi))
	{
		put_row(subject, "incomplete generator",
				"The generator has no row in hilo_hi: a restore has not finished, or has failed for that table.",
				"Restore hilo_hi.");
		return false;
	}
	subject->last = generator_last(subject->name, definition);
	subject->is_readable = privilege_may_see(subject->name,
											 definition->is_public, GetUserId());
	if (!subject->is_readable)
		subject->unchecked = "permission denied for the generator";
	else if (definition->scattered)
		subject->unchecked = "the generator's ids are scattered";
	/* an ORM takes blocks, too, and "last" does not know of them */
	else if (source_of(definition)->has_others &&
			 !orm_source_last(subject->name, &subject->last))
		subject->unchecked = "the source of the generator cannot be read";
	subject->has_max &= subject->unchecked == NULL;

	/* or the type, if that ends first */
	if (subject->column != NULL)
		definition->max_value = Min(definition->max_value,
									column_type_max(subject->type));
	if (subject->is_readable)
		subject->used_ratio = subject->last >= definition->max_value ? 1 :
			definition_used_ratio(definition, subject->last);
	return true;
}

static void
judge_rights(Subject *subject)
{
	Oid			relid = subject->column->relid;

	if (column_generator_is_foreign(relid, subject->name))
		put_row(subject, "foreign owner",
				"The generator belongs to a role without the rights of the table's owner. That role could drop the generator, or set it back so that its ids repeat.",
				"Give the generator to the table's owner with hilo_alter, or let the column draw from another one.");
	if (!privilege_may_use(subject->name, subject->definition.is_public,
						   relation_owner(relid)))
		put_row(subject, "no right",
				"The table's owner may not use the generator, so an INSERT without an id fails.",
				"Give the generator to the table's owner with hilo_alter, or run hilo_grant.");
}

static void
look_at_rows(Subject *subject)
{
	Column		column;

	if (subject->column->folded == NULL)
		return;
	subject->unchecked = reason_not_to_look(subject);
	if (subject->unchecked == NULL &&
		!column_try_lock(subject->column->relid, subject->col, AccessShareLock,
						 &column))
		subject->unchecked = "somebody has locked the table";
	if (subject->unchecked == NULL)
	{
		subject->max = column_max(&column, subject->column->folded, false);
		subject->has_max = subject->max > 0;
		column_unlock(&column, AccessShareLock);
	}
}

/*
 * Return why the current role could not find the greatest value of the column
 * by a query, NULL if it could.
 */
static const char *
reason_not_to_look(const Subject *subject)
{
	Oid			relid = subject->column->relid;

	if (!relation_is_table(relid))
		return "the relation is not a table";
	if (!column_type_has_ids(subject->type))
		return "the column has neither whole numbers nor texts";
	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		pg_attribute_aclcheck(relid, subject->column->attnum, GetUserId(),
							  ACL_SELECT) != ACLCHECK_OK)
		return "permission denied for the table";
	if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		return "row security hides some from the current role";
	return NULL;
}

static void
put_nearly_used_up(Subject *subject)
{
	int64		max_value = subject->definition.max_value;
	bool		is_type = subject->column != NULL && max_value != PG_INT64_MAX &&
		max_value == column_type_max(subject->type);

	put_row(subject,
			is_type ? "type nearly used up" : "generator nearly used up",
			psprintf("The last id is %lld, the last one possible is %lld.",
					 (long long) subject->last, (long long) max_value),
			is_type ?
			"Change the type of the column to bigint, then raise max_value with hilo_alter." :
			definition_limit_hint(&subject->definition, max_value));
}

/*
 * Check a generator that no column draws from, if the current role may see it.
 * An identity needs no column.
 */
static void
check_unused(Relation rel, HeapTuple tuple, void *arg)
{
	Subject		subject = *(Subject *) arg;
	Definition	definition;
	text	   *name = catalog_name(rel, tuple);

	definition_from_tuple(tuple, rel, &definition, &subject.generator);
	if (!definition_is_internal(name) && !definition_is_identity(name) &&
		ARR_NDIM(column_default_names(subject.columns, name)) == 0 &&
		privilege_may_see(name, definition.is_public, GetUserId()))
		check_subject(&subject);
}

/*
 * Return what to do about a generator of one column that is not called like
 * the table, as that was renamed; NULL if the name of the table is in its
 * name, or taken.
 */
static char *
hint_of_name(const Subject *subject)
{
	char	   *table = get_rel_name(subject->column->relid);
	text	   *wanted;
	ArrayType  *names;

	if (table == NULL || subject->name == NULL ||
		definition_is_identity(subject->name) ||
		!case_fold_is_possible(table, strlen(table)))
		return NULL;
	wanted = case_fold(table, strlen(table));
	names = column_default_names(subject->columns, subject->name);
	if (strstr(text_to_cstring(subject->name), text_to_cstring(wanted)) != NULL ||
		ArrayGetNItems(ARR_NDIM(names), ARR_DIMS(names)) > 1 ||
		definition_exists(wanted))
		return NULL;
	return psprintf(column_type_is_number(subject->type) ?
					"If the table was renamed, run hilo_rename(%s, %s)." :
					"If the table was renamed, drop the column's default or trigger, run hilo_rename(%s, %s), and set it again.",
					quote_literal_cstr(text_to_cstring(subject->generator)),
					quote_literal_cstr(table));
}

static char *
call_of_resync(const Subject *subject)
{
	return psprintf("Run hilo_resync(%s, %s).",
					quote_literal_cstr(relation_name(subject->column->relid)),
					quote_literal_cstr(subject->col));
}

static void
put_row(Subject *subject, const char *problem, const char *detail,
		const char *hint)
{
	const ColumnDefault *column = subject->column;
	const char *texts[] = {problem, detail, hint};
	Datum		values[7] = {0};
	bool		nulls[7] = {column == NULL, column == NULL, subject->generator == NULL};

	if (column != NULL)
	{
		values[0] = ObjectIdGetDatum(column->relid);
		values[1] = DirectFunctionCall1(namein, CStringGetDatum(subject->col));
	}
	values[2] = PointerGetDatum(subject->generator);
	for (size_t i = 0; i < lengthof(texts); i++)
	{
		nulls[3 + i] = texts[i] == NULL;
		if (texts[i] != NULL)
			values[3 + i] = CStringGetTextDatum(texts[i]);
	}
	nulls[6] = !subject->is_readable;
	values[6] = Float8GetDatum(subject->used_ratio);
	tuplestore_putvalues(subject->rsinfo->setResult, subject->rsinfo->setDesc,
						 values, nulls);
	subject->problems++;
}
