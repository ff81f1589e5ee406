/*-------------------------------------------------------------------------
 *
 * anchor_move.c
 *	  Moving buckets to another server, in a background worker.
 *
 * A move commits step by step, which a function cannot: so a worker does the
 * steps of anchor_move_in_steps, and the function waits for it.  When the
 * caller is cancelled or ends, so does the worker, and the move goes on when
 * anchor_move is called again.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/anchor_move.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/snapmgr.h"

#include "anchor_move.h"
#include "catalog.h"
#include "relation.h"
#include "worker.h"

PG_FUNCTION_INFO_V1(anchor_move);

/*
 * What the worker gets.
 */
typedef struct MoveInput
{
	Oid			relid;
	NameData	schema;			/* of the extension */
	NameData	to_server;
	int32		chunk_rows;
	char		buckets[FLEXIBLE_ARRAY_MEMBER];
} MoveInput;

static void require_unused(Oid relid);
static void begin(const MoveInput *input);
static bool step(const MoveInput *input);
static Datum execute(const char *command, int nargs, Oid *types, Datum *values);

/*
 * anchor_move(rel, buckets, to_server, chunk_rows): moves a range of buckets
 * to another server.
 */
Datum
anchor_move(PG_FUNCTION_ARGS)
{
	char	   *buckets;
	MoveInput  *input;
	Size		size;

	for (int i = 0; i < PG_NARGS(); i++)
		if (PG_ARGISNULL(i))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("arguments of anchor_move must not be null")));

	buckets = OidOutputFunctionCall(F_RANGE_OUT, PG_GETARG_DATUM(1));
	size = offsetof(MoveInput, buckets) + strlen(buckets) + 1;
	input = palloc0(size);
	input->relid = PG_GETARG_OID(0);
	namestrcpy(&input->schema,
			   get_namespace_name(get_func_namespace(fcinfo->flinfo->fn_oid)));
	input->to_server = *PG_GETARG_NAME(2);
	input->chunk_rows = PG_GETARG_INT32(3);
	strlcpy(input->buckets, buckets, size - offsetof(MoveInput, buckets));

	catalog_require_writable("anchor_move()");
	require_unused(input->relid);
	worker_run(WORKER_ANCHOR_MOVE, input->relid, GetUserId(), input, size, NULL, 0);
	PG_RETURN_VOID();
}

/*
 * Does a move in the background worker, each step in a transaction.
 */
void
anchor_move_work(const void *input, void *answer)
{
	begin(input);
	while (step(input))
		;
}

/*
 * Raises an error if the current transaction uses the table: the worker would
 * wait for it.
 */
static void
require_unused(Oid relid)
{
	Relation	rel = RelationIdGetRelation(relid);

	if (!RelationIsValid(rel))
		relation_refuse_missing(relid);
	if (CheckRelationLockedByMe(rel, AccessShareLock, true))
		ereport(ERROR,
				(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
				 errmsg("cannot move buckets of table \"%s\" in a transaction that uses it",
						RelationGetRelationName(rel)),
				 errhint("Call anchor_move in a transaction of its own.")));
	RelationClose(rel);
}

/*
 * Notes what is to be moved, or finds it noted.
 */
static void
begin(const MoveInput *input)
{
	Oid			types[] = {REGCLASSOID, TEXTOID, NAMEOID, INT4OID};
	Datum		values[] = {
		ObjectIdGetDatum(input->relid),
		CStringGetTextDatum(input->buckets),
		NameGetDatum(&input->to_server),
		Int32GetDatum(input->chunk_rows)
	};
	const char *schema = quote_identifier(NameStr(input->schema));

	(void) execute(psprintf("SELECT %s.anchor_move_begin($1, $2::pg_catalog.int4range, $3, $4)", schema),
				   lengthof(types), types, values);
}

/*
 * Does the next step; says whether there may be more.
 */
static bool
step(const MoveInput *input)
{
	Oid			types[] = {REGCLASSOID, INT4OID};
	Datum		values[] = {
		ObjectIdGetDatum(input->relid),
		Int32GetDatum(input->chunk_rows)
	};
	const char *schema = quote_identifier(NameStr(input->schema));

	return DatumGetBool(execute(psprintf("SELECT %s.anchor_move_step($1, $2)", schema),
								lengthof(types), types, values));
}

/*
 * Runs a query in a transaction of its own; gives its one value.
 */
static Datum
execute(const char *command, int nargs, Oid *types, Datum *values)
{
	Datum		result;
	bool		isnull;

	worker_begin_transaction();
	SPI_connect();
	PushActiveSnapshot(GetTransactionSnapshot());
	if (SPI_execute_with_args(command, nargs, types, values, NULL, false, 1) != SPI_OK_SELECT ||
		SPI_processed != 1)
		elog(ERROR, "could not run: %s", command);
	result = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	PopActiveSnapshot();
	SPI_finish();
	worker_commit_transaction();
	return result;
}
