/*
 * What this session knows of a generator.
 *
 * An entry may be used as it is while the transaction holds the generator's
 * lock and catalog_generation stands still: whatever makes a range wrong (a
 * seed, a drop, a restore, the rollback of a create) takes that lock or sends
 * an invalidation, and so do changes of definitions and rights.  An entry is
 * found by name but lives by incarnation and epoch: a range of a generator
 * that was dropped is forgotten, even if there is one of that name again.
 */
#include "postgres.h"

#include "replication/walsender.h"
#include "storage/ipc.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"

#include "session/session.h"
#include "source/source.h"

/* the shares of max_value at which a session is warned */
static const int warning_percentages[] = {90, 75};

bool		session_prefetch = true;
bool		session_return_on_exit = true;

/* what is called at exit */
static void (*exit_callbacks[2]) (SessionEntry *entry);

static MemoryContext session_context;
static HTAB *session_entries;
SessionEntry *session_latest_entry;

/* the entry of the name looked up last, as that was written */
static struct
{
	SessionEntry *entry;
	Size		length;
	char		written[ID_MAX_LENGTH];
}			recent;

static bool is_recent_name(text *written);
static void remember_name(text *written, SessionEntry *entry);
static void make_entries(void);
static text *copy_for_session(text *value);
static uint32 hash_name(const void *key, Size keysize);
static int	compare_names(const void *key1, const void *key2, Size keysize);
static void look_up(SessionEntry *entry);
static void forget_recycled(SessionEntry *entry);
static void refuse_if_altered(SessionEntry *entry,
									 const Definition *definition);
static void call_at_exit(int code, Datum arg);

/*
 * Return the entry of a name as the caller wrote it; a new one, if need be.
 * It stays where it is to the end of the session.
 */
SessionEntry *
session_entry(text *written)
{
	text	   *name;
	SessionEntry *entry;

	if (is_recent_name(written))
		return recent.entry;

	name = definition_name(written);
	entry = session_find(name);
	if (entry != NULL)
	{
		remember_name(written, entry);
		return entry;
	}

	/* an entry stays, so none for a name that will be refused */
	if (!first_use_is_on && !definition_exists(name))
		first_use(name, written);

	if (session_entries == NULL)
		make_entries();
	name = copy_for_session(name);
	written = copy_for_session(written);
	entry = hash_search(session_entries, &name, HASH_ENTER, NULL);
	memset(entry, 0, sizeof(*entry));
	entry->name = name;
	entry->older = session_latest_entry;
	session_latest_entry = entry;
	entry->written = written;
	session_let_go(entry);
	return entry;
}

/*
 * Return the entry of a folded name, NULL if this session has not used it.
 */
SessionEntry *
session_find(text *name)
{
	if (session_entries == NULL)
		return NULL;
	return hash_search(session_entries, &name, HASH_FIND, NULL);
}

/*
 * Make sure that the current transaction holds the generator's lock, that
 * the entry knows the generator as it is now, which it creates if need be,
 * and that the current role may use it.
 *
 * The lock comes first: once it is held, and the invalidations that came with
 * it are taken in, an unchanged catalog_generation means an unchanged
 * generator.  Function is for the error where nextval would raise it.
 */
void
session_check(SessionEntry *entry, const char *function)
{
	catalog_require_writable(function);
	if (flush_standbys.loaded != PgReloadTime)
		flush_look_at_standbys();

	if (entry->lxid != MyLocalTransactionId && entry->incarnation != 0)
	{
		lock_incarnation(entry->incarnation, RowExclusiveLock);
		entry->lxid = MyLocalTransactionId;
	}
	else
		AcceptInvalidationMessages();	/* as the lock does */

	if (entry->generation != catalog_generation)
		look_up(entry);
	else if (entry->role != GetUserId())
		session_require_use(entry, &entry->definition);
	entry->role = GetUserId();
}

/*
 * Report an error if session_check would make a generator that could not reserve
 * that many ids at once.
 */
void
session_check_size(const SessionEntry *entry, int64 size, const char *argument)
{
	Definition	definition;

	if (entry->generation == catalog_generation ||
		definition_exists(entry->name))
		return;
	definition = definition_default(entry->name);
	definition_check_size(&definition, size, argument);
}

/*
 * Return the id that this session got last, 0 before the first.
 */
int64
session_current(const SessionEntry *entry)
{
	return entry->last >= entry->start ? entry->last : entry->current;
}

/*
 * Warn, once a session and threshold, of a generator that nears its end.
 */
