
# A step of a move is interrupted while its transaction commits on the new server,
# where it ends later: the steps after it do not count on what they cannot see yet.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use Test::More;

use constant ROWS => 10;

my ($root, @shards) = hilo_shards([ 'one', 'two' ], conf => "wal_level = replica\nmax_wal_senders = 5");
my ($old, $new) = @shards;

sub query { return $root->safe_psql('postgres', $_[0]); }

sub sync_with
{
	$new->append_conf('postgresql.conf', "synchronous_standby_names = '$_[0]'");
	return;
}

sub start_commits_that_wait
{
	sync_with('nobody');
	# a reload would let commits through that come before it is known to all
	$new->restart;
	return;
}

sub end_commits_that_wait
{
	sync_with('');
	$new->reload;
	$new->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'})
	  or die 'timed out waiting for commits';
	return;
}

# Starts a step, and interrupts it when it commits on the new server.
sub interrupt_step
{
	my ($how) = @_;
	my $session = hilo_session($root);
	my $pid = pid_of($session);

	start_in($session, q{SELECT anchor_move_step('orders', 100)});
	$new->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'})
	  or die 'no commit waits';
	query("SELECT $how($pid)");
	wait_for_end($root, $pid) if $how eq 'pg_terminate_backend';
	like(end_in($session), qr/57014/, 'the step is canceled') if $how eq 'pg_cancel_backend';
	end_session($session);
	return;
}

foreach my $how ('pg_cancel_backend', 'pg_terminate_backend')
{
	query(q{
		DROP TABLE IF EXISTS orders;
		CREATE TABLE orders (id text PRIMARY KEY, n int);
		INSERT INTO orders SELECT concat('orders/', i), i FROM generate_series(1, } . ROWS . q{) i});
	$_->safe_psql('postgres', 'DROP TABLE IF EXISTS orders_0, orders_1, orders_m1') for @shards;
	query(q{
		SELECT anchor_partition('orders', 2, ARRAY['one', 'two']);
		SELECT anchor_move_begin('orders', '[0,524288)', 'two')});
	query(q{SELECT anchor_move_step('orders', 100)}) for 1 .. 2;
	is(query('SELECT state FROM hilo_progress_move'), 'catch up', 'what is there was copied');

	my $id = query(q{SELECT id FROM generate_series(1, 100) i, concat('late/', i) id WHERE anchor_bucket(id) < 524288 LIMIT 1});
	query("INSERT INTO orders VALUES ('$id', 0)");
	start_commits_that_wait();
	interrupt_step($how);
	query("DELETE FROM orders WHERE id = '$id'");
	query(q{SELECT anchor_move_step('orders', 100)}) for 1 .. 6;
	is(query('SELECT state FROM hilo_progress_move'), 'catch up', "$how: the move waits for what was interrupted");
	is(query('SELECT count(*) FROM orders'), ROWS, 'and the table is used');
	end_commits_that_wait();
	query(q{CALL anchor_move_in_steps('orders', '[0,524288)', 'two')});
	is(query('SELECT count(*) FROM orders'), ROWS, 'a row that was deleted stays so');
	is(query('SELECT count(DISTINCT server) FROM anchor_servers(\'orders\')'), '1', 'when the buckets have moved');
	is($_->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname ~ '^orders.*_(changes|steps)'}), '0', 'and nothing of the move is left on ' . $_->name)
	  for @shards;
}

$_->stop for $root, @shards;
done_testing();
