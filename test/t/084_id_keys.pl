
# Keys with names are in no dump, no log and no stream of changes; a superuser
# can carry them over, and standbys and crashed servers have them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node(
	'main',
	allows_streaming => 'logical',
	conf => qq{
log_statement = all
log_min_error_statement = debug5
log_error_verbosity = verbose
});
$node->safe_psql('postgres',
	q{SELECT pg_create_logical_replication_slot('changes', 'test_decoding')});

$node->safe_psql(
	'postgres', q{
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'),
						 public_id bigint DEFAULT NULL);
	SELECT id_key_create('k');
	ALTER TABLE orders ALTER public_id SET DEFAULT id_seal(1, 'k');
	INSERT INTO orders DEFAULT VALUES;
	SELECT id_key_create('gone'), id_key_drop('gone')});
$node->psql('postgres', "SELECT id_seal(0, 'k')");
$node->psql('postgres', "SELECT id_key_create('k')");

my $sealed = $node->safe_psql('postgres', "SELECT id_seal(54, 'k', 7)");
my $key = $node->safe_psql('postgres',
	"SELECT encode(key, 'hex') FROM hilo_id_key");
like($key, qr/^[0-9a-f]{32}$/, 'there is a key');

my $changes = $node->safe_psql('postgres',
	"SELECT data FROM pg_logical_slot_get_changes('changes', NULL, NULL)");
like($changes, qr/orders/, 'changes are decoded');
unlike($changes, qr/$key/, 'the key is not among them');

my $file = PostgreSQL::Test::Utils::tempdir . '/dump.sql';
$node->safe_psql('postgres', 'CREATE ROLE reader LOGIN IN ROLE pg_read_all_data');
foreach my $command (
	[ 'pg_dump', '-f', $file ], [ 'pg_dump', '--inserts', '-f', $file ],
	[ 'pg_dump', '-f', $file, '-U', 'reader' ],
	[ 'pg_dump', '-a', '-f', $file ], [ 'pg_dumpall', '-f', $file ])
{
	my @command = @$command;
	push @command, ('-d', $node->connstr('postgres'));
	$node->command_ok(\@command, "@$command[0, 1]");
	my $dump = slurp_file($file);
	like($dump, qr/orders/, '... dumps what there is');
	unlike($dump, qr/$key/, '... and not the key');
}

my $log = slurp_file($node->logfile);
like($log, qr/id_key_create\('k'\)/, 'statements are logged');
unlike($log, qr/$key/, 'the key is not');

# a restored database has no keys until somebody brings them
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok(
	[ 'pg_dump', '-f', $file, '-d', $node->connstr('postgres') ], 'pg_dump');
$node->command_ok(
	[ 'psql', '-Xq', '-f', $file, '-d', $node->connstr('restored') ],
	'restored');
my ($status, undef, $stderr) =
  $node->psql('restored', "SELECT id_unseal($sealed, 'k', 7)");
is($status, 3, 'a restored database cannot unseal');
like($stderr, qr/id key "k" does not exist/, 'and says why');
$node->safe_psql('postgres', "COPY hilo_id_key TO '$file'");
$node->safe_psql('restored', "COPY hilo_id_key FROM '$file'");
is($node->safe_psql('restored', "SELECT id_unseal($sealed, 'k', 7)"),
	54, 'with the key it can');
$node->safe_psql('restored', "COPY hilo_id_key FROM '$file'");
is($node->safe_psql('restored', 'SELECT count(*) FROM hilo_id_key'),
	1, 'a second time changes nothing');

# a standby, and a server that has crashed
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
is($standby->safe_psql('postgres', "SELECT id_unseal($sealed, 'k', 7)"),
	54, 'a standby can');
is($standby->safe_psql('postgres', "SELECT id_seal(54, 'k', 7)"),
	$sealed, 'both ways');
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', "SELECT id_unseal($sealed, 'k', 7)"),
	54, 'so can a server that has crashed');

# pg_upgrade carries it
$standby->stop;
$node->safe_psql('postgres', "SELECT pg_drop_replication_slot('changes')");
$node->stop;
my $upgraded = PostgreSQL::Test::Cluster->new('upgraded');
$upgraded->init;
my $bin = $node->config_data('--bindir');
chdir $PostgreSQL::Test::Utils::tmp_check;
command_ok(
	[
		'pg_upgrade', '-b', $bin, '-B', $bin,
		'-d', $node->data_dir, '-D', $upgraded->data_dir,
		'-p', $node->port, '-P', $upgraded->port, '-s', $node->host
	],
	'pg_upgrade');
$upgraded->start;
is($upgraded->safe_psql('postgres', "SELECT id_unseal($sealed, 'k', 7)"),
	54, 'so can a server that was upgraded');
# Nor does it show the key to who may read all tables.
is($upgraded->safe_psql('postgres', q{
	ANALYZE hilo_id_key;
	SET ROLE reader;
	SELECT count(*) FROM hilo_id_key;
	SELECT count(*) FROM pg_statistic WHERE starelid = 'hilo_id_key'::regclass AND staattnum = 3}),
	"0\n0", 'where the key is still hidden');
$upgraded->stop;

done_testing();
