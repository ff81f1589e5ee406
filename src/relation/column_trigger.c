/* Triggers that set a column, and what document_id_assign says of it. */
#include "postgres.h"

#include "catalog/pg_trigger.h"

#include "relation/relation.h"

/*
 * Report an error unless a function is the trigger of new rows, or of updated
 * ones.
 */
void
column_require_assignment(FunctionCallInfo fcinfo, const char *function,
						  bool of_updates)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		!(TRIGGER_FIRED_BY_INSERT(trigger->tg_event) ||
		  (of_updates && TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))))
		ereport(ERROR,
				errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				errmsg("%s must be a trigger BEFORE INSERT%s FOR EACH ROW",
					   function, of_updates ? " OR UPDATE" : ""));
}

/*
 * Return the number of a column that a trigger BEFORE INSERT can see and set.
 */
AttrNumber
column_of_trigger(Relation rel, const char *name)
{
	AttrNumber	column = column_number(RelationGetRelid(rel), name);

	if (TupleDescAttr(RelationGetDescr(rel), column - 1)->attgenerated != '\0')
		ereport(ERROR,
				errcode(ERRCODE_WRONG_OBJECT_TYPE),
				errmsg("column \"%s\" of relation \"%s\" is a generated column",
					   name, RelationGetRelationName(rel)),
				errdetail("Generated columns are computed after the triggers BEFORE INSERT."),
				errhint("Use a plain column. A trigger BEFORE INSERT can compute it if the trigger's name comes earlier in the alphabet."));
	return column;
}

/*
 * Return the generator of a trigger's ids, or NULL, and the column that gets
 * them.
 */
text *
column_trigger_generator(HeapTuple tuple, TupleDesc desc, AttrNumber *column)
{
	Form_pg_trigger form = (Form_pg_trigger) GETSTRUCT(tuple);
	Trigger		trigger = {.tgfoid = form->tgfoid,.tgnargs = form->tgnargs};
	text	   *collection;
	bool		isnull;
	Datum		arguments =
		heap_getattr(tuple, Anum_pg_trigger_tgargs, desc, &isnull);
	char	   *bytes = VARDATA_ANY(DatumGetByteaPP(arguments));

	trigger.tgargs = palloc((form->tgnargs + 1) * sizeof(char *));
	for (int i = 0; i < form->tgnargs; i++, bytes += strlen(bytes) + 1)
		trigger.tgargs[i] = bytes;
	if (column_trigger_argument(&trigger, 0) == NULL)
		return NULL;

	*column = get_attnum(form->tgrelid, column_trigger_argument(&trigger, 0));
	collection = column_trigger_collection(form->tgrelid, &trigger);
	if (collection == NULL || VARSIZE_ANY_EXHDR(collection) > ID_MAX_LENGTH ||
		!case_fold_is_possible(VARDATA_ANY(collection),
							   VARSIZE_ANY_EXHDR(collection)))
		return NULL;
	switch (column_trigger_strategy(&trigger))
	{
		case STRATEGY_HILO:
			return collection;
		case STRATEGY_IDENTITY:
			return pattern_identity(collection, true);
		case STRATEGY_SERVER_SIDE:
			return cstring_to_text(SERVER_SIDE_GENERATOR);
		default:
			return NULL;
	}
}

const char *
column_trigger_argument(Trigger *trigger, int number)
{
	const char *value =
		number < trigger->tgnargs ? trigger->tgargs[number] : "";

	/* an argument that was written as null, without quotes, is "null" */
	return value[0] == '\0' || strcmp(value, "null") == 0 ? NULL : value;
}

/*
 * Return the strategy in a trigger's arguments; STRATEGY_SEMANTIC, which no
 * trigger has, if it is invalid.
 */
PatternStrategy
column_trigger_strategy(Trigger *trigger)
{
	const char *name = column_trigger_argument(trigger, 2);

	if (name == NULL)
		return STRATEGY_HILO;
	for (int i = 0; i <= STRATEGY_HILO; i++)
	{
		if (strcmp(name, pattern_strategy_names[i]) == 0)
			return i;
	}
	return STRATEGY_SEMANTIC;
}

/*
 * Return the collection of a trigger's ids: the one in its arguments, or the
 * one that the table, or that of a partition or a copy, stands for.  Return
 * NULL if the table is gone.
 */
text *
column_trigger_collection(Oid relid, Trigger *trigger)
{
	const char *name = column_trigger_argument(trigger, 1);

	if (name != NULL)
		return cstring_to_text(name);
	/* a limit, as any role may chain tables that others read */
	for (int depth = 0; depth < 32; depth++)
	{
		Oid			table = citus_table_of(relid);
		Oid			parent = table;

		if (!OidIsValid(table))
			parent = relation_parent(relid, 1);
		/* no lock keeps the whole from being dropped */
		if (get_rel_name(parent) == NULL ||
			(!get_rel_relispartition(relid) &&
			 !OidIsValid(relation_same_trigger(parent, trigger))))
			break;
		relid = parent;
	}
	name = get_rel_name(relid);
	if (name == NULL)
		return NULL;
	if (!case_fold_is_possible(name, strlen(name)))
		return cstring_to_text(name);
	return pattern_tag(cstring_to_text(name));
}
