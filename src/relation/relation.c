/* Relations: their names, owners and parents. */
#include "postgres.h"

#include "catalog/catalog.h"
#include "catalog/namespace.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "executor/spi.h"
#include "utils/guc.h"
#include "utils/rls.h"
#include "utils/varlena.h"

#include "relation/relation.h"

PG_FUNCTION_INFO_V1(hilo_table_in);
PG_FUNCTION_INFO_V1(hilo_table_out);

static bool begins_with(text *name, const char *start, const char *goes_on);

/*
 * Return the name of a relation as it is written in a statement; like regclass,
 * the number of one that is gone.
 */
char *
relation_name(Oid relid)
{
	char	   *name = get_rel_name(relid);
	char	   *schema = get_namespace_name(get_rel_namespace(relid));

	if (name == NULL || schema == NULL)
		return psprintf("%u", relid);
	return quote_qualified_identifier(schema, name);
}

Datum
hilo_table_in(PG_FUNCTION_ARGS)
{
	PG_RETURN_OID(relation_of_name(PG_GETARG_CSTRING(0), NULL));
}

Datum
hilo_table_out(PG_FUNCTION_ARGS)
{
	PG_RETURN_CSTRING(relation_name_in_dump(PG_GETARG_OID(0)));
}

/*
 * Return the relation that relation_name_in_dump wrote, or InvalidOid.  If a
 * column is asked for, its name follows that of the relation.
 */
Oid
relation_of_name(const char *name, char **column)
{
	List	   *names = NIL;

	if (name[0] != '\0')
		names = textToQualifiedNameList(cstring_to_text(name));
	if (list_length(names) != (column == NULL ? 2 : 3))
		return InvalidOid;
	if (column != NULL)
		*column = strVal(llast(names));
	return get_relname_relid(strVal(lsecond(names)),
							 get_namespace_oid(strVal(linitial(names)), true));
}

/*
 * Return the name of the table, or of a shard's table, with its schema; empty
 * if it is gone.
 */
char *
relation_name_in_dump(Oid relid)
{
	Oid			whole = citus_table_of(relid);

	if (OidIsValid(whole))
		relid = whole;
	if (!OidIsValid(relation_find_owner(relid)) ||
		get_rel_persistence(relid) == RELPERSISTENCE_TEMP)
		return pstrdup("");
	return relation_name(relid);
}

/* Return the owner of a relation, InvalidOid if there is no such relation. */
Oid
relation_find_owner(Oid relid)
{
	return GetSysCacheOid1(RELOID, Anum_pg_class_relowner,
						   ObjectIdGetDatum(relid));
}

Oid
relation_owner(Oid relid)
{
	Oid			owner = relation_find_owner(relid);

	if (!OidIsValid(owner))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("relation with OID %u does not exist", relid));
	return owner;
}

/* Return the transaction that has made a table, if it is there. */
TransactionId
relation_creating_xid(Oid relid)
{
	/* nothing changes ctid's row after that */
	HeapTuple	tuple =
		SearchSysCache2(ATTNUM, ObjectIdGetDatum(relid),
						Int16GetDatum(SelfItemPointerAttributeNumber));
	TransactionId xmin;

	if (!HeapTupleIsValid(tuple))
		return InvalidTransactionId;
	xmin = HeapTupleHeaderGetXmin(tuple->t_data);
	ReleaseSysCache(tuple);
	return xmin;
}

/*
 * Check whether a relation is a table, and not another session's temporary one.
 */
bool
relation_is_table(Oid relid)
{
	char		relkind = get_rel_relkind(relid);

	return (relkind == RELKIND_RELATION ||
			relkind == RELKIND_PARTITIONED_TABLE) &&
		!isOtherTempNamespace(get_rel_namespace(relid));
}

/*
 * Check whether a statement that writes to a locked relation may be running,
 * like core's CheckTableNotInUse.  A statement that has ended, and a foreign
 * key that made it write to another table, leave only the lock.  Views, foreign
 * tables and tables of Citus are not opened by the statement.
 */
bool
relation_is_in_use(Oid relid)
{
	Relation	rel = RelationIdGetRelation(relid);
	bool		is_in_use = rel != NULL && rel->rd_refcnt > 1;

	if (rel != NULL)
		RelationClose(rel);
	return is_in_use || get_rel_relkind(relid) == RELKIND_VIEW ||
		get_rel_relkind(relid) == RELKIND_FOREIGN_TABLE ||
		citus_has_rows_of(relid);
}

/*
 * Return another owner's permanent relation that a tag names, with its schema,
 * unless the role has such a relation itself; then set is_own.  The case of
 * letters does not count, and the tag may have more behind the name.
 *
 * Read pg_class itself: the cache would be filled with all relations.  Most tags
 * have no schema.
 */
