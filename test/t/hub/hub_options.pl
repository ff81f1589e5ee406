# The options by which a hub is reached, changed while sessions use it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $hub = hub_node('hub', conf => q{shared_preload_libraries = 'hilo'});
my $server = client_of_hub($hub, 'B', 1);
$server->safe_psql('postgres', q{SELECT hilo_create('tickets|', hub => 'hub')});

my $connections = q{SELECT string_agg(application_name, ' ') FROM pg_stat_activity WHERE usename = 'servers'};
my $session = hilo_session($server);
my $other = hilo_session($server);

# Between the moment that they are read and the one that they are used.
run_in($other, 'BEGIN; LOCK TABLE pg_user_mapping IN ACCESS EXCLUSIVE MODE');
start_in($session, q{SELECT identity_next('tickets')});
# asked there, as a connection would wait as well where caches are discarded
wait_until('the session to wait',
	sub { run_in($other, 'SELECT count(*) FROM pg_locks WHERE NOT granted') eq '1' });
run_in($other, q{ALTER SERVER hub OPTIONS (ADD application_name 'changed'); COMMIT});
is(end_in($session), "1\n00000", 'it goes on');
is(run_in($session, q{SELECT identity_next('tickets')}), 2, 'and again');
ok($hub->poll_query_until('postgres', $connections, 'changed'), 'by the options as they are since');

# A user mapping in the place of another leaves no connection behind.
run_in($other, q{
	DROP USER MAPPING FOR CURRENT_ROLE SERVER hub;
	CREATE USER MAPPING FOR CURRENT_ROLE SERVER hub OPTIONS (user 'servers')});
is(run_in($session, q{SELECT identity_next('tickets')}), 3, 'by another mapping');
ok($hub->poll_query_until('postgres', $connections, 'changed'), 'and by that only');

# A session keeps one connection: asked in turns, either hub gives what it should.
name_hub($server, 'another', $hub, application_name => 'another');
run_in($other, q{SELECT hilo_create('more|', hub => 'another')});
is(run_in($session, q{SELECT identity_next('more'), identity_next('more')}), '1|2', 'another hub');
ok($hub->poll_query_until('postgres', $connections, 'another'), 'in the place of the first');
is(run_in($session,
		q{SELECT identity_current('tickets'), identity_next('more'), identity_current('tickets')}),
	'3|3|3', 'in turns');

# By several hosts, of which the first one that answers counts; it is known there by its own.
$hub->append_conf('postgresql.conf', "listen_addresses = '127.0.0.1'");
$hub->restart;
$hub->safe_psql('postgres',
	q{SELECT hilo_node_forget(system_identifier) FROM hilo_internal.hilo_node WHERE node_tag = 'B'});
run_in($other, "ALTER SERVER hub OPTIONS (SET host '127.0.0.2,127.0.0.1')");
is(run_in($session, q{SELECT identity_next('tickets')}), 4, 'by several hosts');
is($hub->safe_psql('postgres', q{SELECT address FROM hilo_nodes() WHERE node_tag = 'B'}),
	'127.0.0.1', 'known by its own');

# Where none answers, each was tried once.
run_in($other, "ALTER SERVER hub OPTIONS (SET host '127.0.0.2,127.0.0.3')");
is_deeply([ error_of($server,
			q{SELECT identity_next('tickets')}) =~ /"(127[^"]*)", port \d+ failed/g ],
	[ '127.0.0.2', '127.0.0.3' ], 'none of them');

end_session($_) foreach $session, $other;
done_testing();
