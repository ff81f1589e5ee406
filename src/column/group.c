/*
 * The groups of rows that a trigger numbers.
 *
 * A group is known by the text of its values: the same for equal values of any
 * session, and after a change of their type to one that writes them alike.  Its
 * first number lies above those that the table holds, for which the table is
 * asked by a plan that is kept.
 */
#include "postgres.h"

#include "access/gin.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_enum.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_trigger.h"
#include "executor/executor.h"
#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "port/pg_crc32c.h"
#include "tcop/tcopprot.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/json.h"
#include "utils/numeric.h"

#include "column/column.h"

/* the bytes of a group's text in UTF-8; a longer one is hashed */
#define LONGEST_GROUP 200

/*
 * The question for the greatest number of groups with nulls in the same
 * columns.
 */
typedef struct Question
{
	Oid			table;			/* of the groups; with the next two, the key */
	int32		hash;			/* of the columns' names */
	bool		nulls[FUNC_MAX_ARGS];
	List	   *tables;			/* OIDs: that one and its parts */
	List	   *plans;			/* of queries that together ask all of them;
								 * NIL: not made */
} Question;

/* A trigger that was read. */
typedef struct Known
{
	Oid			trigger;		/* the key */
	Numbering  *numbering;		/* NULL: not read */
} Known;

/* what this session knows until one of the tables changes; NULL: nothing */
static MemoryContext memory;
static HTAB *triggers;
static HTAB *questions;
static List *watched;			/* OIDs of those tables */
static uint64 as_of;			/* default_generation */

static void look_at_changes(void);
static HTAB *make_table(const char *name, Size keysize, Size entrysize);
static uint32 add_version(uint32 hash, HeapTuple tuple);
static GroupColumn column_read(Relation rel, const char *name);
static void require_group(Relation rel, const GroupColumn *column);
static void append_escaped(StringInfo key, const char *value);
static const char *in_utf8(const char *bytes);
static int64 ask_rows(PlannedStmt *plan, ParamListInfo params);
static Question *question_find(const NumberedRow *row, ParamListInfo params);
static void question_make(Question *question, const NumberedRow *row,
						  ParamListInfo params);
static PlannedStmt *plan_question(const NumberedRow *row, ParamListInfo params,
								  List *tables);
static char *question_text(const NumberedRow *row, List *tables);

/* Return what a trigger's arguments say, as this session knows it. */
Numbering *
numbering_of(Relation rel, const Trigger *trigger)
{
	Known	   *known;
	bool		is_known;

	look_at_changes();
	known = hash_search(triggers, &trigger->tgoid, HASH_ENTER, &is_known);
	if (!is_known || known->numbering == NULL)
	{
		MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
													  "hilo numbering",
													  ALLOCSET_SMALL_SIZES);
		MemoryContext before = MemoryContextSwitchTo(context);

		known->numbering = NULL;
		known->numbering = numbering_read(rel, trigger);
		MemoryContextSetParent(context, memory);
		MemoryContextSwitchTo(memory);
		watched = list_append_unique_oid(watched, RelationGetRelid(rel));
		watched = list_append_unique_oid(watched, known->numbering->whole);
		MemoryContextSwitchTo(before);
	}
	return known->numbering;
}

/* Forget what is known if one of the tables has changed. */
static void
look_at_changes(void)
{
	List	   *changed;

	/* from here on changes are told of */
	(void) own_table_relid(OWN_SERIES);
	if (memory != NULL && as_of == default_generation)
		return;
	changed = relations_changed_since(as_of);
	if (memory != NULL &&
		(list_member_oid(changed, InvalidOid) ||
		 list_length(list_difference_oid(watched,
										 changed)) < list_length(watched)))
	{
		/*
		 * A call further up may be at work with what is forgotten here, as it
		 * has run a default or a trigger that changed a table.  It may go on
		 * with that until the transaction ends.
		 */
		MemoryContextSetParent(memory, TopTransactionContext);
		memory = NULL;
	}
	if (memory == NULL)
	{
		memory = AllocSetContextCreate(CacheMemoryContext, "hilo groups",
									   ALLOCSET_SMALL_SIZES);
		triggers = make_table("hilo triggers", sizeof(Oid), sizeof(Known));
		questions = make_table("hilo questions", offsetof(Question, tables),
							   sizeof(Question));
		watched = NIL;
	}
	as_of = default_generation;
}

