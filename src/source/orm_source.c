/*
 * hilo_source: generators whose ranges come from an ORM's own hi.
 *
 * Such a generator takes a block as the ORM takes it, by the ORM's formula, and
 * never returns any of it.  Its row in hilo_hi keeps the highest id ever
 * received.  Under the lock of the source blocks only rise: if one does not lie
 * above that id, the source has been set back, and its ids may be in use.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "common/int.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/tuplestore.h"

#include "source/source.h"

PG_FUNCTION_INFO_V1(hilo_sources);

enum
{
	Anum_source_generator = 1,
	Anum_source_relation,
	Anum_source_style,
	Anum_source_block,
	Anum_source_increment,
	Anum_source_initial,
	Anum_source_hi_column,
	Anum_source_key_column,
	Anum_source_key_value,
	Natts_source = Anum_source_key_value
};

/* so many blocks that do not lie above "reserved" are passed over */
#define PASSED_OVER 100

/* of a source, to compare blocks */
#define ANY_VALUE 1000000

static void put_source_row(Relation rel, HeapTuple tuple, void *rsinfo);
static bool find_source(text *name, OrmSource *source);
static OrmSource get_source(text *name);
static Range take_above(const OrmSource *source, const StoreRequest *request,
						int64 last);
static Range take_blocks(const OrmSource *source, int64 size);
static void raise_above(const OrmSource *source, int64 last);
static void refuse_other_blocks(Relation rel, HeapTuple tuple, void *arg);
static bool is_same_place(const OrmSource *a, const OrmSource *b);
static bool is_same_text(const char *a, const char *b);
static int64 last_before(const OrmSource *source, int64 stored);
static bool is_sequence(const OrmSource *source);
static bool source_from_tuple(HeapTuple tuple, Relation rel,
							  OrmSource *source);
static int64 number_in_row(HeapTuple tuple, TupleDesc desc, AttrNumber attnum);
static bool source_is_there(const OrmSource *source);
static HeapTuple source_form(Relation rel, text *name,
							 const OrmSource *source);

Datum
hilo_sources(PG_FUNCTION_ARGS)
{
	InitMaterializedSRF(fcinfo, 0);
	catalog_each(CATALOG_SOURCE, put_source_row, fcinfo->resultinfo);
	return (Datum) 0;
}

/*
 * Take a range from the source of a generator, as store_take does from
 * hilo_hi: about as many ids as asked for, or just so many if the request is
 * exact, if a sequence leaves that open.
 *
 * Waits for whoever takes from that source, which can be cancelled.  What is
 * cut off is a gap, and a range that was on its way when a restore raised the
 * generator is lost.
 */
StoreResult
orm_source_take(const Definition *definition, const StoreRequest *request,
				StoreRange *taken)
{
	OrmSource	source = get_source(request->name);
	StoreResult result;
	FormData_hilo_hi hi;

	if (request->whole_block)
		source_refuse_hi(request->name);
	if (request->is_exact && is_sequence(&source) && request->size > source.ids)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("size (%lld) must not be greater than the block of the source (%lld)",
						(long long) request->size, (long long) source.ids)));
	(void) lock_take(lock_of_source(request->incarnation), true);
	do
	{
		Range		range;

		if (!store_read(request->name, &hi))
			return STORE_GONE;
		if (hi.reserved >= request->max_value)
			return STORE_EXHAUSTED;
		range = range_clip(take_above(&source, request, hi.reserved),
						   request->max_value);
		result = RangeIsEmpty(range) ? STORE_EXHAUSTED :
			store_receive(request, range, taken);
	} while (result == STORE_OK && taken->epoch != hi.epoch);
	lock_give_up(lock_of_source(request->incarnation));
	return result;
}

/*
 * Raise the source of a generator so that its next block lies above value,
 * and "reserved" with it, as store_seed does; return the resulting "reserved".
 * Never lowers it.
 */
