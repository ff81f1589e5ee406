#
# Faults: the server's clock goes an hour forward, and back.
#
package Faults::Clock;

use strict;
use warnings;

use HiloTest ();
use PostgreSQL::Test::Utils;

my $file;
my $library;

sub faults
{
	return (
		clock => {
			does => 'the clock an hour forward or back, under the running server or over a restart',
			skip => sub { set_up() ? undef : 'libfaketime is not to be had' },
			alone => 1,
			# the clock passes the time that a hub is given to be connected and to answer in
			expect => '08001,08006',
			environment => sub {
				set_clock('+0');
				return {
					LD_PRELOAD => $library,
					FAKETIME_TIMESTAMP_FILE => $file,
					FAKETIME_NO_CACHE => 1,
					FAKETIME_DONT_FAKE_MONOTONIC => 1 };
			},
			run => \&change });
}

sub set_up
{
	my $folder;

	return 1 if defined $library;
	$folder = HiloTest::debian_folder('libfaketime') // return 0;
	($library) = glob "$folder/usr/lib/*/faketime/libfaketime.so.1";
	$file = PostgreSQL::Test::Utils::tempdir() . '/clock';
	return defined $library;
}

sub set_clock
{
	my ($offset) = @_;

	unlink "$file.next";
	append_to_file("$file.next", "$offset\n");
	rename "$file.next", $file;
}

sub change
{
	my $torture = shift;
	my $restart = $torture->random(3) == 0;

	$torture->{node}->stop($torture->pick('fast', 'immediate')) if $restart;
	set_clock($torture->pick('+3600', '-3600', '+0'));
	$torture->{node}->start if $restart;
}

1;
