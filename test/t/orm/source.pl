
# Sources of ORMs: several sessions and an ORM side by side, crashes, and what the
# background worker of a table needs.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use List::Util qw(uniq);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('source', conf => <<'END');
max_worker_processes = 8
max_logical_replication_workers = 0
autovacuum = off
wal_writer_delay = 10s
END
$node->safe_psql('postgres', q{
	CREATE SEQUENCE orders_seq INCREMENT 10;
	SELECT hilo_adopt_sequence_tag('orders', 'orders_seq', 'efcore');
	CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
	SELECT hilo_adopt_table_tag('docs', 'mt_hilo', 'marten', 10, key_value => 'Doc');
	CREATE UNLOGGED TABLE handed (source text, id bigint);
	CREATE UNLOGGED TABLE no_key (next_hi bigint)});

subtest 'two who come first' => sub {
	my @sessions = map { hilo_session($node) } 1 .. 4;

	start_in($_, "INSERT INTO handed SELECT 'first', low FROM hilo_next_range('docs', 10)") foreach @sessions;
	end_in($_) foreach @sessions;
	is_deeply([ handed('first') ], [ 1, 11, 21, 31 ], 'each has a block');
	is($node->safe_psql('postgres', 'TABLE mt_hilo'), 'Doc|3', 'of one row');
	$_->quit foreach @sessions;
};

subtest "hilo's function for Marten beside sessions that always take" => sub {
	my @sessions = map { hilo_session($node) } 1 .. 3;

	$node->safe_psql('postgres', q{SELECT hilo_adopt_table_tag('single', 'mt_hilo', 'marten', 1, key_value => 'Single')});
	start_in($sessions[0], q{SELECT count(hilo_marten_next_hi('mt_hilo', left('Single', 9 + i))) FROM generate_series(1, 20) i});
	start_in($_, q{SELECT count(hilo_next_tag('single')) FROM generate_series(1, 60)}) foreach @sessions[1, 2];
	end_in($_) foreach @sessions;
	is($node->safe_psql('postgres', q{SELECT hi_value FROM mt_hilo WHERE entity_name = 'Single'}), 139, 'none takes a block in vain');
	$_->quit foreach @sessions;
};

subtest 'sessions and an ORM side by side' => sub {
	my %block = (
		orders => q{INSERT INTO handed SELECT 'orders', generate_series(v, v + 9) FROM nextval('orders_seq') v},
		docs => q{WITH hi AS (UPDATE mt_hilo SET hi_value = hi_value + 1 WHERE entity_name = 'Doc' RETURNING hi_value)
				  INSERT INTO handed SELECT 'docs', generate_series(hi_value * 10 + 1, hi_value * 10 + 10) FROM hi});
	foreach my $name (sort keys %block)
	{
		my @hilo = map { hilo_session($node) } 1 .. 3;
		my @orm = map { hilo_session($node) } 1 .. 2;

		start_in($_, qq{INSERT INTO handed SELECT '$name', id FROM generate_series(1, 20) i, hilo_next_tag('$name', 7 + 0 * i) id})
		  foreach @hilo;
		start_in($_, join ';', ($block{$name}) x 20) foreach @orm;
		end_in($_) foreach @hilo, @orm;
		my @ids = handed($name);
		is(scalar @ids, 3 * 7 * 20 + 2 * 10 * 20, "$name: ids of the sessions and of the ORM");
		is(scalar(uniq @ids), scalar @ids, "$name: no id twice");
		$_->quit foreach @hilo, @orm;
	}
};

