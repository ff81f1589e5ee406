/*
 * The groups of rows that a trigger numbers.
 *
 * A group is known by the text of its values: the same for equal values of any session,
 * and after a change of their type to one that writes them alike.  Its first number lies
 * above those that the table holds, for which the table is asked by a plan that is kept.
 */
#include "postgres.h"

#include "catalog/pg_inherits.h"
#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "parser/parse_node.h"
#include "port/pg_crc32c.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/json.h"
#include "utils/numeric.h"

#include "column/column.h"

/* the bytes of a group's text in UTF-8; a longer one is hashed */
#define LONGEST_GROUP 200

/* The question for the greatest number of groups with nulls in the same columns. */
typedef struct Question
{
	Oid			table;			/* that is asked; with the next three, the key */
	int32		hash;			/* of the columns' names */
	bool		with_parts;
	bool		nulls[FUNC_MAX_ARGS];
	char	   *name;			/* of the table in the query; NULL: not made */
	int			nparams;
	Oid			types[FUNC_MAX_ARGS];	/* of the parameters */
	SPIPlanPtr	plan;
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
static uint64 as_of;			/* catalog_default_generation */

static void look_at_changes(void);
static void forget(void);
static HTAB *make_table(const char *name, Size keysize, Size entrysize);
static void keep(MemoryContext context, List *tables);
static GroupColumn column_read(Relation rel, const char *name);
static void require_group(Relation rel, const GroupColumn *column);
static void append_escaped(StringInfo key, const char *value);
static const char *in_utf8(const char *bytes);
static int64 ask_table(const Numbering *numbering, Oid relid, bool with_parts, const Datum *values,
					   const bool *nulls, int64 limit);
static const Question *question_find(const Numbering *numbering, Oid relid, bool with_parts,
									 const bool *nulls);
static void question_make(Question *question, const Numbering *numbering);
static char *question_text(Question *question, const Numbering *numbering);
static void free_plan(void *plan);
static void set_up_question(ParseState *pstate, void *arg);
static Node *require_table(ParseState *pstate, ColumnRef *column);
static Node *make_parameter(ParseState *pstate, ParamRef *ref);

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
		MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "hilo numbering",
													  ALLOCSET_SMALL_SIZES);
		MemoryContext before = MemoryContextSwitchTo(context);

		known->numbering = NULL;
		known->numbering = numbering_read(rel, trigger);
		MemoryContextSwitchTo(before);
		keep(context, list_make2_oid(RelationGetRelid(rel), known->numbering->whole));
	}
	return known->numbering;
}

/* Forget what is known if one of the tables has changed. */
static void
look_at_changes(void)
{
	List	   *changed;

	/* from here on changes are told of */
	(void) catalog_relid(CATALOG_SERIES);
	if (memory != NULL && as_of == catalog_default_generation)
		return;
	changed = catalog_changed_since(as_of);
	if (memory != NULL &&
		(list_member_oid(changed, InvalidOid) ||
		 list_length(list_difference_oid(watched, changed)) < list_length(watched)))
		forget();
	if (memory == NULL)
	{
		memory = AllocSetContextCreate(CacheMemoryContext, "hilo groups", ALLOCSET_SMALL_SIZES);
		triggers = make_table("hilo triggers", sizeof(Oid), sizeof(Known));
		questions = make_table("hilo questions", offsetof(Question, nulls) + sizeof(bool) * FUNC_MAX_ARGS, sizeof(Question));
		watched = NIL;
	}
	as_of = catalog_default_generation;
}

/* Forget all at the end of the transaction: code that is at work may go on with it. */
static void
forget(void)
{
	MemoryContextSetParent(memory, TopTransactionContext);
	memory = NULL;
}

