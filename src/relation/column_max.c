/*
 * The greatest value of a column.
 *
 * A query finds it wherever the rows are: in a heap, in shards, or in what an
 * extension keeps beside the table.  Each table is asked as its owner, whose
 * code may run then, restricted as core restricts it for REINDEX.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "executor/spi.h"
#include "parser/parse_node.h"
#include "pgstat.h"
#include "utils/guc.h"

#include "relation/relation.h"

/* A look for the greatest value, and the receiver of the rows. */
typedef struct Look
{
	DestReceiver receiver;
	const Column *column;
	int64		limit;			/* greater ids are left out */
	int64		value;
	Relation	rel;			/* one of the column's tables */
} Look;

pg_noreturn static void refuse_type(const Column *column);
static bool is_being_rewritten(const Column *column);
static bool hides_ids(Relation rel, const char *name, bool is_rewritten);
static void look_at_table(void *arg);
static void set_up_parser(ParseState *pstate, void *arg);
static Node *require_relation(ParseState *pstate, ColumnRef *column);
static bool note_row(TupleTableSlot *slot, DestReceiver *receiver);

/*
 * Return the greatest value of a column as it is now, or, where ids are texts,
 * the greatest number in them that comes from its generator; 0 if there is none
 * above.  Sentinels are left out, with a warning, but no ids up to last, the last one
 * that the column's source gave.  The tables are locked.
 *
 * At a first use, whose generator outlives a rollback, also the ids count that
 * a rollback of this transaction brings back; report an error if it hides them.
 */
int64
column_max(const Column *column, int64 last)
{
	int64		limit = column->max_value - column->max_value / 10;
	int64		rest;
	int64		max = column_greatest(column, column->max_value);

	if (max <= Max(limit, last))
		return max;
	rest = column_greatest(column, limit);
	return column_is_sentinel(column->relid, column->attnum, max, rest) ? rest : max;
}

/*
 * Check whether an id lies in the last tenth of its type while all others are
 * in the first half, and warn if so: above it the type would soon be used up.
 */
bool
column_is_sentinel(Oid relid, AttrNumber attnum, int64 id, int64 rest)
{
	int64		max_value = column_type_max(relid, attnum);

	if (id <= max_value - max_value / 10 || rest > max_value / 2)
		return false;
	ereport(WARNING,
			(errmsg("column \"%s\" of table \"%s\" has an id near the end of its type",
					get_attname(relid, attnum, false), get_rel_name(relid)),
			 !relation_may_read(relid, GetUserId()) ? 0 :
			 errdetail("Ids continue above %lld, not above %lld.",
					   (long long) rest, (long long) id),
			 errhint("Delete such rows, or give them other ids. If they are no mistake, raise the generator above them with hilo_seed.")));
	return true;
}

/* Return the greatest value up to a limit as column_max does, sentinel or not. */
int64
column_greatest(const Column *column, int64 limit)
{
	Look		look = {.receiver = *None_Receiver,.column = column,.limit = limit};
	bool		is_rewritten = column->is_first_use && is_being_rewritten(column);

	look.receiver.receiveSlot = note_row;
	if (!column->is_wrapped && !column_type_has_ids(column->type))
		refuse_type(column);
	foreach_oid(relid, column->tables)
	{
		char		relkind = get_rel_relkind(relid);

		if (relkind == RELKIND_FOREIGN_TABLE || relkind == RELKIND_VIEW)
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("cannot determine the greatest id in %s \"%s\"",
							relkind == RELKIND_VIEW ? "view" : "foreign table",
							get_rel_name(relid)),
					 column->where != NULL ? 0 :
					 errhint("Raise the generator with hilo_seed, after hilo_create if there is none, or the sequence with setval, and set the default with ALTER TABLE.")));
		if (relkind != RELKIND_RELATION || !relation_is_table(relid))
			continue;
		look.rel = table_open(relid, NoLock);
		if (column->is_first_use && hides_ids(look.rel, column->name, is_rewritten))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the current transaction hides ids of table \"%s\"",
							get_rel_name(relid)),
					 errdetail("It has truncated or rewritten the table, or changed rows of its own after a savepoint. A rollback could bring ids back."),
					 column->where != NULL || column->is_wrapped ?
					 errhint("Take the first id in another transaction.") :
					 errhint("Run hilo_resync(%s, %s) first, or take the first id in another transaction.",
							 quote_literal_cstr(relation_name(column->relid)),
							 quote_literal_cstr(column->name))));
		/* a column being added is in no index that a query could use */
		if (!is_rewritten)
			attempt_and_undo(look_at_table, &look);
		table_close(look.rel, NoLock);
	}
	return look.value;
}

static void
refuse_type(const Column *column)
{
	char	   *generator = quote_literal_cstr(text_to_cstring(column->generator));

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("cannot determine the greatest id in column \"%s\" of type %s",
					column->name, format_type_be(get_atttype(column->relid, column->attnum))),
			 errhint("Run hilo_create(%s), then hilo_seed(%s, ...) with the greatest id.",
					 generator, generator)));
}

/* Check whether ALTER TABLE rewrites one of the tables: it calls the new one so. */
static bool
is_being_rewritten(const Column *column)
{
	bool		is = false;

	foreach_oid(relid, column->tables)
	{
		Oid			new = get_relname_relid(psprintf("pg_temp_%u", relid),
											get_rel_namespace(relid));

		is |= TransactionIdIsCurrentTransactionId(catalog_row_xmin(RELOID, new));
	}
	return is;
}

