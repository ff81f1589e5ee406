# An attacker does not wait for a transaction that he keeps open himself.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../../proof/attack";

use PostgreSQL::Test::Utils;
use Test::More;

use Attack;

no warnings qw(once redefine);
local *Attacker::sleep = sub { };
local $Attacker::DOES{bob} = [ [ 1, sub {
	my ($self) = @_;

	$self->hold unless $self->{hold};
	return unless $self->{hold};
	$self->{hold}->run($_)
	  for 'ROLLBACK', "ROLLBACK PREPARED 'bob'", 'BEGIN; UPDATE bob.hi SET hi_value = hi_value';
	$self->crowd;
} ] ];
my $run = Attack::run(seconds => 5, seed => 1, roles => ['bob'],
	folder => PostgreSQL::Test::Utils::tempdir('attack'));

is_deeply([ map { $_->{detail} } @{ $run->{findings} } ], [], 'nothing stops');

done_testing();
