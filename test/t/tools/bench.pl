# The benchmark runs: every suite gives figures, and the page shows them.  How fast
# anything is does not matter here.

use strict;
use warnings;

use File::Basename;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'needs the private install of test/run'
  unless $ENV{PRIVATE_INSTALL};

my $dir = PostgreSQL::Test::Utils::tempdir() . '/figures';

# Run a program of test/bench; return its status, output and messages.
sub run_bench
{
	my ($program, @arguments) = @_;
	my ($out, $err);
	local %ENV = (%ENV, BENCH_SIZE => 'tiny', BENCH_OUT => $dir);
	my $ran = IPC::Run::run([ "test/bench/$program", @arguments ], '>', \$out, '2>', \$err);
	return ($ran, $out, $err);
}

# Figures of a suite, by case and metric.
sub figures_of
{
	my ($suite) = @_;
	my %figures;
	for my $line (split /\n/, slurp_file("$dir/$suite.csv"))
	{
		my ($name, $case, $metric, $unit, $value, $round) = split /,/, $line, -1;
		next if $name eq 'suite' || $metric eq '';
		push @{ $figures{$case}{$metric} }, $value;
		like("$name $round $value", qr/^$suite (?:\d+|all) -?[\d.]+(?:e[+-]\d+)?$/,
			"$suite: $case: $metric")
		  or diag($line);
	}
	return \%figures;
}

my ($ran, $out, $err) = run_bench('run');
ok($ran, 'the benchmark runs') or diag($out, $err);
my $page = join '', map { slurp_file($_) } "$dir.md", sort glob "$dir/*.md";
is($out, $page =~ s/^!\[.*\n//gmr, 'and prints the page, without pictures');

my %figures;
for my $suite (map { basename($_, '.sh') } glob 'test/bench/suites/*.sh')
{
	my $figures = $figures{$suite} = figures_of($suite);
	my ($title) = slurp_file("test/bench/suites/$suite.sh") =~ /^# (.*)/;
	my ($section) = $page =~ /^(# \Q$title\E\n.*?)(?=^# |\z)/ms;
	isnt($section, undef, "$suite: on the page") or next;
	like($section, qr/PostgreSQL \d+[.\w]+, gcc \d+/, "$suite: with versions");
	next if !%$figures && $section =~ / is missing/;
	cmp_ok(scalar keys %$figures, '>=', 2, "$suite: compares something");
	like($section, qr/^\| \Q$_\E +\|.*\d/m, "$suite: a row for $_")
	  for map { s/;/,/gr } keys %$figures;
}

# What holds on any machine.
is_deeply($figures{ranges}{hilo_next_range}{"failed calls ($_)\@2 clients"}, [0],
	"no range fails in $_")
  for 'READ COMMITTED', 'SERIALIZABLE';
is($figures{restart}{hilo_next}{'ids lost@crash'}[0], 8 * (32 - 10),
	'a crash loses what sessions hold');
is($figures{restart}{hilo_next}{'ids lost@restart'}[0], 0, 'a restart loses nothing');
cmp_ok($figures{wal}{hilo_next}{'WAL for an id@many a statement'}[0], '>', 0, 'ranges write WAL');
cmp_ok($figures{gapless}{bigserial}{'a flush takes 2 ms longer: rows@1 client'}[0], '<', 500,
	'a slow disk is slow');

($ran, $out, $err) = run_bench('run', 'nothing');
ok(!$ran, 'a suite must exist');
like($err, qr/no suite nothing/, 'the message says so');

# A server that does not start shows why: here the standby, for which another pg_ctl comes first.
mkdir "$dir.bin";
chomp(my $pg_ctl = `which pg_ctl`);
append_to_file("$dir.bin/pg_ctl", <<~END);
	#!/bin/sh
	case \$PGDATA in */standby) echo 'port = none' >>"\$PGDATA/postgresql.conf" ;; esac
	exec '$pg_ctl' "\$@"
	END
chmod 0755, "$dir.bin/pg_ctl";
{
	local $ENV{PATH} = "$dir.bin:$ENV{PATH}";
	($ran, $out, $err) = run_bench('run', 'replication');
}
ok(!$ran, 'each server must start');
like($err, qr/invalid value for parameter "port": "none"/, 'the end of its log says why it did not');

# What has become more expensive is said, and fails nothing.
sub compare_with_kept
{
	my ($factor) = @_;
	my @kept = grep { /^15,12,/ } split /\n/, slurp_file('test/bench/instructions.csv');
	my $csv = "instructions,,,,PostgreSQL 15.20,\ninstructions,,,,gcc 12.2.0,\n";
	for (@kept)
	{
		my (undef, undef, $function, $call, $count) = split /,/;
		$csv .= "instructions,$function,instructions\@$call,a call," . $count * $factor . ",1\n";
	}
	append_to_file("$dir/$factor.csv", $csv);
	($ran, $out, $err) = run_bench('instructions', "$dir/$factor.csv");
	ok($ran, "instructions: times $factor") or diag($err);
	return scalar @kept;
}

my $calls = compare_with_kept(1.04);
is($out, "instructions: $calls calls counted, 0 risen by more than 5 % (PostgreSQL 15, gcc 12)\n",
	'none has risen');
compare_with_kept(1.06);
like($out, qr/: hilo_next in a SELECT: \d+, were \d+: \+6 %/, 'a call that has risen');
like($out, qr/: $calls calls counted, $calls risen by/, 'and all the others');

done_testing();
