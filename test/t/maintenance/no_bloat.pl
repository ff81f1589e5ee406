
# A row of hilo_hi is changed in place: there are never two versions of it, not
# even if an old snapshot keeps vacuum from removing any.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node('no_bloat');
my $ranges = 20000;

# Where the row is, and how big the table and its index are; then what was ever
# counted of changes.
sub state_now
{
	$node->safe_psql('postgres', 'SELECT pg_stat_force_next_flush()');
	return $node->safe_psql('postgres', <<'END');
SELECT ctid, xmin, xmax, pg_relation_size('hilo_internal.hilo_hi'), pg_relation_size('hilo_internal.hilo_hi_pkey')
FROM hilo_internal.hilo_hi WHERE name = 'x';
SELECT n_tup_upd, n_tup_del, n_dead_tup FROM pg_stat_user_tables
WHERE relname = 'hilo_hi';
END
}

my $reader = hilo_session($node);
# of which each range is a window
$node->safe_psql('postgres',
	"SELECT hilo_create('x', max_value => 30000, range_size => 1, max_range_size => 1)");
run_in($reader,
	'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT reserved FROM hilo_internal.hilo_hi');

my $before = state_now;
my $wal = $node->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()');
$node->safe_psql('postgres', <<"END");
SELECT count(hilo_next_range('x', 1)) FROM generate_series(1, $ranges);
SELECT hilo_seed('x', last + 1) FROM hilo_generators();
SELECT hilo_return_range('x', high, low) FROM hilo_next_range('x', 1);
SELECT hilo_next_tag('x');
SELECT hilo_release();
SELECT pg_stat_force_next_flush();
END
my $bytes = $node->safe_psql('postgres',
	"SELECT pg_current_wal_insert_lsn() - '$wal'::pg_lsn");
my $after = state_now;
is($after, $before, "$ranges ranges later it is the same row");
like($after, qr/\n0\|0\|0$/, 'which was not replaced');
diag sprintf('%.0f bytes of WAL a range', $bytes / $ranges);

my $reserved = 'SELECT reserved FROM hilo_internal.hilo_hi';
is(run_in($reader, $reserved), $node->safe_psql('postgres', $reserved),
	'an old snapshot sees the new value');
end_session($reader);

$node->stop;
done_testing();
