
# Sources of ORMs: several sessions and an ORM side by side, crashes, and what the
# background worker of a table needs.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use List::Util qw(uniq);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('source', conf => <<'END');
max_worker_processes = 4
max_logical_replication_workers = 0
deadlock_timeout = 100ms
wal_writer_delay = 10s
END
$node->safe_psql('postgres', q{
	CREATE SEQUENCE orders_seq INCREMENT 10;
	SELECT hilo_adopt_sequence('orders', 'orders_seq', 'efcore');
	CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
	SELECT hilo_adopt_table('docs', 'mt_hilo', 'marten', 10, key_value => 'Doc');
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

subtest 'sessions and an ORM side by side' => sub {
	my %block = (
		orders => q{INSERT INTO handed SELECT 'orders', generate_series(v, v + 9) FROM nextval('orders_seq') v},
		docs => q{WITH hi AS (UPDATE mt_hilo SET hi_value = hi_value + 1 WHERE entity_name = 'Doc' RETURNING hi_value)
				  INSERT INTO handed SELECT 'docs', generate_series(hi_value * 10 + 1, hi_value * 10 + 10) FROM hi});
	foreach my $name (sort keys %block)
	{
		my @hilo = map { hilo_session($node) } 1 .. 3;
		my @orm = map { hilo_session($node) } 1 .. 2;

		start_in($_, qq{INSERT INTO handed SELECT '$name', id FROM generate_series(1, 20) i, hilo_next('$name', 7 + 0 * i) id})
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
	start_in($session, q{SELECT hilo_next('docs')});
	ok($node->poll_query_until('postgres',
			q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'hilo source worker' AND wait_event_type = 'Lock'}),
		'the worker waits for the row');
	$node->safe_psql('postgres', qq{INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"last": $restored}')).* FROM hilo_internal.hilo_hi h WHERE name = 'docs'});
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
		$node->stop('immediate');
		$node->start;
		end_session($session);
		cmp_ok(
			$node->safe_psql('postgres', "SELECT low FROM hilo_next_range('$name')"),
			'>', $last, "$name: no block comes back");
		is(last_of($node, $name) > $last, 1, "$name: nor is it forgotten");
	}
};

subtest 'a sequence whose values were logged ahead by somebody else' => sub {
	my $other = hilo_session($node, '-c synchronous_commit=off');
	my $session = hilo_session($node, '-c synchronous_commit=off');

	# one of these writes the record for all that follow, and flushes nothing
	run_in($other, q{BEGIN; SELECT nextval('orders_seq') FROM generate_series(1, 40); COMMIT});
	my $high = run_in($session, q{SELECT high FROM hilo_next_range('orders')});
	$node->stop('immediate');
	$node->start;
	end_session($_) foreach $other, $session;
	cmp_ok($node->safe_psql('postgres', q{SELECT nextval('orders_seq')}), '>', $high, 'nextval goes on above');
};

subtest 'a sequence that was set back' => sub {
	my $session = hilo_session($node, '-c synchronous_commit=off');
	my $last = last_of($node, 'orders');

	$node->safe_psql('postgres', $_) foreach q{SELECT setval('orders_seq', 1)}, 'CHECKPOINT';
	run_in($session, q{BEGIN; SELECT hilo_seed('orders', 1)});
	$node->stop('immediate');
	$node->start;
	end_session($session);
	cmp_ok($node->safe_psql('postgres', q{SELECT nextval('orders_seq')}), '>', $last, 'is raised on disk when hilo_seed comes back');
};

subtest 'the caller goes away' => sub {
	my $holder = hilo_session($node);
	my $waiter = hilo_session($node);
	my $pid = pid_of($waiter);

	run_in($holder, q{BEGIN; UPDATE mt_hilo SET hi_value = hi_value});
	start_in($waiter, q{SELECT hilo_next_range('docs')});
	ok($node->poll_query_until('postgres',
			q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'hilo source worker' AND wait_event_type = 'Lock'}),
		'the worker waits for the row');
	is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'hilo source worker'
		AND usename = current_user}), 1, 'and is seen');
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	is((split /\n/, end_in($waiter))[-1], '57014', 'the caller is cancelled');
	ok($node->poll_query_until('postgres',
			q{SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type = 'hilo source worker'}),
		'and the worker ends');

	start_in($waiter, q{SELECT hilo_next_range('docs')});
	ok($node->poll_query_until('postgres',
			q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'hilo source worker' AND wait_event_type = 'Lock'}),
		'another one waits');
	$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'hilo source worker'});
	is((split /\n/, end_in($waiter))[-1], '55000', 'it is ended, and the caller told');
	run_in($holder, 'ROLLBACK');
	like(run_in($waiter, q{SELECT low FROM hilo_next_range('docs')}), qr/^\d+$/, 'and goes on');
	$_->quit foreach $holder, $waiter;
};

