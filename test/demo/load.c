/*
 * Imports packages and their dependencies, in several sessions at once.
 *
 * load ROWS SESSIONS BATCH returning
 * load ROWS SESSIONS BATCH keys-first QUERY
 *
 * "returning" inserts a package, gets its id back, and inserts its dependencies
 * with that.  "keys-first" has QUERY give as many ids ($1) as there are
 * packages in a transaction, then sends packages and dependencies as streams.
 * Either way the sessions take turns at transactions of BATCH packages.
 *
 * ROWS is a file that index.pl made; libpq's environment says where to import
 * it.  Seconds, round trips and round trips for ids go to stdout.
 */
#define _GNU_SOURCE
#include <err.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>

#define PACKAGE_FIELDS 7
#define DEPENDENCY_FIELDS 5
#define PACKAGE_COLUMNS \
	"name, version, architecture, section, priority, installed_size, description"
#define DEPENDENCY_COLUMNS "position, choice, kind, target, version"

typedef struct Dependency
{
	char	   *fields[DEPENDENCY_FIELDS];
} Dependency;

typedef struct Package
{
	char	   *fields[PACKAGE_FIELDS];
	Dependency *dependencies;
	int			dependency_count;
} Package;

/* what the sessions, processes, have in common */
typedef struct Shared
{
	atomic_int	taken;			/* packages that a session has started with */
	atomic_long round_trips;
	atomic_long id_round_trips;
} Shared;

static Package *packages;
static int	package_count;
static int	session_count;
static int	batch_size;			/* packages in a transaction */
static Shared *shared;
static const char *keys_query;	/* NULL: returning */
static PGconn *conn;

static void read_rows(const char *path);
static void *grown(void *array, int count, size_t size);
static void split(char *line, char **fields, int count);
static void start_session(void);
static void prepare(void);
static void import_returning(const Package *batch, int count);
static void insert_dependencies(const char *id, const Package *package);
static void import_keys_first(const Package *batch, int count);
static void put_array(FILE *stream, const Package *package, int field);
static void put_copy_row(FILE *stream, const char *id, char *const *fields,
						 int count);
static void put_escaped(FILE *stream, const char *value, const char *special);
static void copy_in(const char *command, FILE *stream, char **data,
					size_t *size);
static PGresult *round_trip(PGresult *result, ExecStatusType expected);
static void wait_for_sessions(void);
static double now(void);

int
main(int argc, char **argv)
{
	double		start;

	if (argc < 5 || argc != (strcmp(argv[4], "keys-first") == 0 ? 6 : 5))
		errx(2, "usage: load ROWS SESSIONS BATCH returning | keys-first QUERY");
	read_rows(argv[1]);
	session_count = atoi(argv[2]);
	batch_size = atoi(argv[3]);
	keys_query = argv[5];
	if (package_count < 1 || session_count < 1 || batch_size < 1)
		errx(2, "ROWS, SESSIONS and BATCH must be at least 1");

	shared = mmap(NULL, sizeof(Shared), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		err(1, "mmap");

	start = now();
	for (int i = 0; i < session_count; i++)
		start_session();
	wait_for_sessions();

	printf("%.3f %ld %ld\n", now() - start, shared->round_trips,
		   shared->id_round_trips);
	return 0;
}

/*
 * Read the whole file into packages.
 */
static void
read_rows(const char *path)
{
	FILE	   *file = fopen(path, "r");
	char	   *line = NULL;
	size_t		size = 0;

	if (file == NULL)
		err(1, "%s", path);

	while (getline(&line, &size, file) > 0)
	{
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == 'p')
		{
			packages = grown(packages, package_count, sizeof(Package));
			memset(&packages[package_count], 0, sizeof(Package));
			split(line, packages[package_count++].fields, PACKAGE_FIELDS);
		}
		else if (package_count > 0)
		{
			Package    *package = &packages[package_count - 1];

			package->dependencies = grown(package->dependencies,
										  package->dependency_count,
										  sizeof(Dependency));
			split(line, package->dependencies[package->dependency_count++].fields,
				  DEPENDENCY_FIELDS);
		}
		line = NULL;			/* the fields are in it */
		size = 0;
	}
	fclose(file);
}

