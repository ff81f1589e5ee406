#
# Faults: a primary that is killed, a standby that takes over, and the old primary that
# comes back by pg_rewind.
#
package Faults::Failover;

use strict;
use warnings;

use Faults::Clock;
use Faults::Processes;
use FaultyBuild ();
use HiloTest ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Recorder;

my @conf = ('wal_log_hints = on', 'hot_standby = on', 'wal_keep_size = 1GB', 'max_wal_size = 1GB');

# a source that is behind, and a prepared transaction whose end was lost
my $asynchronous = '25006,55000,42710';

my %faults_of_clock = Faults::Clock::faults();

# what a standby may not know of the old primary, and a skip is not for
my $with_skip = 'session,global,scattered,identity,document,decimal,trace,alter';

sub faults
{
	return (
		sync => {
			does => 'kill -9 of the primary, promotion of its synchronous standby, pg_rewind and back',
			expect => '25006,42710',
			whole => sub { failover($_[0], skip => 0, commits => 'on') } },
		sync_list => {
			does => 'the same, after a while without synchronous standbys in which the standby misses what sessions reserve: what they get from then on, once it is synchronous again, does not repeat',
			expect => '25006,42710',
			whole => sub { failover($_[0], skip => 0, commits => 'on', unlisted => 1, parts => $_[0]{parts} // $with_skip, forgiven => [qw(holes outside)]) } },
		sync_changes => {
			does => 'the same, while the list goes to and fro, the clock goes an hour forward or back, and a statement runs on',
			skip => $faults_of_clock{clock}{skip},
			expect => '25006,42710,57014,08001,08006',
			whole => sub {
				local %ENV = (%ENV, %{ $faults_of_clock{clock}{environment}->() });
				failover($_[0], skip => 0, commits => 'on', unlisted => 1, changes => 1, parts => $_[0]{parts} // $with_skip, forgiven => [qw(holes outside)]);
			} },
		async => {
			does => 'the same with an asynchronous standby, hilo.failover_skip as it comes: what repeats is counted',
			expect => $asynchronous,
			whole => sub { failover($_[0], forgiven => [qw(repeats disorder outside holes)]) } },
		async_no_skip => {
			does => 'the same with hilo.failover_skip = 0',
			expect => $asynchronous,
			whole => sub { failover($_[0], skip => 0, forgiven => [qw(repeats disorder outside holes)]) } },
		async_skip => {
			does => 'the same with a hilo.failover_skip that is larger than what was lost: nothing repeats, of generators that were there, not gapless and without a source',
			expect => $asynchronous,
			whole => sub { failover($_[0], skip => 100_000_000, parts => $with_skip, forgiven => [qw(holes outside)]) } });
}

sub failover
{
	my ($torture, %options) = @_;
	my @nodes = start_pair($torture, %options);
	my @hubs = $options{commits} && !$options{unlisted} ? $torture->start_hub : ();
	my $recorder = $torture->{recorder} = $torture->new_recorder($nodes[0],
		nodes => \@nodes, (@hubs ? (hubs => \@hubs) : ()), commits => $options{commits},
		parts => $options{parts} // $torture->{parts}
		  // join ',', $options{commits} ? @Recorder::PARTS : (@Recorder::KINDS, 'alter'));
	my $end = time + $torture->{seconds};

	$torture->{forgiven} = { map { $_ => 1 } @{ $options{forgiven} // [] } };
	FaultyBuild::use_in($nodes[0], $torture->{library}) if defined $torture->{library};
	$recorder->set_up;
	set_sync($_, $options{commits}) for @nodes;
	$nodes[0]->safe_psql('postgres', "SELECT hilo_create('running', range_size => 100, max_range_size => 1000)") if $options{changes};
	$recorder->start;
	do
	{
		$recorder->progress($torture->random(6000));
		my $statement = $options{changes} ? start_statement($nodes[0]) : undef;
		fail_over(\@nodes, $options{unlisted} ? unlist($torture, @nodes, $statement) :
			$options{commits} ? () : fall_behind($torture, $nodes[1]));
		end_statement($torture, $nodes[0], $statement) if $statement;
		$torture->{counts}{$torture->{set}}++;
		$torture->{injected}++;
	} while (time < $end);
	$recorder->progress(4000);
	$recorder->stop;
	set_sync($nodes[0], undef);
	push @{ $torture->{seen} }, $recorder->check($nodes[0]);
	$torture->{node} = $nodes[0];
	$torture->check_server($_) for $nodes[0], @hubs;
	$torture->check_hub;
}

# Kill the first of two, and have the other one take over and its place; given the
# processes that have stopped to bring it what the first one wrote.
sub fail_over
{
	my ($nodes, @receiver) = @_;

	Faults::Processes::kill_all($nodes->[0]);
	kill 'CONT', @receiver;
	$nodes->[1]->promote;
	@$nodes = reverse @$nodes;
	rejoin(@$nodes);
}

sub start_pair
{
	my ($torture, %options) = @_;
	my @nodes = map { $torture->new_node($_) } qw(one other);

	Recorder::start_server($nodes[0], @conf,
		defined $options{skip} ? "hilo.failover_skip = $options{skip}" : ());
	$nodes[0]->backup('backup');
	$nodes[1]->init_from_backup($nodes[0], 'backup', has_streaming => 1);
	$nodes[1]->start;
	return @nodes;
}

# Have an asynchronous standby miss what the clients see next.
sub fall_behind
{
	my ($torture, $standby) = @_;
	my @receiver = stop_receiver($torture, $standby);

	$torture->{recorder}->progress(1000);
	return @receiver;
}

sub stop_receiver
{
	my ($torture, $standby) = @_;
	my @receiver = split /\n/, $torture->try(
		q{SELECT pid FROM pg_stat_activity WHERE backend_type = 'walreceiver'}, $standby);

	kill 'STOP', @receiver;
	return @receiver;
}

# Has the clients go on for a while without a synchronous standby, and then with one that
# has missed that.  What came in between may come again.
sub unlist
{
	my ($torture, $primary, $standby, $statement) = @_;
	my $recorder = $torture->{recorder};
	# no timeout is sure to end a wait while the clock jumps
	my $waits = $statement
	  ? sub { $torture->try(q{SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%NOTICE%running%' AND pid <> pg_backend_pid()}, $primary) eq '1' }
	  : sub { $torture->try(q{SET synchronous_commit = on; SET statement_timeout = '200ms';
		SELECT count(*) FROM hilo_next_range('unlisted')}, $primary) eq '' };

	$recorder->hold;
	my $begin = Recorder::now();
	set_sync($primary, undef);
	my @receiver = stop_receiver($torture, $standby);
	HiloTest::wait_until('nobody to wait for', sub { !$waits->() });
	$recorder->release;
	$recorder->progress(1000);
	$recorder->hold;
	if ($statement)
	{
		Faults::Clock::set_clock($torture->pick('+3600', '-3600', '+0'));
		for (1 .. $torture->random(3))
		{
			set_sync($primary, $_) for 1, undef;
		}
	}
	set_sync($primary, 1);
	# a statement whose output nobody reads waits for that
	HiloTest::wait_until('somebody to wait for', sub { (!$statement || pump_out($statement)) && $waits->() });
	$statement->{before} = $statement->{ids} =~ tr/\n// if $statement && pump_out($statement);
	$recorder->forgive($begin, Recorder::now());
	$recorder->release;
	$recorder->progress(1000, 2);
	return @receiver;
}

# Start a statement that takes ids one after the other, and tells each of them at once.
sub start_statement
{
	my ($node) = @_;
	my %statement = (ids => '');

	$statement{run} = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', q{
		SET statement_timeout = 0; SET client_min_messages = notice;
		DO $$ BEGIN
			LOOP
				RAISE NOTICE '%', hilo_next('running');
				-- a sleep would end by the clock
				PERFORM count(*) FROM generate_series(1, 20000);
			END LOOP;
		END $$} ], '<', \undef, '>', \my $nothing, '2>', \$statement{ids});
	HiloTest::wait_until('an id', sub { pump_out(\%statement) && $statement{ids} =~ /\d\n/ });
	return \%statement;
}

# Read all that the statement has told so far: a pump reads some of it.
sub pump_out
{
	my ($statement) = @_;
	my $before;

	do
	{
		$before = length $statement->{ids};
		eval { $statement->{run}->pump_nb };
	} while (length $statement->{ids} > $before);
	return 1;
}

# The new primary must know of the ids that the statement told of after the change.
sub end_statement
{
	my ($torture, $primary, $statement) = @_;

	eval { $statement->{run}->finish };
	my @lines = split /\n/, $statement->{ids};
	my @told = map { /NOTICE:\s+(\d+)$/ } @lines[ $statement->{before} .. $#lines ];
	my $reserved = $primary->safe_psql('postgres', q{SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'running'});
	my $unknown = grep { $_ > $reserved } @told;
	$torture->broken("$unknown of " . @told . ' ids of a statement that ran on are above ' . $reserved) if $unknown;
}

# On a standby it takes effect with the promotion.
sub set_sync
{
	my ($node, $commits) = @_;

	$node->append_conf('postgresql.conf',
		sprintf "synchronous_standby_names = '%s'", $commits ? '*' : '');
	$node->reload;
}

# Make the old primary a standby of the new one.
sub rejoin
{
	my ($primary, $old) = @_;
	my $data = $old->data_dir;
	my $conf = slurp_file("$data/postgresql.conf");

	# pg_rewind looks for the timeline in the control file
	$primary->safe_psql('postgres', 'CHECKPOINT');
	system_or_bail('pg_rewind', '--no-sync', '--target-pgdata', $data,
		'--source-server', $primary->connstr('postgres'));
	unlink "$data/postgresql.conf";
	append_to_file("$data/postgresql.conf", $conf =~ s/^primary_conninfo.*\n//mgr);
	$old->enable_streaming($primary);
	$old->start;
	$primary->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_replication WHERE state = 'streaming'})
	  or die 'the old primary does not come back';
}

1;
