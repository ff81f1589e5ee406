/*
 * hilo_generator: what kind of generator a name stands for.
 *
 * Definitions are ordinary rows, changed by transactions like DDL, except for
 * the first use of a name (first_use.c).
 */
#include "postgres.h"

#include <math.h>

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_sequence.h"

#include "table/table.h"

#define DEFINITION_SIZE offsetof(Definition, holder)

#define UNDO_HINT \
	"If a row took the generator there by mistake, delete or correct the row. Then hilo_check() shows the call that sets the generator back."

static const struct
{
	const char *name;
	Holder		holder;
	bool		is_from_orm;
	bool		scattered;
}			orderings[] = {
	{"session", HELD_BY_SESSION, false, false},
	{"global", HELD_BY_SERVER, false, false},
	{"scattered", HELD_BY_SESSION, false, true},
	{"gapless", HELD_BY_TRANSACTION, false, false},
	{"adopted", HELD_BY_SESSION, true, false},
};

static Definition definition_of_sequence(text *name);

/* Return the folded form of a name, or report an error if it can be none. */
text *
definition_fold_name(text *written)
{
	const char *bytes = VARDATA_ANY(written);
	int			length = VARSIZE_ANY_EXHDR(written);
	text	   *name;

	if (length == 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_NAME),
				errmsg("generator name must not be empty"));
	for (int i = 0; i < length; i++)
	{
		if ((unsigned char) bytes[i] < ' ' || bytes[i] == '\177')
			ereport(ERROR,
					errcode(ERRCODE_INVALID_NAME),
					errmsg("generator name must not contain control characters"),
					errdetail("Byte %d of the name is 0x%02X.",
							  i + 1, (unsigned char) bytes[i]));
	}

	name = case_fold(bytes, length);
	length = Max(length, (int) VARSIZE_ANY_EXHDR(name));
	if (length > ID_MAX_LENGTH)
		ereport(ERROR,
				errcode(ERRCODE_NAME_TOO_LONG),
				errmsg("generator name is too long"),
				errdetail("It has %d bytes, the limit is %d.", length,
						  ID_MAX_LENGTH));
	return name;
}

/* Return the name of a tag as it is written, without the mark before it. */
text *
definition_unmarked(text *written)
{
	const char *bytes = VARDATA_ANY(written);
	int			length = VARSIZE_ANY_EXHDR(written);

	if (length < 2 || bytes[0] != TABLE_MARK || bytes[1] != TABLE_MARK)
		return written;
	return cstring_to_text_with_len(bytes + 2, length - 2);
}

Definition
definition_default(text *written)
{
	Definition	definition = {
		.first = 1,
		.max_value = PG_INT64_MAX,
		.range_size = RANGE_DEFAULT_SIZE,
		.max_range_size = RANGE_DEFAULT_MAX_SIZE,
		.domain_bits = ID_DOMAIN_MAX_BITS,
		.created = GetCurrentTimestamp(),
		.written = definition_unmarked(written),
	};
	const char *table = get_rel_name(key_relid(written));

	if (table != NULL)
	{
		definition.table = key_relid(written);
		definition.written = cstring_to_text(table);
	}

	definition_set_ordering(&definition, definition_is_identity(written) ?
							"global" : "session");
	return definition;
}

/*
 * Set the ordering of that name, and what follows from it, or report an error.
 */
void
definition_set_ordering(Definition *definition, const char *ordering)
{
	for (size_t i = 0; i < lengthof(orderings); i++)
	{
		if (strcmp(ordering, orderings[i].name) != 0)
			continue;
		namestrcpy(&definition->ordering, orderings[i].name);
		definition->holder = orderings[i].holder;
		definition->scattered = orderings[i].scattered;
		definition->origin =
			NameStr(definition->hub)[0] != '\0' ? FROM_HUB : FROM_ROW;
		if (orderings[i].is_from_orm)
			definition->origin = FROM_ORM;
		return;
	}
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("invalid ordering: \"%s\"", ordering),
			errhint("Valid orderings are \"session\", \"global\", \"scattered\" and \"gapless\"."));
}

/* Set the hub, a foreign server, or none if the name is empty. */
void
definition_set_hub(Definition *definition, const char *hub)
{
	namestrcpy(&definition->hub, hub);
	definition_set_ordering(definition, definition_ordering(definition));
}

