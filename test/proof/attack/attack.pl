# Attackers alongside ordinary work: see doc/how_it_works.md.
#
# attack.pl [--seconds N] [--seed N] [--roles NAME,...]
#
# Prints what was found, each with what had just been done, and a line of counts.  Exits 1
# if anything was found.

use strict;
use warnings;

# what PostgreSQL::Test::Utils takes for its log
BEGIN { open our $report, '>&', \*STDOUT or die $!; $report->autoflush }
our $report;

use FindBin;
use lib $FindBin::RealBin;

use Getopt::Long;
use PostgreSQL::Test::Utils;
use Test::More;

use Attack;

my %options = (seconds => 75, seed => int(rand(2**31)));

$SIG{__WARN__} = sub { print $report @_ };
GetOptions(\%options, 'seconds=i', 'seed=i', 'roles=s') && !@ARGV or exit 2;
delete $SIG{__WARN__};

# no notes of the server's start
Test::More->builder->output(\my $notes);
if (defined $options{roles})
{
	$options{roles} = [ split /,/, $options{roles} ];
	$Attacker::DOES{$_} or do { print $report "no role $_\n"; exit 2 } for @{ $options{roles} };
}
my $roles = join ',', @{ $options{roles} // [] };
print $report "make attack ATTACK=\"--seconds $options{seconds} --seed $options{seed}", $roles && " --roles $roles", "\"\n";
my $folder = PostgreSQL::Test::Utils::tempdir('attack');
my $run = eval { Attack::run(%options, folder => $folder) };

unless ($run)
{
	print $report $@;
	exit 1;
}

foreach my $finding (@{ $run->{findings} })
{
	printf $report "\n%s after %.0f s: %s%s\n", $finding->{kind}, $finding->{first} - $run->{began}, $finding->{detail}, $finding->{count} > 1 ? " ($finding->{count} times)" : '';
	print $report map { "    $_\n" } @{ $finding->{before} };
}
if (@{ $run->{findings} } && $ENV{ATTACK_RESULTS})
{
	system 'cp', '-r', $folder, glob("$ENV{TESTDIR}/tmp_check/log/*attack*"), $ENV{ATTACK_RESULTS};
	print $report "\nWhat each role did is in $ENV{ATTACK_RESULTS}.\n";
}
print $report "$run->{counts}\n", @{ $run->{findings} } ? @{ $run->{findings} } . " found\n" : "No role has gained anything.\n";
exit(@{ $run->{findings} } ? 1 : 0);
