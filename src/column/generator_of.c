/* The generators that a column of a table draws from. */
#include "postgres.h"

#include "column/column.h"

PG_FUNCTION_INFO_V1(hilo_generator_of);

Datum
hilo_generator_of(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			relid;
	AttrNumber	attnum;

	argument_require(fcinfo, 0, "table");
	argument_require(fcinfo, 1, "column");
	relid = PG_GETARG_OID(0);
	attnum = column_require_attnum(relid, NameStr(*PG_GETARG_NAME(1)));
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	foreach_ptr(ColumnDefault, column, column_default_generators(relid, attnum))
	{
		Datum		value =
			PointerGetDatum(name_shown(column->generator, column->written));
		bool		isnull = false;

		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, &value,
							 &isnull);
	}
	return (Datum) 0;
}