/* Check whether both take ids in the same order and from the same hub. */
bool
definition_same_order_and_hub(const Definition *one, const Definition *other)
{
	return strcmp(definition_ordering(one), definition_ordering(other)) == 0 &&
		strcmp(NameStr(one->hub), NameStr(other->hub)) == 0;
}

void
definition_require_ranges(const Definition *definition)
{
	const char *detail = "Its numbers have no gaps, so each is drawn by the transaction that uses it.";

	if (definition->scattered)
		detail = "Its ids are scattered, so they do not follow each other.";
	else if (definition->holder != HELD_BY_TRANSACTION)
		return;
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("generator \"%s\" has no ranges",
				   text_to_cstring(definition->written)),
			errdetail_internal("%s", detail),
			errhint("Call hilo_next or hilo_next_tag, with a count for several ids, on the server whose generator it is."));
}

void
definition_report_incomplete(text *name)
{
	const char *kind = key_is_relation(name) ? "" : "_tag";

	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("generator \"%s\" is incomplete", definition_title(name)),
			errdetail("Only some tables of hilo have rows of it: a restore has not finished, or has failed for the other tables."),
			errhint("Restore the other tables. Or define the generator again as it was, with hilo_create, hilo_adopt_sequence%s or hilo_adopt_table%s. If hilo_hi has no row of it, run hilo_drop first.",
					kind, kind));
}

void
definition_refuse_scattered(const Definition *definition, text *name)
{
	if (definition->scattered)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("ids of generator \"%s\" are scattered",
					   definition_title(name)),
				errdetail("The ids in use do not show how far the generator has counted."),
				errhint("Use a generator with another ordering, or call hilo_seed with the greatest id_gather(id, domain_bits)."));
}

/* Return the reserved share of first to max_value, cut to six digits. */
double
definition_used_ratio(const Definition *definition, int64 last)
{
	double		used = ((double) Min(last, definition->max_value) -
						definition->first + 1) /
		((double) definition->max_value - definition->first + 1);

	return floor(Max(used, 0) * 1e6) / 1e6;
}

/*
 * Return a hint for the error that no id is left up to max_value, that of the
 * generator or a lower one of a server that asks for ids.
 */
const char *
definition_limit_hint(const Definition *definition, int64 max_value)
{
	if (max_value < definition->max_value)
		return "Raise max_value with hilo_alter on the server that asked for ids.";
	if (max_value == PG_INT64_MAX)
		return definition->origin != FROM_ROW || definition->scattered ?
			"No integer type goes further." : "No integer type goes further. " UNDO_HINT;
	if (max_value == id_domain_max(definition->domain_bits))
		return "Its domain_bits allow no more ids. Create another generator with more domain_bits.";
	/* a numeric column ends before a power of ten */
	if (!definition->scattered &&
		(max_value == PG_INT32_MAX || max_value == PG_INT16_MAX ||
		 max_value == id_domain_max(53) ||
		 (max_value + 1) % 10 == 0))
		return definition->origin == FROM_ROW ?
			"If the type of the column ends there, hilo_check() shows how to widen it. Otherwise raise max_value with hilo_alter. " UNDO_HINT :
			"If the type of the column ends there, widen it; then raise max_value with hilo_alter, and the end of an adopted sequence with ALTER SEQUENCE.";
	if (definition->origin == FROM_ORM)
		return "Raise max_value with hilo_alter, and the end of an adopted sequence with ALTER SEQUENCE.";
	return "Raise max_value with hilo_alter.";
}

bool
definition_exists(text *name)
{
	return OidIsValid(key_sequence(name)) ||
		own_table_row(OWN_DEFINITION, name) != NULL;
}

/*
 * Read the definition of a name as it is now, that of a sequence from its
 * options; false if there is none.
 */
bool
definition_find(text *name, Definition *definition)
{
	HeapTuple	tuple;

	if (OidIsValid(key_sequence(name)))
	{
		*definition = definition_of_sequence(name);
		return true;
	}
	tuple = own_table_row(OWN_DEFINITION, name);
	if (HeapTupleIsValid(tuple))
		*definition = definition_from_tuple(name, tuple);
	return HeapTupleIsValid(tuple);
}