static HTAB *
make_table(const char *name, Size keysize, Size entrysize)
{
	HASHCTL		ctl = {.keysize = keysize,.entrysize = entrysize,.hcxt = memory};

	return hash_create(name, 16, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* Keep what was made in a context until one of some tables changes. */
static void
keep(MemoryContext context, List *tables)
{
	MemoryContext before = MemoryContextSwitchTo(memory);

	MemoryContextSetParent(context, memory);
	watched = list_concat_unique_oid(watched, tables);
	MemoryContextSwitchTo(before);
}

/* Return what a trigger's arguments say, or report an error. */
Numbering *
numbering_read(Relation rel, const Trigger *trigger)
{
	Numbering  *numbering = palloc0(sizeof(Numbering));
	char	  **args = trigger->tgargs;
	Oid			whole = RelationGetRelid(rel);
	pg_crc32c	hash;

	if (trigger->tgnargs < 2 || trigger->tgnargs > FUNC_MAX_ARGS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("hilo_number_assign() needs two to %d arguments", FUNC_MAX_ARGS),
				 errdetail("The arguments are the column of the number, the ordering and the columns of the group.")));
	numbering->in_place = strcmp(args[1], "global") == 0;
	if (!numbering->in_place && strcmp(args[1], "gapless") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid ordering: \"%s\"", args[1]),
				 strcmp(args[1], "session") == 0 ?
				 errhint("Use \"global\": sessions hold no ranges of a group.") :
				 errhint("Numbers of groups are \"gapless\" or \"global\".")));
	/* the table that the trigger was made for, be this the copy of a part */
	foreach_oid(each, relation_ancestors(whole, NIL))
		whole = relation_has_trigger(each, trigger) ? each : whole;
	relation_require_kind(whole, true, true, InvalidOid);
	if (citus_is_worker())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"%s\" cannot have numbers of its own on a Citus worker",
						get_rel_name(whole)),
				 errdetail("They would repeat those of other nodes.")));
	numbering->relid = RelationGetRelid(rel);
	numbering->whole = whole;
	numbering->attnum = column_number(whole, args[0]);
	column_require_number(whole, numbering->attnum,
						  "Number a column of type bigint. A text column GENERATED ALWAYS AS ('INV-' || number::text) STORED shows the number as text.");
	numbering->max_value = column_type_max(whole, numbering->attnum);
	numbering->ngroups = trigger->tgnargs - 2;
	numbering->columns = palloc(sizeof(GroupColumn) * (numbering->ngroups + 1));
	for (int i = 0; i < numbering->ngroups; i++)
	{
		numbering->columns[i] = column_read(rel, args[2 + i]);
		require_group(rel, &numbering->columns[i]);
	}
	numbering->columns[numbering->ngroups] = column_read(rel, args[0]);
	INIT_CRC32C(hash);
	for (int i = 0; i <= numbering->ngroups; i++)
	{
		const char *name = in_utf8(numbering->columns[i].name);

		COMP_CRC32C(hash, name, strlen(name) + 1);
	}
	FIN_CRC32C(hash);
	numbering->hash = (int32) hash;
	return numbering;
}

static GroupColumn
column_read(Relation rel, const char *name)
{
	GroupColumn column = {.name = pstrdup(name),.attnum = column_of_trigger(rel, name)};
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), column.attnum - 1);
	Oid			output;
	bool		is_varlena;

	column.type = getBaseType(att->atttypid);
	getTypeOutputInfo(column.type, &output, &is_varlena);
	fmgr_info(output, &column.output);
	return column;
}

/*
 * Report an error unless a column can group rows: its values must be equal just if
 * group_value writes them alike, whatever the settings of a session.
 */
static void
require_group(Relation rel, const GroupColumn *column)
{
	static const Oid types[] = {
		INT2OID, INT4OID, INT8OID, NUMERICOID, OIDOID, BOOLOID, UUIDOID, DATEOID,
		TIMESTAMPOID, TEXTOID, VARCHAROID, BPCHAROID, NAMEOID
	};
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), column->attnum - 1);
	bool		is_known = type_is_enum(column->type);

	for (size_t i = 0; i < lengthof(types); i++)
		is_known |= column->type == types[i];
	if (!is_known || (OidIsValid(att->attcollation) &&
					  !get_collation_isdeterministic(att->attcollation)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of relation \"%s\" cannot be that of a group",
						column->name, RelationGetRelationName(rel)),
				 errdetail("Its type is %s.", format_type_be(att->atttypid)),
				 errhint("Use a column of an integer type, numeric, boolean, uuid, date, timestamp, an enum, or text with a deterministic collation.")));
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
			return JsonEncodeDateTime(palloc(MAXDATELEN + 1), value, column->type, NULL);
		case BPCHAROID:
			return TextDatumGetCString(DirectFunctionCall1(rtrim1, value));
		default:
			return OutputFunctionCall(&column->output, value);
	}
}

