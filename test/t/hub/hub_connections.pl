# The sessions of servers need fewer connections to a hub with the settings that the page has.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $folder = debian_folder('pgbouncer');
plan skip_all => 'pgbouncer is not to be had' unless defined $folder;

my ($sql, $ini) = doc_examples('Connections to a hub');
my $hub = hub_node('hub', conf => 'max_connections = 12');
my $server = client_of_hub($hub, 'B', 1);
my $theirs = q{SELECT count(*) FROM pg_stat_activity WHERE usename = 'servers'};
my $draw = q{SELECT identity_next('tickets')};

on($server, q{SELECT hilo_create('tickets|', hub => 'hub'); CREATE TABLE tickets (id bigint)});

# Sessions that have not asked for a while are closed, and connect again.
on($hub, $sql =~ s/1min/2s/r);
my @open = map { hilo_session($server) } 1 .. 3;
run_in($_, $draw) foreach @open;
ok($hub->poll_query_until('postgres', $theirs =~ s/count\(\*\)/count(*) = 0/r), 'connections end');
is(join(' ', map { run_in($_, $draw) } @open), '4 5 6', 'and begin again');
end_session($_) foreach @open;
on($hub, q{ALTER ROLE servers RESET ALL});

# A pooler serves more sessions than the hub has connections.
my $dir = PostgreSQL::Test::Utils::tempdir_short;
my $port = PostgreSQL::Test::Cluster::get_free_port();
my ($host, $port_of_hub) = ($hub->host, $hub->port);
ok(!inserts(), 'without it some fail');

on($hub, q{ALTER ROLE servers PASSWORD 'secret'});
append_to_file("$dir/userlist.txt", qq{"servers" "secret"\n});
$ini =~ s/hub\.example\.com port=5432/$host port=$port_of_hub/;
$ini =~ s/^listen_addr = .*/listen_addr =\nunix_socket_dir = $dir/m;
$ini =~ s/6432/$port/;
$ini =~ s{/etc/pgbouncer}{$dir};
append_to_file("$dir/pgbouncer.ini", $ini);
my $pool = IPC::Run::start([ "$folder/usr/sbin/pgbouncer", '-q', "$dir/pgbouncer.ini" ], '<', \undef, '>', \my $out, '2>', \my $err);
wait_until('PgBouncer', sub { -S "$dir/.s.PGSQL.$port" });
on($server, qq{
	ALTER SERVER hub OPTIONS (SET host '$dir', SET port '$port');
	ALTER USER MAPPING FOR CURRENT_ROLE SERVER hub OPTIONS (ADD password 'secret')});
on($server, 'TRUNCATE tickets');
ok(inserts(), 'with it none');
is(on($server, 'SELECT count(*), count(DISTINCT id) FROM tickets'), '1500|1500', 'no id twice');
cmp_ok(on($hub, $theirs), '<=', 5, 'by few connections');

# While the hub is down, a call does not wait for long.
$hub->stop;
like(state_in($server, "SET statement_timeout = '30s'; $draw"), qr/^08/, 'an error while it is down');
$hub->start;
ok($server->poll_query_until('postgres', $draw =~ s/\)$/) > 1500/r), 'and ids again');

$pool->kill_kill;
$_->stop foreach $server, $hub;
done_testing();

# Have more sessions of the server insert than the hub lets in; return whether all do.
sub inserts
{
	my ($run) = insert_everywhere(30, 50, q{INSERT INTO tickets VALUES (identity_next('tickets'));}, $server);

	return $run->finish;
}