static HTAB *
make_table(const char *name, Size keysize, Size entrysize)
{
	HASHCTL		ctl =
	{.keysize = keysize,.entrysize = entrysize,.hcxt = memory};

	return hash_create(name, 16, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* Return what a trigger's arguments say, or report an error. */
Numbering *
numbering_read(Relation rel, const Trigger *trigger)
{
	Numbering  *numbering = palloc0(sizeof(Numbering));
	char	  **args = trigger->tgargs;
	Oid			whole = RelationGetRelid(rel);
	Oid			original = trigger->tgoid;
	Relation	catalog;
	pg_crc32c	hash;

	if (trigger->tgnargs < 2 || trigger->tgnargs > FUNC_MAX_ARGS)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("hilo_number_assign() needs two to %d arguments",
					   FUNC_MAX_ARGS),
				errdetail("The arguments are the column of the number, the ordering and the columns of the group."));
	numbering->in_place = strcmp(args[1], "global") == 0;
	if (!numbering->in_place && strcmp(args[1], "gapless") != 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid ordering: \"%s\"", args[1]),
				errhint("Valid orderings of groups are \"gapless\" and \"global\"."));
	/* the table that the trigger was made for, be this the copy of a part */
	foreach_oid(each, relation_ancestors(whole, NIL))
	{
		Oid			same = relation_same_trigger(each, trigger);

		if (OidIsValid(same))
		{
			whole = each;
			original = same;
		}
	}
	relation_require_kind(whole, true, true, InvalidOid);
	if (citus_is_worker())
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("table \"%s\" cannot number groups on a Citus worker",
					   get_rel_name(whole)),
				errdetail("They would repeat those of other nodes."));
	numbering->relid = RelationGetRelid(rel);
	numbering->whole = whole;
	numbering->attnum = column_number(whole, args[0]);
	column_require_number(whole, numbering->attnum,
						  "Number a column of type bigint. A text column GENERATED ALWAYS AS ('INV-' || number::text) STORED shows the number as text.");
	numbering->max_value = column_type_max(whole, numbering->attnum);
	numbering->ngroups = trigger->tgnargs - 2;
	numbering->columns = palloc(sizeof(GroupColumn) * (numbering->ngroups + 1));
	numbering->number = &numbering->columns[numbering->ngroups];

	catalog = table_open(TriggerRelationId, AccessShareLock);
	numbering->definition =
		add_version(0,
					get_catalog_object_by_oid(catalog, Anum_pg_trigger_oid,
											  original));
	table_close(catalog, AccessShareLock);
	INIT_CRC32C(hash);
	for (int i = 0; i <= numbering->ngroups; i++)
	{
		GroupColumn *column = &numbering->columns[i];
		bool		is_group = i < numbering->ngroups;

		/* the number's is the first argument, and the ordering the second */
		const char *name = is_group ? args[2 + i] : args[0];
		HeapTuple	row = SearchSysCacheCopyAttName(whole, name);

		*column = column_read(rel, name);
		if (is_group)
			require_group(rel, column);
		numbering->definition = add_version(numbering->definition, row);
		name = in_utf8(name);
		COMP_CRC32C(hash, name, strlen(name) + 1);
	}
	FIN_CRC32C(hash);
	numbering->hash = (int32) hash;
	return numbering;
}

/*
 * Add the version of a row of a system catalog to a hash, which is then not 0.
 * A change of the row makes another one, and so does one that sets it back.
 */
static uint32
add_version(uint32 hash, HeapTuple tuple)
{
	if (!HeapTupleIsValid(tuple))
		return hash;
	hash =
		hash_combine(hash,
					 hash_bytes_uint32(HeapTupleHeaderGetRawXmin(tuple->t_data)));
	return hash_combine(hash, hash_bytes((unsigned char *) &tuple->t_self,
										 sizeof(ItemPointerData))) | 1;
}

