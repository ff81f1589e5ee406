# A transaction that took a number without gaps gives up its locks before its commit is on
# disk, and its client is told after that.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', allows_streaming => 1, conf => "max_prepared_transactions = 2\nsynchronous_commit = on\nrestart_after_crash = on\nshared_buffers = 16MB\n");
my $library = "$PostgreSQL::Test::Utils::tmp_check/commit_events.so";
my $kept = PostgreSQL::Test::Utils::tempdir() . '/kept';

run_sh(qq{gcc -O2 -fPIC -shared -I"\$(\$PG_CONFIG --includedir-server)" -o $library "$FindBin::RealBin/../lib/commit_events.c"});
$node->safe_psql('postgres', qq{
	CREATE FUNCTION at_commit(text) RETURNS void AS '$library' LANGUAGE c;
	CREATE FUNCTION keep_wal(text) RETURNS void AS '$library' LANGUAGE c;
	CREATE TABLE bill (no bigint PRIMARY KEY DEFAULT hilo_next('bill'));
	SELECT hilo_create('bill', 'gapless');
	CREATE TABLE invoice (customer int, no bigint, UNIQUE (customer, no));
	CREATE TRIGGER number BEFORE INSERT ON invoice FOR EACH ROW
		EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'customer');
	INSERT INTO bill DEFAULT VALUES;
	INSERT INTO invoice VALUES (7)});
my @inserts = ('INSERT INTO bill DEFAULT VALUES RETURNING no', 'INSERT INTO invoice VALUES (7) RETURNING no');

# Run an insert in two sessions while the first one's commit waits for an event.  Return
# what the second one waits for.
sub second_waits_for
{
	my ($insert, $settings, $event) = @_;
	my @sessions = map { hilo_session($node, $settings) } 1, 2;

	run_in($_, 'SELECT') for @sessions;
	my @pids = map { pid_of($_) } @sessions;
	my $second;
	start_in($sessions[0], $insert);
	wait_until_waits($node, $pids[0], $event) or die "no wait for $event";
	start_in($sessions[1], $insert);
	wait_until('the second session', sub {
		$second = $node->safe_psql('postgres', "SELECT coalesce(min(wait_event_type || ' ' || wait_event), '')
			FROM pg_stat_activity WHERE pid = $pids[1] AND wait_event_type <> 'Client'") });
	return ($second =~ /^Lock / ? 'Lock' : $second, @sessions);
}

# Do so while no WAL reaches the disk.
sub second_waits_on_disk
{
	my ($insert, $settings) = @_;
	my $keeper = hilo_session($node);

	append_to_file($kept, '');
	start_waiting($node, $keeper, 'Extension', "SELECT keep_wal('$kept')");
	my ($second, @sessions) = second_waits_for($insert, $settings, 'WALWrite');
	unlink $kept;
	my @answers = map { end_in($_) } @sessions;
	end_session($_) for $keeper, @sessions;
	my ($first) = $answers[0] =~ /^(\d+)\n/;
	is($answers[1], ($first + 1) . "\n00000", 'both are told their numbers');
	return $second;
}

foreach my $insert (@inserts)
{
	is(second_waits_on_disk($insert), 'LWLock WALWrite', "$insert: two wait for the disk at a time");
	is(second_waits_on_disk($insert, '-c hilo.gapless_flush=late'), 'LWLock WALWrite', 'and with late');
	is(second_waits_on_disk($insert, '-c hilo.gapless_flush=early'), 'Lock', 'with early the second waits for the first');
	is(second_waits_on_disk($insert, '-c synchronous_commit=remote_apply'), 'Lock', 'with remote_apply, too');
}
done_testing();
