#
# Faults: what the sources must survive that ORMs take blocks from, while SQL raises them,
# resyncs columns, adopts them again, and truncates tables.
#
package Faults::Sources;

use strict;
use warnings;

use Faults::Failover;
use Faults::Moments;

my $parts = 'adopted,seed,sources';

# nextval has logged up to 32 values more, into the next byte
my @raises = map { [ "raise of $_",
		"SELECT count(nextval('${_}_seq')) FROM generate_series(1, (SELECT 255 - last_value % 256 FROM ${_}_seq));
		 SELECT hilo_seed('$_', (last_value + 255) * block) FROM ${_}_seq, hilo_sources() WHERE name = '$_'",
		"SELECT nextval('${_}_seq') > %2\$s / block FROM hilo_sources() WHERE name = '$_'" ] } qw(singles products);

sub faults
{
	return (
		crash_raised => {
			does => 'kill -9 of the server right after the answer to a seed that has raised the sequence of an ORM',
			weight => 2,
			run => sub { Faults::Moments::crash_after($_[0], @raises) } },
		sources => {
			does => 'sources of ORMs that SQL raises, resyncs and adopts again, over power losses, crashes, cancels and terminates',
			whole => \&one_server },
		sources_sync => {
			does => 'the same over failovers to a synchronous standby',
			expect => '25006,42710',
			whole => \&with_standby });
}

sub one_server
{
	my ($torture) = @_;

	$torture->{parts} //= $parts;
	$torture->run_over_crashes('crash_raised');
}

# Half of the times the primary is killed when it has raised the sequences, and nextval has not
# been called since.
sub with_standby
{
	my ($torture) = @_;
	my %raised;

	Faults::Failover::failover($torture, skip => 0, commits => 'on',
		parts => $torture->{parts} // $parts,
		meanwhile => sub {
			my ($primary) = @_;

			%raised = ();
			return if $torture->random(2);
			$torture->{recorder}->hold;
			for (@raises)
			{
				my ($what, $statement, $condition) = @$_;

				# the generator may be locked
				$raised{$what} = sprintf $condition, '', $1
				  if $torture->try($statement, $primary) =~ /(\d+)\z/;
			}
		},
		afterwards => sub {
			my ($primary) = @_;

			for (sort keys %raised)
			{
				$torture->broken("after $_, and a failover: $raised{$_} is false")
				  if $torture->try($raised{$_}, $primary) ne 't';
			}
			$torture->{recorder}->release;
		});
}

1;
