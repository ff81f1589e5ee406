
# What a crash finds half done: transactions that are open, and ids that were
# given back and handed out again before anything was on disk.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node(
	'crash_changes',
	conf => "wal_writer_delay = 10s\nsynchronous_commit = off");

sub next_id
{
	my ($name) = @_;

	return $node->safe_psql('postgres', "SELECT hilo_next_tag('$name')");
}

# hilo_create, hilo_alter and hilo_drop
my $session = hilo_session($node);
$node->safe_psql('postgres',
	"SELECT hilo_create(name) FROM unnest('{altered,dropped}'::text[]) name");
run_in($session, "SELECT hilo_create('created', first => 100)");
is(run_in($session, "SELECT hilo_next_tag('created')"),
	100, 'an id of a generator created by an asynchronous commit');
crash($node, $session);
cmp_ok(next_id('created'), '>', 100, 'the generator is there after a crash');

$session = hilo_session($node);
run_in($session, 'BEGIN');
run_in($session, "SELECT hilo_create('uncommitted', first => 100)");
run_in($session, "SELECT hilo_next_tag('uncommitted')");
crash($node, $session);
is( $node->safe_psql(
		'postgres', "SELECT count(*) FROM hilo_internal.hilo_hi WHERE name = 'uncommitted'"),
	0,
	'one with a hilo_create that was not committed is not');

foreach my $case (
	[ 'altered', "SELECT hilo_alter('altered', range_size => 1000)" ],
	[ 'dropped', "SELECT hilo_drop('dropped')" ])
{
	my ($name, $change) = @$case;
	my $id = next_id($name);

	$session = hilo_session($node);
	run_in($session, 'BEGIN');
	run_in($session, $change);
	# brings what it has changed to disk
	$node->safe_psql('postgres', 'SELECT pg_switch_wal()');
	crash($node, $session);
	cmp_ok(next_id($name), '>', $id, "$name by a transaction that crashed");
}

# ids given back
$node->safe_psql('postgres',
	"SELECT hilo_create(name) FROM unnest('{returned,released,left}'::text[]) name"
);

$session = hilo_session($node);
run_in($session, "SELECT low FROM hilo_next_range('returned', 100)");
is(run_in($session, "SELECT hilo_return_range('returned', 100, 10)"),
	't', 'a range is returned');
my $other = hilo_session($node);
is(run_in($other, "SELECT low FROM hilo_next_range('returned', 5)"),
	11, 'and handed out again');
crash($node, $session, $other);
cmp_ok(next_id('returned'), '>', 15, 'but after a crash not once more');

$session = hilo_session($node);
run_in($session, "SELECT hilo_next_tag('released', 3)");
is(run_in($session, "SELECT hilo_release('released')"), 29,
	'a range is released');
$other = hilo_session($node);
is(run_in($other, "SELECT hilo_next_tag('released')"), 4, 'and handed out again');
crash($node, $session, $other);
cmp_ok(next_id('released'), '>', 4, 'but after a crash not once more');

$session = hilo_session($node);
run_in($session, "SELECT hilo_next_tag('left', 3)");
my $pid = pid_of($session);
end_session($session);
wait_for_end($node, $pid);
$other = hilo_session($node);
is(run_in($other, "SELECT hilo_next_tag('left')"),
	4, 'the range of a session that ended is handed out again');
crash($node, $other);
cmp_ok(next_id('left'), '>', 4, 'but after a crash not once more');

$node->stop;
done_testing();
