# The benchmark runs, and each part prints its rows.  How fast anything is does
# not matter here.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'needs the private install of test/run'
  unless $ENV{PRIVATE_INSTALL};

my $csv = PostgreSQL::Test::Utils::tempdir() . '/bench.csv';
my ($out, $err);
{
	local %ENV = (
		%ENV,
		BENCH_ROUNDS => 1,
		BENCH_SECONDS => 0,
		BENCH_ROWS => 10000,
		BENCH_CLIENTS => '1 2',
		BENCH_CSV => $csv);
	my $ran = IPC::Run::run(['test/bench/run'], '>', \$out, '2>', \$err);
	ok($ran, 'the benchmark runs') or diag($out, $err);
}

my $number = qr/\s+-?[\d.,]+(?: %)?/;
my %rows = (
	statement => [
		'empty function',
		(map { ("nextval, CACHE $_", "hilo_next, ranges from $_", "hilo_next, ranges held at $_") } 32, 1000, 100000) ],
	first_call => [ 'empty function', 'nextval', 'hilo_next' ],
	transactions => [
		'empty function', 'hilo_next', 'hilo_next, ranges held at 1000',
		'nextval, CACHE 1000', 'nextval, CACHE 1',
		'gen_random_uuid()', 'UPDATE ... RETURNING' ],
	ranges => [ 'UPDATE ... RETURNING', 'hilo_next_range' ],
	latency => [
		'empty function', 'nextval, CACHE 1000', 'nextval, CACHE 250',
		'hilo_next, ranges held at 250, no prefetch', 'hilo_next, ranges held at 250' ]);
my %numbers = (
	statement => 3, first_call => 3, transactions => 6, ranges => 6, latency => 7);

for my $part (sort keys %rows)
{
	my ($table) = $out =~ /^($part: .*?)(?:^$|\z)/ms;
	for my $row (@{ $rows{$part} })
	{
		like($table // '', qr/^  \Q$row\E(?:$number){$numbers{$part}}/m, "$part: $row");
	}
}

# Every figure is in the CSV, once.
my %seen;
for my $line (split /\n/, slurp_file($csv))
{
	my ($part, $case, $clients, $round, $metric) = split /,/, $line;
	$seen{$part}{"$case,$clients"}++ if defined $metric && $metric =~ /^(?:ns|tps|p50)$/ && $round eq '1';
}
is(scalar keys %{ $seen{$_} }, @{ $rows{$_} } * (/^(?:transactions|ranges)$/ ? 2 : 1), "$_: in the CSV")
  for sort keys %rows;
is_deeply([ grep { $_ != 1 } map { values %$_ } values %seen ], [], 'and once');

done_testing();