int64
orm_source_seed(text *name, const Definition *definition, int64 incarnation,
				int64 value)
{
	int64		max_value = definition->max_value;
	OrmSource	source = get_source(name);
	FormData_hilo_hi hi;
	int64		last;

	(void) lock_take(lock_of_source(incarnation), true);
	if (store_read(name, &hi))
	{
		/* the source follows a failover as "reserved" does */
		(void) hi_skip(&hi, false, max_value);
		raise_above(&source, Max(value, hi.reserved));
	}
	/* a sequence is not flushed by what raises it */
	(void) flush_wal(XactLastRecEnd);
	last = store_seed(name, value, SEED_RAISE, max_value);
	lock_give_up(lock_of_source(incarnation));
	return last;
}

/*
 * Return the id below the next block of a generator's source, whoever took
 * those before; false if that is a row of a table, or the current role cannot
 * see it.
 */
bool
orm_source_last(text *name, int64 *last)
{
	OrmSource	source;
	int64		stored;

	if (!find_source(name, &source) || !source_is_there(&source) ||
		!is_sequence(&source) || !orm_sequence_read(&source, &stored))
		return false;
	*last = last_before(&source, stored);
	return true;
}

/* Check whether a generator has just that source, with that setting. */
bool
orm_source_equals(text *name, const OrmSource *source)
{
	OrmSource	known;

	return find_source(name, &known) && is_same_place(&known, source) &&
		known.style == source->style && known.ids == source->ids &&
		known.increment == source->increment &&
		known.initial == source->initial;
}

/*
 * Give a generator that source, in place of another if it has one.  If the
 * source is the same with another setting, the generator continues above the
 * blocks that were taken; report an error if others keep the old setting.  The caller holds the lock of the name, and that of
 * the generator if there was one before.
 */
void
orm_source_replace(text *name, const OrmSource *source, int64 handed_out)
{
	OrmSource	before;
	Relation	rel;

	if (find_source(name, &before) && is_same_place(&before, source))
	{
		int64		stored;

		before.actor = source->actor;
		stored = is_sequence(source) ?
			orm_sequence_next_value(before.relid, before.increment) :
			orm_table_change(&before, 0,
							 before.initial - before.style->offset).stored;
		raise_above(source, Max(last_before(&before, stored), handed_out));
	}
	catalog_delete(CATALOG_SOURCE, name);
	CommandCounterIncrement();
	catalog_each(CATALOG_SOURCE, refuse_other_blocks, unconstify(OrmSource *, source));
	rel = catalog_open(CATALOG_SOURCE, RowExclusiveLock);
	catalog_insert(rel, source_form(rel, name, source), false);
	table_close(rel, NoLock);
}

/*
 * Take the first value of a source that nobody has used.
 *
 * An ORM that gets it takes the next one, too, and all ids in between: a
 * block that goes to somebody else between the two would be used twice.
 */
void
orm_source_use_first(const OrmSource *source)
{
	int64		second;

	if (is_sequence(source))
	{
		if (!sequence_state(source->relid).is_called)
			(void) nextval_internal(source->relid, true);
	}
	else if (!pg_add_s64_overflow(source->initial, source->ids, &second))
		(void) orm_table_change(source, 0, second - source->style->offset);
}

/*
 * Callback: report an error if a generator takes other blocks from a source, in
 * which ids of these would be.
 */
static void
refuse_other_blocks(Relation rel, HeapTuple tuple, void *arg)
{
	const OrmSource *source = arg;
	OrmSource	other;

	if (source_from_tuple(tuple, rel, &other) && is_same_place(&other, source) &&
		(other.ids != source->ids ||
		 last_before(&other, ANY_VALUE) != last_before(source, ANY_VALUE)))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("another generator takes other blocks from \"%s\"",
						get_rel_name(source->relid)),
				 errdetail("Its style is \"%s\", with blocks of %lld ids, so ids would repeat.",
						   other.style->name, (long long) other.ids),
				 errhint("Adopt the source with the same style and block, or drop the other generator.")));
}

static bool
is_same_place(const OrmSource *a, const OrmSource *b)
{
	return a->relid == b->relid &&
		is_same_text(a->hi_column, b->hi_column) &&
		is_same_text(a->key_column, b->key_column) &&
		is_same_text(a->key_value, b->key_value);
}

