/*
 * Creating, changing and dropping generators, all of it transactional.  What is
 * made otherwise is in first_use.c.
 */
#include "postgres.h"

#include "commands/dbcommands.h"
#include "commands/event_trigger.h"
#include "utils/guc.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_create);
PG_FUNCTION_INFO_V1(hilo_alter);
PG_FUNCTION_INFO_V1(hilo_forget_tables);
PG_FUNCTION_INFO_V1(hilo_citus_forget);
PG_FUNCTION_INFO_V1(hilo_grant);
PG_FUNCTION_INFO_V1(hilo_revoke);

/* the arguments of hilo_create; those of hilo_alter, except the last */
enum
{
	ARGUMENT_NAME,
	ARGUMENT_ORDERING,
	ARGUMENT_FIRST,
	ARGUMENT_MAX_VALUE,
	ARGUMENT_RANGE_SIZE,
	ARGUMENT_MAX_RANGE_SIZE,
	ARGUMENT_DOMAIN_BITS,
	ARGUMENT_HUB,
	ARGUMENT_IF_NOT_EXISTS,
	ARGUMENT_NEW_OWNER = ARGUMENT_IF_NOT_EXISTS
};

static const char *const argument_names[] = {
	"name", "ordering", "first", "max_value", "range_size", "max_range_size",
	"domain_bits", "hub", "if_not_exists"
};

static bool drops_dependents(FunctionCallInfo fcinfo);
static void refuse_drop(text *name, HeapTuple tuple, void *dropped);
static void delete_rows(text *name);
static void leave_number(text *name, const Definition *definition,
						 const FormData_hilo_hi *hi);
static void refuse_on_worker(text *name);
static void change_holder(text *name, const Definition *before,
						  const Definition *definition,
						  const FormData_hilo_hi *hi, int64 last);
static bool has_reserved(const Definition *definition,
						 const FormData_hilo_hi *hi, int64 last);
static void report_existing(text *name, const Definition *existing,
							const Definition *wanted);
static void apply_options(FunctionCallInfo fcinfo, Definition *definition);
static void check_against_last(const Definition *definition, int64 last);
static Datum change_grant(FunctionCallInfo fcinfo, bool grant);

/* Create a generator, owned by the current role. */
Datum
hilo_create(PG_FUNCTION_ARGS)
{
	text	   *name = name_argument(fcinfo, NAME_TO_CREATE);
	Definition	definition =
		definition_default(PG_GETARG_TEXT_PP(ARGUMENT_NAME));
	Definition	existing;
	int64		last;

	require_writable("hilo_create()");
	for (int i = 0; i < PG_NARGS(); i++)
	{
		if (i != ARGUMENT_HUB)
			argument_require(fcinfo, i, argument_names[i]);
	}
	definition.table = key_relid(name);
	apply_options(fcinfo, &definition);
	/* for an identity, the default ordering "session" means "global" */
	if (definition_is_identity(name) && definition.holder == HELD_BY_SESSION &&
		!definition.scattered)
		definition_set_ordering(&definition, "global");
	definition_check(name, &definition);
	if (key_is_relation(name))
	{
		name_lock_owned_table(definition.table);
		name_refuse_other_stream(definition.table);
		name_require_id_column(definition.table);
	}
	else
		privilege_require_create(name, GetUserId());
	generator_lock_name(name);
	last = definition.first - 1;
	if (key_is_relation(name))
	{
		foreach_ptr(ColumnDefault, column, first_use_columns(name))
			first_use_fit_or_warn(column, &definition, &last);
	}
	if (PG_GETARG_BOOL(ARGUMENT_IF_NOT_EXISTS) &&
		definition_find(name, &existing))
	{
		report_existing(name, &existing, &definition);
		unlock_name(name);
		PG_RETURN_VOID();
	}
	generator_create(name, &definition, GetUserId(), last, false);
	PG_RETURN_VOID();
}

