/*
 * Rows of tables that ORMs take their hi from.
 *
 * Such a row is changed by an ordinary UPDATE in a transaction of its own, as
 * the ORMs do it, in a background worker.  In the caller's transaction a
 * rollback would bring ids back, and an ORM that holds that transaction and
 * takes a block by another connection would wait for itself.
 *
 * It is made as the owner of the generator, who must have the right now, and never
 * as the caller: who takes an id need not know whose table it comes from.  What
 * others have put on the table, as triggers, would get the rights of that role: so
 * the owners of the table, of its partitions and of the triggers' functions must
 * have them anyway.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_trigger.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "common/int.h"
#include "executor/spi.h"
#include "nodes/value.h"
#include "parser/parse_oper.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "source/source.h"
#include "source/worker.h"

/*
 * A search for the row of a source.
 */
typedef struct RowSearch
{
	AttrNumber	hi_column;
	AttrNumber	key_column;		/* InvalidAttrNumber: one row, without a key */
	Datum		key;
	FmgrInfo	equal;
	int			rows;			/* found so far */
	int64	   *stored;
} RowSearch;

static void look_at_source_row(TupleTableSlot *slot, void *arg);
static Datum key_datum(const OrmSource *source, FmgrInfo *equal);
static OrmAnswer run_change(const OrmSource *source, const OrmChange *change,
							Size size);
static void require_trusted(Oid relid, Oid role, LOCKMODE lockmode);
static void require_trusted_triggers(Relation rel, Oid role);
static void require_caller(const OrmChange *change);
static bool has_triggers(Oid relid);
static void require_rights(const OrmChange *change, Oid role);
static void require_insert(const OrmChange *change, Oid role);
pg_noreturn static void refuse_rights(const OrmChange *change, Oid role);
static bool has_rights(const OrmChange *change, Oid role, AclMode mode);
static bool has_right(const OrmChange *change, const NameData *column,
					  Oid role, AclMode mode);
static OrmAnswer change_row(const OrmChange *change);
static OrmChange *make_change(const OrmSource *source, Size *size);
static Oid	column_type(Oid relid, const char *column);
static void refuse_inexact(Oid relid, const char *column);
static bool update_row(const OrmChange *change, OrmAnswer *answer);
static bool insert_row(const OrmChange *change, OrmAnswer *answer);
static char *update_statement(const OrmChange *change);
static char *insert_statement(const OrmChange *change, int64 hi);
static void append_key(StringInfo sql, const OrmChange *change);
static int64 result_column(int column);
pg_noreturn static void refuse_null(void);

/*
 * Report an error unless the source is a table that has its columns.
 */
void
orm_table_check(const OrmSource *source)
{
	const OrmStyle *style = source->style;
	FmgrInfo	equal;

	refuse_inexact(source->relid, source->hi_column);
	if (source->key_column != NULL)
		(void) key_datum(source, &equal);
	if (style->block_column != NULL)
		(void) column_type(source->relid, style->block_column);
	if (style->count_column != NULL)
		(void) column_type(source->relid, style->count_column);
}

/*
 * Report an error if changes of the table would run code of somebody who has not
 * the rights of the role that makes them.
 */
void
orm_table_require_trusted(const OrmSource *source)
{
	lock_table(source->relid, AccessShareLock);
	require_trusted(source->relid, source->actor, AccessShareLock);
}

/*
 * Take so many blocks out of the row, which is made as the ORM would make it
 * if it is missing; about so many ids, at least a block, where the size of
 * blocks is in the row.
 */
OrmAnswer
orm_table_take(const OrmSource *source, int64 blocks)
{
	Size		size;
	OrmChange  *change = make_change(source, &size);

	change->blocks = blocks;
	return run_change(source, change, size);
}

/*
 * Raise the row to a value, if it is not there already.
 */
void
orm_table_raise(const OrmSource *source, int64 stored)
{
	Size		size;
	OrmChange  *change = make_change(source, &size);

	change->is_raise = true;
	change->at_least = stored;
	(void) run_change(source, change, size);
}

/*
 * Return what the row holds; false if the current role may not see it, or there
 * is no such row, or more than one.  Nothing of the owner's is evaluated, as there
 * is in column_max.
 */
