# No id is handed out twice, whatever happens to the server: see
# test/recorder/Recorder.pm.
#
# HILO_RECORDER_CYCLES, _CLIENTS and _SEED say how long, how many, and which.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../recorder";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Recorder;

my $cycles = $ENV{HILO_RECORDER_CYCLES} || 20;
my $node = PostgreSQL::Test::Cluster->new('recorder');
Recorder::start_server($node);
my $recorder = Recorder->new(
	$node,
	clients => $ENV{HILO_RECORDER_CLIENTS},
	seed => $ENV{HILO_RECORDER_SEED});
note "seed $recorder->{seed}, $cycles cycles, $recorder->{clients} clients";

$recorder->set_up;
$recorder->start;
$recorder->fail for 1 .. $cycles;
$recorder->progress(50_000);
$recorder->stop;

my $seen = $recorder->check;
my $run = "(seed $recorder->{seed}, $seen->{ids} ids; " . $recorder->failures . ')';
note $run;
ok($seen->{ids} > 0, 'the clients saw ids');
is($seen->{repeats}, 0, "no id was seen twice $run");
is($seen->{disorder}, 0, "the ids of a session go up $run");
is($seen->{outside}, 0, "no id lies below first or above last $run");
is($seen->{errors}, 0, "no call met an error of another kind $run");
diag $seen->{told} if $seen->{told};

# What is left behind, maybe a lock.
$ENV{PGOPTIONS} = "-c lock_timeout=${PostgreSQL::Test::Utils::timeout_default}s";
$node->safe_psql('postgres', $_) for split /\n/, $node->safe_psql('postgres',
	q{SELECT format('ROLLBACK PREPARED %L', gid) FROM pg_prepared_xacts});
ok( $node->poll_query_until('postgres', q{
		SELECT NOT EXISTS (SELECT FROM pg_locks
			WHERE pid IS DISTINCT FROM pg_backend_pid() AND
				'hilo_hi'::regclass IN (relation, classid))}),
	'no lock is left');
is( $node->safe_psql('postgres', q{
		SET enable_indexscan = off;
		SET enable_bitmapscan = off;
		SELECT name FROM hilo_hi GROUP BY name HAVING count(*) > 1}),
	'', 'hilo_hi has one row for each name');
is($node->psql('postgres', 'REINDEX TABLE hilo_hi'),
	0, 'and its index can be made again');
cmp_ok($node->safe_psql('postgres', q{
		SELECT sum(slots - rows) FROM (
			SELECT max((ctid::text::point)[1]) AS slots, count(*) AS rows
			FROM hilo_hi GROUP BY (ctid::text::point)[0]) AS page}),
	'<=', $seen->{drops}, 'only hilo_drop leaves dead rows');
$node->stop;

my @alarms = grep { /PANIC|TRAP|internal error| XX\d{3} (?:ERROR|FATAL|PANIC)/ }
  split /\n/, slurp_file($node->logfile);
is("@alarms", '', 'nothing in the log that should never be there');

done_testing();