/*
 * Change a generator.  Sessions that get ids wait for the end of a transaction
 * that sets narrower limits.
 */
Datum
hilo_alter(PG_FUNCTION_ARGS)
{
	text	   *name = name_argument(fcinfo, NAME_TO_CHANGE);
	Definition	before;
	Definition	definition;
	Oid			new_owner = InvalidOid;

	if (!PG_ARGISNULL(ARGUMENT_NEW_OWNER))
		new_owner =
			get_role_oid(NameStr(*PG_GETARG_NAME(ARGUMENT_NEW_OWNER)), false);
	require_writable("hilo_alter()");
	lock_name(name);
	before = definition = generator_require_owned(name);
	apply_options(fcinfo, &definition);
	citus_refuse_own_ids(name, &definition);
	if (key_is_relation(name) && OidIsValid(new_owner))
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("cannot change the owner of the generator of table %s",
					   relation_name(definition.table)),
				errhint("Give the table another owner with ALTER TABLE."));
	generator_change(name, &before, &definition);
	if (OidIsValid(new_owner) && new_owner != privilege_owner(name))
	{
		/* the rules of ALTER ... OWNER TO */
		definition_require_unreserved(name, new_owner);
		if (!member_can_set_role(GetUserId(), new_owner))
			ereport(ERROR,
					errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					errmsg("must be able to SET ROLE \"%s\"",
						   GetUserNameFromId(new_owner, false)));
		if (!superuser())
			aclcheck_error(DatabaseCreate(new_owner), OBJECT_DATABASE,
						   get_database_name(MyDatabaseId));
		privilege_delete(name, privilege_owner(name), true);
		privilege_delete(name, new_owner, false);
		privilege_insert(name, new_owner, true, false);
	}
	PG_RETURN_VOID();
}

/* Drop a generator.  Sessions that get ids wait for the transaction's end. */
void
generator_drop(text *name, bool if_exists)
{
	FormData_hilo_hi hi = {0};
	Definition	definition;

	require_writable("hilo_drop()");
	refuse_on_worker(name);
	lock_name(name);
	if (if_exists && !definition_exists(name))
	{
		ereport(NOTICE,
				errmsg("generator \"%s\" does not exist, skipping",
					   definition_title(name)));
		unlock_name(name);
		return;
	}

	definition = generator_require_owned(name);
	(void) store_lock(name, AccessExclusiveLock, &hi);
	/* after the wait: other transactions may have made a default */
	column_default_refuse(name, "drop", "");
	generator_recall(name);
	delete_rows(name);
	leave_number(name, &definition, &hi);
}

/*
 * Put the rows of a generator under another name.  It goes on above the number
 * that a drop, or a first use that was rolled back, has left there.  The caller
 * has locked both names.
 */
void
generator_rename(text *name, text *new_name, const Definition *definition)
{
	FormData_hilo_hi hi;
	FormData_hilo_hi left = {0};

	if (store_lock(new_name, AccessExclusiveLock, &left))
		own_table_delete(OWN_HI, new_name);
	generator_lock_hi(name, AccessExclusiveLock, &hi);
	(void) session_seed(name, definition, &hi, left.reserved, SEED_FORGET);
	own_table_rename(name, new_name);
	leave_number(name, definition, &hi);
	generators_changed();
}

/*
 * The event trigger on sql_drop: drop the generators of dropped tables, and
 * refuse to drop a source in use.  A new table may get the OID of a dropped one
 * and must not find its generator.  The trigger runs as the role that drops.
 */
