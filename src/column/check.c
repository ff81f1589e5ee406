/*
 * What there is to be seen of a numbered column, for hilo_check to judge, by
 * the rights of the caller.  Waits for no lock on a table, and passes over
 * errors.
 */
#include "postgres.h"

#include "utils/rls.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_look);

/*
 * The columns of the result; "last" can be set back to LOWEST, if at all.  With
 * a trigger, that is the lowest number, or 1.
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
	SEEN_LIMIT_HINT,
	SEEN_LOWEST,
	SEEN_FOREIGN,
	SEEN_MAY_USE,
	SEEN_MAY_RAISE,
	SEEN_GROUP,
	SEEN_COLUMNS
} Seen;

typedef struct Look
{
	Oid			relid;			/* InvalidOid: no column, just a generator */
	AttrNumber	attnum;
	int64		type_max;
	text	   *generator;		/* as written; NULL: not recognized */
	Oid			sequence;		/* in place of a generator */
	Oid			trigger;		/* the same, hilo_number_assign */
	bool		is_key;			/* without any: the rows alone tell */
	bool		has_none;		/* of all these; its type is to be seen */
	HTAB	   *known;			/* by this statement; NULL with a trigger */
	Datum		values[SEEN_COLUMNS];
	bool		nulls[SEEN_COLUMNS];
} Look;

#define SEE(look, column, value) \
	((look)->values[column] = (value), (look)->nulls[column] = false)
#define SEE_TEXT(look, column, value) SEE(look, column, CStringGetTextDatum(value))

static void note_error(Look *look, ErrorData *error);
static void look_at_rows(void *arg);
static const char *why_unseen(const Look *look, const Column *column);
static void look_at_source(void *arg);
static void look_at_sequence(Look *look);
static void look_at_generator(Look *look);
static void put_used(Look *look, Definition definition, int64 last);

/*
 * Return what can be seen of a column and its source; null if the table is
 * gone.
 */
Datum
hilo_look(PG_FUNCTION_ARGS)
{
	Look		look = {
		.type_max = PG_INT64_MAX,
		.relid = PG_ARGISNULL(0) ? InvalidOid : PG_GETARG_OID(0),
		.attnum = PG_ARGISNULL(1) ? InvalidAttrNumber : PG_GETARG_INT16(1),
		.generator = PG_ARGISNULL(2) ? NULL : PG_GETARG_TEXT_PP(2),
		.sequence = PG_ARGISNULL(3) ? InvalidOid : PG_GETARG_OID(3),
		.trigger = PG_ARGISNULL(4) ? InvalidOid : PG_GETARG_OID(4),
		.is_key = !PG_ARGISNULL(5) && PG_GETARG_BOOL(5),
		.has_none = !PG_ARGISNULL(5)
	};

	if (!OidIsValid(look.trigger) && !look.has_none)
		look.known = column_known(fcinfo);
	memset(look.nulls, true, sizeof(look.nulls));
	SEE_TEXT(&look, SEEN_STATE, "fine");
	if (OidIsValid(look.relid))
		note_error(&look, run_in_subxact(look_at_rows, &look));
	/* by now it has reserved the ids of all these rows */
	note_error(&look, run_in_subxact(look_at_source, &look));
	look.nulls[SEEN_HIGHEST] |= !look.nulls[SEEN_UNCHECKED];

	/*
	 * no lock keeps the column, or its sequence, from being dropped meanwhile
	 */
	look.nulls[SEEN_STATE] |= (OidIsValid(look.relid) &&
							   !OidIsValid(get_atttype(look.relid,
													   look.attnum))) ||
		(OidIsValid(look.sequence) && get_rel_name(look.sequence) == NULL);
	return call_row(fcinfo, look.values, look.nulls);
}

/* Note an error, if any, be it that a table is locked, or has no rows here. */
static void
note_error(Look *look, ErrorData *error)
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
	}
}

/*
 * Callback of run_in_subxact: look for the greatest value, or put why the
 * current role could not do so.
 */
