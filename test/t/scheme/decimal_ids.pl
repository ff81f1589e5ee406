
# Decimal ids: a generator_id for each start of the server, crash or not, and none
# of them twice; a counter for all sessions; what a dump carries.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use FaultyBuild;
use HiloTest;
use List::Util qw(uniq);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', allows_streaming => 1, conf => qq{
hilo.launch_id = 65
max_connections = 50
restart_after_crash = on
});
my $parts = q{SELECT * FROM decimal_id_parts(decimal_id_next())};

is($node->safe_psql('postgres', $parts), '1|1|65', 'the first id');
is($node->safe_psql('postgres', $parts), '2|1|65', 'of all sessions');

# 32 clients, and no WAL
$node->safe_psql('postgres', 'CREATE UNLOGGED TABLE id (n bigint GENERATED ALWAYS AS IDENTITY, id bigint)');
$node->pgbench(
	'--no-vacuum --client=32 --transactions=50',
	0, [qr/processed: 1600\/1600/], [qr/^$/],
	'32 clients',
	{ 'decimal_ids' => 'INSERT INTO id (id) SELECT decimal_id_next() FROM generate_series(1, 20)' });
is($node->safe_psql('postgres', q{
		SELECT count(*), count(DISTINCT id), count(DISTINCT (decimal_id_parts(id)).counter) FROM id}),
	'32000|32000|32000', 'each got its own');
my $session = hilo_session($node);
run_in($session, 'SELECT decimal_id_next()');
is( run_in($session, q{
		SELECT pg_current_wal_insert_lsn() AS before \gset
		SELECT count(decimal_id_next()) FROM generate_series(1, 100000);
		SELECT pg_current_wal_insert_lsn() - :'before' < 10000}),
	"100000\nt", 'ids write no WAL');
end_session($session);

# each start takes the next generator_id
foreach my $generator (2 .. 6)
{
	my $mode = $generator % 2 ? 'fast' : 'immediate';
	$node->stop($mode);
	$node->start;
	is($node->safe_psql('postgres', $parts), "1|$generator|65", "after a stop $mode");
}

# a backend that is killed takes the shared memory with it
$session = hilo_session($node);
run_in($session, 'SELECT decimal_id_next()');
my $pid = pid_of($session);
kill 'KILL', $pid;
ok(wait_for_end($node, $pid), 'a session is killed');
end_session($session);
is($node->safe_psql('postgres', $parts), '1|7|65', 'after a crash');

# sessions of several launches, and databases, side by side
my @sessions = map { hilo_session($node) } 1, 2;
run_in($sessions[1], 'SET hilo.launch_id = 66');
is(run_in($sessions[0], $parts), '2|7|65', 'one launch');
is(run_in($sessions[1], $parts), '1|1|66', 'and another');
is(run_in($sessions[0], $parts), '3|7|65', 'do not disturb each other');
run_in($sessions[1], q{
	SELECT count(decimal_id_next()) FROM generate_series(1001, 1300) launch,
		LATERAL (SELECT set_config('hilo.launch_id', launch::text, false)) s});
is(run_in($sessions[0], $parts), '1|8|65', 'too many of them cost a generator_id');
end_session($_) foreach @sessions;

# a dump carries the counters of generator_ids
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump.sql';
$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr('postgres') ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $node->connstr('restored') ], 'restored');
is($node->safe_psql('restored', "SET hilo.launch_id = 66; $parts"), '1|2|66', 'a restored database goes on with the next generator_id');
is($node->safe_psql('postgres', $parts), '2|8|65', 'the other one is what it was');

# a restore into a database in use brings generator_ids that were taken elsewhere
$session = hilo_session($node);
is(run_in($session, $parts), '3|8|65', 'a session before the restore');
$node->safe_psql('restored', q{SELECT hilo_seed('hilo.decimal_id/65', 9)});
$node->command_ok([ 'pg_dump', '--data-only', '-t', 'hilo_internal.hilo_*', '-f', $dump, '-d', $node->connstr('restored') ], 'dump of rows');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $node->connstr('postgres') ], 'restored alongside the session');
is(run_in($session, $parts), '1|10|65', 'it leaves out what they may have had');
end_session($session);

# of the databases of a server, one has a launch
sub refused
{
	my ($database, $launch, $owner) = @_;
	my (undef, undef, $error) = $node->psql($database, "SET hilo.launch_id = $launch; SELECT decimal_id_next()");
	like($error, qr/ERROR:  launch $launch is in use by database "$owner"/, "$database does not share launch $launch");
	return;
}
sub ids_of
{
	my ($database, $count) = @_;
	return map { $node->safe_psql($database, 'SET hilo.launch_id = 67; SELECT decimal_id_next()') } 1 .. $count;
}
refused('restored', 65, 'postgres');