Datum
hilo_forget_tables(PG_FUNCTION_ARGS)
{
	List	   *dropped;

	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
				errmsg("hilo_forget_tables() can only be called as an event trigger"));
	dropped =
		relation_select("SELECT objid FROM pg_catalog.pg_event_trigger_dropped_objects() o"
						" WHERE o.object_type IN ('table', 'sequence') AND NOT o.is_temporary");
	/* wait for restores, which may have found one of the tables */
	if (dropped != NIL)
		(void) lock_table(own_table_relid(OWN_DEFINITION), RowExclusiveLock,
						  true);
	foreach_oid(relid, dropped)
	{
		text	   *key = key_of_relation(relid);

		series_delete(relid);
		if (!generator_has_rows(key))
			continue;
		lock_name(key);
		delete_rows(key);
	}
	/* off: pg_restore --clean drops in an order of its own */
	if (dropped != NIL && check_function_bodies && !drops_dependents(fcinfo))
		own_table_each(OWN_SOURCE, refuse_drop, dropped);
	PG_RETURN_NULL();
}

/*
 * On a Citus worker, delete the copy of a tag of the coordinator.  Waits for
 * sessions that get ids from there.
 */
Datum
hilo_citus_forget(PG_FUNCTION_ARGS)
{
	text	   *name = PG_GETARG_TEXT_PP(0);
	Definition	definition;

	lock_name(name);
	/* a first use that knows the definition already asks for it again */
	shared_memory_attach();
	pg_atomic_fetch_add_u64(life_word, 1);
	if (!definition_find(name, &definition) ||
		citus_is_hub(NameStr(definition.hub)))
		delete_rows(name);
	PG_RETURN_VOID();
}

/*
 * Before a tag of a Citus coordinator is changed, recall it from the workers,
 * which learn nothing of it, and get no ids, until this transaction ends: they
 * need the lock for that.
 */
void
generator_recall(text *name)
{
	FormData_hilo_hi hi;

	if (!citus_is_here() || key_is_relation(name))
		return;
	generator_lock_hi(name, AccessExclusiveLock, &hi);
	citus_recall(name, false);
}

/*
 * Check whether other servers, which have asked this one for ids, may have
 * windows of a tag.  Workers of a Citus cluster are told to give theirs up.
 * The caller holds the tag's lock, so no window is on its way to a server.
 */
bool
generator_is_lent(text *name, const Definition *definition)
{
	Relation	rel;
	SysScanDesc scan;
	bool		is_lent;

	if (key_is_relation(name) || definition_is_identity(name) ||
		definition->holder == HELD_BY_TRANSACTION ||
		definition->origin != FROM_ROW ||
		citus_is_here())
		return false;
	rel = own_table_open(OWN_NODE, AccessShareLock);
	scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	is_lent = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return is_lent;
}

/*
 * Leave the number of a tag that is lent, or of hilo's own, whose users do not
 * keep it from a drop: a new one of its name begins above.
 */
static void
leave_number(text *name, const Definition *definition,
			 const FormData_hilo_hi *hi)
{
	if (definition_is_internal(name) || generator_is_lent(name, definition))
		store_insert(name, hi->reserved + store_skip(hi, definition),
					 hi->last_size, InvalidTransactionId);
}

/* Check whether a command is to drop what depends on its objects, too. */
static bool
drops_dependents(FunctionCallInfo fcinfo)
{
	Node	   *command = ((EventTriggerData *) fcinfo->context)->parsetree;

	return IsA(command, DropOwnedStmt) ||
		(IsA(command, DropStmt) &&
		 ((DropStmt *) command)->behavior == DROP_CASCADE);
}

/* Callback: report an error if a source that columns need has been dropped. */
static void
refuse_drop(text *name, HeapTuple tuple, void *dropped)
{
	OrmSource	source;

	(void) orm_source_from_tuple(tuple, &source);
	if (list_member_oid(dropped, source.relid))
		column_default_refuse(name, "drop the source of",
							  psprintf(" Then run SELECT hilo_drop(%s).",
									   quote_literal_cstr(text_to_cstring(name_shown(name, name)))));
}

Datum
hilo_grant(PG_FUNCTION_ARGS)
{
	return change_grant(fcinfo, true);
}

