#
# Runs the recorder's clients against a server that is made to fail, and says
# what they saw.
#
#	my $recorder = Recorder->new($node, clients => 8, seed => 1);
#	$recorder->start;
#	$recorder->fail('kill_server') for 1 .. 10;
#	$recorder->stop;
#	my $seen = $recorder->check;	# see check.c
#
# All that was random follows from the seed, but for the server's own timing.
#
package Recorder;

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use IPC::Run;
use POSIX ();
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

my $sources = dirname(abs_path(__FILE__));

# The ways to fail, and how many times as often as others they are chosen.
my %failures = (
	kill_server => 4,
	kill_process => 4,
	stop_immediate => 2,
	stop_fast => 1,
	terminate => 4,
	cancel => 4,
	rewrite => 1);

my @running;

sub new
{
	my ($class, $node, %options) = @_;
	my $self = bless { node => $node, %options }, $class;

	$self->{clients} ||= 8;
	$self->{seed} //= int(rand(2**31));
	$self->{directory} = PostgreSQL::Test::Utils::tempdir('recorder');
	$self->{failures} = {};
	srand($self->{seed});
	build();
	return $self;
}

# Makes and starts a server whose WAL reaches the disk when somebody waits for
# it, and hardly by itself.
sub start_server
{
	my ($node, @extra) = @_;

	$node->init;
	$node->append_conf('postgresql.conf', join("\n",
		'restart_after_crash = on',
		'log_statement = none',
		"log_line_prefix = '%m [%p] %e '",
		'autovacuum = off',
		'wal_buffers = 4MB',
		'wal_writer_delay = 10s',
		'wal_writer_flush_after = 1GB',
		'max_prepared_transactions = 300',
		'max_connections = 300',
		'checkpoint_timeout = 1h',
		@extra));
	$node->start;
}

# Installs the extension, and what the load needs.
sub set_up
{
	my $self = shift;

	$self->{node}->safe_psql('postgres', q{
		CREATE EXTENSION IF NOT EXISTS hilo;
		CREATE FUNCTION next_caught(name text) RETURNS bigint LANGUAGE plpgsql AS $$
		DECLARE
			id bigint;
		BEGIN
			BEGIN
				id := hilo_next(name);
				PERFORM 1 / 0;
			EXCEPTION WHEN division_by_zero THEN
			END;
			RETURN id;
		END $$});
	system_or_bail(program('client'), $self->_conninfo);
}

sub start
{
	my $self = shift;

	for my $number (0 .. $self->{clients} - 1)
	{
		my @command = (program('client'), $self->{directory}, $number,
			$self->{seed} * 1000 + $number, $self->_conninfo);
		my $pid = fork // die "fork: $!";

		exec @command or POSIX::_exit(1) if $pid == 0;
		push @running, $pid;
	}
}

# Ends the clients; the server must be up.
sub stop
{
	my @failed;

	kill 'TERM', @running;
	while (my $pid = pop @running)
	{
		waitpid($pid, 0);
		push @failed, $? if $? != 0;
	}
	die "clients failed: @failed" if @failed;
}

# Waits until the clients have written that many bytes more.
sub progress
{
	my ($self, $bytes) = @_;
	my $enough = $self->_written + $bytes;

	wait_until("progress of the clients", sub { $self->_written >= $enough });
}

# Lets the clients go on for a while, then has the server fail, in one of the
# ways above, and come back.
sub fail
{
	my ($self, $failure) = @_;

	if (!$failure)
	{
		my @choice = map { ($_) x $failures{$_} } sort keys %failures;
		$failure = $choice[ rand @choice ];
	}
	$self->progress(rand($self->{pace} || 50_000));
	$self->{failures}{$failure}++;
	$self->can("_$failure")->($self);
}

# Gives the counts of check.c, and the messages in {told}.
sub check
{
	my $self = shift;
	my $last = $self->{node}->safe_psql('postgres',
		'SELECT name, last FROM hilo_hi');
	my ($counts, $errors);
	my %seen = (told => '');

	IPC::Run::run([ program('check'), $self->{directory} ], \$last, \$counts,
		\$errors) or die "check: $errors";
	for (split /\n/, $counts)
	{
		if (/^(\w+) (\d+)$/) { $seen{$1} = $2 }
		else { $seen{told} .= "$_\n" }
	}
	return \%seen;
}

