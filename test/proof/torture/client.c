/*
 * client [OPTION...] [DIRECTORY NUMBER SEED] CONNINFO
 *
 * Makes calls until it is sent SIGTERM, and writes what it saw to the file
 * history.NUMBER in the directory.  Ends with its parent, wherever it is then.
 * Without a number, it makes the generators of the load and exits.
 *
 * --parts NAME,...      what it does (see parts below); all by default
 * --expect STATE,...    SQLSTATEs that its calls may meet, besides the usual
 * --commits VALUE       synchronous_commit of all its sessions
 * --pool MODE           behind a pool, in mode transaction or statement
 * --hub CONNINFO        where the hub is; without it, nothing is taken from one,
 *                       and if empty, nothing past the server
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "recorder.h"

Options		options = {.parts = ~0, .has_transactions = true};

static const struct
{
	const char *name;
	Part		part;
}			parts[] =
{
	{"session", SESSION},
	{"global", GLOBAL},
	{"scattered", SCATTERED},
	{"gapless", GAPLESS},
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
};

static volatile sig_atomic_t stopping;

static void read_options(int argc, char **argv);
static int	parts_of(char *names);
static void usage(void);
static void stop(int signal_number);
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
	if (argc != 4)
		usage();

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGTERM, stop);
	signal(SIGPIPE, SIG_IGN);
	shared_open(argv[0]);
	history_open(argv[0], atoi(argv[1]));
	random_start(strtoull(argv[2], NULL, 10));
	conninfo = argv[3];
	work();
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
			default:
				usage();
		}
	}
	if (options.hub == NULL)
		options.parts &= ~OF_HUB;
	if (!(options.parts & ~(FIRST_USE | SEED | DROP | ALTER)))
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
	fprintf(stderr, "usage: client [OPTION...] [DIRECTORY NUMBER SEED] CONNINFO\n");
	exit(2);
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

/*
 * Do one unit after another, in one session after another.
 */
static void
work(void)
{
	session_open();
	while (!stopping)
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
	numbers_finish();
	session_close();
}
