
# A table with many rows is partitioned in steps: rows are there all the time, it
# can be interrupted, by a cancel, by the end of the session and by a crash, and
# goes on.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

use constant ROWS => 60_000;

my $node = hilo_node('main');
$node->safe_psql(
	'postgres', q{
	CREATE TABLE orders (id text PRIMARY KEY, note text);
	CREATE INDEX ON orders (note);
	INSERT INTO orders SELECT concat('orders/', i, '-A'), i % 100 FROM generate_series(1, } . ROWS . q{) i;
});

sub partitions
{
	return $node->safe_psql('postgres',
		q{SELECT count(*) FROM pg_inherits WHERE inhparent = 'orders'::regclass AND inhrelid::regclass::text ~ '^orders_\d+$'});
}

sub is_whole
{
	my ($when) = @_;

	is( $node->safe_psql(
			'postgres', q{
			SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE note = '7') FROM orders}),
		join('|', ROWS, ROWS, ROWS / 100),
		"$when: every row is there, once");
	is( $node->safe_psql(
			'postgres', q{
			SELECT count(*) FROM orders o JOIN anchor_partition_list('orders') p ON p.partition = o.tableoid
			WHERE NOT anchor_bucket(o.id) BETWEEN p.low AND p.high - 1}),
		'0',
		"$when: every row that has moved is where it belongs");
	is( $node->safe_psql(
			'postgres', q{
			SELECT count(*) FROM pg_class WHERE relname ~ 'moving' AND relkind IN ('r', 'p')}),
		'0',
		"$when: nothing half-made is left");
	return;
}

# A reader that holds a lock stops the next step where it takes its own; let go,
# it lets a step pass before it gets the lock again.
sub stop_after_steps
{
	my ($session, $steps) = @_;
	my $reader = hilo_session($node);

	start_in($session, q{CALL anchor_partition_in_steps('orders', 40)});
	for (1 .. $steps)
	{
		run_in($reader, 'BEGIN; SELECT FROM orders LIMIT 1');
		wait_until_waits($node, $session->{hilo_pid}, 'Lock');
		run_in($reader, 'COMMIT') if $_ < $steps;
	}
	return $reader;
}

sub mover
{
	my $session = hilo_session($node);

	$session->{hilo_pid} = pid_of($session);
	return $session;
}

# A cancel.
my $session = mover();
my $reader = stop_after_steps($session, 3);
$node->safe_psql('postgres', "SELECT pg_cancel_backend($session->{hilo_pid})");
like(end_in($session), qr/57014/, 'cancelled');
my $before = partitions();
cmp_ok($before, '>', 0, 'some partitions are made');
cmp_ok($before, '<', 40, 'and not all');
end_session($reader);
is_whole('after a cancel');
end_session($session);

# Writes go where the rows are, in between.
$node->safe_psql('postgres', q{INSERT INTO orders SELECT concat('more/', i) FROM generate_series(1, 1000) i});
my ($status) = $node->psql('postgres', q{INSERT INTO orders SELECT concat('more/', i) FROM generate_series(1, 1000) i});
isnt($status, 0, 'an id is unique, whether its row has moved or not');
is($node->safe_psql('postgres', q{UPDATE orders SET note = 'more' WHERE id LIKE 'more/%'; SELECT count(*) FROM orders WHERE note = 'more'}),
	'1000', 'rows can be changed');
$node->safe_psql('postgres', q{DELETE FROM orders WHERE id LIKE 'more/%'});
($status) = $node->psql('postgres', q{CALL anchor_partition_in_steps('orders', 41)}, on_error_stop => 1);
isnt($status, 0, 'with another number of shards it does not go on');

# The end of the session.
$session = mover();
$reader = stop_after_steps($session, 3);
$node->safe_psql('postgres', "SELECT pg_terminate_backend($session->{hilo_pid})");
wait_for_end($node, $session->{hilo_pid});
end_session($reader);
end_session($session);
cmp_ok(partitions(), '>', $before, 'it has gone on');
is_whole('after the end of the session');
$before = partitions();

# A crash.
$session = mover();
$reader = stop_after_steps($session, 3);
$node->stop('immediate');
end_session($reader);
end_session($session);
$node->start;
cmp_ok(partitions(), '>', $before, 'it has gone on again');
cmp_ok(partitions(), '<', 40, 'and is not at its end');
is_whole('after a crash');

# A dump of it can be restored, and goes on, too.
$node->safe_psql('postgres', 'CREATE DATABASE half');
$node->command_ok([ 'sh', '-c', 'pg_dump -d "$0" | psql -Xqd "$1" -v ON_ERROR_STOP=1',
		$node->connstr('postgres'), $node->connstr('half') ], 'a dump half-way');

foreach my $database ('postgres', 'half')
{
	my ($code, $output, $notices) =
	  $node->psql('postgres', q{SET client_min_messages = notice; CALL anchor_partition_in_steps('orders', 40)},
		connstr => $node->connstr($database));

	is($code, 0, "$database: the rest");
	my @notices = $notices =~ /NOTICE: +table "orders": (\d+) rows moved to \d+ partitions, \d+ partitions to come/g;
	cmp_ok(@notices, '>', 1, "$database: the progress is shown");
	is( $node->safe_psql($database, q{
			SELECT count(*), (SELECT count(*) FROM anchor_partition_list('orders')), to_regclass('orders_unmoved') IS NULL FROM orders}),
		ROWS . '|40|t', "$database: at the end");
}
is_whole('at the end');
$node->safe_psql('postgres', q{CALL anchor_partition_in_steps('orders', 40)});
is_whole('once more');
$node->stop;

done_testing();