static bool
is_same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/*
 * Return the id below the block of what a source gives next, 0 if there is
 * none.
 */
static int64
last_before(const OrmSource *source, int64 stored)
{
	int64		initial = is_sequence(source) ? PG_INT64_MIN : source->initial;
	Range		range = orm_formula_range(source->style, stored,
										  source->ids, initial, 1);

	return RangeIsEmpty(range) ? 0 : range.low - 1;
}

/*
 * Read the source of a generator; false if it has none, or a row that this
 * version of hilo does not write.
 */
static bool
find_source(text *name, OrmSource *source)
{
	Relation	rel = catalog_open(CATALOG_SOURCE, AccessShareLock);
	SysScanDesc scan;
	HeapTuple	tuple = catalog_row(rel, name, &scan);
	bool		found = HeapTupleIsValid(tuple);

	if (found)
		found = source_from_tuple(tuple, rel, source);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}

static OrmSource
get_source(text *name)
{
	OrmSource	source;
	bool		found = find_source(name, &source);

	if (!found)
	{
		/* it may just be being replaced */
		lock_name(name);
		found = find_source(name, &source);
		unlock_name(name);
	}
	if (!found || !source_is_there(&source))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the source of generator \"%s\" is gone",
						text_to_cstring(name)),
				 errdetail("The sequence or table that its ids come from has been dropped, or was not restored."),
				 errhint("Set its source with hilo_adopt_sequence or hilo_adopt_table.")));
	source.actor = privilege_actor(name);
	return source;
}

/* Put a source into the result, if the role may see its generator. */
static void
put_source_row(Relation rel, HeapTuple tuple, void *rsinfo)
{
	ReturnSetInfo *result = rsinfo;
	static const AttrNumber shown[] = {
		Anum_source_generator, Anum_source_relation, Anum_source_style,
		Anum_source_block, Anum_source_initial, Anum_source_hi_column,
		Anum_source_key_column, Anum_source_key_value
	};
	Datum		values[lengthof(shown)];
	bool		nulls[lengthof(shown)];
	Definition	definition;
	text	   *name;
	text	   *written;

	for (size_t i = 0; i < lengthof(shown); i++)
		values[i] = heap_getattr(tuple, shown[i], RelationGetDescr(rel),
								 &nulls[i]);
	name = DatumGetTextPP(values[0]);
	if (!definition_find(name, &definition, &written) ||
		!privilege_may_see(name, &definition, GetUserId()))
		return;
	values[0] = PointerGetDatum(written);
	/* the relation may have been dropped */
	nulls[1] = get_rel_relkind(DatumGetObjectId(values[1])) == '\0';
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* Take blocks until there is one that lies above last. */
static Range
take_above(const OrmSource *source, const StoreRequest *request, int64 last)
{
	Range		range = EMPTY_RANGE;

	if (request->last_max > last)
		raise_above(source, request->last_max);
	for (int i = 0; i <= PASSED_OVER; i++)
	{
		range = take_blocks(source, request->size);
		delay_at_random();
		if (range.low > last && !RangeIsEmpty(range) &&
			!(request->is_exact && RangeLength(range) < request->size))
			return request->is_exact ? range_split(&range, request->size) : range;
	}
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 RangeIsEmpty(range) ?
			 errmsg("the source of generator \"%s\" gave no ids",
					text_to_cstring(request->name)) :
			 errmsg("the source of generator \"%s\" has been set back",
					text_to_cstring(request->name)),
			 RangeIsEmpty(range) ?
			 errdetail("All ids of the block that \"%s\" gave are below 1 or above the greatest bigint.",
					   get_rel_name(source->relid)) :
			 errdetail("\"%s\" gave the block %lld to %lld, but ids up to %lld have been received.",
					   get_rel_name(source->relid), (long long) range.low,
					   (long long) range.high, (long long) last),
			 RangeIsEmpty(range) ? errhint("Set the next value of the source.") :
			 errhint("Raise the generator with hilo_seed.")));
}

