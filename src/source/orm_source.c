/*
 * hilo_source: generators that take their ranges from an ORM's own hi.
 *
 * Such a generator takes a block as the ORM takes it, by the ORM's formula, and
 * never returns any of it.  Its row in hilo_hi keeps the highest id ever
 * received.  Under the lock of the source blocks only rise: if one does not lie
 * above that id, the source has been set back, and its ids may be in use.
 */
#include "postgres.h"

#include "catalog/pg_class.h"

#include "source/source.h"

/* how many blocks are passed over because they do not lie above "reserved" */
#define PASSED_OVER 100

/* of change_source: leave the next value as it is */
#define ANY_VALUE PG_INT64_MIN

/* A row, and the least value above all that generators have received of it. */
typedef struct OrmRowTaken
{
	const OrmSource *row;
	int64		least;
} OrmRowTaken;

static Range range_of_source(const StoreRequest *request, int64 last);
static OrmSource get_source(text *name);
static void raise_above(const OrmSource *source, int64 last);
static int64 change_source(const OrmSource *source, int64 blocks,
						   int64 at_least);
static int64 last_before(const OrmSource *source, int64 next);
static void refuse_other_blocks(text *name, HeapTuple tuple, void *arg);
static void see_taken(text *name, HeapTuple tuple, void *arg);
static LOCKTAG lock_of_source(const OrmSource *source);
static bool is_same_place(const OrmSource *a, const OrmSource *b,
						  bool if_unsure);

/*
 * Take a range from the source of a generator: about as many ids as asked for,
 * or just so many if the request is exact.  What is cut off is a gap.
 *
 * Waits for sessions that take from that source; the wait can be cancelled.
 */
StoreResult
orm_source_take(StoreRequest *request)
{
	OrmSource	source = get_source(request->name);
	LOCKTAG		lock = lock_of_source(&source);
	StoreResult result;

	(void) lock_acquire(lock, true);
	result = store_receive(request, range_of_source);
	lock_release(lock);
	return result;
}

/* Callback of store_receive: take blocks until one lies above last. */
static Range
range_of_source(const StoreRequest *request, int64 last)
{
	OrmSource	source = get_source(request->name);
	Range		range = EMPTY_RANGE;
	int64		blocks = 1;
	const char *gave;

	/* a sequence gives one block, a row as many as have about so many ids */
	if (IsOfTable(&source))
		blocks = (request->size - 1) / source.ids + 1;
	else if (request->is_exact && request->size > source.ids)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("size (%lld) must not be greater than the block of the source (%lld)",
					   (long long) request->size, (long long) source.ids));
	if (request->last_max > last)
		raise_above(&source, request->last_max);
	for (int i = 0; i <= PASSED_OVER; i++)
	{
		range = orm_formula_range(&source,
								  change_source(&source, blocks, ANY_VALUE),
								  blocks);
		delay_at_random();
		if (range.low <= last || RangeIsEmpty(range))
			continue;
		if (!request->is_exact)
			return range;
		if (RangeLength(range) >= request->size)
			return range_split(&range, request->size);
	}
	gave = "no ids from 1 to the greatest bigint";
	if (!RangeIsEmpty(range))
		gave = psprintf("the block %lld to %lld, but ids up to %lld have been received",
						(long long) range.low, (long long) range.high,
						(long long) last);
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("the source of generator \"%s\" has been set back",
				   text_to_cstring(request->name)),
			errdetail("\"%s\" gave %s.", get_rel_name(source.relid), gave),
			errhint("Raise the generator with hilo_seed."));
}

/*
 * Take a block of a row for a caller without a generator, above what generators
 * have received from the row.
 */
OrmChange
orm_source_take_beside(const OrmSource *row)
{
	LOCKTAG		lock = lock_of_source(row);
	OrmRowTaken taken = {.row = row};
	OrmChange	change = {.blocks = 1,.beside_others = true};

	(void) lock_acquire(lock, true);
	own_table_each(OWN_SOURCE, see_taken, &taken);
	change.at_least = taken.least;
	orm_table_change(row, &change);
	lock_release(lock);
	return change;
}

/*
 * Raise what a source gives next above value and "reserved", and return the
 * higher of the two.
 */
int64
orm_source_seed(text *name, int64 value)
{
	OrmSource	source = get_source(name);
	LOCKTAG		lock = lock_of_source(&source);
	FormData_hilo_hi hi;

	(void) lock_acquire(lock, true);
	if (store_read(name, &hi))
	{
		value = Max(value, hi.reserved);
		raise_above(&source, value);
	}
	lock_release(lock);
	return value;
}

