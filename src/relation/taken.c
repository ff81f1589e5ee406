/*
 * hilo_taken: the sequences of columns that hilo_attach has put on generators.
 *
 * A row has values, and no statement: the owner of the database may restore one
 * of any content.  Its names are quoted.  Its schema counts only if the table's
 * owner may create in it, and a right only if its role may use the generator,
 * or read the table, when the column is detached.
 *
 * The type hilo_column holds a table's OID and a column's number, which stay
 * when either is renamed.  It is written as their names, since a dump shifts
 * both.
 */
#include "postgres.h"

#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "commands/defrem.h"
#include "executor/spi.h"

#include "relation/relation.h"

PG_FUNCTION_INFO_V1(hilo_column_in);
PG_FUNCTION_INFO_V1(hilo_column_out);

#define Anum_taken_col 1
#define Anum_taken_rights 11
#define Anum_taken_comment 12

/*
 * the sequence is an identity's, with the letter of pg_attribute, or one of
 * these
 */
#define KIND_SERIAL 's'			/* owned by the column */
#define KIND_FREE 'f'			/* owned by no column, or by another one */
#define IsIdentity(taken) ((taken)->kind == ATTRIBUTE_IDENTITY_ALWAYS || \
						   (taken)->kind == ATTRIBUTE_IDENTITY_BY_DEFAULT)

#define ColumnKey(relid, attnum) \
	((int64) ((uint64) (relid) << 32 | (uint16) (attnum)))
#define KeyRelid(key) ((Oid) ((uint64) (key) >> 32))
#define KeyAttnum(key) ((AttrNumber) ((key) & 0xffff))

/* A row; keep the columns up to the rights in step with taken.sql. */
typedef struct Taken
{
	int64		column;
	int64		start;
	int64		min_value;
	int64		max_value;
	int64		cache;
	Oid			type;
	NameData	schema;
	NameData	name;
	char		kind;
	bool		is_unlogged;

	ArrayType  *rights;			/* NULL: none was taken */
	char	   *comment;
} Taken;

/*
 * the row of a sequence that a column draws from.  The right of a role, other
 * than the owner, is a text like "USAGE app"; "USAGE* app" with the grant
 * option, and "USAGE " for PUBLIC.
 */
static const char row_of_sequence[] =
"SELECT %lld::int8, seqstart, seqmin, seqmax, seqcache, seqtypid,"
" nspname, c.relname,"
" CASE WHEN attidentity <> '' THEN attidentity"
" WHEN deptype = 'a' THEN 's' ELSE 'f' END, relpersistence = 'u',"
" ARRAY(SELECT concat(privilege_type,"
" CASE WHEN is_grantable THEN '*' END, ' ', rolname)"
" FROM aclexplode(relacl) LEFT JOIN pg_roles r ON r.oid = grantee"
" WHERE grantee <> relowner),"
" coalesce(obj_description(c.oid, 'pg_class'), '')"
" FROM pg_sequence JOIN pg_class c ON c.oid = seqrelid"
" JOIN pg_namespace n ON n.oid = relnamespace"
" JOIN pg_attribute ON (attrelid, attnum) = (%u, %d)"
" LEFT JOIN pg_depend ON (classid, objid, objsubid) = (c.tableoid, c.oid, 0)"
" AND (refclassid, refobjid, refobjsubid) = (c.tableoid, attrelid, attnum)"
" WHERE seqrelid = %u";

static void remove_rows(int64 from, int64 to, Taken *taken);
static Taken like_serial(const Column *column);
static Oid	find_sequence(const Column *column, const Taken *taken);
static Oid	make_sequence(const Column *column, Taken *taken, int64 last);
static Oid	choose_schema(const Column *column, const Taken *taken);
static void choose_name(const Column *column, Taken *taken, Oid schema);
static void choose_limit(const Column *column, Taken *taken, int64 last);
static void give_rights_back(const Column *column, text *generator,
							 Oid sequence,
							 ArrayType *rights);
