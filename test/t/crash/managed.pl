# The SQL of the page for managed servers, as a role without any right but CREATE on the
# database runs it, without hilo: its examples, crashes by kill -9, rights, and imports beside
# inserts.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use HiloTest;
use HubTest qw(is_unique);
use PostgreSQL::Test::Utils;
use Test::More;

my $page = slurp_file("$FindBin::RealBin/../../../doc/managed.md");
my ($block, @examples) = $page =~ /^```sql\n(.*?)^```/msg;
# what is not flushed must get lost with the server
my $node = new_node('main', conf => "wal_writer_delay = 10s\nautovacuum = off\n");
my $flushes = $node->safe_psql('postgres', 'SHOW server_version_num') >= 170000;

$node->safe_psql('postgres', q{
	CREATE ROLE keeper LOGIN; CREATE ROLE app LOGIN; CREATE ROLE stranger LOGIN;
	GRANT CREATE ON DATABASE postgres TO keeper;
	GRANT CREATE ON SCHEMA public TO keeper, stranger});
cmp_ok(scalar(split /\n/, $block), '<=', 60, 'the block is short');
run_as('keeper', $block);
check_examples();
check_after_hilo();
check_crashes();
check_follow();
check_doctor();
check_rights();

$node->stop;
done_testing();

sub run_as
{
	my ($role, $sql) = @_;

	return $node->safe_psql('postgres', $sql, extra_params => [ '-U', $role, '-F', ' | ' ]);
}

# Return the SQLSTATE of a statement that fails.
sub state_as
{
	my ($role, $sql) = @_;
	my (undef, undef, $errors) = $node->psql('postgres', $sql, extra_params => [ '-U', $role, '-v', 'VERBOSITY=sqlstate' ]);

	return ($errors =~ /ERROR:  (\w+)/)[0];
}

# The result of each example is in the comment behind it.
sub check_examples
{
	my $expected = join "\n", map { join "\n", split /, / } map { /; -- (.*)$/mg } @examples;

	is(run_as('keeper', join '', @examples), $expected, 'the examples');
	return;
}

# The page on removing hilo says how the numbers of groups go on here.
sub check_after_hilo
{
	my ($insert) = slurp_file("$FindBin::RealBin/../../../doc/operations.md") =~ /^ +(INSERT INTO ids\.series .*)$/m;

	is(run_as('keeper', "DELETE FROM ids.series; $insert; INSERT INTO invoices VALUES (7), (8) RETURNING number"),
		"3\n2", 'numbers go on where hilo ended');
	return;
}

# The last ranges before a crash are the ones that nothing else has flushed: those of an open
# transaction where the function flushes, otherwise those of transactions that have committed.
# A sequence writes WAL for 32 values ahead, here across such a point and before it.
sub check_crashes
{
	my $range = q{SELECT low || '-' || high FROM ids.next_range('order_keys')};
	my $number = q{SELECT ids.next_number('crash')};
	my $count = $flushes ? 35 : 25;
	my (@ranges, @numbers);

	foreach my $round (1 .. 5)
	{
		my ($open, $whole) = map { hilo_session($node, '-c role=keeper -c synchronous_commit=off') } 1 .. 2;
		my @order = $flushes ? ($whole, $open) : ($open, $whole);

		push @numbers, run_in($whole, "SET synchronous_commit = on; $number; RESET synchronous_commit");
		run_in($open, "BEGIN; $number");
		run_in($order[0], $range) foreach 1 .. 2;
		push @ranges, map { run_in($order[1], $range) } 1 .. $count;
		kill_all();
		$_->{run}->kill_kill foreach $open, $whole;
		$node->start;
	}
	is_unique('ranges, after kill -9', @ranges);
	is(scalar(grep { /^(\d+)-(\d+)$/ && $1 % 500 == 1 && $2 - $1 == 499 } @ranges), 5 * $count, 'each has its 500 keys');
	is("@numbers", '1 2 3 4 5', 'numbers without gaps go on where the commits ended');
	return;
}