static Definition
definition_of_sequence(text *name)
{
	Definition	definition = definition_default(name);
	HeapTuple	tuple = SearchSysCache1(SEQRELID,
										ObjectIdGetDatum(definition.table));
	Form_pg_sequence form;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("relation with OID %u does not exist",
					   definition.table));
	form = (Form_pg_sequence) GETSTRUCT(tuple);
	definition.first = form->seqmin;
	definition.max_value = form->seqmax;
	ReleaseSysCache(tuple);
	definition.holder = HELD_BY_SEQUENCE;
	definition.origin = FROM_SEQUENCE;
	return definition;
}

/*
 * Return the transaction, of another session, that is making a definition, or
 * none.
 */
TransactionId
definition_creating_xid(text *name)
{
	Relation	rel = own_table_open(OWN_DEFINITION, AccessShareLock);
	SnapshotData dirty;
	SysScanDesc scan;
	TransactionId maker = InvalidTransactionId;

	InitDirtySnapshot(dirty);
	scan = own_table_scan(rel, name, &dirty);
	while (!TransactionIdIsValid(maker) &&
		   HeapTupleIsValid(systable_getnext(scan)))
		maker = dirty.xmin;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return maker;
}

/*
 * Return what a row of hilo_generator says.  The written name may stay in the
 * tuple.
 */
Definition
definition_from_tuple(text *name, HeapTuple tuple)
{
	char	   *row = (char *) GETSTRUCT(tuple);
	Definition	definition;

	memcpy(&definition, row, DEFINITION_SIZE);
	definition_set_ordering(&definition, definition_ordering(&definition));
	/* the first column of varying length */
	definition.written = DatumGetTextPP(PointerGetDatum(row + DEFINITION_SIZE));
	definition.table = key_relid(name);
	if (OidIsValid(definition.table))
	{
		const char *table = get_rel_name(definition.table);

		if (table != NULL)
			definition.written = cstring_to_text(table);
	}
	return definition;
}

/*
 * Replace the definition of a name by another, which the sessions look up then.
 * The caller holds the lock of the name and has seen that there is one.
 *
 * Ids that the transaction takes afterwards could be handed out again after its
 * rollback if the definition before counts other numbers, or shows them as
 * other ids, or has them from a hub.
 */
void
definition_update(text *name, const Definition *definition)
{
	Relation	rel = own_table_open(OWN_DEFINITION, RowExclusiveLock);
	HeapTuple	tuple = own_table_row(OWN_DEFINITION, name);
	Definition	old;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "generator \"%s\" vanished under its lock",
			 definition_title(name));
	old = definition_from_tuple(name, tuple);
	if (definition->scattered != old.scattered ||
		definition->domain_bits != old.domain_bits ||
		(old.holder == HELD_BY_TRANSACTION &&
		 definition->holder != HELD_BY_TRANSACTION) ||
		(old.origin == FROM_HUB &&
		 strcmp(NameStr(old.hub), NameStr(definition->hub)) != 0))
		change_remember(name, CHANGED_IDS);
	own_table_update(rel, tuple,
					 own_table_form(rel, definition, definition->written,
									name));
	table_close(rel, NoLock);
	generators_changed();
	/* ids may be on disk before it is */
	ForceSyncCommit();
}

/* Return the key of a table's own generator, or of a sequence. */
text *
key_of_relation(Oid relid)
{
	return cstring_to_text(psprintf("%c%u", TABLE_MARK, relid));
}

/* Check whether a name is the key of a table, or of a sequence. */
bool
key_is_relation(text *name)
{
	const char *bytes = VARDATA_ANY(name);
	int			length = VARSIZE_ANY_EXHDR(name);

	if (length < 2 || bytes[0] != TABLE_MARK)
		return false;
	while (length > 1 && bytes[length - 1] >= '0' && bytes[length - 1] <= '9')
		length--;
	return length == 1;
}

/* Return the table or the sequence of a key, InvalidOid for a tag. */
Oid
key_relid(text *name)
{
	if (!key_is_relation(name))
		return InvalidOid;
	return atooid(text_to_cstring(name) + 1);
}

/* Return the sequence of a key, InvalidOid if the key is of none. */
Oid
key_sequence(text *name)
{
	Oid			relid = key_relid(name);

	return get_rel_relkind(relid) == RELKIND_SEQUENCE ? relid : InvalidOid;
}

