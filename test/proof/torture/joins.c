/*
 * Rows that join tables which others draw from: partitions and children are
 * attached and detached, loaders switch triggers off, and a new table has its
 * first use meanwhile.
 *
 * A client that draws looks whether a row had the id before its statement.  Rows
 * that join have ids that were drawn a moment ago, too; those stay.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"

/* that may be attached, beside the one that rows go to */
#define PARTS 3

static bool make_table(const char *name);
static void draw(int generator);
static void attach_or_detach(int generator);
static bool attach(const char *name, int part);
static bool detach(const char *name, int part);
static void load(int generator);
static void load_without_triggers(int generator);
static bool bring(int generator, int part);
static bool insert(int generator, const char *table, int part);
static void make_again(int generator);
static bool begin(void);
static bool begin_ddl(int generator);
static bool is_partitioned(const char *name);
static bool is_followed(const char *name);

/*
 * Make a table that draws, and parts of it that are not attached.
 */
bool
join_create(int generator)
{
	const char *name = generator_of(generator)->name;

	if (!make_table(name))
		return false;
	if (strcmp(name, "years") == 0)
		return session_do("CREATE SEQUENCE years_id_seq OWNED BY years.id;"
						  "ALTER TABLE years ALTER id SET DEFAULT nextval('years_id_seq');"
						  "SELECT hilo_attach('years', 'id')");
	if (!session_do("ALTER TABLE %1$s ALTER id SET DEFAULT hilo_next('%1$s')", name))
		return false;
	if (strcmp(name, "fresh") == 0)
		return true;			/* made by its first use */
	return session_do("SELECT hilo_create('%s', '%s', range_size => 8, max_range_size => 32)",
					  name, is_followed(name) ? "global" : "session") &&
		(!is_followed(name) || session_do("SELECT hilo_attach('%1$s', 'id', '%1$s')", name));
}

/*
 * Draw, or have rows join.
 */
void
join_unit(int generator)
{
	const char *name = generator_of(generator)->name;

	switch (random_below(12))
	{
		case 0:
		case 1:
		case 2:
			attach_or_detach(generator);
			break;
		case 3:
			bring(generator, 1 + (int) random_below(PARTS));
			break;
		case 4:
			if (is_followed(name))
				load(generator);
			break;
		case 5:
			if (is_followed(name))
				load_without_triggers(generator);
			else if (strcmp(name, "fresh") == 0 && one_in(4))
				make_again(generator);
			break;
		default:
			draw(generator);
	}
}

static bool
make_table(const char *name)
{
	bool		done = is_partitioned(name) ?
		session_do("CREATE TABLE %1$s (id bigint NOT NULL, part int) PARTITION BY LIST (part);"
				   "CREATE TABLE %1$s_0 PARTITION OF %1$s FOR VALUES IN (0);"
				   "CREATE INDEX ON %1$s (id)", name) :
		session_do("CREATE TABLE %1$s (id bigint NOT NULL, part int);"
				   "CREATE INDEX ON %1$s (id)", name);

	for (int part = 1; done && part <= PARTS; part++)
		done = session_do("CREATE TABLE %1$s_%2$d (id bigint NOT NULL, part int);"
						  "CREATE INDEX ON %1$s_%2$d (id)", name, part);
	return done;
}

static void
draw(int generator)
{
	const char *name = generator_of(generator)->name;
	bool		commits = !one_in(5);
	int64_t		began = history_time();
	PGresult   *result;

	if (!begin())
		return;
	/* what was detached meanwhile is still in the statement's plan */
	result = session_query("INSERT INTO %1$s (part) SELECT 0 FROM generate_series(1, %2$d) "
						   "RETURNING id, (SELECT count(*) FROM %1$s was WHERE was.id = %1$s.id AND "
						   "(was.part = 0 OR EXISTS (SELECT FROM pg_inherits WHERE inhrelid = was.tableoid)))",
						   name, 1 + (int) random_below(4));
	if (result == NULL)
		return;
	for (int i = 0; i < PQntuples(result); i++)
	{
		if (strcmp(PQgetvalue(result, i, 1), "0") != 0)
			history_error("repeat", PQgetvalue(result, i, 0), name);
	}
	if (session_do(commits ? "COMMIT" : "ROLLBACK") && commits)
	{
		history_began(began);
		history_result(generator, result);
	}
	PQclear(result);
}