# one that was made again under its OID has the counters of the one before
$node->safe_psql('postgres', 'CREATE DATABASE first OID 500000');
$node->safe_psql('first', 'CREATE EXTENSION hilo');
my @ids = ids_of('first', 1);
$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE first');
$node->restart;
push @ids, ids_of('first', 3);
refused('copy', 67, 'first');
$node->safe_psql('postgres', $_) foreach ('DROP DATABASE first', 'CREATE DATABASE first TEMPLATE copy OID 500000');
for (1 .. 2)
{
	push @ids, ids_of('first', 5);
	$node->restart;
}
# and so has one that takes over the launch of one that is gone
push @ids, ids_of('first', 5);
$node->safe_psql('postgres', 'DROP DATABASE first');
push @ids, ids_of('copy', 5);
is(scalar(uniq @ids), scalar @ids, 'ids of a launch do not repeat');
$node->safe_psql('postgres', "ALTER DATABASE restored SET hilo.launch_id = 68");
is($node->safe_psql('restored', $parts), '1|1|68', 'its own launch');

# no shared memory: an error of core, and then nothing is wrong
SKIP:
{
	skip 'root may write everywhere', 4 if $> == 0;
	my $poor = hilo_node('poor', conf => qq{
hilo.launch_id = 1
hilo.node_no = 1
dynamic_shared_memory_type = mmap
});
	my $folder = $poor->data_dir . '/pg_dynshmem';
	chmod 0500, $folder or die;
	foreach my $function ('decimal_id_next', 'trace_id_next')
	{
		my (undef, undef, $error) = $poor->psql('postgres', "SELECT $function()");
		like($error, qr/ERROR:  could not (open|map)/s, "$function without shared memory");
	}
	chmod 0700, $folder or die;
	is($poor->safe_psql('postgres', $parts), '1|1|1', 'with it, decimal ids');
	cmp_ok($poor->safe_psql('postgres', 'SELECT trace_id_next()'), '>', 0, 'and trace ids');
	$poor->stop;
}

# A short counter, where 32 clients come to its end; and the last generator_id.
SKIP:
{
	skip FaultyBuild::impossible(), 4 if FaultyBuild::impossible();
	my $short = hilo_node('short', conf => "hilo.launch_id = 65\nmax_connections = 50\n");
	my $library = FaultyBuild::build('short_counter', 'decimal_id.c', 'INT64CONST(922337202)', 'INT64CONST(8000)');

	$short->safe_psql('postgres', "UPDATE pg_proc SET probin = '$library' WHERE probin = 'hilo';
		CREATE UNLOGGED TABLE id (id bigint)");
	$short->pgbench(
		'--no-vacuum --client=32 --transactions=50',
		0, [qr/processed: 1600\/1600/], [qr/^$/],
		'32 clients past the end of the counter',
		{ 'decimal_ids_end' => 'INSERT INTO id SELECT decimal_id_next() FROM generate_series(1, 10);' });
	is($short->safe_psql('postgres', q{
			SELECT count(*), count(DISTINCT id), max(p.counter), string_agg(DISTINCT p.generator_id::text, ',')
			  FROM id, decimal_id_parts(id) p}),
		'16000|16000|8000|1,2', 'each got its own');
	is($short->safe_psql('postgres', q{
			SELECT FROM hilo_seed('hilo.decimal_id/65', 99998);
			SELECT count(*), min(p.generator_id) FROM (SELECT decimal_id_next() AS id FROM generate_series(1, 8000) OFFSET 0) d, decimal_id_parts(id) p}),
		'8000|99999', 'the last counter to its end');
	my (undef, undef, $error) = $short->psql('postgres', 'SELECT decimal_id_next()');
	like($error, qr{generator "hilo.decimal_id/65" has reached its max_value}, 'and then none');
	$short->stop;
}

# a promoted standby takes another; one that was behind leaves some out
my $standby = standby_of($node, 'standby', 'hilo.failover_skip = 1000000');
$node->wait_for_catchup($standby);
my (undef, undef, $stderr) = $standby->psql('postgres', $parts);
like($stderr, qr/cannot execute decimal_id_next\(\) in a read-only transaction/, 'none of a standby');
$node->stop('immediate');
$standby->promote;
is($standby->safe_psql('postgres', $parts), '1|13|65', 'a promoted standby leaves two out, whatever the setting for others says');

$standby->stop;

done_testing();
