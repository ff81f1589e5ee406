#
# Faults: the hub is killed, away, slow, set back or another one, while its server and the
# clients go on with what they have.
#
package Faults::Hub;

use strict;
use warnings;

use Faults::Failover;
use Faults::Processes;
use HiloTest ();
use HubTest ();
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

# a hub that is not there, and one that goes in the middle of a call
use constant AWAY => '08001,08006';

# and one that knows less than its server
use constant BEHIND => AWAY . ',55000';

sub faults
{
	return (
		hub_kill => {
			does => 'kill -9 of the hub and all its processes at once',
			expect => AWAY,
			weight => 2,
			run => sub { with_hub($_[0], \&kill_hub) } },
		hub_down => {
			does => 'a hub that is stopped, and started after a while',
			expect => AWAY,
			run => sub { with_hub($_[0], \&down) } },
		hub_frozen => {
			does => 'SIGSTOP, for three seconds, of the hub and all its processes',
			expect => AWAY,
			run => sub { with_hub($_[0], \&freeze) } },
		hub_slow => {
			does => 'SIGSTOP of the hub for nine tenths of three seconds, a fifth of a second at a time',
			expect => AWAY,
			run => sub { with_hub($_[0], \&slow) } },
		hub_set_back => {
			does => 'a hub whose files are those of a while ago, until hilo_seed raises it',
			expect => BEHIND,
			alone => 1,
			hub_closed => 1,
			run => sub { with_hub($_[0], \&set_back) } },
		hub_replaced => {
			does => 'another database in the place of the hub, raised by hilo_seed, and the first one again',
			expect => BEHIND,
			alone => 1,
			hub_closed => 1,
			run => sub { with_hub($_[0], \&replace) } },
		hub_taken => {
			does => 'generators whose hub hilo_alter takes away and gives back, raised by hilo_seed',
			expect => BEHIND,
			alone => 1,
			hub_closed => 1,
			run => sub { with_hub($_[0], \&take_away) } },
		hub_of_two => {
			does => 'a hub of two servers whose files are those of a while ago, raised above both before they reach it',
			expect => AWAY,
			hub_closed => 1,
			whole => \&of_two },
		hub_terminate => {
			does => 'pg_terminate_backend of about half of the sessions at the hub',
			expect => AWAY,
			weight => 2,
			run => sub { with_hub($_[0], \&terminate) } },
		hub_sync => {
			does => 'kill -9 of the hub, promotion of its synchronous standby, which the server finds by itself, pg_rewind and back',
			expect => AWAY . ',25006',
			whole => \&failover });
}

# Without the part hub there is none to do something to.
sub with_hub
{
	my ($torture, $fault) = @_;
	my $hub = $torture->{hub} // return;

	$fault->($torture, $hub);
	$torture->wait_for_server($hub);
}

sub kill_hub
{
	my ($torture, $hub) = @_;

	Faults::Processes::kill_all($hub);
	$hub->start;
}

sub down
{
	my ($torture, $hub) = @_;

	$hub->stop($torture->pick('fast', 'immediate'));
	$torture->{recorder}->progress(2000 + $torture->random(4000), 3);
	$hub->start;
}

sub freeze
{
	my ($torture, $hub) = @_;
	my $postmaster = Faults::Processes::postmaster($hub);
	my @all = ($postmaster, Faults::Processes::children($postmaster));

	kill 'STOP', @all;
	usleep(3_000_000);
	kill 'CONT', @all;
}

sub slow
{
	my ($torture, $hub) = @_;
	my $postmaster = Faults::Processes::postmaster($hub);

	for (1 .. 14)
	{
		my @all = ($postmaster, Faults::Processes::children($postmaster));

		kill 'STOP', @all;
		usleep(200_000);
		kill 'CONT', @all;
		usleep(20_000);
	}
}

sub set_back
{
	my ($torture, $hub) = @_;

	keep_files($torture, $hub);
	put_files_back($torture, $hub);
	raise($torture);
}

sub keep_files
{
	my ($torture, $hub) = @_;
	my $files = $hub->data_dir;

	$hub->stop;
	system_or_bail('cp', '-a', $files, "${files}_before");
	$hub->start;
	$torture->{recorder}->progress(2000 + $torture->random(4000));
}

sub put_files_back
{
	my ($torture, $hub) = @_;
	my $files = $hub->data_dir;

	$hub->stop($torture->pick('fast', 'immediate'));
	system_or_bail('rm', '-rf', $files);
	rename "${files}_before", $files or die "$files: $!";
	$hub->start;
}

