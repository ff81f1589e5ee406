
# Every id that a client saw while hilo.ledger was on has a row that tells who took it:
# after a crash, at once or under load, on a standby and after its promotion.  What it
# does not do: grow without end, go to logical replication, or into a dump.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib", "$FindBin::RealBin/../../proof/torture";
use FaultyBuild;
use Faults::Processes;
use HiloTest;
use IPC::Run;
use List::Util qw(max);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $rounds = $ENV{HILO_LEDGER_CRASHES} // 5;
my $conf = "hilo.ledger = on\nwal_writer_delay = 10s\nsynchronous_commit = off\n";
my $node = hilo_node('ledger', allows_streaming => 'logical', conf => $conf);
my $has_amcheck = $node->safe_psql('postgres',
	q{SELECT count(*) FROM pg_available_extensions WHERE name = 'amcheck'});

$node->safe_psql('postgres', q{
	SELECT hilo_create('held', range_size => 4, max_range_size => 4),
	       hilo_create('all', 'global', range_size => 8, max_range_size => 8),
	       hilo_create('client'), hilo_create('one', range_size => 1, max_range_size => 1)});
$node->safe_psql('postgres', 'CREATE EXTENSION amcheck') if $has_amcheck;

# Return how many ids of a generator nobody is known to have taken.
sub unknown
{
	my ($on, $name, @ids) = @_;
	my $list = join ',', @ids;

	return $on->safe_psql('postgres',
		"SELECT count(*) FROM unnest('{$list}'::bigint[]) id
		  WHERE (hilo_whois('$name', id)).status <> 'taken'");
}

# Nothing but hilo itself brings its WAL to disk.
foreach my $case (
	[ 'held', 'an id', "SELECT hilo_next('held')" ],
	[ 'held', 'in a transaction that is open', 'BEGIN', "SELECT hilo_next('held')" ],
	[ 'held', 'of a range reserved ahead', "SELECT hilo_next('held', 12)" ],
	[ 'all', 'of a window', "SELECT hilo_next('all', 12)" ],
	[ 'client', 'of a range for a client', "SELECT low FROM hilo_next_range('client', 10)" ],
	[ 'one', 'in ranges of one', "SELECT hilo_next('one', 50)" ])
{
	my ($name, $topic, @statements) = @$case;
	my $session = hilo_session($node);
	my @ids = map { run_in($session, $_) =~ /(\d+)/g } @statements;

	crash($node, $session);
	cmp_ok(scalar @ids, '>', 0, "$topic: ids");
	is(unknown($node, $name, @ids), 0, "$topic: known after a crash");
}

# Under load, killed at some moment.
my %seen = (held => {}, all => {});
foreach my $round (1 .. $rounds)
{
	my @clients = map { client() } 1 .. 4;
	my $seen = 0;

	while ($seen < 500)
	{
		$_->{run}->pump_nb foreach @clients;
		$seen = () = join('', map { $_->{out} } @clients) =~ /\n/g;
	}
	Faults::Processes::kill_all($node);
	foreach my $client (@clients)
	{
		eval { $client->{run}->finish };
		while ($client->{out} =~ /^(held|all) (\d+)\n/mg)
		{
			ok(0, "$1: $2 came twice") if $seen{$1}{$2}++;
		}
	}
	$node->start;
}
foreach my $name (sort keys %seen)
{
	my @ids = sort { $a <=> $b } keys %{ $seen{$name} };

	note "$name: " . @ids . " ids, $rounds crashes";
	is(unknown($node, $name, @ids), 0, "$name: every id that was seen is known");
}

# What is in the table is sound.
SKIP:
{
	skip 'no amcheck', 2 unless $has_amcheck;
	is($node->safe_psql('postgres', q{SELECT count(*) FROM verify_heapam('hilo_internal.hilo_ledger')}), 0, 'no fault in the table');
	is($node->safe_psql('postgres', q{SELECT bt_index_check('hilo_internal.hilo_ledger_ids')}), '', 'nor in its index');
}
is( $node->safe_psql('postgres', q{
	SET enable_indexscan = off; SET enable_bitmapscan = off;
	SELECT count(*) FROM hilo_internal.hilo_ledger WHERE low > high OR role = '' OR backend < 1}), 0, 'nor in its rows');

# Pruned, its place is used again.
my @sizes;
foreach my $round (1 .. 12)
{
	$node->safe_psql('postgres', q{SELECT count(hilo_next('one')) FROM generate_series(1, 2000)});
	$node->safe_psql('postgres', 'SELECT hilo_ledger_prune(now())');
	$node->safe_psql('postgres', 'VACUUM (FREEZE, INDEX_CLEANUP on) hilo_internal.hilo_ledger');
	push @sizes, $node->safe_psql('postgres', q{SELECT pg_total_relation_size('hilo_internal.hilo_ledger')});
}
# pages of the index come free by the second VACUUM
cmp_ok($sizes[-1], '<=', 1.5 * max(@sizes[ 0 .. 3 ]), 'it does not grow')
  or diag("@sizes");
is(unknown($node, 'one', last_of($node, 'one')), 1, 'what was pruned is unknown');
my $last = $node->safe_psql('postgres', q{SELECT hilo_next('one')});
is(unknown($node, 'one', $last), 0, 'what is taken then is known');

# Two at once: the second one waits, and finds nothing left.
my $session = hilo_session($node);
my $pid = pid_of($session);
$node->safe_psql('postgres', q{SELECT hilo_next('one', 10)});
my $pruner = hilo_session($node);
run_in($pruner, 'BEGIN; SELECT hilo_ledger_prune(now())');
start_in($session, 'SELECT hilo_ledger_prune(now())');
ok(wait_until_waits($node, $pid, 'relation'), 'a second one waits');
$last = $node->safe_psql('postgres', q{SELECT hilo_next('one')});
ok($last, 'but nobody who takes ids');
run_in($pruner, 'COMMIT');
is(end_in($session), "0\n00000", 'and finds nothing left');
end_session($_) foreach $session, $pruner;

# Logical decoding has nothing of it, not even of a range that an xid came with.
$node->safe_psql('postgres', q{
	CREATE TABLE t (id bigint);
	SELECT pg_create_logical_replication_slot('slot', 'test_decoding')});
$node->safe_psql('postgres', q{
	BEGIN; INSERT INTO t VALUES (hilo_next('one')); INSERT INTO t SELECT low FROM hilo_next_range('client', 10); COMMIT;
	SELECT hilo_next('held', 20)});
unlike(
	$node->safe_psql('postgres', q{SELECT data FROM pg_logical_slot_get_changes('slot', NULL, NULL)}),
	qr/hilo_/, 'logical decoding');
$node->safe_psql('postgres', q{SELECT pg_drop_replication_slot('slot')});

# A dump has none, and what was restored is unknown.
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
$node->command_ok([ 'pg_dump', '-f', $dump, $node->connstr('postgres') ], 'a dump');
unlike(slurp_file($dump), qr/^COPY .*hilo_ledger/m, 'has no ledger');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, $node->connstr('restored') ], 'a restore');
is($node->safe_psql('restored', "SELECT status FROM hilo_whois('one', $last)"), 'unknown', 'of which nothing is known');
is($node->safe_psql('restored', "SELECT w.status FROM hilo_next('one') id, hilo_whois('one', id) w"), 'taken', 'but of what comes after it');

