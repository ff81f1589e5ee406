/*
 * Sources that an ORM and hilo take blocks from, and what SQL does to them
 * meanwhile: it raises them, resyncs columns, adopts them again, with another
 * block too, and truncates tables whose rows have their ids.
 *
 * An ORM that holds a block of one size must not meet another: the block
 * changes behind the barrier.  No source is set back but by what is rolled back.
 */
#include <inttypes.h>
#include <string.h>

#include "recorder.h"

/* from here on, no block changes */
#define HIGH INT64_C(1000000000000)

typedef struct AdoptedSource
{
	const char *name;
	const char *style;			/* of a sequence; NULL: a row of marten's */
	int			block;			/* at first */
	bool		steps;			/* the sequence's INCREMENT is the block */
	bool		multiplies;		/* the block multiplies its values */
} AdoptedSource;

/* of each, the sequence is NAME_seq and the table whose column has it NAME_rows */
static const AdoptedSource sources[] = {
	{"orders", "efcore", 10, true, false},
	{"singles", "hibernate-none", 1, true, false},
	{"products", "hibernate-hilo", 10, false, true},
	{"docs", NULL, 10, false, false},
};

static const AdoptedSource *source_of(int generator);
static bool adopt(const AdoptedSource *source, int block);
static bool read_block(const AdoptedSource *source, int64_t *block);
static bool read_height(int generator, int64_t *value);
static void resync(int generator);
static void insert(int generator);
static void truncate_rows(const AdoptedSource *source);
static void adopt_again(const AdoptedSource *source);
static void adopt_other_block(int generator);
static void set_back_undone(const AdoptedSource *source);

/*
 * Make the source, and have the generator adopt it.
 */
bool
source_create(int generator)
{
	const AdoptedSource *source = source_of(generator);
	bool		done;

	if (source->style == NULL)
		done = session_do("CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0)") &&
			session_do("INSERT INTO mt_hilo VALUES ('Doc', 0)");
	else
		done = session_do("CREATE SEQUENCE %s_seq INCREMENT %d", source->name,
						  source->steps ? source->block : 1);
	return done && adopt(source, source->block) &&
		session_do("CREATE TABLE %1$s_rows (id bigint DEFAULT hilo_next_tag('%1$s'))",
				   source->name);
}

/*
 * Take a block as the ORM does; it is the client's once that is committed, with
 * something written: PostgreSQL flushes no commit of nextval alone, whose
 * values another session may have logged.
 */
void
source_unit(int generator)
{
	const AdoptedSource *source = source_of(generator);
	int64_t		begin = history_time();
	int64_t		value = 0;
	int64_t		block = 0;
	bool		done;

	done = session_do("BEGIN") &&
		session_do("SELECT pg_logical_emit_message(true, 'orm', 'block')") &&
		(options.commits != NULL ||
		 session_do("SET LOCAL synchronous_commit = on")) &&
		session_read(&value, source->style != NULL ?
					 "SELECT nextval('%s_seq')" :
					 "UPDATE mt_hilo SET hi_value = hi_value + 1 "
					 "WHERE entity_name = 'Doc' RETURNING hi_value + 1",
					 source->name) &&
		read_block(source, &block);
	if (!session_do(done ? "COMMIT" : "ROLLBACK") || !done)
		return;
	if (source->multiplies || source->style == NULL)
		value = (value - 1) * block + 1;
	history_began(begin);
	history_ids(generator, CAME_BY_ORM, value, value + block - 1);
}

/*
 * Raise the source.
 */
bool
source_raise(int generator)
{
	int64_t		value;
	int64_t		last;

	if (!read_height(generator, &value) ||
		!session_read(&last, "SELECT hilo_seed('%s', %" PRId64 ")",
					  generator_name(generator), value))
		return false;
	history_ids(generator, RAISED, last, last);
	return true;
}

/*
 * Do something to the source besides.
 */
void
source_change(int generator)
{
	const AdoptedSource *source = source_of(generator);

	switch (random_below(12))
	{
		case 0:
			insert(generator);
			break;
		case 1:
			truncate_rows(source);
			break;
		case 2:
			adopt_again(source);
			break;
		case 3:
			adopt_other_block(generator);
			break;
		case 4:
			set_back_undone(source);
			break;
		case 5:
		case 6:
		case 7:
			resync(generator);
			break;
		default:
			source_raise(generator);
	}
}

static const AdoptedSource *
source_of(int generator)
{
	const AdoptedSource *source = sources;

	while (strcmp(generator_of(generator)->name, source->name) != 0)
		source++;
	return source;
}