/*
 * Make room for one more in an array, whose size is the next power of two.
 */
static void *
grown(void *array, int count, size_t size)
{
	if ((count & (count - 1)) != 0)
		return array;
	array = reallocarray(array, count == 0 ? 1 : 2 * (size_t) count, size);
	if (array == NULL)
		err(1, "reallocarray");
	return array;
}

/*
 * Split a line in place; an empty field becomes NULL.
 */
static void
split(char *line, char **fields, int count)
{
	strsep(&line, "\t");
	for (int i = 0; i < count; i++)
	{
		fields[i] = strsep(&line, "\t");
		if (fields[i] == NULL)
			errx(1, "a row has too few fields");
		if (*fields[i] == '\0')
			fields[i] = NULL;
	}
}

/*
 * Start a process that imports one batch after the other, each of them in a
 * transaction, until all are taken.
 */
static void
start_session(void)
{
	pid_t		pid = fork();
	int			first;

	if (pid < 0)
		err(1, "fork");
	if (pid > 0)
		return;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	conn = PQconnectdb("");
	if (PQstatus(conn) != CONNECTION_OK)
		errx(1, "%s", PQerrorMessage(conn));
	prepare();

	while ((first = atomic_fetch_add(&shared->taken, batch_size)) < package_count)
	{
		int			left = package_count - first;
		int			count = left < batch_size ? left : batch_size;

		PQclear(round_trip(PQexec(conn, "BEGIN"), PGRES_COMMAND_OK));
		if (keys_query != NULL)
			import_keys_first(&packages[first], count);
		else
			import_returning(&packages[first], count);
		PQclear(round_trip(PQexec(conn, "COMMIT"), PGRES_COMMAND_OK));
	}
	PQfinish(conn);
	_exit(0);
}

/*
 * Prepare the session's statements.
 */
static void
prepare(void)
{
	static const char package_sql[] =
		"INSERT INTO packages (" PACKAGE_COLUMNS ")"
		" VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id";
	static const char dependencies_sql[] =
		"INSERT INTO dependencies (package_id, " DEPENDENCY_COLUMNS ")"
		" SELECT $1::bigint, * FROM"
		" unnest($2::int[], $3::int[], $4::text[], $5::text[], $6::text[])";

	if (keys_query != NULL)
	{
		PQclear(round_trip(PQprepare(conn, "keys", keys_query, 0, NULL),
						   PGRES_COMMAND_OK));
		return;
	}
	PQclear(round_trip(PQprepare(conn, "package", package_sql, 0, NULL),
					   PGRES_COMMAND_OK));
	PQclear(round_trip(PQprepare(conn, "dependencies", dependencies_sql, 0, NULL),
					   PGRES_COMMAND_OK));
}

/*
 * Import packages one by one: two round trips for a package that depends on
 * something.
 */
static void
import_returning(const Package *batch, int count)
{
	for (const Package *package = batch; package < batch + count; package++)
	{
		PGresult   *id;

		id = round_trip(PQexecPrepared(conn, "package", PACKAGE_FIELDS,
									   (const char *const *) package->fields,
									   NULL, NULL, 0),
						PGRES_TUPLES_OK);
		shared->id_round_trips++;
		if (package->dependency_count > 0)
			insert_dependencies(PQgetvalue(id, 0, 0), package);
		PQclear(id);
	}
}

/*
 * Insert all dependencies of a package.
 */
static void
insert_dependencies(const char *id, const Package *package)
{
	char	   *arrays[DEPENDENCY_FIELDS];
	const char *values[1 + DEPENDENCY_FIELDS] = {id};

	for (int f = 0; f < DEPENDENCY_FIELDS; f++)
	{
		size_t		size;
		FILE	   *stream = open_memstream(&arrays[f], &size);

		put_array(stream, package, f);
		fclose(stream);
		values[1 + f] = arrays[f];
	}
	PQclear(round_trip(PQexecPrepared(conn, "dependencies",
									  1 + DEPENDENCY_FIELDS, values,
									  NULL, NULL, 0),
					   PGRES_COMMAND_OK));
	for (int f = 0; f < DEPENDENCY_FIELDS; f++)
		free(arrays[f]);
}