# On a standby, and when that is promoted.
my $standby = standby_of($node, 'standby', "hilo.node_tag = 'B'");
# its pages come to it by their changes alone
$node->safe_psql('postgres', $_) foreach 'ALTER SYSTEM SET full_page_writes = off', 'SELECT pg_reload_conf()', 'CHECKPOINT';
my @ids = split /\n/, $node->safe_psql('postgres', q{SELECT hilo_next('one') FROM generate_series(1, 1000)});
$node->wait_for_catchup($standby, 'replay', $node->lsn('flush'));
is(unknown($standby, 'one', @ids), 0, 'known on a standby');
is($standby->safe_psql('postgres', "SELECT node_tag FROM hilo_whois('one', $ids[-1])"), 'A', 'with the node that took it');
$node->stop('immediate');
$standby->promote;
is(unknown($standby, 'one', @ids), 0, 'known after its promotion');
my $next = $standby->safe_psql('postgres', q{SELECT hilo_next('held')});
is($standby->safe_psql('postgres', "SELECT node_tag FROM hilo_whois('held', $next)"), 'B', 'and what that takes');
if ($has_amcheck)
{
	is($standby->safe_psql('postgres', q{SELECT count(*) FROM verify_heapam('hilo_internal.hilo_ledger')}), 0, 'no fault in its table');
	is($standby->safe_psql('postgres', q{SELECT bt_index_check('hilo_internal.hilo_ledger_ids', true)}), '', 'nor in its index');
}
$standby->stop;
done_testing();

# Return a client that shows each id before it asks for the next one.
sub client
{
	my $client = { out => '', err => '', in => '' };

	$client->{in} = join '', map {
		"SELECT 'held', hilo_next('held');\nSELECT 'all', hilo_next('all');\n"
	} 1 .. 20000;
	$client->{run} = IPC::Run::start(
		[ 'psql', '-XAtqF', ' ', '-d', $node->connstr('postgres') ],
		'<', \$client->{in}, '>', \$client->{out}, '2>', \$client->{err});
	return $client;
}