/* Return the name of a generator for messages; a table's like a regclass. */
char *
definition_title(text *name)
{
	Oid			relid = key_relid(name);
	const char *table = get_rel_name(relid);
	const char *schema = NULL;

	if (table == NULL)
		return text_to_cstring(name);
	/* no lock keeps the table from being dropped */
	if (RelnameGetRelid(table) != relid)
		schema = get_namespace_name(get_rel_namespace(relid));
	return quote_qualified_identifier(schema, table);
}

bool
definition_is_internal(text *name)
{
	return VARSIZE_ANY_EXHDR(name) >= strlen(INTERNAL_PREFIX) &&
		memcmp(VARDATA_ANY(name), INTERNAL_PREFIX,
			   strlen(INTERNAL_PREFIX)) == 0;
}

/*
 * Check whether columns count for a generator: not for hilo's own, nor for
 * server-side ids.
 */
bool
definition_is_user_named(text *name)
{
	return !definition_is_internal(name) &&
		!text_equal(name, cstring_to_text(SERVER_SIDE_GENERATOR));
}

/*
 * Report an error if a name is hilo's own, unless a superuser makes and
 * owns it.
 */
void
definition_require_unreserved(text *name, Oid owner)
{
	if (!definition_is_user_named(name) &&
		(!superuser() || owner != GetUserId()))
		ereport(ERROR,
				errcode(ERRCODE_RESERVED_NAME),
				errmsg("generator name \"%s\" is reserved",
					   definition_title(name)),
				errdetail("\"%s\" and names that begin with \"%s\" are reserved for hilo.",
						  SERVER_SIDE_GENERATOR, INTERNAL_PREFIX));
}

void
definition_check(text *name, const Definition *definition)
{
	int64		highest;

	if (definition_is_identity(name) && definition->holder == HELD_BY_SESSION)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("ordering of an identity must be \"global\" or \"gapless\""),
				errdetail("Generators whose names end with \"%c\" are identities.",
						  IDENTITY_MARK));

	id_domain_check("domain_bits", definition->domain_bits, ID_DOMAIN_MIN_BITS,
					ID_DOMAIN_MAX_BITS);
	if (definition->domain_bits != ID_DOMAIN_MAX_BITS && !definition->scattered)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("ordering \"%s\" has no domain_bits",
					   definition_ordering(definition)),
				errhint("Use max_value to limit its ids."));
	highest = id_domain_max(definition->domain_bits);
	id_domain_check("first", definition->first, 1, highest);
	id_domain_check("max_value", definition->max_value, definition->first,
					highest);
	id_domain_check("range_size", definition->range_size, 1, PG_INT64_MAX);
	id_domain_check("max_range_size", definition->max_range_size, 1,
					PG_INT64_MAX);
	definition_check_size(definition, definition->range_size, "range_size");

	if (NameStr(definition->hub)[0] == '\0')
		return;
	if (definition->holder == HELD_BY_TRANSACTION || definition->scattered ||
		definition->origin == FROM_ORM)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("ordering \"%s\" cannot have a hub",
					   definition_ordering(definition)),
				errhint("The ordering of a generator with a hub is \"session\" or \"global\"."));
}

void
definition_check_size(const Definition *definition, int64 size,
					  const char *argument)
{
	if (size < 1)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("%s must be at least 1", argument));
	if (size > definition->max_range_size)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("%s (%lld) must not be greater than the generator's max_range_size (%lld)",
					   argument, (long long) size,
					   (long long) definition->max_range_size),
				definition->origin == FROM_SEQUENCE ? 0 :
				errhint("Raise max_range_size in hilo_create, or as the owner with hilo_alter."));
}

/* Report an error if a text id, with so many bytes more, is too long. */
void
definition_check_id(const char *id, int length, int more)
{
	case_fold_check(id, length);
	if (length + more > ID_MAX_LENGTH)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("id is too long"),
				errdetail("It has %d bytes in UTF-8, the limit is %d.",
						  length + more, ID_MAX_LENGTH));
}

bool
definition_is_identity(text *name)
{
	int			length = VARSIZE_ANY_EXHDR(name);

	return length > 0 && VARDATA_ANY(name)[length - 1] == IDENTITY_MARK;
}
