/*
 * check DIRECTORY <LAST
 *
 * Reads the histories in a directory, and from its input the "last" and the
 * name of each generator, a line each.  Counts on its output
 *
 * ids           that were seen
 * repeats       of them that were seen more than once
 * disorder      calls whose ids are not above those that came before: in
 *               their session or, if there is one order, to any client; and
 *               blocks of an ORM that are not above those, and raises, before
 * outside       ids below "first" or above "last"
 * holes         numbers without gaps that no client has; and generators,
 *               without source or hub, that miss more ids than sessions
 *               may have lost
 * errors        that no call should have met
 * seeds         forced
 * drops         tried
 * gap           the largest one, in ids
 * stall         the longest time that a client went without ids, in
 *               milliseconds
 *
 * and shows the first few of each that should be 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

#define TOLD_AT_MOST 10
#define READ_AT_ONCE 4096

/*
 * An entry of a history, and its client.
 */
typedef struct Run
{
	Entry		entry;
	int			client;
	int			line;
} Run;

typedef enum Count
{
	IDS, REPEATS, DISORDER, OUTSIDE, HOLES, ERRORS, SEEDS, DROPS, GAP, STALL,
	COUNTS
} Count;

static const char *const count_names[COUNTS] = {
	"ids", "repeats", "disorder", "outside", "holes", "errors", "seeds",
	"drops", "gap", "stall"
};

Options		options;

static int64_t counts[COUNTS];
static int	told[COUNTS];

static Run *runs;
static size_t n_runs;
static size_t max_runs;
static int64_t last_of[MAX_GENERATORS];

static void read_last(void);
static bool read_history(const char *directory, int number);
static void read_entry(const Run *run);
static void read_errors(const char *directory, int number);
static void check_order_in_session(const Run *run);
static bool is_id(const Run *run);
static void check_stall(const Run *run);
static void add_run(const Run *run);
static int	in_order(const Run *run);
static void check_order_of_all(void);
static void check_repeats(void);
static void check_bounds(void);
static void check_holes(void);
static int64_t largest_window(const Generator *of);
static int64_t gap_between(const Run *run, int64_t high);
static bool is_of_same(const Run *a, const Run *b);
static int	compare_owners(const Entry *x, const Entry *y);
static int	compare_lows(const void *a, const void *b);
static int	compare_begins(const void *a, const void *b);
static int	compare_ends(const void *a, const void *b);
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
	for (int number = 0; number < MAX_CLIENTS; number++)
	{
		if (read_history(argv[1], number))
			read_errors(argv[1], number);
	}
	check_order_of_all();
	qsort(runs, n_runs, sizeof(Run), compare_lows);
	check_repeats();
	check_bounds();
	check_holes();
	for (int i = 0; i < COUNTS; i++)
		printf("%s %" PRId64 "\n", count_names[i], counts[i]);
	return 0;
}

static void
read_last(void)
{
	char		line[1024];

	while (fgets(line, sizeof(line), stdin) != NULL)
	{
		char	   *name;
		int64_t		last = strtoll(line, &name, 10);
		int			generator;

		line[strcspn(line, "\n")] = '\0';
		generator = *name == ' ' ? generator_number(name + 1) : -1;
		if (generator >= 0 && generator < MAX_GENERATORS)
			last_of[generator] = last;
	}
}

/*
 * Read the history of a client; false if there is none.
 */
static bool
read_history(const char *directory, int number)
{
	char		path[1024];
	FILE	   *file;
	Entry		entries[READ_AT_ONCE];
	size_t		count;
	int			line = 0;

	snprintf(path, sizeof(path), "%s/history.%d", directory, number);
	file = fopen(path, "r");
	if (file == NULL)
		return false;
	while ((count = fread(entries, sizeof(Entry), READ_AT_ONCE, file)) > 0)
	{
		for (size_t i = 0; i < count; i++)
		{
			Run			run = {entries[i], number, line++};

			read_entry(&run);
		}
	}
	fclose(file);
	return true;
}

static void
read_entry(const Run *run)
{
	counts[SEEDS] += run->entry.event == SEEDED;
	counts[DROPS] += run->entry.event == DROPPING;
	if (run->entry.low == 0)
		return;

	check_stall(run);
	if (run->entry.event == CAME_NEXT)
		check_order_in_session(run);
	if (is_id(run))
		counts[IDS] += run->entry.high - run->entry.low + 1;
	add_run(run);
}