sub replace
{
	my ($torture, $hub) = @_;
	my $other = "other_$torture->{counts}{hub_replaced}";

	$hub->safe_psql('postgres', "CREATE DATABASE $other");
	$hub->safe_psql($other, 'CREATE EXTENSION hilo');
	HubTest::grant_hub($hub, 'servers', $other);
	for ($other, 'postgres')
	{
		insist($torture, "ALTER SERVER hub OPTIONS (SET dbname '$_')");
		raise($torture);
	}
}

sub take_away
{
	my ($torture) = @_;

	for my $hub ('', 'hub')
	{
		insist($torture, "SELECT hilo_alter('$_', hub => '$hub')") for 'far', 'tickets|';
		$torture->{recorder}->progress(2000 + $torture->random(4000)) if $hub eq '';
	}
	raise($torture);
}

# Have the clients meet a hub that is behind, and raise it, as its documentation says.
sub raise
{
	my ($torture) = @_;

	$torture->{recorder}->progress(2000 + $torture->random(4000), 3);
	insist($torture, "SELECT hilo_seed(name, reserved) FROM hilo_internal.hilo_hi WHERE name = '$_'") for 'far', 'tickets|';
	$torture->{recorder}->progress(2000);
}

# Run a statement of ours at the server, until nothing is in its way.
sub insist
{
	my ($torture, $sql) = @_;

	HiloTest::wait_until($sql, sub { $torture->try("$sql \\g /dev/null\n\\echo done") eq 'done' });
}

sub terminate
{
	my ($torture, $hub) = @_;

	$torture->try(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() < 0.5}, $hub);
}

# Neither server could notice by itself what the hub has forgotten of the other.
sub of_two
{
	my $torture = shift;
	my $hub = $torture->start_hub // die 'hub is not among the parts';
	my @nodes = map { $torture->new_node($_) } qw(one two);
	my $recorder = $torture->{recorder} = $torture->new_recorder($nodes[0], hubs => [$hub], parts => 'hub');
	my $end = time + $torture->{seconds};

	for my $node (@nodes)
	{
		Recorder::start_server($node);
		$recorder->set_up($node);
		local $recorder->{conninfo} = Recorder::conninfo_of($node);
		$recorder->start;
	}
	do
	{
		keep_files($torture, $hub);
		$recorder->hold;
		put_files_back($torture, $hub);
		$hub->safe_psql('postgres', "SELECT hilo_seed('$_->[0]', $_->[1])") for lasts(@nodes);
		$recorder->release;
		$recorder->progress(4000);
		$torture->{counts}{hub_of_two}++;
		$torture->{injected}++;
	} while (time < $end);
	$recorder->stop;
	push @{ $torture->{seen} }, $recorder->check;
	for my $node (@nodes, $hub)
	{
		local $torture->{node} = $node;
		$torture->check_server($node);
		$torture->check_hub;
	}
}

# Return what servers have of each generator of the hub, by name.
sub lasts
{
	return map { [ split /\|(?=\d)/ ] } map { split /\n/, $_->safe_psql('postgres', q{
		SELECT name, reserved FROM hilo_internal.hilo_hi WHERE name IN ('far', 'tickets|')}) } @_;
}

# The server stays as it is.
sub failover
{
	my $torture = shift;
	my @hubs = Faults::Failover::start_pair($torture, skip => 0);
	my $node = $torture->{node} = $torture->new_node('torture');
	my $end = time + $torture->{seconds};

	$torture->{hub} = $hubs[0];
	Recorder::start_server($node);
	my $recorder = $torture->{recorder} = $torture->new_recorder($node, hubs => \@hubs);
	$recorder->set_up;
	Faults::Failover::set_sync($_, 'on') for @hubs;
	$recorder->start;
	do
	{
		$recorder->progress($torture->random(6000));
		Faults::Failover::fail_over(\@hubs);
		$torture->{hub} = $hubs[0];
		$torture->{counts}{hub_sync}++;
		$torture->{injected}++;
	} while (time < $end);
	$recorder->progress(4000);
	$recorder->stop;
	Faults::Failover::set_sync($hubs[0], undef);
	push @{ $torture->{seen} }, $recorder->check;
	$torture->check_server($_) for $node, $hubs[0];
	$torture->check_hub;
	$node->stop;
}

1;