Oid
relation_of_others(text *tag, Oid role, bool *is_own)
{
	Relation	rel;
	SysScanDesc scan;
	Oid			found = InvalidOid;
	HeapTuple	tuple;

	*is_own = false;
	if (memchr(VARDATA_ANY(tag), '.', VARSIZE_ANY_EXHDR(tag)) == NULL)
		return InvalidOid;
	rel = table_open(RelationRelationId, AccessShareLock);
	scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	while (!*is_own && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_class form = (Form_pg_class) GETSTRUCT(tuple);
		const char *name = NameStr(form->relname);
		char	   *schema = get_namespace_name(form->relnamespace);

		/* no lock keeps the schema from being dropped */
		if (schema == NULL || form->relpersistence == RELPERSISTENCE_TEMP ||
			!begins_with(tag, quote_qualified_identifier(schema, name), "./|-:"))
			continue;
		*is_own = has_privs_of_role(role, form->relowner);
		found = form->oid;
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return *is_own ? InvalidOid : found;
}

/* Check whether a column has a default, is an identity or generated. */
bool
relation_has_default(Oid relid, AttrNumber attnum)
{
	HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(relid),
										Int16GetDatum(attnum));
	Form_pg_attribute form;
	bool		has_default;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_attribute) GETSTRUCT(tuple);
	has_default = form->atthasdef || form->attidentity != '\0';
	ReleaseSysCache(tuple);
	return has_default;
}

/*
 * Check whether a role may insert into a relation, if only into some columns.
 */
bool
relation_may_insert(Oid relid, Oid role)
{
	bool		is_missing = false;

	return pg_class_aclcheck_ext(relid, role, ACL_INSERT,
								 &is_missing) == ACLCHECK_OK ||
		pg_attribute_aclcheck_all(relid, role, ACL_INSERT,
								  ACLMASK_ANY) == ACLCHECK_OK;
}

/*
 * Check whether a role may read all rows of a table, or has its owner's rights.
 */
bool
relation_may_read(Oid relid, Oid role)
{
	return has_privs_of_role(role, relation_find_owner(relid)) ||
		(pg_class_aclcheck(relid, role, ACL_SELECT) == ACLCHECK_OK &&
		 check_enable_rls(relid, role, true) != RLS_ENABLED);
}

/*
 * Return the roles granted one of the privileges or grant options, if only on a
 * column, ACL_ID_PUBLIC among them.
 */
List *
relation_grantees(Oid relid, AclMode mode)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	AttrNumber	column = 0;
	List	   *roles = NIL;
	int			cache = RELOID;
	int			acl_column = Anum_pg_class_relacl;

	while (HeapTupleIsValid(tuple))
	{
		bool		isnull;
		Datum		datum = SysCacheGetAttr(cache, tuple, acl_column, &isnull);
		Acl		   *acl = isnull ? make_empty_acl() : DatumGetAclP(datum);

		for (int i = 0; i < ACL_NUM(acl); i++)
		{
			if (ACLITEM_GET_RIGHTS(ACL_DAT(acl)[i]) & mode)
				roles = list_append_unique_oid(roles,
											   ACL_DAT(acl)[i].ai_grantee);
		}
		ReleaseSysCache(tuple);
		if ((mode & ACL_ALL_RIGHTS_COLUMN) == 0)
			break;
		cache = ATTNUM;
		acl_column = Anum_pg_attribute_attacl;
		tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(relid),
								Int16GetDatum(++column));
	}
	return roles;
}

/*
 * Report an error unless the relation is a table, or a sequence, and neither
 * the system's nor hilo's.  With is_permanent, a crash must not set it back.
 * Unless owner is InvalidOid, that role must own it.
 */
void
relation_require_kind(Oid relid, bool of_table, bool is_permanent, Oid owner)
{
	char		relkind = get_rel_relkind(relid);
	bool		is_kind = relkind == RELKIND_SEQUENCE;

	(void) relation_owner(relid);
	if (of_table)
		is_kind = relkind == RELKIND_RELATION ||
			relkind == RELKIND_PARTITIONED_TABLE;
	if (!is_kind)
		ereport(ERROR,
				errcode(ERRCODE_WRONG_OBJECT_TYPE),
				errmsg("\"%s\" is not a %s", get_rel_name(relid),
					   of_table ? "table" : "sequence"));
	if (relid < FirstNormalObjectId ||
		IsCatalogNamespace(get_rel_namespace(relid)) ||
		get_rel_namespace(relid) == get_namespace_oid(INTERNAL_SCHEMA, true))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied: \"%s\" is a system catalog",
					   get_rel_name(relid)));
	if (is_permanent && get_rel_persistence(relid) != RELPERSISTENCE_PERMANENT)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("\"%s\" is not permanent", get_rel_name(relid)),
				errdetail("It could give the same values again."),
				errhint("Use a permanent %s. SET LOGGED makes an unlogged one permanent.",
						of_table ? "table" : "sequence"));
	if (OidIsValid(owner) &&
		!object_ownercheck(RelationRelationId, relid, owner))
		aclcheck_error(ACLCHECK_NOT_OWNER, of_table ? OBJECT_TABLE :
					   OBJECT_SEQUENCE,
					   get_rel_name(relid));
}

