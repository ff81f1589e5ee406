/*
 * Which ids an ORM takes for a value of its hi source.
 *
 * The value is what nextval gave, or what stood in the ORM's row before its own
 * change, shifted by the offset of the style if the row keeps the value used
 * last.
 */
#include "postgres.h"

#include "source/source.h"

/*
 * An optimizer of Hibernate's on tables: by TableGenerator with each way to use
 * the column, and by SequenceStyleGenerator with force_table_use; and on
 * sequences.
 */
#define HIBERNATE_TABLES(suffix, ...) \
	{"hibernate-table" suffix, __VA_ARGS__, \
	"next_val", "sequence_name",.offset = 1,.first = 1}, \
	{"hibernate-table" suffix "-stored-next", __VA_ARGS__, \
	"next_val", "sequence_name",.first = 1}, \
	{"hibernate-sequence-table" suffix, __VA_ARGS__, "next_val",.first = 1}
#define HIBERNATE(suffix, ...) \
	{"hibernate" suffix, __VA_ARGS__,.hi_column = NULL}, \
	HIBERNATE_TABLES(suffix, __VA_ARGS__)

/* name, family, setting, block_extra; of a table, hi_column, key_column */
static const OrmStyle styles[] = {
	{"efcore", ORM_LOW,.setting = "IncrementsBy"},
	{"hibernate4-pooled", ORM_BELOW,.setting = "allocationSize"},
	{"nhibernate-seqhilo", ORM_HI_FROM_ZERO, "max_lo",.block_extra = 1},
	{"nhibernate-pooled", ORM_BELOW,.setting = "increment_size"},
	{"nhibernate-pooled-lo", ORM_LOW,.setting = "increment_size"},
	{"doctrine", ORM_LOW,.setting = "allocationSize"},
	{"eclipselink", ORM_HIGH,.setting = "allocationSize"},
	{"eclipselink-start-at-nextval", ORM_LOW,.setting = "allocationSize"},
	{"openjpa", ORM_LOW,.setting = "allocationSize"},
	{"datanucleus", ORM_LOW,.setting = "allocationSize"},
	{"cayenne", ORM_LOW,.setting = "pkCacheSize"},

	HIBERNATE_TABLES("", ORM_HIGH_FIRST, "allocationSize", 0),
	HIBERNATE("-pooled", ORM_HIGH_FIRST, "allocationSize", 0),
	HIBERNATE("-pooled-lo", ORM_LOW, "allocationSize", 0),
	HIBERNATE("-pooled-lotl", ORM_LOW, "allocationSize", 0),
	HIBERNATE("-hilo", ORM_HI_FROM_ONE, "allocationSize", 0),
	HIBERNATE("-legacy-hilo", ORM_HI_FROM_ZERO, "increment_size", 1),
	HIBERNATE("-none", ORM_LOW, NULL, 0),

	{"hibernate-unique-key", ORM_HI_FROM_ZERO, "max_lo", 1,
	"next_hi",.block = 32767},
	{"hibernate-multiple-hilo", ORM_HI_FROM_ZERO, "max_lo", 1,
	"sequence_next_hi_value", "sequence_name",.first = 0},
	{"nhibernate-hilo", ORM_HI_FROM_ZERO, "max_lo", 1,
	"next_hi",.block = 32767,.first = 1},
	{"nhibernate-enhanced-table", ORM_BELOW, "increment_size", 0,
	"next_val", "sequence_name",.first = 1},
	{"nhibernate-enhanced-table-pooled-lo", ORM_LOW, "increment_size", 0,
	"next_val", "sequence_name",.first = 1},
	{"nhibernate-enhanced-table-none", ORM_LOW, NULL, 0,
	"next_val", "sequence_name",.first = 1},
	/* the row keeps the hi used last, counted from 0 */
	{"marten", ORM_HI_FROM_ONE, "MaxLo", 0,
	"hi_value", "entity_name",.block = 1000,.offset = 2,.first = 1},
	{"eclipselink-table", ORM_LOW, "allocationSize", 0,
	"seq_count", "seq_name",.block = 50,.offset = 1,.first = 1},
	{"openjpa-table", ORM_LOW, "allocationSize", 0,
	"sequence_value", "id", "0",.block = 50,.first = 1},
	{"datanucleus-table", ORM_LOW, "allocationSize", 0,
	"next_val", "sequence_name",.first = 1},
	{"camunda", ORM_LOW, "idBlockSize", 0,
	"value_", "name_", "next.dbid",.block = 100,.count_column = "rev_",.first = 1},
	{"classic", ORM_HI_FROM_ZERO, "max_lo", 0, "next_hi",.first = 1},
};

/* the block of a value begins at value * scale + shift */
#define ScaleOf(source) ((source)->ids / OrmStep(source))

static int64 shift_of(const OrmSource *source);

/* Return the style of that name, NULL if there is none. */
const OrmStyle *
orm_style(const char *name)
{
	for (size_t i = 0; i < lengthof(styles); i++)
	{
		if (strcmp(name, styles[i].name) == 0)
			return &styles[i];
	}
	return NULL;
}

/* Return the names of the styles of tables, or of sequences. */
char *
orm_style_names(bool of_table)
{
	StringInfo	names = makeStringInfo();

	for (size_t i = 0; i < lengthof(styles); i++)
	{
		if ((styles[i].hi_column != NULL) == of_table)
			appendStringInfo(names, ", %s", styles[i].name);
	}
	return names->data + strlen(", ");
}

/* Return how many ids a block has, 0 if the ORM cannot be set so. */
int64
orm_formula_ids(const OrmStyle *style, int64 block)
{
	int64		ids;

	if (style->setting == NULL)
		return block == 1;
	if (pg_add_s64_overflow(block, style->block_extra, &ids))
		return 0;
	return Max(ids, 0);
}

/*
 * Return the ids of so many blocks that follow each other, the first of them
 * for what the source gave: nextval, or what stands in the row.
 *
 * Ids below 1 or beyond bigint are left out; the range is empty if there are no
 * others.  Nothing here overflows 128 bits.
 */
Range
orm_formula_range(const OrmSource *source, int64 stored, int64 blocks)
{
	OrmFamily	family = source->style->family;
	int128		value = (int128) stored + source->style->offset;
	int128		low = value * ScaleOf(source) + shift_of(source);
	int128		high = low + (int128) source->ids * blocks - 1;

	if (value == source->initial &&
		(family == ORM_HIGH_FIRST || family == ORM_BELOW))
		low = value;
	low = Max(low, 1);
	high = Min(high, PG_INT64_MAX);
	if (low > high)
		return EMPTY_RANGE;
	return RANGE_OF(low, high);
}

/*
 * Return the smallest value with its block above last >= 1, or report an error.
 */
int64
orm_formula_above(const OrmSource *source, int64 last)
{
	int128		value =
		((int128) last - shift_of(source)) / ScaleOf(source) + 1;

	if (value > PG_INT64_MAX)
		ereport(ERROR,
				errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				errmsg("no block of style \"%s\" lies above %lld",
					   source->style->name, (long long) last));
	return value - source->style->offset;
}

static int64
shift_of(const OrmSource *source)
{
	switch (source->style->family)
	{
		case ORM_LOW:
		case ORM_HI_FROM_ZERO:
			return 0;
		case ORM_BELOW:
			return -source->ids;
		default:
			return 1 - source->ids;
	}
}
