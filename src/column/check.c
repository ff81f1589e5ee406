/*
 * What hilo_check shows of a column and its source.
 *
 * Only what the current role may see is read.  Nothing here waits long for a
 * lock, and an error of one column does not end the check of the others.
 */
#include "postgres.h"

#include "utils/rls.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_check_column);
PG_FUNCTION_INFO_V1(hilo_orm_sequence);

/*
 * The columns of the result; keep in step with check.sql.  LOWEST is the lowest
 * value that "last" can be set back to, null if it cannot.  With a trigger it is
 * the lowest number, or 1.
 */
typedef enum ResultColumn
{
	RESULT_STATE,
	RESULT_DETAIL,
	RESULT_UNCHECKED,
	RESULT_TYPE_MAX,
	RESULT_HIGHEST,
	RESULT_LAST,
	RESULT_MAX_VALUE,
	RESULT_USED_RATIO,
	RESULT_HINT,
	RESULT_LOWEST,
	RESULT_MAY_DRAW,
	RESULT_MAY_USE,
	RESULT_MAY_RAISE,
	RESULT_GROUP,
	RESULT_CAN_RESYNC,
	RESULT_COLUMNS
} ResultColumn;

typedef struct ColumnCheck
{
	Oid			relid;			/* InvalidOid: no column, just a generator */
	AttrNumber	attnum;
	int64		type_max;
	text	   *generator;		/* folded; NULL: not recognized */
	Oid			sequence;		/* InvalidOid: none */
	Oid			trigger;		/* hilo_number_assign; InvalidOid: none */
	bool		has_source;		/* one of these three; else show the type */
	bool		is_key;			/* then check the rows, too */
	HTAB	   *greatest_cache; /* greatest values that this statement has
								 * read; NULL with a trigger, and without a
								 * source */
	Datum		values[RESULT_COLUMNS];
	bool		nulls[RESULT_COLUMNS];
} ColumnCheck;

#define PUT(check, column, value) \
	((check)->values[column] = (value), (check)->nulls[column] = false)
#define PUT_TEXT(check, column, value) \
	PUT(check, column, CStringGetTextDatum(value))

static void note_error(ColumnCheck *check, ErrorData *error);
static void check_rows(void *arg);
static void read_greatest(ColumnCheck *check, Column column,
						  Definition limits);
static const char *why_unchecked(const ColumnCheck *check,
								 const Column *column);
static void check_source(void *arg);
static const char *check_sequence(ColumnCheck *check);
static const char *check_generator(ColumnCheck *check);
static bool check_citus(ColumnCheck *check, text *name);
static const char *check_last(ColumnCheck *check, text *name,
							  Definition definition);
static void put_used(ColumnCheck *check, Definition definition, int64 last);

/*
 * Return what can be seen of a column and its source.  The state is null if the
 * column or its sequence has been dropped.
 */
Datum
hilo_check_column(PG_FUNCTION_ARGS)
{
	ColumnCheck check = {
		.type_max = PG_INT64_MAX,
		.relid = PG_ARGISNULL(0) ? InvalidOid : PG_GETARG_OID(0),
		.attnum = PG_ARGISNULL(1) ? InvalidAttrNumber : PG_GETARG_INT16(1),
		.generator = PG_ARGISNULL(2) ? NULL : PG_GETARG_TEXT_PP(2),
		.sequence = PG_ARGISNULL(3) ? InvalidOid : PG_GETARG_OID(3),
		.trigger = PG_ARGISNULL(4) ? InvalidOid : PG_GETARG_OID(4),
		.has_source = PG_GETARG_BOOL(5),
		.is_key = PG_GETARG_BOOL(6)
	};

	if (!OidIsValid(check.trigger) && check.has_source)
		check.greatest_cache = column_greatest_cache(fcinfo);
	memset(check.nulls, true, sizeof(check.nulls));
	PUT_TEXT(&check, RESULT_STATE, "fine");
	PUT(&check, RESULT_CAN_RESYNC, BoolGetDatum(true));
	if (OidIsValid(check.relid))
		note_error(&check, run_in_subxact(check_rows, &check));
	/* after the rows: their ids are reserved by now, so "last" counts them */
	note_error(&check, run_in_subxact(check_source, &check));
	check.nulls[RESULT_HIGHEST] |= !check.nulls[RESULT_UNCHECKED];

	/* no lock kept the column or its sequence from being dropped */
	if (OidIsValid(check.relid) &&
		!OidIsValid(get_atttype(check.relid, check.attnum)))
		check.nulls[RESULT_STATE] = true;
	if (OidIsValid(check.sequence) && get_rel_name(check.sequence) == NULL)
		check.nulls[RESULT_STATE] = true;
	return call_row(fcinfo, check.values, check.nulls);
}

