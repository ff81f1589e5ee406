
# Ids that rows bring, and synchronous standbys: a row does not wait for the window that it
# opens, an id of that window does, and neither comes again after a promotion.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my $primary = hilo_node('primary', allows_streaming => 1);
$primary->safe_psql('postgres',
	q{CREATE TABLE t (id bigint PRIMARY KEY); SELECT hilo_attach('t', 'id'); INSERT INTO t DEFAULT VALUES});
my $standby = sync_standby($primary);
$standby->stop;

my $importer = hilo_session($primary, '-c synchronous_commit=local');
my @sessions = map { hilo_session($primary) } 1 .. 2;
my $draw = "SELECT hilo_next('t')";

run_in($importer, 'BEGIN');
is(state_of($importer, 'INSERT INTO t VALUES (1000)'), '00000',
	'a row brings an id without a standby');
foreach my $session (@sessions, @sessions)
{
	my $pid = start_waiting($primary, $session, 'SyncRep', $draw);

	$primary->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	is(end_in($session), '57014', 'no id of its window, cancelled or not');
}
is(state_of($importer, 'INSERT INTO t VALUES (1500)'), '00000', 'a row brings another one');
is(state_of($importer, 'COMMIT'), '00000', 'and both are committed');

start_waiting($primary, $sessions[0], 'SyncRep', $draw);
$standby->start;
is(end_in($sessions[0]), "1501\n00000", 'an id above them when the standby is back');

# one is committed, one is not, and another session draws above that
is(state_of($sessions[1], 'INSERT INTO t VALUES (100000)'), '00000', 'a row with its standby');
run_in($importer, 'BEGIN');
run_in($importer, 'INSERT INTO t VALUES (200000)');
is(run_in($sessions[0], $draw), 200001, 'an id above a row that is not committed');
$primary->stop('immediate');
end_session($_) foreach $importer, @sessions;

$standby->append_conf('postgresql.conf', "hilo.failover_skip = 0\nsynchronous_standby_names = ''");
$standby->promote;
$standby->reload;
my $next = $standby->safe_psql('postgres', $draw);
cmp_ok($next, '>', 200001, 'which the promoted standby knows');
is($standby->safe_psql('postgres',
		"INSERT INTO t VALUES ($next + 1000); INSERT INTO t DEFAULT VALUES RETURNING id"),
	$next + 1001, 'and follows there, too');

$standby->stop;
done_testing();
