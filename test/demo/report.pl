# report.pl SOURCE SESSIONS BATCH PACKAGES DEPENDENCIES
#
# Prints how the imports went, from lines of test/demo/run, and what the checks
# say; the exit status says whether they are fine.

use strict;
use warnings;

# what a round trip costs in a data centre, in seconds
use constant LATENCY => 0.0005;

my ($source, $sessions, $batch, $packages, $dependencies) = @ARGV;
my @names = qw(bigserial hilo_default bigserial_keys hilo);
my @columns = qw(seconds round_trips id_round_trips wal packages ids dependencies orphans fingerprint);
my %import;

while (<STDIN>)
{
	my ($name, @values) = split;
	@{ $import{$name} }{@columns} = @values;
}
my ($bigserial, $hilo) = @import{qw(bigserial hilo)};

print "\n", underlined('The import of ' . number($packages) . ' packages and '
		. number($dependencies) . ' dependencies'), "\n";
print "Input: $source; $sessions sessions at once,\n$batch packages a transaction, "
	. "PostgreSQL's own settings (fsync is on).\n\n";

print "Like for like: the same statements, and another source of ids\n";
part('seconds', 'round trips', '');
part(sprintf('%.2f', $import{$_->[0]}{seconds}), number($import{$_->[0]}{round_trips}), $_->[1])
	for ['bigserial', 'INSERT ... RETURNING, bigserial'],
	['hilo_default', "INSERT ... RETURNING, DEFAULT hilo_next('packages')"],
	['bigserial_keys', 'ids first, from nextval, then COPY'],
	['hilo', 'ids first, from hilo_next, then COPY'];
printf <<END, map { against(@$_) } ['hilo_default', 'bigserial'], ['hilo', 'bigserial_keys'];
  Row by row hilo took %s the time of bigserial, with ids first %s.
  The transaction and the rows cost most of it, and the id little: take hilo for what
  it promises, not for the time of an INSERT.  An id that a client saw is never handed
  out again, not even after a crash; a client can hold a whole range (hilo_next_range);
  and programs, ORMs and SQL share one stream of ids.
  It is one run: if something else kept this machine busy, run it again.

Knowing the keys before the rows, as HiLo is used, against INSERT ... RETURNING
END
line('', 'bigserial', 'hilo');
line('rows', map { number($_->{packages} + $_->{dependencies}) } $bigserial, $hilo);
compare('seconds', sub { $_->{seconds} }, sub { sprintf '%.2f', shift });
compare('round trips', sub { $_->{round_trips} }, \&number);
compare('  of them for ids', sub { $_->{id_round_trips} }, \&number);
compare('WAL, MB', sub { $_->{wal} / 1e6 }, sub { sprintf '%.1f', shift });
compare('seconds if remote *', \&remote, sub { sprintf '%.2f', shift });

print <<END;

bigserial  the first line above: INSERT ... RETURNING id for each package, then one
           INSERT for all its dependencies, with the id that came back; both prepared
hilo       the last line above: hilo_next('packages', $batch) once a transaction, then COPY
           packages and COPY dependencies: the client knows the keys before it sends a row
*          calculated: 0.5 ms more for each round trip, as in a data centre
  The difference is that the client knows the keys first, which a sequence can give, too.

END

print "Checked, in all four imports\n";
my $failed = 0;
check('every row arrived',
	all(sub { $_->{packages} == $packages && $_->{dependencies} == $dependencies }));
check('no id repeats: ' . number($hilo->{packages}) . " ids of $sessions sessions, "
		. number($hilo->{ids}) . ' different',
	all(sub { $_->{ids} == $_->{packages} }));
check('no dependency without its package', all(sub { $_->{orphans} == 0 }));
check('the same rows, whatever gave the ids',
	all(sub { $_->{fingerprint} eq $bigserial->{fingerprint} }));
exit($failed ? 1 : 0);

sub line
{
	my ($what, @values) = @_;
	my $text = sprintf '%-22s %14s %14s   %s', $what, @values, @values < 3 ? '' : ();
	print $text =~ s/ +$//r, "\n";
	return;
}

sub compare
{
	my ($what, $value, $format) = @_;
	my ($more, $less) = map { $value->() } $bigserial, $hilo;
	line($what, $format->($more), $format->($less), times_less($more, $less));
	return;
}

sub part
{
	my $text = sprintf '  %8s %13s   %s', @_;
	print $text =~ s/ +$//r, "\n";
	return;
}

# How much time an import took, of that of another.
sub against
{
	my ($name, $other) = @_;
	return sprintf '%.2f times', $import{$name}{seconds} / $import{$other}{seconds};
}

sub times_less
{
	my ($more, $less) = @_;
	my $ratio = $more / $less;
	return
		  $ratio >= 9.95 ? sprintf('%.0f x less', $ratio)
		: $ratio >= 1.05 ? sprintf('%.1f x less', $ratio)
		: $ratio <= 0.95 ? sprintf('%.1f x more', 1 / $ratio)
		:                  'the same';
}

sub remote
{
	return $_->{seconds} + $_->{round_trips} / $sessions * LATENCY;
}

sub all
{
	my $is_fine = shift;
	return !grep { !$is_fine->() } @import{@names};
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

sub underlined
{
	my $text = shift;
	return "$text\n" . '=' x length($text) . "\n";
}
