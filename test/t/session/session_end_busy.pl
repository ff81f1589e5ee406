
# The end of a session does not wait, since nothing could cancel that wait: it
# returns its ids whichever session has the row, the table or its index in hand.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node('session_end_busy');
my $holder = hilo_session($node);

# Have a session with unused ids end while the statements' transaction is open.
sub ends_during
{
	my ($topic, $next, @statements) = @_;
	my $session = hilo_session($node);
	my $pid = pid_of($session);

	$node->safe_psql('postgres', "SELECT hilo_seed('busy', 1000, true)");
	run_in($session, "SELECT hilo_next_tag('busy', 3)");
	run_in($holder, $_) foreach ('BEGIN', @statements);
	end_session($session);
	ok(wait_for_end($node, $pid), "ends during $topic");
	run_in($holder, 'ROLLBACK');
	is($node->safe_psql('postgres', "SELECT hilo_next_tag('busy')"), $next, 'the next id');
	return;
}

$node->safe_psql('postgres', "SELECT hilo_create('busy')");

# A table that had one page when the session read it has an index to be read by now.
my $session = hilo_session($node);
my $pid = pid_of($session);
run_in($session, "SELECT hilo_next_tag('busy')");
run_in($holder, $_)
  foreach ("SELECT count(hilo_next_tag('other' || i)) FROM generate_series(1, 60) i",
	'BEGIN', 'ALTER INDEX hilo_internal.hilo_hi_pkey SET TABLESPACE pg_default');
end_session($session);
ok(wait_for_end($node, $pid), 'ends after the table has grown');
run_in($holder, 'ROLLBACK');

ends_during('SELECT FOR UPDATE', 1004,
	"SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'busy' FOR UPDATE");
ends_during('SELECT FOR SHARE', 1004,
	"SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'busy' FOR SHARE");
ends_during('LOCK TABLE', 1004, 'LOCK TABLE hilo_internal.hilo_hi IN ACCESS EXCLUSIVE MODE');
ends_during('CREATE INDEX', 1004, 'CREATE INDEX ON hilo_internal.hilo_hi (reserved)');
ends_during('REINDEX', 1004, 'REINDEX INDEX hilo_internal.hilo_hi_pkey');
ends_during('ALTER INDEX', 1004,
	'ALTER INDEX hilo_internal.hilo_hi_pkey SET TABLESPACE pg_default');
ends_during('CLUSTER', 1004, 'CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey');

# hilo_drop and DROP EXTENSION wait for transactions, not for sessions; the former ends the
# window, also when it is rolled back.
ends_during('hilo_drop', 1033, "SELECT hilo_drop('busy')");
ends_during('DROP EXTENSION', 1004, 'DROP EXTENSION hilo');

# What waits in the queue for the row is not waited for either.
$session = hilo_session($node);
my $waiter = hilo_session($node);
$pid = pid_of($session);
my $waiter_pid = pid_of($waiter);
run_in($session, "SELECT hilo_next_tag('busy')");
run_in($holder,
	"BEGIN; SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'busy' FOR UPDATE");
start_in($waiter, "SELECT hilo_next_tag('busy')");
wait_until_waits($node, $waiter_pid, 'Lock') or die;
end_session($session);
ok(wait_for_end($node, $pid), 'ends while another session waits for the row');
run_in($holder, 'ROLLBACK');
like(end_in($waiter), qr/^\d+\n00000$/, 'which gets its id then');

end_session($waiter);

# A transaction with these defaults would begin by waiting for all others.
$session = hilo_session($node);
$pid = pid_of($session);
run_in($session, "SELECT hilo_next_tag('busy')");
run_in($session, "SET default_transaction_$_")
  foreach ('isolation = serializable', 'read_only = on', 'deferrable = on');
run_in($holder, 'BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT reserved FROM hilo_internal.hilo_hi');
end_session($session);
ok(wait_for_end($node, $pid), 'ends although its snapshots are to be safe');
run_in($holder, 'ROLLBACK');

end_session($holder);
$node->stop;
done_testing();