Datum
hilo_revoke(PG_FUNCTION_ARGS)
{
	return change_grant(fcinfo, false);
}

/* Check whether any table of hilo has a row of a name. */
bool
generator_has_rows(text *name)
{
	for (OwnTable table = OWN_DEFINITION; table < OWN_NAMED_TABLES; table++)
	{
		if (own_table_rows(table, name) != NIL)
			return true;
	}
	return false;
}

/*
 * Delete the rows of a generator.  The caller has locked its name.
 *
 * The lock of the generator waits for sessions that reserve ids, and they wait
 * for the end of this transaction.  The window is closed first, so no session
 * gets ids from it any more.
 */
static void
delete_rows(text *name)
{
	FormData_hilo_hi hi;

	if (store_lock(name, AccessExclusiveLock, &hi))
		end_generator_use(hi.incarnation, WINDOW_CLOSES, true);
	for (OwnTable table = OWN_DEFINITION; table < OWN_NAMED_TABLES; table++)
		own_table_delete(table, name);
	generators_changed();
}

/*
 * Grant the use of a generator to a role or to PUBLIC, or revoke it.  The
 * caller has locked the name.
 */
void
generator_grant(text *name, Oid role, bool grant)
{
	Definition	definition;

	if (role == ACL_ID_PUBLIC)
	{
		definition = generator_require(name);
		definition.is_public = grant;
		definition_update(name, &definition);
	}
	else if (grant)
		privilege_insert(name, role, false, false);
	else
		privilege_delete(name, role, false);
	generators_changed();
}

/*
 * Replace a definition.  Report an error if ids that are reserved lie outside
 * its limits.  The caller has locked the name.
 */
void
generator_change(text *name, const Definition *before,
				 const Definition *definition)
{
	FormData_hilo_hi hi;
	int64		last;
	bool		has_other_ids = definition->first > before->first ||
		!definition_same_order_and_hub(definition, before);
	bool		is_narrower = has_other_ids ||
		definition->max_value < before->max_value ||
		definition->domain_bits != before->domain_bits;

	definition_check(name, definition);
	generator_recall(name);

	/*
	 * With narrower limits, no session may go on with ids of the former ones.
	 * The exclusive lock keeps others from reserving ids until this
	 * transaction ends; then all sessions look at the generator again.
	 */
	generator_lock_hi(name, is_narrower ? AccessExclusiveLock :
					  RowExclusiveLock, &hi);
	if (is_narrower)
		end_generator_use(hi.incarnation, 0, false);
	last = generator_last(name, before);
	/* "last" may be above a limit that a rollback has restored */
	if (definition->first != before->first ||
		definition->max_value != before->max_value)
		check_against_last(definition, last);
	if (has_reserved(before, &hi, last))
	{
		/* the same numbers would stand for other ids */
		if (definition->scattered != before->scattered ||
			definition->domain_bits != before->domain_bits)
			ereport(ERROR,
					errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("cannot change how ids of generator \"%s\" are scattered",
						   definition_title(name)),
					errdetail("Ids that were handed out could be handed out a second time."),
					errhint("Create another generator, and use it for another column."));
		if (has_other_ids)
		{
			(void) session_seed(name, definition, &hi, 0, SEED_FORGET);
			last = generator_last(name, before);
		}
	}
	/* the window has ids of a source that is no longer used */
	if (definition->holder == HELD_BY_TRANSACTION ||
		strcmp(NameStr(definition->hub), NameStr(before->hub)) != 0)
		end_generator_use(hi.incarnation, WINDOW_CLOSES, false);
	change_holder(name, before, definition, &hi, last);
	definition_update(name, definition);
}

/*
 * Take the number of a generator to where its new holder has it: a row of
 * hilo_gapless that belongs to transactions, or hilo_hi.
 */
