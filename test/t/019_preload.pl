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

$node->stop;
done_testing();
