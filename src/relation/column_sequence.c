/*
 * The sequences of a column.
 *
 * A column owns the sequence of serial, or of an identity, and its default may
 * call another.  The last value of a sequence shows which ids it has handed out
 * only if the sequence counts upwards by one, without CYCLE.
 */
#include "postgres.h"

#include "catalog/dependency.h"
#include "catalog/pg_depend.h"

#include "relation/relation.h"

static bool is_in_use(Oid sequence);
static void report_program(const Column *column, Oid sequence, int elevel);

/* Return the sequences that a column draws from, and others that it owns. */
List *
column_sequence_list(const Column *column, bool with_owned)
{
	List	   *sequences = NIL;

	foreach_oid(relid, column->tables)
	{
		ColumnDefault found = column_default_find(relid, column->name);
		List	   *owned;

		/* an identity may hide an inherited default */
		owned = sequence_owned(relid, found.attnum, with_owned);
		sequences = list_concat_unique_oid(sequences, owned);
		if (found.draws_nothing ||
			(found.written != NULL && !OidIsValid(found.sequence)))
			continue;
		if (get_rel_relkind(found.sequence) != RELKIND_SEQUENCE)
			column_sequence_report(relid, column->name,
								   "Its default is neither a constant nor a mere call of nextval or of a generator with a constant name.");

		/* a part may name a sequence that its owner may not lock or drop */
		if (!list_member_oid(sequences, found.sequence) &&
			!object_ownercheck(RelationRelationId, found.sequence,
							   relid == column->relid ? GetUserId() :
							   relation_owner(relid)))
			aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_SEQUENCE,
						   get_rel_name(found.sequence));
		sequences = list_append_unique_oid(sequences, found.sequence);
	}
	return sequences;
}

/*
 * Report an error if a program may draw the column's ids from a sequence: one
 * that the column owns, or one in the table's schema with a name that an ORM
 * would give it.  Only warn if the column itself draws from elsewhere.
 */
void
column_sequence_refuse_programs(const Column *column, List *drawn,
								List *owned)
{
	int			elevel = WARNING;

	if (drawn == NIL &&
		column_default_find(column->relid, column->name).draws_nothing)
		elevel = ERROR;
	foreach_oid(sequence,
				list_concat(list_difference_oid(owned, drawn),
							column_sequence_by_convention(column->relid,
														  column->name)))
		report_program(column, sequence, elevel);
}

/*
 * Return the sequences of the table's owner with a name that an ORM would give
 * them, but for those in use.
 */
List *
column_sequence_by_convention(Oid relid, const char *column)
{
	const char *table = get_rel_name(relid);
	Oid			owner = relation_find_owner(relid);
	List	   *sequences = NIL;
	const char *names[4];

	/* no lock keeps it from being dropped */
	if (table == NULL)
		return NIL;
	names[0] = psprintf("%s_seq", table);
	names[1] = psprintf("%s_SEQ", table);
	names[2] = psprintf("%sSequence", table);
	names[3] = psprintf("%s_%s_seq", table, column);
	for (size_t i = 0; i < lengthof(names); i++)
	{
		Oid			sequence = get_relname_relid(names[i],
												 get_rel_namespace(relid));

		if (get_rel_relkind(sequence) == RELKIND_SEQUENCE &&
			has_privs_of_role(relation_find_owner(sequence), owner) &&
			!is_in_use(sequence))
			sequences = lappend_oid(sequences, sequence);
	}
	return sequences;
}

/*
 * Check whether a column owns a sequence, a generator has adopted it, or a
 * default or the like names it.
 */
