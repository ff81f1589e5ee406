/*-------------------------------------------------------------------------
 *
 * decimal_id.c
 *	  Decimal ids: counter, generator and launch, each in digits of its own.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/decimal_id.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"

#include "id_domain.h"

PG_FUNCTION_INFO_V1(decimal_id);
PG_FUNCTION_INFO_V1(decimal_id_parts);

/* id = counter * 10^10 + generator_id * 10^5 + launch_id */
#define COUNTER_UNIT INT64CONST(10000000000)
#define GENERATOR_UNIT INT64CONST(100000)

/* so that all of the generators and launches are there for each counter */
#define COUNTER_MAX INT64CONST(922337202)
#define GENERATOR_MAX 99999
#define LAUNCH_MAX 99999

/*
 * decimal_id(counter, generator_id, launch_id): the id of these parts.
 */
Datum
decimal_id(PG_FUNCTION_ARGS)
{
	int64		counter = PG_GETARG_INT64(0);
	int32		generator_id = PG_GETARG_INT32(1);
	int32		launch_id = PG_GETARG_INT32(2);

	id_domain_check_part("counter", counter, 1, COUNTER_MAX);
	id_domain_check_part("generator_id", generator_id, 0, GENERATOR_MAX);
	id_domain_check_part("launch_id", launch_id, 1, LAUNCH_MAX);
	PG_RETURN_INT64(counter * COUNTER_UNIT + generator_id * GENERATOR_UNIT +
					launch_id);
}

/*
 * decimal_id_parts(id): the parts of an id.  The launch_id may be 0, that of
 * tests.
 */
Datum
decimal_id_parts(PG_FUNCTION_ARGS)
{
	int64		id = PG_GETARG_INT64(0);
	TupleDesc	desc;
	Datum		values[3];
	bool		nulls[3] = {0};

	id_domain_check(id, COUNTER_UNIT, (COUNTER_MAX + 1) * COUNTER_UNIT - 1);
	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	values[0] = Int64GetDatum(id / COUNTER_UNIT);
	values[1] = Int32GetDatum((int32) (id % COUNTER_UNIT / GENERATOR_UNIT));
	values[2] = Int32GetDatum((int32) (id % GENERATOR_UNIT));
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc),
													  values, nulls)));
}