/*
 * Set last to the id below the next block of a generator's sequence, as hilo or
 * the ORM left it, and lower end to the sequence's own.  Return false if the
 * source is a row of a table, or a sequence that is locked or that the role may
 * not see.  Report an error if the sequence does not fit any more.
 */
bool
orm_source_last(text *name, int64 *last, int64 *end)
{
	OrmSource	source = get_source(name);
	LOCKMODE	lockmode = SequenceLookLock();
	int64		next;
	Range		block;

	if (IsOfTable(&source))
		return false;
	orm_sequence_check(&source);
	if (pg_class_aclcheck(source.relid, GetUserId(),
						  ACL_SELECT) != ACLCHECK_OK ||
		!ConditionalLockRelationOid(source.relid, lockmode))
		return false;
	next = sequence_next(sequence_state(source.relid), OrmStep(&source));
	*last = last_before(&source, next);
	block = orm_formula_range(&source, sequence_form(source.relid).seqmax, 1);
	if (!RangeIsEmpty(block))
		*end = Min(*end, block.high);
	UnlockRelationOid(source.relid, lockmode);
	return true;
}

/*
 * Check whether a generator has exactly that source, with that setting, and the
 * current role may know that.
 */
bool
orm_source_equals(text *name, const OrmSource *source)
{
	Definition	definition;
	OrmSource	known;

	return definition_find(name, &definition) &&
		privilege_may_see(name, &definition) &&
		orm_source_find(name, &known) &&
		is_same_place(&known, source, false) &&
		known.style == source->style && known.ids == source->ids &&
		known.initial == source->initial;
}

/*
 * Give a generator that source, in place of another if it has one, above the
 * last id in use, and if the source is the same with another setting, above the
 * blocks taken.
 *
 * The caller holds the lock of the name, and that of an existing generator.
 */
void
orm_source_replace(text *name, const OrmSource *source, int64 last)
{
	LOCKTAG		lock = lock_of_source(source);
	OrmSource	before;
	int64		second;

	/* of two adoptions at a time, one must see the blocks of the other */
	(void) lock_table(source->relid, ShareUpdateExclusiveLock, true);
	(void) lock_acquire(lock, true);
	if (orm_source_find(name, &before) && is_same_place(&before, source, false))
	{
		int64		by_orm;

		before.actor = source->actor;
		by_orm = last_before(&before, change_source(&before, 0, ANY_VALUE));
		last = Max(last, by_orm);
	}
	raise_above(source, last);
	own_table_delete(OWN_SOURCE, name);
	own_table_each(OWN_SOURCE, refuse_other_blocks,
				   unconstify(OrmSource *, source));
	own_table_insert(OWN_SOURCE, source, cstring_to_text(source->key_value),
					 name, false);

	/*
	 * An ORM that gets the first value also takes the second one, and uses
	 * all ids in between, even those that another client has taken meanwhile.
	 */
	if (source->style->family == ORM_BELOW &&
		!pg_add_s64_overflow(source->initial, source->ids, &second))
		(void) change_source(source, 0, second - source->style->offset);
	lock_release(lock);
}

/*
 * Callback: report an error if a generator takes other blocks from the same
 * source.
 */
static void
refuse_other_blocks(text *name, HeapTuple tuple, void *arg)
{
	const OrmSource *source = arg;
	OrmSource	other;

	if (orm_source_from_tuple(tuple, &other) &&
		is_same_place(&other, source, true) &&
		(other.ids != source->ids ||
		 other.style->family != source->style->family ||
		 other.style->offset != source->style->offset))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("another generator gets different blocks from \"%s\"",
					   get_rel_name(source->relid)),
				errdetail("Its style is \"%s\", with blocks of %lld ids, so ids would repeat.",
						  other.style->name, (long long) other.ids),
				errhint("Adopt the source with the same style and block, or drop the other generator."));
}

/* Callback: note what a generator has received of the row, if any. */
static void
see_taken(text *name, HeapTuple tuple, void *arg)
{
	OrmRowTaken *taken = arg;
	OrmSource	source;
	FormData_hilo_hi hi;

	if (orm_source_from_tuple(tuple, &source) &&
		is_same_place(&source, taken->row, false) &&
		store_read(name, &hi) && hi.reserved > 0)
		taken->least = Max(taken->least,
						   orm_formula_above(&source, hi.reserved) + 1);
}

