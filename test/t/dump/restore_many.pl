
# A dump of many more generators than one transaction can lock.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

use constant GENERATORS => 5_000;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = new_node('main', conf => q{
max_connections = 10
autovacuum_max_workers = 1
max_worker_processes = 1
max_locks_per_transaction = 64
});

$node->safe_psql(
	'postgres', sprintf q{
	CREATE EXTENSION hilo;
	DO $$BEGIN
		FOR i IN 1 .. %d LOOP
			PERFORM hilo_next_range('Generator ' || i, i + 100);
			IF i %% 1000 = 0 THEN COMMIT; END IF;
		END LOOP;
	END$$}, GENERATORS);

my $state = q{
	SELECT count(*), count(*) FILTER (WHERE name = 'Generator ' || last - 100)
	FROM hilo_generators()};
my $expected = join '|', GENERATORS, GENERATORS;
is($node->safe_psql('postgres', $state), $expected, 'generators to dump');

$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/dump", 'postgres' ], 'dump');

$node->safe_psql('postgres', 'CREATE DATABASE target');
my @restore = ('pg_restore', '--single-transaction', '-d', 'target');
$node->command_ok([ @restore, "$dir/dump" ],
	'restore into an empty database, in one transaction');
is($node->safe_psql('target', $state), $expected, 'all are there');

# The dump raises every other one, the rest is ahead of it.
$node->safe_psql(
	'target', sprintf q{
	DO $$BEGIN
		FOR i IN 1 .. %d LOOP
			PERFORM hilo_seed('generator ' || i,
							  CASE WHEN i %% 2 = 0 THEN 0 ELSE i + 101 END, true);
			IF i %% 1000 = 0 THEN COMMIT; END IF;
		END LOOP;
	END$$}, GENERATORS);
$node->command_ok([ @restore, '--data-only', "$dir/dump" ],
	'restore over all of them, in one transaction');
is( $node->safe_psql(
		'target', q{
		SELECT count(*), count(*) FILTER (WHERE name = 'Generator ' || last - 100),
			   count(*) FILTER (WHERE name = 'Generator ' || last - 101)
		FROM hilo_generators()}),
	join('|', GENERATORS, GENERATORS / 2, GENERATORS / 2),
	'each has the higher last');

$node->stop;
done_testing();
