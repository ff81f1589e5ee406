# The first statement of a session is a \copy: the WAL shows whether its rows went in batches.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $rows = "$PostgreSQL::Test::Utils::tmp_check/rows";
append_to_file($rows, join '', map { "$_\n" } 1 .. 20_000);
my $node = hilo_node('main', conf => "autovacuum = off\nfull_page_writes = off");
$node->safe_psql('postgres', q{
	CREATE TABLE serial (id bigserial PRIMARY KEY, n int);
	CREATE TABLE ids (id bigint PRIMARY KEY DEFAULT hilo_next('ids'), n int);
	CREATE TABLE tags (id bigint PRIMARY KEY DEFAULT hilo_next_tag('tags'), n int);
});
foreach my $preloaded (0, 1)
{
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'hilo'") if $preloaded;
	$node->restart;
	$node->safe_psql('postgres', 'TRUNCATE serial, ids, tags');
	my $serial = wal_of_copy('serial');
	foreach my $table (qw(ids tags))
	{
		my $ratio = wal_of_copy($table) / $serial;
		note("$table: $ratio");
		cmp_ok($ratio, $preloaded ? '<=' : '>', $preloaded ? 1 : 1.2,
			"$table, preloaded: $preloaded");
		is($node->safe_psql('postgres', "SELECT count(DISTINCT id) FROM $table"), 20_000,
			'each id once');
	}
}

done_testing();

sub wal_of_copy
{
	my ($table) = @_;
	my $before = $node->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()');

	$node->safe_psql('postgres', "\\copy $table (n) FROM '$rows'");
	return $node->safe_psql('postgres', "SELECT pg_current_wal_insert_lsn() - '$before'");
}