/* Return the text of a group: its values if they are short, else a hash of them. */
text *
group_key(const Numbering *numbering, const Datum *values, const bool *nulls)
{
	StringInfoData key;
	const char *bytes;
	Datum		hash;

	initStringInfo(&key);
	for (int i = 0; i < numbering->ngroups; i++)
	{
		if (i > 0)
			appendStringInfoChar(&key, ',');
		if (nulls[i])
			appendStringInfoChar(&key, '?');
		else
			append_escaped(&key, group_value(&numbering->columns[i], values[i]));
	}
	/* no encoding has four times the bytes of another */
	if (key.len <= LONGEST_GROUP / 4)
		return cstring_to_text_with_len(key.data, key.len);
	bytes = in_utf8(key.data);
	if (strlen(bytes) <= LONGEST_GROUP)
		return cstring_to_text_with_len(key.data, key.len);
	hash = DirectFunctionCall1(sha256_bytea, CStringGetTextDatum(bytes));
	hash = DirectFunctionCall2(binary_encode, hash, CStringGetTextDatum("hex"));
	return cstring_to_text(psprintf("#%s", TextDatumGetCString(hash)));
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

/* Return a text in UTF-8, which a dump may bring to a database of any encoding. */
static const char *
in_utf8(const char *bytes)
{
	return GetDatabaseEncoding() == PG_SQL_ASCII ? bytes :
		pg_server_to_any(bytes, strlen(bytes), PG_UTF8);
}

/*
 * Return the greatest number up to a limit of a group's rows, 0 if there is none.  Waits
 * for no lock: whoever inserts has locked the table, and it is an error if a part of it is
 * locked.  A table with parts is asked at once if one role owns all of them.
 */
int64
group_greatest(const Numbering *numbering, const Datum *values, const bool *nulls, int64 limit)
{
	Column		column = {
		.relid = numbering->whole,.lockmode = AccessShareLock,
		.name = numbering->columns[numbering->ngroups].name
	};
	Oid			owner = relation_owner(numbering->whole);
	bool		has_parts = has_subclass(numbering->whole);
	bool		has_owners = false;
	int64		greatest = 0;

	if (has_parts)
		column = column_look(column, ERRCODE_LOCK_NOT_AVAILABLE);
	foreach_oid(relid, column.tables)
	{
		if (get_rel_relkind(relid) == RELKIND_FOREIGN_TABLE)
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("cannot determine the greatest id in foreign table \"%s\"",
							get_rel_name(relid))));
		has_owners |= relation_owner(relid) != owner;
	}
	if (!has_owners)
		greatest = ask_table(numbering, numbering->whole, true, values, nulls, limit);
	foreach_oid(relid, has_owners ? column.tables : NIL)
	{
		if (get_rel_relkind(relid) == RELKIND_RELATION)
			greatest = Max(greatest, ask_table(numbering, relid, false, values, nulls, limit));
	}
	if (has_parts)
		column_unlock(&column, AccessShareLock);
	return greatest;
}

/* Ask a table as its owner, in whose place no other role's code may run. */
static int64
ask_table(const Numbering *numbering, Oid relid, bool with_parts, const Datum *values,
		  const bool *nulls, int64 limit)
{
	static const char *const settings[] = {
		"enable_seqscan", "enable_bitmapscan", "enable_indexonlyscan"
	};
	SPIExecuteOptions options = {.read_only = true};
	Oid			user;
	int			context;
	int			nestlevel = NewGUCNestLevel();
	SnapshotData now;
	const Question *question;
	int			n = 0;
	bool		isnull;
	Datum		greatest;

	GetUserIdAndSecContext(&user, &context);
	column_act_as_owner(relid);
	/* a plan that is made for one page is kept when there are a million */
	for (size_t i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i], "off", PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	CommandCounterIncrement();
	now = *GetLatestSnapshot();
	/* leaves no predicate lock */
	if (IsolationIsSerializable())
		now.snapshot_type = SNAPSHOT_SELF;
	PushCopiedSnapshot(&now);
	SPI_connect();
	question = question_find(numbering, relid, with_parts, nulls);
	options.params = makeParamList(question->nparams);
	for (int i = -1; i < numbering->ngroups; i++)
	{
		ParamExternData *param = &options.params->params[n];

		if (i >= 0 && nulls[i])
			continue;
		param->value = i < 0 ? Int64GetDatum(limit) : values[i];
		param->isnull = false;
		param->pflags = PARAM_FLAG_CONST;
		param->ptype = question->types[n++];
	}
	if (SPI_execute_plan_extended(question->plan, &options) != SPI_OK_SELECT)
		elog(ERROR, "could not ask for the greatest number of a group");
	greatest = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	SPI_finish();
	PopActiveSnapshot();
	AtEOXact_GUC(false, nestlevel);
	SetUserIdAndSecContext(user, context);
	return isnull ? 0 : DatumGetInt64(greatest);
}

