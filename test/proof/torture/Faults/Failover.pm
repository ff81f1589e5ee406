#
# Faults: a primary that is killed, a standby that takes over, and the old primary that
# comes back by pg_rewind.
#
package Faults::Failover;

use strict;
use warnings;

use Faults::Processes;
use FaultyBuild ();
use HiloTest ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Recorder;

my @conf = ('wal_log_hints = on', 'hot_standby = on', 'wal_keep_size = 1GB', 'max_wal_size = 1GB');

# a source that is behind, and a prepared transaction whose end was lost
my $asynchronous = '25006,55000,42710';

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
			does => 'the same, after a while without synchronous standbys in which the standby misses what sessions reserve, until it is synchronous again and has caught up',
			expect => '25006,42710',
			whole => sub { failover($_[0], skip => 0, commits => 'on', unlisted => 1,
					parts => $_[0]{parts} // $with_skip, forgiven => [qw(holes outside)]) } },
		async => {
			does => 'the same with an asynchronous standby, hilo.failover_skip as it comes: what repeats is counted',
			expect => $asynchronous,
			whole => sub { failover($_[0], forgiven => [qw(repeats disorder outside holes)]) } },
		async_no_skip => {
			does => 'the same with hilo.failover_skip = 0',
			expect => $asynchronous,
			whole => sub { failover($_[0], skip => 0,
					forgiven => [qw(repeats disorder outside holes)]) } },
		async_skip => {
			does => 'the same with a hilo.failover_skip that is larger than what was lost: nothing repeats, of generators that were there, not gapless and without a source',
			expect => $asynchronous,
			whole => sub { failover($_[0], skip => 100_000_000, parts => $with_skip,
					forgiven => [qw(holes outside)]) } });
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
	$recorder->start;
	do
	{
		$recorder->progress($torture->random($torture->{between} // 6000));
		$options{meanwhile}->(@nodes) if $options{meanwhile};
		unlist($torture, @nodes) if $options{unlisted};
		fail_over(\@nodes, $options{commits} ? () : fall_behind($torture, $nodes[1]));
		$options{afterwards}->($nodes[0]) if $options{afterwards};
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
	# it may have been killed before
	$nodes->[1]->start if !defined $nodes->[1]{_pid};
	$nodes->[1]->promote;
	@$nodes = reverse @$nodes;
	rejoin(@$nodes);
}

sub start_pair
{
	my ($torture, %options) = @_;
	my @nodes = map { $torture->new_node($_) } qw(one other);

	Recorder::start_server($nodes[0], @conf,
		@{ $options{conf} // [] },
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

# Has the clients go on for a while without a synchronous standby, and then with one again
# that has caught up.
sub unlist
{
	my ($torture, $primary, $standby) = @_;
	my $recorder = $torture->{recorder};

	$recorder->hold;
	set_sync($primary, undef);
	my @receiver = stop_receiver($torture, $standby);
	$recorder->release;
	$recorder->progress(1000);
	$recorder->hold;
	set_sync($primary, 1);
	kill 'CONT', @receiver;
	$primary->poll_query_until('postgres',
		q{SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'})
	  or die 'the standby is not synchronous';
	# nor does any session wait before the checkpointer has read the list
	$primary->safe_psql('postgres', 'CHECKPOINT');
	$primary->wait_for_catchup($standby, 'flush');
	$recorder->release;
	$recorder->progress(1000, 2);
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
	$primary->poll_query_until('postgres',
		q{SELECT count(*) > 0 FROM pg_stat_replication WHERE state = 'streaming'})
	  or die 'the old primary does not come back';
}

1;
