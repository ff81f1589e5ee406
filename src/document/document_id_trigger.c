/*
 * The trigger that gives ids to the rows of a table, like RavenDB's server does
 * when a document is put.
 */
#include "postgres.h"

#include "anchor/anchor.h"
#include "document/document_id.h"

PG_FUNCTION_INFO_V1(document_id_assign);

/*
 * The arguments of a trigger, kept in fn_extra.  They live as long as the
 * statement.  Until it ends, no session can change the table's columns.
 */
typedef struct Assignment
{
	AttrNumber	id_column;
	AttrNumber	anchor_column;	/* InvalidAttrNumber: none */
	PatternStrategy strategy;
	text	   *collection;
} Assignment;

static Assignment *read_arguments(FunctionCallInfo fcinfo);
static AttrNumber find_column(Relation rel, const char *name);
static text *column_value(HeapTuple tuple, TupleDesc desc, AttrNumber column);
static text *collection_id(Assignment *assignment, Oid relid);
static text *anchored_id(text *id, text *target);

Datum
document_id_assign(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	Assignment *assignment = fcinfo->flinfo->fn_extra;
	HeapTuple	tuple;
	TupleDesc	desc;
	text	   *before;
	text	   *id;
	text	   *target = NULL;
	Oid			relid;

	column_require_before_row(fcinfo, "document_id_assign()", false);
	if (assignment == NULL)
		assignment = read_arguments(fcinfo);
	tuple = trigger->tg_trigtuple;
	desc = RelationGetDescr(trigger->tg_relation);
	relid = RelationGetRelid(trigger->tg_relation);

	before = column_value(tuple, desc, assignment->id_column);
	if (before == NULL)
		id = collection_id(assignment, relid);
	else
		id = document_id_resolve(before, NULL, relid);
	if (assignment->anchor_column != InvalidAttrNumber)
		target = column_value(tuple, desc, assignment->anchor_column);
	if (target != NULL)
		id = anchored_id(id, target);

	if (before == NULL || !text_equal(before, id))
		tuple = column_assign(trigger->tg_relation, tuple,
							  assignment->id_column, text_to_cstring(id));
	return PointerGetDatum(tuple);
}

/* Parse the arguments of the trigger, and keep them for the next calls. */
static Assignment *
read_arguments(FunctionCallInfo fcinfo)
{
	TriggerData *data = (TriggerData *) fcinfo->context;
	Trigger    *trigger = data->tg_trigger;
	Relation	rel = data->tg_relation;
	MemoryContext before = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	Assignment *assignment = palloc0(sizeof(Assignment));
	const char *column = column_trigger_argument(trigger, 0);
	const char *anchor = column_trigger_argument(trigger, 3);

	if (column == NULL || trigger->tgnargs > 4)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("document_id_assign() needs one to four arguments"),
				errdetail("The arguments are the column of the id, the collection, the strategy and the column of the anchor."));

	assignment->id_column = find_column(rel, column);
	assignment->collection = column_trigger_collection(RelationGetRelid(rel),
													   trigger);
	pattern_refuse(assignment->collection);
	assignment->strategy = column_trigger_strategy(trigger);
	if (assignment->strategy == STRATEGY_SEMANTIC)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid strategy: \"%s\"", trigger->tgargs[2]),
				errhint("Valid strategies are \"hilo\", \"identity\", \"server-side\" and \"guid\"."));
	if (anchor != NULL)
		assignment->anchor_column = find_column(rel, anchor);

	MemoryContextSwitchTo(before);
	fcinfo->flinfo->fn_extra = assignment;
	return assignment;
}

static AttrNumber
find_column(Relation rel, const char *name)
{
	AttrNumber	column = column_require_assignable(rel, name);

	if (!IsBinaryCoercible(get_atttype(RelationGetRelid(rel), column), TEXTOID))
		ereport(ERROR,
				errcode(ERRCODE_DATATYPE_MISMATCH),
				errmsg("column \"%s\" of relation \"%s\" is not of type text",
					   name, RelationGetRelationName(rel)));
	return column;
}

static text *
column_value(HeapTuple tuple, TupleDesc desc, AttrNumber column)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, column, desc, &isnull);

	return isnull ? NULL : DatumGetTextPP(value);
}

static text *
collection_id(Assignment *assignment, Oid relid)
{
	const char *mark = hilo_identity_parts_separator;
	SessionEntry *entry;
	char	   *pattern;

	if (assignment->strategy == STRATEGY_GUID)
		return document_id_resolve(NULL, NULL, relid);
	if (assignment->strategy == STRATEGY_HILO)
	{
		entry = session_tag_entry(PointerGetDatum(assignment->collection));
		drawing_check_trigger(entry, relid);
		return next_text_id(entry, "document_id_assign()");
	}
	if (assignment->strategy == STRATEGY_IDENTITY)
		mark = "|";
	pattern = psprintf("%s%s", text_to_cstring(assignment->collection), mark);
	return document_id_resolve(cstring_to_text(pattern), NULL, relid);
}

/*
 * Return the id anchored to the target.  Leave it as it is if it already has
 * the anchor, in any case of letters.
 */
static text *
anchored_id(text *id, text *target)
{
	text	   *anchor =
		DatumGetTextPP(DirectFunctionCall1(anchor_of, PointerGetDatum(id)));
	text	   *wanted =
		DatumGetTextPP(DirectFunctionCall1(anchor_of, PointerGetDatum(target)));

	if (VARSIZE_ANY_EXHDR(anchor) < VARSIZE_ANY_EXHDR(id) &&
		text_equal(text_fold(anchor), text_fold(wanted)))
		return id;
	id = DatumGetTextPP(DirectFunctionCall2(anchor_to, PointerGetDatum(id),
											PointerGetDatum(target)));
	document_id_require_final(id);
	return id;
}
