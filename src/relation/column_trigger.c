/* Triggers that set a column, and what document_id_assign says of it. */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_trigger.h"
#include "nodes/nodeFuncs.h"

#include "relation/relation.h"

static bool collect_expression_owners(Node *node, void *owners);
static bool collect_function_owner(Oid function, void *owners);

/*
 * Report an error unless a function is called as the trigger of new rows, or of
 * updated ones.
 */
void
column_require_before_row(FunctionCallInfo fcinfo, const char *function,
						  bool of_updates)
{
	column_require_timing(CALLED_AS_TRIGGER(fcinfo) ?
						  ((TriggerData *) fcinfo->context)->tg_trigger : NULL,
						  function, of_updates);
}

/* The same of a trigger; NULL is none. */
void
column_require_timing(const Trigger *trigger, const char *function,
					  bool of_updates)
{
	int			others = TRIGGER_TYPE_DELETE | TRIGGER_TYPE_TRUNCATE;

	if (!of_updates)
		others |= TRIGGER_TYPE_UPDATE;
	if (trigger == NULL || !TRIGGER_FOR_BEFORE(trigger->tgtype) ||
		!TRIGGER_FOR_ROW(trigger->tgtype) || (trigger->tgtype & others) != 0)
		ereport(ERROR,
				errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				errmsg("%s must be a trigger BEFORE INSERT%s FOR EACH ROW",
					   function, of_updates ? " OR UPDATE" : ""));
}

/* Check whether a trigger is hilo_number_assign, of that column if not NULL. */
bool
trigger_numbers_column(const Trigger *trigger, const char *column)
{
	if (column != NULL &&
		(trigger->tgnargs == 0 || strcmp(trigger->tgargs[0], column) != 0))
		return false;
	return get_func_namespace(trigger->tgfoid) == catalog_public_schema() &&
		strcmp(get_func_name(trigger->tgfoid), "hilo_number_assign") == 0;
}

/*
 * Report an error if a trigger numbers the rows of a table, in that column
 * unless it is NULL: then the ids come from their groups.
 */
void
column_refuse_numbered(Oid relid, const char *name)
{
	TriggerDesc *triggers = relation_triggers(relid);

	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		const Trigger *trigger = &triggers->triggers[i];
		const char *column = name;

		if (column == NULL && trigger->tgnargs > 0)
			column = trigger->tgargs[0];
		if (column != NULL && trigger_numbers_column(trigger, column))
			ereport(ERROR,
					errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("trigger \"%s\" numbers column \"%s\" of table \"%s\"",
						   trigger->tgname, column, get_rel_name(relid)),
					errdetail("The numbers come from the groups of rows, and ids of another source would repeat them."),
					errhint("Insert rows without a number. For another source, drop the trigger first."));
	}
}

/*
 * Return the owners of the functions that the triggers of a table call, and of
 * the domains in their conditions, which may have checks.
 */
List *
column_trigger_owners(Oid relid)
{
	TriggerDesc *triggers = relation_triggers(relid);
	List	   *owners = NIL;

	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		const Trigger *trigger = &triggers->triggers[i];

		(void) collect_function_owner(trigger->tgfoid, &owners);
		if (trigger->tgqual != NULL)
			(void) collect_expression_owners(stringToNode(trigger->tgqual),
											 &owners);
	}
	return owners;
}

/* Note the owners of what an expression calls. */
static bool
collect_expression_owners(Node *node, void *owners)
{
	List	  **found = owners;

	if (node == NULL)
		return false;
	(void) check_functions_in_node(node, collect_function_owner, owners);
	if (IsA(node, CoerceToDomain))
		*found = list_append_unique_oid(*found,
										GetSysCacheOid1(TYPEOID, Anum_pg_type_typowner,
														ObjectIdGetDatum(((CoerceToDomain *) node)->resulttype)));
	return expression_tree_walker(node, collect_expression_owners, owners);
}

static bool
collect_function_owner(Oid function, void *owners)
{
	List	  **found = owners;

	*found = list_append_unique_oid(*found,
									GetSysCacheOid1(PROCOID, Anum_pg_proc_proowner,
													ObjectIdGetDatum(function)));
	return false;
}

/*
 * Return the number of a column that a trigger BEFORE INSERT can see and set.
 */
AttrNumber
column_require_assignable(Relation rel, const char *name)
{
	AttrNumber	column = column_require_attnum(RelationGetRelid(rel), name);

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
