
# The demo, with the sample that comes with it: its statements give what they should,
# everything arrives, whatever gave the ids, and nothing is left behind.

use strict;
use warnings;

use IPC::Run qw(run);
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'needs test/run' unless $ENV{PRIVATE_INSTALL};

my @rows = split /^/, `perl test/demo/index.pl <test/demo/sample`;
my $packages = grep { /^p/ } @rows;
my $dependencies = grep { /^d/ } @rows;

sub number
{
	my ($number) = @_;

	return $number =~ s/(?<=\d)(?=(\d{3})+$)/,/gr;
}

$ENV{DEMO_DATA} = 'sample';
my ($report, $progress);
ok(run(['test/demo/run'], '<', \undef, '>', \$report, '2>', \$progress), 'it works')
  or diag($progress);

# The first screen: statements and their results.
like($report, qr/
	^\ \ INSERT\ INTO\ customers\ \(name\)\ VALUES\ \('Ann'\);\n
	\ +--\ ERROR:\ \ duplicate\ key\ value .*?
	^\ \ SELECT\ hilo_attach .*?
	^\ \ INSERT\ INTO\ customers\ \(name\)\ VALUES\ \('Ann'\)\ RETURNING\ id;\ +--\ 1001$/msx,
	'an import breaks a sequence, and one call mends it');
like($report, qr/^ +-- rows above last \| Run setval.*?\.$/ms,
	'the doctor has a hint');
like($report, qr/ ROLLBACK; +-- 7 \| 3\n.* RETURNING \*; +-- 7 \| 3, 8 \| 2$/m,
	'invoices have no gaps');
like($report,
	qr/^  BEGIN; SELECT hilo_next.* -- 1 \| 1\n.*kill -9.*\n  SELECT hilo_next.* -- 33 \| 1$/m,
	'after a crash a sequence repeats an id, and hilo does not');
like($report, qr/ -- 3 times kill -9: \d{4,} ids seen, 0 of them twice$/m,
	'nor while sessions work');
like($report, qr/ count\(DISTINCT id\) FROM orders; +-- 1000 \| 1000$/m,
	'a table moves while sessions write');

# The import
my ($p, $d) = map { number($_) } $packages, $dependencies;
like($report, qr/^Import of $p packages and $d dependencies$/m, 'all was imported');
like($report, qr/
	^\ [^\n]+\ INSERT\ [^\n]*\ bigserial\n [^\n]+\ INSERT\ [^\n]*\ DEFAULT\ hilo_next[^\n]*\n
	[^\n]+\ from\ nextval,\ then\ COPY\n [^\n]+\ from\ hilo_next,\ then\ COPY\n .*?
	^\ \ row\ by\ row\ +[\d.]+\ \([\d.]+\ to\ [\d.]+\)\n
	\ \ with\ ids\ first\ +[\d.]+\ \([\d.]+\ to\ [\d.]+\)\n/msx, 'what is alike is compared');
like($report, qr/^  ok +no id repeats: 4 sessions, $p different ids$/m, 'no id repeats');
is(() = $report =~ /^  ok +/mg, 4, 'four checks are fine');
unlike($report, qr/FAILED/, 'and none is not');
my ($row_by_row,
	$ids_first) = map { tr/,//dr } $report =~ /^ +[\d.]+ +[\d,]+ +([\d,]+) .* hilo_next/mg;
is($row_by_row, $packages, 'RETURNING asks for each package');
cmp_ok($ids_first, '<', $packages / 2, 'a client that gets the ids first does not');
like($progress, qr/^  round 8 of 8: /m, 'the progress is shown');
is_deeply([ glob("$ENV{PRIVATE_INSTALL}/demo.*") ], [], 'nothing is left behind');

# The report takes the middle of the rounds' ratios; its checks see what is wrong in any import.
sub check_of
{
	my ($name, %fault) = @_;
	my %fine = (packages => 2, ids => 2, dependencies => 3, orphans => 0, fingerprint => 1);
	my $lines = '';

	foreach my $import (qw(bigserial hilo_default bigserial_keys hilo_keys))
	{
		my %values = (%fine, $import eq $name ? %fault : ());
		$lines .= "import $import $_ 10 5 1000000\n"
		  foreach $import =~ /^hilo/ ? (3, 90, 2) : (2, 2, 2);
		$lines .= "check $import @values{qw(packages ids dependencies orphans fingerprint)}\n";
	}
	my $is_fine = run([ 'perl', 'test/demo/report.pl', 'a test', 4, 500, 2, 3 ],
		'<', \$lines, '>', \my $output);
	like($output, qr/^  row by row +1\.50 \(1\.00 to 45\.00\)$/m,
		'one disturbed round does not decide');
	return join(', ', $is_fine ? 'fine' : 'not fine', $output =~ /^  FAILED +(.{8})/mg);
}

is(check_of(''), 'fine', 'a good import');
is(check_of('hilo_keys', ids => 1), 'not fine, no id re', 'an id that repeats');
is(check_of('hilo_default', dependencies => 2), 'not fine, every ro', 'a row that is missing');
is(check_of('bigserial', orphans => 1), 'not fine, no depen', 'an orphan');
is(check_of('bigserial_keys', fingerprint => 2), 'not fine, the same', 'other rows');

is(run([ 'env', 'DEMO_DATA=nonsense', 'test/demo/run' ], '2>', \$progress), '',
	'bad settings are refused');

done_testing();