static void give_right_back(const Column *column, text *generator, Oid sequence,
							const char *right);

Datum
hilo_column_in(PG_FUNCTION_ARGS)
{
	char	   *name = "";
	Oid			relid = relation_of_name(PG_GETARG_CSTRING(0), &name);
	AttrNumber	attnum = get_attnum(relid, name);

	if (attnum <= 0)
		PG_RETURN_INT64(0);
	PG_RETURN_INT64(ColumnKey(relid, attnum));
}

/* Return the names of a table and its column; empty if either is gone. */
Datum
hilo_column_out(PG_FUNCTION_ARGS)
{
	int64		key = PG_GETARG_INT64(0);
	char	   *table = relation_name_in_dump(KeyRelid(key));
	char	   *column;

	/* a column that was dropped has no type */
	if (table[0] == '\0' ||
		!OidIsValid(get_atttype(KeyRelid(key), KeyAttnum(key))))
		PG_RETURN_CSTRING(pstrdup(""));
	column = get_attname(KeyRelid(key), KeyAttnum(key), false);
	PG_RETURN_CSTRING(psprintf("%s.%s", table, quote_identifier(column)));
}

/*
 * Insert the row of the sequence that a column draws from, if that is one of
 * some sequences that will be dropped.
 */
void
taken_keep(const Column *column, List *sequences)
{
	int64		key = ColumnKey(column->relid, column->attnum);
	Column		source = *column;
	Taken		former;
	HeapTuple	row;
	TupleDesc	desc;
	bool		isnull;

	column_find_source(&source);
	/* no event trigger fires at the end of a temporary table */
	if (!list_member_oid(sequences, source.sequence) ||
		get_rel_persistence(column->relid) == RELPERSISTENCE_TEMP)
		return;
	remove_rows(key, key, &former);

	relation_query(psprintf(row_of_sequence, (long long) key, column->relid,
							column->attnum, source.sequence));
	row = SPI_tuptable->vals[0];
	desc = SPI_tuptable->tupdesc;
	own_table_insert(OWN_TAKEN, GETSTRUCT(row),
					 DatumGetPointer(heap_getattr(row, Anum_taken_rights, desc,
												  &isnull)),
					 DatumGetTextPP(heap_getattr(row, Anum_taken_comment, desc,
												 &isnull)), false);
	SPI_finish();
}

/*
 * Warn that the table's owner, or the current role, will not be able to detach
 * a column.
 */
void
taken_warn(const Column *column)
{
	Oid			schema = get_rel_namespace(column->relid);
	Oid			roles[] = {relation_owner(column->relid), GetUserId()};

	for (size_t i = 0; i < lengthof(roles) && !superuser(); i++)
	{
		if (object_aclcheck(NamespaceRelationId, schema, roles[i],
							ACL_CREATE) == ACLCHECK_OK)
			continue;
		ereport(WARNING,
				errmsg("hilo_detach will fail for column \"%s\" of table \"%s\"",
					   column->name, get_rel_name(column->relid)),
				errdetail("It creates a sequence in schema \"%s\".",
						  get_namespace_name(schema)),
				errhint("Run GRANT CREATE ON SCHEMA %s TO %s.",
						quote_identifier(get_namespace_name(schema)),
						quote_identifier(GetUserNameFromId(roles[i], false))));
		return;
	}
}

/*
 * Put a column on a sequence again, above last: on the one that hilo_attach
 * took, or on one like that of a serial.  Roles that may use the generator may
 * use the sequence.
 */
