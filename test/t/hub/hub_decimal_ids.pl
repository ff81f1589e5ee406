
# Decimal ids of servers that have a hub: its numbers are those of all of them, whatever is
# restarted or killed.

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
my @servers = map { client_of_hub($hub, (qw(B C D))[$_], $_ + 1) } (0 .. 2);
my ($one, $two, $three) = @servers;

# as the page has it
on($hub, q{SELECT hilo_create('hilo.decimal_id/3')});
foreach my $server (@servers)
{
	on($server, 'ALTER DATABASE postgres SET hilo.launch_id = 3');
	on($server, q{SELECT hilo_create('hilo.decimal_id/3', hub => 'hub')});
	on($server, 'CREATE TABLE made (id bigint DEFAULT decimal_id_next())');
}
is(state_in($one, 'SELECT decimal_id_next()'), '42501', 'the hub wants a grant');
on($hub, q{SELECT hilo_grant('hilo.decimal_id/3', 'servers')});

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
is((() = grep { !/0000100003$/ } @ids) + 0, 0, 'of the launch and its first generator_id');

# The hub is asked for windows, and not else.
$hub->stop;
is(on($one, 'SELECT count(*) FROM generate_series(1, 10) WHERE decimal_id_next() > 0'), 10,
	'a window lasts while the hub is down');
$hub->start;
$_->stop foreach @servers, $hub;
done_testing();
