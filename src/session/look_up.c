/*
 * What this session knows of a generator.
 *
 * An entry may be used as it is while the life word and generator_changes stand
 * still.  What makes a range wrong for all sessions at once (a seed, a drop, a
 * change of the ordering, a restore) raises the word before it answers; drop,
 * forced seed and alter do so while they hold the generator's lock in
 * AccessExclusive mode, so a session that looks again waits for the end of
 * their transaction.  Changes of definitions and rights, and the rollback of a
 * create, send an invalidation.  An entry is found by name but lives by
 * incarnation: a range of a generator that was dropped is forgotten, even if
 * there is one of that name again.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "storage/ipc.h"
#include "storage/lmgr.h"
#include "utils/inval.h"

#include "session/slot.h"

bool		session_prefetch = true;
bool		session_auto_create = true;
GeneratorMaker session_make_generator;

static HTAB *session_entries;
SessionEntry *session_latest_entry;

/*
 * The entries used last, of a tag and of a table, as fn_extra does not survive
 * a new execution.  Each is set when its entry is there: after an error it is
 * the one before, which is never freed.
 */
static SessionEntry *recent_tag;
static SessionEntry *recent_default;

/* the table whose stream was asked for last, and generator_changes then */
static struct
{
	Oid			relid;
	SessionEntry *entry;
	uint64		generation;
}			recent_stream;

static void session_at_exit(int code, Datum arg);
static uint32 hash_name(const void *key, Size keysize);
static int	compare_names(const void *key1, const void *key2, Size keysize);
static text *copy_for_session(text *value);
static bool try_revalidate(SessionEntry *entry);
static void note_source_version(SessionEntry *entry, Oid version);
static bool look_up(SessionEntry *entry);
static bool find_in_tables(const SessionEntry *entry, FormData_hilo_hi *hi,
						   Definition *definition);

/*
 * Return the entry of a tag or a table's stream, by its name as the caller wrote
 * it, and make it if there is none.  An entry is never freed or moved.
 */
SessionEntry *
session_stream_entry(Datum written)
{
	return session_entry_of(name_of_generator(DatumGetTextPP(written),
											  NAME_TO_DRAW),
							definition_unmarked(DatumGetTextPP(written)));
}

/* Do as session_stream_entry for a tag, the last one without a look for it. */
SessionEntry *
session_tag_entry(Datum written)
{
	text	   *tag = DatumGetTextPP(written);

	if (recent_tag != NULL && text_equal(recent_tag->definition.written, tag))
		return recent_tag;
	return recent_tag = session_entry_of(name_of_tag(tag), tag);
}

/*
 * Return the entry of a table's stream, the last one without a look for it
 * unless the table has changed.
 */
SessionEntry *
session_table_entry(Datum rel)
{
	Oid			relid = DatumGetObjectId(rel);
	uint64		generation = generator_changes;
	SessionEntry *entry;
	text	   *key;

	if (recent_stream.relid == relid && recent_stream.generation == generation)
		return recent_stream.entry;
	key = stream_of_table(relid, false);
	stream_refuse_adopted(key_sequence(key));
	entry = session_entry_of(key, key);
	recent_stream.relid = relid;
	recent_stream.entry = entry;
	recent_stream.generation = generation;
	return entry;
}

/*
 * Do so for a default that names the table: it draws from the table's own
 * generator if that exists.
 */
SessionEntry *
session_entry_of_default(Datum rel)
{
	text	   *key;

	if (recent_default != NULL &&
		recent_default->definition.table == DatumGetObjectId(rel))
		return recent_default;
	key = key_of_relation(DatumGetObjectId(rel));
	if (session_find(key) == NULL && !definition_exists(key))
		return session_table_entry(rel);
	return recent_default = session_entry_of(key, key);
}