static void
read_errors(const char *directory, int number)
{
	char		line[2048];
	FILE	   *file;

	snprintf(line, sizeof(line), "%s/errors.%d", directory, number);
	file = fopen(line, "r");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
	{
		counts[ERRORS]++;
		if (told[ERRORS]++ < TOLD_AT_MOST)
			printf("errors: %s", line);
	}
	if (file != NULL)
		fclose(file);
}

/*
 * hilo_next only ever goes up in a session.
 */
static void
check_order_in_session(const Run *run)
{
	static Run	before[MAX_GENERATORS];
	const Entry *entry = &run->entry;
	Run		   *last = &before[entry->generator];

	if (last->entry.low > 0 && last->client == run->client &&
		last->entry.session == entry->session && is_of_same(last, run) &&
		last->entry.high >= entry->low)
		tell(DISORDER, 1, run, last);
	*last = *run;
}

/*
 * Check whether a client has the ids for sure.
 */
static bool
is_id(const Run *run)
{
	return run->entry.event <= CAME_BY_ORM;
}

static void
check_stall(const Run *run)
{
	static int	last_client = -1;
	static int64_t last_end;

	if (last_client == run->client &&
		(run->entry.end - last_end) / 1000000 > counts[STALL])
		counts[STALL] = (run->entry.end - last_end) / 1000000;
	last_client = run->client;
	last_end = run->entry.end;
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
 * Return how ids come that have one order for all, -1 if none do.  An ORM takes
 * the next block, past hilo's sessions, which hold theirs.
 */
static int
in_order(const Run *run)
{
	Part		kind = generator_of(run->entry.generator)->kind;

	if (kind == ADOPTED)
		return CAME_BY_ORM;
	return (kind & IN_ORDER) ? CAME_NEXT : -1;
}

/*
 * Where there is one order, a call that begins after another one has ended gets
 * a higher id.
 */
static void
check_order_of_all(void)
{
	Run		  **begun = malloc((n_runs + 1) * sizeof(Run *));
	Run		  **ended = malloc((n_runs + 1) * sizeof(Run *));
	Run		   *highest = NULL;
	size_t		count = 0;
	size_t		next = 0;

	if (begun == NULL || ended == NULL)
		abort();
	for (size_t i = 0; i < n_runs; i++)
	{
		if (runs[i].entry.event == in_order(&runs[i]) ||
			(in_order(&runs[i]) >= 0 && runs[i].entry.event == RAISED))
			begun[count++] = &runs[i];
	}
	memcpy(ended, begun, count * sizeof(Run *));
	qsort(begun, count, sizeof(Run *), compare_begins);
	qsort(ended, count, sizeof(Run *), compare_ends);
	for (size_t i = 0; i < count; i++)
	{
		/* those that ended before, and all of the generators before */
		while (next < count &&
			   (compare_owners(&ended[next]->entry, &begun[i]->entry) < 0 ||
				(is_of_same(ended[next], begun[i]) &&
				 ended[next]->entry.end < begun[i]->entry.begin)))
		{
			if (highest == NULL || !is_of_same(highest, ended[next]) ||
				ended[next]->entry.high > highest->entry.high)
				highest = ended[next];
			next++;
		}
		if (begun[i]->entry.event != RAISED &&
			highest != NULL && is_of_same(highest, begun[i]) &&
			begun[i]->entry.low <= highest->entry.high)
			tell(DISORDER, 1, begun[i], highest);
	}
	free(begun);
	free(ended);
}

/*
 * Each id but the first of those that are the same was handed out again.
 */
static void
check_repeats(void)
{
	const Run  *top = NULL;		/* the one that reaches highest so far */

	for (size_t i = 0; i < n_runs; i++)
	{
		const Run  *run = &runs[i];
		bool		same;

		if (!is_id(run))
			continue;
		same = top != NULL && is_of_same(top, run);
		if (same && run->entry.low <= top->entry.high)
			tell(REPEATS,
				 (run->entry.high < top->entry.high ? run->entry.high :
				  top->entry.high) - run->entry.low + 1, run, top);
		if (!same || run->entry.high > top->entry.high)
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
		const Entry *entry = &runs[i].entry;
		int64_t		last = last_of[entry->generator];
		bool		has_last = last > 0 && is_id(&runs[i]) &&
			entry->event != CAME_BY_ORM;

		if ((entry->event < RAISED &&
			 entry->low < generator_of(entry->generator)->first) ||
			(has_last && entry->high > last &&
			 entry->incarnation == shared->incarnation[entry->generator]))
			tell(OUTSIDE, 1, &runs[i], NULL);
	}
}

/*
 * Numbers without gaps have none.  Of other generators, sessions may lose what
 * they held, which is two ranges at most, and clients leave out ids.
 */
static void
check_holes(void)
{
	int64_t		missing = 0;
	int64_t		high = 0;

	for (size_t i = 0; i < n_runs; i++)
	{
		const Run  *run = &runs[i];
		const Generator *of = generator_of(run->entry.generator);
		bool		begins = i == 0 || !is_of_same(run, run - 1);
		int64_t		gap = gap_between(run, begins ? of->first - 1 : high);

		if (begins)
			missing = high = 0;
		if (run->entry.high > high)
			high = run->entry.high;
		missing += gap;
		if ((of->kind & NUMBERS) && gap > 0 &&
			missing > shared->left_out[run->entry.generator])
			tell(HOLES, gap, run, begins ? NULL : run - 1);
		if (of->kind & (DECIMAL | TRACE | ADOPTED | OF_HUB | JOINS))
			continue;
		if (gap > counts[GAP])
			counts[GAP] = gap;
		if ((i + 1 == n_runs || !is_of_same(run, run + 1)) &&
			missing > 2 * shared->losses * largest_window(of) +
			shared->left_out[run->entry.generator])
			tell(HOLES, missing, run, NULL);
	}
	counts[GAP] = counts[GAP] > 0 ? counts[GAP] : 0;
}

/*
 * Return how many ids can be reserved at once, as window_reserve has it.
 */
static int64_t
largest_window(const Generator *of)
{
	int64_t		share = of->max_value / 32768;

	if (share > 1048576)
		share = 1048576;
	return share > of->max_range_size ? share : of->max_range_size;
}

static int64_t
gap_between(const Run *run, int64_t high)
{
	return run->entry.low > high + 1 ? run->entry.low - high - 1 : 0;
}

static bool
is_of_same(const Run *a, const Run *b)
{
	return compare_owners(&a->entry, &b->entry) == 0;
}

static int
compare_owners(const Entry *x, const Entry *y)
{
	if (x->generator != y->generator)
		return x->generator < y->generator ? -1 : 1;
	return (x->incarnation > y->incarnation) - (x->incarnation < y->incarnation);
}

static int
compare_lows(const void *a, const void *b)
{
	const Entry *x = &((const Run *) a)->entry;
	const Entry *y = &((const Run *) b)->entry;
	int			owners = compare_owners(x, y);

	return owners ? owners : (x->low > y->low) - (x->low < y->low);
}

static int
compare_begins(const void *a, const void *b)
{
	const Entry *x = &(*(Run *const *) a)->entry;
	const Entry *y = &(*(Run *const *) b)->entry;
	int			owners = compare_owners(x, y);

	return owners ? owners : (x->begin > y->begin) - (x->begin < y->begin);
}

static int
compare_ends(const void *a, const void *b)
{
	const Entry *x = &(*(Run *const *) a)->entry;
	const Entry *y = &(*(Run *const *) b)->entry;
	int			owners = compare_owners(x, y);

	return owners ? owners : (x->end > y->end) - (x->end < y->end);
}

/*
 * Count what should not be, and show it unless there were many.
 */
static void
tell(Count count, int64_t ids, const Run *run, const Run *other)
{
	const char *name = generator_of(run->entry.generator)->name;

	counts[count] += ids;
	if (told[count]++ >= TOLD_AT_MOST)
		return;

	printf("%s: generator %d (%s), incarnation %d: %" PRId64 " .. %" PRId64
		   " (history.%d, entry %d, %.6f s to %.6f s)",
		   count_names[count], run->entry.generator,
		   name ? name : "first use", run->entry.incarnation, run->entry.low,
		   run->entry.high, run->client, run->line, run->entry.begin / 1e9,
		   run->entry.end / 1e9);
	if (other != NULL)
		printf(" and %" PRId64 " .. %" PRId64 " (history.%d, entry %d, to %.6f s)",
			   other->entry.low, other->entry.high, other->client,
			   other->line, other->entry.end / 1e9);
	printf("\n");
}
