#
# Runs the clients of Recorder.pm against a server that faults are done to, one set of
# faults after another, and reports what came of each.
#
#	my @rows = map { Torture::run_set($_, seconds => 30, seed => 7) } 'kill_server', 'mix';
#	print Torture::table(@rows);
#
# A fault is an entry of one of the modules in Faults/:
#	does	what it is, in a line
#	run		given a Torture, does it once
#	whole	given a Torture, does all of a set instead: servers, clients and faults
#	weight	how many times as often as others it is chosen [1]
#	conf	lines of the configuration that it needs
#	expect	SQLSTATEs that clients may meet by it
#	alarms	lines of the log that it explains
#	environment	gives that of the server
#	skip	gives why it cannot be, if so
#	alone	it is not part of a mix
#	hub_closed	clients take nothing at the hub, past its server
# A set is the names of faults, joined by +; or mix, all that can be done to one server.
# Options: seconds, clients, seed, between (how many entries of the clients lie between faults,
# at most), parts, commits and ignores (see Recorder.pm), library (a build to use in
# place of the one that is installed), until_found (end with the first of what should not
# be: a reference to the names of those columns).
# What is random in a set follows from the seed and its name.
#
package Torture;

use strict;
use warnings;

use HiloTest ();
use Faults::Clients;
use Faults::Clock;
use Faults::Copies;
use Faults::Failover;
use Faults::Gapless;
use Faults::Hub;
use Faults::Joins;
use Faults::LongSession;
use Faults::Maintenance;
use Faults::Moments;
use Faults::Patroni;
use Faults::Pool;
use Faults::Processes;
use Faults::Scarcity;
use Faults::Sources;
use Faults::Statements;
use FaultyBuild;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Recorder;

our %faults = (
	none => { does => 'nothing', weight => 0, run => sub { } },
	Faults::Processes::faults(),
	Faults::Statements::faults(),
	Faults::Maintenance::faults(),
	Faults::Moments::faults(),
	Faults::Failover::faults(),
	Faults::Gapless::faults(),
	Faults::Hub::faults(),
	Faults::Sources::faults(),
	Faults::Joins::faults(),
	Faults::Copies::faults(),
	Faults::Scarcity::faults(),
	Faults::Clock::faults(),
	Faults::Pool::faults(),
	Faults::Clients::faults(),
	Faults::Patroni::faults(),
	Faults::LongSession::faults());

our @never = qw(repeats disorder outside holes errors);
my @columns = (qw(ids faults), @never, qw(gap stall));
my $alarm = qr/PANIC|TRAP|internal error| XX\d{3} (?:ERROR|FATAL|PANIC)/;
our @default_sets = qw(mix kill_compared gapless gapless_late sources joins sync sources_sync sync_list hub_sync hub_set_back+hub_replaced+hub_taken hub_of_two async async_no_skip async_skip pitr dump databases publication
  shared_memory slots workers disk_wal disk_data clock pool_transaction pool_statement client_fork client_databases long_session);
my $sets = 0;

# A server that does not start, or a build that fails, ends its set, and not all of them.
{
	no warnings qw(redefine once);
	*PostgreSQL::Test::Cluster::BAIL_OUT = *PostgreSQL::Test::Utils::BAIL_OUT = sub { die "@_\n" };
}

# The names of a set's faults.
sub faults_of
{
	my ($set) = @_;
	my @names = map { $_ eq 'mix'
	  ? (grep { $faults{$_}{run} && $_ ne 'none' && !$faults{$_}{alone} } sort keys %faults) : $_ }
	  split /\+/, $set;

	for (@names)
	{
		die "no fault $_\n" if !$faults{$_};
		die "$_ cannot be mixed\n" if @names > 1 && !$faults{$_}{run};
	}
	return @names;
}

