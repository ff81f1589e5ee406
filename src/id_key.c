/*-------------------------------------------------------------------------
 *
 * id_key.c
 *	  hilo_id_key: keys with names, by which ids are sealed.
 *
 * A key never leaves the table but into the memory of sessions that use it:
 * it is in no query, plan, error or log, and pg_dump does not dump the table.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/id_key.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "catalog.h"
#include "catalog_change.h"
#include "cipher.h"
#include "compat.h"
#include "id_domain.h"
#include "id_key.h"
#include "lock.h"

PG_FUNCTION_INFO_V1(id_key_create);
PG_FUNCTION_INFO_V1(id_key_drop);
PG_FUNCTION_INFO_V1(id_seal);
PG_FUNCTION_INFO_V1(id_unseal);

enum
{
	Anum_id_key_key_name = 1,
	Anum_id_key_owner,
	Anum_id_key_key,
	Natts_id_key = Anum_id_key_key
};

/*
 * A key that this session has used.  Entries are never freed.
 */
typedef struct KeyEntry
{
	NameData	name;			/* hash key */
	uint64		generation;		/* of the catalog when it was read */
	Oid			role;			/* whose right was checked */
	unsigned char key[CIPHER_KEY_LENGTH];
} KeyEntry;

static text *name_argument(FunctionCallInfo fcinfo, const char *function);
static Cipher cipher_of_call(FunctionCallInfo fcinfo);
static inline bool is_ready(const KeyEntry *entry, Name name);
static KeyEntry *find_entry(Name name, HASHACTION action);
static KeyEntry *read_entry(Name name);
static void require_owner(Relation rel, HeapTuple tuple, text *name);
static void insert_key(Relation rel, text *name);
static bytea *key_of_row(Relation rel, HeapTuple tuple);
pg_noreturn static void refuse_unknown(text *name);

/*
 * id_key_create(key_name): makes a random key, owned by the current role.
 */
Datum
id_key_create(PG_FUNCTION_ARGS)
{
	text	   *name = name_argument(fcinfo, "id_key_create()");
	Relation	rel = lock_open(CATALOG_ID_KEY);

	if (catalog_has(rel, Anum_id_key_key_name, name))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("id key \"%s\" already exists",
						text_to_cstring(name))));
	insert_key(rel, name);
	table_close(rel, NoLock);
	/* a rollback takes the key from the sessions' memory, too */
	catalog_changed();
	PG_RETURN_VOID();
}

/*
 * id_key_drop(key_name): forgets a key.  What it has sealed stays sealed.
 */
Datum
id_key_drop(PG_FUNCTION_ARGS)
{
	text	   *name = name_argument(fcinfo, "id_key_drop()");
	Relation	rel = lock_open(CATALOG_ID_KEY);
	SysScanDesc scan = catalog_scan(rel, Anum_id_key_key_name, name,
									SnapshotSelf);
	HeapTuple	tuple = systable_getnext(scan);

	if (!HeapTupleIsValid(tuple))
		refuse_unknown(name);
	require_owner(rel, tuple, name);
	CatalogTupleDelete(rel, &tuple->t_self);
	systable_endscan(scan);
	table_close(rel, NoLock);
	catalog_changed();
	PG_RETURN_VOID();
}

/*
 * id_seal(id, key_name, tweak): the id that stands for it, under a named key.
 */
Datum
id_seal(PG_FUNCTION_ARGS)
{
	Cipher		cipher = cipher_of_call(fcinfo);
	int64		id = PG_GETARG_INT64(0);

	id_domain_check(id, 1, PG_INT64_MAX);
	PG_RETURN_INT64(cipher_encrypt(&cipher, id, 1, PG_INT64_MAX));
}

/*
 * id_unseal(id, key_name, tweak): the id that id_seal has made this one of.
 */
Datum
id_unseal(PG_FUNCTION_ARGS)
{
	Cipher		cipher = cipher_of_call(fcinfo);
	int64		id = PG_GETARG_INT64(0);

	id_domain_check(id, 1, PG_INT64_MAX);
	PG_RETURN_INT64(cipher_decrypt(&cipher, id, 1, PG_INT64_MAX));
}

/*
 * Says whether there is a key of the name in a row to be inserted, or raises
 * an error if the row has no key.
 */
bool
id_key_is_known(Relation rel, HeapTuple tuple)
{
	Datum		name;
	bool		isnull;

	/* a null fails in the table itself */
	if (HeapTupleHasNulls(tuple))
		return false;

	(void) key_of_row(rel, tuple);
	name = heap_getattr(tuple, Anum_id_key_key_name, RelationGetDescr(rel),
						&isnull);
	return catalog_has(rel, Anum_id_key_key_name, DatumGetTextPP(name));
}

/*
 * Gives the name in the first argument of a function that changes keys.
 */