bool
orm_table_next(const OrmSource *source, int64 *stored)
{
	RowSearch	search = {.stored = stored};
	ListCell   *cell;

	if (pg_class_aclcheck(source->relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK ||
		check_enable_rls(source->relid, InvalidOid, true) == RLS_ENABLED)
		return false;
	if (source->key_column != NULL)
		search.key = key_datum(source, &search.equal);
	foreach(cell, find_all_inheritors(source->relid, NoLock, NULL))
	{
		Oid			relid = lfirst_oid(cell);
		Relation	rel;

		if (!lock_table_without_wait(relid, AccessShareLock))
			return false;
		if (get_rel_relkind(relid) == RELKIND_PARTITIONED_TABLE)
			continue;
		relation_require_permanent(relid, true);
		search.hi_column = get_attnum(relid, source->hi_column);
		search.key_column = source->key_column == NULL ? InvalidAttrNumber :
			get_attnum(relid, source->key_column);
		rel = table_open(relid, NoLock);
		relation_each_row(rel, look_at_source_row, &search);
		table_close(rel, NoLock);
	}
	return search.rows == 1;
}

/*
 * Take the first value of a row that nobody has used; why, see
 * orm_sequence_use_first.
 */
void
orm_table_use_first(const OrmSource *source)
{
	int64		second;

	if (!pg_add_s64_overflow(source->initial, source->ids, &second))
		orm_table_raise(source, second - source->style->offset);
}

/*
 * Do a change in the background worker, in a transaction.
 *
 * Whether a crash could undo it is seen afterwards: a partition that is attached
 * meanwhile may have got the row.
 */
void
orm_table_work(const void *input, void *answer)
{
	const OrmChange *change = input;

	worker_begin_transaction();
	SPI_connect();
	PushActiveSnapshot(GetTransactionSnapshot());
	*(OrmAnswer *) answer = change_row(change);
	relation_require_permanent(change->relid, true);
	PopActiveSnapshot();
	SPI_finish();
	ForceSyncCommit();
	worker_commit_transaction();
	((OrmAnswer *) answer)->lsn = XactLastCommitEnd;
}

/*
 * Callback of relation_each_row.
 */
static void
look_at_source_row(TupleTableSlot *slot, void *arg)
{
	RowSearch  *search = arg;
	TupleDesc	columns = slot->tts_tupleDescriptor;
	bool		isnull;
	Datum		value;
	Oid			output;
	bool		is_varlena;

	if (search->key_column != InvalidAttrNumber)
	{
		value = slot_getattr(slot, search->key_column, &isnull);
		if (isnull ||
			!DatumGetBool(FunctionCall2Coll(&search->equal,
											TupleDescAttr(columns, search->key_column - 1)->attcollation,
											value, search->key)))
			return;
	}
	search->rows++;
	value = slot_getattr(slot, search->hi_column, &isnull);
	if (isnull)
		refuse_null();
	getTypeOutputInfo(TupleDescAttr(columns, search->hi_column - 1)->atttypid,
					  &output, &is_varlena);
	value = DirectFunctionCall3(numeric_in,
								CStringGetDatum(OidOutputFunctionCall(output, value)),
								ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
	*search->stored = DatumGetInt64(DirectFunctionCall1(numeric_int8, value));
}

/*
 * Return the key of the row as a value of the key column's type, and the function
 * that compares two of them.  Report an error if values of that type are made of
 * others: those may be of domains, whose checks are code.
 */
static Datum
key_datum(const OrmSource *source, FmgrInfo *equal)
{
	Oid			type = column_type(source->relid, source->key_column);
	char		typtype = get_typtype(type);
	Oid			operator = InvalidOid;
	Oid			input;
	Oid			param;

	if ((typtype == TYPTYPE_BASE || typtype == TYPTYPE_ENUM) &&
		!OidIsValid(get_element_type(type)))
		operator = compatible_oper_opid(list_make2(makeString("pg_catalog"),
												   makeString("=")),
										type, type, true);
	if (!OidIsValid(operator))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of table \"%s\" cannot be the key of a source",
						source->key_column, get_rel_name(source->relid)),
				 errdetail("Its type is %s.", format_type_be(type))));
	fmgr_info(get_opcode(operator), equal);
	getTypeInputInfo(type, &input, &param);
	return OidInputFunctionCall(input, unconstify(char *, source->key_value),
								param, -1);
}

static OrmAnswer
run_change(const OrmSource *source, const OrmChange *change, Size size)
{
	OrmAnswer	answer;

	/* before there is a worker, which sees to it again */
	if (OidIsValid(change->caller))
		require_rights(change, change->caller);
	lock_source_row(source->relid, change->key_value);
	worker_run(source->relid, source->actor, change, size, &answer,
			   sizeof(answer));
	unlock_source_row(source->relid, change->key_value);
	return answer;
}

