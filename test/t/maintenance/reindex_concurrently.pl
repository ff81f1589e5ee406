
# First uses while an index is being rebuilt alongside the old one: their rows are
# in the new index, in whichever phase they come.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main');
$node->safe_psql('postgres',
	'CREATE EXTENSION hilo; CREATE EXTENSION amcheck');

sub first_uses
{
	my ($when) = @_;

	return is(
		$node->safe_psql(
			'postgres',
			qq{SELECT sum(hilo_next_tag('$when ' || i)) FROM generate_series(1, 50) i}
		),
		50,
		"first uses $when");
}

sub wait_for_phase
{
	my ($phase) = @_;

	$node->poll_query_until('postgres',
		"SELECT phase = '$phase' FROM pg_stat_progress_create_index")
	  or die "no $phase";
	return;
}

# A transaction that has locked the table holds up the rebuild before it begins;
# another one, begun meanwhile, before what was built is looked through; and an
# old snapshot before the new index is used.
foreach my $table (map { "hilo_internal.$_" } qw(hilo_hi hilo_generator hilo_privilege))
{
	my $lock = "BEGIN; LOCK TABLE $table IN ROW EXCLUSIVE MODE";
	my $first = $node->background_psql('postgres');
	my $second = $node->background_psql('postgres');
	my $snapshot = $node->background_psql('postgres');
	my $reindex = $node->background_psql('postgres');

	first_uses("before $table");
	$snapshot->query_safe(
		'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM pg_class LIMIT 0');
	$first->query_safe($lock);
	$reindex->query_until(qr/begins/,
		"\\echo begins\nREINDEX INDEX CONCURRENTLY ${table}_pkey;\n");
	wait_for_phase('waiting for writers before build');
	first_uses("before $table is built");
	$second->query_safe($lock);
	$first->query_safe('COMMIT');
	wait_for_phase('waiting for writers before validation');
	first_uses("before $table is validated");
	$second->query_safe('COMMIT');
	wait_for_phase('waiting for old snapshots');
	first_uses("before $table is used");
	$snapshot->query_safe('COMMIT');
	$reindex->query_safe('SELECT');
	is($reindex->{stderr}, '', "$table: done");

	is( $node->safe_psql(
			'postgres', "SELECT FROM bt_index_check('${table}_pkey', true)"),
		'',
		"$table: the new index knows every row");
	is( $node->safe_psql(
			'postgres', qq{
			SELECT count(*) FROM hilo_generators()
			WHERE last > 0 AND name LIKE '%$table%'}),
		200,
		"$table: and every generator is found");
	$_->quit foreach ($first, $second, $snapshot, $reindex);
}

$node->stop;
done_testing();
