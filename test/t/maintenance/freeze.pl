
# The rows of a first use are frozen when they are made: vacuum has nothing
# against them, and leaves them where the index finds them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', conf => q{
hilo.prefetch = off
hilo.return_on_exit = off
vacuum_freeze_min_age = 0
autovacuum_naptime = 1s
autovacuum_vacuum_threshold = 1
autovacuum_vacuum_scale_factor = 0
});
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION hilo;
	CREATE EXTENSION amcheck;
	CREATE EXTENSION pg_visibility});

my @tables = map { "hilo_internal.$_" } qw(hilo_hi hilo_generator hilo_privilege);

sub tables_are_sound
{
	my ($what) = @_;

	foreach my $table (@tables)
	{
		is( $node->safe_psql(
				'postgres', qq{
				SELECT * FROM verify_heapam('$table');
				SELECT pg_check_visible('$table');
				SELECT pg_check_frozen('$table');
				SELECT FROM bt_index_check('${table}_pkey', true)}),
			'',
			"$what: $table is sound");
	}
	return;
}

# First uses in transactions that are rolled back, or still open: their rows look
# like those of a transaction that is not there.
my $open = $node->background_psql('postgres');
$open->query_safe(
	q{BEGIN; SELECT hilo_next_tag('open ' || i) FROM generate_series(1, 100) i});
$node->safe_psql(
	'postgres', q{
	BEGIN;
	SELECT hilo_next_tag('rolled back ' || i) FROM generate_series(1, 100) i;
	ROLLBACK;
	SELECT hilo_create('created ' || i) FROM generate_series(1, 100) i;
	BEGIN;
	SELECT hilo_create('not created ' || i) FROM generate_series(1, 100) i;
	ROLLBACK});

my $expected = $node->safe_psql('postgres', 'SELECT name, last FROM hilo_generators()');
is(scalar(split /\n/, $expected), 300, 'generators');

# Without truncation, which would wait for the open transaction.
$node->safe_psql('postgres', "VACUUM (FREEZE, TRUNCATE off) $_")
  foreach @tables;
is($node->safe_psql('postgres', 'SELECT name, last FROM hilo_generators()'),
	$expected, 'vacuum leaves all of them');
tables_are_sound('frozen');

# Ids are taken from pages that are all frozen, new rows go into them.
$open->query_safe('ROLLBACK');
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*), min(id), max(id) FROM (
			SELECT hilo_next_tag(name) AS id FROM hilo_generators()) ids}),
	'300|1|33',
	'ids go on');
$node->safe_psql('postgres',
	q{SELECT hilo_next_tag('new ' || i) FROM generate_series(1, 100) i});
tables_are_sound('changed in place');

# Autovacuum, with dead rows to remove.
$node->safe_psql('postgres',
	q{SELECT hilo_drop('created ' || i) FROM generate_series(1, 100) i});
$node->poll_query_until(
	'postgres', q{
	SELECT count(*) = 3 FROM pg_stat_user_tables
	WHERE relname LIKE 'hilo%' AND autovacuum_count > 0 AND n_dead_tup = 0})
  or die 'autovacuum does not come';
is($node->safe_psql('postgres', 'SELECT count(*), min(last) FROM hilo_generators()'),
	'300|32', 'autovacuum removes what was dropped, and no more');
tables_are_sound('vacuumed');

$open->quit;
$node->stop;
done_testing();
