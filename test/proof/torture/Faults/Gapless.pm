#
# Faults: what gapless numbers must survive: their transactions let go of their locks
# before they are flushed; and power losses, for all.
#
package Faults::Gapless;

use strict;
use warnings;

use Cwd qw(abs_path);
use Faults::Failover;
use Faults::Processes;
use File::Basename qw(basename dirname);
use File::Copy qw(copy);
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

# late failures of transactions with numbers, and what failovers bring
my $expect = '0A000,23503,25006,42710';

sub faults
{
	return (
		power_loss => {
			does => 'kill -9 of the server, and pg_wal set back to what was flushed',
			weight => 4,
			alone => 1,
			conf => [ 'fsync = on', 'wal_sync_method = fdatasync', 'wal_recycle = off' ],
			environment => sub { return { LD_PRELOAD => library() } },
			run => \&power_loss },
		gapless => {
			does => 'gapless numbers in transactions of all kinds, over power losses, crashes, cancels and terminates',
			expect => $expect,
			whole => \&one_server },
		map { my $flush = $_; (
			"gapless_$flush" => {
				does => "the same over failovers to a synchronous standby, with hilo.gapless_flush = $flush",
				expect => $expect,
				whole => sub { with_standby($_[0], $flush) } }) } qw(local late));
}

sub one_server
{
	my ($torture) = @_;

	set_clients($torture);
	$torture->run_over_crashes;
}

sub set_clients
{
	my ($torture) = @_;

	$torture->{parts} //= 'gapless,series,beside';
	# they are slower than ids
	$torture->{between} //= 600;
	# of the sessions: a transaction that sets it would mend what the one before has left
	$torture->{commits} = 'on';
}

# Half of the times the standby gets nothing for a while, and is killed, too: what was
# acknowledged without it would be lost.
sub with_standby
{
	my ($torture, $flush) = @_;

	set_clients($torture);
	Faults::Failover::failover($torture, skip => 0, commits => 'on', parts => $torture->{parts},
		conf => ["hilo.gapless_flush = $flush"],
		meanwhile => sub {
			my ($primary, $standby) = @_;

			$torture->{node} = $primary;
			for my $name (map { $torture->pick(qw(terminate cancel)) } 1 .. $torture->random(3))
			{
				$Torture::faults{$name}{run}->($torture);
				$torture->{counts}{$name}++;
				$torture->{recorder}->progress($torture->random($torture->{between}));
			}
			return if $torture->random(2);
			Faults::Failover::stop_receiver($torture, $standby);
			usleep(300_000);
			Faults::Processes::kill_all($standby);
			$torture->{counts}{'without the standby'}++;
		});
}

sub power_loss
{
	my ($torture) = @_;
	my $node = $torture->{node};

	Faults::Processes::kill_all($node);
	set_back($node->data_dir);
	$node->start;
}

# Have pg_wal as flushed.c has seen it.
sub set_back
{
	my ($data) = @_;

	for my $segment (glob "$data/pg_wal/0*")
	{
		my $synced = "$data/synced/" . basename($segment);
		my $size = -s $segment;

		next if (-s $synced // 0) == $size;
		if (-e $synced) { copy($synced, $segment) or die "$segment: $!" }
		else { truncate $segment, 0 or die "$segment: $!" }
		# zeros after it
		truncate $segment, $size or die "$segment: $!";
	}
}

# Build the library, once.
sub library
{
	my $source = dirname(abs_path(__FILE__)) . '/../flushed.c';
	my $library = "$PostgreSQL::Test::Utils::tmp_check/flushed.so";

	system_or_bail($ENV{CC} || 'cc', qw(-O2 -Wall -Wextra -Werror -shared -fPIC -o), $library,
		$source) unless -e $library;
	return $library;
}

1;
