/*-------------------------------------------------------------------------
 *
 * history.c
 *	  What a client saw, in a file of its own.
 *
 * A line for each run of ids: session, generator, incarnation, the kind of
 * call, the first and the last id.  The order of the lines is the order in
 * which the client saw them.  Every answer is written at once, so nothing is
 * lost but what the client never had.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  test/recorder/history.c
 *
 *-------------------------------------------------------------------------
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder.h"

static int	history = -1;
static int	session;

/* the lines of one answer */
static char *lines;
static size_t used;
static size_t size;

static void add_line(int generator, const char *kind, int64_t low,
					 int64_t high);
static void flush_lines(void);
static void saw(int generator, int64_t id);

/*
 * Starts the history of a client in a directory.
 */
void
history_open(const char *directory, int number)
{
	char		path[1024];

	client = number;
	snprintf(path, sizeof(path), "%s/history.%d", directory, number);
	history = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0644);
	if (history < 0)
	{
		perror(path);
		exit(1);
	}
}

void
history_new_session(void)
{
	session++;
}

/*
 * Writes down that the client has the ids low .. high.
 */
void
history_ids(int generator, const char *kind, int64_t low, int64_t high)
{
	add_line(generator, kind, low, high);
	flush_lines();
	saw(generator, high);
}

/*
 * Writes down the ids in the first column of a result; those of text ids are
 * between "/" and "-".
 */
void
history_result(int generator, const char *kind, const PGresult *result)
{
	int64_t		low = 0;
	int64_t		high = 0;
	int64_t		top = 0;

	for (int i = 0; i < PQntuples(result); i++)
	{
		const char *value = PQgetvalue(result, i, 0);
		const char *number = strrchr(value, '/');
		int64_t		id = strtoll(number ? number + 1 : value, NULL, 10);

		if (i > 0 && id == high + 1)
			high = id;
		else
		{
			if (i > 0)
				add_line(generator, kind, low, high);
			low = high = id;
		}
		if (id > top)
			top = id;
	}
	if (PQntuples(result) == 0)
		return;
	add_line(generator, kind, low, high);
	flush_lines();
	saw(generator, top);
}

/*
 * Writes down something that happened to a generator.
 */
void
history_mark(int generator, const char *kind)
{
	history_ids(generator, kind, 0, 0);
}

/*
 * Writes down an error that no call should have met.
 */
void
history_error(const char *sqlstate, const char *message, const char *sql)
{
	dprintf(history, "! %d %s %.*s: %s\n", session, sqlstate,
			(int) strcspn(message, "\n"), message, sql);
}

static void
add_line(int generator, const char *kind, int64_t low, int64_t high)
{
	if (size - used < 128)
	{
		size = 2 * size + 4096;
		lines = realloc(lines, size);
		if (lines == NULL)
			abort();
	}
	used += snprintf(lines + used, size - used,
					 "%d %d %d %s %" PRId64 " %" PRId64 "\n",
					 session, generator, shared->incarnation[generator], kind,
					 low, high);
}

static void
flush_lines(void)
{
	if (write(history, lines, used) != (ssize_t) used)
	{
		perror("history");
		exit(1);
	}
	used = 0;
}

/*
 * Raises the highest id that anybody saw.
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
