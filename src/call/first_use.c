/*
 * Generators that are made, by a first use or by a call.
 *
 * The number of a new generator is final before its first id is handed out: its
 * row in hilo_hi comes first, so that a crash half-way leaves nothing that a
 * later first use could take for a generator with all ids still to be had.  A
 * tag's definition is final, too, and a table's if the transaction has
 * written nothing before, or if the role is not the owner: no session waits for
 * such a role.  Else a table's is the transaction's: a rollback takes it back,
 * with what it has made of rows and columns, and the next first use goes on
 * above the number and the rows that there are then.
 *
 * A tag belongs to the role that makes it, or, if a trigger does, to the owner
 * of the table.  On a Citus worker the coordinator makes it, and here another
 * one that takes its ids.
 */
#include "postgres.h"

#include "storage/lmgr.h"

#include "call/call.h"

/* The arguments of first_use_fit. */
typedef struct Fit
{
	const ColumnDefault *found;
	Definition *definition;
	int64	   *last;
} Fit;

static void try_to_fit(void *arg);
static void first_use_on_worker(text *name, text *written);
static void first_use_of_table(text *key);
static bool is_final_despite_writes(List *columns, Oid owner);
static void refuse_first_use(text *name, bool may_make);
static TransactionId number_xmin(text *name, Oid relid);
static void insert_rows(text *name, const Definition *definition, Oid owner,
						int64 last, bool is_final);

/*
 * Make the generator of a name that is used for the first time, unless another
 * session makes it first.  Waits for a transaction that has created or dropped
 * that name, for a restore, and for the coordinator of a Citus worker.  For a
 * table, waits also for a transaction that has used it first or joins rows to
 * it, and for the query of a column's greatest value.
 */
void
first_use(text *name, text *written)
{
	if (key_is_relation(name))
	{
		first_use_of_table(name);
		return;
	}
	if (definition_is_internal(name))
		definition_require_unreserved(name, GetUserId());
	if (citus_is_worker())
	{
		first_use_on_worker(name, written);
		return;
	}
	first_use_with_notice(name, written, definition_is_user_named(name) ?
						  GetUserId() : InvalidOid);
}

/*
 * Make a tag with the default options for a role, and report that to the
 * client.  Report an error if the role may not make it, or if hilo.auto_create
 * is off.
 */
void
first_use_with_notice(text *tag, text *written, Oid owner)
{
	Definition	definition = definition_default(written);
	const char *role = "";
	bool		has_table = OidIsValid(name_find_table(written));
	const char *no_table = has_table ? "" : "table or ";
	const char *shown;

	if (!first_use_of_tag(tag, &definition, owner, session_auto_create))
		return;
	if (OidIsValid(owner) && !superuser_arg(owner))
		role = psprintf(" for role %s",
						quote_identifier(GetUserNameFromId(owner, false)));
	shown = text_to_cstring(definition.written);
	ereport(NOTICE,
			errmsg("there was no %stag \"%s\": the tag has been created%s", no_table,
				   shown, role),
			errhint("If the name is a mistake, run hilo_drop(%s).",
					quote_literal_cstr(psprintf("##%s", shown))));
}

/*
 * Make a tag for an owner that may make it; a tag of superusers has none.
 * Return false if there is one already.  If there is none and may_make is
 * false, report an error.
 *
 * The tag starts above the values of columns that name it, in tables of owners
 * that have the rights of its owner.
 */
bool
first_use_of_tag(text *tag, Definition *definition, Oid owner, bool may_make)
{
	List	   *columns = NIL;
	FormData_hilo_hi hi;
	int64		last = 0;
	bool		is_new;

	if (!first_use_lock(tag))
		return false;
	refuse_first_use(tag, may_make);
	if (OidIsValid(owner))
	{
		privilege_require_create(tag, owner);
		name_refuse_table_of_same_name(definition->written);
		columns = column_default_list(tag, false, owner);
		foreach_ptr(ColumnDefault, column, columns)
			first_use_fit(column, definition, &last);
	}
	/* a query of a column may have run code that made it */
	is_new = !definition_exists(tag);
	if (is_new)
		insert_rows(tag, definition, owner, last, true);
	/* a column that the transaction has made does not keep it from a drop */
	if (columns != NIL && TransactionIdIsValid(GetTopTransactionIdIfAny()))
		(void) store_lock(tag, RowExclusiveLock, &hi);
	unlock_name(tag);
	return is_new;
}

