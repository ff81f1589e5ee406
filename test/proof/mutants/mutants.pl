# Builds the extension with one fault after another, and says by what each was found.
#
# mutants.pl [--seed N] [--seconds N] [NAME...]
#
# Exits 1 if a fault was not found, or cannot be put in any more.

use strict;
use warnings;

# what PostgreSQL::Test::Utils takes for its log, and what it takes out of the environment
BEGIN
{
	open our $report, '>&', \*STDOUT or die $!;
	$report->autoflush;
	our %outside = %ENV;
}
our ($report, %outside);

use FindBin;
use lib map { "$FindBin::RealBin/$_" } qw(. ../torture ../../t/lib);

use Getopt::Long;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FaultyBuild;
use IPC::Run;
use Mutants;
use Torture;

my %options = (seconds => 60, clients => 6, seed => int(rand(2**31)));
my (@rows, $missed);

$SIG{__WARN__} = sub { print $report @_ };
GetOptions(\%options, 'seconds=i', 'clients=i', 'seed=i') or exit 2;
delete $SIG{__WARN__};
my %wanted = map { $_ => 1 } @ARGV;
my %known = map { $_->{name} => 1 } @Mutants::mutants;
if (my @unknown = grep { !$known{$_} } @ARGV)
{
	print $report "no mutant @unknown\n";
	exit 2;
}
Test::More->builder->output(\my $notes);

foreach my $mutant (grep { !%wanted || $wanted{ $_->{name} } } @Mutants::mutants)
{
	if ($mutant->{needs} && !-e `pg_config --sharedir` =~ s/\n//r . "/extension/$mutant->{needs}.control")
	{
		push @rows, "| $mutant->{is} | skipped: $mutant->{needs} is not installed |\n";
		next;
	}
	my $found = eval { $mutant->{torture} ? by_torture($mutant) : by_suite($mutant) };

	$missed++ if !$found;
	push @rows, "| $mutant->{is} | " . ($found || 'NOT FOUND ' . ($@ =~ s/\s+/ /gr)) . " |\n";
	print $report "$mutant->{name}: ", $found || "NOT FOUND $@", "\n";
}
print $report "\n| fault | found by |\n| --- | --- |\n", @rows,
  $missed ? "\n$missed not found (seed $options{seed})\n" : "\nNone was missed.\n";
exit($missed ? 1 : 0);

# Return how the harness found it, '' if it did not.
sub by_torture
{
	my ($mutant) = @_;
	my %run = %{ $mutant->{torture} };
	my $set = delete $run{set};
	my $row = Torture::run_set($set, %options, %run, until_found => \@Torture::never,
		library => FaultyBuild::build($mutant->{name}, @{ $mutant->{changes} }));
	my @seen = map { $row->{$_} ? "$row->{$_} $_" : () } @Torture::never;

	die $row->{told} if @seen == 1 && $row->{errors} && $row->{told} =~ /^died/;
	return @seen
	  ? "torture --faults $set" . ($run{parts} ? " --parts $run{parts}" : '')
	  . ': ' . join(', ', @seen) : '';
}

# Return which tests of a suite found it, '' if none did.  They run in their own sources,
# whose build takes the place of the one that is installed, until the next.
sub by_suite
{
	my ($mutant) = @_;
	my ($suite, @files) = @{ $mutant->{suite} };
	my $directory = PostgreSQL::Test::Utils::tempdir();
	my $output;

	system_or_bail('cp', '-pR', qw(Makefile hilo.control built_for META.json doc src sql expected test),
		$directory);
	FaultyBuild::change($directory, @{ $mutant->{changes} });
	system_or_bail('make', '-s', '-C', $directory, 'hilo.so');
	{
		local %ENV = (%outside, PROVE_TESTS => "@files", REGRESS_TESTS => "@files");
		my $ignored;

		delete @ENV{qw(TESTDIR PG_REGRESS PGPORT)};
		IPC::Run::run([ "$directory/test/run", $suite ], '<', \undef, '>', \$output, '2>&1');
		IPC::Run::run([ 'pg_ctl', '-D', $ENV{PGDATA}, '-m', 'immediate', 'stop' ], '<', \undef, '>',
			\$ignored, '2>&1');
		system_or_bail('rm', '-rf', $ENV{PGDATA});
	}
	system_or_bail('make', '-s', 'install');

	my @failed = $output =~ /^(?:not ok \d+\s+[-+] (\w+)|test (\w+) .*FAILED|(test\/t\/\w+\/\w+\.pl) .*(?:Failed|Dubious))/mg;
	@failed = grep { defined } @failed;
	die "the tests did not run:\n" . substr($output, -1000)
	  if $output !~ /^\d+ passed, \d+ failed$/m || (!@failed && $output !~ / 0 failed$/m);
	return join ', ', @failed;
}
