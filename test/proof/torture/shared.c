/*
 * What the clients know together: units of work, the barrier between them.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder.h"

#define POLL_MICROSECONDS 100

Shared	   *shared;
int			client;
int			database;

static Shared *maps[MAX_DATABASES];

/*
 * Maps the file of that name in a directory; all zero when it is new.
 */
void
shared_open(const char *directory)
{
	char		path[1024];
	int			fd;

	snprintf(path, sizeof(path), "%s/shared", directory);
	fd = open(path, O_RDWR | O_CREAT, 0644);
	if (fd >= 0 && ftruncate(fd, sizeof(Shared)) == 0)
		shared = mmap(NULL, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED,
					  fd, 0);
	if (shared == NULL || shared == MAP_FAILED)
	{
		perror(path);
		exit(1);
	}
	close(fd);
	maps[database] = shared;
}

/*
 * Go on with what is known of a database.
 */
void
shared_enter(int number)
{
	database = number;
	shared = maps[number];
}

/*
 * Start a unit, once no client holds the barrier, and the test wants units.
 */
void
unit_begin(void)
{
	for (;;)
	{
		shared->busy[client] = 1;
		if (shared->barrier == 0 && shared->hold == 0)
			return;
		shared->busy[client] = 0;
		usleep(POLL_MICROSECONDS);
	}
}

void
unit_end(void)
{
	shared->busy[client] = 0;
}

/*
 * Take the barrier from within a unit: the other clients have written down
 * what they saw, and call nothing until barrier_end.  False if another client
 * holds it.
 */
bool
barrier_begin(void)
{
	int			none = 0;

	if (!atomic_compare_exchange_strong(&shared->barrier, &none, client + 1))
		return false;

	for (int i = 0; i < MAX_CLIENTS; i++)
	{
		while (i != client && shared->busy[i])
			usleep(POLL_MICROSECONDS);
	}
	return true;
}

void
barrier_end(void)
{
	shared->barrier = 0;
}
