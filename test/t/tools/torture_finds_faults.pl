# The clients of test/proof/torture see what builds with a fault do, and what one of them does
# wrong: four of those that make mutants goes through.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib", "$FindBin::RealBin/../../proof/torture",
	"$FindBin::RealBin/../../proof/mutants";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FaultyBuild;
use Mutants;
use Torture;

my $impossible = FaultyBuild::impossible();
plan skip_all => $impossible if $impossible;

my %seen_as = (no_flush => 'repeats', life_ignored => 'repeats', number_late => 'errors',
	client_ignores_fork => 'repeats');
my $seed = $ENV{HILO_TORTURE_SEED} // int(rand(2**31));

foreach my $mutant (grep { $seen_as{ $_->{name} } } @Mutants::mutants)
{
	my %run = %{ $mutant->{torture} };
	my $column = $seen_as{ $mutant->{name} };
	my $row = Torture::run_set(delete $run{set}, seconds => 180, clients => 4, seed => $seed, %run,
		until_found => [$column],
		library => FaultyBuild::build($mutant->{name}, @{ $mutant->{changes} }));

	note "seed $seed: $row->{ids} ids, $row->{counts}\n$row->{told}";
	unlike($row->{told}, qr/^died/m, "the harness came to its end: $mutant->{is}");
	cmp_ok($row->{$column}, '>', 0, "found: $mutant->{is}");
}

# and all others can still be put in
my $sources = PostgreSQL::Test::Utils::tempdir();
foreach my $mutant (@Mutants::mutants)
{
	system_or_bail('cp', '-pR', 'src', $sources);
	ok(eval { FaultyBuild::change($sources, @{ $mutant->{changes} }); 1 },
		"can be put in: $mutant->{is}") or diag $@;
}

done_testing();
