# Sources of ORMs: several sessions and an ORM side by side, and crashes.

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
autovacuum = off
wal_writer_delay = 10s
END
$node->safe_psql('postgres', q{
	CREATE SEQUENCE orders_seq INCREMENT 10;
	SELECT hilo_adopt_sequence_tag('orders', 'orders_seq', 'efcore');
	CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
	SELECT hilo_adopt_table_tag('docs', 'mt_hilo', 'marten', 10, key_value => 'Doc');
	CREATE UNLOGGED TABLE handed (source text, id bigint)});

subtest 'sessions that come first' => sub {
	my @sessions = map { hilo_session($node) } 1 .. 4;

	start_in($_, "INSERT INTO handed SELECT 'first', low FROM hilo_next_range('docs', 10)")
	  foreach @sessions;
	end_in($_) foreach @sessions;
	is_deeply([ handed('first') ], [ 1, 11, 21, 31 ], 'each has a block');
	is($node->safe_psql('postgres', 'TABLE mt_hilo'), 'Doc|3', 'of one row');
	$_->quit foreach @sessions;
};

subtest "hilo's function for Marten alongside sessions that always take" => sub {
	my @sessions = map { hilo_session($node) } 1 .. 3;

	$node->safe_psql('postgres',
		q{INSERT INTO mt_hilo VALUES ('Single', -1);
		SELECT hilo_adopt_table_tag('single', 'mt_hilo', 'marten', 1, key_value => 'Single')});
	start_in($sessions[0],
		q{SELECT count(hilo_marten_next_hi('mt_hilo', left('Single', 9 + i))) FROM generate_series(1, 20) i});
	start_in($_, q{SELECT count(hilo_next_tag('single')) FROM generate_series(1, 60)})
	  foreach @sessions[1, 2];
	end_in($_) foreach @sessions;
	is($node->safe_psql('postgres', q{SELECT hi_value FROM mt_hilo WHERE entity_name = 'Single'}),
		139, 'none takes a block that it does not use');
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

		start_in($_,
			qq{INSERT INTO handed SELECT '$name', id FROM generate_series(1, 20) i, hilo_next_tag('$name', 7 + 0 * i) id})
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
	start_waiting($node, $session, 'transactionid', q{SELECT hilo_next_tag('docs')});
	$node->safe_psql('postgres',
		qq{INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"reserved": $restored}')).* FROM hilo_internal.hilo_hi h WHERE name = 'docs'});
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
	cmp_ok($node->safe_psql('postgres', q{SELECT nextval('orders_seq')}), '>', $high,
		'nextval goes on above');
};

subtest 'a sequence that was set back' => sub {
	my $session = hilo_session($node, '-c synchronous_commit=off');
	my $last = last_of($node, 'orders');

	$node->safe_psql('postgres', $_) foreach q{SELECT setval('orders_seq', 1)}, 'CHECKPOINT';
	run_in($session, q{BEGIN; SELECT hilo_seed('orders', 1)});
	crash($node, $session);
	cmp_ok($node->safe_psql('postgres', q{SELECT nextval('orders_seq')}), '>', $last,
		'is raised on disk when hilo_seed comes back');
};

subtest 'Marten' => sub {
	my @sessions = map { hilo_session($node,
			'-c default_transaction_isolation=serializable') } 1 .. 3;

	$node->safe_psql('postgres', q{CREATE SCHEMA store; SELECT hilo_provide_marten('store')});
	# what its client does, except the retries that -1 asks for
	start_in($_, join ';', (q{INSERT INTO handed SELECT 'hi', store.mt_get_next_hi('Order')}) x 10)
	  foreach @sessions;
	end_in($_) foreach @sessions;
	is_deeply([ handed('hi') ], [ 0 .. 29 ], 'each hi once, from 0 on');
	is($node->safe_psql('postgres', 'TABLE store.mt_hilo'), 'Order|29', 'in the row');
	$_->quit foreach @sessions;

	$node->safe_psql('postgres', 'ALTER DATABASE postgres SET synchronous_commit = off');
	is($node->safe_psql('postgres', q{SELECT store.mt_get_next_hi('Order')}), 30, 'the next hi');
	crash($node);
	is($node->safe_psql('postgres', q{SELECT store.mt_get_next_hi('Order')}), 31,
		'does not come back after a crash');
};

$node->stop;
done_testing();

# Return the ids that sessions have put into the table; what they print at once may be
# read, and lost, with what start_in waits for.
sub handed
{
	my ($source) = @_;

	return split /\n/,
		$node->safe_psql('postgres', "SELECT id FROM handed WHERE source = '$source' ORDER BY id");
}