sub kill_all
{
	my @pids = (
		slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/,
		split /\n/, $node->safe_psql('postgres', 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()'));

	$node->kill9;
	kill 'KILL', @pids;
	wait_until('the processes are gone', sub { !kill 0, @pids });
	return;
}

# Rows with and without ids of their own, at once: no insert fails, and none lowers the sequence.
sub check_follow
{
	$node->pgbench(
		'--no-vacuum --client=8 --transactions=200 --username=keeper',
		0, [qr/processed: 1600\/1600/], [qr/^$/],
		'imports beside inserts', {
			'import@1' => q{
				\set ahead random(500, 3000)
				INSERT INTO customers SELECT last_value + :ahead FROM customers_id_seq ON CONFLICT DO NOTHING;},
			'insert@3' => q{INSERT INTO customers (name) VALUES ('new');} });
	is(run_as('keeper', q{
			INSERT INTO customers SELECT i FROM generate_series(2000001, 2005000) i;
			UPDATE customers SET id = 3000000 WHERE id = 2000002;
			INSERT INTO customers DEFAULT VALUES RETURNING id}), '3000001', 'many rows, and an UPDATE');
	is(run_as('keeper', q{
			CREATE TABLE fresh (id bigserial PRIMARY KEY);
			CREATE TRIGGER follow BEFORE INSERT ON fresh FOR EACH ROW EXECUTE FUNCTION ids.follow('public.fresh_id_seq');
			INSERT INTO fresh VALUES (1), (2), (-5);
			INSERT INTO fresh DEFAULT VALUES RETURNING id}), '3', 'a sequence that nobody has used');
	return;
}

sub check_doctor
{
	run_as('keeper', q{
		CREATE TABLE behind (id serial PRIMARY KEY);
		INSERT INTO behind VALUES (5);
		CREATE TABLE full_soon (id smallserial PRIMARY KEY);
		SELECT setval('full_soon_id_seq', 30000)});
	is(run_as('keeper', q{SELECT rel, col, greatest_id, next_id, used_ratio, problem FROM ids.doctor() WHERE problem IS NOT NULL ORDER BY 1}),
		"behind | id | 5 | 1 | 0.000 | rows above the sequence\nfull_soon | id |  | 30001 | 0.916 | nearly used up", 'the doctor');
	is(run_as('keeper', q{SELECT rel FROM ids.doctor() WHERE problem IS NULL ORDER BY rel::text}), "customers\nfresh", 'all columns');
	return;
}

sub check_rights
{
	run_as('keeper', 'GRANT INSERT, SELECT ON invoices, customers TO app; GRANT USAGE ON SCHEMA ids TO stranger');
	is(run_as('app', q{INSERT INTO invoices VALUES (9) RETURNING number; INSERT INTO customers VALUES (3000100) RETURNING id}),
		"1\n3000100", 'INSERT is enough for numbers, and for rows that bring ids');
	is(state_as('stranger', q{SELECT ids.next_number('invoices/9')}), '42501', 'but not for the numbers themselves');
	is(state_as('stranger', q{
			CREATE TABLE own (id bigint);
			CREATE TRIGGER follow BEFORE INSERT ON own FOR EACH ROW EXECUTE FUNCTION ids.follow('public.customers_id_seq')}),
		'42501', 'nor for a trigger on a table of their own');
	is(state_as('stranger', q{SELECT ids.next_range('order_keys')}), '42501', 'a range needs a right on the sequence');
	is(state_as('stranger', q{UPDATE ids.series SET last = 0}), '42501', 'nobody sets numbers back');
	is(run_as('stranger', q{SELECT count(*) FROM ids.doctor()}), '0', 'the doctor reads no table of others');

	# names that could mislead
	is(run_as('stranger', q{
			CREATE FUNCTION nextval(regclass) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
			CREATE SEQUENCE mine INCREMENT 10;
			CREATE TEMP TABLE pg_sequence (seqrelid oid, seqincrement bigint, seqmax bigint);
			SET search_path = public, pg_temp, pg_catalog;
			SELECT * FROM ids.next_range('mine'); SELECT * FROM ids.next_range('mine')}),
		"1 | 10\n11 | 20", 'names come from pg_catalog');
	return;
}
