
# A dump carries the map of shards, the prefixes, and tables partitioned by bucket
# in each of their forms; restored, each row is where it was.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = hilo_node('main');
$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql(
	'source', q{
	CREATE SCHEMA "its Own";
	CREATE EXTENSION hilo SCHEMA "its Own";
	SET search_path = public, "its Own";
	CREATE TABLE plain (id text PRIMARY KEY, note text);
	INSERT INTO plain SELECT concat(p, i), i FROM unnest(ARRAY['users/', 'EU/', 'asia/', 'x$eu/', 'Ü/']) p, generate_series(1, 100) i;
	CREATE TABLE plain_column AS TABLE plain;
	SELECT anchor_partition('plain', 3), anchor_partition('plain_column', 3, bucket_column => 'bucket');
	INSERT INTO hilo_shards SELECT lower(buckets), shard FROM anchor_ranges(3);
	SELECT anchor_prefix_set('eu/', '{0}'), anchor_prefix_set('Asia/', '{1,2}');
	CREATE TABLE "a prefixed" AS TABLE plain;
	CREATE TABLE prefixed_column AS TABLE plain;
	SELECT anchor_partition('"a prefixed"', 3), anchor_partition('prefixed_column', 3, bucket_column => 'bucket');
	CREATE SCHEMA sales;
	CREATE TABLE sales.orders (id text PRIMARY KEY, note text);
	INSERT INTO sales.orders TABLE plain;
	SELECT anchor_partition('sales.orders', 2);
});

my $state = q{
	SET search_path = public, "its Own";
	SELECT * FROM hilo_shards ORDER BY 1;
	SELECT * FROM hilo_prefixes ORDER BY 1;
	SELECT tableoid::regclass, * FROM plain ORDER BY id COLLATE "C";
	SELECT tableoid::regclass, * FROM plain_column ORDER BY id COLLATE "C";
	SELECT tableoid::regclass, * FROM "a prefixed" ORDER BY id COLLATE "C";
	SELECT tableoid::regclass, * FROM prefixed_column ORDER BY id COLLATE "C";
	SELECT anchor_shard(id) FROM plain ORDER BY id COLLATE "C";
	SELECT * FROM anchor_partition_tables() ORDER BY rel::text COLLATE "C"};
my $expected = $node->safe_psql('source', $state);

sub test_restore
{
	my ($how, $dump, @restore) = @_;

	$node->command_ok([ 'pg_dump', @$dump, 'source' ], "$how: dump");
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target');
	$node->command_ok([@restore], "$how: restore");
	is($node->safe_psql('target', $state), $expected, "$how: all is where it was");

	is( $node->safe_psql(
			'target', q{
			SET search_path = public, "its Own";
			INSERT INTO "a prefixed" VALUES ('eu/new') RETURNING tableoid::regclass;
			INSERT INTO prefixed_column_anchored (id) VALUES ('asia/new') RETURNING bucket = anchor_bucket_prefixed('asia/new');
			INSERT INTO plain_column_anchored (id) VALUES ('asia/new') RETURNING bucket = anchor_bucket('asia/new')}),
		"\"a prefixed_p1_0\"\nt\nt",
		"$how: rows find their partitions");
	isnt($node->psql('target', q{SELECT "its Own".anchor_prefix_set('users/', '{0}')}),
		0, "$how: a prefix that rows have is still refused");
	is($node->safe_psql('target', q{SELECT "its Own".anchor_prefix_set('africa/', '{0}')}),
		3 * 1048576, "$how: another one is not");
	isnt($node->psql('target', q{INSERT INTO "its Own".hilo_shards VALUES (1, 0)}),
		0, "$how: the map is kept whole");
	return;
}

my @psql = ('psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', 'target', '-f');
test_restore('plain', [ '-f', "$dir/plain" ], @psql, "$dir/plain");
test_restore('inserts', [ '--inserts', '-f', "$dir/inserts" ], @psql, "$dir/inserts");
test_restore('through the root', [ '--load-via-partition-root', '-f', "$dir/root" ], @psql, "$dir/root");
test_restore('parallel', [ '-Fd', '-j', '2', '-f', "$dir/directory" ],
	'pg_restore', '-j', '4', '-d', 'target', "$dir/directory");

# The map alone, past the triggers and in the replica role.
my ($map) = $state =~ /(SET.*?hilo_prefixes.*?;)/s;
foreach my $how ('--disable-triggers', '')
{
	my ($dump) = run_command([ 'pg_dump', '--data-only', '--table=*.hilo_(shards|prefixes)', $how || (), $node->connstr('source') ]);
	$node->safe_psql('postgres', 'DROP DATABASE target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target');
	$node->safe_psql('target', 'CREATE SCHEMA "its Own"; CREATE EXTENSION hilo SCHEMA "its Own"; SET session_replication_role = '
		. ($how ? 'origin' : 'replica') . ";\n$dump");
	is($node->safe_psql('target', $map), $node->safe_psql('source', $map), 'a map restored ' . ($how || 'in the replica role'));
}

# One schema, without the map, where there is another one: the rows stay.
$node->safe_psql('postgres', 'DROP DATABASE target (FORCE)');
$node->safe_psql('postgres', 'CREATE DATABASE target');
$node->safe_psql('target', 'CREATE SCHEMA "its Own"; CREATE EXTENSION hilo SCHEMA "its Own"');
my %env = (OLD => $node->connstr('source'), NEW => $node->connstr('target'));
run_sh('pg_dump --schema=sales "$OLD" | psql -qX -v ON_ERROR_STOP=1 "$NEW"', %env);
$node->safe_psql('target', 'INSERT INTO "its Own".hilo_shards SELECT lower(buckets), shard FROM "its Own".anchor_ranges(2)');
my $orders = 'SELECT tableoid::regclass, * FROM sales.orders ORDER BY id COLLATE "C"';
foreach my $set (q{anchor_prefix_set('africa/', '{1}')}, q{anchor_prefix_set('africa/', '{1}', 8388608)})
{
	my ($ret, $out, $error) = $node->psql('target', qq{SELECT "its Own".$set}, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
	like($error, qr/55000: prefixes of table sales.orders are not those in hilo_prefixes/, "without the map: $set");
	is($node->safe_psql('target', $orders), $node->safe_psql('source', $orders), 'each row is where it was');
	is($node->safe_psql('target', q{SELECT id FROM sales.orders WHERE sales.orders_match(id, 'EU/1')}), 'EU/1', 'and found');
}
$node->safe_psql('target', 'DELETE FROM "its Own".hilo_shards');
run_sh((doc_examples('Copying generators'))[1], %env);
$node->safe_psql('target', q{SELECT "its Own".anchor_prefix_set('africa/', '{1}')});
is($node->safe_psql('target', $orders), $node->safe_psql('source', $orders), 'with the map, too, each row is where it was');

$node->stop;

done_testing();
