/* A column's number, and which ids its type can hold. */
#include "postgres.h"

#include <math.h>

#include "relation/relation.h"

static int64 integer_max(Oid type);

/* Return the number of a column of a table, both of which must exist. */
AttrNumber
column_require_attnum(Oid relid, const char *name)
{
	AttrNumber	attnum = get_attnum(relid, name);

	(void) relation_owner(relid);
	if (attnum <= 0)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_COLUMN),
				errmsg("column \"%s\" of relation \"%s\" does not exist",
					   name, get_rel_name(relid)));
	return attnum;
}

void
column_require_number(Oid relid, AttrNumber attnum, const char *hint)
{
	Oid			type = getBaseType(get_atttype(relid, attnum));

	if (!column_type_is_number(type))
		ereport(ERROR,
				errcode(ERRCODE_DATATYPE_MISMATCH),
				errmsg("column \"%s\" of table \"%s\" is neither of an integer type nor numeric",
					   get_attname(relid, attnum, false), get_rel_name(relid)),
				errdetail("Its type is %s.", format_type_be(type)),
				column_type_has_ids(type) ? errhint("%s", hint) : 0);
}

bool
column_type_is_number(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID ||
		type == NUMERICOID;
}

/* Check whether a type can hold ids: numbers, or texts with a number. */
bool
column_type_has_ids(Oid type)
{
	return column_type_is_number(type) ||
		TypeCategory(type) == TYPCATEGORY_STRING;
}

/*
 * Return the greatest value of an integer type, and of bigint for another type.
 */
static int64
integer_max(Oid type)
{
	if (type == INT2OID)
		return PG_INT16_MAX;
	return type == INT4OID ? PG_INT32_MAX : PG_INT64_MAX;
}

/*
 * Return the greatest whole number that a column can hold, and does not round.
 */
int64
column_type_max(Oid relid, AttrNumber attnum)
{
	Oid			type;
	Oid			collation;
	int32		typmod;
	int			digits;

	get_atttypetypmodcoll(relid, attnum, &type, &typmod, &collation);
	for (Oid domain = type; get_typtype(domain) == TYPTYPE_DOMAIN;
		 domain = GetSysCacheOid1(TYPEOID, Anum_pg_type_typbasetype,
								  ObjectIdGetDatum(domain)))
	{
		if (domain == GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid,
									  CStringGetDatum("id53"),
									  ObjectIdGetDatum(catalog_public_schema())))
			return id_domain_max(53);
	}
	type = getBaseTypeAndTypmod(type, &typmod);
	if (type != NUMERICOID || typmod < VARHDRSZ)
		return integer_max(type);

	/*
	 * before the point: the precision, less the scale, which has its sign in
	 * 0x400
	 */
	if (((typmod - VARHDRSZ) & 0x400) != 0)
		ereport(ERROR,
				errcode(ERRCODE_DATATYPE_MISMATCH),
				errmsg("cannot determine the greatest id in column \"%s\" of type %s",
					   get_attname(relid, attnum, false),
					   format_type_with_typemod(type, typmod)));
	digits = ((typmod - VARHDRSZ) >> 16) - ((typmod - VARHDRSZ) & 0x7ff);
	if (digits > 18)
		return PG_INT64_MAX;
	return (int64) rint(pow(10, Max(digits, 0))) - 1;
}
