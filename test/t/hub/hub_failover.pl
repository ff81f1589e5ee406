
# A hub with a standby that takes over, found by the list of hosts; a server whose own
# standby takes over; and a standby that asks for ids.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $hub = hub_node('hub', allows_streaming => 1);
my $standby = standby_of($hub, 'hub_standby');

my $one = client_of_hub($hub, 'B', 1, allows_streaming => 1);
my $two = client_of_hub($hub, 'C', 2);
my @servers = ($one, $two);
foreach my $server (@servers)
{
	my $hosts = join ',', map { $_->host } ($standby, $hub);
	my $ports = join ',', map { $_->port } ($standby, $hub);

	on($server,
		"ALTER SERVER hub OPTIONS (SET host '$hosts', SET port '$ports', ADD target_session_attrs 'read-write')");
	on($server, q{
		SELECT hilo_create('orders', hub => 'hub'), hilo_create('tickets|', hub => 'hub');
		CREATE TABLE orders (id bigint DEFAULT hilo_next_tag('orders'));
		CREATE TABLE tickets (id bigint DEFAULT identity_next('tickets'))});
}

my @sessions = map { hilo_session($_) } @servers;
sub insert_all
{
	run_in($_,
		'INSERT INTO orders SELECT FROM generate_series(1, 100); INSERT INTO tickets SELECT FROM generate_series(1, 20)') foreach @sessions;
	return;
}
insert_all();
is(on($hub, "SELECT identity_current('tickets')"), 40, 'past the standby');

# The standby does not have the end of it: the hub skips what may have been given,
# and more than by default, as answers that come late lose ranges.
$hub->wait_for_catchup($standby);
$standby->stop;
$standby->append_conf('postgresql.conf', 'hilo.failover_skip = 1024');
insert_all();
$hub->stop('immediate');
is(state_of($sessions[0], "SELECT identity_next('tickets')"), '08001', 'no hub');
$standby->start;
is(state_of($sessions[0], "SELECT identity_next('tickets')"), '08001', 'a standby is none');
like(error_of($one, "SELECT identity_next('tickets')"),
	qr/session is read-only|not accepting connections|read-write/, 'it is said why');
$standby->promote;
insert_all();
my @tickets = ids_of('tickets', @servers);
is(on($standby, "SELECT max(last) >= 120 FROM hilo_generators() WHERE name LIKE '%|'"), 't',
	'the sessions go on with the standby');
is_unique('no identity twice', @tickets);
is_unique('no id twice', ids_of('orders', @servers));

# A standby without the list of hosts to keep from it.
$hub = $standby;
my $next = standby_of($hub, 'next_standby');
name_hub($two, 'reader', $next);
on($two, "SELECT hilo_create('read|', hub => 'reader')");
like(error_of($two, "SELECT identity_next('read')"),
	qr/08006: cannot execute .* \S+\n.*CONTEXT:  hub "reader"/s, 'a standby serves nothing');

# Moved to another server, while sessions are connected.
$hub->wait_for_catchup($next);
$hub->stop;
$next->promote;
on($_, 'ALTER SERVER hub OPTIONS (SET host \'' . $next->host . '\', SET port \'' . $next->port
  . '\')') foreach @servers;
insert_all();
is_unique('moved: no id twice', ids_of('orders', @servers));
is_unique('moved: no identity twice', ids_of('tickets', @servers));
$hub = $next;

# A server's own standby takes over: what it has left is not handed out again.
on($hub, "SELECT hilo_create('few', max_range_size => 40), hilo_grant('few', 'servers')");
on($one, "SELECT hilo_create('few', max_value => 100, hub => 'hub'), hilo_next_tag('few')");
my $heir = standby_of($one, 'heir');
run_in($sessions[0], 'INSERT INTO orders SELECT FROM generate_series(1, 10)');
$one->wait_for_catchup($heir);
on($heir, "LOAD 'hilo'; ALTER SYSTEM SET hilo.node_tag = 'S'; SELECT pg_reload_conf()");
ok($heir->poll_query_until('postgres', "SELECT current_setting('hilo.node_tag') = 'S'"),
	'a standby has its own tag');
is(state_in($heir, "SELECT hilo_next_tag('orders')"), '25006', 'a standby asks for nothing');
is(state_in($heir, "SELECT identity_next('tickets')"), '25006', 'nor for identities');
is(on($heir, "SELECT identity_current('tickets')"), on($hub, "SELECT identity_current('tickets')"),
	'it may look');
$heir->stop;
my @lost = map { run_in($sessions[0], "SELECT hilo_next_tag('orders')") } (1 .. 2000);
@lost = (@lost, ids_of('orders', $one));
$one->stop('immediate');
$heir->start;
$heir->promote;
end_session($sessions[0]);
$sessions[0] = hilo_session($heir);
my @after = map { run_in($sessions[0], "SELECT hilo_next_tag('orders')") } (1 .. 2000);
like(run_in($sessions[0], "SELECT hilo_next_id('orders')"), qr/-S$/, 'its text ids have its tag');
is(on($heir, "SELECT count(id) || ' ' || max(id) FROM hilo_next_tag('few', 96) id"), '96 100',
	'what was reserved is left out, all else is there');
is(state_in($heir, "SELECT hilo_next_tag('few')"), '2200H', 'and no more');
is_unique('no id of a server that was lost', @lost, @after, ids_of('orders', $two));

# A cold copy of a server: neither goes on with the window that both have.
my $copied = client_of_hub($hub, 'E', 4, conf => q{shared_preload_libraries = 'hilo'});
on($copied, q{SELECT hilo_create('orders', hub => 'hub')});
my @ids = map { on($copied, "SELECT hilo_next_tag('orders')") } 1 .. 10;
$copied->stop;
$copied->backup_fs_cold('cold');
my $copy = PostgreSQL::Test::Cluster->new('copy');
$copy->init_from_backup($copied, 'cold');
foreach my $server ($copied, $copy)
{
	$server->start;
	push @ids, map { on($server, "SELECT hilo_next_tag('orders')") } 1 .. 10;
}
is_unique('no id of a server twice in a cold copy', @ids);

$_->stop foreach ($copy, $copied, $heir, $two, $hub);
done_testing();
