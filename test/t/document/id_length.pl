# A text id is at most 512 bytes; one that would be longer takes no number.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', extra => [ '--encoding', 'UTF8', '--locale', 'C' ]);
my $session = $node->background_psql('postgres', on_error_stop => 0);
run_in($session, q{SET client_encoding = 'UTF8'; SET client_min_messages = error});
foreach my $call (qw(hilo_next_id identity_next_id))
{
	my $room = $call eq 'hilo_next_id' ? 4 : 2;    # of "/1-A" or "/1"
	my $fits = 'repeat(U&\'\\00E9\', 200) || repeat(\'x\', ' . (112 - $room) . ')';

	is(run_in($session, "SELECT octet_length($call($fits))"), 512, "$call with 512 bytes");
	is(state_of($session, "SELECT $call($fits || 'x')"), '22023', 'and with 513');
}
is(run_in($session, 'SELECT count(*) FROM hilo_generators()'), 2, 'which has made no generator');
end_session($session);

$node->stop;
done_testing();