static bool
is_in_use(Oid sequence)
{
	Oid			table;
	int32		number;
	Relation	rel;
	ScanKeyData keys[2];
	SysScanDesc scan;
	bool		is_referenced;

	if (sequenceIsOwned(sequence, DEPENDENCY_AUTO, &table, &number) ||
		sequenceIsOwned(sequence, DEPENDENCY_INTERNAL, &table, &number) ||
		sequence_generator(sequence) != NULL)
		return true;
	rel = table_open(DependRelationId, AccessShareLock);
	ScanKeyInit(&keys[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(RelationRelationId));
	ScanKeyInit(&keys[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(sequence));
	scan = systable_beginscan(rel, DependReferenceIndexId, true, NULL, 2, keys);
	is_referenced = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return is_referenced;
}

/*
 * Report that a program may draw a column's ids from a sequence.  Say nothing
 * of an identity's sequence, of one that a generator has adopted, or of one
 * that counts downwards, which no generator can adopt.
 */
static void
report_program(const Column *column, Oid sequence, int elevel)
{
	FormData_pg_sequence options = sequence_form(sequence);
	Oid			table;
	int32		number;
	char	   *name;
	char	   *call;
	char	   *then = "";
	char	   *adopt = "Give";

	if (options.seqincrement < 1 || sequence_generator(sequence) != NULL ||
		sequenceIsOwned(sequence, DEPENDENCY_INTERNAL, &table, &number))
		return;
	name = quote_literal_cstr(relation_name(sequence));
	call = psprintf("hilo_adopt_sequence(%s, %s",
					quote_literal_cstr(relation_name(column->relid)),
					quote_literal_cstr(column->name));
	/* a table has one generator of its own */
	if (elevel == WARNING ||
		get_rel_persistence(column->relid) == RELPERSISTENCE_TEMP ||
		citus_has_rows_of(column->relid) ||
		definition_exists(key_of_relation(column->relid)))
	{
		call = psprintf("hilo_adopt_sequence_tag(%s", name);
		then = psprintf(", then hilo_attach with generator => %s", name);
	}
	/* no generator can adopt a temporary one */
	if (get_rel_persistence(sequence) != RELPERSISTENCE_TEMP)
		adopt = psprintf("If a program calls nextval for such ids, run %s, %s, 'hibernate-pooled', %lld), in the style of that program%s. Otherwise give",
						 call, name, (long long) options.seqincrement, then);
	ereport(elevel,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("sequence \"%s\" may hand out ids of column \"%s\"",
				   get_rel_name(sequence), column->name),
			errhint("%s the sequence INCREMENT 1, set the default to nextval(%s), and call hilo_attach again.",
					adopt, name));
}

/*
 * Return the highest value that sequences have given.  Report an error if the
 * last value of one does not show that.
 */
int64
column_sequence_last(const Column *column, List *sequences)
{
	int64		last = PG_INT64_MIN;

	if (sequences == NIL)
		return 0;
	foreach_oid(sequence, sequences)
	{
		LOCKMODE	lockmode = ShareRowExclusiveLock;
		FormData_pg_sequence options;
		int64		value;

		/* no value is taken before the change, except of a source */
		if (sequence_generator(sequence) != NULL)
			lockmode = RowExclusiveLock;
		(void) lock_table(sequence, lockmode, true);
		options = sequence_form(sequence);
		if (options.seqincrement > 1)
			report_program(column, sequence, ERROR);
		if (options.seqincrement != 1 || options.seqcycle)
			column_sequence_report(column->relid, column->name,
								   psprintf("Sequence \"%s\" does not count upwards by one, or has CYCLE.",
											get_rel_name(sequence)));
		value = sequence_last(sequence);
		last = Max(last, value);
	}
	return last;
}

/*
 * Drop sequences that a column drew from, of identities or others: a later
 * nextval would repeat ids.  Report an error if the table's owner does not own
 * one, or if it has other users.
 */
void
column_sequence_drop(const Column *column, List *sequences, bool of_identity)
{
	Oid			owner = relation_owner(column->relid);

	foreach_oid(sequence, sequences)
	{
		char	   *name = get_rel_name(sequence);
		char	   *statement;
		Oid			table;
		int32		number;
		bool		is_identity = sequenceIsOwned(sequence, DEPENDENCY_INTERNAL,
												  &table, &number) &&
			list_member_oid(column->tables, table);

		if (name == NULL || is_identity != of_identity)
			continue;
		statement = psprintf("DROP SEQUENCE %s", relation_name(sequence));
		if (of_identity)
			statement = psprintf("ALTER TABLE %s ALTER %s DROP IDENTITY",
								 relation_name(table),
								 quote_identifier(get_attname(table, number,
															  false)));
		else
			stream_refuse_adopted(sequence);
		if (of_identity && sequence_generator(sequence) != NULL)
			ereport(ERROR,
					errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					errmsg("cannot drop the identity of column \"%s\"",
						   column->name),
					errdetail("Its sequence is the source of a generator."),
					errhint("Drop the identity with ALTER TABLE, create the sequence again above the ids in use, and adopt that."));
		if (!object_ownercheck(RelationRelationId, sequence, owner))
			aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_SEQUENCE, name);
		relation_run(statement);
		ereport(NOTICE,
				errmsg("sequence \"%s\" has been dropped", name));
	}
}

void
column_sequence_report(Oid relid, const char *name, const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("cannot determine which ids column \"%s\" of table \"%s\" was given", name, get_rel_name(relid)),
			errdetail_internal("%s", detail),
			errhint("If every id in use is in a row, first drop the default, identity or expression, and its sequence. Otherwise raise the new source above those ids with hilo_seed or setval, and set the default with ALTER TABLE."));
}
