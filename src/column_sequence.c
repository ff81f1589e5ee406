/*-------------------------------------------------------------------------
 *
 * column_sequence.c
 *	  The sequences of a column.
 *
 * A column owns the sequence of serial, or of an identity, and its default may
 * call others.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/column_sequence.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

#include "column_default.h"
#include "column_sequence.h"
#include "lock.h"
#include "relation.h"

static int64 last_of_table(Oid relid, AttrNumber attnum);
static bool last_of_default(Node *node, int64 *last);
static Oid	relation_of_constant(Node *node);
static int64 last_of_sequence(Oid sequence);
static void refuse_inherited_identity(const Column *column);
static void drop_identity(Oid relid, AttrNumber attnum, bool inherited);
static void own_identity_sequence(Oid sequence, Oid relid, AttrNumber attnum);
static Oid	owned_sequence(Oid relid, AttrNumber attnum, char deptype);
static Oid	create_sequence(const Column *column);
static void raise_sequence(Oid sequence, int64 last);
static bool is_past(FormData_pg_sequence_data state, int64 last);
static void require_more(Oid sequence, int64 from, uint64 steps, int64 last);

/*
 * Gives the highest id that the sequences of a column have handed out, also
 * if it is in no row; 0 if there is none.
 */
int64
column_sequence_last(const Column *column)
{
	int64		last = 0;
	ListCell   *cell;

	foreach(cell, column->tables)
	{
		Oid			relid = lfirst_oid(cell);

		last = Max(last, last_of_table(relid, get_attnum(relid, column->name)));
	}
	return last;
}

/*
 * Makes the column no identity any more.  Its sequence stays, owned by the
 * column as that of serial is; DROP IDENTITY would drop it, with the grants on
 * it, or fail where something else calls it.
 *
 * A partition whose identity is that of the partitioned table loses it with
 * that one only.
 */
void
column_sequence_drop_identity(const Column *column)
{
	ListCell   *cell;

	refuse_inherited_identity(column);
	foreach(cell, column->tables)
	{
		Oid			relid = lfirst_oid(cell);

		drop_identity(relid, get_attnum(relid, column->name),
					  relid != column->relid);
	}
	CommandCounterIncrement();
}

/*
 * Gives a sequence that the column owns, a new one if there is none, whose next
 * value lies above last, or raises an error if it has none there.
 */
Oid
column_sequence_above(const Column *column, int64 last)
{
	Oid			sequence = owned_sequence(column->relid, column->attnum,
										  DEPENDENCY_AUTO);

	if (!OidIsValid(sequence))
	{
		if (last >= column_type_max(column->type))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("column \"%s\" has no values after the ids in use",
							column->name),
					 errdetail("Ids up to %lld are in use.", (long long) last),
					 last < PG_INT64_MAX ? errhint("Change the column to a wider type.") : 0));
		sequence = create_sequence(column);
	}
	raise_sequence(sequence, last);
	return sequence;
}

/*
 * Gives the highest id that the sequences of one table's column have handed
 * out.
 */
static int64
last_of_table(Oid relid, AttrNumber attnum)
{
	int64		last = 0;
	Oid			owned[] = {
		owned_sequence(relid, attnum, DEPENDENCY_AUTO),
		owned_sequence(relid, attnum, DEPENDENCY_INTERNAL)
	};

	for (size_t i = 0; i < lengthof(owned); i++)
	{
		if (OidIsValid(owned[i]))
			last = Max(last, last_of_sequence(owned[i]));
	}

	if (last_of_default(column_default_expression(relid, attnum), &last))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot tell which sequence the default of column \"%s\" of table \"%s\" calls",
						get_attname(relid, attnum, false), get_rel_name(relid)),
				 errhint("Name it there by a constant, with its schema; or set the default to NULL, and raise the generator by hilo_seed.")));
	return last;
}

/*
 * Walks the expression of a default and raises *last to what the sequences have
 * handed out that it names.  Gives true if it calls one that cannot be told.
 */
static bool
last_of_default(Node *node, int64 *last)
{
	Oid			sequence = InvalidOid;

	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcid == F_NEXTVAL)
	{
		sequence = relation_of_constant(linitial(((FuncExpr *) node)->args));
		if (get_rel_relkind(sequence) != RELKIND_SEQUENCE)
			return true;
	}
	else if ((IsA(node, Const) || IsA(node, FuncExpr) || IsA(node, CoerceViaIO)) &&
			 exprType(node) == REGCLASSOID)
		sequence = relation_of_constant(node);
	if (get_rel_relkind(sequence) == RELKIND_SEQUENCE)
		*last = Max(*last, last_of_sequence(sequence));
	return expression_tree_walker(node, last_of_default, last);
}

