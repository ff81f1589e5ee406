/*
 * What hilo_check shows of a column and its source.
 *
 * Only what the current role may see is read.  Nothing here waits long for a
 * lock, and an error of one column does not end the check of the others.
 */
#include "postgres.h"

#include "utils/rls.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_look);
PG_FUNCTION_INFO_V1(hilo_orm_sequence);

/*
 * The columns of the result.  LOWEST is the lowest value that "last" can be set
 * back to, null if it cannot.  With a trigger it is the lowest number, or 1.
 */
typedef enum Seen
{
	SEEN_STATE,
	SEEN_DETAIL,
	SEEN_UNCHECKED,
	SEEN_TYPE_MAX,
	SEEN_HIGHEST,
	SEEN_LAST,
	SEEN_MAX_VALUE,
	SEEN_USED_RATIO,
	SEEN_HINT,
	SEEN_LOWEST,
	SEEN_FOREIGN,
	SEEN_MAY_USE,
	SEEN_MAY_RAISE,
	SEEN_GROUP,
	SEEN_COLUMNS
} Seen;

typedef struct ColumnLook
{
	Oid			relid;			/* InvalidOid: no column, just a generator */
	AttrNumber	attnum;
	int64		type_max;
	text	   *generator;		/* folded; NULL: not recognized */
	Oid			sequence;		/* InvalidOid: none */
	Oid			trigger;		/* hilo_number_assign; InvalidOid: none */
	bool		has_no_source;	/* none of these three: show the type */
	bool		is_key;			/* then look at the rows, too */
	HTAB	   *known;			/* greatest values that this statement has
								 * read; NULL with a trigger */
	Datum		values[SEEN_COLUMNS];
	bool		nulls[SEEN_COLUMNS];
} ColumnLook;

#define SEE(look, column, value) \
	((look)->values[column] = (value), (look)->nulls[column] = false)
#define SEE_TEXT(look, column, value) SEE(look, column, CStringGetTextDatum(value))

static void note_error(ColumnLook *look, ErrorData *error);
static void look_at_rows(void *arg);
static void read_greatest(ColumnLook *look, Column column, Definition limits);
static const char *why_unchecked(const ColumnLook *look, const Column *column);
static void look_at_source(void *arg);
static const char *look_at_sequence(ColumnLook *look);
static const char *look_at_generator(ColumnLook *look);
static bool look_at_citus(ColumnLook *look, text *name);
static const char *look_at_last(ColumnLook *look, text *name,
								Definition definition);
static void put_used(ColumnLook *look, Definition definition, int64 last);

/*
 * Return what can be seen of a column and its source.  The state is null if the
 * column or its sequence has been dropped.
 */
Datum
hilo_look(PG_FUNCTION_ARGS)
{
	ColumnLook	look = {
		.type_max = PG_INT64_MAX,
		.relid = PG_ARGISNULL(0) ? InvalidOid : PG_GETARG_OID(0),
		.attnum = PG_ARGISNULL(1) ? InvalidAttrNumber : PG_GETARG_INT16(1),
		.generator = PG_ARGISNULL(2) ? NULL : PG_GETARG_TEXT_PP(2),
		.sequence = PG_ARGISNULL(3) ? InvalidOid : PG_GETARG_OID(3),
		.trigger = PG_ARGISNULL(4) ? InvalidOid : PG_GETARG_OID(4),
		.has_no_source = !PG_GETARG_BOOL(5),
		.is_key = PG_GETARG_BOOL(6)
	};

	if (!OidIsValid(look.trigger) && !look.has_no_source)
		look.known = column_known(fcinfo);
	memset(look.nulls, true, sizeof(look.nulls));
	SEE_TEXT(&look, SEEN_STATE, "fine");
	if (OidIsValid(look.relid))
		note_error(&look, run_in_subxact(look_at_rows, &look));
	/* after the rows: their ids are reserved by now, so "last" counts them */
	note_error(&look, run_in_subxact(look_at_source, &look));
	look.nulls[SEEN_HIGHEST] |= !look.nulls[SEEN_UNCHECKED];

	/* no lock kept the column or its sequence from being dropped */
	if (OidIsValid(look.relid) &&
		!OidIsValid(get_atttype(look.relid, look.attnum)))
		look.nulls[SEEN_STATE] = true;
	if (OidIsValid(look.sequence) && get_rel_name(look.sequence) == NULL)
		look.nulls[SEEN_STATE] = true;
	return call_row(fcinfo, look.values, look.nulls);
}

/* Return null if there is none. */
Datum
hilo_orm_sequence(PG_FUNCTION_ARGS)
{
	List	   *sequences = column_sequence_named(PG_GETARG_OID(0),
												  NameStr(*PG_GETARG_NAME(1)));

	if (sequences == NIL)
		PG_RETURN_NULL();
	PG_RETURN_OID(linitial_oid(sequences));
}

/*
 * Note an error, if any.  A locked table, and one without rows on this server,
 * is unchecked and not a problem.
 */