/* Return the entry of a folded name; see session_stream_entry. */
SessionEntry *
session_entry_of(text *name, text *written)
{
	SessionEntry *entry = session_find(name);

	/*
	 * Entries are never freed, so make none for a name that will be refused.
	 * Other tags are made later, by session_revalidate.
	 */
	if (entry == NULL &&
		(!session_auto_create || key_is_relation(name)) &&
		!definition_exists(name))
	{
		session_make_generator(name, written);
		/* code of the table's owner may have asked for it meanwhile */
		entry = session_find(name);
	}
	if (entry != NULL)
		return entry;

	name = copy_for_session(name);
	written = copy_for_session(written);
	entry = hash_search(session_entries, &name, HASH_ENTER, NULL);
	memset(entry, 0, sizeof(*entry));
	entry->name = name;
	entry->older = session_latest_entry;
	entry->definition.written = written;
	entry->definition.table = key_relid(name);
	entry->range = EMPTY_RANGE;
	return session_latest_entry = entry;
}

/* Return the entry of a folded name, NULL if this session has not used it. */
SessionEntry *
session_find(text *name)
{
	HASHCTL		ctl = {
		.keysize = sizeof(text *),
		.entrysize = sizeof(SessionEntry),
		.hash = hash_name,
		.match = compare_names,
	};

	if (session_entries == NULL)
	{
		session_entries = hash_create("hilo session cache", 16, &ctl,
									  HASH_ELEM | HASH_FUNCTION | HASH_COMPARE);
		/* after ShutdownPostgres was registered, so it runs before that */
		before_shmem_exit(session_at_exit, (Datum) 0);
	}
	return hash_search(session_entries, &name, HASH_FIND, NULL);
}

/*
 * Check whether a call is stored in a catalog, like that of a default: it has
 * no location in the text of the statement.
 */
bool
session_call_is_stored(FuncExpr *call)
{
	return call != NULL && IsA(call, FuncExpr) && call->location < 0;
}

/*
 * Make sure that the entry knows the generator as it is now, and that the role
 * may use it.  Make the generator if there is none.  Waits for a transaction
 * that holds the generator's lock in AccessExclusive mode.  The caller has
 * called require_writable.
 */
void
session_revalidate(SessionEntry *entry)
{
	while (!try_revalidate(entry))
	{
		const char *written;

		CHECK_FOR_INTERRUPTS();
		/* no call that takes ids makes one of hilo's own: report an error */
		if (definition_is_internal(entry->name))
			definition_require_unreserved(entry->name, InvalidOid);
		/* a copy, because code of a table's owner may replace the text */
		written = text_to_cstring(entry->definition.written);
		session_make_generator(entry->name, cstring_to_text(written));
	}
}

/*
 * Lock the generator until unlock_generator or the end of the transaction, and
 * its window if asked, so that nothing ends the life that the entry knows.
 *
 * If the generator was altered or is gone, lock nothing and return false: its
 * ids may have another holder, and the caller begins again with
 * session_revalidate.
 */
bool
session_lock(SessionEntry *entry, LOCKMODE lockmode, bool with_window)
{
	Definition	before = entry->definition;

	for (;;)
	{
		int64		incarnation = entry->incarnation;

		CHECK_FOR_INTERRUPTS();
		lock_generator(incarnation, lockmode);
		if (with_window)
			lock_window(incarnation);
		AcceptInvalidationMessages();
		if (entry_is_current(entry))
			return true;
		if (with_window)
			unlock_window(incarnation);
		unlock_generator(incarnation, lockmode);
		if (!try_revalidate(entry) ||
			!definition_same_order_and_hub(&entry->definition, &before) ||
			entry->definition.max_value != before.max_value)
			return false;
	}
}

/* Forget which ids this session got last, but keep the rest of its ranges. */
void
session_forget_currents(void)
{
	for (SessionEntry *entry = session_latest_entry; entry != NULL;
		 entry = entry->older)
	{
		if (session_held(entry) == 0)
			(void) session_give_back(entry);
		else
			entry->range.low = entry->handed_out + 1;
		entry->current = 0;
	}
}

