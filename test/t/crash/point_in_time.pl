
# Recovery to a point in time, and base backups: ids that were handed out after
# that point do not come back while they are few enough.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $origin = hilo_node('origin', has_archiving => 1, allows_streaming => 1);

sub next_of
{
	my ($node, $name) = @_;

	return $node->safe_psql('postgres', "SELECT low FROM hilo_next_range('$name', 32)");
}

is(next_of($origin, 'x'), 1, 'ids before the backup');
$origin->backup('backup');
is(next_of($origin, 'x'), 33, 'ids after it');
$origin->safe_psql('postgres', "SELECT pg_create_restore_point('here')");
next_of($origin, 'x');
is(next_of($origin, 'x'), 97, 'ids after the restore point');
next_of($origin, 'y');
archive_wal($origin);

my $restored = recover_to('restored', $origin, "recovery_target_name = 'here'\n");
is(last_of($restored, 'x'), 64, 'the restored server is at the restore point');
is(next_of($restored, 'x'), 129, 'and skips the ids of after it');
is(next_of($restored, 'x'), 161, 'once');
is(next_of($restored, 'y'), 1, 'a first use of after it is not known');
$restored->stop;

# A backup that starts as it is stays on the timeline: nothing is skipped.
my $copy = PostgreSQL::Test::Cluster->new('copy');
$copy->init_from_backup($origin, 'backup');
$copy->start;
is(next_of($copy, 'x'), 33, 'a copy goes on above what it was copied with');
$copy->stop;

$origin->stop;
done_testing();
