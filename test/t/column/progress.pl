
# A statement of more than a second tells how far it is.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node('progress');

# a block for each row
$node->safe_psql('postgres', q{
	CREATE TABLE orders (id bigint DEFAULT hilo_next('orders'), note text) WITH (fillfactor = 10);
	INSERT INTO orders SELECT i, repeat('x', 1500) FROM generate_series(1, 3000) i;
	CREATE TABLE first (LIKE orders) WITH (fillfactor = 10);
	ALTER TABLE first ALTER id SET DEFAULT hilo_next('first');
	INSERT INTO first SELECT * FROM orders;
	CREATE TABLE indexed (id bigint PRIMARY KEY DEFAULT hilo_next('indexed'), note text) WITH (fillfactor = 10);
	INSERT INTO indexed SELECT * FROM orders;
	CREATE TABLE texts AS SELECT i::text AS id FROM generate_series(1, 100000) i});

# What has to wait takes longer than a second, on any machine.
my $writer = hilo_session($node);
run_in($writer, 'BEGIN; LOCK orders, first, indexed, texts, hilo_internal.hilo_generator');
my %calls = (
	q{SELECT hilo_resync('orders', 'id'), hilo_resync('orders', 'id')} => 'reading table "orders": 1024 of 3000 blocks',
	q{INSERT INTO first (note) VALUES ('x')} => 'reading table "first": 1024 of 3000 blocks',
	q{SELECT hilo_resync('indexed', 'id')} => '',
	q{SELECT count(*) FROM anchor_report('texts', 'id')} => 'reading table "public.texts": 65536 rows',
	q{SELECT count(*) FROM hilo_import_ravendb((SELECT json_object_agg('Raven/Hilo/' || i, 1) FROM generate_series(1, 200) i)::jsonb, '{}')} =>
	  'raising generators: 128 of 200');
my %sessions = map { $_ => hilo_session($node, '-c client_min_messages=notice') } keys %calls;
start_in($sessions{$_}, $_) foreach keys %calls;
$node->poll_query_until('postgres', q{
	SELECT count(*) = 5 FROM pg_stat_activity
	WHERE wait_event_type = 'Lock' AND clock_timestamp() - query_start > '4 s'})
  or die 'not all wait';
end_session($writer);
foreach my $call (sort keys %calls)
{
	my $session = $sessions{$call};

	$session->query('');
	is(join(' ', $session->{stderr} =~ /(?:NOTICE|INFO):  (r\w+ing .*)/g), $calls{$call}, $call);
	end_session($session);
}

$node->stop;
done_testing();
