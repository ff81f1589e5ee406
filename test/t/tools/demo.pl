
# The demo, with the sample that comes with it: everything arrives, whatever gave
# the ids, and nothing is left behind.

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

my ($p, $d, $r) = map { number($_) } $packages, $dependencies, $packages + $dependencies;
like($report, qr/^The import of $p packages and $d dependencies$/m, 'all was imported');
like($report, qr/^rows +$r +$r$/m, 'with either kind of id');
like($report, qr/
	^Like\ for\ like .*? bigserial \n .*? hilo_next .*? nextval .*? hilo_next .*?
	^\ \ Row\ by\ row\ hilo\ took\ [\d.]+\ times .*? with\ ids\ first\ [\d.]+\ times .*?
	^round\ trips/msx, 'what is alike is compared first');
like($report, qr/^  ok +no id repeats: $p ids of 4 sessions, $p different$/m, 'no id repeats');
is(() = $report =~ /^  ok +/mg, 4, 'four checks are fine');
unlike($report, qr/FAILED/, 'and none is not');

my ($bigserial, $hilo) = $report =~ /^round trips +([\d,]+) +([\d,]+)/m;
tr/,//d for $bigserial, $hilo;
cmp_ok($bigserial, '>', $packages, 'bigserial asks for each package');
cmp_ok($hilo, '<', $packages / 2, 'hilo does not');
my ($last, $count, $skipped) = $report =~ /^  packages session +\d+ +(\d+) +(\d+) +(\d+)$/m;
is($count, $packages, 'the generator is shown');
cmp_ok($last, '>=', $packages, 'and has given all the ids');
like($report, qr/^  libc6 +libs +\d+ +GNU C Library/m, 'the data can be asked');
like($report, qr/
	^\ \ identity\ +customers\ +500\ +500\ +\d+\ +t\n
	\ \ serial,\ with\ follow\ +imported\ +501\ +501\ +10\d\d\d\ +t\n
	\ \ serial\ +orders\ +500\ +500\ +\d+\ +t\n
	\ \ numeric\ +parts\ +500\ +500\ +\d+\ +t\n
	\ \ text\ +users\ +100\ +100\ +users\/101-A\ +t\n/mx,
	'live tables of each kind have lost and repeated nothing');
like($report, qr/^ +7 +2026 +500 +1 +500\n +8 +2026 +400 +1 +400$/m, 'invoices have no gaps');
like($report, qr/^  old_orders +a sequence +type nearly used up +0\.93\n.*  copied +a sequence +rows above last +0\.00\n/ms, 'the doctor sees what is wrong');
like($report, qr/^  $_ +$_ +fine +0\.00$/m, "the doctor has the last word on $_") for qw(orders customers parts users imported);
like($progress, qr/^  hilo, keys first +100 %/m, 'the progress is shown');
is_deeply([ glob("$ENV{PRIVATE_INSTALL}/demo.*") ], [], 'nothing is left behind');

# The report's checks see what is wrong in any import.
sub check_of
{
	my ($name, %fault) = @_;
	my @columns = qw(seconds round_trips id_round_trips wal packages ids dependencies orphans fingerprint);
	my %fine = (map({ $_ => 1 } @columns), packages => 2, ids => 2, dependencies => 3, orphans => 0);
	my $lines = '';

	foreach my $import (qw(bigserial hilo_default bigserial_keys hilo))
	{
		my %values = (%fine, $import eq $name ? %fault : ());
		$lines .= "$import @values{@columns}\n";
	}
	my $is_fine = run([ 'perl', 'test/demo/report.pl', 'a test', 4, 500, 2, 3 ],
		'<', \$lines, '>', \my $output);
	return join(', ', $is_fine ? 'fine' : 'not fine', $output =~ /^  FAILED +(.{8})/mg);
}

is(check_of('hilo'), 'fine', 'a good import');
is(check_of('hilo', ids => 1), 'not fine, no id re', 'an id that repeats');
is(check_of('hilo_default', dependencies => 2), 'not fine, every ro', 'a row that is missing');
is(check_of('bigserial', orphans => 1), 'not fine, no depen', 'an orphan');
is(check_of('bigserial_keys', fingerprint => 2), 'not fine, the same', 'other rows');

is(run([ 'env', 'DEMO_DATA=nonsense', 'test/demo/run' ], '2>', \$progress), '', 'bad settings are refused');

done_testing();
