/*-------------------------------------------------------------------------
 *
 * client.c
 *	  client DIRECTORY NUMBER SEED CONNINFO
 *
 * Makes calls until it is sent SIGTERM, or its parent is gone, and writes what
 * it saw to the file history.NUMBER in the directory.  Without a number, it
 * makes the generators of the load and exits.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  test/recorder/client.c
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "recorder.h"

static volatile sig_atomic_t stopping;

static void stop(int signal_number);
static int	make_generators(void);

int
main(int argc, char **argv)
{
	pid_t		parent = getppid();

	if (argc == 2)
	{
		conninfo = argv[1];
		return make_generators();
	}
	if (argc != 5)
	{
		fprintf(stderr, "usage: client [DIRECTORY NUMBER SEED] CONNINFO\n");
		return 2;
	}

	signal(SIGTERM, stop);
	signal(SIGPIPE, SIG_IGN);
	shared_open(argv[1]);
	history_open(argv[1], atoi(argv[2]));
	random_start(strtoull(argv[3], NULL, 10));
	conninfo = argv[4];

	session_open();
	while (!stopping && getppid() == parent)
	{
		unit_begin();
		load_unit();
		unit_end();

		if (session_lost() || one_in(300))
		{
			if (!session_lost() && one_in(2))
				session_cut();
			else
				session_close();
			session_open();
		}
	}
	session_close();
	return 0;
}

static void
stop(int signal_number)
{
	(void) signal_number;
	stopping = 1;
}

static int
make_generators(void)
{
	session_open();
	for (int i = 0; i < FIXED_GENERATORS; i++)
	{
		if (!create(i))
			return 1;
	}
	session_close();
	return 0;
}
