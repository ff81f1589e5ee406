/*
 * client [OPTION...] [DIRECTORY NUMBER SEED] CONNINFO [DIRECTORY CONNINFO]
 *
 * Makes calls until it is sent SIGTERM, and writes what it saw to the file
 * history.NUMBER in the directory.  Ends with its parent, wherever it is then.
 * Without a number, it makes the generators of the load and exits.  On SIGUSR1
 * it forks another client.  With two databases, it is now at one and now at the other.
 *
 * --parts NAME,...      what it does (see parts below); all but "beside" and "joins" by default
 * --expect STATE,...    SQLSTATEs that its calls may meet, besides the usual
 * --commits VALUE       synchronous_commit of all its sessions
 * --pool MODE           behind a pool, in mode transaction or statement
 * --ignores WHAT        fork or databases: it uses its ranges in a client that was
 *                       forked, or in the other database
 * --hub CONNINFO        where the hub is; without it, nothing is taken from one,
 *                       and if empty, nothing past the server
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder.h"

Options		options = {.parts = ~(BESIDE | JOINS),.has_transactions = true};

static const struct
{
	const char *name;
	Part		part;
}			parts[] = {
	{"session", SESSION},
	{"global", GLOBAL},
	{"scattered", SCATTERED},
	{"gapless", GAPLESS},
	{"series", SERIES},
	{"identity", IDENTITY},
	{"document", DOCUMENT},
	{"adopted", ADOPTED},
	{"decimal", DECIMAL},
	{"trace", TRACE},
	{"hub", OF_HUB},
	{"first", FIRST_USE},
	{"seed", SEED},
	{"drop", DROP},
	{"alter", ALTER},
	{"beside", BESIDE},
	{"sources", SOURCES},
	{"joins", JOINS},
};

static volatile sig_atomic_t stopping;
static volatile sig_atomic_t forking;

/* of each database that it is at */
static const char *directories[MAX_DATABASES];
static const char *conninfos[MAX_DATABASES];
static int	databases;

static pid_t forked;			/* the client that came of this one, 0: none */

static void read_options(int argc, char **argv);
static int	parts_of(char *names);
static void usage(void);
static void stop(int signal_number);
static void fork_soon(int signal_number);
static void enter(int number);
static void open_histories(int number);
static void fork_client(void);
static void end_forked(void);
static int	make_generators(void);
static void work(void);

int
main(int argc, char **argv)
{
	read_options(argc, argv);
	argc -= optind;
	argv += optind;
	if (argc == 1)
	{
		conninfo = argv[0];
		return make_generators();
	}
	if (argc != 4 && argc != 6)
		usage();

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGTERM, stop);
	signal(SIGUSR1, fork_soon);
	signal(SIGPIPE, SIG_IGN);
	databases = argc == 6 ? 2 : 1;
	for (database = 0; database < databases; database++)
	{
		directories[database] = argv[database == 0 ? 0 : 4];
		conninfos[database] = argv[database == 0 ? 3 : 5];
		shared_open(directories[database]);
	}
	open_histories(atoi(argv[1]));
	random_start(strtoull(argv[2], NULL, 10));
	work();
	end_forked();
	return 0;
}

static void
read_options(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"parts", required_argument, NULL, 'p'},
		{"expect", required_argument, NULL, 'e'},
		{"commits", required_argument, NULL, 'c'},
		{"pool", required_argument, NULL, 'm'},
		{"hub", required_argument, NULL, 'h'},
		{"ignores", required_argument, NULL, 'i'},
		{NULL, 0, NULL, 0}
	};
	int			option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
	{
		switch (option)
		{
			case 'p':
				options.parts = parts_of(optarg);
				break;
			case 'e':
				options.expected = optarg;
				break;
			case 'c':
				options.commits = optarg;
				break;
			case 'm':
				options.is_pooled = true;
				options.has_transactions = strcmp(optarg, "statement") != 0;
				break;
			case 'h':
				options.hub = optarg;
				break;
			case 'i':
				options.ignores = optarg;
				break;
			default:
				usage();
		}
	}
	if (options.hub == NULL)
		options.parts &= ~OF_HUB;
	if (!(options.parts & ~(FIRST_USE | SEED | DROP | ALTER | BESIDE | SOURCES)))
		usage();
}

static int
parts_of(char *names)
{
	int			found = 0;

	for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ","))
	{
		size_t		i = 0;

		while (i < sizeof(parts) / sizeof(parts[0]) &&
			   strcmp(parts[i].name, name) != 0)
			i++;
		if (i == sizeof(parts) / sizeof(parts[0]))
		{
			fprintf(stderr, "no part %s\n", name);
			exit(2);
		}
		found |= parts[i].part;
	}
	return found;
}

static void
usage(void)
{
	fprintf(stderr, "usage: client [OPTION...] [DIRECTORY NUMBER SEED] CONNINFO [DIRECTORY CONNINFO]\n");
	exit(2);
}

static void
stop(int signal_number)
{
	(void) signal_number;
	stopping = 1;
}

static void
fork_soon(int signal_number)
{
	(void) signal_number;
	forking = 1;
}

/*
 * Go on at a database.
 */
static void
enter(int number)
{
	shared_enter(number);
	conninfo = conninfos[number];
}

static void
open_histories(int number)
{
	for (int i = databases - 1; i >= 0; i--)
	{
		enter(i);
		history_open(directories[i], number);
	}
}

/*
 * Fork a client that goes on with its own connection, history and ranges, in
 * place of the one before.
 */
static void
fork_client(void)
{
	int			number = MAX_CLIENTS - 1 - shared->forked++;

	forking = 0;
	end_forked();
	if (number < MAX_CLIENTS / 2)
		return;
	forked = fork();
	if (forked != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	session_forget();
	hub_forget();
	ranges_forget();
	open_histories(number);
	random_start(random_below(INT64_MAX) + number);
	session_open();
}

static void
end_forked(void)
{
	if (forked <= 0)
		return;
	kill(forked, SIGTERM);
	waitpid(forked, NULL, 0);
	forked = 0;
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

/*
 * Do one unit after another, in one session after another.
 */
static void
work(void)
{
	session_open();
	while (!stopping)
	{
		if (forking)
			fork_client();
		unit_begin();
		load_unit();
		unit_end();

		if (session_lost() || one_in(databases == 2 ? 20 : 300))
		{
			if (!session_lost() && one_in(2))
				session_cut();
			else
				session_close();
			if (databases == 2)
				enter((int) random_below(2));
			session_open();
		}
	}
	numbers_finish();
	session_close();
}
