# The statements of the documentation that set a hub up.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($on_hub, $on_server) = doc_examples('A hub');
my ($hub, $server) = map { hilo_node($_) } qw(hub server);
on($_, 'DROP EXTENSION hilo') foreach $hub, $server;
on($hub, $on_hub);
unlink $hub->data_dir . '/pg_hba.conf';
$hub->append_conf('pg_hba.conf', "local all servers scram-sha-256\nlocal all all trust");
$hub->reload;
my ($host, $port) = ($hub->host, $hub->port);
$on_server =~ s/hub\.example\.com/$host/;
$on_server =~ s/5432/$port/;
is(on($server, $on_server) =~ s/\s+//gr, '1|1', 'the documented set-up');
is(on($hub, "SELECT count(*) FROM hilo_nodes()"), 2, 'both are known');
on($hub, q{SELECT hilo_node_forget(system_identifier, node_tag) FROM hilo_nodes() WHERE last_seen < now() - interval '1 year'});

$_->stop foreach $server, $hub;
done_testing();
