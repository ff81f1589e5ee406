#
# Faults: none, but ten million ids in one session: its memory must not grow.
#
package Faults::LongSession;

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use Recorder;

use constant IDS => $ENV{TORTURE_LONG_SESSION} || 10_000_000;
use constant GROWTH => 200_000;

# kinds of calls, each for so many ids
my @calls = (
	q{SELECT count(hilo_next_tag('single')) FROM generate_series(1, least(%d, 40000))},
	q{SELECT count(*) FROM hilo_next_tag('bulk', %d)},
	q{SELECT count(hilo_next_tag('spread')) FROM generate_series(1, %d)},
	q{SELECT count(hilo_next_id('adaptive')) FROM generate_series(1, %d)},
	q{SELECT count(identity_next('people')) FROM generate_series(1, %d)},
	q{SELECT count(document_id('users/')) FROM generate_series(1, %d)},
	q{SELECT count(decimal_id_next()) FROM generate_series(1, %d)},
	q{SELECT count(trace_id_next()) FROM generate_series(1, %d)},
	q{SELECT count(hilo_next_tag('orders')) FROM generate_series(1, least(%d, 20000))},
	q{SELECT count(hilo_next_tag('invoices')) FROM generate_series(1, least(%d, 5000))});

sub faults
{
	return (
		long_session => {
			does => 'ten million ids of all kinds in one session, whose memory stays as it is',
			whole => \&long_session });
}

sub long_session
{
	my $torture = shift;
	my $node = $torture->{node} = $torture->new_node('long');
	my $count = int(IDS / 8);

	Recorder::start_server($node, 'statement_timeout = 0');
	$torture->new_recorder($node)->set_up;
	my $session = $torture->session;
	$torture->in_session($session, 'SET statement_timeout = 0');
	my $ids = take($torture, $session, $_, 10000) + take($torture, $session, $_, 10000) for @calls;
	my $before = memory($torture, $session);
	my $taken = 0;

	for my $round (1 .. 4)
	{
		$taken += take($torture, $session, $_, int($count / 4)) for @calls;
	}
	my $after = memory($torture, $session);
	$torture->broken("the session grew from $before to $after bytes") if $after > $before + GROWTH;
	$torture->end_session($session);
	push @{ $torture->{seen} }, { ids => $taken, told => '' };
	$torture->{counts}{'rounds'} = 4;
	$torture->check_server($node);
	$node->stop;
}

sub take
{
	my ($torture, $session, $call, $count) = @_;
	my $taken = $torture->in_session($session, sprintf $call, $count);

	$torture->broken("no ids of $call") if $taken !~ /^\d+$/;
	return $taken || 0;
}

sub memory
{
	my ($torture, $session) = @_;
	my $sql = 'SELECT sum(used_bytes)::bigint FROM pg_backend_memory_contexts';

	$torture->in_session($session, $sql);
	return $torture->in_session($session, $sql);
}

1;