static void
change_holder(text *name, const Definition *before,
			  const Definition *definition, const FormData_hilo_hi *hi,
			  int64 last)
{
	bool		was_gapless = before->holder == HELD_BY_TRANSACTION;
	bool		is_gapless = definition->holder == HELD_BY_TRANSACTION;

	if (is_gapless && !was_gapless)
	{
		StoreRequest request =
		{.name = name,.definition = before,.incarnation = hi->incarnation,
		.max_value = before->max_value,.size = 1};

		/* what is to be skipped is skipped by the next range, and once */
		if (!hi_is_stamped(hi) && store_take(&request) == STORE_OK)
			last = request.taken.range.low - 1;
		own_table_insert(OWN_GAPLESS, &last, NULL, name, false);
	}
	if (was_gapless && !is_gapless)
	{
		(void) store_seed(name, gapless_require_last(name), SEED_RAISE);
		own_table_delete(OWN_GAPLESS, name);
	}
}

/*
 * Check whether an id was ever reserved.
 *
 * It may have been although "last" lies below "first".  "First" may have been
 * raised since, which made sessions forget their ids and changed the
 * incarnation.  Or another server or timeline, which is lost, reserved some.
 */
static bool
has_reserved(const Definition *definition, const FormData_hilo_hi *hi,
			 int64 last)
{
	return last >= definition->first ||
		(last != 0 && !IsFirstLife(hi->incarnation)) ||
		!hi_is_stamped(hi);
}

/* Return the definition of a generator, which must exist. */
Definition
generator_require(text *name)
{
	Definition	definition;

	if (!definition_find(name, &definition))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg("generator \"%s\" does not exist",
					   definition_title(name)));
	return definition;
}

/* Return the definition of a generator that the current role may change. */
Definition
generator_require_owned(text *name)
{
	Definition	definition;

	refuse_on_worker(name);
	definition = generator_require(name);
	privilege_require_owner(name);
	return definition;
}

/* Report an error if a Citus worker gets the ids of a name elsewhere. */
static void
refuse_on_worker(text *name)
{
	Definition	definition;

	if (citus_is_hub(CITUS_HUB) && !key_is_relation(name) &&
		(!definition_find(name, &definition) ||
		 citus_is_hub(NameStr(definition.hub))))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("generator \"%s\" cannot be changed on a Citus worker",
					   definition_title(name)),
				errhint("Make the same call on the coordinator."));
}

/* Take the lock of a generator that must have a row in hilo_hi. */
void
generator_lock_hi(text *name, LOCKMODE lockmode, FormData_hilo_hi *hi)
{
	if (store_lock(name, lockmode, hi))
		return;

	/* another session may have dropped the generator during the wait */
	(void) generator_require_owned(name);
	definition_report_incomplete(name);
}

/* Return the last id that was carved; less than "first" if there is none. */
int64
generator_last(text *name, const Definition *definition)
{
	FormData_hilo_hi hi;
	int64		last;

	if (definition->holder == HELD_BY_SEQUENCE)
		return sequence_last(definition->table);
	if (definition->holder == HELD_BY_TRANSACTION && gapless_last(name, &last))
		return last;
	if (!store_read(name, &hi))
		return definition->first - 1;
	return shared_last_carved(&hi);
}

/*
 * Report that a generator exists and stays as it is, with a WARNING if another
 * definition was asked for.
 */
static void
report_existing(text *name, const Definition *existing,
				const Definition *wanted)
{
	const char *ordering = definition_ordering(existing);
	int			level = WARNING;

	if (strcmp(ordering, definition_ordering(wanted)) == 0 &&
		wanted->first == existing->first &&
		wanted->max_value == existing->max_value &&
		wanted->max_range_size == existing->max_range_size)
		level = NOTICE;
	ereport(level,
			errmsg("generator \"%s\" already exists, skipping",
				   definition_title(name)),
			errdetail("Its ordering is \"%s\", its first id is %lld, its max_value is %lld, and its max_range_size is %lld.",
					  ordering, (long long) existing->first,
					  (long long) existing->max_value,
					  (long long) existing->max_range_size));
}