static void
look_at_rows(void *arg)
{
	Look	   *look = arg;
	Column		column = {
		.relid = look->relid,.attnum = look->attnum,
		.type = getBaseType(get_atttype(look->relid, look->attnum)),
		.sequence = look->sequence,.known = look->known,
		.lockmode = AccessShareLock,.for_check = true
	};
	bool		is_number = column_type_is_number(column.type);
	UrgentGroup group = {0};
	Definition	source = {.first = 1};
	const char *unseen;

	lock_limit_waits();
	/* others are answered by an index alone, or not */
	column.by_index = !object_ownercheck(RelationRelationId, look->relid,
										 GetUserId());
	look->type_max = column_type_max(look->relid, look->attnum);
	source.max_value = look->type_max;
	if (is_number)
		SEE(look, SEEN_TYPE_MAX, Int64GetDatum(look->type_max));
	if (look->has_none)
	{
		look->nulls[SEEN_STATE] = !is_number || column.type == NUMERICOID;
		if (!look->is_key || look->nulls[SEEN_STATE])
			return;
	}
	/* rows beyond its end do not collide with any id */
	else if (look->generator != NULL)
	{
		column.generator = definition_name(look->generator);
		(void) definition_find(column.generator, &source);
	}
	else if (OidIsValid(look->sequence))
		source.max_value = sequence_form(look->sequence).seqmax;
	else if (!OidIsValid(look->trigger))
	{
		SEE_TEXT(look, SEEN_STATE, "default not recognized");
		SEE_TEXT(look, SEEN_DETAIL, UNRECOGNIZED_DEFAULT);
		return;
	}

	unseen = why_unseen(look, &column);
	if (unseen != NULL)
	{
		SEE_TEXT(look, SEEN_UNCHECKED, unseen);
		return;
	}
	column.name = get_attname(look->relid, look->attnum, false);
	column = column_look(column, ERRCODE_FEATURE_NOT_SUPPORTED);
	if (OidIsValid(look->trigger))
	{
		group = number_urgent_group(&column, look->trigger);
		SEE(look, SEEN_LOWEST, Int64GetDatum(group.lowest));
	}
	else
		group.highest = column_greatest(&column, source.max_value);
	if (group.arguments != NULL)
	{
		SEE_TEXT(look, SEEN_GROUP, group.arguments);
		put_used(look, source, group.last);
	}
	if (look->has_none)
		put_used(look, source, group.highest);
	else if (group.highest > 0 || group.arguments != NULL)
		SEE(look, SEEN_HIGHEST, Int64GetDatum(group.highest));
	column_unlock(&column, AccessShareLock);
}

/* Return why the current role may not know the rows of a column, or NULL. */
static const char *
why_unseen(const Look *look, const Column *column)
{
	Oid			relid = look->relid;
	bool		has_trigger = OidIsValid(look->trigger);
	bool		is_number = column_type_is_number(column->type);

	if (look->generator != NULL && !column_type_has_ids(column->type))
		return "the column has neither whole numbers nor texts";
	if (OidIsValid(look->sequence) && !is_number)
		return "the column has no whole numbers";
	/* a hint has the group's values in it */
	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		(has_trigger ||
		 pg_attribute_aclcheck(relid, look->attnum, GetUserId(),
							   ACL_SELECT) != ACLCHECK_OK))
		return "permission denied for the table";
	if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		return "row security hides some from the current role";
	if (column->by_index && (has_trigger || !is_number))
		return "only the owner may have all rows read";
	return NULL;
}

/* Callback of run_in_subxact: look at the sequence or the generator, if any. */
static void
look_at_source(void *arg)
{
	Look	   *look = arg;

	lock_limit_waits();
	if (OidIsValid(look->sequence))
		look_at_sequence(look);
	else if (look->generator != NULL)
		look_at_generator(look);
}

