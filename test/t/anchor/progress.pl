
# A statement of more than a second tells how far it is.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node('progress');

$node->safe_psql('postgres', 'CREATE TABLE texts AS SELECT i::text AS id FROM generate_series(1, 100000) i');

# What has to wait takes longer than a second, on any machine.
my $writer = hilo_session($node);
run_in($writer, 'BEGIN; LOCK texts');
my $call = q{SELECT count(*) FROM anchor_report('texts', 'id')};
my $session = hilo_session($node, '-c client_min_messages=notice');
start_in($session, $call);
$node->poll_query_until('postgres', q{
	SELECT count(*) = 1 FROM pg_stat_activity
	WHERE wait_event_type = 'Lock' AND clock_timestamp() - query_start > '2 s'})
  or die 'it does not wait';
end_session($writer);
$session->query('');
is(join(' ', $session->{stderr} =~ /NOTICE:  (reading .*)/g), 'reading table "public.texts": 65536 rows', $call);
end_session($session);

$node->stop;
done_testing();