subtest 'a block on its way while a restore raises the generator' => sub {
	my $orm = hilo_session($node);
	my $session = hilo_session($node);
	my $restored = last_of($node, 'docs') + 500;

	run_in($orm, q{BEGIN; UPDATE mt_hilo SET hi_value = hi_value});
	start_in($session, q{SELECT hilo_next_tag('docs')});
	wait_for_row();
	$node->safe_psql('postgres', qq{INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"reserved": $restored}')).* FROM hilo_internal.hilo_hi h WHERE name = 'docs'});
	is(last_of($node, 'docs'), $restored, 'which is restored meanwhile');
	run_in($orm, 'COMMIT');
	cmp_ok((split /\n/, end_in($session))[0], '>', $restored, 'nothing below that is handed out');
	$_->quit foreach $orm, $session;
};

subtest 'a crash' => sub {
	foreach my $name ('orders', 'docs')
	{
		my $session = hilo_session($node, '-c synchronous_commit=off');
		my $last = run_in($session, "SELECT high FROM hilo_next_range('$name')");
		crash($node, $session);
		cmp_ok(
			$node->safe_psql('postgres', "SELECT low FROM hilo_next_range('$name')"),
			'>', $last, "$name: no block comes back");
		is(last_of($node, $name) > $last, 1, "$name: nor is it forgotten");
	}
};

subtest 'a sequence with values that another session logged ahead' => sub {
	my $other = hilo_session($node, '-c synchronous_commit=off');
	my $session = hilo_session($node, '-c synchronous_commit=off');

	# one of these writes the record for all that follow, and flushes nothing
	run_in($other, q{BEGIN; SELECT nextval('orders_seq') FROM generate_series(1, 40); COMMIT});
	my $high = run_in($session, q{SELECT high FROM hilo_next_range('orders')});
	crash($node, $other, $session);
	cmp_ok($node->safe_psql('postgres', q{SELECT nextval('orders_seq')}), '>', $high, 'nextval goes on above');
};

subtest 'a sequence that was set back' => sub {
	my $session = hilo_session($node, '-c synchronous_commit=off');
	my $last = last_of($node, 'orders');

	$node->safe_psql('postgres', $_) foreach q{SELECT setval('orders_seq', 1)}, 'CHECKPOINT';
	run_in($session, q{BEGIN; SELECT hilo_seed('orders', 1)});
	crash($node, $session);
	cmp_ok($node->safe_psql('postgres', q{SELECT nextval('orders_seq')}), '>', $last, 'is raised on disk when hilo_seed comes back');
};

subtest 'a row that a session holds' => sub {
	my $holder = hilo_session($node);
	my $waiter = hilo_session($node);
	my $pid = pid_of($waiter);

	foreach my $hold ('UPDATE mt_hilo SET hi_value = hi_value', 'SELECT FROM mt_hilo FOR UPDATE', 'DELETE FROM mt_hilo')
	{
		run_in($holder, "BEGIN; $hold");
		start_in($waiter, q{SELECT hilo_next_range('docs')});
		wait_for_row();
		is($node->safe_psql('postgres', workers()), 0, 'no worker waits');
		$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
		is((split /\n/, end_in($waiter))[-1], '57014', 'the wait can be cancelled');
		is(state_of($waiter, q{SET lock_timeout = '100ms'; SELECT hilo_next_range('docs')}), '55P03', 'and ends by lock_timeout');
		run_in($waiter, 'RESET lock_timeout');
		run_in($holder, 'ROLLBACK');
	}

	# shared by several, of whom none can be waited for
	my $other = hilo_session($node);
	run_in($_, 'BEGIN; SELECT FROM mt_hilo FOR SHARE') foreach $holder, $other;
	is(state_of($waiter, q{SET lock_timeout = '100ms'; SELECT hilo_next_range('docs')}), '55P03', 'a lock that two share');
	run_in($waiter, 'RESET lock_timeout');
	run_in($_, 'ROLLBACK') foreach $holder, $other;

	# a row that is about to be there, without a key and with one
	run_in($holder, q{BEGIN; INSERT INTO mt_hilo VALUES ('New', 6)});
	start_in($waiter, q{SELECT hilo_marten_next_hi('mt_hilo', 'New')});
	wait_for_row();
	run_in($holder, 'COMMIT');
	is_deeply([ split /\n/, end_in($waiter) ], [ 7, '00000' ], 'the next one after who makes the row');

	# two that wait for each other
	run_in($holder, q{BEGIN; UPDATE mt_hilo SET hi_value = hi_value WHERE entity_name = 'Doc'});
	run_in($waiter, q{BEGIN; UPDATE mt_hilo SET hi_value = hi_value WHERE entity_name = 'New'});
	start_in($waiter, q{SELECT hilo_marten_next_hi('mt_hilo', 'Doc')});
	wait_for_row();
	start_in($holder, q{SELECT hilo_marten_next_hi('mt_hilo', 'New')});
	is(scalar(grep { (split /\n/, end_in($_))[-1] eq '40P01' } $holder, $waiter), 1, 'the deadlock is detected');
	run_in($_, 'ROLLBACK') foreach $holder, $waiter;

	# a lock request for the table keeps a worker from it for good, but a session only for deadlock_timeout
	run_in($waiter, q{SET deadlock_timeout = '500ms'; SET lock_timeout = '3s'; SET statement_timeout = '30s'});
	run_in($holder, q{SET deadlock_timeout = '10ms'});
	$pid = pid_of($holder);
	run_in($holder, 'BEGIN; SELECT FROM mt_hilo LIMIT 0');
	start_in($other, 'BEGIN; LOCK TABLE mt_hilo');
	$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'mt_hilo'::regclass AND NOT granted)});
	start_in($waiter, q{SELECT hilo_next_range('docs')});
	$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_locks WHERE mode = 'RowExclusiveLock' AND relation = 'mt_hilo'::regclass AND NOT granted)});
	start_in($holder, q{SELECT hilo_next_range('docs')});
	is((split /\n/, end_in($waiter))[-1], '55P03', 'such tries end by lock_timeout as a whole');
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	end_in($holder);
	run_in($holder, 'ROLLBACK');
	end_in($other);
	run_in($other, 'ROLLBACK');
	$_->quit foreach $holder, $waiter, $other;
};

