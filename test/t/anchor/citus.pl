
# The examples of the documentation for Citus, where it is installed, on a coordinator and
# two workers: a statement about an anchor goes to one node, joins of what is anchored
# run where it is, and no id comes twice, whichever node evaluates hilo_next.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

-e run_sh('echo "$("$PG_CONFIG" --sharedir)/extension/citus.control"')
  or plan skip_all => 'Citus is not installed';

my ($coordinator, @workers) = map { citus_node($_) } qw(coordinator one two);
my %tags;
my ($nodes, $tables, $on_coordinator, $on_worker, $default) = doc_examples('Citus');

# Nodes and tables.
$_->safe_psql('postgres', 'CREATE EXTENSION citus') for @workers;
run_example($coordinator, $nodes);
is(on_each('SELECT count(*) FROM pg_extension WHERE extname = \'hilo\''), '1 1 1', 'hilo is on every node');
note($coordinator->safe_psql('postgres', 'SELECT citus_version()'));
like(error_of($coordinator, q{
	CREATE TABLE generated (id text, bucket int GENERATED ALWAYS AS (anchor_bucket(id)) STORED);
	SELECT create_distributed_table('generated', 'bucket')}),
	qr/must not use GENERATED ALWAYS/, 'the bucket cannot be generated');
run_example($coordinator, $tables);
$coordinator->safe_psql('postgres', q{
	INSERT INTO orders SELECT anchor_bucket(id), id, 'many' FROM (SELECT concat('orders/', i, '-B') AS id FROM generate_series(1, 300) i) o;
	INSERT INTO invoices SELECT anchor_bucket(id), id, order_id
	  FROM (SELECT concat('invoices/', i, '$orders/', i, '-B') AS id, concat('orders/', i, '-B') AS order_id FROM generate_series(1, 300) i) o});
is(state_in($coordinator, q{INSERT INTO orders VALUES (anchor_bucket('orders/6'), 'orders/7', 'Bob')}), '23514', 'a wrong bucket is refused');
is(state_in($coordinator, q{INSERT INTO invoices VALUES (anchor_bucket('1$orders/7'), '1$orders/7', 'orders/7')}), '23503', 'foreign keys are kept');
is($coordinator->safe_psql('postgres', q{
	SELECT count(DISTINCT colocation_id), count(*) FROM citus_tables WHERE table_name IN ('orders'::regclass, 'invoices'::regclass)}), '1|2', 'the tables are colocated');
is($coordinator->safe_psql('postgres', 'SELECT count(DISTINCT nodeport) FROM citus_shards'), '2', 'on both workers');

# Where statements run: from the coordinator, and from a worker.
my $join = 'FROM orders o JOIN invoices i ON i.bucket = o.bucket AND i.order_id = o.id';
foreach my $node ($coordinator, $workers[0])
{
	my $from = 'from ' . $node->name;

	foreach my $statement (
		"SELECT o.customer, i.id $join WHERE anchor_match(o.bucket, o.id, 'orders/7-B')",
		"SELECT o.customer, i.id $join WHERE o.bucket = anchor_bucket('orders/7-B')",
		"INSERT INTO orders VALUES (anchor_bucket('orders/8'), 'orders/8', 'Bob')",
		"UPDATE orders SET customer = 'Bob' WHERE anchor_match(bucket, id, 'orders/7-B')",
		"DELETE FROM invoices WHERE anchor_match(bucket, id, 'invoices/7\$orders/7-B')")
	{
		like(plan_of($node, $statement), qr/Task Count: 1\n/, "one node $from: $statement");
	}
	like(plan_of($node, "SELECT * FROM orders WHERE id = 'orders/7-B'"), qr/Task Count: 32\n/, "by id alone, all shards $from");
	my $plan = plan_of($node, "SELECT count(*) $join");
	like($plan, qr/Task Count: 32\n.*->  Task\n.* Join\n/s, "a join of all is pushed down $from");
	unlike($plan, qr/MapMerge/, "and moves no rows $from");
	is($node->safe_psql('postgres', "SELECT count(*) $join"), '301', "and finds all $from");
}
like(error_of($coordinator, 'SELECT count(*) FROM orders o JOIN invoices i ON anchor_bucket(i.id) = anchor_bucket(o.id) AND i.order_id = o.id'),
	qr/requires repartitioning/, 'a join by anchor_bucket is not');
