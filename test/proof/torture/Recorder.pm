#
# Clients of a server that write down what they see, and what becomes of that.
#
#	my $recorder = Recorder->new($node, clients => 8, seed => 1);
#	$recorder->set_up;
#	$recorder->start;
#	$recorder->progress(100_000);
#	$recorder->stop;
#	my $seen = $recorder->check;	# see check.c
#
# Options besides those: parts, expect and commits, as client.c has them; pool, the
# mode of the pool that the clients are behind, and conninfo, where that is; database,
# in place of postgres; elsewhere, the recorder of another database, where the clients are
# by turns; ignores, as client.c has it; nodes,
# the servers one of which is the one to write to, in place of the first; and hubs,
# those one of which is the hub.  Without any, the part hub is left out; with hub_closed,
# clients take nothing there themselves.
#
# All that is random follows from the seed, except the server's own timing.
#
package Recorder;

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use HiloTest ();
use HubTest ();
use IPC::Run;
use POSIX ();
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

my $sources = dirname(abs_path(__FILE__));

# of client.c, and the kinds of generators among them
our @KINDS = qw(session global scattered gapless series identity document adopted decimal trace hub);
our @PARTS = (@KINDS, qw(first seed drop alter sources));

use constant ENTRY_BYTES => 48;
use constant MAX_CLIENTS => 256;

my @running;

sub new
{
	my ($class, $node, %options) = @_;
	my $self = bless { node => $node, number => 0, %options }, $class;

	$self->{clients} ||= 8;
	$self->{database} //= 'postgres';
	$self->{seed} //= int(rand(2**31));
	$self->{directory} = PostgreSQL::Test::Utils::tempdir('recorder');
	$self->{pids} = [];
	# there before the clients, which may be held at once
	append_to_file("$self->{directory}/shared", '');
	build();
	return $self;
}

# Make and start a server with WAL that reaches the disk when a session waits for
# it, and hardly by itself.
sub start_server
{
	my ($node, @extra) = @_;

	$node->init(allows_streaming => 1);
	$node->append_conf('postgresql.conf', settings(@extra));
	$node->start;
}

sub settings
{
	my (@extra) = @_;

	return join("\n",
		'restart_after_crash = on',
		'log_statement = none',
		"log_line_prefix = '%m [%p] %e '",
		'client_min_messages = warning',
		'autovacuum = off',
		'wal_buffers = 4MB',
		'wal_writer_delay = 10s',
		'wal_writer_flush_after = 1GB',
		'max_prepared_transactions = 300',
		'max_connections = 300',
		'checkpoint_timeout = 1h',
		'deadlock_timeout = 100ms',
		'statement_timeout = 10s',
		'hilo.node_no = 12',
		@extra, '');
}

# Installs the extension, and what the load needs: on the server, or another one of the hub's.
sub set_up
{
	my ($self, $node) = @_;

	$node //= $self->{node};
	$node->safe_psql($self->{database}, q{
		CREATE EXTENSION IF NOT EXISTS hilo;
		DO 'BEGIN EXECUTE format(''ALTER DATABASE %I SET hilo.launch_id = 65'', current_database()); END';
		CREATE FUNCTION next_caught(name text) RETURNS bigint LANGUAGE plpgsql AS $$
		DECLARE
			id bigint;
		BEGIN
			BEGIN
				id := hilo_next_tag(name);
				PERFORM 1 / 0;
			EXCEPTION WHEN division_by_zero THEN
			END;
			RETURN id;
		END $$;
		CREATE TABLE papers (series text, number bigint, PRIMARY KEY (series, number));
		CREATE TRIGGER number BEFORE INSERT ON papers
			FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'series');
		-- what numbers.c does alongside
		CREATE UNLOGGED TABLE beside (client int PRIMARY KEY, n int DEFAULT 0);
		CREATE UNLOGGED TABLE parents (n int PRIMARY KEY);
		CREATE UNLOGGED TABLE fails_late (n int REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
		CREATE UNLOGGED TABLE done_late (sql text);
		CREATE FUNCTION do_late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE NEW.sql; RETURN NULL; END $$;
		CREATE CONSTRAINT TRIGGER late AFTER INSERT ON done_late DEFERRABLE INITIALLY DEFERRED
			FOR EACH ROW EXECUTE FUNCTION do_late()});
	if ($self->{hubs})
	{
		$self->_set_up_hub if !$self->{has_hub}++;
		$self->_name_hub($node);
	}
	my $errors;
	IPC::Run::run([ program('client'), $self->_options, $self->_conninfo($node) ], '2>', \$errors)
	  or die "client: $errors";
}

# Make the hub one, of generators with small ranges.
sub _set_up_hub
{
	my $self = shift;
	my @hubs = @{ $self->{hubs} };

	for (@hubs)
	{
		$_->append_conf('postgresql.conf', "hilo.node_tag = 'H'\nhilo.node_no = 13");
		$_->reload;
	}
	$hubs[0]->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS hilo');
	HubTest::admit_servers($hubs[0]);
	$hubs[0]->safe_psql('postgres', q{
		SET ROLE servers;
		SELECT hilo_create('far', range_size => 4, max_range_size => 64), hilo_create('tickets|')});
}