subtest 'settings of the database' => sub {
	my $holder = hilo_session($node);
	my $settings = q{
		ALTER DATABASE postgres SET search_path = trap, pg_catalog;
		ALTER DATABASE postgres SET default_transaction_isolation = serializable;
		ALTER DATABASE postgres SET default_transaction_read_only = on};

	$node->safe_psql('postgres', qq{
		CREATE SCHEMA trap;
		CREATE FUNCTION trap.plus(bigint, bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1 / 0';
		CREATE OPERATOR trap.+ (FUNCTION = trap.plus, LEFTARG = bigint, RIGHTARG = bigint);
		$settings});
	my $waiter = hilo_session($node, '-c default_transaction_read_only=off');
	run_in($holder, q{BEGIN; UPDATE mt_hilo SET hi_value = hi_value});
	start_in($waiter, q{SELECT low > 0 FROM public.hilo_next_range('docs')});
	wait_for_row();
	run_in($holder, 'COMMIT');
	is_deeply([ split /\n/, end_in($waiter) ], [ 't', '00000' ], 'and takes it when it has been changed');
	run_in($holder, $settings =~ s/SET (\w+) = [^;]+/RESET $1/gr);
	$_->quit foreach $holder, $waiter;
};

# There are 8 background workers, of which hilo uses 4.
subtest 'slots for workers' => sub {
	my @sessions = map { hilo_session($node) } 1 .. 12;
	my $holder = hilo_session($node);

	$node->safe_psql('postgres', q{
		CREATE ROLE bob;
		GRANT CREATE ON SCHEMA public TO bob;
		SET ROLE bob;
		CREATE TABLE mt2 (entity_name varchar PRIMARY KEY, hi_value bigint);
		INSERT INTO mt2 SELECT i, 0 FROM generate_series(1, 20) i});
	run_in($_, 'SET ROLE bob') foreach @sessions, $holder;

	# rows of one role that are held, and sessions that wait for them for long
	run_in($holder, q{BEGIN; SELECT FROM mt2 FOR UPDATE});
	run_in($_, q{SET lock_timeout = '1h'}) foreach @sessions;
	start_in($sessions[$_ - 1], "SELECT hilo_marten_next_hi('mt2', '$_')") foreach 1 .. 12;
	ok($node->poll_query_until('postgres', q{SELECT count(*) = 12 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted}), 'twelve sessions wait');
	is($node->safe_psql('postgres', workers()), 0, 'which have no worker');
	cmp_ok($node->safe_psql('postgres', q{SELECT low FROM hilo_next_range('docs')}), '>', 0, 'nor does another session wait');
	run_in($holder, 'COMMIT');
	is_deeply([ map { (split /\n/, end_in($_))[0] } @sessions ], [ (1) x 12 ], 'then each has its hi');

	# an index that is held
	run_in($holder, 'BEGIN; ALTER INDEX mt2_pkey SET TABLESPACE pg_default');
	start_in($sessions[$_ - 1], "SELECT hilo_marten_next_hi('mt2', '$_')") foreach 1 .. 12;
	cmp_ok($node->safe_psql('postgres', q{SET lock_timeout = '4s'; SELECT low FROM hilo_next_range('docs')}), '>', 0, 'and keep no worker from others');
	is_deeply([ map { (split /\n/, end_in($_))[-1] } @sessions ], [ ('55P03') x 12 ], 'each learns of the lock');
	run_in($holder, 'COMMIT');

	# more sessions than places at work
	start_in($sessions[$_], "SELECT hilo_marten_next_hi('mt2', '$_') FROM generate_series(1, 20)") foreach 0 .. 11;
	my $most = 0;
	wait_until('all are done', sub {
		my ($now, $busy) = split /\|/, $node->safe_psql('postgres', 'SELECT (' . workers() . q{), (SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%marten_next_hi%' AND state = 'active' AND pid <> pg_backend_pid())});
		$most = $now if $now > $most;
		$busy == 0 });
	cmp_ok($most, '<=', 4, 'at most half of the workers are at work');
	is((split /\n/, end_in($_))[-1], '00000', 'and each is done') foreach @sessions;
	$_->quit foreach @sessions, $holder;
};

subtest 'a worker that waits for a catalog' => sub {
	my ($session, $holder) = map { hilo_session($node) } 1 .. 2;
	my $pid = pid_of($session);

	$node->safe_psql('postgres', q{
		CREATE TABLE unhurried (entity_name varchar PRIMARY KEY, hi_value bigint);
		INSERT INTO unhurried VALUES ('a', 0)});
	is(run_in($session, q{SELECT hilo_marten_next_hi('unhurried', 'a')}), 1, 'a hi');
	run_in($holder, 'BEGIN; LOCK TABLE pg_class IN ACCESS EXCLUSIVE MODE');
	start_in($session, q{SELECT hilo_marten_next_hi('unhurried', 'a')});
	wait_until('the worker waits for the transaction', sub {
		run_in($holder, "SELECT count(*) FROM pg_locks WHERE pid <> $pid AND relation = 'pg_class'::regclass AND NOT granted") == 1 });
	run_in($holder, 'COMMIT');
	is_deeply([ split /\n/, end_in($session) ], [ 2, '00000' ], 'the next one when it is unlocked');

	run_in($holder, 'BEGIN; LOCK TABLE pg_class IN ACCESS EXCLUSIVE MODE');
	start_in($session, q{SELECT hilo_marten_next_hi('unhurried', 'a')});
	wait_until('another one waits', sub {
		run_in($holder, "SELECT count(*) FROM pg_locks WHERE pid <> $pid AND relation = 'pg_class'::regclass AND NOT granted") == 1 });
	run_in($holder, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE pid <> $pid AND relation = 'pg_class'::regclass AND NOT granted");
	run_in($holder, 'COMMIT');
	is((split /\n/, end_in($session))[-1], '57P01', 'which is ended');
	like(slurp_file($node->logfile), qr/ERROR:  background worker to get ids from table "unhurried" ended without an answer/, 'and the session learns it');
	$_->quit foreach $session, $holder;
};

subtest 'Marten' => sub {
	my @sessions = map { hilo_session($node, '-c default_transaction_isolation=serializable') } 1 .. 3;

	$node->safe_psql('postgres', q{CREATE SCHEMA store; SELECT hilo_provide_marten('store')});
	# what its client does, except the retries that -1 asks for
	start_in($_, join ';', (q{INSERT INTO handed SELECT 'hi', store.mt_get_next_hi('Order')}) x 10) foreach @sessions;
	end_in($_) foreach @sessions;
	is_deeply([ handed('hi') ], [ 0 .. 29 ], 'each hi once, from 0 on');
	is($node->safe_psql('postgres', 'TABLE store.mt_hilo'), 'Order|29', 'in the row');
	$_->quit foreach @sessions;

	$node->safe_psql('postgres', 'ALTER DATABASE postgres SET synchronous_commit = off');
	is($node->safe_psql('postgres', q{SELECT store.mt_get_next_hi('Order')}), 30, 'the next hi');
	crash($node);
	is($node->safe_psql('postgres', q{SELECT store.mt_get_next_hi('Order')}), 31, 'does not come back after a crash');
};

subtest 'a worker with a table that takes long' => sub {
	$node->safe_psql('postgres', q{
		CREATE TABLE huge (entity_name bpchar, hi_value bigint);
		SELECT hilo_adopt_table_tag('huge', 'huge', 'marten', 10, key_value => 'Order');
		CREATE TABLE slow (id bigint DEFAULT hilo_next_tag('huge'));
		CREATE TABLE quick (id bigint DEFAULT hilo_next_tag('quick'));
		INSERT INTO slow VALUES (1000); INSERT INTO quick VALUES (1000);
		INSERT INTO huge SELECT rpad('a', 60000000)});
	# copies of a compressed value, each of which is compared without its blanks
	$node->safe_psql('postgres', 'INSERT INTO huge TABLE huge') for 1 .. 8;
	my ($status, $output, $error) = $node->psql('postgres', q{
		\set VERBOSITY verbose
		SELECT hilo_marten_next_hi('huge', 'Order')});
	like($error, qr/ERROR:  55P03: .*\nCONTEXT:  background worker to get ids from table "huge"/, 'it ends, as others need the worker');
	($status, $output, $error) = $node->psql('postgres', q{SELECT last FROM hilo_resync_all() WHERE rel::text IN ('slow', 'quick')});
	like($error, qr/WARNING:  skipping column "id" of table "slow": canceling statement due to statement timeout/, 'which ends no other work');
	is($output, 1000, 'of the same call');
	$node->safe_psql('postgres', q{DROP TABLE slow; SELECT hilo_drop('huge'); DROP TABLE huge});
};

subtest 'no worker to be had' => sub {
	$node->append_conf('postgresql.conf', 'max_worker_processes = 0');
	$node->restart;
	my ($status, $output, $error) = $node->psql('postgres', q{
		\set VERBOSITY verbose
		SELECT hilo_next_range('docs')});
	like($error, qr/ERROR:  53000: could not start a background worker to get ids from table "mt_hilo"/, 'the error');
	like($error, qr/HINT:  You might need to increase max_worker_processes/, 'and the setting');
};

$node->stop;
done_testing();

sub wait_for_row
{
	ok($node->poll_query_until('postgres',
			q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'transactionid'}),
		'a session waits for the row');
	return;
}

sub workers
{
	return q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'hilo source worker'};
}

# Return the ids that sessions have put into the table; what they print at once may be
# read, and lost, with what start_in waits for.
sub handed
{
	my ($source) = @_;

	return split /\n/, $node->safe_psql('postgres', "SELECT id FROM handed WHERE source = '$source' ORDER BY id");
}