static text *
name_argument(FunctionCallInfo fcinfo, const char *function)
{
	catalog_require_writable(function);

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("key name must not be null")));
	if (*NameStr(*PG_GETARG_NAME(0)) == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_NAME),
				 errmsg("key name must not be empty")));
	return cstring_to_text(NameStr(*PG_GETARG_NAME(0)));
}

/*
 * Gives the cipher of a call (id, key_name, tweak), or raises an error if the
 * current role may not use the key.  fn_extra is the entry of the last call.
 */
static Cipher
cipher_of_call(FunctionCallInfo fcinfo)
{
	Name		name = PG_GETARG_NAME(1);
	KeyEntry   *entry = fcinfo->flinfo->fn_extra;
	Cipher		cipher;

	if (unlikely(entry == NULL || !is_ready(entry, name)))
	{
		entry = find_entry(name, HASH_FIND);
		if (entry == NULL || !is_ready(entry, name))
			entry = read_entry(name);
		fcinfo->flinfo->fn_extra = entry;
	}
	cipher_init(&cipher, entry->key, PG_GETARG_INT64(2));
	return cipher;
}

/*
 * Says whether the entry is the one of that name, and may be used as it is.
 */
static inline bool
is_ready(const KeyEntry *entry, Name name)
{
	return entry->generation == catalog_generation &&
		entry->role == GetUserId() &&
		strcmp(NameStr(entry->name), NameStr(*name)) == 0;
}

/*
 * Gives the entry of a name, or NULL if there is none and action is HASH_FIND.
 */
static KeyEntry *
find_entry(Name name, HASHACTION action)
{
	static HTAB *entries = NULL;

	if (entries == NULL)
	{
		HASHCTL		ctl = {
			.keysize = NAMEDATALEN,
			.entrysize = sizeof(KeyEntry),
			.hcxt = AllocSetContextCreate(TopMemoryContext, "hilo id keys",
										  ALLOCSET_SMALL_SIZES),
		};

		entries = hash_create("hilo id keys", 8, &ctl,
							  HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	}
	return hash_search(entries, NameStr(*name), action, NULL);
}

/*
 * Reads a key into its entry, or raises an error if there is none or the
 * current role may not use it.  A name without a key gets no entry.
 */
static KeyEntry *
read_entry(Name name)
{
	KeyEntry	read = {.name = *name};
	KeyEntry   *entry;
	text	   *key_name = cstring_to_text(NameStr(*name));
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;

	read.generation = catalog_generation;
	read.role = GetUserId();
	rel = catalog_open(CATALOG_ID_KEY, AccessShareLock);
	scan = catalog_scan(rel, Anum_id_key_key_name, key_name, SnapshotSelf);
	tuple = systable_getnext(scan);
	if (!HeapTupleIsValid(tuple))
		refuse_unknown(key_name);
	require_owner(rel, tuple, key_name);
	memcpy(read.key, VARDATA_ANY(key_of_row(rel, tuple)), CIPHER_KEY_LENGTH);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	pfree(key_name);

	entry = find_entry(name, HASH_ENTER);
	*entry = read;
	return entry;
}

/*
 * Raises an error unless the current role has the rights of the owner of a
 * key.  A key whose owner is gone belongs to superusers.
 */
static void
require_owner(Relation rel, HeapTuple tuple, text *name)
{
	bool		isnull;
	Oid			owner = DatumGetObjectId(heap_getattr(tuple, Anum_id_key_owner,
													  RelationGetDescr(rel),
													  &isnull));

	if (!has_privs_of_role(GetUserId(), owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for id key \"%s\"",
						text_to_cstring(name))));
}

static void
insert_key(Relation rel, text *name)
{
	bytea	   *key = palloc(VARHDRSZ + CIPHER_KEY_LENGTH);
	Datum		values[Natts_id_key];
	bool		nulls[Natts_id_key] = {0};
	HeapTuple	tuple;

	SET_VARSIZE(key, VARHDRSZ + CIPHER_KEY_LENGTH);
	if (!pg_strong_random(VARDATA(key), CIPHER_KEY_LENGTH))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));

	values[Anum_id_key_key_name - 1] = PointerGetDatum(name);
	values[Anum_id_key_owner - 1] = ObjectIdGetDatum(GetUserId());
	values[Anum_id_key_key - 1] = PointerGetDatum(key);
	tuple = heap_form_tuple(RelationGetDescr(rel), values, nulls);
	catalog_insert(rel, tuple, false);
	heap_freetuple(tuple);
}

/*
 * Gives the key in a row, or raises an error if it is not one.
 */
static bytea *
key_of_row(Relation rel, HeapTuple tuple)
{
	bool		isnull;
	bytea	   *key = DatumGetByteaPP(heap_getattr(tuple, Anum_id_key_key,
												   RelationGetDescr(rel),
												   &isnull));

	cipher_check_key(key);
	return key;
}

static void
refuse_unknown(text *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_OBJECT),
			 errmsg("id key \"%s\" does not exist", text_to_cstring(name)),
			 errhint("Create it with id_key_create.")));
}
