# Without shared memory there are neither ids nor counters.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use FaultyBuild;
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $impossible = FaultyBuild::impossible();
plan skip_all => $impossible if $impossible;

my $node = new_node('no_memory');
FaultyBuild::use_in($node, FaultyBuild::build('no_memory', 'shared_memory.c', 'dsm_create(total_size, 0)',
		'dsm_create((Size) 1 << 50, 0)'));
my $session = hilo_session($node);
isnt(state_of($session, $_), '00000', "an error: $_")
  foreach q{SELECT hilo_next_tag('uncounted')}, 'SELECT * FROM hilo_stats_server()';
end_session($session);
$node->stop;
done_testing();
