
# Replay of changes in place: the standby's pages become the primary's, record
# by record, and their checksums hold.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# A standby that finds a page other than the record says dies of it.
my $primary = new_node('primary', allows_streaming => 1, extra => ['--data-checksums'], conf => q{
full_page_writes = on
wal_consistency_checking = 'all'
wal_keep_size = '1GB'
hilo.return_on_exit = off
});
my $standby = standby_of($primary);

# After the base backup, so that the standby has all of it from the WAL.
$primary->safe_psql(
	'postgres', q{
	CREATE EXTENSION hilo;
	CREATE EXTENSION amcheck;
	SELECT hilo_create('held')});

# Every kind of change, before and after a checkpoint: the first one of a page
# then brings the page along.  Records that freeze a row have the page only if
# they are compared; without that, the next record of the page is.
my $holder = $primary->background_psql('postgres');
foreach my $round (1 .. 3)
{
	my $compared = $round == 2 ? 'heap, heap2, btree' : 'all';

	$holder->query_safe(q{SELECT hilo_next_tag('held')});
	$primary->safe_psql(
		'postgres', qq{
		SET wal_consistency_checking = '$compared';
		SELECT hilo_next_tag('many $round ' || i) FROM generate_series(1, 100) i;
		SELECT hilo_next_tag('many ' || i) FROM generate_series(1, 300) i;
		SELECT hilo_next_tag('first in round $round') FROM generate_series(1, 100);
		SELECT hilo_release();
		SELECT hilo_next_range('held', 10);
		SELECT hilo_seed('many 1', 1000 * $round);
		SELECT hilo_seed('many 2', 7, true);
		SELECT hilo_create('created in round $round');
		SELECT hilo_alter('many 3', max_value => 100000 * $round);
		SELECT hilo_drop('many 4');
		BEGIN; SELECT hilo_next_tag('rolled back in round $round'); ROLLBACK});
	$holder->query_safe('SELECT hilo_release()');
	$primary->safe_psql('postgres', 'VACUUM (FREEZE) hilo_internal.hilo_hi') if $round == 2;
	$primary->safe_psql('postgres', 'CHECKPOINT');
}
$holder->quit;
$primary->safe_psql('postgres', q{SELECT hilo_next_tag('many 5')});

my $before = $primary->lsn('insert');
$primary->safe_psql('postgres', q{
	SET wal_consistency_checking = '';
	SELECT hilo_next_tag('first ' || i) FROM generate_series(1, 300) i});
cmp_ok($primary->safe_psql('postgres',
		"SELECT (pg_current_wal_insert_lsn() - '$before') / 300"),
	'<', 4096, 'the WAL of a first use, in bytes');
$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));

foreach my $table (map { "hilo_internal.$_" } qw(hilo_hi hilo_generator hilo_privilege))
{
	my $rows = "SELECT t FROM $table t ORDER BY 1";

	ok( $primary->safe_psql('postgres', $rows) eq
		  $standby->safe_psql('postgres', $rows),
		"$table is the same on the standby");
	is( $standby->safe_psql(
			'postgres', "SELECT FROM bt_index_check('${table}_pkey', true)"),
		'',
		"$table: its index is sound there");
}
is( $standby->safe_psql(
		'postgres', q{SELECT count(*), max(last) FROM hilo_generators()}),
	$primary->safe_psql(
		'postgres', q{SELECT count(*), max(last) FROM hilo_generators()}),
	'the view can be read there');

$standby->stop;
$primary->stop;
foreach my $node ($primary, $standby)
{
	command_ok([ 'pg_checksums', '--check', '-D', $node->data_dir ],
		$node->name . ': checksums');
}
done_testing();
