
# The first use of a name makes a generator that no rollback takes back, and
# that every session sees at once.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node('first_use', conf => 'restart_after_crash = on');
my $session = hilo_session($node);
my $other = hilo_session($node);

sub id_in
{
	my ($where, $name) = @_;

	return run_in($where, "SELECT hilo_next_tag('$name')");
}

run_in($session, 'BEGIN');
is(id_in($session, 'rolled_back'), 1, 'a first use');
is(id_in($other, 'rolled_back'), 33, 'another session does not wait for it');
is(state_of($other, "SELECT hilo_alter('rolled_back', range_size => 32)"),
	'00000', 'not even to alter it');
run_in($session, 'ROLLBACK');
is(id_in($session, 'rolled_back'), 2, 'after ROLLBACK the session goes on');
is( $node->safe_psql('postgres', "SELECT hilo_next_tag('rolled_back')"),
	65, 'and so do new sessions');

run_in($session, 'BEGIN; SAVEPOINT s');
is(id_in($session, 'rolled_back_to'), 1, 'a first use in a subtransaction');
run_in($session, 'ROLLBACK TO s');
is(id_in($session, 'rolled_back_to'), 2, 'goes on after ROLLBACK TO');
is(id_in($other, 'rolled_back_to'), 33, 'and is known to others');
run_in($session, 'COMMIT');

run_in($session, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
run_in($other, "SELECT hilo_next_tag('made_by_other')");
is(id_in($session, 'made_by_other'),
	33, 'one that is younger than the snapshot is used');
is(id_in($session, 'own_at_repeatable_read'), 1, 'and a first use is possible');
run_in($session, 'COMMIT');

run_in($session, 'BEGIN');
id_in($session, 'terminated');
my $pid = pid_of($session);
$node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
ok(wait_for_end($node, $pid), 'the session of a first use is terminated');
cmp_ok(id_in($other, 'terminated'), '>', 1, 'its ids do not come back');
end_session($session);

$session = hilo_session($node);
run_in($session, 'BEGIN');
id_in($session, 'killed');
$pid = pid_of($session);
kill 'KILL', $pid;
ok(wait_for_end($node, $pid), 'a session is killed, and the server restarts');
end_session($_) foreach ($session, $other);
cmp_ok($node->safe_psql('postgres', "SELECT hilo_next_tag('killed')"),
	'>', 1, 'nor do those of one that was killed');

# a table's in a transaction that has written: the definition is that one's, its ids are not
$session = hilo_session($node);
$node->safe_psql('postgres', 'CREATE TABLE written (k int)');
foreach my $end ('terminated', 'killed', 'dropped')
{
	my $table = "table_$end";

	$node->safe_psql('postgres',
		"CREATE TABLE $table (id bigint PRIMARY KEY DEFAULT hilo_next('$table'), k int)");
	run_in($session, 'BEGIN; INSERT INTO written VALUES (1)');
	is(run_in($session, "SELECT high FROM hilo_next_range('$table', 10)"), 10, "$table: a range");
	$other = hilo_session($node);
	if ($end eq 'dropped')
	{
		run_in($session, "DROP TABLE $table");
		run_in($session, 'ROLLBACK');
	}
	else
	{
		start_waiting($node, $other, 'Lock', "INSERT INTO $table (k) VALUES (1) RETURNING id > 10");
		$pid = pid_of($session);
		$end eq 'killed' ? kill 'KILL',
			$pid : $node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
		ok(wait_for_end($node, $pid), "$table: the session of the first use is $end");
		is(end_in($other), "t\n00000", "$table: who waited goes on above") if $end ne 'killed';
		end_session($session);
		$session = hilo_session($node);
	}
	end_session($other);
	is($node->safe_psql('postgres', "INSERT INTO $table (k) VALUES (1) RETURNING id > 10"), 't',
		"$table: and so does the next one");
}
end_session($session);

is( $node->safe_psql(
		'postgres',
		'SELECT count(*), count(DISTINCT name::text) FROM hilo_internal.hilo_hi'),
	'9|9',
	'no name has two rows');

$node->stop;
done_testing();
