# What is cancelled just after something has changed.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use List::Util qw(uniq);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('node', conf => <<'END');
fsync = on
commit_siblings = 0
END

# The warning that a generator nears its end is where a cancel during the flush shows:
# a range was taken then that lies below another session's.
$node->safe_psql('postgres', q{SELECT hilo_create('returned', range_size => 10, max_range_size => 10), hilo_seed('returned', 80)});
my ($one, $other, $next) = map { hilo_session($node, '-c hilo.prefetch=off') } 1 .. 3;
is(run_in($one, q{SELECT hilo_next_tag('returned')}), 81, 'an id');
my @ids = split /\n/, run_in($other, q{SELECT hilo_next_tag('returned', 10)});
is($ids[-1], 100, 'and all above its range');
my $pid = pid_of($one);
end_session($one);
ok(wait_for_end($node, $pid), 'what is left is returned');
$node->safe_psql('postgres', q{SELECT hilo_alter('returned', max_value => 110)});
run_in($next, q{BEGIN; SAVEPOINT s; SET LOCAL commit_delay = 100000; SET LOCAL statement_timeout = '50ms'});
is(state_of($next, q{SELECT hilo_next_tag('returned')}), '57014', 'a refill is cancelled');
run_in($next, 'ROLLBACK TO s');
push @ids, split /\n/, $next->query(q{SELECT hilo_next_tag('returned')}) for 1 .. 19;
$next->{stderr} = '';
is(scalar(uniq @ids), scalar @ids, 'no id comes twice') or diag "@ids";
run_in($next, 'ROLLBACK');
end_session($next);

# Sessions learn of a forced seed, whatever its session has to look up for that:
# it has missed what the catalogs are since it began to wait.
$node->safe_psql('postgres', q{SELECT hilo_create('seeded')});
my ($holder, $owner, $row, $catalog) = map { hilo_session($node) } 1 .. 4;
is(run_in($holder, q{SELECT max(id) FROM hilo_next_tag('seeded', 3) id}), 3, 'a session holds a range');
run_in($row, q{BEGIN; SELECT FROM hilo_internal.hilo_hi WHERE name = 'seeded' FOR UPDATE});
$pid = start_waiting($node, $owner, 'Lock', q{SELECT hilo_seed('seeded', 0, true)});
foreach (1 .. 12)
{
	$node->safe_psql('postgres', q{
		DO 'BEGIN
			FOR i IN 1 .. 60 LOOP
				CREATE TABLE passing (a int PRIMARY KEY, b text);
				DROP TABLE passing;
				COMMIT;
			END LOOP;
		END'});
	run_in($holder, 'SELECT');
}
run_in($catalog, 'BEGIN; LOCK TABLE pg_extension IN ACCESS EXCLUSIVE MODE');
run_in($row, 'ROLLBACK');
wait_until('the seed', sub { run_in($row, q{SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'seeded'}) == 0 });
run_in($row, "SELECT pg_cancel_backend($pid)");
end_in($owner);
run_in($catalog, 'ROLLBACK');
my @again = map { split /\n/, run_in($_, q{SELECT hilo_next_tag('seeded', 8)}) } $row, $holder;
is(scalar(uniq @again), scalar @again, 'the one who held a range goes on elsewhere') or diag "@again";

# A session that is cancelled while core reads hilo_hi anew for it knows what was revoked.
$node->safe_psql('postgres', q{
	CREATE ROLE app;
	SELECT hilo_create(name), hilo_grant(name, 'app') FROM unnest('{granted,waiting}'::text[]) name});
$pid = pid_of($holder);
run_in($holder, 'SET ROLE app');
is(run_in($holder, q{SELECT hilo_next_tag('granted')}), 1, 'a role has a right');
run_in($row, q{BEGIN; SELECT FROM hilo_internal.hilo_hi WHERE name = 'waiting' FOR UPDATE});
start_waiting($node, $holder, 'Lock', q{SELECT hilo_next_tag('waiting')});
$node->safe_psql('postgres', q{SELECT hilo_revoke('granted', 'app')});
run_in($catalog, 'BEGIN; LOCK TABLE pg_class IN ACCESS EXCLUSIVE MODE');
run_in($row, 'ROLLBACK');
wait_until('the session to read hilo_hi', sub {
	run_in($catalog, "SELECT count(*) FROM pg_locks WHERE pid = $pid AND NOT granted AND relation = 'pg_class'::regclass") == 1 });
run_in($catalog, "SELECT pg_cancel_backend($pid)");
is(end_in($holder), '57014', 'cancelled while hilo_hi is read anew');
run_in($catalog, 'ROLLBACK');
is(state_of($holder, q{SELECT hilo_next_tag('granted')}), '42501', 'and it is lost');

# What may take long ends at a cancel, with no lock and no generator left behind.
run_in($other, q{
	SET client_min_messages = error;
	CREATE TABLE large AS SELECT generate_series(1, 1000000)::bigint AS id;
	CREATE TABLE texts AS SELECT 'texts/' || id || '-A' AS id FROM large;
	ALTER TABLE texts ALTER id SET DEFAULT hilo_next_id('texts');
	CREATE TABLE counters AS SELECT jsonb_agg(jsonb_build_object('Max', id, '@metadata', jsonb_build_object('@id', 'Raven/Hilo/' || id))) AS hilo FROM generate_series(1, 10000) id});
my $before = run_in($other, 'SELECT count(*) FROM hilo_generators()');
foreach my $call (q{hilo_attach('large', 'id')}, q{hilo_resync('texts', 'id')}, q{hilo_check('texts')}, q{hilo_resync_all()},
	q{anchor_report('texts', 'id')})
{
	cancel($call);
}
is(run_in($other, 'SELECT count(*) FROM hilo_generators()'), $before, 'and no generator has come of it');
cancel('counters, hilo_import_ravendb(hilo, NULL)');
is(run_in($other, q{SELECT count(*) FROM pg_locks WHERE relation IN ('large'::regclass, 'texts'::regclass)}), 0, 'nor a lock');

end_session($_) foreach $other, $holder, $owner, $row, $catalog;
$node->stop;
done_testing();

sub cancel
{
	my ($call) = @_;

	run_in($other, q{SET statement_timeout = '10ms'});
	is(state_of($other, "SELECT count(*) FROM $call"), '57014', "cancelled: $call");
	run_in($other, 'RESET statement_timeout');
	return;
}