static void
note_error(ColumnLook *look, ErrorData *error)
{
	if (error == NULL)
		return;
	if (error->sqlerrcode == ERRCODE_FEATURE_NOT_SUPPORTED ||
		(error->sqlerrcode == ERRCODE_WRONG_OBJECT_TYPE &&
		 !OidIsValid(look->trigger)))
		SEE_TEXT(look, SEEN_UNCHECKED, error->message);
	else
	{
		SEE_TEXT(look, SEEN_STATE, "check failed");
		SEE_TEXT(look, SEEN_DETAIL, error->message);
		if (error->hint != NULL)
			SEE_TEXT(look, SEEN_HINT, error->hint);
	}
}

/*
 * Callback of run_in_subxact: read the greatest value of the column, or say why
 * it cannot be read.
 */
static void
look_at_rows(void *arg)
{
	ColumnLook *look = arg;
	Column		column = {
		.relid = look->relid,.attnum = look->attnum,
		.type = getBaseType(get_atttype(look->relid, look->attnum)),
		.sequence = look->sequence,.known = look->known,
		.lockmode = AccessShareLock,.prefers_index = true
	};
	bool		is_number = column_type_is_number(column.type);
	Definition	limits = {.first = 1};
	const char *unchecked;

	lock_limit_waits();
	/* roles other than the owner get an answer only if an index gives it */
	column.requires_index = !object_ownercheck(RelationRelationId, look->relid,
											   GetUserId());
	look->type_max = column_type_max(look->relid, look->attnum);
	limits.max_value = look->type_max;
	if (is_number)
		SEE(look, SEEN_TYPE_MAX, Int64GetDatum(look->type_max));
	if (look->has_no_source)
	{
		look->nulls[SEEN_STATE] = !is_number || column.type == NUMERICOID;
		if (!look->is_key || look->nulls[SEEN_STATE])
			return;
	}
	/* rows above the end of the source do not collide with its ids */
	else if (look->generator != NULL)
	{
		column.generator = definition_name(look->generator);
		(void) definition_find(column.generator, &limits);
	}
	else if (OidIsValid(look->sequence))
		limits.max_value = sequence_form(look->sequence).seqmax;
	else if (!OidIsValid(look->trigger))
	{
		SEE_TEXT(look, SEEN_STATE, "default not recognized");
		SEE_TEXT(look, SEEN_DETAIL, UNRECOGNIZED_DEFAULT);
		SEE_TEXT(look, SEEN_HINT,
				 "Make such a call alone the default. The option \"first\" of hilo_create says where ids begin.");
		return;
	}

	unchecked = why_unchecked(look, &column);
	if (unchecked != NULL)
		SEE_TEXT(look, SEEN_UNCHECKED, unchecked);
	else
		read_greatest(look, column, limits);
}

/* Read the greatest value of a column, or the most urgent of its groups. */
static void
read_greatest(ColumnLook *look, Column column, Definition limits)
{
	UrgentGroup group = {0};

	column.name = get_attname(look->relid, look->attnum, false);
	column = column_lock_tree(column, ERRCODE_FEATURE_NOT_SUPPORTED);
	if (OidIsValid(look->trigger))
	{
		group = number_urgent_group(&column, look->trigger);
		SEE(look, SEEN_LOWEST, Int64GetDatum(group.lowest));
	}
	else
		group.highest = column_greatest(&column, limits.max_value);
	if (group.arguments != NULL)
	{
		SEE_TEXT(look, SEEN_GROUP, group.arguments);
		put_used(look, limits, group.last);
	}
	if (look->has_no_source)
		put_used(look, limits, group.highest);
	else if (group.highest > 0 || group.arguments != NULL)
		SEE(look, SEEN_HIGHEST, Int64GetDatum(group.highest));
	column_unlock(&column, AccessShareLock);
}

/* Return why the current role may not know the rows of a column, or NULL. */
static const char *
why_unchecked(const ColumnLook *look, const Column *column)
{
	Oid			relid = look->relid;
	bool		has_trigger = OidIsValid(look->trigger);
	bool		is_number = column_type_is_number(column->type);

	if (look->generator != NULL && !column_type_has_ids(column->type))
		return "the column has neither whole numbers nor texts";
	if (OidIsValid(look->sequence) && !is_number)
		return "the column has no whole numbers";
	/* with a trigger, a hint shows values of other columns */
	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		(has_trigger ||
		 pg_attribute_aclcheck(relid, look->attnum, GetUserId(),
							   ACL_SELECT) != ACLCHECK_OK))
		return "permission denied for the table";
	if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		return "row security hides some from the current role";
	if (column->requires_index && (has_trigger || !is_number))
		return "only the owner may have all rows read";
	return NULL;
}

/* Callback of run_in_subxact: look at the sequence or the generator, if any. */
static void
look_at_source(void *arg)
{
	ColumnLook *look = arg;
	const char *unchecked = NULL;

	lock_limit_waits();
	if (OidIsValid(look->sequence))
		unchecked = look_at_sequence(look);
	else if (look->generator != NULL)
		unchecked = look_at_generator(look);
	if (unchecked != NULL)
		SEE_TEXT(look, SEEN_UNCHECKED, unchecked);
}

