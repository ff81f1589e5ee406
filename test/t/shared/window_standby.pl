# The window that sessions share is used only when the synchronous standbys have
# it, whatever the session asks for that reserved it; and it stays behind when a
# standby is promoted.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use List::Util qw(max);
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = hilo_node('primary', allows_streaming => 1);
$primary->safe_psql('postgres',
	"SELECT hilo_create(name, 'global', max_value => 1000000, max_range_size => 32) FROM unnest('{shared,ahead,seeded,left}'::text[]) name");
my $standby = sync_standby($primary);

my $lax = hilo_session($primary, '-c synchronous_commit=off');
my $strict = hilo_session($primary);
is(run_in($lax, "SELECT hilo_next_tag('shared')"), 1, 'with the standby, an id');
run_in($lax, "SELECT hilo_next_tag('ahead')");
run_in($strict, "SELECT hilo_next_tag('left')");
$standby->stop;

sub cancel
{
	my ($session, $pid) = @_;

	$primary->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	return end_in($session);
}

is(run_in($strict, "SELECT hilo_next_tag('shared')"), 2,
	'the window that is open needs no standby');
run_in($strict, 'SET hilo.prefetch = off');
run_in($lax, 'SET hilo.prefetch = off');
is(scalar(split /\n/, run_in($lax, "SELECT hilo_next_tag('shared', 14)")), 14,
	'nor does the end of it');

# The next one does, for the session that asks for less, too; another one waits
# behind it, and takes its turn when it is cancelled.
my $pid = start_waiting($primary, $lax, 'SyncRep', "SELECT hilo_next_tag('shared')");
my $other = hilo_session($primary, '-c synchronous_commit=off -c hilo.prefetch=off');
my $other_pid = pid_of($other);
start_in($other, "SELECT hilo_next_tag('shared')");
ok(wait_until_waits($primary, $other_pid, 'Lock'), 'another one waits behind it');
is(cancel($lax, $pid), '57014', 'cancelled: no id');
ok(wait_until_waits($primary, $other_pid, 'SyncRep'), 'then it is its turn');
is(cancel($other, $other_pid), '57014', 'cancelled, too');
is(run_in($lax,
		"SELECT synchronous_commit FROM current_setting('synchronous_commit') AS synchronous_commit"),
	'off', 'and the setting is as it was');
run_in($lax, 'BEGIN; SAVEPOINT here');
$pid = start_waiting($primary, $lax, 'SyncRep', "SELECT hilo_next_tag('shared')");
is(cancel($lax, $pid), '57014', 'in a transaction');
run_in($lax, 'ROLLBACK TO here');
is(run_in($lax, 'SHOW synchronous_commit'), 'off', 'there, too');
run_in($lax, 'COMMIT');
# a block, and one that is terminated
$pid = start_waiting($primary, $strict, 'SyncRep', "SELECT identity_next('block', 5)");
is(cancel($strict, $pid), '57014', 'a block is not given, either');
$pid = start_waiting($primary, $other, 'SyncRep', "SELECT hilo_next_tag('shared')");
$primary->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
ok(wait_for_end($primary, $pid), 'the wait can be terminated');
end_session($other);

# Reserving ahead does not wait, but what is reserved so does.
run_in($lax, 'SET hilo.prefetch = on');
is(scalar(split /\n/, run_in($lax, "SELECT hilo_next_tag('ahead', 15)")), 15,
	'reserving ahead does not wait');
is(last_of($primary, 'ahead'), 32, 'but reserves');
$pid = start_waiting($primary, $lax, 'SyncRep', "SELECT hilo_next_tag('ahead')");
is(cancel($lax, $pid), '57014', 'no id of a window that is not on the standby');
is(state_of($strict, "SET statement_timeout = '100ms'; SELECT identity_seed('left', 500)"),
	'57014', 'a seed waits, too');
run_in($strict, 'RESET statement_timeout');

# When the standby is back, it has what was reserved meanwhile, and no session was given.
$standby->start;
is(run_in($strict, "SELECT hilo_next_tag('shared')"), 17,
	'what could not be confirmed is used once it is');
is(run_in($lax, "SELECT hilo_next_tag('ahead')"), 17, 'as is what was reserved ahead');

# Promotion: the standby has the row, not the window.
my $seen = max map { run_in($_, "SELECT hilo_next_tag('shared')") } $strict, $lax;
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', q{
		SELECT identity_current('block') = g.last
		FROM hilo_generators() g WHERE name = 'block|'}),
	't', 'identities can be looked at on a standby');
is($standby->psql('postgres', "SELECT identity_next('block')"), 3, 'but not used');
$primary->stop('immediate');
end_session($_) for $strict, $lax;
$standby->append_conf('postgresql.conf', q{
hilo.failover_skip = 0
synchronous_standby_names = ''
});
$standby->promote;
$standby->reload;
my $session = hilo_session($standby);
cmp_ok(run_in($session, "SELECT hilo_next_tag('shared')"), '>', $seen,
	'the promoted standby goes on above');
my ($low, $next) = map { run_in($session, "SELECT hilo_next_tag('shared')") } 1, 2;
is($next, $low + 1, 'with its own window');
end_session($session);

$standby->stop;
done_testing();