/*
 * Gives the relation of a constant: by its OID, or by its name as in defaults from
 * before PostgreSQL 8.1.  InvalidOid if it is no constant, or there is no such
 * relation.
 */
static Oid
relation_of_constant(Node *node)
{
	Const	   *constant = (Const *) node;
	Oid			output;
	bool		is_varlena;
	char	   *name;

	if (IsA(node, RelabelType))
		return relation_of_constant((Node *) ((RelabelType *) node)->arg);
	if (IsA(node, CoerceViaIO))
		return relation_of_constant((Node *) ((CoerceViaIO *) node)->arg);
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcid == F_REGCLASS)
		return relation_of_constant(linitial(((FuncExpr *) node)->args));
	if (!IsA(node, Const) || constant->constisnull)
		return InvalidOid;
	if (constant->consttype == REGCLASSOID || constant->consttype == OIDOID ||
		constant->consttype == INT4OID)
		return DatumGetObjectId(constant->constvalue);
	getTypeOutputInfo(constant->consttype, &output, &is_varlena);
	name = OidOutputFunctionCall(output, constant->constvalue);
	return RangeVarGetRelid(makeRangeVarFromNameList(textToQualifiedNameList(cstring_to_text(name))),
							NoLock, true);
}

/*
 * Gives the highest id that a sequence may have handed out: all below its next one,
 * and if it counts downwards, all from its start on.
 */
static int64
last_of_sequence(Oid sequence)
{
	FormData_pg_sequence_data state;
	FormData_pg_sequence options = sequence_form(sequence);

	if (pg_class_aclcheck(sequence, GetUserId(),
						  ACL_SELECT | ACL_USAGE) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_SEQUENCE, get_rel_name(sequence));
	state = sequence_state(sequence);
	if (options.seqincrement < 0)
		return Max(options.seqstart, state.last_value);
	return state.is_called ? state.last_value : Max(state.last_value, 1) - 1;
}

/*
 * Raises an error if the column's identity is that of the partitioned table.
 */
static void
refuse_inherited_identity(const Column *column)
{
	HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(column->relid),
										Int16GetDatum(column->attnum));
	bool		is_identity = ((Form_pg_attribute) GETSTRUCT(tuple))->attidentity != '\0';

	ReleaseSysCache(tuple);
	if (is_identity && get_rel_relispartition(column->relid) &&
		!OidIsValid(owned_sequence(column->relid, column->attnum,
								   DEPENDENCY_INTERNAL)))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("column \"%s\" of partition \"%s\" has the identity of the partitioned table",
						column->name, get_rel_name(column->relid)),
				 errhint("Attach the partitioned table, or detach the partition first.")));
}

/*
 * Makes the column of one table no identity any more.
 */
static void
drop_identity(Oid relid, AttrNumber attnum, bool inherited)
{
	Relation	rel = table_open(AttributeRelationId, RowExclusiveLock);
	HeapTuple	tuple = SearchSysCacheCopy2(ATTNUM, ObjectIdGetDatum(relid),
											Int16GetDatum(attnum));
	Form_pg_attribute att = (Form_pg_attribute) GETSTRUCT(tuple);
	Oid			sequence = owned_sequence(relid, attnum, DEPENDENCY_INTERNAL);

	if (att->attidentity != '\0' && (OidIsValid(sequence) || inherited))
	{
		att->attidentity = '\0';
		CatalogTupleUpdate(rel, &tuple->t_self, tuple);
		InvokeObjectPostAlterHook(RelationRelationId, relid, attnum);
		if (OidIsValid(sequence))
			own_identity_sequence(sequence, relid, attnum);
	}
	heap_freetuple(tuple);
	table_close(rel, RowExclusiveLock);
}

/*
 * Makes the sequence of an identity one that the column owns.
 */
static void
own_identity_sequence(Oid sequence, Oid relid, AttrNumber attnum)
{
	ObjectAddress owned;
	ObjectAddress owner;

	deleteDependencyRecordsForClass(RelationRelationId, sequence,
									RelationRelationId, DEPENDENCY_INTERNAL);
	ObjectAddressSet(owned, RelationRelationId, sequence);
	ObjectAddressSubSet(owner, RelationRelationId, relid, attnum);
	recordDependencyOn(&owned, &owner, DEPENDENCY_AUTO);
}

