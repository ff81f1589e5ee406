
# A tag that is dropped, renamed or set back on a hub, while other servers have windows of it:
# they go on, and a new one of its name begins above what they may hand out.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use Test::More;

my $hub = hub_node('hub');
my @servers = map { client_of_hub($hub, (qw(B C))[$_], $_ + 1) } (0 .. 1);
my %used;

on($_, q{
	SELECT hilo_create('orders', hub => 'hub', range_size => 4), hilo_create('tickets|', hub => 'hub')})
  foreach @servers;
take_everywhere('from windows of a hub');

# Take ids of all servers; none came before.
sub take_everywhere
{
	my ($what) = @_;
	my $take = "SELECT hilo_next_tag('orders') FROM generate_series(1, 20)";
	my @again = grep { $used{$_}++ }
	  map { split /\n/, on($_, $take) } ($servers[0], $hub, $servers[1]) x 5;

	is("@again", '', "no id comes twice $what");
	return;
}

my @news = (
	"SELECT hilo_create('orders', range_size => 10)",
	"SELECT hilo_create('other'), hilo_rename('other', 'orders')",
	"BEGIN; SELECT hilo_create('orders'); ROLLBACK");
foreach my $old ("SELECT hilo_drop('orders')",
	"SELECT hilo_rename('orders', 'former'); SELECT hilo_drop('former')")
{
	foreach my $new (@news)
	{
		on($hub,
			"$old; $new; SELECT hilo_next_tag('orders'); SELECT hilo_grant('orders', 'servers')");
		take_everywhere("after $old; $new");
	}
}
on($hub, "BEGIN; SELECT hilo_drop('orders'); ROLLBACK");
take_everywhere('after a drop that was rolled back');
on($hub, "SELECT hilo_rename('orders', 'former'); SELECT hilo_rename('former', 'orders')");
take_everywhere('forth and back');

like(error_of($hub, "SELECT hilo_seed('orders', 5, force => true)"),
	qr/ERROR:  55000: other servers may hand out ids of generator "orders" up to \d+\n.*\nHINT:  To lower the generator, drop it on each of them first\. Then have a superuser run SELECT hilo_node_forget\(system_identifier\) FROM hilo_nodes\(\) here\./,
	'it is not set back');
on($hub,
	"SELECT hilo_seed('orders', last + 100000, force => true) FROM hilo_generators() WHERE name = 'orders'");
take_everywhere('but forth');
on($_, "SELECT identity_next('tickets')") foreach @servers;
is(on($hub, "SELECT identity_seed('tickets', 1, force => true), identity_next('tickets')"), '1|2',
	'an identity has no windows');

# as the hint says
on($_, "SELECT hilo_drop('orders')") foreach @servers;
on($hub, 'SELECT hilo_node_forget(system_identifier) FROM hilo_nodes()');
is(on($hub, "SELECT hilo_seed('orders', 5, force => true), hilo_next_tag('orders')"), '5|6',
	'set back when no server has ids any more');
on($hub, "SELECT hilo_drop('orders')");
is(on($hub, "SELECT hilo_next_tag('orders')"), 1, 'or dropped, and made anew');

$_->stop foreach @servers, $hub;
done_testing();
