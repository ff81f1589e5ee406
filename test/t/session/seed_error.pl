
# An error after a forced seed has changed the row reaches its caller only: no
# session goes on with a range from before.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use FaultyBuild;
use PostgreSQL::Test::Cluster;
use Test::More;

my $impossible = FaultyBuild::impossible();
plan skip_all => $impossible if $impossible;

# as where the session runs out of memory over the invalidations that came meanwhile
my $library = FaultyBuild::build('seed_error', 'hi_row.c', q{
	delay_at_random();
	close_row(row);
}, q{
	delay_at_random();
	close_row(row);
	if (strcmp(application_name, "errs") == 0)
		elog(ERROR, "put in by the test");
}, 'hi_row.c', q{#include "access/heapam.h"}, q{#include "access/heapam.h"
#include "utils/guc.h"});
my $node = PostgreSQL::Test::Cluster->new('seed_error');
$node->init;
$node->start;
FaultyBuild::use_in($node, $library);
$node->safe_psql('postgres', "SELECT hilo_create('x', range_size => 10)");

my $session = hilo_session($node);
is(run_in($session, "SELECT array_agg(hilo_next_tag('x')) FROM generate_series(1, 3)"), '{1,2,3}',
	'a session has a range');
my ($status, $out, $err) = $node->psql('postgres',
	"SET application_name = 'errs'; SELECT hilo_seed('x', 0, force => true)");
like($err, qr/put in by the test/, 'the seed errs');
is( $node->safe_psql('postgres',
		"SELECT array_agg(hilo_next_tag('x')) FROM generate_series(1, 10)"),
	'{1,2,3,4,5,6,7,8,9,10}', 'after it has changed the row');
cmp_ok(run_in($session, "SELECT hilo_next_tag('x')"), '>', 10, 'the session knows of it');
end_session($session);

done_testing();
