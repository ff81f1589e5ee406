
# Decimal ids of servers that have a hub: a pair of launch_id and generator_id is
# taken once by all of them, whatever is restarted or killed.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $hub = hub_node('hub');
my @servers = map { client_of_hub($hub, (qw(B C D))[$_], $_ + 1,
		conf => "hilo.hub = 'hub'") } (0 .. 2);
my ($one, $two, $three) = @servers;

foreach my $server (@servers)
{
	$server->append_conf('postgresql.conf', 'hilo.launch_id = 3');
	$server->restart;
	on($server, 'CREATE TABLE made (id bigint DEFAULT decimal_id_next())');
}
foreach my $round (1 .. 3)
{
	my $enough = 20 + on($two, 'SELECT count(*) FROM made');
	my @runs = insert_everywhere(2, 2000, "INSERT INTO made DEFAULT VALUES;\n", @servers);

	$two->poll_query_until('postgres', "SELECT count(*) > $enough FROM made") or die 'no rows';
	$two->stop('immediate');
	if ($round == 2)
	{
		crash($hub);
	}
	$two->start;
	$_->finish foreach @runs;
}
my @ids = ids_of('made', @servers);
is_unique('no decimal id twice', @ids);
my %generators = map { (substr($_, -10, 5) => 1) } @ids;
# a server that was killed may have taken one and made no row
cmp_ok(scalar keys %generators, '<=',
	on($hub, "SELECT last FROM hilo_generators() WHERE name = 'hilo.decimal_id/3'"),
	'the generator_ids are those of the hub: ' . join(' ', sort keys %generators));
my @of_servers = map { my $server = $_; my %own = map { (substr($_, -10, 5) => 1) } ids_of('made',
		$server); keys %own } @servers;
is_unique('no generator_id on two servers', @of_servers);
is((() = grep { !/00003$/ } @ids) + 0, 0, 'of the launch');

# The hub is asked at a start, and not else.
$hub->stop;
is(on($one, 'SELECT count(*) FROM generate_series(1, 10) WHERE decimal_id_next() > 0'), 10,
	'a counter that runs never notices a hub that is down');
$one->restart;
is(state_in($one, 'SELECT decimal_id_next()'), '08001', 'a start does');
$hub->start;
is(state_in($one, 'SELECT decimal_id_next()'), '00000', 'until the hub is back');

# A hub that was set back is asked for what lies above.
my $last = on($one, "SELECT last FROM hilo_generators() WHERE name = 'hilo.decimal_id/3'");
on($hub, 'SELECT hilo_node_forget(system_identifier) FROM hilo_nodes()');
on($hub, "SELECT hilo_seed('hilo.decimal_id/3', 0, true)");
$one->restart;
is(on($one, 'SELECT generator_id FROM decimal_id_parts(decimal_id_next())'), $last + 1,
	'no generator_id twice on a server');

# What servers are granted.
on($hub, 'REVOKE EXECUTE ON FUNCTION hilo_internal.hilo_hub_number FROM servers');
$one->restart;
like(error_of($one, 'SELECT decimal_id_next()'),
	qr/42501: permission denied for function hilo_hub_number\n.*CONTEXT:  hub "hub"/s, 'rights');
like(error_of($hub, "SET hilo.hub = 'x'; SELECT hilo_internal.hilo_hub_number(3, 1)"),
	qr/55000: hilo.hub is set on the hub, too/, 'no chains');
$_->stop foreach @servers, $hub;
done_testing();
