/*
 * Clients that write down when each of their calls began and ended.
 *
 * usage: order CONNINFO CLIENTS QUERY...
 *
 * Each client calls one of the queries after another, by chance, and connects
 * anew when it is cut off.  A query gives rows of the first and the last of the
 * ids that came, in a row.  At each line on standard input the number of calls so far is
 * printed; at the line "stop" the clients stop, and what they saw is judged:
 *
 * - disorder: a call that began after another one had ended, and got a smaller
 * d;
 * - repeats: an id that came twice;
 * - missing: ids between the first and the last one that did not come.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>

#define RETRY_MICROSECONDS 10000

/*
 * A call, or one row of its result.
 */
typedef struct Call
{
	int64_t		begin;			/* nanoseconds */
	int64_t		end;
	int64_t		low;
	int64_t		high;
} Call;

/* the begin or the end of a call */
typedef struct Event
{
	int64_t		at;
	bool		is_end;
	Call	   *call;
} Event;

static const char *conninfo;
static char **queries;
static int	nqueries;

static atomic_bool stopping;
static atomic_long ncalls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Call *calls;
static size_t capacity;

static void *client(void *seed);
static PGconn *open_session(void);
static bool make_call(PGconn *connection, int query);
static void keep(const Call *call);
static int64_t now(void);
static long count_disorder(void);
static void count_ids(long *repeats, long *missing);
static int	compare_events(const void *a, const void *b);
static int	compare_lows(const void *a, const void *b);

int
main(int argc, char **argv)
{
	int			nclients;
	pthread_t  *threads;
	char		line[16];
	long		repeats = 0;
	long		missing = 0;

	if (argc < 4)
	{
		fprintf(stderr, "usage: order CONNINFO CLIENTS QUERY...\n");
		return 2;
	}
	conninfo = argv[1];
	nclients = atoi(argv[2]);
	queries = argv + 3;
	nqueries = argc - 3;

	threads = calloc(nclients, sizeof(*threads));
	for (intptr_t i = 0; i < nclients; i++)
	{
		if (pthread_create(&threads[i], NULL, client, (void *) (i + 1)) != 0)
			abort();
	}
	while (fgets(line, sizeof(line), stdin) != NULL &&
		   strcmp(line, "stop\n") != 0)
	{
		printf("%ld\n", (long) ncalls);
		fflush(stdout);
	}
	stopping = true;
	for (int i = 0; i < nclients; i++)
		pthread_join(threads[i], NULL);

	printf("calls %ld\n", (long) ncalls);
	printf("disorder %ld\n", count_disorder());
	count_ids(&repeats, &missing);
	printf("repeats %ld\n", repeats);
	printf("missing %ld\n", missing);
	return 0;
}

static void *
client(void *seed)
{
	unsigned int random = (unsigned int) (intptr_t) seed;
	PGconn	   *connection = NULL;

	while (!stopping)
	{
		if (connection == NULL)
			connection = open_session();
		else if (!make_call(connection, rand_r(&random) % nqueries) &&
				 PQstatus(connection) != CONNECTION_OK)
		{
			PQfinish(connection);
			connection = NULL;
		}
	}
	PQfinish(connection);
	return NULL;
}

/*
 * Connects and prepares the queries; NULL, after a moment, if that fails.
 */
static PGconn *
open_session(void)
{
	PGconn	   *connection = PQconnectdb(conninfo);

	for (int i = 0; i < nqueries; i++)
	{
		char		name[16];
		PGresult   *result;
		bool		done;

		snprintf(name, sizeof(name), "q%d", i);
		result = PQprepare(connection, name, queries[i], 0, NULL);
		done = PQresultStatus(result) == PGRES_COMMAND_OK;
		PQclear(result);
		if (!done)
		{
			PQfinish(connection);
			usleep(RETRY_MICROSECONDS);
			return NULL;
		}
	}
	return connection;
}

/*
 * Make a call; false if it failed.
 */
static bool
make_call(PGconn *connection, int query)
{
	Call		call;
	char		name[16];
	PGresult   *result;
	bool		done;

	snprintf(name, sizeof(name), "q%d", query);
	call.begin = now();
	result = PQexecPrepared(connection, name, 0, NULL, NULL, NULL, 0);
	call.end = now();
	done = PQresultStatus(result) == PGRES_TUPLES_OK;
	for (int i = 0; i < PQntuples(result); i++)
	{
		call.low = strtoll(PQgetvalue(result, i, 0), NULL, 10);
		call.high = strtoll(PQgetvalue(result, i, 1), NULL, 10);
		keep(&call);
	}
	PQclear(result);
	return done;
}

static void
keep(const Call *call)
{
	pthread_mutex_lock(&lock);
	if ((size_t) ncalls == capacity)
	{
		capacity = 2 * capacity + 65536;
		calls = realloc(calls, capacity * sizeof(*calls));
		if (calls == NULL)
			abort();
	}
	calls[ncalls] = *call;
	ncalls++;
	pthread_mutex_unlock(&lock);
}

static int64_t
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/*
 * Goes through the calls in the order of time, with the highest id of those
 * that have ended so far.
 */
static long
count_disorder(void)
{
	Event	   *events = calloc(2 * ncalls + 1, sizeof(*events));
	int64_t		highest = 0;
	long		disorder = 0;

	for (long i = 0; i < ncalls; i++)
	{
		Event		begin = {calls[i].begin, false, &calls[i]};
		Event		end = {calls[i].end, true, &calls[i]};

		events[2 * i] = begin;
		events[2 * i + 1] = end;
	}
	qsort(events, 2 * ncalls, sizeof(*events), compare_events);
	for (long i = 0; i < 2 * ncalls; i++)
	{
		if (events[i].is_end)
		{
			if (events[i].call->high > highest)
				highest = events[i].call->high;
		}
		else if (events[i].call->low <= highest)
			disorder++;
	}
	free(events);
	return disorder;
}

static void
count_ids(long *repeats, long *missing)
{
	qsort(calls, ncalls, sizeof(*calls), compare_lows);
	for (long i = 1; i < ncalls; i++)
	{
		int64_t		step = calls[i].low - calls[i - 1].high;

		if (step < 1)
			(*repeats)++;
		else
			*missing += step - 1;
	}
}

/*
 * Of two at the same time the begin comes first: the calls overlap.
 */
static int
compare_events(const void *a, const void *b)
{
	const Event *x = a;
	const Event *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (int) x->is_end - (int) y->is_end;
}

static int
compare_lows(const void *a, const void *b)
{
	const Call *x = a;
	const Call *y = b;

	return (x->low > y->low) - (x->low < y->low);
}
