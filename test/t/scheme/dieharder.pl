
# Scattered and encrypted ids of a counter before the tests of dieharder: with a
# tenth of its samples, or with all of them, which take minutes, if
# HILO_DIEHARDER=full.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'dieharder is not to be had' unless defined debian_folder('dieharder');

# Those that need no more words than there are: runs, and monobit, runs and
# serial of the STS; birthdays and parking lot have their own size.
my $full = ($ENV{HILO_DIEHARDER} // '') eq 'full';
my @tests = (15, 100, 101, 102, $full ? (0, 10) : ());
my $samples = $full ? 100_000 : 10_000;
my $words = 101 * $samples;

my $node = hilo_node('main');
my $file = PostgreSQL::Test::Utils::tempdir . '/words';
my $key = q{'\x000102030405060708090a0b0c0d0e0f'};

# Return the words of dieharder that judge the lower, or upper, 32 bits of ids.
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
		my ($output) = run_command([ 'dieharder', '-g', '201', '-f', $file, '-d', $test, $test < 15 ? () : ('-t', $samples) ]);
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
