
# After another synchronous_standby_names is loaded, no id is handed out that its standbys
# do not have: in a statement that began before, after a list that went to and fro, and
# whatever the clock does.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $folder = debian_folder('libfaketime');
my ($library) = defined $folder ? glob "$folder/usr/lib/*/faketime/libfaketime.so.1" : ();
my $clock = PostgreSQL::Test::Utils::tempdir() . '/clock';
append_to_file($clock, "+0\n");

my %calls = ('a range of a session' => "hilo_next('listed')",
	'the window of all' => "identity_next('listed')",
	'a decimal id' => 'decimal_id_next()',
	'a trace id' => 'trace_id_next()');
my $primary = do
{
	local %ENV = (%ENV, defined $library ? (LD_PRELOAD => $library, FAKETIME_TIMESTAMP_FILE => $clock,
			FAKETIME_NO_CACHE => 1, FAKETIME_DONT_FAKE_MONOTONIC => 1) : ());
	hilo_node('primary', allows_streaming => 1, conf => "hilo.launch_id = 7\nhilo.node_no = 7");
};
$primary->safe_psql('postgres', q{
	CREATE FUNCTION in_two_steps(call text) RETURNS bigint LANGUAGE plpgsql AS $$
	DECLARE
		id bigint;
	BEGIN
		FOR step IN 1 .. 2 LOOP
			EXECUTE 'SELECT max(' || call || ') FROM generate_series(1, 40)' INTO id;
			PERFORM pg_advisory_lock_shared(step), pg_advisory_unlock_shared(step);
		END LOOP;
		EXECUTE 'SELECT ' || call INTO id;
		RETURN id;
	END $$});
# a first use has a transaction of its own, which waits at its end
$primary->safe_psql('postgres', "SELECT $_") for sort values %calls;
my @standbys = map { standby_of($primary, $_) } qw(one two);
my $holder = hilo_session($primary);

sub walsender
{
	my ($name) = @_;

	return $primary->safe_psql('postgres', "SELECT pid FROM pg_stat_replication WHERE application_name = '$name'");
}

# Load a list, and wait until those that are to read it have done so.
sub load_list
{
	my ($list, @readers) = @_;

	$primary->append_conf('postgresql.conf', "synchronous_standby_names = '$list'");
	$primary->reload;
	$primary->poll_query_until('postgres', "SELECT current_setting('synchronous_standby_names') = '$list' AND
		NOT EXISTS (SELECT FROM pg_stat_replication
			WHERE application_name = ANY ('{@{[join ',', @readers]}}') AND (sync_priority > 0) <> (application_name = '$list'))")
	  or die "the list is not $list";
}

sub awaits_standbys
{
	my $session = hilo_session($primary, '-c statement_timeout=100ms');
	my $state = state_of($session, q{SELECT hilo_next_range('probe')});

	end_session($session);
	return $state eq '57014';
}

# Start each call in a session of its own, and return the sessions once all are at that lock.
sub start_calls
{
	my ($step) = @_;

	run_in($holder, 'SELECT pg_advisory_lock(1), pg_advisory_lock(2)');
	run_in($holder, 'SELECT pg_advisory_unlock(1)') if $step == 2;
	return map {
		my $session = hilo_session($primary);
		my $pid = start_waiting($primary, $session, 'advisory', "SELECT in_two_steps(\$\$$calls{$_}\$\$)");

		{ session => $session, pid => $pid, call => $_ }
	} sort keys %calls;
}

# What the call does once it goes on: what it waits for, or that it has answered.
sub goes_on_to
{
	my ($started) = @_;
	my $event;

	wait_until('the call', sub {
		$event = $primary->safe_psql('postgres', "SELECT wait_event FROM pg_stat_activity WHERE pid = $started->{pid}");
		return $event =~ /^(SyncRep|ClientRead)$/ });
	return $event;
}

# a statement that runs on
kill 'STOP', my $one = walsender('one');
my @started = start_calls(2);
load_list('one', 'two');
wait_until('somebody to wait for', \&awaits_standbys);
run_in($holder, 'SELECT pg_advisory_unlock_all()');
is(goes_on_to($_), 'SyncRep', "in a statement that runs on: $_->{call}") for @started;
kill 'CONT', $one;
like(end_in($_->{session}), qr/^\d+\n00000$/, 'an id when the standby has it') for @started;
end_session($_->{session}) for @started;

# to and fro, while a statement opens windows
load_list('one', 'one', 'two');
@started = start_calls(1);
load_list('two', 'one', 'two');
kill 'STOP', $one;
run_in($holder, 'SELECT pg_advisory_unlock(1)');
wait_until_waits($primary, $_->{pid}, 'advisory') && $primary->poll_query_until('postgres',
	"SELECT objid = 2 FROM pg_locks WHERE pid = $_->{pid} AND locktype = 'advisory'") for @started;
load_list('one', 'two');
my $new = hilo_session($primary, '-c statement_timeout=1s');
is(state_of($new, "SELECT $calls{$_}"), '57014', "to and fro: $_, of another session") for sort keys %calls;
run_in($holder, 'SELECT pg_advisory_unlock_all()');
is(goes_on_to($_), 'SyncRep', "and of the same one: $_->{call}") for @started;
kill 'CONT', $one;
like(end_in($_->{session}), qr/^\d+\n00000$/, 'an id when the standby has it') for @started;
end_session($_->{session}) for @started;
is(state_of($new, "SELECT $calls{$_}"), '00000', 'and for the other one') for sort keys %calls;

# a call that waits for a lock meanwhile
run_in($holder, "SELECT hilo_create('another')");
foreach ([ 'listed', "hilo_next('listed')" ], [ 'hilo.decimal_id/7', 'decimal_id_next()' ], [ 'hilo.trace_id/7', 'trace_id_next()' ])
{
	my ($generator, $call) = @$_;
	my $waiter = hilo_session($primary);

	load_list('one', 'one', 'two');
	run_in($waiter, "SELECT $call");
	run_in($holder, "SELECT hilo_seed('another', 1, true)");
	run_in($holder, "BEGIN; SELECT hilo_drop('$generator')");
	my $pid = start_waiting($primary, $waiter, 'Lock', "SELECT $call");
	kill 'STOP', my $two = walsender('two');
	load_list('two', 'one');
	wait_until('somebody to wait for', \&awaits_standbys);
	run_in($holder, 'ROLLBACK');
	is(goes_on_to({ pid => $pid }), 'SyncRep', "after a wait for a lock: $call");
	kill 'CONT', $two;
	like(end_in($waiter), qr/^\d+\n00000$/, 'an id when the standby has it');
	end_session($waiter);
}
load_list('one', 'one', 'two');

# the clock goes back
SKIP:
{
	skip 'libfaketime is not to be had', 1 if !defined $library;

	load_list('one', 'one', 'two');
	kill 'STOP', my $two = walsender('two');
	is(state_of($new, "SELECT $calls{$_}"), '00000', "before the clock goes back: $_") for sort keys %calls;
	append_to_file("$clock.next", "-3600\n");
	rename "$clock.next", $clock;
	load_list('two', 'one');
	is(state_of($new, "SELECT $calls{$_}"), '57014', "afterwards: $_") for sort keys %calls;
	kill 'CONT', $two;
	is(state_of($new, "SELECT $calls{$_}"), '00000', 'an id when the standby has it') for 'a range of a session', 'the window of all';
}

end_session($_) for $new, $holder;
$_->stop for @standbys, $primary;
done_testing();