static bool
adopt(const AdoptedSource *source, int block)
{
	if (source->style == NULL)
		return session_do("SELECT hilo_adopt_table_tag('%s', 'mt_hilo', 'marten', %d, key_value => 'Doc')",
						  source->name, block);
	return session_do("SELECT hilo_adopt_sequence_tag('%1$s', '%1$s_seq', '%2$s', %3$d)",
					  source->name, source->style, block);
}

static bool
read_block(const AdoptedSource *source, int64_t *block)
{
	return session_read(block, "SELECT block FROM hilo_sources() WHERE name = '%s'",
						source->name);
}

/*
 * Choose an id to raise to: from where a sequence is as often as not, by as much as
 * changes one byte of what it holds.  nextval logs 32 values ahead: from the end of a
 * byte, more bytes differ in what it has logged.
 */
static bool
read_height(int generator, int64_t *value)
{
	const AdoptedSource *source = source_of(generator);
	int			step = (1 + (int) random_below(3)) << (one_in(10) ? 16 : 8);
	int64_t		block = 1;

	*value = shared->highest[generator] + (int64_t) random_below(50);
	if (source->style == NULL || one_in(2))
		return true;
	if (source->multiplies && !read_block(source, &block))
		return false;
	if ((source->multiplies || source->block == 1) && one_in(2) &&
		!session_do("SELECT count(nextval('%1$s_seq')) FROM generate_series(1, "
					"(SELECT 255 - last_value %% 256 FROM %1$s_seq))",
					source->name))
		return false;
	return session_read(value, "SELECT (last_value + %d) * %" PRId64 " FROM %s_seq",
						step - 1, block, source->name);
}

/*
 * Resync a column that a row has come to, which may be rolled back.
 */
static void
resync(int generator)
{
	const char *name = source_of(generator)->name;
	int64_t		value;
	int64_t		last;

	if (read_height(generator, &value) &&
		session_do("BEGIN") &&
		session_do("INSERT INTO %s_rows VALUES (%" PRId64 ")", name, value) &&
		(one_in(2) || (session_do("COMMIT") && session_do("BEGIN"))) &&
		session_read(&last, one_in(4) ?
					 "SELECT last FROM hilo_resync_all() WHERE rel = '%s_rows'::regclass" :
					 "SELECT hilo_resync('%s_rows', 'id')", name))
		history_ids(generator, RAISED, last, last);
	session_do(one_in(2) ? "COMMIT" : "ROLLBACK");
}

static void
insert(int generator)
{
	int64_t		id;

	if (session_read(&id, "INSERT INTO %s_rows DEFAULT VALUES RETURNING id",
					 source_of(generator)->name))
		history_ids(generator, CAME_NEXT, id, id);
}

/*
 * The ids of rows that are gone do not come again.
 */
static void
truncate_rows(const AdoptedSource *source)
{
	session_do("TRUNCATE %s_rows%s", source->name,
			   one_in(2) ? " RESTART IDENTITY" : "");
}

/*
 * Adopt the source once more, in place of a generator that is dropped, too.
 */
static void
adopt_again(const AdoptedSource *source)
{
	int64_t		block;

	if (session_do("BEGIN") && session_do(SHORT_LOCK_TIMEOUT) &&
		read_block(source, &block))
	{
		if (one_in(2))
			(void) adopt(source, (int) block);
		else if (session_do("ALTER TABLE %1$s_rows ALTER id DROP DEFAULT; SELECT hilo_drop('%1$s')",
							source->name) &&
				 adopt(source, (int) block))
			(void) session_do("ALTER TABLE %1$s_rows ALTER id SET DEFAULT hilo_next_tag('%1$s')",
							  source->name);
	}
	session_do(one_in(3) ? "ROLLBACK" : "COMMIT");
}

/*
 * Adopt the source with another block, while the ORM has stopped.  Where that
 * multiplies, the same values then have ids as many times as high.
 */
static void
adopt_other_block(int generator)
{
	const AdoptedSource *source = source_of(generator);
	int			block = 1 + (int) random_below(20);

	if (source->block == 1 || shared->highest[generator] > HIGH ||
		!barrier_begin())
		return;
	if (session_do("BEGIN") && session_do(SHORT_LOCK_TIMEOUT) &&
		(!source->steps ||
		 session_do("ALTER SEQUENCE %s_seq INCREMENT %d", source->name, block)))
		(void) adopt(source, block);
	session_do(one_in(3) ? "ROLLBACK" : "COMMIT");
	barrier_end();
}

/*
 * What others would take meanwhile waits.
 */
static void
set_back_undone(const AdoptedSource *source)
{
	if (session_do("BEGIN") && session_do(SHORT_LOCK_TIMEOUT))
		(void) session_do(source->style == NULL ? "TRUNCATE mt_hilo" :
						  "ALTER SEQUENCE %s_seq RESTART", source->name);
	session_do("ROLLBACK");
}
