#
# Faults: what becomes of clients that hold ranges.
#
package Faults::Clients;

use strict;
use warnings;

use Faults::Processes;
use FaultyBuild;
use Recorder;

sub faults
{
	return (
		client_fork => {
			does => 'a fork of every client, like that of a preloaded application: ranges stay with the parent',
			run => \&fork_clients },
		client_databases => {
			does => 'clients that are at one database and then at another, and hold ranges of both, over kill -9 of the server',
			# a prepared transaction of the other one
			expect => '0A000',
			whole => \&databases });
}

sub fork_clients
{
	my $torture = shift;

	kill 'USR1', @{ $torture->{recorder}{pids} };
	$torture->{recorder}->progress(500, 2);
}

# Each database has its records, which its ids are checked by.
sub databases
{
	my $torture = shift;
	my $node = $torture->{node} = $torture->new_node('two');
	my %parts = (parts => $torture->{parts} // 'session,global,seed,drop,alter');
	my $end = time + $torture->{seconds};

	Recorder::start_server($node);
	FaultyBuild::use_in($node, $torture->{library}) if defined $torture->{library};
	$node->safe_psql('postgres', 'CREATE DATABASE other');
	my $there = $torture->new_recorder($node, %parts, database => 'other');
	my $here = $torture->{recorder} = $torture->new_recorder($node, %parts, elsewhere => $there);
	$_->set_up for $there, $here;
	$here->start;
	do
	{
		$here->progress(2000 + $torture->random(4000));
		Faults::Processes::kill_server($torture);
		$torture->wait_for_server;
		$torture->{counts}{client_databases}++;
		$torture->{injected}++;
	} while (time < $end && !($torture->{until_found} && $torture->_has_found));
	$here->stop;
	push @{ $torture->{seen} }, $_->check for $here, $there;
	$torture->check_server($node);
}

1;