/*
 * Look at the last value of a sequence.  Return why the values in rows cannot
 * be compared with it, or NULL.
 */
static const char *
look_at_sequence(ColumnLook *look)
{
	Oid			sequence = look->sequence;
	FormData_pg_sequence form = sequence_form(sequence);
	Definition	limits = {.first = form.seqmin,.max_value = form.seqmax};
	LOCKMODE	lockmode = SequenceLookLock();
	int64		last;

	if (form.seqincrement < 0 || form.seqcycle)
		return "the sequence counts downwards or cycles";
	if (citus_has_rows_of(look->relid) && look->type_max == PG_INT64_MAX)
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
	SEE(look, SEEN_LOWEST, Int64GetDatum(form.seqmin));
	put_used(look, limits, last);
	if (last < 0 && form.seqmin < 0 && look->nulls[SEEN_HIGHEST])
		return "the sequence is at negative values";
	return NULL;
}

/*
 * Look at a generator and the rights to use it.  Return why the ids in rows
 * cannot be compared with its last id, or NULL.
 */
static const char *
look_at_generator(ColumnLook *look)
{
	text	   *name = definition_name(look->generator);
	Definition	definition;
	FormData_hilo_hi hi;
	bool		is_defined = definition_find(name, &definition);
	Oid			owner = relation_find_owner(look->relid);

	/* report the error, if any, that a first use would end with */
	if (relation_is_table(look->relid) && !is_defined)
	{
		if (key_is_relation(name))
			name_refuse_tag_beside(key_relid(name));
		else
		{
			privilege_require_create(name, owner);
			name_refuse_table_beside(name);
		}
	}
	if (!is_defined || !store_read(name, &hi))
	{
		if (!look->nulls[SEEN_DETAIL])
			return NULL;
		if (store_is_incomplete(name))
			SEE_TEXT(look, SEEN_STATE, "incomplete generator");
		else if (look_at_citus(look, name))
			return NULL;
		/* a worker's first use finds it on the coordinator */
		else if (!citus_is_hub(CITUS_HUB))
			SEE_TEXT(look, SEEN_STATE, "no generator");
		return NULL;
	}
	if (OidIsValid(look->relid))
	{
		SEE(look, SEEN_FOREIGN,
			BoolGetDatum(!privilege_may_draw(name, look->relid)));
		SEE(look, SEEN_MAY_USE,
			BoolGetDatum(privilege_may_use(name, &definition, owner)));
		SEE(look, SEEN_MAY_RAISE,
			BoolGetDatum(privilege_may_change(name, owner)));
	}
	(void) look_at_citus(look, name);
	if (!privilege_may_see(name, &definition))
		return "permission denied for the generator";
	return look_at_last(look, name, definition);
}

/* Report a table's own generator where Citus may take the table. */
static bool
look_at_citus(ColumnLook *look, text *name)
{
	if (!key_is_relation(name) || !relation_is_table(look->relid) ||
		!citus_may_distribute(look->relid))
		return false;
	SEE_TEXT(look, SEEN_STATE, "own generator in Citus");
	SEE_TEXT(look, SEEN_DETAIL,
			 "If Citus distributes the table, or takes it into its metadata, the column can lose its default, and the number with it.");
	return true;
}

/*
 * Look at a generator's last id.  Return why the ids in rows cannot be compared
 * with it, or NULL: an ORM or another server gets ids, too, that it does not
 * count.
 */
static const char *
look_at_last(ColumnLook *look, text *name, Definition definition)
{
	int64		last = generator_last(name, &definition) +
		skip_to_come(name, &definition);
	const char *unchecked = NULL;

	if (definition.scattered)
		unchecked = "the generator's ids are scattered";
	else if (definition.origin == FROM_ROW)
		SEE(look, SEEN_LOWEST, Int64GetDatum(definition.first - 1));
	else if (definition.origin == FROM_ORM)
	{
		if (!orm_source_last(name, &last, &look->type_max))
			unchecked = get_rel_relkind(orm_source_relation(name)) == RELKIND_SEQUENCE ?
				"the source of the generator cannot be read" :
				"an ORM gets ids from its table";
	}
	else if (DatumGetInt64(look->values[SEEN_HIGHEST]) > last)
		unchecked = "the source of the generator cannot be read";
	put_used(look, definition, last);
	return unchecked;
}

static void
put_used(ColumnLook *look, Definition definition, int64 last)
{
	/* the type, or an ORM's sequence, may end before the generator */
	definition.max_value = Min(definition.max_value, look->type_max);
	SEE(look, SEEN_LAST, Int64GetDatum(last));
	SEE(look, SEEN_MAX_VALUE, Int64GetDatum(definition.max_value));
	SEE(look, SEEN_USED_RATIO,
		Float8GetDatum(last >= definition.max_value ? 1 :
					   definition_used_ratio(&definition, last)));
	if (look->generator != NULL)
		SEE_TEXT(look, SEEN_HINT,
				 definition_limit_hint(&definition, definition.max_value));
}
