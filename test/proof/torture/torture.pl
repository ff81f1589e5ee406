# Ids under faults: see doc/how_it_works.md.
#
# torture.pl [--seconds N] [--clients N] [--seed N] [--faults SET,...] [--parts NAME,...]
#
# Prints a line for each set of faults as it ends, and a table in the end.  Exits 1 if
# there is anything in it that should not be.

use strict;
use warnings;

# what PostgreSQL::Test::Utils takes for its log
BEGIN { open our $report, '>&', \*STDOUT or die $!; $report->autoflush }
our $report;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../../t/lib";

use Getopt::Long;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Torture;

my %options = (seconds => 10, clients => 8, seed => int(rand(2**31)));
my $names = join ',', @Torture::default_sets;

$SIG{__WARN__} = sub { print $report @_ };
GetOptions(\%options, 'seconds=i', 'clients=i', 'seed=i', 'parts=s', 'faults=s' => \$names,
	'list' => \my $list)
  && !@ARGV or refuse("only options\n");
delete $SIG{__WARN__};
if ($list)
{
	printf $report "%-18s %s\n", $_, $Torture::faults{$_}{does} for sort keys %Torture::faults;
	exit 0;
}
my @sets = map { $_ eq 'default' ? @Torture::default_sets : $_ eq 'each'
  ? sort keys %Torture::faults : $_ } split /,/, $names;
eval { Torture::faults_of($_) for @sets; @sets } or refuse($@ || "no faults\n");

# no notes of the servers' starts
Test::More->builder->output(\my $notes);
print $report "make torture TORTURE=\"--seconds $options{seconds} --clients $options{clients} --seed $options{seed} --faults ",
  join(',', @sets), "\"\n";
my @rows;
for my $set (@sets)
{
	my $row = Torture::run_set($set, %options);

	push @rows, $row;
	print $report "$set: ", defined $row->{skipped} ? "skipped: $row->{skipped}" :
	  "$row->{ids} ids, " . ($row->{counts} || 'no faults') . ' (in the log: '
	  . ($row->{states} || 'nothing') . ')',
	  $row->{failed} ? ': FAILED' : '', "\n";
	print $report $row->{told} if $row->{failed};
}
my $failed = grep { $_->{failed} } @rows;
print $report "\n", Torture::table(@rows), "\n",
  $failed ? "$failed of " . @rows . " failed" : 'All is as it should be.', "\n";
exit($failed ? 1 : 0);

sub refuse
{
	print $report @_;
	exit 2;
}
