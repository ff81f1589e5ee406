# No id is handed out twice, whatever happens to the server: a short run of what
# make torture does at length (see doc/how_it_works.md).
#
# HILO_TORTURE_SECONDS, _CLIENTS and _SEED say how long, how many, and which.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib", "$FindBin::RealBin/../../proof/torture";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Recorder;
use Torture;

my %options = (
	seconds => $ENV{HILO_TORTURE_SECONDS} || 12,
	clients => $ENV{HILO_TORTURE_CLIENTS} || 8,
	seed => $ENV{HILO_TORTURE_SEED} // int(rand(2**31)));

my @sets = (
	[ 'kill_server+immediate+terminate+cancel_refill+vacuum_full+crash_after' ],
	['sync'],
	['gapless'],
	['gapless_late'],
	[ 'hub_kill+hub_down+hub_terminate+kill_server', parts => 'hub,session,seed,alter' ],
	[ 'hub_slow+hub_set_back+hub_replaced+hub_taken', parts => 'hub,session,seed,alter' ]);

foreach (@sets)
{
	my ($set, %own) = @$_;
	my $row = Torture::run_set($set, %options, %own);
	my $run = "$set (seed $options{seed}, $row->{ids} ids; $row->{counts})";

	note $run;
	ok($row->{ids} > 0, "$run: the clients saw ids");
	is($row->{repeats}, 0, "$run: no id was seen twice");
	is($row->{disorder}, 0, "$run: ids go up where they should");
	is($row->{outside}, 0, "$run: no id lies below first or above last");
	is($row->{holes}, 0, "$run: no id is missing that should be there");
	is($row->{errors}, 0, "$run: nothing is left behind, and no session met what should never be");
	diag $row->{told} if $row->{failed};
}

ok(eval { Recorder->new(undef)->hold; 1 }, 'clients can be held that have yet to start') or diag $@;

done_testing();
