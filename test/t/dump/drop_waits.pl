
# A table that is dropped while others take ids of it: they wait for the end of the transaction.
# After a rollback no id comes twice; after a commit nothing of its generator is left, whichever
# session came between.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', conf => "max_prepared_transactions = 2\n");
my $left_over = q{
	SELECT count(*) FROM (
		SELECT name::text FROM hilo_internal.hilo_generator UNION ALL SELECT name::text FROM hilo_internal.hilo_hi
		UNION ALL SELECT generator::text FROM hilo_internal.hilo_privilege) n
	WHERE name ~ '^#' AND NOT EXISTS (SELECT FROM pg_class c WHERE '#' || c.oid = name)};
my @sessions = map { hilo_session($node) } 1 .. 3;
my ($dropper, @clients) = @sessions;
my %seen;

# Note the ids of a range; return whether one was seen before.
sub repeats
{
	my ($output) = @_;
	my ($low, $high) = $output =~ /^(\d+)\|(\d+)$/m or die "no range: $output";

	return scalar grep { $seen{$_}++ } $low .. $high;
}

sub make_table
{
	$node->safe_psql('postgres', q{
		CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'));
		CREATE TABLE plain (id bigint PRIMARY KEY)});
	%seen = ();
	return;
}

my $range = q{SELECT low, high FROM hilo_next_range('orders', 10)};

make_table();
is(repeats(run_in($_, $range)), 0, 'a range') foreach @clients;

# rolled back, in each of the ways
foreach (
	[ 'ROLLBACK', 'BEGIN; DROP TABLE orders', 'ROLLBACK' ],
	[ 'ROLLBACK TO', 'BEGIN; SAVEPOINT s; DROP TABLE orders', 'ROLLBACK TO s' ],
	[ 'ROLLBACK PREPARED', q{BEGIN; DROP TABLE orders; PREPARE TRANSACTION 'drop'},
		q{ROLLBACK PREPARED 'drop'} ],
	[ 'ROLLBACK of DROP SCHEMA',
		q{BEGIN; CREATE SCHEMA s; ALTER TABLE orders SET SCHEMA s; DROP SCHEMA s CASCADE},
		'ROLLBACK' ])
{
	my ($how, $drop, $undo) = @$_;

	run_in($dropper, $drop =~ /CASCADE/ ? "SET client_min_messages = error; $drop" : $drop);
	start_waiting($node, $_, 'Lock', $range) foreach @clients;
	run_in($dropper, $undo);
	is(repeats(end_in($_)), 0, "$how: a client goes on") foreach @clients;
	is(repeats(run_in($_, $range)), 0, "$how: and once more") foreach $dropper, @clients;
	run_in($dropper, 'COMMIT') if $how eq 'ROLLBACK TO';
	is($node->safe_psql('postgres', $left_over), 0, "$how: nothing is left over");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM hilo_internal.hilo_hi}), 1,
		"$how: and nothing is there twice");
}

# many times, under load; a primary key refuses an id that comes twice
$node->safe_psql('postgres', 'CREATE TABLE seen (id bigint PRIMARY KEY)');
append_to_file("$PostgreSQL::Test::Utils::tmp_check/take",
	q{INSERT INTO seen SELECT generate_series(low, high) FROM hilo_next_range('orders', 5);} . "\n"
	. q{WITH new AS (INSERT INTO orders DEFAULT VALUES RETURNING id) INSERT INTO seen SELECT id FROM new;} . "\n");
my $pgbench = IPC::Run::start([ 'pgbench', '-h', $node->host, '-p', $node->port, '-n', '-c', '3',
		'-T', '4', '-f', "$PostgreSQL::Test::Utils::tmp_check/take", 'postgres' ],
	'>', \my $out, '2>', \my $err);
my $rounds = 0;
for (my $end = time + 3; time < $end;)
{
	my $drop = $rounds % 3 == 0
	  ? 'BEGIN; SAVEPOINT s; DROP TABLE orders; ROLLBACK TO s; SELECT hilo_next_range($$orders$$); COMMIT' : 'BEGIN; DROP TABLE orders; ROLLBACK';

	run_in($dropper, $drop);
	$rounds++;
}
$pgbench->finish;
is($err =~ /ERROR:.*/ ? $& : '', '', 'no id comes twice under load');
cmp_ok($rounds, '>', 10, 'in some rounds');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM seen'), '>', 100, 'there were some');

# committed
run_in($dropper, 'BEGIN; DROP TABLE orders');
start_waiting($node, $_, 'Lock', $range) foreach @clients;
run_in($dropper, 'COMMIT');
like(end_in($_), qr/^42P01$/m, 'after the commit there is no such table') foreach @clients;
is($node->safe_psql('postgres', $left_over), 0, 'nothing is left over');
is(state_of($clients[0], $range), '00000', 'the name is a tag by then');
is(state_of($clients[0], q{SELECT hilo_drop('orders')}), '00000', 'that can be dropped');

# a first use, a definition and a restore, of which the DROP sees nothing as yet
my $restore = q{INSERT INTO hilo_internal.hilo_hi (name, reserved, last_size, incarnation, system_identifier, timeline, skipped) VALUES ('#public.plain', 100, 32, 1, 1, 1, 0)};
foreach (
	[ 'a first use', q{SELECT hilo_next('plain')} ],
	[ 'hilo_create', q{SELECT hilo_create('#plain'), hilo_grant('#plain', 'public')} ],
	[ 'a restore', $restore ])
{
	my ($what, $sql) = @$_;

	run_in($clients[0], "BEGIN; CREATE TEMP TABLE xid ON COMMIT DROP AS SELECT 1; $sql");
	start_waiting($node, $dropper, 'Lock', 'DROP TABLE plain');
	run_in($clients[0], 'COMMIT');
	end_in($dropper);
	is($node->safe_psql('postgres', $left_over), 0, "$what: the DROP waits, and finds it");
	$node->safe_psql('postgres', 'CREATE TABLE plain (id bigint PRIMARY KEY)');

	run_in($dropper, 'BEGIN; DROP TABLE plain');
	start_waiting($node, $clients[0], 'Lock', $sql);
	run_in($dropper, 'COMMIT');
	like(end_in($clients[0]), $what eq 'a restore' ? qr/^00000$/m : qr/^42P01$/m,
		"$what: waits for the DROP");
	is($node->safe_psql('postgres', $left_over), 0, "$what: and makes nothing");
	$node->safe_psql('postgres', 'CREATE TABLE plain (id bigint PRIMARY KEY)');
}

# one in the place of another, undone
run_in($dropper, q{SELECT hilo_create('#plain')});
is(run_in($dropper, q{SELECT max(hilo_next('plain')) FROM generate_series(1, 5)}), 5, 'ids');
run_in($dropper,
	q{BEGIN; SELECT hilo_drop('#plain'), hilo_create('#plain', first => 1000); SELECT hilo_next('plain'); ROLLBACK});
is(run_in($dropper, q{SELECT count(*) FROM hilo_internal.hilo_hi}), 1,
	'the one before is back, and no other');
cmp_ok(run_in($dropper, q{SELECT hilo_next('plain')}), '>', 5, 'its ids go on');

end_session($_) foreach @sessions;
$node->stop;
done_testing();
