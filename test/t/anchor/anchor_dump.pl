
# A dump carries tables that are partitioned by bucket; restored, each row is where
# it was.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my $node = hilo_node('main');
$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql(
	'source', q{
	CREATE SCHEMA "its Own";
	CREATE EXTENSION hilo SCHEMA "its Own";
	SET search_path = public, "its Own";
	CREATE TABLE orders (id text NOT NULL, note text) PARTITION BY RANGE (anchor_bucket(id));
	SELECT anchor_partitions('orders', 3);
	CREATE TABLE users (id text NOT NULL) PARTITION BY LIST (split_part(docid_fold(id), '/', 1));
	CREATE TABLE users_eu PARTITION OF users FOR VALUES IN ('eu') PARTITION BY RANGE (anchor_bucket(id));
	CREATE TABLE users_rest PARTITION OF users DEFAULT PARTITION BY RANGE (anchor_bucket(id));
	SELECT anchor_partitions('users_eu', 2), anchor_partitions('users_rest', 4);
	INSERT INTO orders SELECT concat(p, i), i FROM unnest(ARRAY['users/', 'EU/', 'x$eu/', 'Ü/']) p, generate_series(1, 100) i;
	INSERT INTO users SELECT id FROM orders});

my $state = q{
	SELECT tableoid::regclass, * FROM orders ORDER BY id COLLATE "C";
	SELECT tableoid::regclass, * FROM users ORDER BY id COLLATE "C"};
my $expected = $node->safe_psql('source', $state);

sub test_restore
{
	my ($how, $dump, @restore) = @_;

	$node->command_ok([ 'pg_dump', @$dump, 'source' ], "$how: dump");
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target');
	$node->command_ok([@restore], "$how: restore");
	is($node->safe_psql('target', $state), $expected, "$how: all is where it was");
	is($node->safe_psql('target', q{SELECT id FROM orders WHERE "its Own".anchor_match(id, 'Ü/7')}),
		'Ü/7', "$how: and found");
	return;
}

test_restore(@$_) foreach ways_to_restore(PostgreSQL::Test::Utils::tempdir);

$node->stop;

done_testing();