# Have a server know the hub.
sub _name_hub
{
	my ($self, $node) = @_;
	my @hubs = @{ $self->{hubs} };

	HubTest::name_hub($node, 'hub', $hubs[0],
		host => join(',', map { $_->host } @hubs), port => join(',', map { $_->port } @hubs),
		connect_timeout => 5, target_session_attrs => @hubs > 1 ? 'read-write' : 'any');
}

sub _options
{
	my $self = shift;

	return ((map { defined $self->{$_} ? ("--$_", $self->{$_})
			  : () } qw(parts expect commits pool ignores)),
		$self->{hubs} ? ('--hub', $self->{hub_closed} ? '' : conninfo_of(@{ $self->{hubs} })) : ());
}

# Start the clients, and more of them if it is called once more.
sub start
{
	my $self = shift;

	for (1 .. $self->{clients})
	{
		my $number = $self->{number}++;
		my @command = (program('client'), $self->_options, $self->{directory}, $number,
			$self->{seed} * 1000 + $number,
			$self->{conninfo} // $self->_conninfo(@{ $self->{nodes} // [ $self->{node} ] }),
			map { ($_->{directory}, $_->_conninfo($_->{node})) } $self->{elsewhere} // ());
		# the child must not go on like its parent, which has a handler that dies since 18
		local $SIG{TERM} = 'DEFAULT';
		# nor end before it can fork
		local $SIG{USR1} = 'IGNORE';
		my $pid = fork // die "fork: $!";

		if ($pid == 0)
		{
			# what the server is made to run with is not for its clients
			delete $ENV{LD_PRELOAD};
			exec @command or POSIX::_exit(1);
		}
		push @{ $self->{pids} }, $pid;
		push @running, $pid;
	}
}

# End the clients; the server must be up.
sub stop
{
	my $self = shift;
	my @failed;

	kill 'TERM', @{ $self->{pids} };
	while (my $pid = pop @{ $self->{pids} })
	{
		waitpid($pid, 0);
		# 15: it was not the client yet
		push @failed, $? if $? != 0 && $? != 15;
		@running = grep { $_ != $pid } @running;
	}
	die "clients failed: @failed" if @failed;
}

# Wait until the clients have written so many entries more, or a while is over:
# what was done to the server may keep most of them from that.
sub progress
{
	my ($self, $entries, $seconds) = @_;
	my $enough = $self->written + $entries * ENTRY_BYTES;
	my $end = time + ($seconds // 2 * $PostgreSQL::Test::Utils::timeout_default);

	until ($self->written >= $enough)
	{
		if (time >= $end)
		{
			return if defined $seconds;
			die 'timed out waiting for progress of the clients';
		}
		usleep(10_000);
	}
}

# Have the clients end their units and begin none until release.
sub hold
{
	my $self = shift;

	$self->_write_hold(1);
	HiloTest::wait_until('the clients to hold',
		sub { $self->_read_shared(8, 4 * MAX_CLIENTS) !~ /[^\0]/ });
}

sub release { $_[0]->_write_hold(0) }

# Return the counts of check.c, and the messages in {told}.
sub check
{
	my ($self, $node) = @_;
	# of what is taken from a hub, what counts is how far that one is
	my $last = join "\n", map { $_->safe_psql($self->{database}, q{
		SELECT format('%s %s', coalesce(g.last, h.reserved), h.name)
		FROM hilo_internal.hilo_hi h LEFT JOIN hilo_internal.hilo_gapless g USING (name)}) }
	  $node // $self->{node}, $self->{hubs} ? $self->{hubs}[0] : ();
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

sub written
{
	my $self = shift;
	my $written = 0;

	$written += -s $_ for glob "$self->{directory}/history.*";
	return $written;
}

# Build the programs, once.
sub build
{
	my @client = qw(client calls generators history hub joins load numbers random ranges
	  recreate seed session shared sources);
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

sub _conninfo
{
	my ($self, @nodes) = @_;

	return conninfo_of(@nodes) =~ s/dbname=postgres/dbname=$self->{database}/r;
}

# Return where the clients connect: to the one of the servers that can be written.
sub conninfo_of
{
	my @nodes = @_;

	return sprintf 'host=%s port=%s dbname=postgres target_session_attrs=%s'
	  . ' application_name=recorder connect_timeout=10',
	  join(',', map { $_->host } @nodes), join(',', map { $_->port } @nodes),
	  @nodes > 1 ? 'read-write' : 'any';
}

# The clients map this file: its first number is "hold", the second the barrier, then
# comes the one that is busy.
sub _read_shared
{
	my ($self, $offset, $length) = @_;
	my $content;

	open my $file, '<:raw', "$self->{directory}/shared" or die "shared: $!";
	seek $file, $offset, 0;
	read $file, $content, $length;
	return $content;
}

sub _write_hold
{
	my ($self, $value) = @_;

	open my $file, '+<:raw', "$self->{directory}/shared" or die "shared: $!";
	syswrite $file, pack('l', $value);
}

END { kill 'TERM', @running if @running }

1;