/* Return null if there is none. */
Datum
hilo_orm_sequence(PG_FUNCTION_ARGS)
{
	const char *column = NameStr(*PG_GETARG_NAME(1));
	List	   *sequences =
		column_sequence_by_convention(PG_GETARG_OID(0), column);

	if (sequences == NIL)
		PG_RETURN_NULL();
	PG_RETURN_OID(linitial_oid(sequences));
}

/*
 * Note an error, if any.  A locked table, and one without rows on this server,
 * is unchecked and not a problem.
 */
static void
note_error(ColumnCheck *check, ErrorData *error)
{
	if (error == NULL)
		return;
	/* of a foreign table, or a view */
	if (error->sqlerrcode == ERRCODE_WRONG_OBJECT_TYPE)
		PUT(check, RESULT_CAN_RESYNC, BoolGetDatum(false));
	if (error->sqlerrcode == ERRCODE_FEATURE_NOT_SUPPORTED ||
		(error->sqlerrcode == ERRCODE_WRONG_OBJECT_TYPE &&
		 !OidIsValid(check->trigger)))
		PUT_TEXT(check, RESULT_UNCHECKED, error->message);
	else
	{
		PUT_TEXT(check, RESULT_STATE, "check failed");
		PUT_TEXT(check, RESULT_DETAIL, error->message);
		if (error->hint != NULL)
			PUT_TEXT(check, RESULT_HINT, error->hint);
	}
}

/*
 * Callback of run_in_subxact: read the greatest value of the column, or say why
 * it cannot be read.
 */
static void
check_rows(void *arg)
{
	ColumnCheck *check = arg;
	Column		column = {
		.relid = check->relid,.attnum = check->attnum,
		.type = getBaseType(get_atttype(check->relid, check->attnum)),
		.sequence = check->sequence,.greatest_cache = check->greatest_cache,
		.lockmode = AccessShareLock,.prefers_index = true
	};
	bool		is_number = column_type_is_number(column.type);
	Definition	limits = {.first = 1};
	const char *unchecked;

	lock_limit_waits();
	/* roles other than the owner get an answer only if an index gives it */
	column.requires_index =
		!object_ownercheck(RelationRelationId, check->relid,
						   GetUserId());
	check->type_max = column_type_max(check->relid, check->attnum);
	limits.max_value = check->type_max;
	if (is_number)
		PUT(check, RESULT_TYPE_MAX, Int64GetDatum(check->type_max));
	if (!check->has_source)
	{
		check->nulls[RESULT_STATE] = !is_number || column.type == NUMERICOID;
		if (!check->is_key || check->nulls[RESULT_STATE])
			return;
	}
	/* rows above the end of the source do not collide with its ids */
	else if (check->generator != NULL)
	{
		column.generator = definition_fold_name(check->generator);
		(void) definition_find(column.generator, &limits);
	}
	else if (OidIsValid(check->sequence))
		limits.max_value = sequence_form(check->sequence).seqmax;
	else if (!OidIsValid(check->trigger))
	{
		PUT_TEXT(check, RESULT_STATE, "default not recognized");
		PUT_TEXT(check, RESULT_DETAIL, UNRECOGNIZED_DEFAULT);
		PUT_TEXT(check, RESULT_HINT,
				 "Make such a call alone the default. The option \"first\" of hilo_create says where ids begin.");
		return;
	}

	if (!column_type_has_ids(column.type))
		PUT(check, RESULT_CAN_RESYNC, BoolGetDatum(false));
	unchecked = why_unchecked(check, &column);
	if (unchecked != NULL)
		PUT_TEXT(check, RESULT_UNCHECKED, unchecked);
	else
		read_greatest(check, column, limits);
}