void
taken_give_back(const Column *column, text *generator, int64 last)
{
	int64		key = ColumnKey(column->relid, column->attnum);
	Taken		taken = like_serial(column);
	List	   *tables = column->tables;
	Oid			sequence;

	if (citus_has_rows_of(column->relid))
		column_sequence_refuse(column->relid, column->name,
							   "Citus workers begin anew with each sequence.");
	remove_rows(key, key, &taken);
	sequence = find_sequence(column, &taken);
	if (!OidIsValid(sequence))
	{
		sequence = make_sequence(column, &taken, last);
		if (taken.rights != NULL)
		{
			give_rights_back(column, generator, sequence, taken.rights);
			relation_run(psprintf("COMMENT ON SEQUENCE %s IS %s",
								  relation_name(sequence),
								  quote_literal_cstr(taken.comment)));
		}
	}
	/* INSERT on a table implies use of its identity */
	if (IsIdentity(&taken))
		tables = NIL;
	privilege_pass_on(generator, tables, sequence);

	(void) lock_table(sequence, ShareRowExclusiveLock, true);
	if (column_sequence_last(column, list_make1_oid(sequence)) < last)
		DirectFunctionCall3(setval3_oid, ObjectIdGetDatum(sequence),
							Int64GetDatum(last), BoolGetDatum(true));
	if (!IsIdentity(&taken))
		relation_run(psprintf("ALTER TABLE %s ALTER %s SET DEFAULT pg_catalog.nextval(%s::pg_catalog.regclass)",
							  relation_name(column->relid),
							  quote_identifier(column->name),
							  quote_literal_cstr(relation_name(sequence))));
}

/* Delete the rows of a table that is being dropped. */
void
taken_delete(Oid relid)
{
	Taken		last;

	remove_rows(ColumnKey(relid, 1), ColumnKey(relid, PG_UINT16_MAX), &last);
}

/*
 * Return the table of a row, InvalidOid if it, or the column, was missing when
 * the row was read.
 */
Oid
taken_table(HeapTuple tuple)
{
	return KeyRelid(((Taken *) GETSTRUCT(tuple))->column);
}

/* Check whether a row of a dump is of a column that has one. */
bool
taken_is_known(Relation rel, HeapTuple tuple)
{
	const Taken *taken = (Taken *) GETSTRUCT(tuple);

	return catalog_find_value(SnapshotSelf, RelationGetRelid(rel),
							  RelationGetPrimaryKeyIndex(rel, false),
							  Anum_taken_col, F_INT8EQ,
							  Int64GetDatum(taken->column), 1,
							  Anum_taken_col) != 0;
}

/* Delete the rows of some columns; set taken to the last one, if any. */
static void
remove_rows(int64 from, int64 to, Taken *taken)
{
	Relation	rel = own_table_open(OWN_TAKEN, RowExclusiveLock);
	TupleDesc	desc = RelationGetDescr(rel);
	SysScanDesc scan;
	ScanKeyData keys[2];
	HeapTuple	tuple;
	bool		isnull;

	ScanKeyInit(&keys[0], Anum_taken_col, BTGreaterEqualStrategyNumber,
				F_INT8GE,
				Int64GetDatum(from));
	ScanKeyInit(&keys[1], Anum_taken_col, BTLessEqualStrategyNumber, F_INT8LE,
				Int64GetDatum(to));
	scan = systable_beginscan(rel, RelationGetPrimaryKeyIndex(rel, false), true,
							  SnapshotSelf, lengthof(keys), keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		memcpy(taken, GETSTRUCT(tuple), offsetof(Taken, rights));
		taken->rights =
			DatumGetArrayTypePCopy(heap_getattr(tuple, Anum_taken_rights, desc,
												&isnull));
		taken->comment =
			TextDatumGetCString(heap_getattr(tuple, Anum_taken_comment, desc,
											 &isnull));
		CatalogTupleDelete(rel, &tuple->t_self);
	}
	systable_endscan(scan);
	table_close(rel, NoLock);
}

/* Return the row of the sequence that a serial column would have. */
static Taken
like_serial(const Column *column)
{
	Taken		taken = {
		.start = 1,.min_value = 1,.max_value = column->max_value,.cache = 1,
		.type = column->type == NUMERICOID ? INT8OID : column->type,
		.kind = KIND_SERIAL,.is_unlogged = true /* if the table is */
	};

	return taken;
}