/*
 * Do as session_revalidate, and report an error if the generator cannot reserve
 * size ids at once.  A new generator has the default limit: if size is above
 * that, make none.
 */
void
session_check_size(SessionEntry *entry, int64 size, const char *argument)
{
	if (entry->as_of != generators_as_of() &&
		!definition_exists(entry->name))
	{
		Definition	definition = definition_default(entry->name);

		definition_check_size(&definition, size, argument);
	}
	session_revalidate(entry);
	definition_check_size(&entry->definition, size, argument);
}

/*
 * Warn of a generator that nears its end: once a session at each of these
 * shares of max_value.
 */
void
session_warn_of_end(SessionEntry *entry, int64 last)
{
	double		used = definition_used_ratio(&entry->definition, last) * 100;
	int			percentage = used < 90 ? 75 : 90;

	if (used < percentage || entry->warned >= percentage)
		return;
	entry->warned = percentage;
	ereport(WARNING,
			errmsg("generator \"%s\" has reserved at least %d%% of its ids",
				   text_to_cstring(entry->definition.written), percentage),
			errdetail("The last id reserved is %lld, max_value is %lld.",
					  (long long) last,
					  (long long) entry->definition.max_value));
}

/*
 * Report an error: no id is left up to max_value, that of the generator or a
 * lower one of the server that asks for ids.
 */
void
session_report_exhausted(SessionEntry *entry, int64 max_value, int64 skipped)
{
	FormData_hilo_hi hi;

	if (store_read(entry->name, &hi))
		skipped += hi.skipped;
	ereport(ERROR,
			errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
			errmsg("generator \"%s\" has reached its max_value (%lld)",
				   text_to_cstring(entry->definition.written),
				   (long long) max_value),
			skipped <= 0 ? 0 :
			errdetail("After failovers, hilo.failover_skip skipped %lld of its ids.",
					  (long long) skipped),
			errhint("%s", definition_limit_hint(&entry->definition,
												max_value)));
}

void
session_require_use(const SessionEntry *entry, const Definition *definition)
{
	Definition	hub_definition = *definition;

	/* the coordinator may have granted the right meanwhile */
	if (citus_is_hub(NameStr(definition->hub)) &&
		!privilege_may_use(entry->name, definition, GetUserId()))
		(void) hub_define(entry->name, entry->definition.written,
						  &hub_definition);
	else
		privilege_require_use(entry->name, definition);
}

/* Callback.  Waits for no other session, as nothing could cancel that. */
static void
session_at_exit(int code, Datum arg)
{
	for (SessionEntry *entry = session_latest_entry; entry != NULL;
		 entry = entry->older)
		(void) session_end_range(entry, session_return_on_exit);
}

static uint32
hash_name(const void *key, Size keysize)
{
	return text_hash(*(text *const *) key);
}

static int
compare_names(const void *key1, const void *key2, Size keysize)
{
	return text_equal(*(text *const *) key1, *(text *const *) key2) ? 0 : 1;
}

static text *
copy_for_session(text *value)
{
	Size		size = VARSIZE_ANY(value);

	return memcpy(MemoryContextAlloc(GetMemoryChunkContext(session_entries),
									 size), value, size);
}

/*
 * Do as session_revalidate, but return false if there is no such generator.
 *
 * Lock the sequence of an adopted generator once in a transaction, like
 * nextval.
 */
static bool
try_revalidate(SessionEntry *entry)
{
	AcceptInvalidationMessages();
	if (entry->as_of != generators_as_of())
	{
		if (!look_up(entry))
			return false;
	}
	else if (entry->role != GetUserId())
		session_require_use(entry, &entry->definition);
	entry->role = GetUserId();
	if (!OidIsValid(entry->sequence) || entry->held_in == MyLocalTransactionId)
		return true;
	note_source_version(entry, orm_sequence_lock(entry->sequence, false));
	entry->held_in = MyLocalTransactionId;
	return true;
}

/*
 * Note the file of an ORM's source, or for a hub the start of this server;
 * forget ids of another one: they may come again.
 */