# Run a set of faults, and return what came of it.
sub run_set
{
	my ($set, %options) = @_;
	my @names = faults_of($set);
	my ($reason) = grep { defined } map { $faults{$_}{skip} ? $faults{$_}{skip}->()
	  : undef } @names;
	my $self = bless { set => $set, names => \@names, broken => [], injected => 0, moments => 0,
		nodes => [],
		seconds => 20, clients => 8, %options }, __PACKAGE__;

	return { set => $set, skipped => $reason } if defined $reason;
	$self->{seed} //= int(rand(2**31));
	$self->{state} = unpack('%32C*', $set) * 65537 + $self->{seed};
	$self->random(1) for 1 .. 3;
	my $ended = eval {
		if (my $whole = $faults{ $names[0] }{whole}) { $whole->($self) }
		else { $self->run_on_one_server }
		1;
	};
	$self->broken("died: $@") if !$ended;
	$self->_end;
	return $self->_row;
}

# Return a number from 0 up to below the bound: a generator of our own, as others
# call rand() in between.
sub random
{
	my ($self, $bound) = @_;

	$self->{state} = ($self->{state} * 1103515245 + 12345) & 0x7fffffff;
	return int(($self->{state} >> 8) / 2**23 * $bound);
}

sub pick
{
	my ($self, @choice) = @_;

	return $choice[ $self->random(scalar @choice) ];
}

# Notes something that should not be.
sub broken
{
	my ($self, $what) = @_;

	push @{ $self->{broken} }, $what;
}

# Return a server, not yet made, that is looked at in the end.
sub new_node
{
	my ($self, $name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name . '_' . ++$sets);

	push @{ $self->{nodes} }, $node;
	return $node;
}