is(prepared('auto'), join("\n", ('many') x 7), 'a prepared statement computes the bucket of its parameter');
like(prepared('force_generic_plan'), qr/could not create distributed plan/, 'a generic plan cannot');

# A worker that has no generator yet takes no ids.
run_example($coordinator, $on_coordinator);
my ($settings, $generators) = $on_worker =~ /(.*pg_reload_conf\(\);\n)(.*)/s or die 'no settings in the example';
foreach my $i (0, 1)
{
	my $tag = (qw(B C))[$i];

	run_example($workers[$i], $settings =~ s/node_tag = 'B'/node_tag = '$tag'/r);
	$workers[$i]->poll_query_until('postgres', "SELECT current_setting('hilo.node_tag', true) = '$tag'") or die 'no reload';
}
my ($create, $inserts) = $default =~ /(.*?\n\n)(.*)/s or die 'no INSERT in the example';
run_example($coordinator, $create);
my $by_select = 'INSERT INTO payments (bucket, order_id) SELECT bucket, id FROM orders';
like(error_of($coordinator, $by_select), qr/ERROR:  42704: generator "payments" does not exist/, 'a worker without a generator takes no id');
is($coordinator->safe_psql('postgres', 'SELECT count(*) FROM payments'), '0', 'and nothing is inserted');
run_example($_, $generators) for @workers;

# Each node takes ids: in defaults, where clients are connected, and where rows are.
run_example($coordinator, $inserts);
like(new_tags(), qr/^A1 B\d+ C\d+$/, 'the coordinator evaluates the default of VALUES, the workers that of SELECT');
is($coordinator->safe_psql('postgres', 'SELECT count(*) FROM payments'), '302', 'for each row');
$workers[0]->safe_psql('postgres', q{INSERT INTO payments (bucket, order_id) SELECT anchor_bucket(id), id
	FROM (SELECT concat('orders/', i, '-B') AS id FROM generate_series(1, 300) i) o});
is(new_tags(), 'B300', 'the node of the client that of SELECT without a table');
$workers[1]->safe_psql('postgres', "COPY payments (bucket, order_id) FROM stdin;\n"
	. $coordinator->safe_psql('postgres', "COPY (SELECT bucket, id FROM orders LIMIT 290) TO stdout") . "\n\\.\n");
is(new_tags(), 'C290', 'and that of COPY');
$_->finish or die 'pgbench failed'
  foreach insert_everywhere(3, 20, "\\set i random(1, 300)\nINSERT INTO payments (bucket, order_id)\n"
	. "  SELECT anchor_bucket(id), id FROM (SELECT concat('orders/', :i, '-B') AS id) o;\n$by_select LIMIT 5;\n", $coordinator, @workers);
like(error_of($coordinator, "UPDATE payments SET id = hilo_next('payments')"), qr/must not be VOLATILE/, 'UPDATE takes none');
is_unique('no id twice', $coordinator->safe_psql('postgres', 'SELECT id FROM payments') =~ /\d+/g,
	$coordinator->safe_psql('postgres', q{SELECT split_part(split_part(id_text, '/', 2), '-', 1) FROM payments}) =~ /\d+/g,
	map { $_->safe_psql('postgres', q{SELECT hilo_next('payments', 100)}) =~ /\d+/g } $coordinator, @workers);
is_unique('no id twice where rows are read', $coordinator->safe_psql('postgres', q{SELECT hilo_next('payments') FROM orders}) =~ /\d+/g,
	$workers[0]->safe_psql('postgres', q{SELECT hilo_next('payments') FROM orders}) =~ /\d+/g);
