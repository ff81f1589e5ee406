
# What each scheme promises about the order of its ids, and what that is worth
# to storage: descents overall and per shard, where sessions take turns;
# correlation, and the pages that a BRIN index has read.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', conf => 'hilo.node_no = 12');
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET hilo.launch_id = 65');
my @sessions = map { hilo_session($node) } 1 .. 3;
my $ids = 1000; # of a session in its turn

# Fill a table with the ids that an expression gives, each session in its turn.
sub fill
{
	my ($table, $id) = @_;

	$node->safe_psql(
		'postgres', "CREATE TABLE $table (
			n bigint GENERATED ALWAYS AS IDENTITY,
			shard int DEFAULT pg_backend_pid(), id bigint, filler text DEFAULT repeat('x', 500))");
	foreach my $turn (1 .. 10)
	{
		run_in($_, "INSERT INTO $table (id) SELECT $id FROM generate_series(1, $ids)")
		  foreach @sessions;
	}
	$node->safe_psql(
		'postgres', "CREATE INDEX ON $table USING brin (id) WITH (pages_per_range = 1);
			VACUUM ANALYZE $table");
	return;
}

# Return how many ids of a table are below the one before, of the same shard if
# so asked.
sub descents
{
	my ($table, $shard) = @_;
	my $window = ($shard ? "PARTITION BY $shard " : '') . 'ORDER BY n';

	return $node->safe_psql('postgres',
		"SELECT count(*) FROM (SELECT id <= lag(id) OVER ($window) AS down FROM $table) t WHERE down");
}

sub correlation
{
	my ($table) = @_;

	return $node->safe_psql('postgres',
		"SELECT correlation FROM pg_stats WHERE tablename = '$table' AND attname = 'id'");
}

# Return the share of a table's pages that a BRIN index has read to find a
# hundredth of its ids that are neighbors.
sub pages_read
{
	my ($table) = @_;
	my ($offset, $limit) = (15 * $ids, 0.3 * $ids);
	my ($low, $high) = split /\|/, $node->safe_psql('postgres',
		"SELECT min(id), max(id) FROM (SELECT id FROM $table ORDER BY id OFFSET $offset LIMIT $limit) t");
	my $plan = $node->safe_psql('postgres',
		"SET enable_seqscan = off;
		 EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM $table WHERE id BETWEEN $low AND $high");
	my $pages = $node->safe_psql('postgres',
		"SELECT pg_relation_size('$table') / current_setting('block_size')::int");

	$plan =~ /Heap Blocks: lossy=(\d+)/ or die "no BRIN scan: $plan";
	return $1 / $pages;
}

# ordering => 'session': sharded
fill('by_session', "hilo_next_tag('by_session')");
cmp_ok(descents('by_session'), '>', 5, 'session: descents between sessions');
is(descents('by_session', 'shard'), 0, 'session: none in a session');
cmp_ok(correlation('by_session'), '>', 0.8, 'session: correlation');
cmp_ok(pages_read('by_session'), '<', 0.1, 'session: BRIN reads few pages');

# global, decimal and trace ids of one server: no descents over all sessions
$node->safe_psql('postgres', "SELECT hilo_create('by_all', 'global')");
fill('by_all', "hilo_next_tag('by_all')");
fill('by_decimal', 'decimal_id_next()');
fill('by_trace', 'trace_id_next()');
foreach my $table ('by_all', 'by_decimal', 'by_trace')
{
	is(descents($table), 0, "$table: no descents");
	cmp_ok(correlation($table), '>', 0.999, "$table: correlation");
	cmp_ok(pages_read($table), '<', 0.05, "$table: BRIN reads hardly more than there is");
}

# decimal ids: sharded by generator_id
$node->safe_psql('postgres', "SELECT hilo_seed('hilo.decimal_id/65', 922337202 - $ids)");
run_in($_, "INSERT INTO by_decimal (id) SELECT decimal_id_next() FROM generate_series(1, $ids)")
  foreach @sessions;
is(descents('by_decimal'), 1, 'decimal ids: a descent where the counter begins again');
is(descents('by_decimal', '(decimal_id_parts(id)).generator_id'),
	0, 'decimal ids: none in a generator_id');

# trace ids of two periods: one descent, where the seconds come round
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*) FROM (
			SELECT id <= lag(id) OVER (ORDER BY s) AS down
			  FROM (SELECT s, trace_id(to_timestamp(s), 12, 0, 1) AS id
					  FROM generate_series(1778384896 - 33554432 + 1, 1778384896 + 33554431, 10007) s) t) t
		 WHERE down}),
	1,
	'trace ids: a descent in two periods of 388 days');

# scattered generators, id_scatter, id_encrypt: none
$node->safe_psql('postgres', "SELECT hilo_create('spread', 'scattered', domain_bits => 53)");
fill('spread', "hilo_next_tag('spread')");
fill('scattered', "id_scatter(hilo_next_tag('scattered'))");
fill('encrypted',
	q{id_encrypt(hilo_next_tag('encrypted'), '\x000102030405060708090a0b0c0d0e0f')});
foreach my $table ('spread', 'scattered', 'encrypted')
{
	cmp_ok(descents($table), '>', 14 * $ids, "$table: every other id descends");
	cmp_ok(descents($table, 'shard'), '>', 14 * $ids, "$table: in each session");
	cmp_ok(abs(correlation($table)), '<', 0.1, "$table: no correlation");
	cmp_ok(pages_read($table), '>', 0.9, "$table: BRIN reads nearly all pages");
}

done_testing();