/*
 * Return a sequence that exists and can be used, or InvalidOid.  That is the
 * one that was taken, if another column has kept it or the user has made it
 * again, or one that the column owns, if none was taken.  A sequence with a
 * CACHE cannot be used: sessions hold values that the generator may have handed
 * out, too.
 */
static Oid
find_sequence(const Column *column, const Taken *taken)
{
	List	   *owned = sequence_owned(column->relid, column->attnum,
									   true);
	Oid			sequence = InvalidOid;
	bool		is_usable;
	Oid			table;
	int32		number;

	if (taken->rights != NULL)
		sequence = get_relname_relid(NameStr(taken->name),
									 choose_schema(column, taken));
	else if (owned != NIL)
		sequence = linitial_oid(owned);
	if (IsIdentity(taken) || get_rel_relkind(sequence) != RELKIND_SEQUENCE ||
		relation_owner(sequence) != relation_owner(column->relid) ||
		sequence_form(sequence).seqcache > 1)
		return InvalidOid;
	is_usable = list_member_oid(owned, sequence);
	if (taken->kind == KIND_FREE)
		is_usable = !sequenceIsOwned(sequence, DEPENDENCY_INTERNAL, &table,
									 &number);
	return is_usable ? sequence : InvalidOid;
}

/* Create a column's sequence: an identity's, a serial's, or a free one. */
static Oid
make_sequence(const Column *column, Taken *taken, int64 last)
{
	Oid			schema = choose_schema(column, taken);
	Oid			owner = relation_owner(column->relid);
	char	   *table = relation_name(column->relid);
	const char *name = quote_identifier(column->name);
	char	   *options;
	char	   *written;

	choose_name(column, taken, schema);
	choose_limit(column, taken, last);
	written = quote_qualified_identifier(get_namespace_name(schema),
										 NameStr(taken->name));
	options = psprintf("START WITH %lld MINVALUE %lld MAXVALUE %lld CACHE %lld",
					   (long long) taken->start, (long long) taken->min_value,
					   (long long) taken->max_value, (long long) taken->cache);
	if (IsIdentity(taken))
		relation_run(psprintf("ALTER TABLE %1$s ALTER %2$s DROP DEFAULT; ALTER TABLE %1$s ALTER %2$s ADD GENERATED %3$s AS IDENTITY (SEQUENCE NAME %4$s %5$s)",
							  table, name,
							  taken->kind == ATTRIBUTE_IDENTITY_ALWAYS ?
							  "ALWAYS" : "BY DEFAULT",
							  written, options));
	else
		relation_run(psprintf("CREATE SEQUENCE %1$s AS %2$s %3$s; ALTER SEQUENCE %1$s OWNER TO %4$s",
							  written, format_type_be_qualified(taken->type),
							  options, privilege_grantee(owner)));
	if (taken->kind == KIND_SERIAL)
		relation_run(psprintf("ALTER SEQUENCE %s OWNED BY %s.%s", written,
							  table, name));
	/* an identity has become unlogged like its table, and a serial has not */
	if (get_rel_persistence(column->relid) == RELPERSISTENCE_UNLOGGED)
		relation_run(psprintf("ALTER SEQUENCE %s SET %s", written,
							  taken->is_unlogged ? "UNLOGGED" : "LOGGED"));
	return get_relname_relid(NameStr(taken->name), schema);
}

/*
 * Return the schema of the table, or that of a free sequence if the owner may
 * create there.
 */
static Oid
choose_schema(const Column *column, const Taken *taken)
{
	Oid			schema = InvalidOid;

	if (taken->kind == KIND_FREE)
		schema = get_namespace_oid(NameStr(taken->schema), true);
	if (OidIsValid(schema) &&
		object_aclcheck(NamespaceRelationId, schema,
						relation_owner(column->relid),
						ACL_CREATE) == ACLCHECK_OK)
		return schema;
	return get_rel_namespace(column->relid);
}

