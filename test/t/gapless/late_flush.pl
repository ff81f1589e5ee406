# A transaction that took a number without gaps gives up its locks before its commit is on
# disk, and its client gets the answer after that.

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

# Return the backend that waits for a standby first.
sub waits_for_standby
{
	return $node->safe_psql('postgres', q{SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' ORDER BY state_change LIMIT 1});
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
	is($answers[1], ($first + 1) . "\n00000", 'both get their numbers');
	return $second;
}

foreach my $insert (@inserts)
{
	is(second_waits_on_disk($insert), 'LWLock WALWrite', "$insert: two wait for the disk at a time");
	is(second_waits_on_disk($insert, '-c hilo.gapless_flush=late'), 'LWLock WALWrite', 'and with late');
	is(second_waits_on_disk($insert, '-c hilo.gapless_flush=early'), 'Lock', 'with early the second waits for the first');
	is(second_waits_on_disk($insert, '-c synchronous_commit=remote_apply'), 'Lock', 'with remote_apply, too');
}

# With a synchronous standby, only under "late".
$node->append_conf('postgresql.conf', "synchronous_standby_names = 'nobody'");
$node->reload;
$node->safe_psql('postgres', 'SET synchronous_commit = local; CHECKPOINT');
foreach my $case ([ '', 'Lock' ], [ '-c hilo.gapless_flush=late', 'IPC SyncRep' ],
	[ '-c hilo.gapless_flush=late -c synchronous_commit=remote_apply', 'Lock' ])
{
	my ($settings, $expected) = @$case;
	my ($second, @sessions) = second_waits_for($inserts[0], $settings, 'SyncRep');

	is($second, $expected, "$settings: the second waits for $expected");
	foreach my $session (@sessions)
	{
		wait_until_waits($node, my $pid = waits_for_standby(), 'SyncRep');
		$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
		like($session->query(''), qr/^\d+\n00000$/, 'a cancel ends the wait');
		like($session->{stderr}, qr/WARNING:  canceling wait for synchronous replication/, 'with a warning');
		end_session($session);
	}
}
is(second_waits_on_disk($inserts[0], '-c synchronous_commit=local'), 'LWLock WALWrite',
	'who asks for no standby is late');
$node->append_conf('postgresql.conf', "synchronous_standby_names = ''");
$node->reload;
$node->safe_psql('postgres', 'CHECKPOINT');

# What comes between the number and the end of the transaction.
my $session = hilo_session($node);
my $asked = q{SELECT current_setting('synchronous_commit')};
my $numbers = q{SELECT count(*) = max(no) AND min(no) = 1 FROM bill};

# our callbacks are called before those of a library that was there first
run_in($session, q{SELECT at_commit('')});
is(state_of($session, "BEGIN; SELECT at_commit('fail before'); $inserts[0]; COMMIT"), 'XX000', 'an error after our callback');
is(run_in($session, $asked), 'on', 'synchronous_commit is as before');
is(state_of($session, "BEGIN; SELECT at_commit('set'); $inserts[0]; COMMIT"), '00000', 'a library that sets it itself');
is(run_in($session, $asked), 'remote_write', 'keeps what it set');
run_in($session, 'RESET synchronous_commit');
run_in($session, "BEGIN; SAVEPOINT here; $inserts[0]; ROLLBACK TO here; $inserts[1]; PREPARE TRANSACTION 'kept'");
is(run_in($session, $asked), 'on', 'and after PREPARE');
my $other = hilo_session($node);
start_waiting($node, $other, 'Lock', $inserts[1]);
run_in($session, "COMMIT PREPARED 'kept'");
like(end_in($other), qr/\n00000$/, 'a prepared transaction holds its locks to the end');
is($node->safe_psql('postgres', $numbers), 't', 'no gap');

# An error after the commit record stops the server.
eval { $session->query("BEGIN; SELECT at_commit('fail after'); $inserts[0]; COMMIT") };
end_session($_) for $session, $other;
wait_until('the restart', sub { eval { $node->safe_psql('postgres', 'SELECT'); 1 } });
like(slurp_file($node->logfile), qr/PANIC:  cannot abort transaction \d+, it was already committed/, 'a panic');
$node->safe_psql('postgres', $inserts[0]);
is($node->safe_psql('postgres', $numbers), 't', 'no gap after it');
done_testing();