sub conf
{
	my $self = shift;

	return map { @{ $faults{$_}{conf} // [] } } @{ $self->{names} };
}

# Make the clients, of the set's node.
sub new_recorder
{
	my ($self, $node, %options) = @_;
	my $expect = join ',', grep { defined } map { $faults{$_}{expect} } @{ $self->{names} };
	my $recorder = Recorder->new($node, clients => $self->{clients},
		seed => $self->{seed}, parts => $self->{parts}, commits => $self->{commits},
		ignores => $self->{ignores}, expect => $expect,
		hub_closed => scalar(grep { $faults{$_}{hub_closed} } @{ $self->{names} }), %options);

	push @{ $self->{recorders} }, $recorder;
	return $recorder;
}

# Run the faults, by chance, until the time is up; each after a while in which
# the clients come along.
sub do_faults
{
	my ($self) = @_;
	my @choice = map { ($_) x ($faults{$_}{weight}
		  // 1) } grep { $faults{$_}{run} } @{ $self->{names} };
	my $end = time + $self->{seconds};

	do
	{
		my $name = @choice ? $self->pick(@choice) : undef;

		$self->{recorder}->progress($self->random($self->{between} // 2000), @choice ? () : 1);
		if (defined $name)
		{
			$self->{counts}{$name}++;
			$self->{injected}++;
			$faults{$name}{run}->($self);
			$self->wait_for_server;
		}
		return if $self->{until_found} && $self->_has_found;
	} while (time < $end);
	$self->{recorder}->progress(4000);
}

# Check whether the clients have seen what ends the set.
sub _has_found
{
	my ($self) = @_;

	$self->{recorder}->hold;
	my $seen = $self->{recorder}->check;
	$self->{recorder}->release;
	return @{ $self->{broken} } || grep { $seen->{$_} } @{ $self->{until_found} };
}

# A statement of ours that may fail: a session has a lock, or the server is not
# quite back.  Gives its output.
sub try
{
	my ($self, $sql, $node) = @_;
	local $ENV{PGOPTIONS} = '-c lock_timeout=200ms -c statement_timeout=20s';
	my ($stdout, $stderr);

	eval { ($node // $self->{node})->psql('postgres', $sql, stdout => \$stdout,
			stderr => \$stderr) };
	return $stdout // '';
}

sub wait_for_server
{
	my ($self, $node) = @_;

	# a psql that is refused may be gone before it is given its statement
	HiloTest::wait_until('the server to come back',
		sub { $self->try('SELECT 1', $node) eq '1' });
}

# Return a psql that stays; it may fail at any time.
sub session
{
	my $self = shift;
	my $session = eval { $self->{node}->background_psql('postgres', on_error_stop => 0) };

	eval { $session->query("SET statement_timeout = '20s'; SET lock_timeout = '2s'; SET idle_in_transaction_session_timeout = 0") } if $session;
	return $session;
}

sub in_session
{
	my ($self, $session, $sql) = @_;
	my $output = eval { $session->query($sql) } // '';

	$session->{stderr} = '' if $session;
	return $output;
}

# Send a statement without a look at its end.
sub send_to
{
	my ($self, $session, $sql) = @_;

	eval { $session->query_until(qr/^sent$/m, "\\echo sent\n$sql;\n") };
}

sub end_session
{
	my ($self, $session) = @_;

	return if !$session;
	# the end of its input would not do: a server that was started since then
	# has inherited the other end of that pipe
	eval { $session->quit; 1 } or eval { $session->{run}->kill_kill };
}

# How many times each fault was done.
sub counts
{
	my $self = shift;

	return join ', ', map { "$_ $self->{counts}{$_}" } sort keys %{ $self->{counts} };
}

# Run a set that is no fault itself.
sub run_over_crashes
{
	my ($self, @more) = @_;

	push @{ $self->{names} },
	  qw(power_loss kill_server kill_backend immediate terminate cancel), @more;
	$self->run_on_one_server;
}

sub run_on_one_server
{
	my $self = shift;
	my $node = $self->{node} = $self->new_node('torture');
	my %environment = map { $faults{$_}{environment} ? %{ $faults{$_}{environment}->() }
	  : () } @{ $self->{names} };

	my @hubs = $self->start_hub;
	local %ENV = (%ENV, %environment);
	Recorder::start_server($node, $self->conf);
	FaultyBuild::use_in($_, $self->{library}) for defined $self->{library} ? ($node, @hubs) : ();
	$self->{recorder} = $self->new_recorder($node, @hubs ? (hubs => \@hubs) : ());
	$self->{recorder}->set_up;
	$self->{recorder}->start;
	$self->do_faults;
	$self->{recorder}->stop;
	$self->end_session(delete $self->{old_snapshot});
	push @{ $self->{seen} }, $self->{recorder}->check;
	$self->check_server($_) for $node, @hubs;
	$self->check_hub;
	$_->stop for $node, @hubs;
}

# Return a hub, if the clients are to take ids of one.
sub start_hub
{
	my $self = shift;

	return if defined $self->{parts} && !grep { $_ eq 'hub' } split /,/, $self->{parts};
	$self->{hub} = $self->new_node('hub');
	Recorder::start_server($self->{hub}, 'synchronous_commit = off');
	return $self->{hub};
}

# Sees to it that the server has nothing that its hub does not know of.
sub check_hub
{
	my ($self) = @_;
	my $sql = q{SELECT split_part(name, '|', 1), reserved FROM hilo_internal.hilo_hi WHERE name IN ('far', 'tickets|')};
	my ($here, $there) = map { +{ split /[|\n]/, $_->safe_psql('postgres', $sql) } } $self->{node},
		$self->{hub} // return;

	for (sort keys %$here)
	{
		$self->broken("$_ is at $here->{$_}, and on the hub at $there->{$_}")
		  if $here->{$_} > $there->{$_};
	}
}

# End the transactions that are prepared, and with them their locks.
sub end_prepared
{
	my ($node) = @_;

	$node->safe_psql(split /\|/, $_) for split /\n/,
	  $node->safe_psql('postgres',
			q{SELECT database, format('ROLLBACK PREPARED %L', gid) FROM pg_prepared_xacts});
}

# Sees to what is left behind on a server that is up.
sub check_server
{
	my ($self, $node) = @_;
	my $value = sub { $node->safe_psql('postgres', $_[0]) };
	local $ENV{PGOPTIONS} = '-c lock_timeout=60s -c statement_timeout=120s';

	end_prepared($node);
	$node->poll_query_until('postgres', q{
		SELECT NOT EXISTS (SELECT FROM pg_locks
			WHERE pid IS DISTINCT FROM pg_backend_pid() AND
				'hilo_internal.hilo_hi'::regclass IN (relation, classid))})
	  or $self->broken('a lock is left');
	$value->(q{
		SET enable_indexscan = off;
		SET enable_bitmapscan = off;
		SELECT name FROM hilo_internal.hilo_hi GROUP BY name HAVING count(*) > 1}) eq ''
	  or $self->broken('hilo_hi has two rows of one name');
	$node->psql('postgres', 'REINDEX TABLE hilo_internal.hilo_hi') == 0
	  or $self->broken('the index of hilo_hi cannot be made again');
}

# End what is left of a set, and read its logs.
sub _end
{
	my $self = shift;
	my @explained = grep { defined } map { $faults{$_}{alarms} } @{ $self->{names} };

	for my $recorder (@{ $self->{recorders} // [] })
	{
		kill 'KILL', @{ $recorder->{pids} };
		waitpid $_, 0 for splice @{ $recorder->{pids} };
	}
	for my $node (@{ $self->{nodes} })
	{
		eval { $node->stop('immediate', fail_ok => 1) };
		next if !-f $node->logfile;
		open my $log, '<', $node->logfile or next;
		while (my $line = <$log>)
		{
			$self->{states}{$1}++ if $line =~ /\] (\w{5}) (?:ERROR|FATAL|PANIC):/;
			$self->broken('log: ' . substr($line, 0, 400))
			  if $line =~ $alarm && !grep { $line =~ $_ } @explained;
		}
		close $log;
		$node->clean_node if !@{ $self->{broken} } && !$self->{keep};
	}
}

# What the set came to: the sums of what its clients saw.
sub _row
{
	my $self = shift;
	my %row = (set => $self->{set}, told => '', map { $_ => 0 } @columns);

	for my $seen (@{ $self->{seen} // [] })
	{
		$row{told} .= join '', grep { !/^(\w+):/ || !$self->{forgiven}{$1} } split /^/m,
			$seen->{told};
		for (@columns)
		{
			my $value = $seen->{$_} // 0;

			if ($_ eq 'gap' || $_ eq 'stall') { $row{$_} = $value if $value > $row{$_} }
			else { $row{$_} += $value }
		}
	}
	$row{faults} = $self->{injected};
	$row{counts} = $self->counts;
	$row{states} = join ', ', map { "$_ $self->{states}{$_}" } sort keys %{ $self->{states} };
	$row{errors} += @{ $self->{broken} };
	$row{told} .= join '', map { s/\n*\z/\n/r } splice @{ $self->{broken} }, 0, 20;
	$row{forgiven} = $self->{forgiven};
	$row{failed} = grep { $row{$_} > 0 && !$self->{forgiven}{$_} } @never;
	$row{failed} = 1 if $row{ids} == 0;
	return \%row;
}

# Return a table of the rows; the stall in seconds.
sub table
{
	my @rows = @_;
	my @lines = ([ 'faults', 'ids', 'times', 'repeats', 'out of order', 'out of bounds', 'holes',
			'errors', 'largest gap', 'longest stall' ]);

	for my $row (@rows)
	{
		push @lines, defined $row->{skipped} ? [ $row->{set}, "skipped: $row->{skipped}" ] :
		  [ $row->{set}, (map { _grouped($row->{$_}) } qw(ids faults)),
			(map { _grouped($row->{$_}) . ($row->{$_} && $row->{forgiven}{$_} ? ' (may be)' : '') }
				@never),
			_grouped($row->{gap}), sprintf('%.1f s', $row->{stall} / 1000) ];
	}
	splice @lines, 1, 0, [ map { '---' } @{ $lines[0] } ];
	return join '', map { '| ' . join(' | ', @$_) . " |\n" } @lines;
}

sub _grouped
{
	my ($number) = @_;

	1 while $number =~ s/^(\d+)(\d{3})/$1,$2/;
	return $number;
}

1;