static GroupColumn
column_read(Relation rel, const char *name)
{
	GroupColumn column =
	{.name = pstrdup(name),.attnum = column_of_trigger(rel, name)};
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel),
										  column.attnum - 1);
	Oid			output;
	bool		is_varlena;

	column.type = getBaseType(att->atttypid);
	/* its operators are those of text */
	if (column.type == VARCHAROID)
		column.type = TEXTOID;
	column.is_enum = type_is_enum(column.type);
	getTypeOutputInfo(column.type, &output, &is_varlena);
	fmgr_info(output, &column.output);
	return column;
}

/*
 * Report an error unless a column can group rows: its values must be equal just
 * if group_value writes them alike, whatever the settings of a session.
 */
static void
require_group(Relation rel, const GroupColumn *column)
{
	static const Oid types[] = {
		INT2OID, INT4OID, INT8OID, NUMERICOID, OIDOID, BOOLOID, UUIDOID,
		DATEOID,
		TIMESTAMPOID, TEXTOID, BPCHAROID, NAMEOID
	};
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel),
										  column->attnum - 1);
	bool		is_known = column->is_enum;

	for (size_t i = 0; i < lengthof(types); i++)
		is_known |= column->type == types[i];
	if (!is_known || (OidIsValid(att->attcollation) &&
					  !get_collation_isdeterministic(att->attcollation)))
		ereport(ERROR,
				errcode(ERRCODE_DATATYPE_MISMATCH),
				errmsg("column \"%s\" of relation \"%s\" cannot be a group column",
					   column->name, RelationGetRelationName(rel)),
				errdetail("Its type is %s.", format_type_be(att->atttypid)),
				errhint("Use a column of an integer type, numeric, boolean, uuid, date, timestamp, an enum, or text with a deterministic collation."));
}

/* Return the text of a value, which is the same for equal values alone. */
char *
group_value(GroupColumn *column, Datum value)
{
	switch (column->type)
	{
		case NUMERICOID:
			return numeric_normalize(DatumGetNumeric(value));
		case DATEOID:
		case TIMESTAMPOID:
			return JsonEncodeDateTime(palloc(MAXDATELEN + 1), value,
									  column->type, NULL);
		case BPCHAROID:
			return TextDatumGetCString(DirectFunctionCall1(rtrim1, value));
		default:
			return OutputFunctionCall(&column->output, value);
	}
}

/*
 * Set the key of a row's group: the text of its values if they are short, else
 * a hash of them.
 */
void
group_set_key(NumberedRow *row)
{
	const Numbering *numbering = row->numbering;
	uint32		definition = numbering->definition;
	StringInfoData key;
	const char *bytes;
	Datum		hash;

	initStringInfo(&key);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		GroupColumn *column = &numbering->columns[i];

		if (i > 0)
			appendStringInfoChar(&key, ',');
		if (row->nulls[i])
		{
			appendStringInfoChar(&key, '?');
			continue;
		}
		append_escaped(&key, group_value(column, row->values[i]));
		/* a label may get the name of another one */
		if (column->is_enum)
			definition = add_version(definition,
									 SearchSysCacheCopy1(ENUMOID,
														 row->values[i]));
	}
	/* no encoding has four times the bytes of another */
	bytes = key.data;
	if (key.len > LONGEST_GROUP / 4)
		bytes = in_utf8(bytes);
	if (strlen(bytes) > LONGEST_GROUP)
	{
		hash = DirectFunctionCall1(sha256_bytea, CStringGetTextDatum(bytes));
		hash = DirectFunctionCall2(binary_encode, hash,
								   CStringGetTextDatum("hex"));
		key.data = psprintf("#%s", TextDatumGetCString(hash));
	}
	row->key.rel = numbering->whole;
	row->key.columns = numbering->hash;
	row->key.definition = definition;
	row->key.grp = cstring_to_text(key.data);
}

/* Append a value, in which nothing looks like its end, a null or a hash. */
static void
append_escaped(StringInfo key, const char *value)
{
	for (; *value != '\0'; value++)
	{
		if (strchr(",?#\\", *value) != NULL)
			appendStringInfoChar(key, '\\');
		appendStringInfoChar(key, *value);
	}
}

/*
 * Return a text in UTF-8, which a dump may bring to a database of any encoding.
 */