/*
 * Gives the sequence that a column owns in that way, InvalidOid if there is
 * none; of those that count upwards the first one.
 */
static Oid
owned_sequence(Oid relid, AttrNumber attnum, char deptype)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	SysScanDesc scan;
	ScanKeyData key[3];
	HeapTuple	tuple;
	Oid			sequence = InvalidOid;

	ScanKeyInit(&key[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(RelationRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(relid));
	ScanKeyInit(&key[2], Anum_pg_depend_refobjsubid, BTEqualStrategyNumber,
				F_INT4EQ, Int32GetDatum(attnum));
	scan = systable_beginscan(depend, DependReferenceIndexId, true, NULL, 3, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend dependent = (Form_pg_depend) GETSTRUCT(tuple);

		if (dependent->classid == RelationRelationId &&
			dependent->deptype == deptype &&
			get_rel_relkind(dependent->objid) == RELKIND_SEQUENCE &&
			(deptype == DEPENDENCY_INTERNAL ||
			 sequence_form(dependent->objid).seqincrement > 0) &&
			(!OidIsValid(sequence) || dependent->objid < sequence))
			sequence = dependent->objid;
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	return sequence;
}

/*
 * Creates a sequence as serial does: of the column's type, with its name, the
 * table's owner and persistence.
 */
static Oid
create_sequence(const Column *column)
{
	Oid			schema = get_rel_namespace(column->relid);
	Oid			owner = relation_owner(column->relid);
	char	   *name = ChooseRelationName(get_rel_name(column->relid),
										  column->name, "seq", schema, false);
	char	   *qualified = quote_qualified_identifier(get_namespace_name(schema),
													   name);

	relation_run(psprintf("CREATE %sSEQUENCE %s AS %s",
						  get_rel_persistence(column->relid) == RELPERSISTENCE_UNLOGGED ?
						  "UNLOGGED " : "",
						  qualified, format_type_be_qualified(column->type)));
	if (owner != GetUserId())
		relation_run(psprintf("ALTER SEQUENCE %s OWNER TO %s", qualified,
							  quote_identifier(GetUserNameFromId(owner, false))));
	relation_run(psprintf("ALTER SEQUENCE %s OWNED BY %s.%s", qualified,
						  relation_name(column->relid),
						  quote_identifier(column->name)));
	return get_relname_relid(name, schema);
}

/*
 * Has a sequence go on with the first value of its own above last; raises an error
 * if it has none, as one with CYCLE would come round to ids in use.  Not undone by a
 * rollback.
 *
 * Nobody may take a value between the look and the change, so it waits for the
 * transactions that have used the sequence, if there is something to change.
 */
static void
raise_sequence(Oid sequence, int64 last)
{
	FormData_pg_sequence_data state = sequence_state(sequence);
	uint64		increment;
	uint64		from;
	uint64		distance;
	uint64		steps;
	bool		is_last;

	if (!is_past(state, last))
	{
		lock_table(sequence, ShareRowExclusiveLock);
		state = sequence_state(sequence);
	}
	if (is_past(state, last))
	{
		if (state.is_called)
			require_more(sequence, state.last_value, 0, last);
		return;
	}

	increment = sequence_form(sequence).seqincrement;
	from = state.last_value;
	distance = (uint64) last - from;
	steps = distance / increment;
	require_more(sequence, from, steps, last);
	is_last = distance % increment == 0;
	if (!is_last)
		steps++;
	DirectFunctionCall3(setval3_oid, ObjectIdGetDatum(sequence),
						Int64GetDatum((int64) (from + steps * increment)),
						BoolGetDatum(is_last));
}

/*
 * Says whether the next value of a sequence lies above last, if it has one.
 */
static bool
is_past(FormData_pg_sequence_data state, int64 last)
{
	return state.last_value > last ||
		(state.last_value == last && state.is_called);
}

/*
 * Raises an error if a sequence has no value after so many steps.
 */
static void
require_more(Oid sequence, int64 from, uint64 steps, int64 last)
{
	FormData_pg_sequence options = sequence_form(sequence);

	if (((uint64) options.seqmax - (uint64) from) / options.seqincrement > steps)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("sequence \"%s\" has no values after the ids in use",
					get_rel_name(sequence)),
			 errdetail("Ids up to %lld are in use, and it goes up to %lld.",
					   (long long) last, (long long) options.seqmax),
			 errhint("Let it go further by ALTER SEQUENCE, with AS bigint or MAXVALUE, and change the column to a wider type if its own ends there.")));
}