is($coordinator->safe_psql('postgres', 'SELECT string_agg(node_tag, \'\' ORDER BY node_tag) FROM hilo_nodes()'), 'ABC', 'the coordinator knows its workers');

# Citus moves what is anchored together.
my $shards = q{FROM citus_shards WHERE shardid IN (SELECT get_shard_id_for_distribution_column(t, anchor_bucket('orders/7-B'))
	FROM unnest('{orders,invoices,payments}'::regclass[]) t)};
my $port = $coordinator->safe_psql('postgres', "SELECT DISTINCT nodeport $shards");
my ($other) = grep { $_ != $port } map { $_->port } @workers;
$coordinator->safe_psql('postgres', qq{SELECT citus_move_shard_placement(min(shardid), '127.0.0.1', $port, '127.0.0.1', $other) $shards});
is($coordinator->safe_psql('postgres', "SELECT DISTINCT nodeport $shards"), $other, 'all of an anchor is moved');
like(plan_of($coordinator, "SELECT i.id $join WHERE anchor_match(o.bucket, o.id, 'orders/7-B')"), qr/Task Count: 1\n.*port=$other/s, 'and found');

$_->stop for $coordinator, @workers;
done_testing();

# Return a server for Citus, which reports to nobody.
sub citus_node
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init(allows_streaming => 'logical');
	$node->append_conf('postgresql.conf', <<'END');
shared_preload_libraries = 'citus'
citus.enable_statistics_collection = off
citus.max_adaptive_executor_pool_size = 2
listen_addresses = '127.0.0.1'
max_connections = 200
autovacuum = off
client_min_messages = warning
END
	$node->start;
	return $node;
}

# Run the statements of an example, which mean these servers; test the results that
# it shows.
sub run_example
{
	my ($node, $sql) = @_;
	my @ports = map { $_->port } $coordinator, @workers;
	my $session = hilo_session($node);

	$sql =~ s/host 'coordinator', port '5432', dbname 'shop'/host '127.0.0.1', port '$ports[0]', dbname 'postgres'/;
	$sql =~ s/'$_->[0]', 5432/'127.0.0.1', $_->[1]/ for [ coordinator => $ports[0] ], [ one => $ports[1] ], [ two => $ports[2] ];
	run_in($session, "\\pset fieldsep ' | '");
	while ($sql =~ /\G\s*((?s:.*?);)(?:[ \t]*-- (.*))?\n?/gc)
	{
		my ($statement, $expected) = ($1, $2);
		my $result = run_in($session, $statement);

		is($result, $expected, $statement) if defined $expected && $statement =~ /^SELECT|RETURNING/;
	}
	end_session($session);
	return;
}

sub on_each
{
	my ($sql) = @_;

	return join ' ', map { $_->safe_psql('postgres', $sql) } $coordinator, @workers;
}

sub plan_of
{
	my ($node, $statement) = @_;

	return $node->safe_psql('postgres', "EXPLAIN (COSTS OFF) $statement");
}

# Return the results of a prepared statement that looks for an id, or its error.
sub prepared
{
	my ($mode) = @_;
	my ($status, $out, $err) = $coordinator->psql('postgres',
		"SET plan_cache_mode = $mode;\n"
		  . "PREPARE find (text) AS SELECT customer FROM orders WHERE bucket = anchor_bucket(\$1) AND id = \$1;\n"
		  . "EXECUTE find ('orders/7-B');\n" x 7);

	return $status ? $err : $out;
}

# Return how many payments have come from which node, by its tag, since the last call.
sub new_tags
{
	my %count = $coordinator->safe_psql('postgres',
		q{SELECT right(id_text, 1), count(*) FROM payments GROUP BY 1}) =~ /(\w)\|(\d+)/g;
	my %more = map { $_ => $count{$_} - ($tags{$_} // 0) } keys %count;

	%tags = %count;
	return join ' ', map { "$_$more{$_}" } grep { $more{$_} } sort keys %more;
}
