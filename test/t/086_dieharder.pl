
# Scattered and encrypted ids of a counter before the tests of dieharder, which
# take minutes: HILO_DIEHARDER=1 asks for them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'HILO_DIEHARDER is not set' unless $ENV{HILO_DIEHARDER};
plan skip_all => 'dieharder is not installed'
  unless grep { -x "$_/dieharder" } split /:/, $ENV{PATH};

# Those that need no more words than there are: birthdays, parking lot, runs,
# and monobit, runs and serial of the STS.
my @tests = (0, 10, 15, 100, 101, 102);
my $words = 10_100_000;

my $node = hilo_node('main');
my $file = PostgreSQL::Test::Utils::tempdir . '/words';
my $key = q{'\x000102030405060708090a0b0c0d0e0f'};

# Gives the words of dieharder that judge the lower, or upper, 32 bits of ids.
sub judge
{
	my ($id, $bits, $first) = @_;
	my $shift = $first ? $bits - 32 : 0;

	$node->safe_psql(
		'postgres', qq{
		SELECT lo_from_bytea(1, string_agg(substring(int8send($id >> $shift) FROM 5), ''))
		FROM generate_series(1, $words) n;
		SELECT lo_export(1, '$file'), lo_unlink(1)});
	my %judged;
	foreach my $test (@tests)
	{
		my ($output) = run_command([ 'dieharder', '-g', '201', '-f', $file, '-d', $test ]);
		$judged{$_}++ foreach $output =~ /(PASSED|WEAK|FAILED)/g;
		note grep { /PASSED|WEAK|FAILED/ } map { "$_\n" } split /\n/, $output;
	}
	return \%judged;
}

foreach my $bits (63, 53)
{
	foreach my $id ("id_scatter(n, $bits)", "id_encrypt(n, $key, $bits)")
	{
		foreach my $first (0, 1)
		{
			my $judged = judge($id, $bits, $first);
			my $which = $first ? 'upper' : 'lower';

			cmp_ok($judged->{PASSED} // 0, '>', 5, "$id: tests passed by the $which 32 bits");
			is($judged->{FAILED}, undef, '... and none failed');
		}
	}
}

done_testing();