/*
 * Attach a part, with rows that it gets before or by the same transaction; or
 * detach it if it is attached.
 */
static void
attach_or_detach(int generator)
{
	const char *name = generator_of(generator)->name;
	int			part = 1 + (int) random_below(PARTS);
	int64_t		is_attached;
	bool		done;

	if (!begin_ddl(generator) ||
		!session_read(&is_attached, "SELECT count(*) FROM pg_inherits WHERE inhrelid = '%s_%d'::regclass",
					  name, part))
		return;
	if (is_attached)
		done = detach(name, part);
	else
		done = (one_in(2) || bring(generator, part)) && attach(name, part);
	session_do(done && !one_in(3) ? "COMMIT" : "ROLLBACK");
}

static bool
attach(const char *name, int part)
{
	if (is_partitioned(name))
		return session_do("ALTER TABLE %1$s ATTACH PARTITION %1$s_%2$d FOR VALUES IN (%2$d)",
						  name, part);
	return session_do("ALTER TABLE %1$s_%2$d INHERIT %1$s", name, part);
}

static bool
detach(const char *name, int part)
{
	bool		done = is_partitioned(name) ?
		session_do("ALTER TABLE %1$s DETACH PARTITION %1$s_%2$d", name, part) :
		session_do("ALTER TABLE %1$s_%2$d NO INHERIT %1$s", name, part);

	return done && (one_in(2) || session_do("TRUNCATE %s_%d", name, part));
}

/*
 * Bring rows to a part that is not attached.
 */
static bool
bring(int generator, int part)
{
	char		table[32];

	snprintf(table, sizeof(table), "%s_%d", generator_of(generator)->name, part);
	return insert(generator, table, part);
}

static void
load(int generator)
{
	if (begin() &&
		session_do("SET LOCAL session_replication_role = replica") &&
		insert(generator, generator_of(generator)->name, 0))
		session_do(one_in(3) ? "ROLLBACK" : "COMMIT");
}

static void
load_without_triggers(int generator)
{
	const char *name = generator_of(generator)->name;
	const char *which = one_in(2) ? "ALL" : "USER";

	if (begin_ddl(generator) &&
		session_do("ALTER TABLE %s DISABLE TRIGGER %s", name, which) &&
		insert(generator, name, 0) &&
		session_do("ALTER TABLE %s ENABLE TRIGGER %s", name, which))
		session_do(one_in(3) ? "ROLLBACK" : "COMMIT");
}

/*
 * Insert rows with ids about where those are that are drawn; none if the table
 * is a part and attached.
 */
static bool
insert(int generator, const char *table, int part)
{
	int64_t		low = shared->highest[generator] - 20 + (int64_t) random_below(60);

	if (low < 1)
		low = 1 + (int64_t) random_below(20);
	return session_do("INSERT INTO %1$s SELECT i, %2$d FROM generate_series(%3$" PRId64 ", %3$" PRId64 " + %4$d) i "
					  "WHERE NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = '%1$s'::regclass)",
					  table, part, low, (int) random_below(15));
}

/*
 * Have a new table in place of one, whose generator goes with it.
 */
static void
make_again(int generator)
{
	const char *name = generator_of(generator)->name;

	if (!barrier_begin())
		return;
	(void) (begin_ddl(generator) &&
			session_do("DROP TABLE %1$s, %1$s_1, %1$s_2, %1$s_3", name) &&
			join_create(generator) &&
			session_do("COMMIT"));
	/* also if it is unknown which it is */
	shared->highest[generator] = 0;
	shared->incarnation[generator]++;
	barrier_end();
}

/*
 * What a client has noted is committed for good.
 */
static bool
begin(void)
{
	return session_do("BEGIN") &&
		(options.commits != NULL ||
		 session_do("SET LOCAL synchronous_commit = on"));
}

static bool
begin_ddl(int generator)
{
	return begin() && session_do("SET LOCAL lock_timeout = 200") &&
		session_do("SELECT pg_advisory_xact_lock(%d)", generator);
}

static bool
is_partitioned(const char *name)
{
	return strcmp(name, "months") == 0 || strcmp(name, "weeks") == 0;
}

/*
 * Check whether the table's rows raise what it draws from, whoever brings them.
 */
static bool
is_followed(const char *name)
{
	return strcmp(name, "weeks") == 0 || strcmp(name, "years") == 0;
}