/* Return the question of a numbering for a group with such nulls, with a plan. */
static const Question *
question_find(const Numbering *numbering, Oid relid, bool with_parts, const bool *nulls)
{
	Question	key = {
		.table = relid,.hash = numbering->hash,.with_parts = with_parts
	};
	Question   *question;
	bool		is_known;

	memcpy(key.nulls, nulls, numbering->ngroups * sizeof(bool));
	look_at_changes();
	question = hash_search(questions, &key, HASH_FIND, NULL);
	/* a schema is renamed unnoticed */
	if (question != NULL && question->name != NULL &&
		strcmp(question->name, relation_name(relid)) != 0)
	{
		forget();
		look_at_changes();
	}
	question = hash_search(questions, &key, HASH_ENTER, &is_known);
	if (!is_known)
		question->name = NULL;
	if (question->name == NULL)
		question_make(question, numbering);
	return question;
}

static void
question_make(Question *question, const Numbering *numbering)
{
	Oid			relid = question->table;
	List	   *tables = question->with_parts ? lock_inheritors(relid, NoLock) : list_make1_oid(relid);
	MemoryContext context;
	MemoryContext before;
	MemoryContextCallback *callback;
	SPIPlanPtr	plan;

	foreach_oid(table, tables)
		column_require_safe(table, relation_owner(relid));
	context = AllocSetContextCreate(CurrentMemoryContext, "hilo question", ALLOCSET_SMALL_SIZES);
	before = MemoryContextSwitchTo(context);
	plan = SPI_prepare_params(question_text(question, numbering), set_up_question, question,
							  CURSOR_OPT_GENERIC_PLAN);
	if (plan == NULL)
		elog(ERROR, "could not prepare the question for the greatest number of a group");
	(void) SPI_keepplan(plan);
	MemoryContextSwitchTo(context);
	callback = palloc0(sizeof(MemoryContextCallback));
	callback->func = free_plan;
	callback->arg = plan;
	MemoryContextRegisterResetCallback(context, callback);
	question->name = relation_name(relid);
	question->plan = plan;
	MemoryContextSwitchTo(before);
	keep(context, tables);
}

/* Return the query, whose first parameter is the limit, and set the types of all. */
static char *
question_text(Question *question, const Numbering *numbering)
{
	StringInfoData query;
	const char *number = quote_identifier(numbering->columns[numbering->ngroups].name);

	question->types[0] = INT8OID;
	question->nparams = 1;
	initStringInfo(&query);
	appendStringInfo(&query, "SELECT max(r.%1$s)::int8 FROM %2$s%3$s r WHERE r.%1$s BETWEEN 1 AND $1",
					 number, question->with_parts ? "" : "ONLY ", relation_name(question->table));
	for (int i = 0; i < numbering->ngroups; i++)
	{
		Oid			type = numbering->columns[i].type;
		const char *name = quote_identifier(numbering->columns[i].name);

		if (question->nulls[i])
		{
			appendStringInfo(&query, " AND r.%s IS NULL", name);
			continue;
		}
		question->types[question->nparams++] = type == VARCHAROID ? TEXTOID : type;
		/* to any other operand, a cast may be code of the type's owner */
		if (type_is_enum(type))
			appendStringInfo(&query, " AND pg_catalog.enum_eq(coalesce(r.%s, NULL), $%d)",
							 name, question->nparams);
		else
			appendStringInfo(&query, " AND r.%s::%s OPERATOR(pg_catalog.=) $%d", name,
							 format_type_extended(type, -1, FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY),
							 question->nparams);
	}
	return query.data;
}

static void
free_plan(void *plan)
{
	(void) SPI_freeplan(plan);
}

static void
set_up_question(ParseState *pstate, void *arg)
{
	pstate->p_ref_hook_state = arg;
	pstate->p_pre_columnref_hook = require_table;
	pstate->p_paramref_hook = make_parameter;
}

/* Report an error if the name, whose schema may be renamed, leads elsewhere. */
static Node *
require_table(ParseState *pstate, ColumnRef *column)
{
	column_require_table(pstate, ((Question *) pstate->p_ref_hook_state)->table);
	return NULL;
}

static Node *
make_parameter(ParseState *pstate, ParamRef *ref)
{
	const Question *question = pstate->p_ref_hook_state;
	Param	   *param = makeNode(Param);

	param->paramkind = PARAM_EXTERN;
	param->paramid = ref->number;
	param->paramtype = question->types[ref->number - 1];
	param->paramtypmod = -1;
	param->paramcollid = get_typcollation(param->paramtype);
	param->location = ref->location;
	return (Node *) param;
}
