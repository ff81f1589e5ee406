# A library that the postmaster loads reads its settings before there is a
# database, and so an encoding.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node(
	'preload',
	extra => [ '-E', 'UTF8' ],
	conf => "shared_preload_libraries = 'hilo'\n"
	  . "hilo.identity_parts_separator = '\xc2\xb5'\n"
	  . "hilo.node_tag = 'NODE'");

is($node->safe_psql('postgres', "SELECT hilo_next_id('orders')"),
	"orders\xc2\xb5" . '1-NODE', 'settings of more than one byte hold');
unlike(slurp_file($node->logfile), qr/invalid value/, 'and raise no warning');

# In another encoding they are not checked again, nor in the workers of a query.
$node->safe_psql('postgres', q{CREATE DATABASE latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0});
like(
	$node->safe_psql('latin1', q{
		SET parallel_setup_cost = 0;
		SET parallel_tuple_cost = 0;
		SET min_parallel_table_scan_size = 0;
		EXPLAIN (ANALYZE, COSTS off, TIMING off) SELECT count(relacl) FROM pg_class}),
	qr/Workers Launched: [1-9]/, 'a parallel query where they would not hold');

$node->stop;
done_testing();