/*
 * Lock the name of a generator that does not exist, and return true.  If it
 * exists, also after a wait for the transaction that makes it, lock nothing and
 * return false.  Report an error if only some tables have its rows.
 */
bool
first_use_lock(text *name)
{
	generator_lock_name(name);
	if (store_is_incomplete(name))
		definition_report_incomplete(name);
	if (!definition_exists(name))
		return true;
	unlock_name(name);
	return false;
}

/* Lock a name when no other transaction is making its generator. */
void
generator_lock_name(text *name)
{
	TransactionId maker;

	for (;;)
	{
		lock_name(name);
		maker = definition_creating_xid(name);
		if (!TransactionIdIsValid(maker))
			return;

		/* it keeps no lock of the name: it may make more than locks fit */
		unlock_name(name);
		XactLockTableWait(maker, NULL, NULL, XLTW_None);
	}
}

/*
 * Make a new generator start above what a column holds, and end where its type
 * does.  Where a wait for a lock would begin, an error is reported.
 */
void
first_use_fit(const ColumnDefault *found, Definition *definition, int64 *last)
{
	Column		column = {
		.relid = found->relid,.lockmode = AccessShareLock,
		.name = get_attname(found->relid, found->attnum, true),
		.generator = found->generator,
		.is_wrapped = found->is_wrapped,.trusts_owner =
		key_is_relation(found->generator),
		.with_uncommitted = !found->with_deleted,.with_deleted =
		found->with_deleted
	};

	/* false if it was dropped meanwhile */
	if (column_lock_part(&column, found->relid, ERRCODE_LOCK_NOT_AVAILABLE) &&
		OidIsValid(get_atttype(found->relid, found->attnum)))
	{
		int64		max;

		column.name = get_attname(found->relid, found->attnum, false);
		column = column_lock_tree(column, ERRCODE_LOCK_NOT_AVAILABLE);
		max = column_greatest_id(&column, *last);
		*last = Max(*last, max);
		definition_fit_column(&column, definition);
		column_unlock(&column, AccessShareLock);
	}
	unlock_table(found->relid, AccessShareLock);
}

/* Do as first_use_fit, but only warn of a column that does not show its ids. */
void
first_use_fit_or_warn(const ColumnDefault *found, Definition *definition,
					  int64 *last)
{
	Fit			fit = {found, definition, last};
	ErrorData  *error = run_in_subxact(try_to_fit, &fit);
	text	   *key = found->generator;

	if (error == NULL)
		return;
	if (error->sqlerrcode != ERRCODE_DATATYPE_MISMATCH &&
		error->sqlerrcode != ERRCODE_WRONG_OBJECT_TYPE)
		ReThrowError(error);
	ereport(WARNING,
			errcode(error->sqlerrcode),
			errmsg_internal("%s", error->message),
			errhint("Raise the generator above the ids there with hilo_seed(%s, ...).",
					quote_literal_cstr(text_to_cstring(name_shown(key, key)))));
}

/*
 * Return the columns above which a table's own generator starts: those that
 * draw from it, in tables of owners that have its owner's rights, and the
 * table's primary key if programs number that, and no column of the table draws.
 */
List *
first_use_columns(text *key)
{
	ColumnDefault *primary_key = palloc0(sizeof(*primary_key));
	Oid			relid = key_relid(key);
	List	   *columns = NIL;

	primary_key->relid = relid;
	primary_key->attnum = relation_integer_key(relid);
	primary_key->generator = key;

	/* the rows of a view are those of a table that draws, too */
	foreach_ptr(ColumnDefault, column,
				column_default_list(key, false, relation_owner(relid)))
	{
		if (get_rel_relkind(column->relid) != RELKIND_VIEW)
			columns = lappend(columns, column);
		if (column->relid == relid)
			primary_key->attnum = InvalidAttrNumber;
	}
	if (primary_key->attnum != InvalidAttrNumber)
		columns = lappend(columns, primary_key);
	return columns;
}

