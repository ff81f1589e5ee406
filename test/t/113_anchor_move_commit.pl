
# A step of a move is interrupted while its transaction commits on a server, where it
# ends later: the steps after it do not count on what they cannot see yet, and the
# table is used meanwhile.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use Test::More;

use constant ROWS => 10;

my ($root, @shards) = hilo_shards([ 'one', 'two' ], conf => "wal_level = replica\nmax_wal_senders = 5");
my ($old, $new) = @shards;

# What waits for a commit would wait for ever.
sub query { return $root->safe_psql('postgres', $_[0], timeout => $PostgreSQL::Test::Utils::timeout_default); }

sub sync_with
{
	my ($node, $standby) = @_;

	$node->append_conf('postgresql.conf', "synchronous_standby_names = '$standby'");
	return;
}

sub start_commits_that_wait
{
	my ($node) = @_;

	sync_with($node, 'nobody');
	# a reload would let commits through that come before it is known to all
	$node->restart;
	return;
}

sub end_commits_that_wait
{
	my ($node) = @_;

	sync_with($node, '');
	$node->reload;
	$node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'})
	  or die 'timed out waiting for commits';
	return;
}

# Starts a step, and interrupts it when it commits on that server.
sub interrupt_step
{
	my ($node, $how) = @_;
	my $session = hilo_session($root);
	my $pid = pid_of($session);

	start_in($session, q{SELECT anchor_move_step('orders', 100)});
	$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'})
	  or die 'no commit waits';
	query("SELECT $how($pid)");
	wait_for_end($root, $pid) if $how eq 'pg_terminate_backend';
	like(end_in($session), qr/57014/, 'the step is canceled') if $how eq 'pg_cancel_backend';
	end_session($session);
	return;
}

# Makes the table anew, and begins to move buckets.
sub begin_move
{
	my ($buckets) = @_;

	query(q{
		DROP TABLE IF EXISTS orders;
		CREATE TABLE orders (id text PRIMARY KEY, n int);
		INSERT INTO orders SELECT concat('orders/', i), i FROM generate_series(1, } . ROWS . q{) i});
	$_->safe_psql('postgres', 'DROP TABLE IF EXISTS orders_0, orders_1, orders_m1 CASCADE') for @shards;
	query(qq{
		SELECT anchor_partition('orders', 2, ARRAY['one', 'two']);
		SELECT anchor_move_begin('orders', '$buckets', 'two')});
	do_steps(2);
	is(query('SELECT state FROM hilo_progress_move'), 'catch up', 'what is there was copied');
	return;
}

sub do_steps
{
	query(q{SELECT anchor_move_step('orders', 100)}) for 1 .. $_[0];
	return;
}

# Adds a row whose bucket moves; gives its id.
sub add_row
{
	my $id = query(q{SELECT id FROM generate_series(1, 100) i, concat('late/', i) id WHERE anchor_bucket(id) < 524288 LIMIT 1});

	query("INSERT INTO orders VALUES ('$id', 0)");
	return $id;
}

sub end_move
{
	my ($buckets) = @_;

	query(qq{CALL anchor_move_in_steps('orders', '$buckets', 'two')});
	is(query(qq{SELECT DISTINCT server FROM anchor_servers('orders') WHERE buckets && '$buckets'}), 'two', 'the buckets have moved');
	is($_->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname ~ '^orders.*_(changes|steps)'}), '0', 'and nothing of the move is left on ' . $_->name)
	  for @shards;
	return;
}

foreach my $how ('pg_cancel_backend', 'pg_terminate_backend')
{
	begin_move('[0,524288)');
	my $id = add_row();
	start_commits_that_wait($new);
	interrupt_step($new, $how);
	query("DELETE FROM orders WHERE id = '$id'");
	do_steps(6);
	is(query('SELECT state FROM hilo_progress_move'), 'catch up', "$how: the move waits for what was interrupted");
	is(query('SELECT count(*) FROM orders'), ROWS, 'and the table is used');
	end_commits_that_wait($new);
	end_move('[0,524288)');
	is(query('SELECT count(*) FROM orders'), ROWS, 'a row that was deleted stays so');
}

# The step that changes the partitions commits on the old server: it has forgotten a
# change there, or made a view.
foreach my $buckets ('[0,524288)', '[0,100000)')
{
	begin_move($buckets);
	my $rows = ROWS;
	if ($buckets eq '[0,524288)')
	{
		add_row();
		$rows++;
	}
	do_steps(1);
	is(query('SELECT state FROM hilo_progress_move'), 'switch', "$buckets: all was brought");
	start_commits_that_wait($old);
	interrupt_step($old, 'pg_cancel_backend');
	do_steps(6);
	is(query(q{SELECT count(*) FROM hilo_progress_move WHERE state IN ('catch up', 'switch')}), '1', 'no step waits for what was interrupted');
	is(query('SELECT count(*) FROM orders'), $rows, 'and the table is used');
	end_commits_that_wait($old);
	end_move($buckets);
	is(query('SELECT count(*) FROM orders'), $rows, 'no row is lost');
}

$_->stop for $root, @shards;
done_testing();
