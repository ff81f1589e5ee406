/*
 * What a client saw, in its own file.
 *
 * An entry for each run of ids.  Their order is the order in which the client
 * saw them.  Every answer is written at once, so nothing is lost but what the
 * client never had.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recorder.h"

static int	history[MAX_DATABASES];
static int	errors[MAX_DATABASES];
static int	session;
static int64_t call_began;

/* the entries of one answer */
static Entry *entries;
static size_t used;
static size_t size;

static int	open_file(const char *directory, const char *name, int number);
static void add(int generator, int incarnation, Event event, int64_t low,
				int64_t high, int64_t end);
static void flush_entries(void);
static void saw(int generator, int64_t id);

/*
 * Start the history of a client in a directory.
 */
void
history_open(const char *directory, int number)
{
	client = number;
	history[database] = open_file(directory, "history", number);
	errors[database] = open_file(directory, "errors", number);
}

void
history_new_session(void)
{
	session++;
}

/*
 * Notes that a call begins now, from which ids may come.
 */
void
history_begin(void)
{
	call_began = history_time();
}

/*
 * Notes that the ids to come are those of a call that began earlier.
 */
void
history_began(int64_t begin)
{
	call_began = begin;
}

int64_t
history_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/*
 * Write down that the client has the ids low .. high of the last call.
 */
void
history_ids(int generator, Event event, int64_t low, int64_t high)
{
	add(generator, shared->incarnation[generator], event, low, high,
		history_time());
	flush_entries();
	saw(generator, high);
}

/*
 * Write down ids that show by themselves which incarnation they are of.
 */
void
history_of(int generator, int incarnation, int64_t low, int64_t high)
{
	add(generator, incarnation, CAME_NEXT, low, high, history_time());
	flush_entries();
}

/*
 * Write down the ids in the first column of a result; those of text ids come
 * after "/", and before "-" if there is one.
 */
void
history_result(int generator, const PGresult *result)
{
	int64_t		end = history_time();
	int			incarnation = shared->incarnation[generator];
	int64_t		low = 0;
	int64_t		high = 0;
	int64_t		top = 0;

	for (int i = 0; i < PQntuples(result); i++)
	{
		const char *value = PQgetvalue(result, i, 0);
		const char *number = strrchr(value, '/');
		int64_t		id = generator_id(generator,
									  strtoll(number ? number + 1 : value, NULL, 10));

		if (i > 0 && id == high + 1)
			high = id;
		else
		{
			if (i > 0)
				add(generator, incarnation, CAME_NEXT, low, high, end);
			low = high = id;
		}
		if (id > top)
			top = id;
	}
	if (PQntuples(result) == 0)
		return;
	add(generator, incarnation, CAME_NEXT, low, high, end);
	flush_entries();
	saw(generator, top);
}

/*
 * Write down something that happened to a generator.
 */
void
history_mark(int generator, Event event)
{
	history_ids(generator, event, 0, 0);
}

/*
 * Write down an entry that was begun earlier.
 */
void
history_entry(const Entry *entry)
{
	add(entry->generator, 0, entry->event, entry->low, entry->high,
		history_time());
	entries[used - 1].begin = entry->begin;
	flush_entries();
}

/*
 * Write down an error that no call should have met.
 */
void
history_error(const char *sqlstate, const char *message, const char *sql)
{
	dprintf(errors[database], "client %d, session %d: %s %.*s: %s\n", client, session,
			sqlstate, (int) strcspn(message, "\n"), message, sql);
}

static int
open_file(const char *directory, const char *name, int number)
{
	char		path[1024];
	int			file;

	snprintf(path, sizeof(path), "%s/%s.%d", directory, name, number);
	file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0644);
	if (file < 0)
	{
		perror(path);
		exit(1);
	}
	return file;
}

static void
add(int generator, int incarnation, Event event, int64_t low, int64_t high,
	int64_t end)
{
	Entry		entry = {low, high, call_began, end, session, incarnation,
	(short) generator, (short) event};

	if (used == size)
	{
		size = 2 * size + 64;
		entries = realloc(entries, size * sizeof(Entry));
		if (entries == NULL)
			abort();
	}
	entries[used++] = entry;
}

static void
flush_entries(void)
{
	if (write(history[database], entries, used * sizeof(Entry)) !=
		(ssize_t) (used * sizeof(Entry)))
	{
		perror("history");
		exit(1);
	}
	used = 0;
}

/*
 * Raise the highest id that any client saw.
 */
static void
saw(int generator, int64_t id)
{
	int64_t		highest = shared->highest[generator];

	while (id > highest &&
		   !atomic_compare_exchange_weak(&shared->highest[generator],
										 &highest, id))
		;
}
