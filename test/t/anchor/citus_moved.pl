
# The coordinator of a Citus cluster gets another address: its workers find it there, also
# in sessions that know the former one.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

-e run_sh('echo "$("$PG_CONFIG" --sharedir)/extension/citus.control"')
  or plan skip_all => 'Citus is not installed';

my ($coordinator, $worker) = map { citus_node($_) } qw(coordinator worker);

$_->safe_psql('postgres', 'CREATE EXTENSION citus') foreach $worker, $coordinator;
$coordinator->safe_psql('postgres', q{SELECT citus_set_coordinator_host('127.0.0.1', }
	  . $coordinator->port . q{), citus_add_node('127.0.0.1', } . $worker->port . ')');
$coordinator->safe_psql('postgres', 'CREATE EXTENSION hilo; SELECT hilo_citus_setup()');

my $session = hilo_session($worker);
is(run_in($session, q{SELECT identity_next('tickets')}), '1', 'an identity of the coordinator');

my $port = PostgreSQL::Test::Cluster::get_free_port();
$coordinator->stop;
$coordinator->append_conf('postgresql.conf', "port = $port");
$coordinator->{_port} = $port;
$coordinator->start;
my $node =
  $coordinator->safe_psql('postgres', 'SELECT nodeid FROM pg_dist_node WHERE groupid = 0');
$coordinator->safe_psql('postgres', "SELECT citus_update_node($node, '127.0.0.1', $port)");
ok($worker->poll_query_until('postgres',
		"SELECT nodeport = $port FROM pg_dist_node WHERE groupid = 0"),
	'Citus tells the worker');
is(run_in($session, q{SELECT identity_next('tickets')}), '2', 'a session that was open goes on');
is($worker->safe_psql('postgres', q{SELECT identity_next('tickets')}), '3', 'as a new one does');
end_session($session);

$_->stop foreach $coordinator, $worker;
done_testing();