/* Read the greatest value of a column, or the most urgent of its groups. */
static void
read_greatest(ColumnCheck *check, Column column, Definition limits)
{
	UrgentGroup group = {0};

	column.name = get_attname(check->relid, check->attnum, false);
	column = column_lock_tree(column, ERRCODE_FEATURE_NOT_SUPPORTED);
	if (OidIsValid(check->trigger))
	{
		group = number_urgent_group(&column, check->trigger);
		PUT(check, RESULT_LOWEST, Int64GetDatum(group.lowest));
	}
	else
		group.highest = column_greatest_value(&column, limits.max_value);
	if (group.arguments != NULL)
	{
		PUT_TEXT(check, RESULT_GROUP, group.arguments);
		put_used(check, limits, group.last);
	}
	if (!check->has_source)
		put_used(check, limits, group.highest);
	else if (group.highest > 0 || group.arguments != NULL)
		PUT(check, RESULT_HIGHEST, Int64GetDatum(group.highest));
	column_unlock(&column, AccessShareLock);
}

/* Return why the current role may not know the rows of a column, or NULL. */
static const char *
why_unchecked(const ColumnCheck *check, const Column *column)
{
	Oid			relid = check->relid;
	bool		has_trigger = OidIsValid(check->trigger);
	bool		is_number = column_type_is_number(column->type);

	if (check->generator != NULL && !column_type_has_ids(column->type))
		return "the column has neither whole numbers nor texts";
	if (OidIsValid(check->sequence) && !is_number)
		return "the column has no whole numbers";
	/* with a trigger, a hint shows values of other columns */
	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		(has_trigger ||
		 pg_attribute_aclcheck(relid, check->attnum, GetUserId(),
							   ACL_SELECT) != ACLCHECK_OK))
		return "permission denied for the table";
	if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		return "row security hides some from the current role";
	if (column->requires_index && (has_trigger || !is_number))
		return "only the owner may have all rows read";
	return NULL;
}

/* Callback of run_in_subxact: check the sequence or the generator, if any. */
static void
check_source(void *arg)
{
	ColumnCheck *check = arg;
	const char *unchecked = NULL;

	lock_limit_waits();
	if (OidIsValid(check->sequence))
		unchecked = check_sequence(check);
	else if (check->generator != NULL)
		unchecked = check_generator(check);
	if (unchecked != NULL)
		PUT_TEXT(check, RESULT_UNCHECKED, unchecked);
}

/*
 * Check the last value of a sequence.  Return why the values in rows cannot
 * be compared with it, or NULL.
 */
static const char *
check_sequence(ColumnCheck *check)
{
	Oid			sequence = check->sequence;
	FormData_pg_sequence form = sequence_form(sequence);
	Definition	limits = {.first = form.seqmin,.max_value = form.seqmax};
	LOCKMODE	lockmode = SequenceLookLock();
	int64		last;

	if (form.seqincrement < 0 || form.seqcycle)
		return "the sequence counts downwards or cycles";
	if (citus_has_rows_of(check->relid) && check->type_max == PG_INT64_MAX)
		return "each Citus node has its own values";
	if (pg_class_aclcheck(sequence, GetUserId(),
						  ACL_SELECT | ACL_USAGE) != ACLCHECK_OK)
		return "permission denied for the sequence";
	if (RecoveryInProgress() &&
		get_rel_persistence(sequence) == RELPERSISTENCE_UNLOGGED)
		return "the sequence is unlogged, and the server a standby";
	if (!lock_table(sequence, lockmode, false))
		return "another session has locked the sequence";

	last = sequence_last(sequence);
	unlock_table(sequence, lockmode);
	PUT(check, RESULT_LOWEST, Int64GetDatum(form.seqmin));
	put_used(check, limits, last);
	if (last < 0 && form.seqmin < 0 && check->nulls[RESULT_HIGHEST])
		return "the sequence is at negative values";
	return NULL;
}