/*
 * Import packages whose ids are known before the first is sent.
 */
static void
import_keys_first(const Package *batch, int count)
{
	char		count_text[16];
	const char *values[] = {count_text};
	char	   *data;
	size_t		size;
	FILE	   *stream;
	PGresult   *ids;

	snprintf(count_text, sizeof(count_text), "%d", count);
	ids = round_trip(PQexecPrepared(conn, "keys", 1, values, NULL, NULL, 0),
					 PGRES_TUPLES_OK);
	shared->id_round_trips++;

	stream = open_memstream(&data, &size);
	for (int i = 0; i < count; i++)
		put_copy_row(stream, PQgetvalue(ids, i, 0), batch[i].fields, PACKAGE_FIELDS);
	copy_in("COPY packages (id, " PACKAGE_COLUMNS ") FROM STDIN",
			stream, &data, &size);

	stream = open_memstream(&data, &size);
	for (int i = 0; i < count; i++)
	{
		for (int d = 0; d < batch[i].dependency_count; d++)
			put_copy_row(stream, PQgetvalue(ids, i, 0),
						 batch[i].dependencies[d].fields, DEPENDENCY_FIELDS);
	}
	copy_in("COPY dependencies (package_id, " DEPENDENCY_COLUMNS ") FROM STDIN",
			stream, &data, &size);
	PQclear(ids);
}

/*
 * Write one field of all dependencies of a package as an array.
 */
static void
put_array(FILE *stream, const Package *package, int field)
{
	for (int i = 0; i < package->dependency_count; i++)
	{
		const char *value = package->dependencies[i].fields[field];

		fputs(i == 0 ? "{" : ",", stream);
		if (value == NULL)
			fputs("NULL", stream);
		else
		{
			putc('"', stream);
			put_escaped(stream, value, "\"\\");
			putc('"', stream);
		}
	}
	putc('}', stream);
}

/*
 * Write a row in COPY's text format.
 */
static void
put_copy_row(FILE *stream, const char *id, char *const *fields, int count)
{
	fputs(id, stream);
	for (int f = 0; f < count; f++)
	{
		putc('\t', stream);
		if (fields[f] == NULL)
			fputs("\\N", stream);
		else
			put_escaped(stream, fields[f], "\\");
	}
	putc('\n', stream);
}

/*
 * Write a value with a backslash before some characters.
 */
static void
put_escaped(FILE *stream, const char *value, const char *special)
{
	for (; *value; value++)
	{
		if (strchr(special, *value) != NULL)
			putc('\\', stream);
		putc(*value, stream);
	}
}

/*
 * Send a stream with COPY: one round trip to begin, one to end.
 */
static void
copy_in(const char *command, FILE *stream, char **data, size_t *size)
{
	fclose(stream);
	PQclear(round_trip(PQexec(conn, command), PGRES_COPY_IN));
	if (PQputCopyData(conn, *data, (int) *size) != 1 ||
		PQputCopyEnd(conn, NULL) != 1)
		errx(1, "%s", PQerrorMessage(conn));
	PQclear(round_trip(PQgetResult(conn), PGRES_COMMAND_OK));
	PQclear(PQgetResult(conn));
	free(*data);
}

/*
 * Count a time that the session waited for the server, and check what came
 * back.
 */
static PGresult *
round_trip(PGresult *result, ExecStatusType expected)
{
	shared->round_trips++;
	if (PQresultStatus(result) != expected)
		errx(1, "%s", PQerrorMessage(conn));
	return result;
}

/*
 * Wait until all sessions have ended.
 */
static void
wait_for_sessions(void)
{
	for (int running = session_count; running > 0; running--)
	{
		int			status;

		if (wait(&status) < 0)
			err(1, "wait");
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
			errx(1, "a session has failed");	/* the others die with us */
	}
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}