void
session_warn_of_end(SessionEntry *entry, int64 last)
{
	double		used = definition_used_ratio(&entry->definition, last);

	for (size_t i = 0; i < lengthof(warning_percentages); i++)
	{
		int			percentage = warning_percentages[i];

		if (used * 100 < percentage || entry->warned >= percentage)
			continue;
		entry->warned = percentage;
		ereport(WARNING,
				(errmsg("generator \"%s\" has reserved at least %d%% of its ids",
						text_to_cstring(entry->written), percentage),
				 errdetail("The last id reserved is %lld, max_value is %lld.",
						   (long long) last,
						   (long long) entry->definition.max_value)));
	}
}

/*
 * Report the error for a generator that has no id left up to max_value: its own,
 * or that of the server it would be for.
 */
void
session_exhausted(SessionEntry *entry, int64 max_value)
{
	ereport(ERROR,
			(errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
			 errmsg("generator \"%s\" has reached its max_value (%lld)",
					text_to_cstring(entry->written), (long long) max_value),
			 errhint("%s", definition_limit_hint(&entry->definition, max_value))));
}

/*
 * Report the error of a range that was waited for and not taken.
 */
void
session_require_taken(SessionEntry *entry, StoreResult result, int64 max_value)
{
	if (result == STORE_EXHAUSTED)
		session_exhausted(entry, max_value);
	if (result != STORE_OK)
		elog(ERROR, "generator \"%s\" vanished under its lock",
			 text_to_cstring(entry->written));
}

/*
 * Have a function called for each entry when the session ends, in a
 * transaction.  Nothing could cancel a wait there, so it must not wait.
 */
void
session_at_exit(void (*give_back) (SessionEntry *entry))
{
	for (size_t i = 0; i < lengthof(exit_callbacks); i++)
	{
		if (exit_callbacks[i] == give_back)
			return;
		if (exit_callbacks[i] == NULL)
		{
			/* after ShutdownPostgres was registered, so it runs before that */
			if (i == 0)
				before_shmem_exit(call_at_exit, (Datum) 0);
			exit_callbacks[i] = give_back;
			return;
		}
	}
	Assert(false);
}

void
session_require_use(SessionEntry *entry, const Definition *definition)
{
	Definition	hub_definition = *definition;

	if (citus_is_hub(NameStr(definition->hub)) &&
		!privilege_may_use(entry->name, definition->is_public, GetUserId()))
	{
		/* it may have been granted on the coordinator */
		(void) hub_define(CITUS_HUB, entry->name, entry->written, &hub_definition);
		return;
	}
	privilege_require_use(entry->name, entry->written, definition->is_public);
}

/*
 * Forget the ranges of an entry, but not what it handed out.  What was left
 * of them is lost.
 */
void
session_forget(SessionEntry *entry)
{
	tally(entry->incarnation, TALLY_LOST,
		  entry->range.high - Min(entry->last, entry->range.high) +
		  RangeLength(entry->prefetched.range));
	session_let_go(entry);
}

/*
 * Forget the ranges of an entry, but not what it handed out; the caller knows
 * what becomes of the rest.
 */
void
session_let_go(SessionEntry *entry)
{
	session_settle(entry);
	entry->current = session_current(entry);
	/* a range that was not used up says nothing of how fast ids go */
	if (entry->last < entry->range.high ||
		!RangeIsEmpty(entry->prefetched.range))
		entry->taken_at = 0;
	entry->range = EMPTY_RANGE;
	entry->prefetched.range = EMPTY_RANGE;
	session_forget_window(entry);
	entry->start = 1;
	entry->last = 0;
	entry->counted = 0;
	entry->stop = 0;
}

/*
 * Have the session look at the window again before it takes anything from there.
 */
void
session_forget_window(SessionEntry *entry)
{
	entry->window.limit = 0;
	entry->window.length = 0;
}

/*
 * Count what the session has handed out of its range and not counted yet.
 */
void
session_settle(SessionEntry *entry)
{
	if (entry->last <= entry->counted)
		return;
	tally(entry->incarnation, TALLY_HANDED_OUT, entry->last - entry->counted);
	entry->counted = entry->last;
}

/*
 * Check whether a name is written just as the one looked up last, so that it
 * need not be checked and folded again: a statement that is executed anew
 * knows nothing of its calls before.
 */
static bool
is_recent_name(text *written)
{
	return recent.entry != NULL &&
		VARSIZE_ANY_EXHDR(written) == recent.length &&
		memcmp(VARDATA_ANY(written), recent.written, recent.length) == 0;
}

static void
remember_name(text *written, SessionEntry *entry)
{
	recent.entry = entry;
	recent.length = VARSIZE_ANY_EXHDR(written);
	memcpy(recent.written, VARDATA_ANY(written), recent.length);
}

