/*-------------------------------------------------------------------------
 *
 * check.c
 *	  check DIRECTORY <LAST
 *
 * Reads the histories in a directory, and from its input the names of the
 * generators with their "last", a line each.  Counts on its output
 *
 *	  ids			that were seen
 *	  repeats		of them that were seen more than once
 *	  disorder		ids that are not above those before in their session
 *	  outside		ids below "first" or above "last"
 *	  errors		that no call should have met
 *	  seeds			forced
 *	  drops			tried
 *
 * and tells of the first few of each that should be 0.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  test/recorder/check.c
 *
 *-------------------------------------------------------------------------
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

#define TOLD_AT_MOST 10

/*
 * A line of a history.
 */
typedef struct Run
{
	int64_t		low;
	int64_t		high;
	int			generator;
	int			incarnation;
	int			client;
	int			line;
} Run;

typedef enum Count
{
	IDS, REPEATS, DISORDER, OUTSIDE, ERRORS, SEEDS, DROPS, COUNTS
} Count;

static const char *const count_names[COUNTS] = {
	"ids", "repeats", "disorder", "outside", "errors", "seeds", "drops"
};

static int64_t counts[COUNTS];
static int	told[COUNTS];

static Run *runs;
static size_t n_runs;
static size_t max_runs;
static int64_t last_of[MAX_GENERATORS];

static void read_last(void);
static bool read_history(const char *directory, int number);
static void read_line(const char *line, int number, int line_number);
static void check_order(const Run *run, int session);
static void add_run(const Run *run);
static void check_repeats(void);
static void check_bounds(void);
static int	compare_runs(const void *a, const void *b);
static void tell(Count count, int64_t ids, const Run *run,
				 const Run *other);

int
main(int argc, char **argv)
{
	if (argc != 2)
	{
		fprintf(stderr, "usage: check DIRECTORY <LAST\n");
		return 2;
	}

	shared_open(argv[1]);
	read_last();
	for (int number = 0; read_history(argv[1], number); number++)
		;
	qsort(runs, n_runs, sizeof(Run), compare_runs);
	check_repeats();
	check_bounds();
	for (int i = 0; i < COUNTS; i++)
		printf("%s %" PRId64 "\n", count_names[i], counts[i]);
	return 0;
}

static void
read_last(void)
{
	char		line[256];

	while (fgets(line, sizeof(line), stdin) != NULL)
	{
		char	   *bar = strchr(line, '|');
		int			generator;

		if (bar == NULL)
			continue;
		*bar = '\0';
		generator = generator_number(line);
		if (generator >= 0 && generator < MAX_GENERATORS)
			last_of[generator] = strtoll(bar + 1, NULL, 10);
	}
}

/*
 * Reads the history of a client; false if there is none.
 */
static bool
read_history(const char *directory, int number)
{
	char		text[1024];
	FILE	   *file;

	snprintf(text, sizeof(text), "%s/history.%d", directory, number);
	file = fopen(text, "r");
	if (file == NULL)
		return false;
	for (int line = 1; fgets(text, sizeof(text), file) != NULL; line++)
		read_line(text, number, line);
	fclose(file);
	return true;
}

static void
read_line(const char *line, int number, int line_number)
{
	Run			run = {.client = number,.line = line_number};
	int			session;
	char		kind[16];

	if (line[0] == '!')
	{
		counts[ERRORS]++;
		if (told[ERRORS]++ < TOLD_AT_MOST)
			printf("client %d: %s", number, line);
		return;
	}
	if (sscanf(line, "%d %d %d %15s %" SCNd64 " %" SCNd64, &session,
			   &run.generator, &run.incarnation, kind, &run.low,
			   &run.high) != 6)
	{
		fprintf(stderr, "history.%d, line %d: %s", number, line_number, line);
		exit(1);
	}
	if (run.low == 0)
	{
		counts[SEEDS] += strcmp(kind, "seeded") == 0;
		counts[DROPS] += strcmp(kind, "dropping") == 0;
		return;
	}
	if (strcmp(kind, "range") != 0 && strcmp(kind, "hi") != 0 &&
		!generator_of(run.generator)->recycle)
		check_order(&run, session);
	add_run(&run);
	counts[IDS] += run.high - run.low + 1;
}

/*
 * Without recycle, hilo_next only ever goes up in a session.
 */
static void
check_order(const Run *run, int session)
{
	static struct
	{
		int			client;
		int			session;
		Run			run;
	}			before[MAX_GENERATORS];

	if (before[run->generator].client == run->client &&
		before[run->generator].session == session &&
		before[run->generator].run.incarnation == run->incarnation &&
		before[run->generator].run.high >= run->low)
		tell(DISORDER, 1, run, &before[run->generator].run);
	before[run->generator].client = run->client;
	before[run->generator].session = session;
	before[run->generator].run = *run;
}

static void
add_run(const Run *run)
{
	if (n_runs == max_runs)
	{
		max_runs = 2 * max_runs + 65536;
		runs = realloc(runs, max_runs * sizeof(Run));
		if (runs == NULL)
			abort();
	}
	runs[n_runs++] = *run;
}

/*
 * Each id but the first of those that are the same was handed out again.
 */
static void
check_repeats(void)
{
	const Run  *top = runs;		/* the one that reaches highest so far */

	for (size_t i = 1; i < n_runs; i++)
	{
		const Run  *run = &runs[i];
		bool		same = top->generator == run->generator &&
			top->incarnation == run->incarnation;

		if (same && run->low <= top->high)
			tell(REPEATS,
				 (run->high < top->high ? run->high : top->high) - run->low + 1,
				 run, top);
		if (!same || run->high > top->high)
			top = run;
	}
}

/*
 * No id lies below "first"; none above "last" in the generator that there is
 * now.
 */
static void
check_bounds(void)
{
	for (size_t i = 0; i < n_runs; i++)
	{
		const Run  *run = &runs[i];

		if (run->low < generator_of(run->generator)->first ||
			(run->high > last_of[run->generator] &&
			 run->incarnation == shared->incarnation[run->generator]))
			tell(OUTSIDE, 1, run, NULL);
	}
}

static int
compare_runs(const void *a, const void *b)
{
	const Run  *x = a;
	const Run  *y = b;

	if (x->generator != y->generator)
		return x->generator < y->generator ? -1 : 1;
	if (x->incarnation != y->incarnation)
		return x->incarnation < y->incarnation ? -1 : 1;
	return (x->low > y->low) - (x->low < y->low);
}

/*
 * Counts what should not be, and tells of it unless there were many.
 */
static void
tell(Count count, int64_t ids, const Run *run, const Run *other)
{
	counts[count] += ids;
	if (told[count]++ >= TOLD_AT_MOST)
		return;

	printf("%s: generator %d: %" PRId64 " .. %" PRId64 " (history.%d, line %d)",
		   count_names[count], run->generator, run->low, run->high,
		   run->client, run->line);
	if (other != NULL)
		printf(" and %" PRId64 " .. %" PRId64 " (history.%d, line %d)",
			   other->low, other->high, other->client, other->line);
	printf("\n");
}
