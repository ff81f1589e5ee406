/*
 * Rows of tables that ORMs take their hi from.
 *
 * Such a row is changed by an ordinary UPDATE in a transaction of its own, as
 * the ORMs do it, in a background worker.  In the caller's transaction a
 * rollback would repeat ids, and an ORM that holds that transaction and takes a
 * block by another connection would wait for itself.
 *
 * The change is made as the owner of the generator, who must have the right
 * now, and not as the caller: who takes an id need not know whose table it
 * comes from.  Triggers that others have put on the table run with the rights
 * of that owner, so the owners of the table, of its partitions and of the
 * triggers' functions must have these rights anyway.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_proc.h"
#include "executor/spi.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "source/source.h"

/* A change of the row, as the background worker gets it. */
typedef struct RowChange
{
	OrmSource	source;			/* of its pointers only which are NULL counts */
	int64		amount;			/* of both see orm_table_change */
	int64		at_least;
	NameData	style;
	NameData	hi_column;
	NameData	key_column;
	char		key_value[FLEXIBLE_ARRAY_MEMBER];
} RowChange;

static void require_trusted_triggers(const OrmSource *source, Relation rel);
static bool update_row(const RowChange *change, OrmAnswer *answer);
static char *update_statement(const RowChange *change);
static char *insert_statement(const OrmSource *source);

/*
 * Report an error unless the source is a table with the columns that it names,
 * and the column of the hi holds every number exactly.
 */
void
orm_table_check(const OrmSource *source)
{
	const char *others[] = {source->key_column, source->style->count_column};
	AttrNumber	attnum = column_number(source->relid, source->hi_column);
	Oid			type = getBaseType(get_atttype(source->relid, attnum));

	if (type == FLOAT4OID || type == FLOAT8OID)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of table \"%s\" does not hold every number exactly",
						source->hi_column, get_rel_name(source->relid)),
				 errdetail("Its type is %s.", format_type_be(type))));
	for (size_t i = 0; i < lengthof(others); i++)
	{
		if (others[i] != NULL)
			(void) column_number(source->relid, others[i]);
	}
}

/*
 * Take so many blocks out of the row, which is made as the ORM would make it
 * if it is missing.  With an amount of 0, raise the row to a value at least.
 */
OrmAnswer
orm_table_change(const OrmSource *source, int64 amount, int64 at_least)
{
	const char *key_value = source->key_column != NULL ? source->key_value : "";
	const char *table = get_rel_name(source->relid);
	Size		size = offsetof(RowChange, key_value) + strlen(key_value) + 1;
	RowChange  *change = palloc0(size);
	OrmAnswer	answer;

	if (table == NULL)
		relation_refuse_missing(source->relid);
	change->source = *source;
	change->amount = amount;
	change->at_least = at_least;
	namestrcpy(&change->style, source->style->name);
	namestrcpy(&change->hi_column, source->hi_column);
	if (source->key_column != NULL)
		namestrcpy(&change->key_column, source->key_column);
	strcpy(change->key_value, key_value);

	(void) lock_take(lock_of_source_row(source->relid, key_value), true);
	answer = worker_run(table, source->actor, change, size);
	lock_give_up(lock_of_source_row(source->relid, key_value));
	return answer;
}

/*
 * Change the row, in the background worker.  Its statements check the rights.
 *
 * A missing row is made under a lock of ours, as there may be no unique index
 * to tell that somebody else has made it.  Not under one of the table: all who
 * have tried the update hold one already, and would wait for each other.
 *
 * Whether a crash could undo it is seen afterwards: a partition that is
 * attached meanwhile may have got the row.
 */
void
orm_table_change_row(const void *input, OrmAnswer *answer)
{
	RowChange  *change = unconstify(void *, input);
	OrmSource  *source = &change->source;
	Oid			relid = source->relid;

	source->style = orm_style(NameStr(change->style));
	source->hi_column = NameStr(change->hi_column);
	if (source->key_column != NULL)
		source->key_column = NameStr(change->key_column);
	source->key_value = change->key_value;

	/* as the names are looked up, nobody renames or drops anything */
	LockRelationOid(relid, RowExclusiveLock);
	if (!source->is_callers)
		orm_table_require_trusted(source, RowExclusiveLock);
	if (!update_row(change, answer))
	{
		LockDatabaseObject(RelationRelationId, relid, 0, ExclusiveLock);
		if (!update_row(change, answer))
		{
			(void) relation_execute(relid, insert_statement(source));
			if (!update_row(change, answer))
				ereport(ERROR,
						(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						 errmsg("could not create the row of the source in table \"%s\"",
								get_rel_name(relid))));
		}
	}
	relation_require_permanent(relid, true);
}