static void
look_at_sequence(Look *look)
{
	FormData_pg_sequence form = sequence_form(look->sequence);
	LOCKMODE	lockmode = SequenceLookLock();
	FormData_pg_sequence_data state;
	Definition	limits = {.first = form.seqmin,.max_value = form.seqmax};
	int64		last;

	if (form.seqincrement < 0 || form.seqcycle)
		SEE_TEXT(look, SEEN_UNCHECKED,
				 "the sequence counts downwards or cycles");
	else if (citus_has_rows_of(look->relid) && look->type_max == PG_INT64_MAX)
		SEE_TEXT(look, SEEN_UNCHECKED, "each Citus node has its own values");
	else if (pg_class_aclcheck(look->sequence, GetUserId(),
							   ACL_SELECT | ACL_USAGE) != ACLCHECK_OK)
		SEE_TEXT(look, SEEN_UNCHECKED, "permission denied for the sequence");
	else if (!lock_table(look->sequence, lockmode, false))
		SEE_TEXT(look, SEEN_UNCHECKED,
				 "another session has locked the sequence");
	else if (RecoveryInProgress() &&
			 get_rel_persistence(look->sequence) == RELPERSISTENCE_UNLOGGED)
		SEE_TEXT(look, SEEN_UNCHECKED,
				 "the sequence is unlogged, and the server a standby");
	else
	{
		state = sequence_state(look->sequence);
		if (state.is_called ||
			pg_sub_s64_overflow(state.last_value, form.seqincrement, &last))
			last = state.last_value;
		if (state.last_value < 0 && look->nulls[SEEN_HIGHEST])
			SEE_TEXT(look, SEEN_UNCHECKED,
					 "the sequence is at negative values");
		unlock_table(look->sequence, lockmode);
		SEE(look, SEEN_LOWEST, Int64GetDatum(form.seqmin));
		put_used(look, limits, last);
	}
}

static void
look_at_generator(Look *look)
{
	text	   *name = definition_name(look->generator);
	Definition	definition;
	FormData_hilo_hi hi;
	int64		last;
	bool		is_defined = definition_find(name, &definition);
	Oid			owner = relation_find_owner(look->relid);

	/* a first use, which would make or take it, ends with the same error */
	if (relation_is_table(look->relid) && !is_defined)
	{
		if (definition_is_table(name))
			name_refuse_tag_beside(definition_table(name));
		else
		{
			privilege_require_create(name, owner);
			name_refuse_table_beside(name);
		}
	}
	if (!is_defined || !store_read(name, &hi))
	{
		if (!look->nulls[SEEN_DETAIL])
			return;
		if (store_is_incomplete(name))
			SEE_TEXT(look, SEEN_STATE, "incomplete generator");
		/* a worker's first use finds it on the coordinator */
		else if (!citus_is_hub(CITUS_HUB))
			SEE_TEXT(look, SEEN_STATE, "no generator");
		return;
	}
	if (OidIsValid(look->relid))
	{
		SEE(look, SEEN_FOREIGN,
			BoolGetDatum(column_generator_is_foreign(look->relid, name)));
		SEE(look, SEEN_MAY_USE,
			BoolGetDatum(privilege_may_use(name, &definition, owner) &&
						 privilege_may_draw(name, look->relid)));
		SEE(look, SEEN_MAY_RAISE,
			BoolGetDatum(privilege_may_change(name, owner)));
	}
	if (!privilege_may_see(name, &definition))
	{
		SEE_TEXT(look, SEEN_UNCHECKED, "permission denied for the generator");
		return;
	}
	last = generator_last(name, &definition);
	if (definition.scattered)
		SEE_TEXT(look, SEEN_UNCHECKED, "the generator's ids are scattered");
	/* an ORM or another server takes ids, too, unknown to "last" */
	else if (definition.origin == FROM_ORM &&
			 !orm_source_last(name, &last, &look->type_max))
		SEE_TEXT(look, SEEN_UNCHECKED,
				 OidIsValid(orm_source_sequence(name)) ?
				 "the source of the generator cannot be read" :
				 "an ORM gets ids from its table");
	else if (definition.origin == FROM_HUB &&
			 DatumGetInt64(look->values[SEEN_HIGHEST]) > last)
		SEE_TEXT(look, SEEN_UNCHECKED,
				 "the source of the generator cannot be read");
	if (definition.origin == FROM_ROW && !definition.scattered)
		SEE(look, SEEN_LOWEST, Int64GetDatum(definition.first - 1));
	put_used(look, definition, last);
}

static void
put_used(Look *look, Definition definition, int64 last)
{
	/* the type, or an ORM's sequence, may end first */
	definition.max_value = Min(definition.max_value, look->type_max);
	SEE(look, SEEN_LAST, Int64GetDatum(last));
	SEE(look, SEEN_MAX_VALUE, Int64GetDatum(definition.max_value));
	SEE(look, SEEN_USED_RATIO,
		Float8GetDatum(last >= definition.max_value ? 1 :
					   definition_used_ratio(&definition, last)));
	if (look->generator != NULL)
		SEE_TEXT(look, SEEN_LIMIT_HINT,
				 definition_limit_hint(&definition, definition.max_value));
}