/*
 * Report an error if code of somebody who has not a role's rights would run as that
 * role: the owners of the table, of its partitions and children, and those of the
 * functions of their triggers.  The table is locked, as all are then.
 */
static void
require_trusted(Oid relid, Oid role, LOCKMODE lockmode)
{
	ListCell   *cell;

	foreach(cell, lock_inheritors(relid, lockmode))
	{
		Relation	rel = table_open(lfirst_oid(cell), NoLock);

		if (!has_privs_of_role(rel->rd_rel->relowner, role))
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("the owner of table \"%s\" lacks the rights of role \"%s\"",
							RelationGetRelationName(rel),
							GetUserNameFromId(role, false)),
					 errdetail("Triggers and other code of the owner on the table would run as that role."),
					 errhint("Let the table, its partitions and children, and the generator belong to one role.")));
		require_trusted_triggers(rel, role);
		table_close(rel, NoLock);
	}
}

static void
require_trusted_triggers(Relation rel, Oid role)
{
	/* what is looked up may have the relation cache read it anew */
	TriggerDesc *triggers = CopyTriggerDesc(rel->trigdesc);

	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		const Trigger *trigger = &triggers->triggers[i];
		HeapTuple	tuple = SearchSysCache1(PROCOID,
											ObjectIdGetDatum(trigger->tgfoid));
		Form_pg_proc function;

		if (!HeapTupleIsValid(tuple))
			continue;
		function = (Form_pg_proc) GETSTRUCT(tuple);
		if (!function->prosecdef && !has_privs_of_role(function->proowner, role))
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("trigger \"%s\" of table \"%s\" calls a function of role \"%s\"",
							trigger->tgname, RelationGetRelationName(rel),
							GetUserNameFromId(function->proowner, false)),
					 errdetail("It would run as role \"%s\".",
							   GetUserNameFromId(role, false)),
					 errhint("Give the function to that role, or make it SECURITY DEFINER.")));
		ReleaseSysCache(tuple);
	}
}

/*
 * Report an error unless the caller may change the row itself, and nothing that the
 * owner of the table has put there would run as the owner for it.
 */
static void
require_caller(const OrmChange *change)
{
	const char *hint = "Let the owner of the table adopt it with hilo_adopt_table and grant the generator.";

	require_rights(change, change->caller);
	if (check_enable_rls(change->relid, change->caller, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("row security of table \"%s\" applies to role \"%s\"",
						get_rel_name(change->relid),
						GetUserNameFromId(change->caller, false)),
				 errdetail("The owner of the table, to whom it does not apply, would change the row."),
				 errhint("%s", hint)));
	if (has_triggers(change->relid))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("table \"%s\" has triggers",
						get_rel_name(change->relid)),
				 errdetail("They would run as the owner of the table, who would change the row."),
				 errhint("%s", hint)));
}

/*
 * Check whether somebody has put triggers on a table, its partitions or children,
 * which are locked.
 */
static bool
has_triggers(Oid relid)
{
	bool		found = false;
	ListCell   *cell;

	foreach(cell, find_all_inheritors(relid, NoLock, NULL))
	{
		Relation	rel = table_open(lfirst_oid(cell), RowExclusiveLock);

		for (int i = 0; rel->trigdesc != NULL && i < rel->trigdesc->numtriggers; i++)
			found |= !rel->trigdesc->triggers[i].tgisinternal;
		table_close(rel, NoLock);
	}
	return found;
}

static void
require_rights(const OrmChange *change, Oid role)
{
	if (!has_rights(change, role, ACL_SELECT) ||
		!has_right(change, &change->hi_column, role, ACL_UPDATE) ||
		!has_right(change, &change->count_column, role, ACL_UPDATE))
		refuse_rights(change, role);
}

static void
require_insert(const OrmChange *change, Oid role)
{
	if (!has_rights(change, role, ACL_INSERT))
		refuse_rights(change, role);
}

static void
refuse_rights(const OrmChange *change, Oid role)
{
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("permission denied for table %s",
					get_rel_name(change->relid)),
			 errhint("Grant SELECT, UPDATE and, where the row may be missing, INSERT on the table to role \"%s\".",
					 GetUserNameFromId(role, false))));
}

/*
 * Check whether a role has a right to all columns of the row.
 */
