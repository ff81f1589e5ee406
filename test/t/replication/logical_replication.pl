
# Logical replication of all tables between two servers that both use hilo: it
# goes on, and leaves the generators of each server alone.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$publisher->init(allows_streaming => 'logical');
$subscriber->init;
foreach my $node ($publisher, $subscriber)
{
	$node->append_conf(
		'postgresql.conf', q{
client_min_messages = warning
hilo.prefetch = off
hilo.return_on_exit = off
});
	$node->start;
	$node->safe_psql(
		'postgres', q{
		CREATE ROLE clerk;
		CREATE EXTENSION hilo;
		CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'),
							 note text)});
}

my $generators = q{
	SELECT name, last, max_value, is_public FROM hilo_generators() ORDER BY name};

sub generators_are
{
	my ($node, $expected, $what) = @_;

	return is($node->safe_psql('postgres', $generators), $expected,
		$node->name . ": $what");
}

# Roles that only the publisher has own generators and were granted some.
$publisher->safe_psql(
	'postgres', q{
	CREATE ROLE stranger;
	CREATE ROLE leaver;
	GRANT CREATE ON DATABASE postgres TO stranger;
	SET ROLE stranger;
	SELECT hilo_create('stranger');
	SELECT hilo_grant('stranger', 'clerk');
	SELECT hilo_grant('stranger', 'leaver');
	RESET ROLE;
	DROP ROLE leaver});

# Both have generators of the same names, before anything is replicated.
$publisher->safe_psql(
	'postgres', q{
	INSERT INTO orders SELECT FROM generate_series(1, 10);
	SELECT hilo_create('both', max_value => 1000), hilo_seed('both', 100);
	SELECT hilo_create('dropped'), hilo_create('theirs')});
$subscriber->safe_psql(
	'postgres', q{
	SELECT hilo_create('both', max_value => 5000), hilo_seed('both', 50);
	SELECT hilo_create('dropped'), hilo_seed('dropped', 7)});

# Programs that decode, and those that load rows, loop over all tables, hilo's included.
$_->safe_psql(
	'postgres', q{
	DO $$
	DECLARE
		t regclass;
	BEGIN
		FOR t IN SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
			 WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema') LOOP
			EXECUTE format('ALTER TABLE %1$s REPLICA IDENTITY FULL; ALTER TABLE %1$s DISABLE TRIGGER ALL;'
				' ALTER TABLE %1$s ENABLE TRIGGER ALL', t);
		END LOOP;
	END $$}) foreach $publisher, $subscriber;

# What hilo writes at once is not decoded: other plugins have no subscriber of ours.
is( $publisher->safe_psql(
		'postgres', q{
		SELECT 'made' FROM pg_create_logical_replication_slot('decoded', 'test_decoding');
		SELECT hilo_next_tag('first use');
		SELECT data FROM pg_logical_slot_get_changes('decoded', NULL, NULL) WHERE data ~ 'hilo_';
		SELECT 'dropped' FROM pg_drop_replication_slot('decoded');
		SELECT hilo_drop('first use')}),
	"made\n1\ndropped\n",
	'a first use is not decoded');

# A role that may read changes does not learn which role had which right.
is( $publisher->safe_psql(
		'postgres', q{
		SELECT 'made' FROM pg_create_logical_replication_slot('decoded', 'test_decoding');
		SELECT count(hilo_next_tag('secret')), hilo_drop('secret');
		SELECT data FROM pg_logical_slot_get_changes('decoded', NULL, NULL) WHERE data ~ 'hilo_privilege';
		SELECT 'dropped' FROM pg_drop_replication_slot('decoded')}),
	"made
1|
table hilo_internal.hilo_privilege: DELETE: (no-tuple-data)
dropped",
	'nothing of what is deleted is decoded');

$publisher->safe_psql('postgres', 'CREATE PUBLICATION pub FOR ALL TABLES');
$subscriber->safe_psql('postgres',
		q{CREATE SUBSCRIPTION sub CONNECTION '}
	  . $publisher->connstr
	  . q{ dbname=postgres' PUBLICATION pub});
$subscriber->wait_for_subscription_sync($publisher, 'sub');

is( $subscriber->safe_psql('postgres', 'SELECT count(*), max(id) FROM orders'),
	'10|10', 'rows with ids of the publisher have been copied');
generators_are($subscriber, 'both|50|5000|f
dropped|7|9223372036854775807|f', 'the first copy leaves the generators alone');

# And so it goes on: every way that a row of ours comes, changes and goes.
$publisher->safe_psql(
	'postgres', q{
	SELECT hilo_create('created'), hilo_create('dropped later');
	SELECT hilo_grant('created', 'clerk');
	SELECT hilo_next_tag('first used');
	SELECT hilo_create('counted', 'gapless'), hilo_next_tag('counted');
	SELECT hilo_next_tag('counted') FROM generate_series(1, 3);
	SELECT hilo_alter('both', max_value => 2000);
	SELECT hilo_seed('both', 300);
	SELECT hilo_seed('theirs', 20, true);
	SELECT hilo_drop('dropped');
	CREATE ROLE latecomer;
	SELECT hilo_grant('created', 'latecomer');
	SELECT hilo_alter('stranger', owner => 'latecomer');
	SET ROLE stranger;
	SELECT hilo_create('stranger later');
	RESET ROLE;
	INSERT INTO orders (note) VALUES ('first')});
$publisher->wait_for_catchup('sub');
$subscriber->safe_psql(
	'postgres', q{
	SELECT hilo_create('created', first => 500);
	SELECT hilo_create('counted', 'gapless'), hilo_next_tag('counted');
	SELECT hilo_next_tag('first used') FROM generate_series(1, 40);
	SELECT hilo_seed('both', 60);
	SELECT hilo_create('dropped later', first => 10)});
$publisher->safe_psql(
	'postgres', q{
	SELECT hilo_drop('dropped later');
	SELECT hilo_next_tag('counted');
	SELECT hilo_seed('counted', 50);
	SELECT hilo_revoke('created', 'clerk');
	SELECT hilo_revoke('created', 'latecomer');
	SELECT hilo_drop('stranger'), hilo_drop('stranger later');
	DROP OWNED BY stranger;
	DROP ROLE stranger, latecomer;
	SELECT hilo_alter('created', max_value => 99);
	SELECT hilo_create('dropped later');
	UPDATE orders SET note = 'last' WHERE note = 'first'});

$publisher->wait_for_catchup('sub');

is( $subscriber->safe_psql(
		'postgres', q{SELECT id FROM orders WHERE note = 'last'}),
	$publisher->safe_psql(
		'postgres', q{SELECT id FROM orders WHERE note = 'last'}),
	'rows of users arrive');
generators_are($subscriber, 'both|60|5000|f
counted|1|9223372036854775807|f
created|499|9223372036854775807|f
dropped|7|9223372036854775807|f
dropped later|9|9223372036854775807|f
first used|64|9223372036854775807|f', 'replication leaves the generators alone');
generators_are($publisher, 'both|300|2000|f
counted|50|9223372036854775807|f
created|0|99|f
dropped later|0|9223372036854775807|f
first used|32|9223372036854775807|f
orders|64|9223372036854775807|f
theirs|20|9223372036854775807|f', 'nor does the other one notice');

# A generator that only the publisher has begins anew on the subscriber.
is($subscriber->safe_psql('postgres', q{SELECT hilo_next_tag('theirs')}),
	1, 'generators are per server');

# No worker has had to start again.
unlike(slurp_file($subscriber->logfile), qr/ERROR/, 'no worker failed');

$subscriber->stop;
$publisher->stop;
done_testing();