/*
 * Take one block from a sequence, or as many from a table as are needed for
 * about so many ids.
 */
static Range
take_blocks(const OrmSource *source, int64 size)
{
	int64		ids = source->ids;
	int64		initial = source->initial;
	int64		blocks = 1;
	int64		stored;

	if (is_sequence(source))
		stored = orm_sequence_take(source, &initial);
	else
	{
		blocks = size / ids + (size % ids > 0);
		stored = orm_table_change(source, blocks, 0).stored;
	}
	return orm_formula_range(source->style, stored, ids, initial, blocks);
}

/* Raise the source so that its next block lies above last. */
static void
raise_above(const OrmSource *source, int64 last)
{
	int64		value;

	if (last < 1)
		return;
	if (!orm_formula_above(source->style, last, source->ids, &value))
		ereport(ERROR,
				(errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				 errmsg("no block of style \"%s\" lies above %lld",
						source->style->name, (long long) last)));
	if (is_sequence(source))
		orm_sequence_raise(source, value);
	else
		(void) orm_table_change(source, 0, value);
}

static bool
is_sequence(const OrmSource *source)
{
	return source->style->hi_column == NULL;
}

/*
 * Take a row of hilo_source apart, into the current memory context; false if it
 * is not one that hilo has made.
 */
static bool
source_from_tuple(HeapTuple tuple, Relation rel, OrmSource *source)
{
	TupleDesc	desc = RelationGetDescr(rel);
	bool		isnull;

	memset(source, 0, sizeof(*source));
	source->style = orm_style(SPI_getvalue(tuple, desc, Anum_source_style));
	if (source->style == NULL)
		return false;
	source->relid = DatumGetObjectId(heap_getattr(tuple, Anum_source_relation,
												  desc, &isnull));
	source->block = number_in_row(tuple, desc, Anum_source_block);
	source->increment = number_in_row(tuple, desc, Anum_source_increment);
	source->initial = number_in_row(tuple, desc, Anum_source_initial);
	source->hi_column = SPI_getvalue(tuple, desc, Anum_source_hi_column);
	source->key_column = SPI_getvalue(tuple, desc, Anum_source_key_column);
	source->key_value = SPI_getvalue(tuple, desc, Anum_source_key_value);
	return orm_formula_ids(source->style, source->block, &source->ids) &&
		(source->key_column == NULL) == (source->key_value == NULL) &&
		(source->hi_column == NULL) == is_sequence(source);
}

/* Return a number of a row, 0 for null. */
static int64
number_in_row(HeapTuple tuple, TupleDesc desc, AttrNumber attnum)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, attnum, desc, &isnull);

	return isnull ? 0 : DatumGetInt64(value);
}

/*
 * Check whether there is the relation of a source; a restore may find another
 * one of its name.
 */
static bool
source_is_there(const OrmSource *source)
{
	char		relkind = get_rel_relkind(source->relid);

	return relkind != '\0' && !relation_is_system(source->relid) &&
		(relkind == RELKIND_SEQUENCE) == is_sequence(source);
}

static HeapTuple
source_form(Relation rel, text *name, const OrmSource *source)
{
	bool		is_table = !is_sequence(source);
	bool		has_key = source->key_column != NULL;
#define NAME_DATUM(name) DirectFunctionCall1(namein, CStringGetDatum(name))
	Datum		values[Natts_source] = {
		PointerGetDatum(name), ObjectIdGetDatum(source->relid),
		CStringGetTextDatum(source->style->name), Int64GetDatum(source->block),
		Int64GetDatum(source->increment), Int64GetDatum(source->initial),
		is_table ? NAME_DATUM(source->hi_column) : (Datum) 0,
		has_key ? NAME_DATUM(source->key_column) : (Datum) 0,
		has_key ? CStringGetTextDatum(source->key_value) : (Datum) 0
	};
#undef NAME_DATUM
	bool		nulls[Natts_source] = {
		false, false, false, false, is_table, !is_table, !is_table,
		!has_key, !has_key
	};

	return heap_form_tuple(RelationGetDescr(rel), values, nulls);
}
