
# A first use inserts into three tables and their indexes, out of reach of any
# rollback, except the definition of a table's in a transaction that has written.  A crash may come between any two of its WAL records: each of these
# crashes is played back by recovering to that record.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $origin = hilo_node('origin', has_archiving => 1, allows_streaming => 1);

sub insert_lsn
{
	return $origin->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()');
}

$origin->backup('backup');
$origin->safe_psql('postgres', "SELECT hilo_next_tag('before'); CREATE TABLE t (id int DEFAULT hilo_next('t')); INSERT INTO t VALUES (10); CREATE TABLE u (id int DEFAULT hilo_next('u')); CREATE TABLE written (k int)");
my $start = insert_lsn;
# of u in a transaction that has written, and is not committed
$origin->safe_psql('postgres', "SELECT hilo_next('t'); BEGIN; INSERT INTO written VALUES (1); SELECT hilo_next('u'); ROLLBACK; SELECT hilo_next_tag('x')");
my $end = insert_lsn;
archive_wal($origin);
$origin->stop;

my ($records) = run_command(
	[
		'pg_waldump', '-p', $origin->archive_dir, '-s', $start, '-e', $end
	]);
my @points = $records =~ /rmgr: (?:Heap|Btree|Generic) .*lsn: ([^,]+),.*desc: (?:INSERT|Generic)/g;
is(@points, 21, 'rows of three generators, their index entries, and which of them are final');

foreach my $i (0 .. $#points)
{
	my $node = recover_to("point_$i", $origin, "recovery_target_lsn = '$points[$i]'\nhilo.failover_skip = 0\n");

	is( $node->safe_psql('postgres', "SELECT hilo_next_tag('x'); SELECT hilo_next_tag('x')"),
		"1\n2", "a first use after a crash at insert $i");
	wait_for_sessions($node, 0);
	is( $node->safe_psql(
			'postgres',
			"SELECT last FROM hilo_generators() WHERE name = 'x'"),
		2,
		'makes a generator');
	is( $node->safe_psql('postgres', 'INSERT INTO t DEFAULT VALUES RETURNING id > 10'),
		't', 'also above rows');
	is( $node->safe_psql('postgres', 'INSERT INTO u DEFAULT VALUES RETURNING id > 0; SELECT count(*), count(DISTINCT name::text) FROM hilo_internal.hilo_hi'),
		"t\n4|4", 'and of a table with a first use that was not committed');
	is( $node->psql('postgres',
			'REINDEX TABLE hilo_internal.hilo_hi; REINDEX TABLE hilo_internal.hilo_generator; REINDEX TABLE hilo_internal.hilo_privilege'),
		0,
		'and leaves no row that an index does not know');
	$node->stop;
}

done_testing();
