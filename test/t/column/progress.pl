
# A statement of more than a second tells how far it has read a table whose ids have no
# index.

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
	INSERT INTO indexed SELECT * FROM orders});

# What has to wait takes longer than a second, on any machine.
my $writer = hilo_session($node);
run_in($writer, 'BEGIN; LOCK orders, first, indexed');
my %calls = (
	q{SELECT hilo_resync('orders', 'id'), hilo_resync('orders', 'id')} => 'reading table "orders": 1024 of 3000 blocks',
	q{INSERT INTO first (note) VALUES ('x')} => 'reading table "first": 1024 of 3000 blocks',
	q{SELECT hilo_resync('indexed', 'id')} => '');
my %sessions = map { $_ => hilo_session($node, '-c client_min_messages=notice') } keys %calls;
start_in($sessions{$_}, $_) foreach keys %calls;
$node->poll_query_until('postgres', q{
	SELECT count(*) = 3 FROM pg_stat_activity
	WHERE wait_event_type = 'Lock' AND clock_timestamp() - query_start > '4 s'})
  or die 'not all wait';
end_session($writer);
foreach my $call (sort keys %calls)
{
	my $session = $sessions{$call};

	$session->query('');
	is(join(' ', $session->{stderr} =~ /NOTICE:  (reading .*)/g), $calls{$call}, $call);
	end_session($session);
}

$node->stop;
done_testing();