static const char *
in_utf8(const char *bytes)
{
	return GetDatabaseEncoding() == PG_SQL_ASCII ? bytes :
		pg_server_to_any(bytes, strlen(bytes), PG_UTF8);
}

/*
 * Return the greatest number up to a limit of a group's rows, 0 if there is
 * none.  Waits for no lock: the INSERT holds one on the table, and a part that
 * another session has locked is an error.
 */
int64
group_greatest(const NumberedRow *row, int64 limit)
{
	const Numbering *numbering = row->numbering;
	int			ngroups = numbering->ngroups;
	Column		column =
	{.name = numbering->number->name,.lockmode = AccessShareLock};
	ParamListInfo params = makeParamList(ngroups + 1);
	ParamExternData up_to = {Int64GetDatum(limit), false, 0, INT8OID};
	int			nestlevel = NewGUCNestLevel();
	SnapshotData now;
	Question   *question;
	int64		greatest = 0;

	for (int i = 0; i < ngroups; i++)
	{
		ParamExternData value = {
			row->values[i], row->nulls[i], 0, numbering->columns[i].type
		};

		params->params[i] = value;
	}
	params->params[ngroups] = up_to;
	/* rows of the statement itself count, too */
	CommandCounterIncrement();
	now = *GetLatestSnapshot();

	/*
	 * In a serializable transaction, an MVCC snapshot would leave predicate
	 * locks on the rows of the group, and the transaction would fail because
	 * of rows that others insert.  SNAPSHOT_SELF leaves none.
	 */
	if (IsolationIsSerializable())
		now.snapshot_type = SNAPSHOT_SELF;
	PushCopiedSnapshot(&now);
	do
	{
		question = question_find(row, params);
		foreach_oid(relid, question->tables)
			(void) column_lock_part(&column, relid, ERRCODE_LOCK_NOT_AVAILABLE);
		/* a lock brings news of changes before it, such as a new part */
	} while (as_of != default_generation);
	if (GinFuzzySearchLimit != 0)
		(void) set_config_option("gin_fuzzy_search_limit", "0", PGC_USERSET,
								 PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	foreach_ptr(PlannedStmt, plan, question->plans)
	{
		int64		number = ask_rows(plan, params);

		greatest = Max(greatest, number);
	}
	PopActiveSnapshot();
	AtEOXact_GUC(false, nestlevel);
	return greatest;
}

/*
 * Return the first column of a plan's one row, or 0 without one.  It runs as
 * the owner of its table, so no code of another role may run in it.
 */
static int64
ask_rows(PlannedStmt *plan, ParamListInfo params)
{
	Oid			user;
	int			context;
	QueryDesc  *query;
	TupleTableSlot *slot;
	int64		number = 0;
	bool		isnull;

	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(relation_owner(linitial_node(RangeTblEntry,
														plan->rtable)->relid),
						   SECURITY_RESTRICTED_OPERATION);
	query = CreateQueryDesc(plan, "greatest number of a group",
							GetActiveSnapshot(),
							InvalidSnapshot, None_Receiver, params, NULL, 0);
	ExecutorStart(query, 0);
	slot = ExecProcNode(query->planstate);
	if (!TupIsNull(slot))
		number = DatumGetInt64(slot_getattr(slot, 1, &isnull));
	ExecutorFinish(query);
	ExecutorEnd(query);
	FreeQueryDesc(query);
	SetUserIdAndSecContext(user, context);
	return number;
}

/*
 * Return the question for the groups of a row's numbering with the same nulls,
 * with its plans.
 */
static Question *
question_find(const NumberedRow *row, ParamListInfo params)
{
	const Numbering *numbering = row->numbering;
	Question	key = {.table = numbering->whole,.hash = numbering->hash};
	Question   *question;
	bool		is_known;

	memcpy(key.nulls, row->nulls, sizeof(key.nulls));
	/* of parts that have been attached, no lock need be new */
	AcceptInvalidationMessages();
	look_at_changes();
	question = hash_search(questions, &key, HASH_ENTER, &is_known);
	if (!is_known)
		question->plans = NIL;
	if (question->plans == NIL)
		question_make(question, row, params);
	return question;
}

/*
 * Plan a question: a table is asked with its parts at once if one role owns all
 * of them.
 */
static void
question_make(Question *question, const NumberedRow *row, ParamListInfo params)
{
	Column		column = {
		.relid = question->table,.lockmode = AccessShareLock,
		.name = row->numbering->number->name
	};
	Oid			owner = relation_owner(question->table);
	bool		has_owners = false;
	List	   *plans = NIL;
	MemoryContext before;

	column = column_look(column, ERRCODE_LOCK_NOT_AVAILABLE);
	foreach_oid(relid, column.tables)
	{
		if (get_rel_relkind(relid) == RELKIND_FOREIGN_TABLE)
			ereport(ERROR,
					errcode(ERRCODE_WRONG_OBJECT_TYPE),
					errmsg("cannot determine the greatest id in foreign table \"%s\"",
						   get_rel_name(relid)));
		has_owners |= relation_owner(relid) != owner;
	}
	if (!has_owners)
		plans = list_make1(plan_question(row, params, column.tables));
	foreach_oid(relid, has_owners ? column.tables : NIL)
	{
		if (get_rel_relkind(relid) == RELKIND_RELATION)
			plans = lappend(plans, plan_question(row, params,
												 list_make1_oid(relid)));
	}
	before = MemoryContextSwitchTo(memory);
	question->tables = list_copy(column.tables);
	question->plans = copyObject(plans);
	watched = list_concat_unique_oid(watched, column.tables);
	MemoryContextSwitchTo(before);
}

/* Plan it for a table, with its parts behind it in a list, as its owner. */
static PlannedStmt *
plan_question(const NumberedRow *row, ParamListInfo params, List *tables)
{
	static const char *const settings[] = {
		"enable_seqscan", "enable_bitmapscan", "enable_indexonlyscan"
	};
	Oid			relid = linitial_oid(tables);
	char	   *text = question_text(row, tables);
	List	   *parsed = pg_parse_query(text);
	Oid			user;
	int			context;
	int			nestlevel = NewGUCNestLevel();
	List	   *queries;
	Query	   *query;
	PlannedStmt *plan;

	GetUserIdAndSecContext(&user, &context);
	column_act_as_owner(relid);
	/* made for one page, the plan is kept when there are a million */
	for (size_t i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i], "off", PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	SPI_connect();
	foreach_oid(table, tables)
		column_require_safe(table, relation_owner(relid));
	SPI_finish();
	queries = pg_analyze_and_rewrite_withcb(linitial_node(RawStmt, parsed),
											text,
											params->parserSetup,
											params->parserSetupArg, NULL);
	query = linitial_node(Query, queries);
	column_require_table(query->rtable, relid);
	plan = pg_plan_query(query, text, 0, NULL, NULL);
	AtEOXact_GUC(false, nestlevel);
	SetUserIdAndSecContext(user, context);
	return plan;
}

/* Return the query. Its parameters are the group's values and the limit. */
static char *
question_text(const NumberedRow *row, List *tables)
{
	const Numbering *numbering = row->numbering;
	const char *number = quote_identifier(numbering->number->name);
	Oid			relid = linitial_oid(tables);
	const char *only = "";
	StringInfoData query;

	if (list_length(tables) == 1 && has_subclass(relid))
		only = "ONLY ";
	initStringInfo(&query);
	appendStringInfo(&query,
					 "SELECT r.%1$s::int8 FROM %2$s%3$s r WHERE r.%1$s BETWEEN 1 AND $%4$d",
					 number, only, relation_name(relid),
					 numbering->ngroups + 1);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		const GroupColumn *column = &numbering->columns[i];
		const char *name = quote_identifier(column->name);

		if (row->nulls[i])
			appendStringInfo(&query, " AND r.%s IS NULL", name);
		else if (column->is_enum)
			/* to any other operand, a cast may be code of the type's owner */
			appendStringInfo(&query,
							 " AND pg_catalog.enum_eq(coalesce(r.%s, NULL), $%d)",
							 name, i + 1);
		else
			appendStringInfo(&query, " AND r.%s::%s OPERATOR(pg_catalog.=) $%d",
							 name,
							 format_type_extended(column->type, -1,
												  FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY),
							 i + 1);
	}
	appendStringInfo(&query, " ORDER BY r.%s DESC LIMIT 1", number);
	return query.data;
}