subtest 'a deadlock by way of another session' => sub {
	my $one = hilo_session($node);
	my $other = hilo_session($node);
	my $pid = pid_of($other);

	$node->safe_psql('postgres', 'CREATE TABLE item (id int)');
	run_in($one, q{BEGIN; LOCK TABLE item});
	run_in($other, q{BEGIN; UPDATE mt_hilo SET hi_value = hi_value});
	start_in($other, 'LOCK TABLE item');
	wait_until_waits($node, $pid, 'Lock');
	is(state_of($one, q{SELECT hilo_next_range('docs')}), '40P01', 'is seen');
	run_in($one, 'ROLLBACK');
	end_in($other);
	run_in($other, 'ROLLBACK');
	$_->quit foreach $one, $other;
};

subtest 'a deadlock of two sessions that wait for their workers' => sub {
	my $one = hilo_session($node, '-c deadlock_timeout=1h');
	my $other = hilo_session($node);
	my $pid = pid_of($one);

	$node->safe_psql('postgres', q{
		CREATE TABLE other_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
		SELECT hilo_adopt_table('other', 'other_hilo', 'marten', 10), hilo_next('other')});
	run_in($one, q{BEGIN; UPDATE mt_hilo SET hi_value = hi_value});
	run_in($other, q{BEGIN; UPDATE other_hilo SET hi_value = hi_value});
	start_in($one, q{SELECT count(*) FROM hilo_next_range('other')});
	ok($node->poll_query_until('postgres',
			q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'hilo source worker' AND wait_event_type = 'Lock'}),
		'one waits for the other');
	is(state_of($other, q{SET statement_timeout = '60s'; SELECT hilo_next_range('docs')}), '40P01', 'which is told');
	run_in($other, 'ROLLBACK');
	is((split /\n/, end_in($one))[-1], '00000', 'and the one goes on');
	run_in($one, 'ROLLBACK');
	$_->quit foreach $one, $other;
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
	ok($node->poll_query_until('postgres',
			q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'hilo source worker' AND wait_event_type = 'Lock'}),
		'the worker waits for the row');
	run_in($holder, 'COMMIT');
	is_deeply([ split /\n/, end_in($waiter) ], [ 't', '00000' ], 'and takes it when it has been changed');
	run_in($holder, $settings =~ s/SET (\w+) = [^;]+/RESET $1/gr);
	$_->quit foreach $holder, $waiter;
};

subtest 'no slot for the worker' => sub {
	my @holders = map { hilo_session($node) } 1 .. 4;
	my @tables = map { "hi_$_" } 1 .. 5;
	my $locker = hilo_session($node);

	$node->safe_psql('postgres', qq{
		CREATE TABLE $_ (next_hi bigint);
		INSERT INTO $_ VALUES (1);
		SELECT hilo_adopt_table('$_', '$_', 'classic', 10)}) foreach @tables;
	run_in($locker, 'BEGIN; LOCK TABLE hi_1, hi_2, hi_3, hi_4');
	start_in($holders[ $_ - 1 ], "SELECT hilo_next('hi_$_')") foreach 1 .. 4;
	ok($node->poll_query_until('postgres',
			q{SELECT count(*) = 4 FROM pg_stat_activity WHERE backend_type = 'hilo source worker' AND wait_event_type = 'Lock'}),
		'all slots are taken');
	my ($status, $output, $error) = $node->psql('postgres', q{
		\set VERBOSITY verbose
		SELECT hilo_next('hi_5')});
	like($error, qr/ERROR:  53000: could not start a background worker to take ids from table "hi_5"/, 'the error');
	like($error, qr/HINT:  You might need to increase max_worker_processes/, 'and the setting');
	is($node->safe_psql('postgres', 'TABLE hi_5'), 1, 'nothing was taken');
	run_in($locker, 'COMMIT');
	is((split /\n/, end_in($_))[0], 10, 'the others have their ids') foreach @holders;
	is($node->safe_psql('postgres', q{SELECT hilo_next('hi_5')}), 10, 'and so has this one, later');
	$_->quit foreach @holders, $locker;
};

subtest 'Marten' => sub {
	my @sessions = map { hilo_session($node, '-c default_transaction_isolation=serializable') } 1 .. 3;

	$node->safe_psql('postgres', q{CREATE SCHEMA store; SELECT hilo_provide_marten('store')});
	# what its client does, but for the retries that -1 asks for
	start_in($_, join ';', (q{INSERT INTO handed SELECT 'hi', store.mt_get_next_hi('Order')}) x 10) foreach @sessions;
	end_in($_) foreach @sessions;
	is_deeply([ handed('hi') ], [ 0 .. 29 ], 'each hi once, from 0 on');
	is($node->safe_psql('postgres', 'TABLE store.mt_hilo'), 'Order|29', 'in the row');
	$_->quit foreach @sessions;

	$node->safe_psql('postgres', 'ALTER DATABASE postgres SET synchronous_commit = off');
	is($node->safe_psql('postgres', q{SELECT store.mt_get_next_hi('Order')}), 30, 'the next hi');
	$node->stop('immediate');
	$node->start;
	is($node->safe_psql('postgres', q{SELECT store.mt_get_next_hi('Order')}), 31, 'does not come back after a crash');
};

$node->stop;
done_testing();

# Gives the ids that sessions have put into the table; what they print at once may be
# read, and lost, with what start_in waits for.
sub handed
{
	my ($source) = @_;

	return split /\n/, $node->safe_psql('postgres', "SELECT id FROM handed WHERE source = '$source' ORDER BY id");
}