/*
 * Lock a table that the current role owns.  Check it before the lock, for which
 * other sessions would wait, and again after a wait.
 */
void
relation_lock_own(Oid relid, LOCKMODE lockmode)
{
	relation_require_kind(relid, true, false, GetUserId());
	(void) lock_table(relid, lockmode, true);
	relation_require_kind(relid, true, false, GetUserId());
}

/*
 * Return the nth table that a table inherits from, also while it is being
 * detached, or InvalidOid.  Needs no lock, where core's get_partition_parent
 * could raise an error.
 */
Oid
relation_parent(Oid relid, int n)
{
	return DatumGetObjectId(catalog_find_value(NULL, InheritsRelationId,
											   InheritsRelidSeqnoIndexId,
											   Anum_pg_inherits_inhrelid,
											   F_OIDEQ, ObjectIdGetDatum(relid),
											   n, Anum_pg_inherits_inhparent));
}

/*
 * Put a table and its ancestors in front of those found, each before its own
 * parents.
 */
List *
relation_ancestors(Oid relid, List *found)
{
	Oid			parent;

	check_stack_depth();
	if (list_member_oid(found, relid))
		return found;
	for (int n = 1; OidIsValid(parent = relation_parent(relid, n)); n++)
		found = relation_ancestors(parent, found);
	return lcons_oid(relid, found);
}

/*
 * Return a copy of the triggers of a relation, which needs no lock, or NULL if
 * it has none or is gone.
 */
TriggerDesc *
relation_triggers(Oid relid)
{
	Relation	rel = RelationIdGetRelation(relid);
	TriggerDesc *triggers;

	if (rel == NULL)
		return NULL;
	triggers = CopyTriggerDesc(rel->trigdesc);
	RelationClose(rel);
	return triggers;
}

/*
 * Return a table's trigger of the same function and arguments, or InvalidOid.
 * Partitions, and the chunks of an extension, have copies of a trigger.
 */
Oid
relation_same_trigger(Oid relid, const Trigger *trigger)
{
	TriggerDesc *triggers = relation_triggers(relid);
	Oid			found = InvalidOid;

	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		const Trigger *other = &triggers->triggers[i];
		bool		is_same =
			other->tgfoid == trigger->tgfoid &&
			other->tgnargs == trigger->tgnargs;

		for (int j = 0; is_same && j < trigger->tgnargs; j++)
			is_same = strcmp(other->tgargs[j], trigger->tgargs[j]) == 0;
		if (is_same)
			found = other->tgoid;
	}
	return found;
}

/*
 * Return the OIDs in the first column of what a query of the catalogs finds.
 * Names and operators in it are pg_catalog's, whatever the caller's search_path
 * is.  It sees what other transactions have committed by now, like a look at a
 * system cache.
 */
List *
relation_select(const char *query)
{
	List	   *oids = NIL;
	MemoryContext before = CurrentMemoryContext;
	int			settings = NewGUCNestLevel();

	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET,
							 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	SPI_connect();
	PushActiveSnapshot(GetLatestSnapshot());
	(void) SPI_execute(query, true, 0);
	PopActiveSnapshot();
	AtEOXact_GUC(false, settings);
	MemoryContextSwitchTo(before);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		bool		isnull;
		Datum		oid = SPI_getbinval(SPI_tuptable->vals[i],
										SPI_tuptable->tupdesc, 1, &isnull);

		oids = lappend_oid(oids, DatumGetObjectId(oid));
	}
	SPI_finish();
	return oids;
}

/*
 * Run a statement as the current role could itself; also a callback of
 * run_in_subxact.
 */
void
relation_run(void *statement)
{
	SPI_connect();
	(void) SPI_execute(statement, false, 0);
	SPI_finish();
}

/*
 * Check whether a name is start, folded, alone or followed by a character of
 * goes_on.
 */
static bool
begins_with(text *name, const char *start, const char *goes_on)
{
	text	   *folded = case_fold_name(start);
	int			length = VARSIZE_ANY_EXHDR(folded);
	int			rest = (int) VARSIZE_ANY_EXHDR(name) - length;

	return rest >= 0 &&
		memcmp(VARDATA_ANY(name), VARDATA_ANY(folded), length) == 0 &&
		strchr(goes_on, rest > 0 ? VARDATA_ANY(name)[length] : '\0') != NULL;
}
