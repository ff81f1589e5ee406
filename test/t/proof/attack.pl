# No role gains a right, a row or an id by what hilo does: a short run of what make attack
# does at length (see doc/how_it_works.md).
#
# HILO_ATTACK_SECONDS and _SEED say how long, and which.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../../proof/attack";

use PostgreSQL::Test::Utils;
use Test::More;

use Attack;

my $seconds = $ENV{HILO_ATTACK_SECONDS} || 20;
my $seed = $ENV{HILO_ATTACK_SEED} // 7;
my $run = Attack::run(seconds => $seconds, seed => $seed,
	folder => PostgreSQL::Test::Utils::tempdir('attack'));

note "seed $seed: $run->{counts}";
foreach my $kind (@Attack::KINDS)
{
	my @found = grep { $_->{kind} eq $kind } @{ $run->{findings} };

	is(scalar @found, 0, "$kind (seed $seed)")
	  or diag join "\n", map { ($_->{detail}, map { "    $_" } @{ $_->{before} }) } @found;
}
cmp_ok($run->{succeeded}, '>', 100, 'attackers did what they may');
cmp_ok($run->{planted}, '>', 20, 'attackers planted tables');
cmp_ok($run->{ids}, '>', 100, 'their victims got ids');
cmp_ok($run->{called}, '>', 60, 'functions were called');

done_testing();
