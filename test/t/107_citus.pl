
# The example of doc/hilo.md for Citus, on a coordinator and two workers, where
# Citus is installed: tables distributed by anchor_bucket, what is anchored on one
# node, and ids of workers from a generator of the coordinator's.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

-e run_sh('echo "$("$PG_CONFIG" --sharedir)/extension/citus.control"')
  or plan skip_all => 'Citus is not installed';

my @nodes = map {
	hilo_node($_, conf => "shared_preload_libraries = 'citus'\nlisten_addresses = '127.0.0.1'\nhilo.prefetch = off")
} qw(coordinator one two);
my ($coordinator, @workers) = @nodes;
my ($tables, $on_worker) = doc_examples('Citus');

$_->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS citus') for @nodes;
$tables =~ s/^CREATE EXTENSION.*\n//mg;
$coordinator->safe_psql('postgres', "SELECT citus_set_coordinator_host('127.0.0.1', " . $coordinator->port . ')');
$coordinator->safe_psql('postgres', "SELECT citus_add_node('127.0.0.1', " . $_->port . ')') for @workers;

my ($create, $query) = $tables =~ /(.*)(SELECT o\.customer.*?;)/s or die 'no query in the example';
$coordinator->safe_psql('postgres', $create);
is($coordinator->safe_psql('postgres', $query), 'Ada|invoices/1$orders/1-A', 'what is anchored is found');
$coordinator->safe_psql('postgres', q{
	INSERT INTO orders SELECT anchor_bucket(id), id, 'many' FROM (SELECT concat('orders/', i, '-B') AS id FROM generate_series(1, 300) i) o;
	INSERT INTO invoices SELECT anchor_bucket(id), id, order_id
	  FROM (SELECT concat('invoices/', i, '$orders/', i, '-B') AS id, concat('orders/', i, '-B') AS order_id FROM generate_series(1, 300) i) o});
is($coordinator->safe_psql('postgres', 'SELECT count(*) FROM orders o JOIN invoices i ON i.bucket = o.bucket AND i.order_id = o.id'), '301', 'a join by anchor');
like($coordinator->safe_psql('postgres', "EXPLAIN $query"), qr/Task Count: 1\b/, 'a query by id goes to one node');
is($coordinator->safe_psql('postgres', q{
	SELECT count(DISTINCT colocation_id), count(*) FROM citus_tables WHERE table_name IN ('orders'::regclass, 'invoices'::regclass)}), '1|2', 'the tables are colocated');

$coordinator->safe_psql('postgres', q{SELECT hilo_create('orders')});
foreach my $worker (@workers)
{
	my $sql = $on_worker =~ s/host 'coordinator', dbname 'shop'/host '127.0.0.1', port '@{[$coordinator->port]}', dbname 'postgres'/r
	  =~ s/ OPTIONS \(user 'shop', password 'secret'\)//r;

	$worker->safe_psql('postgres', $sql);
}
my @ids = map { split /\n/, $_->safe_psql('postgres', q{SELECT hilo_next('orders', 100)}) } @nodes;
my %ids = map { $_ => 1 } @ids;
is(keys %ids, 300, 'no id comes twice');

$_->stop for @nodes;
done_testing();