/* Callback of run_in_subxact. */
static void
try_to_fit(void *arg)
{
	Fit		   *fit = arg;

	first_use_fit(fit->found, fit->definition, fit->last);
}

/*
 * Copy a tag of the coordinator, which counts above columns.  If a tag was
 * recalled since the coordinator was asked, make none: the caller asks again.
 */
static void
first_use_on_worker(text *name, text *written)
{
	Definition	definition = definition_default(written);
	uint64		life;
	Oid			owner;

	shared_memory_attach();
	life = pg_atomic_read_u64(life_word);
	owner = hub_define(name, definition.written, &definition);
	if (!first_use_lock(name))
		return;
	/* what it said may not be so any more */
	if (life == pg_atomic_read_u64(life_word))
		insert_rows(name, &definition, owner, 0, true);
	unlock_name(name);
}

/* Make a table's own generator, for a role that may use it. */
static void
first_use_of_table(text *key)
{
	Oid			relid = key_relid(key);
	bool		is_final;
	Definition	definition;
	int64		last = 0;
	List	   *columns;

	/* before the name, as a DROP does, which waits for what is not final */
	name_lock_generator_table(relid);
	definition = definition_default(key);
	if (!first_use_lock(key))
	{
		unlock_table(relid, AccessShareLock);
		return;
	}
	refuse_first_use(key, true);
	privilege_require_use(key, &definition);
	name_require_id_column(relid);
	name_refuse_tag_of_same_name(relid);
	columns = first_use_columns(key);
	is_final = is_final_despite_writes(columns, relation_owner(relid));
	foreach_ptr(ColumnDefault, column, columns)
	{
		first_use_fit(column, &definition, &last);
		/* a rollback brings back the rows that the transaction has deleted */
		column->with_deleted = is_final;
		if (is_final)
			first_use_fit(column, &definition, &last);
	}

	/*
	 * Without an xid the transaction has written nothing that a rollback
	 * could take back, so the rows may stay.  An INSERT gets its xid after
	 * its first defaults.  Look now: the queries above may have run code of
	 * the table's owner, which may have written, or made the generator.
	 */
	is_final |= !TransactionIdIsValid(GetTopTransactionIdIfAny());
	if (!definition_exists(key))
		insert_rows(key, &definition, InvalidOid, last, is_final);
	unlock_name(key);
	if (is_final)
		unlock_table(relid, AccessShareLock);
}

/*
 * Check whether the first use of a transaction that has written is final all
 * the same: the role is not the owner, and a rollback brings back no former
 * storage, whose rows could not be seen.
 */
static bool
is_final_despite_writes(List *columns, Oid owner)
{
	bool		is_final = TransactionIdIsValid(GetTopTransactionIdIfAny()) &&
		!has_privs_of_role(GetUserId(), owner);

	foreach_ptr(ColumnDefault, column, columns)
	{
		foreach_oid(table, lock_inheritors(column->relid, NoLock))
		{
			Relation	rel = RelationIdGetRelation(table);

			if (rel == NULL)
				continue;
			is_final &= !RelationHasNewStorage(rel);
			RelationClose(rel);
		}
	}
	return is_final;
}

/*
 * Create a generator; its first id lies above last.  It belongs to the table of
 * its definition, or else to owner.  If its rows may be final, and the
 * transaction has written nothing, they are.  Otherwise a rollback takes them
 * back, and the name stays locked to the end of the transaction.
 */