sub failures
{
	my $self = shift;

	return join ', ', map { "$_ $self->{failures}{$_}" }
	  sort keys %{ $self->{failures} };
}

# Builds the programs, once.
sub build
{
	my @client = qw(client generators history load random ranges recreate seed
	  session shared);
	my @check = qw(check generators random shared);
	my $include = `pg_config --includedir`;
	my $library = `pg_config --libdir`;

	chomp($include, $library);
	for ([ client => @client ], [ check => @check ])
	{
		my ($program, @files) = @$_;

		system_or_bail($ENV{CC} || 'cc', qw(-O2 -Wall -Wextra -Werror),
			'-Wno-unused-parameter', "-I$include", '-o', program($program),
			(map { "$sources/$_.c" } @files), "-L$library", '-lpq')
		  unless -x program($program);
	}
}

sub program
{
	my $name = shift;

	return "$PostgreSQL::Test::Utils::tmp_check/recorder_$name";
}

# Polls until the condition holds.
sub wait_until
{
	my ($what, $condition) = @_;
	my $attempts = 100 * $PostgreSQL::Test::Utils::timeout_default;

	until ($condition->())
	{
		die "timed out waiting for $what" if $attempts-- == 0;
		usleep(10_000);
	}
}

sub _conninfo
{
	my $self = shift;

	return $self->{node}->connstr('postgres')
	  . " application_name=recorder connect_timeout=10 options='-c statement_timeout=10s'";
}

sub _written
{
	my $self = shift;
	my $written = 0;

	$written += -s $_ for glob "$self->{directory}/history.*";
	return $written;
}

# The processes whose parent is the postmaster.
sub _children
{
	my $postmaster = shift;
	my @children;

	for my $file (glob '/proc/[0-9]*/stat')
	{
		open my $stat, '<', $file or next;
		push @children, $1
		  if (<$stat> // '') =~ /^(\d+) \(.*\) \S (\d+)/ && $2 == $postmaster;
	}
	return @children;
}

sub _postmaster
{
	my $self = shift;

	return (split /\n/,
		slurp_file($self->{node}->data_dir . '/postmaster.pid'))[0];
}

# The whole server at once, so that nobody writes anything any more.
sub _kill_server
{
	my $self = shift;
	my $postmaster = $self->_postmaster;
	my @all;

	kill 'STOP', $postmaster;
	@all = ($postmaster, _children($postmaster));
	kill 'KILL', @all;
	$self->{node}{_pid} = undef;
	wait_until('the killed server', sub { !kill 0, @all });
	$self->{node}->start;
}

# One process of it; the postmaster ends the others and starts anew.
sub _kill_process
{
	my $self = shift;
	my @children = _children($self->_postmaster);

	kill 'KILL', $children[ rand @children ];
	$self->_wait_for_server;
}

sub _stop_immediate { $_[0]{node}->stop('immediate'); $_[0]{node}->start }
sub _stop_fast { $_[0]{node}->stop('fast'); $_[0]{node}->start }

sub _terminate
{
	$_[0]->_try('SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE application_name = \'recorder\' AND random() < 0.5');
}

sub _cancel
{
	$_[0]->_try('SELECT pg_cancel_backend(pid) FROM pg_stat_activity
		WHERE application_name = \'recorder\'');
}

sub _rewrite
{
	$_[0]->_try('VACUUM FULL hilo_hi');
	$_[0]->_try('REINDEX TABLE CONCURRENTLY hilo_hi');
}

# It may fail: somebody has a lock, or the server is not quite back.
sub _try
{
	my ($self, $sql) = @_;
	local $ENV{PGOPTIONS} = '-c lock_timeout=200ms -c statement_timeout=5s';

	eval { $self->{node}->psql('postgres', $sql) };
}

sub _wait_for_server
{
	my $self = shift;

	# a psql that is refused may be gone before it is given its statement
	wait_until('the server to come back',
		sub { (eval { $self->{node}->psql('postgres', 'SELECT 1') } // 1) == 0 });
}

END { kill 'TERM', @running if @running }

1;
