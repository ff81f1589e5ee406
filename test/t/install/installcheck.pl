# `make installcheck` on a server that is not made for tests: its clients give a password over
# TCP, only its own user needs none, the superuser is not that user, and hilo is preloaded.
# These files have failed on such a server, or when they ran a second time.

use strict;
use warnings;

use Cwd qw(getcwd);
use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'no sources here' unless -f 'src/hilo.c' && -f 'Makefile';

my $node = new_node('main', conf =>
	  "client_min_messages = notice\nlisten_addresses = '127.0.0.1'\nshared_preload_libraries = 'hilo'");
$node->safe_psql('postgres', q{CREATE ROLE packager SUPERUSER LOGIN PASSWORD 'secret'});
unlink $node->data_dir . '/pg_hba.conf';
$node->append_conf('pg_hba.conf', "local all all peer\nhost all all 127.0.0.1/32 scram-sha-256");
$node->reload;

my $sources = getcwd();
my $folder = PostgreSQL::Test::Utils::tempdir();
local %ENV = (%ENV, PGHOST => '127.0.0.1', PGPORT => $node->port, PGUSER => 'packager', PGPASSWORD => 'secret');
for my $run ('for the first time', 'again')
{
	my ($out, $err);
	my $passed = IPC::Run::run([ 'make', '-s', '-C', $folder, '-f', "$sources/Makefile", 'installcheck', 'PROVE_TESTS=',
			'REGRESS=citus errors_server hub hub_connection hub_node hub_password hub_window right_all_functions '
			  . 'right_restore_database_owner role_type setting_before_load settings',
			'ISOLATION=prepared_transaction restore_use' ], '>', \$out, '2>', \$err);
	ok($passed, "make installcheck $run")
	  or diag($out, $err, map { slurp_file($_) } glob "$folder/*.diffs $folder/*/*.diffs");
}
$node->stop;

done_testing();