/*
 * Return the lock of a source.  It is held from a change of the source until
 * "reserved" has been raised.  Two rows of a table may share a lock.
 */
static LOCKTAG
lock_of_source(const OrmSource *source)
{
	uint32		hash = hash_bytes((const unsigned char *) source->key_value,
								  strlen(source->key_value));
	LOCKTAG		lock;

	SET_LOCKTAG_OBJECT(lock, MyDatabaseId, RelationRelationId, source->relid,
					   1 + hash % PG_UINT16_MAX);
	return lock;
}

/*
 * Check whether two sources are the same sequence or row.  Return if_unsure if
 * they find a row of one table by different key columns.
 */
static bool
is_same_place(const OrmSource *a, const OrmSource *b, bool if_unsure)
{
	if (a->relid != b->relid ||
		strcmp(NameStr(a->hi_column), NameStr(b->hi_column)) != 0)
		return false;
	if (strcmp(NameStr(a->key_column), NameStr(b->key_column)) != 0)
		return if_unsure;
	return strcmp(a->key_value, b->key_value) == 0 ||
		orm_row_is_key(a, b->key_value);
}

/* Raise the source so that its next block lies above last. */
static void
raise_above(const OrmSource *source, int64 last)
{
	if (last >= 1)
		(void) change_source(source, 0, orm_formula_above(source, last));
}

/*
 * Take blocks, if any, and raise the next value to at_least.  Return the value
 * taken first, or the next one if no block is taken.  A raise is on disk, and
 * on the synchronous standbys, when this returns.  The flush of what "reserved"
 * becomes covers blocks that are taken.
 */
static int64
change_source(const OrmSource *source, int64 blocks, int64 at_least)
{
	OrmChange	change = {.blocks = blocks,.at_least = at_least};

	if (IsOfTable(source))
		orm_table_change(source, &change);
	else
		change = orm_sequence_change(source, blocks > 0, at_least);
	if (at_least != ANY_VALUE)
		(void) flush_wal(change.lsn);
	return change.stored;
}

/* Return the id below the block of a source's next value, 0 if it has none. */
static int64
last_before(const OrmSource *source, int64 next)
{
	Range		range = orm_formula_range(source, next, 1);

	return RangeIsEmpty(range) ? 0 : range.low - 1;
}

/*
 * Read the source of a generator; false if there is none that can be used: its
 * relation is gone, or hilo does not know its style or block.
 */
bool
orm_source_find(text *name, OrmSource *source)
{
	HeapTuple	tuple = own_table_row(OWN_SOURCE, name);

	return HeapTupleIsValid(tuple) && orm_source_from_tuple(tuple, source) &&
		get_rel_relkind(source->relid) != '\0';
}

/*
 * Return the relation of a generator's source, and watch it: a change of the
 * relation will invalidate what sessions know of the generator.
 */
Oid
orm_source_relation(text *name)
{
	OrmSource	source = get_source(name);

	watch_relation(source.relid);
	return source.relid;
}

/* Return the source of a generator, with its owner as the actor. */
static OrmSource
get_source(text *name)
{
	OrmSource	source;

	if (!orm_source_find(name, &source))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("the source of generator \"%s\" is gone",
					   definition_title(name)),
				errdetail("The sequence or table that its ids come from has been dropped, or was not restored."),
				errhint("Set its source with hilo_adopt_sequence or hilo_adopt_table, or for a tag with hilo_adopt_sequence_tag or hilo_adopt_table_tag."));
	source.actor = privilege_actor(name);
	source.generator = name;
	return source;
}

/* Read a row of hilo_source; false if hilo does not know its style or block. */
bool
orm_source_from_tuple(HeapTuple tuple, OrmSource *source)
{
	const Size	fixed = offsetof(OrmSource, key_value);
	char	   *row = GETSTRUCT(tuple);

	memcpy(source, row, fixed);
	orm_source_set_key(source, text_to_cstring((text *) (row + fixed)));
	source->style = orm_style(NameStr(source->style_name));
	source->generator = NULL;
	source->ids = 0;
	if (source->style != NULL)
		source->ids = orm_formula_ids(source->style, source->block);
	return source->ids > 0;
}

void
orm_source_set_key(OrmSource *source, const char *key_value)
{
	if (strlcpy(source->key_value, key_value,
				sizeof(source->key_value)) > ID_MAX_LENGTH)
		ereport(ERROR,
				errcode(ERRCODE_NAME_TOO_LONG),
				errmsg("key_value must not be longer than %d bytes",
					   ID_MAX_LENGTH));
}