static bool
has_rights(const OrmChange *change, Oid role, AclMode mode)
{
	return has_right(change, &change->hi_column, role, mode) &&
		has_right(change, &change->key_column, role, mode) &&
		has_right(change, &change->block_column, role, mode) &&
		has_right(change, &change->count_column, role, mode);
}

/*
 * Check whether a role has a right to a column, if the style has one; report an
 * error if the table has not.
 */
static bool
has_right(const OrmChange *change, const NameData *column, Oid role,
		  AclMode mode)
{
	return NameStr(*column)[0] == '\0' ||
		pg_class_aclcheck(change->relid, role, mode) == ACLCHECK_OK ||
		pg_attribute_aclcheck(change->relid,
							  column_number(change->relid, NameStr(*column)),
							  role, mode) == ACLCHECK_OK;
}

/*
 * Change the row.
 *
 * A missing row is made under a lock of ours, as there may be no unique index
 * to tell that somebody else has made it.  Not under one of the table: all who
 * have tried the update hold one already, and would wait for each other.
 */
static OrmAnswer
change_row(const OrmChange *change)
{
	OrmAnswer	answer;

	/* as the names are looked up, nobody renames or drops anything */
	LockRelationOid(change->relid, RowExclusiveLock);
	require_trusted(change->relid, GetUserId(), RowExclusiveLock);
	require_rights(change, GetUserId());
	if (OidIsValid(change->caller))
		require_caller(change);
	if (update_row(change, &answer))
		return answer;

	require_insert(change, GetUserId());
	if (OidIsValid(change->caller))
		require_insert(change, change->caller);
	LockDatabaseObject(RelationRelationId, change->relid, 0, ExclusiveLock);
	if (!update_row(change, &answer) && !insert_row(change, &answer) &&
		!update_row(change, &answer))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("could not create the row of the source in table \"%s\"",
						get_rel_name(change->relid))));
	return answer;
}

static OrmChange *
make_change(const OrmSource *source, Size *size)
{
	const OrmStyle *style = source->style;
	const char *key_value = source->key_column != NULL ? source->key_value : "";
	OrmChange  *change;

	*size = offsetof(OrmChange, key_value) + strlen(key_value) + 1;
	change = palloc0(*size);
	change->relid = source->relid;
	change->caller = source->caller;
	if (style->block_column == NULL)
		change->step = orm_style_steps_by_block(style) ? source->ids : 1;
	change->first = source->initial - style->offset;
	change->block = Max(source->block, 1);
	namestrcpy(&change->hi_column, source->hi_column);
	if (source->key_column != NULL)
		namestrcpy(&change->key_column, source->key_column);
	if (style->block_column != NULL)
		namestrcpy(&change->block_column, style->block_column);
	if (style->count_column != NULL)
		namestrcpy(&change->count_column, style->count_column);
	strlcpy(change->key_value, key_value,
			*size - offsetof(OrmChange, key_value));
	return change;
}

/*
 * Return the type below the domains of a column, or report an error if there is no
 * such column.
 */
static Oid
column_type(Oid relid, const char *column)
{
	return getBaseType(get_atttype(relid, column_number(relid, column)));
}

/*
 * Report an error unless there is a column of that name, which holds a number as
 * it is given.
 */
static void
refuse_inexact(Oid relid, const char *column)
{
	Oid			type = column_type(relid, column);

	if (type == FLOAT4OID || type == FLOAT8OID)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of table \"%s\" does not hold every number exactly",
						column, get_rel_name(relid)),
				 errdetail("Its type is %s.", format_type_be(type))));
}

/*
 * Change the row; false if there is none.
 */
static bool
update_row(const OrmChange *change, OrmAnswer *answer)
{
	if (relation_execute(change->relid, update_statement(change)) != SPI_OK_UPDATE_RETURNING)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("table \"%s\" has a rule instead of UPDATE",
						get_rel_name(change->relid))));
	if (SPI_processed == 0)
		return false;
	if (SPI_processed > 1)
		ereport(ERROR,
				(errcode(ERRCODE_CARDINALITY_VIOLATION),
				 errmsg("more than one row of table \"%s\" could be the source",
						get_rel_name(change->relid)),
				 errhint("Pass key_column and key_value to hilo_adopt_table.")));
	answer->stored = result_column(1);
	answer->step = result_column(2);
	answer->steps = result_column(3);
	if (answer->step < 1)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the row in table \"%s\" has a block of %lld ids",
						get_rel_name(change->relid),
						(long long) answer->step)));
	return true;
}

