
# Ids wait for the synchronous standbys, and a wait that is cut short gives none.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use List::Util qw(max uniq);
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = hilo_node('primary', allows_streaming => 1);
$primary->safe_psql('postgres',
	"SELECT hilo_create(name) FROM unnest('{waits,ahead,left,seeded,patient,listed,not_yet_used}'::text[]) name;
	SELECT hilo_provide_marten('public');
	SELECT mt_get_next_hi('orders');
	CREATE TABLE far (id bigint DEFAULT hilo_next('far')); INSERT INTO far DEFAULT VALUES; INSERT INTO far VALUES (1000000);
	CREATE TABLE farther (id bigint DEFAULT hilo_next('farther')); INSERT INTO farther DEFAULT VALUES; INSERT INTO farther VALUES (1000000);
	CREATE SEQUENCE lender; SELECT hilo_adopt_sequence_tag('borrowed', 'lender', 'hibernate-none')"
);
my $standby = sync_standby($primary);
my $ahead = hilo_session($primary);
is(run_in($ahead, "SELECT hilo_next_tag('ahead')"), 1, 'with the standby, an id');
my $leaver = hilo_session($primary);
run_in($leaver, "SELECT hilo_next_tag('left')");
$standby->stop;

# Whatever the session asks for.
my $dropper = hilo_session($primary, '-c synchronous_commit=local -c lock_timeout=100ms');
foreach my $mode (qw(off local remote_write on remote_apply))
{
	my $session = hilo_session($primary, "-c synchronous_commit=$mode");
	my $pid = start_waiting($primary, $session, 'SyncRep', "SELECT hilo_next_tag('waits')");

	$primary->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	is(end_in($session), '57014', "cancelled at $mode: an error and no id");
	$pid = start_waiting($primary, $session, 'SyncRep',
		"SELECT low FROM hilo_next_range('borrowed')");
	is(state_of($dropper, "SELECT hilo_drop('borrowed')"), '55P03',
		'and its generator cannot be dropped meanwhile');
	$primary->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	is(end_in($session), '57014', 'nor a range that comes from no window');
	start_waiting($primary, $session, 'SyncRep', "SELECT hilo_next_hi('waits', 10)");
	$primary->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
	ok(wait_for_end($primary, $pid), 'and it can be terminated');
	end_session($session);
	unlike($session->{stdout}, qr/^\d+$/m, 'without an id, too');
}
end_session($dropper);

my $session = hilo_session($primary, '-c statement_timeout=100ms');
is(state_of($session, "SELECT hilo_next_tag('waits')"),
	'57014', 'statement_timeout ends the wait');
is(state_of($session, "SELECT * FROM hilo_next_range('waits')"),
	'57014', 'and that for a range');
is(state_of($session, "SELECT hilo_seed('seeded', 500)"),
	'57014', 'and that of a seed');
is(state_of($session, 'SELECT * FROM hilo_resync_all()'),
	'57014', 'and that for any of many columns');
end_session($session);

# the worker that takes Marten's hi has the database's setting
$primary->safe_psql('postgres',
	'SET synchronous_commit = local; ALTER DATABASE postgres SET synchronous_commit = local');
$session = hilo_session($primary, '-c synchronous_commit=on');
my $pid = start_waiting($primary, $session, 'SyncRep', "SELECT mt_get_next_hi('orders')");
$primary->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
is(end_in($session), '57014', "nor is there a hi of Marten's");
end_session($session);
$primary->safe_psql('postgres',
	'SET synchronous_commit = local; ALTER DATABASE postgres RESET synchronous_commit');

is( scalar(split /\n/, run_in($ahead, "SELECT hilo_next_tag('ahead', 31)")),
	31, 'reserving ahead does not wait');