static void
make_entries(void)
{
	HASHCTL		ctl = {
		.keysize = sizeof(text *),
		.entrysize = sizeof(SessionEntry),
		.hash = hash_name,
		.match = compare_names,
	};

	if (session_context == NULL)
		session_context = AllocSetContextCreate(TopMemoryContext,
												"hilo session cache",
												ALLOCSET_SMALL_SIZES);
	ctl.hcxt = session_context;
	session_entries = hash_create("hilo session cache", 16, &ctl,
								  HASH_ELEM | HASH_FUNCTION | HASH_COMPARE |
								  HASH_CONTEXT);
}

static uint32
hash_name(const void *key, Size keysize)
{
	return case_fold_hash(*(text *const *) key);
}

static int
compare_names(const void *key1, const void *key2, Size keysize)
{
	return text_equal(*(text *const *) key1, *(text *const *) key2) ? 0 : 1;
}

static text *
copy_for_session(text *value)
{
	MemoryContext before = MemoryContextSwitchTo(session_context);

	value = cstring_to_text_with_len(VARDATA_ANY(value),
									 VARSIZE_ANY_EXHDR(value));
	MemoryContextSwitchTo(before);
	return value;
}

/*
 * Look the generator up, under its lock, and forget what the session holds
 * of another incarnation or epoch.
 */
static void
look_up(SessionEntry *entry)
{
	uint64		generation = catalog_generation;
	FormData_hilo_hi hi;
	Definition	definition;
	text	   *written;

	while (!store_lock(entry->name, RowExclusiveLock, &hi) ||
		   !definition_find(entry->name, &definition, &written))
		first_use(entry->name, entry->written);
	session_require_use(entry, &definition);
	refuse_if_altered(entry, &definition);
	written = copy_for_session(written);

	if (entry->incarnation != hi.incarnation)
	{
		session_forget(entry);
		entry->current = 0;
		entry->size = 0;
		entry->taken_at = 0;
		entry->warned = 0;
	}
	/* a rolled-back hilo_alter leaves ranges taken in another way */
	else if (entry->epoch != hi.epoch ||
			 flush_has_other_standbys(&entry->standbys) ||
			 !definition_same_ordering(&entry->definition, &definition) ||
			 strcmp(NameStr(entry->definition.hub), NameStr(definition.hub)) != 0)
		session_forget(entry);

	entry->lxid = MyLocalTransactionId;
	entry->incarnation = hi.incarnation;
	entry->epoch = hi.epoch;
	entry->definition = definition;
	entry->scatter_bits = definition.scattered ? definition.domain_bits : 0;
	pfree(entry->written);
	entry->written = written;
	entry->generation = generation;

	/* a rolled-back hilo_alter may leave ranges above the limit */
	entry->range = range_clip(entry->range, definition.max_value);
	entry->prefetched.range = range_clip(entry->prefetched.range,
										 definition.max_value);
	entry->stop = Min(entry->stop, entry->range.high);
	session_forget_window(entry);
	if (!definition.recycle)
		forget_recycled(entry);
}

/*
 * Forget the range reserved ahead of need if its ids lie below what the session
 * has got by then, which is for generators that recycle.
 */
static void
forget_recycled(SessionEntry *entry)
{
	Range	   *ahead = &entry->prefetched.range;

	if (RangeIsEmpty(*ahead) ||
		ahead->low > Max(entry->last, session_current(entry)))
		return;
	tally(entry->incarnation, TALLY_LOST, RangeLength(*ahead));
	*ahead = EMPTY_RANGE;
}

/*
 * Report an error if ids that the current transaction takes could be handed out
 * again after its rollback, also to a savepoint.
 */
static void
refuse_if_altered(SessionEntry *entry, const Definition *definition)
{
	if (!definition_altered_in_this_transaction(entry->name, definition))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("generator \"%s\" was altered by the current transaction",
					text_to_cstring(entry->written)),
			 errdetail("After a rollback, ids taken now could be handed out a second time."),
			 errhint("Take ids after the transaction of hilo_alter.")));
}

static void
call_at_exit(int code, Datum arg)
{
	/* neither hands out ids */
	Assert(!IsParallelWorker() && !RecoveryInProgress());
	/* which may end after the last WAL record of a shutdown */
	if (am_walsender)
		session_return_on_exit = false;

	/* no snapshot: a deferrable transaction would wait for one */
	AbortOutOfAnyTransaction();
	StartTransactionCommand();
	for (size_t i = 0; i < lengthof(exit_callbacks); i++)
	{
		SessionEntry *entry = session_latest_entry;

		for (; exit_callbacks[i] != NULL && entry != NULL; entry = entry->older)
			exit_callbacks[i] (entry);
	}
	CommitTransactionCommand();
}
