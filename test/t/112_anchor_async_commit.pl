
# Shards on servers where commits are asynchronous, which lose what is committed
# there when they crash: but not what another server counts on.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use Test::More;

use constant ROWS => 20;

my ($root, @shards) = hilo_shards([ 'one', 'two' ]);
my ($old, $new) = @shards;

# Without images of pages, so that no page of WAL is full, and written for that.
foreach my $shard (@shards)
{
	$shard->append_conf('postgresql.conf', "synchronous_commit = off\nwal_writer_delay = 10s\nfull_page_writes = off");
	$shard->restart;
}

sub query { return $root->safe_psql('postgres', $_[0]); }

sub crash
{
	my ($node) = @_;

	$node->stop('immediate');
	$node->start;
	return;
}

foreach my $shard (@shards)
{
	$shard->safe_psql('postgres', 'CREATE TABLE lost ()');
	crash($shard);
	is($shard->safe_psql('postgres', q{SELECT to_regclass('lost') IS NULL}), 't', $shard->name . ' loses what was committed');
}

# Partitions, whose rows are nowhere else.
foreach my $partition ('SELECT anchor_partition', 'CALL anchor_partition_in_steps')
{
	query(q{
		DROP TABLE IF EXISTS orders;
		CREATE TABLE orders (id text PRIMARY KEY, n int NOT NULL DEFAULT 0);
		INSERT INTO orders SELECT concat('orders/', i) FROM generate_series(1, } . ROWS . ') i');
	$_->safe_psql('postgres', 'SET synchronous_commit = on; DROP TABLE IF EXISTS orders_0, orders_1') for @shards;
	query(qq{$partition('orders', 2, ARRAY['one', 'two'])});
	crash($_) for @shards;
	is(($root->psql('postgres', 'SELECT count(*) FROM orders'))[1], ROWS, "$partition: each row is there after a crash");
}

# What the first step of a move has made on the old server.
query(q{SELECT anchor_move_begin('orders', '[0,524288)', 'two')});
steps_until($root, 'orders', 1, 'copy');
crash($_) for @shards;
is(($root->psql('postgres', q{SELECT anchor_move_step('orders', 1)}))[0], 0, 'a move that was prepared goes on after a crash');
steps_until($root, 'orders', 1, 'catch up');

# A crash gives the number of a change that is lost to another one.
my ($first, $second) = split /\n/, query('SELECT id FROM orders WHERE anchor_bucket(id) < 524288 ORDER BY id LIMIT 2');
query("UPDATE orders SET n = 1 WHERE anchor_match(id, '$first')");
query(q{SELECT anchor_move_step('orders', 1)});
crash($old);
is(query("SELECT n FROM orders WHERE anchor_match(id, '$first')"), '1', 'a change of a row that moves outlives a crash');
query("UPDATE orders SET n = 2 WHERE anchor_match(id, '$second')");
steps_until($root, 'orders', 1, 'clean');
crash($_) for @shards;
is(query("SELECT n FROM orders WHERE id IN ('$first', '$second') ORDER BY id"), "1\n2", 'and the next one moves as well');
steps_until($root, 'orders', 1, 'done');
crash($_) for @shards;
is(query('SELECT count(*) FROM orders'), ROWS, 'all rows have moved');
is($old->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname LIKE 'orders%'}), '0', 'and nothing is left of them');

$_->stop for $root, @shards;
done_testing();