/*
 * Make the row, with the blocks already taken; false if the ORM was faster.
 */
static bool
insert_row(const OrmChange *change, OrmAnswer *answer)
{
	int64		blocks = change->step != 0 ? change->blocks :
		(change->blocks - 1) / change->block + 1;
	int64		hi;

	answer->stored = change->first;
	answer->step = change->step != 0 ? change->step : change->block;
	if (pg_mul_s64_overflow(blocks, answer->step, &answer->steps) ||
		pg_add_s64_overflow(change->first, answer->steps, &hi))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("bigint out of range")));
	if (change->is_raise)
		hi = Max(change->first, change->at_least);

	/* a rule may do something else instead */
	return relation_execute(change->relid, insert_statement(change, hi)) == SPI_OK_INSERT_RETURNING &&
		SPI_processed == 1;
}

/*
 * Make the statement that changes the row and returns what makes the answer; a
 * raise has none.
 */
static char *
update_statement(const OrmChange *change)
{
	const char *hi = quote_identifier(NameStr(change->hi_column));
	const char *step;
	const char *steps;
	StringInfoData sql;

	if (change->step != 0)
	{
		step = psprintf("%lld::pg_catalog.int8", (long long) change->step);
		steps = psprintf("%lld * %s", (long long) change->blocks, step);
	}
	else
	{
		step = psprintf("%s::pg_catalog.int8",
						quote_identifier(NameStr(change->block_column)));
		steps = psprintf("(%lld / %s + 1) * %s",
						 (long long) change->blocks - 1, step, step);
	}

	initStringInfo(&sql);
	appendStringInfo(&sql, "UPDATE %s SET %s = ", relation_name(change->relid), hi);
	if (change->is_raise)
		appendStringInfo(&sql, "GREATEST(%s::pg_catalog.int8, %lld)", hi,
						 (long long) change->at_least);
	else
		appendStringInfo(&sql, "%s::pg_catalog.int8 + %s", hi, steps);
	if (NameStr(change->count_column)[0] != '\0')
	{
		const char *count = quote_identifier(NameStr(change->count_column));

		appendStringInfo(&sql, ", %s = %s + 1", count, count);
	}
	append_key(&sql, change);
	appendStringInfo(&sql, " RETURNING %s::pg_catalog.int8 - %s, %s, %s", hi,
					 steps, step, steps);
	return sql.data;
}

static char *
insert_statement(const OrmChange *change, int64 hi)
{
	StringInfoData columns;
	StringInfoData values;

	initStringInfo(&columns);
	initStringInfo(&values);
	appendStringInfoString(&columns, quote_identifier(NameStr(change->hi_column)));
	appendStringInfo(&values, "%lld", (long long) hi);
	if (NameStr(change->key_column)[0] != '\0')
	{
		appendStringInfo(&columns, ", %s",
						 quote_identifier(NameStr(change->key_column)));
		appendStringInfo(&values, ", %s", quote_literal_cstr(change->key_value));
	}
	if (NameStr(change->block_column)[0] != '\0')
	{
		appendStringInfo(&columns, ", %s",
						 quote_identifier(NameStr(change->block_column)));
		appendStringInfo(&values, ", %lld", (long long) change->block);
	}
	if (NameStr(change->count_column)[0] != '\0')
	{
		appendStringInfo(&columns, ", %s",
						 quote_identifier(NameStr(change->count_column)));
		appendStringInfoString(&values, ", 1");
	}
	return psprintf("INSERT INTO %s (%s) VALUES (%s) ON CONFLICT DO NOTHING RETURNING %s",
					relation_name(change->relid), columns.data, values.data,
					quote_identifier(NameStr(change->hi_column)));
}

/*
 * Append the condition that finds the row, if it has a key.
 */
static void
append_key(StringInfo sql, const OrmChange *change)
{
	if (NameStr(change->key_column)[0] != '\0')
		appendStringInfo(sql, " WHERE %s OPERATOR(pg_catalog.=) %s",
						 quote_identifier(NameStr(change->key_column)),
						 quote_literal_cstr(change->key_value));
}

/*
 * Return a column of the one row that a statement gave.
 */
static int64
result_column(int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(SPI_tuptable->vals[0],
									  SPI_tuptable->tupdesc, column, &isnull);

	if (isnull)
		refuse_null();
	return DatumGetInt64(value);
}

static void
refuse_null(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 errmsg("the row of the source must not hold a null")));
}