/*
 * Choose a name as PostgreSQL does, if there is none or another relation has
 * it.
 */
static void
choose_name(const Column *column, Taken *taken, Oid schema)
{
	bool		is_named = NameStr(taken->name)[0] != '\0';
	char	   *name;

	if (is_named &&
		!OidIsValid(get_relname_relid(NameStr(taken->name), schema)))
		return;
	name = ChooseRelationName(get_rel_name(column->relid), column->name, "seq",
							  schema, false);
	if (is_named)
		ereport(NOTICE,
				errmsg("sequence \"%s\" of column \"%s\" is now called \"%s\"",
					   NameStr(taken->name), column->name, name),
				errdetail("Another relation has the former name."));
	namestrcpy(&taken->name, name);
}

/*
 * Let a sequence end where the column does, if ids have passed its end or it
 * follows the type.
 */
static void
choose_limit(const Column *column, Taken *taken, int64 last)
{
	bool		is_passed =
		last >= taken->max_value && taken->max_value < column->max_value;
	int64		type_max = column_integer_max(taken->type);

	if (is_passed && taken->max_value != type_max)
		ereport(NOTICE,
				errmsg("sequence \"%s\" has no MAXVALUE %lld any more",
					   NameStr(taken->name), (long long) taken->max_value),
				errdetail("Ids up to %lld are in use.", (long long) last));
	if (is_passed || (IsIdentity(taken) && taken->max_value == type_max))
	{
		taken->max_value = column->max_value;
		taken->type = like_serial(column).type;
	}
}

/*
 * Revoke the rights that a new sequence has by default, and grant those that
 * the former one had.
 */
static void
give_rights_back(const Column *column, text *generator, Oid sequence,
				 ArrayType *rights)
{
	Datum	   *items;
	bool	   *nulls;
	int			count;

	foreach_oid(role, relation_grantees(sequence, ACL_ALL_RIGHTS_SEQUENCE))
	{
		const char *grantee = privilege_grantee(role);

		if (role != relation_owner(sequence) && grantee != NULL)
			relation_run(psprintf("REVOKE ALL ON SEQUENCE %s FROM %s",
								  relation_name(sequence), grantee));
	}
	deconstruct_array(rights, TEXTOID, -1, false, TYPALIGN_INT, &items, &nulls,
					  &count);
	for (int i = 0; i < count; i++)
	{
		if (!nulls[i])
			give_right_back(column, generator, sequence,
							TextDatumGetCString(items[i]));
	}
}

/*
 * Grant a right again, if its role may use the generator, or may read the table
 * for SELECT.  Ignore a text that is no right: a dump may hold any.
 */
static void
give_right_back(const Column *column, text *generator, Oid sequence,
				const char *right)
{
	static const char *const privileges[] = {"SELECT", "UPDATE", "USAGE"};
	size_t		length = strcspn(right, "* ");
	bool		with_option = right[length] == '*';
	const char *user = right + length + with_option;
	Definition	definition = {0};
	Oid			role;
	bool		may;

	if (*user++ != ' ')
		return;
	role = get_role_oid(user, true);
	if (*user != '\0' && !OidIsValid(role))
		return;
	(void) definition_find(generator, &definition);
	may = definition.is_public;
	if (role != ACL_ID_PUBLIC)
		may = privilege_may_use(generator, &definition, role);
	for (size_t i = 0; i < lengthof(privileges); i++)
	{
		const char *name = privileges[i];

		if (strlen(name) != length || strncmp(right, name, length) != 0)
			continue;
		/* a role that reads the table may read its sequence */
		if (strcmp(name, "SELECT") == 0)
			may |= pg_class_aclcheck(column->relid, role,
									 ACL_SELECT) == ACLCHECK_OK;
		if (may)
			relation_run(psprintf("GRANT %s ON SEQUENCE %s TO %s%s", name,
								  relation_name(sequence),
								  privilege_grantee(role), with_option ?
								  " WITH GRANT OPTION" : ""));
	}
}