void
generator_create(text *name, const Definition *definition, Oid owner,
				 int64 last, bool may_be_final)
{
	FormData_hilo_hi hi;
	int64		in_use = last;
	int64		number;
	bool		is_final;
	bool		has_hi;

	definition_require_unreserved(name, OidIsValid(definition->table) ? InvalidOid :
								  owner);
	citus_refuse_own_ids(name, definition);
	generator_lock_name(name);
	if (definition_exists(name))
		ereport(ERROR,
				errcode(ERRCODE_DUPLICATE_OBJECT),
				errmsg("generator \"%s\" already exists",
					   definition_title(name)));

	/*
	 * Rows without a definition are what a failed restore leaves, or a table
	 * that is gone.  A table's number is raised, not made anew.
	 */
	has_hi = !key_is_relation(name) &&
		store_lock(name, AccessExclusiveLock, &hi);
	if (gapless_last(name, &number))
		last = Max(last, number);
	if (has_hi)
	{
		last = Max(last, hi.reserved +
				   store_skip(&hi, definition));

		/*
		 * End the window of the row, here and in other sessions, also if this
		 * transaction rolls back.  A row that a crash left is in its first
		 * life, and has no window.
		 */
		if (!IsFirstLife(hi.incarnation))
			last = store_seed(name, last, SEED_FORGET);
		own_table_delete(OWN_HI, name);
	}
	if (definition->origin != FROM_ORM)
		own_table_delete(OWN_SOURCE, name);
	own_table_delete(OWN_GAPLESS, name);
	own_table_delete(OWN_PRIVILEGE, name);
	/* queries of columns may have run code that has written */
	is_final = may_be_final &&
		!TransactionIdIsValid(GetTopTransactionIdIfAny());
	insert_rows(name, definition, owner, last, is_final);
	if (is_final)
		unlock_name(name);
	generators_changed();
	/* also the reserved ids up to it are in use */
	if (has_hi)
		skip_up_to(name, in_use, false);
}

/*
 * Insert the rows of a generator; final ones stay after a rollback.  If hilo_hi
 * has its row, raise that: a first use that was rolled back has left it, or a
 * failed restore.
 */
static void
insert_rows(text *name, const Definition *definition, Oid owner, int64 last,
			bool is_final)
{
	FormData_hilo_hi hi;
	bool		is_of_table =
		OidIsValid(definition->table) && definition->holder != HELD_BY_TRANSACTION;

	/* before the first row: all can be final; store_insert checks hilo_hi */
	if (is_final)
	{
		table_close(own_table_open_durable(OWN_PRIVILEGE), RowExclusiveLock);
		table_close(own_table_open_durable(OWN_DEFINITION), RowExclusiveLock);
	}
	if (store_read(name, &hi))
		last = store_seed(name, last, is_of_table ? SEED_FORGET : SEED_RAISE);
	else
	{
		TransactionId xmin = InvalidTransactionId;

		if (is_final)
			xmin = FrozenTransactionId;
		else if (is_of_table)
			xmin = number_xmin(name, definition->table);
		store_insert(name, last, definition->range_size, xmin);
	}
	if (definition->holder == HELD_BY_TRANSACTION)
		own_table_insert(OWN_GAPLESS, &last, NULL, name, false);
	delay_at_random();
	/* a crash here, or a failed restore, may have left an owner */
	if (OidIsValid(owner) && !OidIsValid(definition->table) &&
		!OidIsValid(privilege_owner(name)))
		privilege_insert(name, owner, true, is_final);
	own_table_insert(OWN_DEFINITION, definition, definition->written, name,
					 is_final);
	/* ids may be on disk before their definition is */
	if (!is_final)
		ForceSyncCommit();
}

/*
 * Return the xmin of a row with a table's new number.  If this transaction has
 * made the table, the row goes with it, also by a rollback to a savepoint.  If
 * this transaction has deleted a row of that key, a rollback brings that back,
 * and takes the new one.  Otherwise the row stays.
 */
static TransactionId
number_xmin(text *name, Oid relid)
{
	TransactionId xmin = relation_creating_xid(relid);

	if (change_remembered(name) == CHANGED_GONE)
		return InvalidTransactionId;
	return TransactionIdIsCurrentTransactionId(xmin) ? xmin :
		FrozenTransactionId;
}

/* Report an error if the first use of a name must not make its generator. */
static void
refuse_first_use(text *name, bool may_make)
{
	if (!may_make)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg("generator \"%s\" does not exist",
					   definition_title(name)),
				errhint("Create it with hilo_create, or set hilo.auto_create to on."));
	if (change_remembered(name) == CHANGED_GONE)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("generator \"%s\" was dropped or renamed by the current transaction",
					   definition_title(name)),
				errhint("Draw ids after the transaction, or create the generator with hilo_create if it was dropped."));
}