/*
 * Check whether a rollback could bring back ids that no snapshot sees: those of
 * other storage, and those that this transaction has made and then changed or
 * deleted after a savepoint.  While a table is rewritten, that is whether its rows
 * have a value, without a look at it: its type may be about to change.
 */
static bool
hides_ids(Relation rel, const char *name, bool is_rewritten)
{
	AttrNumber	attnum = get_attnum(RelationGetRelid(rel), name);
	bool		is_changed = false;
	bool		hides = !is_rewritten && RelationHasNewStorage(rel) &&
		(rel->rd_firstRelfilelocatorSubid != rel->rd_createSubid ||
		 rel->rd_newRelfilelocatorSubid != rel->rd_createSubid);

	if (is_rewritten)
	{
		SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, SnapshotAny, 0, NULL);
		HeapTuple	tuple;

		while (!hides && (tuple = systable_getnext(scan)) != NULL)
			hides = HeapTupleHeaderGetNatts(tuple->t_data) >= attnum ||
				TupleDescAttr(RelationGetDescr(rel), attnum - 1)->atthasmissing;
		systable_endscan(scan);
		return hides;
	}
	/* without counts nothing tells of such rows */
	if (!pgstat_should_count_relation(rel))
		return hides || TransactionIdIsValid(GetTopTransactionIdIfAny());
	for (PgStat_TableXactStatus *level = rel->pgstat_info->trans;
		 level != NULL; level = level->upper)
	{
		hides |= is_changed && level->tuples_inserted + level->tuples_updated > 0;
		is_changed |= level->tuples_deleted + level->tuples_updated > 0;
	}
	return hides;
}

/* Callback: look for the greatest value of a table; also of what is hidden. */
static void
look_at_table(void *arg)
{
	Look	   *look = arg;
	const char *id = quote_identifier(look->column->name);
	const char *from = psprintf("FROM %s%s", look->rel->rd_rel->relhassubclass ? "ONLY " : "",
								relation_name(RelationGetRelid(look->rel)));

	/* without a cast from the type, which may be code of another role's */
	const char *query = look->column->is_wrapped ?
		psprintf("SELECT 0::int8 %s WHERE %s IS DISTINCT FROM NULL", from, id) :
		!column_type_is_number(look->column->type) ? psprintf("SELECT %s::text %s", id, from) :
		psprintf("SELECT max(%s)::int8 %s WHERE %s BETWEEN 1 AND %lld%s",
				 id, from, id, (long long) look->limit,
				 look->column->where == NULL ? "" : look->column->where);

	column_query(RelationGetRelid(look->rel), query, false, &look->receiver);
	if (look->column->is_first_use && TransactionIdIsValid(GetTopTransactionIdIfAny()))
		column_query(RelationGetRelid(look->rel), query, true, &look->receiver);
}

/*
 * Run a query of a table as its owner, restricted; maybe as if this transaction had
 * changed nothing.  Call it under attempt_and_undo, which ends the settings.
 */
void
column_query(Oid relid, const char *query, bool is_before, DestReceiver *receiver)
{
	static const char *const settings[][2] = {
		{"search_path", "pg_catalog, pg_temp"}, {"row_security", "off"},
		{"constraint_exclusion", "off"}, {"gin_fuzzy_search_limit", "0"},
		{"jit", "off"}, {"max_parallel_workers_per_gather", "0"}
	};
	SPIExecuteOptions options = {.read_only = true,.dest = receiver};

	/* on other nodes, row security would hide rows without an error */
	SetUserIdAndSecContext(relation_owner(relid),
						   SECURITY_RESTRICTED_OPERATION |
						   (citus_has_rows_of(relid) ? 0 : SECURITY_NOFORCE_RLS));
	for (size_t i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i][0], settings[i][1], PGC_USERSET,
								 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	CommandCounterIncrement();
	PushCopiedSnapshot(GetLatestSnapshot());
	if (is_before)
		GetActiveSnapshot()->curcid = FirstCommandId;
	SPI_connect();
	(void) SPI_execute_plan_extended(SPI_prepare_params(query, set_up_parser, &relid, 0),
									 &options);
	SPI_finish();
	PopActiveSnapshot();
}

static void
set_up_parser(ParseState *pstate, void *arg)
{
	pstate->p_ref_hook_state = arg;
	pstate->p_pre_columnref_hook = require_relation;
}

/* Report an error if the name, whose schema may be renamed, leads elsewhere. */
static Node *
require_relation(ParseState *pstate, ColumnRef *column)
{
	Oid			relid = *(Oid *) pstate->p_ref_hook_state;

	if (linitial_node(RangeTblEntry, pstate->p_rtable)->relid != relid)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation \"%s\" has been renamed", get_rel_name(relid))));
	return NULL;
}

static bool
note_row(TupleTableSlot *slot, DestReceiver *receiver)
{
	Look	   *look = (Look *) receiver;
	bool		is_text = TupleDescAttr(slot->tts_tupleDescriptor, 0)->atttypid == TEXTOID;
	bool		isnull;
	Datum		value = slot_getattr(slot, 1, &isnull);
	int64		number;

	if (look->column->is_wrapped)
		refuse_type(look->column);
	/* longer texts, which may be of any size, are no ids */
	if (isnull || (is_text && toast_raw_datum_size(value) > ID_MAX_LENGTH + VARHDRSZ))
		return true;
	number = is_text ? pattern_number_of(DatumGetTextPP(value), look->column->generator) :
		DatumGetInt64(value);
	if (number <= look->limit)
		look->value = Max(look->value, number);
	return true;
}
