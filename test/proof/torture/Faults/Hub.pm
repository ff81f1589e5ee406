#
# Faults: the hub is killed, away or does not answer, while its server and the clients
# go on with what they have.
#
package Faults::Hub;

use strict;
use warnings;

use Faults::Failover;
use Faults::Processes;
use Time::HiRes qw(usleep);

# a hub that is not there, and one that goes in the middle of a call
use constant AWAY => '08001,08006';

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

sub terminate
{
	my ($torture, $hub) = @_;

	$torture->try(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() < 0.5}, $hub);
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
