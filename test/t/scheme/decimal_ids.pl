
# Decimal ids: one counter for all sessions of a database, whatever ends the server; what a dump
# and a standby carry; and that two databases share no launch unless a superuser says so twice.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use FaultyBuild;
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', allows_streaming => 1, conf => q{
hilo.launch_id = 64
max_connections = 50
restart_after_crash = on
});
my $parts = q{SELECT * FROM decimal_id_parts(decimal_id_next())};

# The id, without its number, which a crash leaves out some of.
sub number
{
	my ($of, $database) = @_;
	my $id = $of->safe_psql($database // 'postgres', 'SELECT decimal_id_next()');

	$id =~ s/0000100065$// or die "$id: another launch or generator_id";
	return $id;
}

my (undef, undef, $error) = $node->psql('postgres', $parts);
like($error, qr/ERROR:  hilo.launch_id is not set for this database\n.*\n.*ALTER DATABASE postgres SET/,
	'a launch of the whole server is none');
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET hilo.launch_id = 65');
is($node->safe_psql('postgres', $parts), '1|1|65', 'the first id');
is($node->safe_psql('postgres', $parts), '2|1|65', 'of all sessions');

# 32 clients, and hardly any WAL
$node->safe_psql('postgres',
	'CREATE UNLOGGED TABLE id (n bigint GENERATED ALWAYS AS IDENTITY, id bigint)');
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
		SELECT pg_current_wal_insert_lsn() - :'before' < 100000}),
	"100000\nt", 'less than a byte of WAL an id');
end_session($session);

# whatever ends the server
my $last = number($node);
foreach my $mode (qw(fast immediate fast immediate))
{
	$node->stop($mode);
	$node->start;
	my $number = number($node);
	cmp_ok($number, '>', $last, "after a stop $mode");
	$last = $number;
}
$session = hilo_session($node);
run_in($session, 'SELECT decimal_id_next()');
my $pid = pid_of($session);
kill 'KILL', $pid;
ok(wait_for_end($node, $pid), 'a session is killed');
end_session($session);
cmp_ok(number($node), '>', $last, 'after a crash');

# a dump carries the numbers, and a copy of the database is no place of the launch
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump.sql';
$last = number($node);
$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr('postgres') ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d',
		$node->connstr('restored') ],
	'restored');
$node->stop;
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE postgres');
foreach my $database (qw(restored copy))
{
	(undef, undef, $error) = $node->psql($database, $parts);
	like($error, qr/hilo.launch_id is not set for this database/, "$database has no launch");
}
$node->safe_psql('postgres', 'ALTER DATABASE restored SET hilo.launch_id = 65');
$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET hilo.launch_id');
cmp_ok(number($node, 'restored'), '>', $last, 'a restored database goes on above');
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET hilo.launch_id = 65');

# no shared memory: an error of core, and then nothing is wrong
SKIP:
{
	skip 'root may write everywhere', 4 if $> == 0;
	my $poor = hilo_node('poor', conf => qq{
hilo.node_no = 1
dynamic_shared_memory_type = mmap
});
	my $folder = $poor->data_dir . '/pg_dynshmem';
	$poor->safe_psql('postgres', 'ALTER DATABASE postgres SET hilo.launch_id = 1');
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

# A short counter, where 32 clients come to its end
SKIP:
{
	skip FaultyBuild::impossible(), 2 if FaultyBuild::impossible();
	my $short = hilo_node('short', conf => 'max_connections = 50');
	my $library = FaultyBuild::build('short_counter', 'decimal_id.c', 'INT64CONST(922337202)',
		'INT64CONST(8000)');

	$short->safe_psql('postgres', "UPDATE pg_proc SET probin = '$library' WHERE probin = 'hilo';
		ALTER DATABASE postgres SET hilo.launch_id = 65;
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
	$short->stop;
}

# a promoted standby goes on above
my $standby = standby_of($node, 'standby');
$last = number($node);
$node->wait_for_catchup($standby);
my (undef, undef, $stderr) = $standby->psql('postgres', $parts);
like($stderr, qr/cannot execute decimal_id_next\(\) in a read-only transaction/,
	'none of a standby');
$node->stop('immediate');
$standby->promote;
cmp_ok(number($standby), '>', $last, 'a promoted standby goes on above');

$standby->stop;

done_testing();