/*
 * Check a generator and the rights to use it.  Return why the ids in rows
 * cannot be compared with its last id, or NULL.
 */
static const char *
check_generator(ColumnCheck *check)
{
	text	   *name = definition_fold_name(check->generator);
	Definition	definition;
	FormData_hilo_hi hi;
	bool		is_defined = definition_find(name, &definition);
	Oid			owner = relation_find_owner(check->relid);

	/* report the error, if any, that a first use would end with */
	if (relation_is_table(check->relid) && !is_defined)
	{
		if (key_is_relation(name))
			name_refuse_tag_of_same_name(key_relid(name));
		else
		{
			privilege_require_create(name, owner);
			name_refuse_table_of_same_name(name);
		}
	}
	if (!is_defined || !store_read(name, &hi))
	{
		if (!check->nulls[RESULT_DETAIL])
			return NULL;
		if (store_is_incomplete(name))
			PUT_TEXT(check, RESULT_STATE, "incomplete generator");
		else if (check_citus(check, name))
			return NULL;
		/* a worker's first use finds it on the coordinator */
		else if (!citus_is_hub(CITUS_HUB))
			PUT_TEXT(check, RESULT_STATE, "no generator");
		return NULL;
	}
	if (OidIsValid(check->relid))
	{
		PUT(check, RESULT_MAY_DRAW,
			BoolGetDatum(privilege_may_draw(name, check->relid)));
		PUT(check, RESULT_MAY_USE,
			BoolGetDatum(privilege_may_use(name, &definition, owner)));
		PUT(check, RESULT_MAY_RAISE,
			BoolGetDatum(privilege_may_change(name, owner)));
	}
	(void) check_citus(check, name);
	if (!privilege_may_see(name, &definition))
		return "permission denied for the generator";
	return check_last(check, name, definition);
}

/* Report a table's own generator where Citus may take the table. */
static bool
check_citus(ColumnCheck *check, text *name)
{
	if (!key_is_relation(name) || !relation_is_table(check->relid) ||
		!citus_may_distribute(check->relid))
		return false;
	PUT_TEXT(check, RESULT_STATE, "own generator in Citus");
	PUT_TEXT(check, RESULT_DETAIL,
			 "If Citus distributes the table, or takes it into its metadata, the column can lose its default, and the number with it.");
	return true;
}

/*
 * Check a generator's last id.  Return why the ids in rows cannot be compared
 * with it, or NULL: an ORM or another server gets ids, too, that it does not
 * count.
 */
static const char *
check_last(ColumnCheck *check, text *name, Definition definition)
{
	int64		last = generator_last(name, &definition) +
		skip_to_come(name, &definition);
	const char *unchecked = NULL;

	if (definition.scattered)
		unchecked = "the generator's ids are scattered";
	else if (definition.origin == FROM_ROW)
		PUT(check, RESULT_LOWEST, Int64GetDatum(definition.first - 1));
	else if (definition.origin == FROM_ORM)
	{
		if (!orm_source_last(name, &last, &check->type_max))
			unchecked = get_rel_relkind(orm_source_relation(name)) == RELKIND_SEQUENCE ?
				"the source of the generator cannot be read" :
				"an ORM gets ids from its table";
	}
	else if (DatumGetInt64(check->values[RESULT_HIGHEST]) > last)
		unchecked = "the source of the generator cannot be read";
	put_used(check, definition, last);
	return unchecked;
}

static void
put_used(ColumnCheck *check, Definition definition, int64 last)
{
	/* the type, or an ORM's sequence, may end before the generator */
	definition.max_value = Min(definition.max_value, check->type_max);
	PUT(check, RESULT_LAST, Int64GetDatum(last));
	PUT(check, RESULT_MAX_VALUE, Int64GetDatum(definition.max_value));
	PUT(check, RESULT_USED_RATIO,
		Float8GetDatum(last >= definition.max_value ? 1 :
					   definition_used_ratio(&definition, last)));
	if (check->generator != NULL)
		PUT_TEXT(check, RESULT_HINT,
				 definition_limit_hint(&definition, definition.max_value));
}