static void
note_source_version(SessionEntry *entry, Oid version)
{
	if (version != entry->source_version)
	{
		session_lose_range(entry);
		entry->window.length = 0;
	}
	entry->source_version = version;
}

/*
 * Look the generator up, and forget ids of another incarnation.  Return false
 * if there is no such generator.
 */
static bool
look_up(SessionEntry *entry)
{
	FormData_hilo_hi hi = {0};
	Definition	definition;
	uint64		as_of;
	Oid			source = InvalidOid;

	/*
	 * Read the life word before the rows.  Whatever ends the life after that
	 * raises the word again, and the entry is looked up once more.
	 */
	shared_memory_attach();
	as_of = generators_as_of();
	pg_read_barrier();
	if (!find_in_tables(entry, &hi, &definition))
		return false;
	entry->held_in = InvalidLocalTransactionId;
	if (definition.origin == FROM_ORM)
		source = orm_source_relation(entry->name);
	entry->sequence =
		get_rel_relkind(source) == RELKIND_SEQUENCE ? source : InvalidOid;
	/* a rollback, also to a savepoint, would make these ids come again */
	if (change_remembered(entry->name) == CHANGED_IDS)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("generator \"%s\" was altered by the current transaction",
					   text_to_cstring(definition.written)),
				errdetail("After a rollback, ids drawn now could be handed out a second time."),
				errhint("Draw ids after the transaction of hilo_alter, hilo_rename or hilo_move."));
	definition.written = copy_for_session(definition.written);

	/* a rolled-back hilo_alter leaves ranges of another kind, or too high */
	if (entry->incarnation != hi.incarnation ||
		entry->range.high > definition.max_value ||
		!definition_same_order_and_hub(&entry->definition, &definition))
	{
		session_lose_range(entry);
		if (!SameGenerator(entry->incarnation, hi.incarnation))
			entry->current = entry->warned = 0;
		entry->source_version = InvalidOid;
	}

	entry->incarnation = hi.incarnation;
	pfree(entry->definition.written);
	entry->definition = definition;
	entry->as_of = as_of;
	/* no window has this generation, so the next id reads the slot's */
	entry->window.generation = PG_UINT64_MAX;
	entry->window.length = 0;
	/* after a restart a copy of the server may have the same window of a hub */
	if (definition.origin == FROM_HUB)
		note_source_version(entry, (Oid) PgStartTime);
	/* TRUNCATE of a table is seen by its invalidation, without a lock */
	if (source != entry->sequence)
		note_source_version(entry, GetSysCacheOid1(RELOID, Anum_pg_class_relfilenode,
												   ObjectIdGetDatum(source)));
	return true;
}

/*
 * Read a generator under its lock, and report an error if the role may not use
 * it.  Return false if there is no such generator.
 */
static bool
find_in_tables(const SessionEntry *entry, FormData_hilo_hi *hi,
			   Definition *definition)
{
	bool		is_there;
	bool		is_copy = false;

	if (OidIsValid(key_sequence(entry->name)))
	{
		watch_relation(key_relid(entry->name));
		(void) definition_find(entry->name, definition);
		session_require_use(entry, definition);
		return true;
	}
	if (!store_lock(entry->name, RowExclusiveLock, hi))
		return false;
	is_there = definition_find(entry->name, definition);
	if (is_there && OidIsValid(definition->table))
	{
		/* the generator has the table's name */
		watch_relation(definition->table);
		is_there = get_rel_name(definition->table) != NULL;
	}
	if (is_there)
	{
		is_copy = citus_is_hub(NameStr(definition->hub));
		if (!is_copy)
			session_require_use(entry, definition);
		citus_refuse_own_ids(entry->name, definition);
		slot_ensure(entry->name, hi);
	}
	unlock_generator(hi->incarnation, RowExclusiveLock);
	/* asks the coordinator, which may wait for the lock */
	if (is_copy)
		session_require_use(entry, definition);
	return is_there;
}
