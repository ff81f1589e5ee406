
# A standby hands out nothing, shows everything, and its sessions go on as
# sessions of a primary after its promotion.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = hilo_node('primary', allows_streaming => 1);
$primary->safe_psql('postgres',
	"SELECT hilo_create('x'); SELECT hilo_next_tag('x', 5);
	 CREATE TABLE t (id bigint DEFAULT hilo_next_tag('x'));
	 INSERT INTO t VALUES (50);
	 CREATE UNLOGGED TABLE fleeting (id serial PRIMARY KEY, no bigint DEFAULT hilo_next_tag('x')); INSERT INTO fleeting DEFAULT VALUES");
wait_for_sessions($primary, 0);
my $standby = standby_of($primary);
my $session = hilo_session($standby);

foreach my $call (
	"hilo_next_tag('x')", "hilo_next_tag('x', 10)",
	"hilo_next_tag('unknown')", "hilo_next_id('x')",
	"hilo_next_range('x')", "hilo_return_range('x', 5, 5)",
	"hilo_next_hi('x', 10)", 'hilo_release()',
	"hilo_release('x')", "hilo_seed('x', 100)",
	"hilo_create('y')", "hilo_alter('x', range_size => 64)",
	"hilo_drop('x')", "hilo_grant('x', 'public')",
	"hilo_revoke('x', 'public')", "hilo_attach('t', 'id')",
	"hilo_detach('t', 'id')", "hilo_resync('t', 'id')",
	'hilo_resync_all()')
{
	is(state_of($session, "SELECT * FROM $call"), '25006', "$call is refused");
}

is(state_of($session, "SELECT hilo_current('x')"),
	'55000', 'hilo_current works');
is(run_in($session, 'SELECT name, last FROM hilo_generators()'),
	'x|32', 'so do hilo_generators');
is(run_in($session, 'SELECT rel, problem FROM hilo_check() WHERE problem IS NOT NULL'),
	't|rows above last', 'hilo_check');
is(run_in($session, q{SELECT count(*) FROM hilo_check('fleeting') WHERE detail ~ '^rows not checked: .*unlogged'}),
	2, 'which names unlogged tables and sequences');
is(run_in($session, 'SELECT count(*) FROM hilo_session()'), 0, 'hilo_session');
is(run_in($session, 'SELECT ranges FROM hilo_stats()'), 0, 'hilo_stats');
is(run_in($session, 'SELECT ranges FROM hilo_stats_server()'),
	0, 'hilo_stats_server');
run_in($session, 'SELECT hilo_stats_reset()');

my $other = hilo_session($standby);
state_of($other, "SELECT hilo_next_tag('x')");
my $pid = pid_of($other);
end_session($other);
ok(wait_for_end($standby, $pid), 'a session ends');

# the primary goes on
my $old = hilo_session($primary);
my $given = (split /\n/, run_in($old, "SELECT hilo_next_tag('x', 32)"))[-1];
$primary->wait_for_catchup($standby);
cmp_ok(run_in($session, 'SELECT last FROM hilo_generators()'),
	'>=', $given, 'the standby follows');
$primary->stop('immediate');
end_session($old);
$standby->promote;

cmp_ok(run_in($session, "SELECT hilo_next_tag('x')"),
	'>', $given, 'the session gets ids after the promotion');
is( run_in($session, "SELECT hilo_next_tag('unknown')"),
	1,
	'and may use new names');
$pid = pid_of($session);
end_session($session);
wait_for_end($standby, $pid);
is($standby->safe_psql('postgres', q{SELECT hilo_next_tag('unknown')}), 2, 'and gives its ids back');

$standby->stop;
unlike(
	slurp_file($standby->logfile),
	qr/PANIC|TRAP|terminated by signal/,
	'nothing broke');
done_testing();
