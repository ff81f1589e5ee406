# report.pl SOURCE SESSIONS BATCH PACKAGES DEPENDENCIES
#
# Prints how the imports went, from lines of test/demo/run, and what the checks
# say; the exit status says whether they are fine.  A line begins with "import" (of a
# round) or "check" (at the end), and the name of the import.

use strict;
use warnings;

use List::Util qw(sum);

my ($source, $sessions, $batch, $packages, $dependencies) = @ARGV;
my @imports = (
	[ bigserial => 'INSERT ... RETURNING id, bigserial' ],
	[ hilo_default => "INSERT ... RETURNING id, DEFAULT hilo_next('packages')" ],
	[ bigserial_keys => 'ids first, from nextval, then COPY' ],
	[ hilo_keys => 'ids first, from hilo_next, then COPY' ]);
my (%rounds, %check);

while (<STDIN>)
{
	my ($kind, $name, @values) = split;
	if ($kind eq 'import')
	{
		my %round;
		@round{qw(seconds round_trips id_round_trips wal)} = @values;
		push @{ $rounds{$name} }, \%round;
	}
	else
	{
		@{ $check{$name} }{qw(packages ids dependencies orphans fingerprint)} = @values;
	}
}
my $round_count = @{ $rounds{bigserial} };

print "\nImport of " . number($packages) . ' packages and ' . number($dependencies)
  . " dependencies\n";
print "  $source; $sessions sessions at once, $batch packages a transaction,\n"
	. "  PostgreSQL's own settings (fsync is on); $round_count rounds, side by side\n\n";

print "   seconds  round trips  for ids  WAL, MB\n";
for (@imports)
{
	my ($name, $what) = @$_;
	printf "  %8.2f %12s %8s %8.1f   %s\n", total($name, 'seconds'),
		number(total($name, 'round_trips')), number(total($name, 'id_round_trips')),
		total($name, 'wal') / 1e6, $what;
}

print "\nTime of hilo in a round, when bigserial takes 1\n";
printf "  %-16s %s\n", 'row by row', ratios('hilo_default', 'bigserial');
printf "  %-16s %s\n", 'with ids first', ratios('hilo_keys', 'bigserial_keys');
print <<END;
  The transaction and the rows cost most of it, and the id little: choose hilo for
  what it promises, not for the time of an INSERT.

END

print "Checked, in all four imports\n";
my $failed = 0;
check('every row arrived',
	all(sub { $_->{packages} == $packages && $_->{dependencies} == $dependencies }));
check("no id repeats: $sessions sessions, " . number($check{hilo_keys}{ids}) . ' different ids',
	all(sub { $_->{ids} == $_->{packages} }));
check('no dependency without its package', all(sub { $_->{orphans} == 0 }));
check('the same rows, whatever gave the ids',
	all(sub { $_->{fingerprint} eq $check{bigserial}{fingerprint} }));
exit($failed ? 1 : 0);

sub total
{
	my ($name, $figure) = @_;
	return sum(map { $_->{$figure} } @{ $rounds{$name} });
}

# The median, and the extremes, of the rounds' ratios of two imports.
sub ratios
{
	my ($name, $other) = @_;
	my @ratios = sort { $a <=> $b }
		map { $rounds{$name}[$_]{seconds} / $rounds{$other}[$_]{seconds} } 0 .. $round_count - 1;
	my $median = ($ratios[($round_count - 1) / 2] + $ratios[$round_count / 2]) / 2;
	return sprintf '%.2f (%.2f to %.2f)', $median, @ratios[0, -1];
}

sub all
{
	my $is_fine = shift;
	return !grep { !$is_fine->() } map { $check{ $_->[0] } } @imports;
}

sub check
{
	my ($what, $is_fine) = @_;
	printf "  %-6s  %s\n", $is_fine ? 'ok' : 'FAILED', $what;
	$failed ||= !$is_fine;
	return;
}

sub number
{
	my $text = reverse shift;
	$text =~ s/(\d{3})(?=\d)/$1,/g;
	return scalar reverse $text;
}