is(run_in($ahead, q{SELECT prefetched FROM hilo_stats() WHERE name = 'ahead'}), 1, 'but reserves');
$pid = start_waiting($primary, $ahead, 'SyncRep', "SELECT hilo_next_tag('ahead')");
$primary->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
is(end_in($ahead), '57014', 'no id of a range that is not on the standby');
run_in($ahead, 'SET statement_timeout = 20');
my $reserved = q{SELECT reserved FROM hilo_internal.hilo_hi WHERE name IN ('ahead', 'waits') ORDER BY name};
my $before = $primary->safe_psql('postgres', $reserved);
is(state_of($ahead, "SELECT hilo_next_tag('ahead')"), '57014', 'nor of the next one') for 1 .. 5;
is(state_of($ahead, "SELECT hilo_next_tag('waits')"), '57014',
	'nor of one that is not reserved ahead') for 1 .. 5;
is($primary->safe_psql('postgres', $reserved), $before, 'which each call would have to reserve');
run_in($ahead, 'RESET statement_timeout');

$pid = pid_of($leaver);
end_session($leaver);
ok(wait_for_end($primary, $pid), 'the end of a session does not wait');
is($primary->safe_psql('postgres', q{SELECT hilo_next_tag('left')}), 2, 'and gives its ids back');

# Everything that waits goes on once the standby is there.
$session = hilo_session($primary);
start_waiting($primary, $session, 'SyncRep', "SELECT hilo_next_tag('waits')");
$standby->start;
like(end_in($session), qr/^(\d+)\n00000$/, 'an id when the standby is back');
is(run_in($ahead, "SELECT hilo_next_tag('ahead')"), 33, 'the range is used when it is confirmed');
cmp_ok(run_in($session, "SELECT hilo_seed('seeded', 400)"),
	'>=', 500, 'a seed that was not confirmed has not been undone');

# A window is waited for once, by the list of that moment.
sub name_standby
{
	my ($name) = @_;

	$primary->append_conf('postgresql.conf', "synchronous_standby_names = '$name'");
	$primary->reload;
	$primary->poll_query_until('postgres',
		"SELECT (sync_priority > 0) = (application_name = '$name') FROM pg_stat_replication") or die 'the list stays what it was';
	# a standby answers to WAL that is new
	return $primary->safe_psql('postgres', 'CHECKPOINT');
}
run_in($session, "SELECT hilo_next_tag('listed')");
name_standby('another');
run_in($session, 'SET statement_timeout = 200');
is(state_of($session, "SELECT hilo_next_tag('listed')"), '00000',
	'an id of a window that another standby has confirmed');
is(state_of($session, "SELECT hilo_next_tag('not_yet_used')"), '57014', 'and none of a new window');
name_standby('standby');
run_in($session, 'RESET statement_timeout');
is(run_in($session, "SELECT hilo_next_tag('not_yet_used')"), 1, 'until its standby has it');

# A client takes ids until the primary is gone.
end_session($_) foreach ($session, $ahead);
my $script = PostgreSQL::Test::Utils::tempdir() . '/script.sql';
append_to_file($script, "SELECT hilo_next_tag('waits', 100);\n" x 10000);
my $client = IPC::Run::start(
	[ 'psql', '-XAtq', '-d', $primary->connstr('postgres'), '-f', $script ],
	'>', \my $stdout, '2>', \my $stderr);
$client->pump until $stdout =~ /\n/;
$primary->stop('immediate');
$client->finish;
my @seen = $stdout =~ /^(\d+)\n/mg;

$standby->append_conf('postgresql.conf', <<'END');
hilo.failover_skip = 0
synchronous_standby_names = ''
END
$standby->promote;
$standby->reload;
cmp_ok($standby->safe_psql('postgres', "SELECT hilo_next_tag('waits')"),
	'>', max(@seen), 'the promoted standby knows every id that a client saw');

# A window that is not confirmed is not lost.
$standby->append_conf('postgresql.conf', "synchronous_standby_names = 'nobody'");
$standby->reload;
# only once the checkpointer has read the list, too, does a session wait
$standby->safe_psql('postgres', 'CHECKPOINT');
my $patient = hilo_session($standby, '-c statement_timeout=20ms');
is_deeply([ uniq map { state_of($patient, q{SELECT hilo_next_tag('patient')}) } 1 .. 10 ],
	['57014'], 'a session that gives up has no id');
is(last_of($standby, 'patient'), 32, 'and reserves one window for all of its tries');
end_session($patient);

$standby->stop;
done_testing();
