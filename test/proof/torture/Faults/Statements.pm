#
# Faults: statements and transactions that end otherwise than they meant to.
#
package Faults::Statements;

use strict;
use warnings;

sub faults
{
	return (
		cancel => {
			does => 'pg_cancel_backend of every client\'s session',
			weight => 4,
			run => \&cancel },
		cancel_refill => {
			does => 'a cancel of those that wait for the row of a generator',
			weight => 2,
			run => \&cancel_refill },
		timeouts => {
			does => 'statement_timeout, lock_timeout and idle_in_transaction_session_timeout of a few milliseconds',
			weight => 2,
			run => \&timeouts },
		deadlock => {
			does => 'a deadlock of two transactions that took ids and alter two generators',
			run => \&deadlock });
}

sub cancel
{
	my $torture = shift;

	$torture->try(q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity
		WHERE application_name = 'recorder'});
}

sub cancel_refill
{
	my $torture = shift;
	my $name = $torture->pick(qw(single small order middle people| far));
	my $holder = $torture->session;

	$torture->in_session($holder,
		"BEGIN; SELECT FROM hilo_internal.hilo_hi WHERE name = '$name' FOR UPDATE");
	$torture->{recorder}->progress(2000, 1);
	$torture->try(q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity
		WHERE application_name = 'recorder' AND wait_event_type = 'Lock'});
	$torture->in_session($holder, 'ROLLBACK');
	$torture->end_session($holder);
}

sub timeouts
{
	my $torture = shift;

	$torture->try(q{ALTER DATABASE postgres SET statement_timeout = '4ms'});
	$torture->try(q{ALTER SYSTEM SET idle_in_transaction_session_timeout = '2ms'});
	$torture->{node}->reload;
	# sessions of before have the timeout of before
	$torture->try(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE application_name = 'recorder' AND random() < 0.5});
	$torture->{recorder}->progress(2000, 2);
	$torture->try(q{ALTER DATABASE postgres RESET statement_timeout})
	  for 1 .. 2;
	$torture->try(q{ALTER SYSTEM RESET idle_in_transaction_session_timeout});
	$torture->{node}->reload;
	$torture->try(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE application_name = 'recorder'});
}

sub deadlock
{
	my $torture = shift;
	my @sessions = map { $torture->session } 1, 2;
	my @names = qw(single small);
	my $alter = sub { "SELECT hilo_alter('$_[0]', range_size => " . (1 + $torture->random(8))
	  . ')' };

	for my $i (0, 1)
	{
		$torture->in_session($sessions[$i],
			"BEGIN; SELECT hilo_next_tag('order'); " . $alter->($names[$i]));
	}
	$torture->send_to($sessions[$_], $alter->($names[ 1 - $_ ])) for 0, 1;
	$torture->in_session($sessions[$_], 'COMMIT') for 0, 1;
	$torture->end_session($_) for @sessions;
}

1;