/*
 * Set the options of hilo_create or hilo_alter that are not null.  Set the
 * default domain if ids are not scattered; otherwise the domain limits
 * max_value.
 */
static void
apply_options(FunctionCallInfo fcinfo, Definition *definition)
{
	Origin		before = definition->origin;

	if (!PG_ARGISNULL(ARGUMENT_ORDERING))
	{
		text	   *ordering = PG_GETARG_TEXT_PP(ARGUMENT_ORDERING);

		definition_set_ordering(definition, text_to_cstring(ordering));
	}
	if (definition->origin != before)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("ordering \"adopted\" cannot be set or changed"),
				errhint("Create another generator, or use hilo_adopt_sequence or hilo_adopt_table, for a tag hilo_adopt_sequence_tag or hilo_adopt_table_tag."));
	if (!PG_ARGISNULL(ARGUMENT_FIRST))
		definition->first = PG_GETARG_INT64(ARGUMENT_FIRST);
	if (!PG_ARGISNULL(ARGUMENT_MAX_VALUE))
		definition->max_value = PG_GETARG_INT64(ARGUMENT_MAX_VALUE);
	if (!PG_ARGISNULL(ARGUMENT_RANGE_SIZE))
		definition->range_size = PG_GETARG_INT64(ARGUMENT_RANGE_SIZE);
	if (!PG_ARGISNULL(ARGUMENT_MAX_RANGE_SIZE))
		definition->max_range_size = PG_GETARG_INT64(ARGUMENT_MAX_RANGE_SIZE);
	if (!PG_ARGISNULL(ARGUMENT_DOMAIN_BITS))
		definition->domain_bits = PG_GETARG_INT32(ARGUMENT_DOMAIN_BITS);
	if (!PG_ARGISNULL(ARGUMENT_HUB))
	{
		definition_set_hub(definition, NameStr(*PG_GETARG_NAME(ARGUMENT_HUB)));
		/* a hub looks generators up by name, which this one does not have */
		if (definition->origin == FROM_HUB && OidIsValid(definition->table))
			ereport(ERROR,
					errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					errmsg("a table's own generator cannot have a hub"),
					errhint("Create a tag, and call hilo_next_tag in the default of the column."));
		if (definition->origin == FROM_HUB)
			(void) hub_server(NameStr(definition->hub), GetUserId());
	}
	if (!definition->scattered && PG_ARGISNULL(ARGUMENT_DOMAIN_BITS))
		definition->domain_bits = ID_DOMAIN_MAX_BITS;
	else if (definition->max_value == PG_INT64_MAX &&
			 definition->domain_bits >= ID_DOMAIN_MIN_BITS &&
			 definition->domain_bits <= ID_DOMAIN_MAX_BITS)
		definition->max_value = id_domain_max(definition->domain_bits);
}

static void
check_against_last(const Definition *definition, int64 last)
{
	if (definition->max_value < last)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("max_value (%lld) must not be less than the last id (%lld)",
					   (long long) definition->max_value, (long long) last));
	if (definition->first - 1 > last)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("first (%lld) must not be greater than the next id (%lld)",
					   (long long) definition->first, (long long) last + 1),
				errhint("Use hilo_seed to continue from a higher id."));
}

static Datum
change_grant(FunctionCallInfo fcinfo, bool grant)
{
	text	   *name = name_argument(fcinfo, NAME_TO_CHANGE);

	require_writable(grant ? "hilo_grant()" : "hilo_revoke()");
	argument_require(fcinfo, 1, "role name");
	lock_name(name);
	(void) generator_require_owned(name);
	if (!grant)
		generator_recall(name);
	generator_grant(name, get_role_oid_or_public(NameStr(*PG_GETARG_NAME(1))),
					grant);
	PG_RETURN_VOID();
}