/*
 * Report an error if code of somebody who lacks the rights of the role that
 * changes the row would run as that role: of the owners of the table, of its
 * partitions and children, and of the functions of their triggers.  All these
 * tables are locked then.
 */
void
orm_table_require_trusted(const OrmSource *source, LOCKMODE lockmode)
{
	(void) lock_table(source->relid, lockmode, true);
	foreach_oid(relid, lock_inheritors(source->relid, lockmode))
	{
		Relation	rel = table_open(relid, NoLock);

		if (!has_privs_of_role(rel->rd_rel->relowner, source->actor))
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("the owner of table \"%s\" lacks the rights of role \"%s\"",
							RelationGetRelationName(rel),
							GetUserNameFromId(source->actor, false)),
					 errdetail("Triggers and other code of the owner on the table would run as that role."),
					 errhint("Let the table, its partitions and children, and the generator belong to one role.")));
		require_trusted_triggers(source, rel);
		table_close(rel, NoLock);
	}
}

/* Report an error if a trigger of the table may run code of others. */
static void
require_trusted_triggers(const OrmSource *source, Relation rel)
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
		if (!function->prosecdef &&
			!has_privs_of_role(function->proowner, source->actor))
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("trigger \"%s\" of table \"%s\" calls a function of role \"%s\"",
							trigger->tgname, RelationGetRelationName(rel),
							GetUserNameFromId(function->proowner, false)),
					 errdetail("It would run as role \"%s\".",
							   GetUserNameFromId(source->actor, false)),
					 errhint("Give the function to that role, or make it SECURITY DEFINER.")));
		ReleaseSysCache(tuple);
	}
}

/* Change the row, if there is one. */
static bool
update_row(const RowChange *change, OrmAnswer *answer)
{
	const char *table = get_rel_name(change->source.relid);
	Datum		stored;
	bool		isnull;

	if (relation_execute(change->source.relid,
						 update_statement(change)) != SPI_OK_UPDATE_RETURNING)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("table \"%s\" has a rule instead of UPDATE", table)));
	if (SPI_processed > 1)
		ereport(ERROR,
				(errcode(ERRCODE_CARDINALITY_VIOLATION),
				 errmsg("more than one row of table \"%s\" could be the source", table),
				 errhint("Adopt the table with a key_column and a key_value of one row.")));
	if (SPI_processed == 0)
		return false;
	stored = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1,
						   &isnull);
	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the row of table \"%s\" must not hold a null", table)));
	answer->stored = DatumGetInt64(stored);
	return true;
}

static char *
update_statement(const RowChange *change)
{
	const OrmSource *source = &change->source;
	const OrmStyle *style = source->style;
	const char *hi = quote_identifier(source->hi_column);
	char	   *steps = "0";
	StringInfoData sql;

	if (change->amount > 0)
		steps = psprintf("%lld::pg_catalog.int8 * %lld", (long long) change->amount,
						 orm_style_steps_by_block(style) ?
						 (long long) source->ids : 1LL);

	initStringInfo(&sql);
	appendStringInfo(&sql, "UPDATE %s SET %s = ", relation_name(source->relid), hi);
	if (change->amount > 0)
		appendStringInfo(&sql, "%s::pg_catalog.int8 + %s", hi, steps);
	else
		appendStringInfo(&sql, "GREATEST(%s::pg_catalog.int8, %lld)", hi,
						 (long long) change->at_least);
	if (style->count_column != NULL)
	{
		const char *count = quote_identifier(style->count_column);

		appendStringInfo(&sql, ", %s = %s + 1", count, count);
	}
	if (source->key_column != NULL)
		appendStringInfo(&sql, " WHERE %s OPERATOR(pg_catalog.=) %s",
						 quote_identifier(source->key_column),
						 quote_literal_cstr(source->key_value));
	appendStringInfo(&sql, " RETURNING %s::pg_catalog.int8 - %s", hi, steps);
	return sql.data;
}

static char *
insert_statement(const OrmSource *source)
{
	const OrmStyle *style = source->style;
	const char *hi = quote_identifier(source->hi_column);
	const char *columns = hi;
	const char *values = psprintf("%lld", (long long) source->initial - style->offset);

	if (source->key_column != NULL)
	{
		columns = psprintf("%s, %s", columns, quote_identifier(source->key_column));
		values = psprintf("%s, %s", values, quote_literal_cstr(source->key_value));
	}
	if (style->count_column != NULL)
	{
		columns = psprintf("%s, %s", columns, quote_identifier(style->count_column));
		values = psprintf("%s, 0", values);
	}
	return psprintf("INSERT INTO %s (%s) VALUES (%s) ON CONFLICT DO NOTHING RETURNING %s",
					relation_name(source->relid), columns, values, hi);
}
