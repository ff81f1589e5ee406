
# A session that ends gives its unused ids back, whatever state it is in, and
# the last id it handed out stays used.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('session_end', conf => q{shared_preload_libraries = 'hilo'});
my $log_start = -s $node->logfile;

# Return a session that has used three ids of a new generator and its backend.
sub user_of
{
	my ($name, @before) = @_;
	my $session = hilo_session($node);

	$node->safe_psql('postgres', "SELECT hilo_create('$name')");
	run_in($session, $_) foreach @before;
	run_in($session, "SELECT hilo_next_tag('$name', 3)");
	return ($session, pid_of($session));
}

# Take the next id in another session.
sub next_of
{
	my ($name) = @_;

	return $node->safe_psql('postgres', "SELECT hilo_next_tag('$name')");
}

sub terminate
{
	my ($session, $pid) = @_;

	$node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
	wait_for_end($node, $pid);
	end_session($session);
	return;
}

my ($session, $pid) = user_of('left');
end_session($session);
wait_for_end($node, $pid);
is(next_of('left'), 4, 'a session that quits');

($session, $pid) = user_of('left_open', 'BEGIN');
end_session($session);
wait_for_end($node, $pid);
is(next_of('left_open'), 4, 'one that quits in a transaction');

($session, $pid) = user_of('cut');
$session->{run}->kill_kill;
wait_for_end($node, $pid);
is(next_of('cut'), 4, 'one with a client that vanishes');

terminate(user_of('idle'));
is(next_of('idle'), 4, 'one that is terminated');

terminate(user_of('open', 'BEGIN'));
is(next_of('open'), 4, 'terminated in a transaction');

terminate(user_of('repeatable', 'BEGIN ISOLATION LEVEL SERIALIZABLE'));
is(next_of('repeatable'), 4, 'in a serializable transaction');

terminate(user_of('subtransaction', 'BEGIN; SAVEPOINT s'));
is(next_of('subtransaction'), 4, 'in a subtransaction');

($session, $pid) = user_of('aborted', 'BEGIN');
state_of($session, 'SELECT 1 / 0');
terminate($session, $pid);
is(next_of('aborted'), 4, 'in a transaction that has failed');

($session, $pid) = user_of('read_only');
run_in($session, 'SET default_transaction_read_only = on');
terminate($session, $pid);
is(next_of('read_only'), 4, 'while it is set to read only');

my $holder = hilo_session($node);
run_in($holder, 'SELECT pg_advisory_lock(1)');
($session, $pid) = user_of('waiting');
start_in($session, 'SELECT pg_advisory_lock(1)');
wait_until_waits($node, $pid, 'advisory');
terminate($session, $pid);
is(next_of('waiting'), 4, 'in a statement');
$holder->quit;

($session, $pid) = user_of('kept', 'SET hilo.return_on_exit = off');
end_session($session);
wait_for_end($node, $pid);
is(next_of('kept'), 33, 'with hilo.return_on_exit = off its ids are lost');

# What is not its own any more, a session does not touch.
($session, $pid) = user_of('born_again');
run_in($session, "SELECT hilo_next_tag('left', 2)");
my $other = hilo_session($node);
run_in($other, "SELECT hilo_drop('born_again')");
run_in($other, "SELECT hilo_create('born_again')");
run_in($other, "SELECT hilo_next_tag('born_again', 10)");
end_session($session);
wait_for_end($node, $pid);
is(last_of($node, 'born_again'), 32, 'a new generator of the name stays');
is(next_of('left'), 7, 'and the others get theirs back');
is(run_in($other, "SELECT hilo_next_tag('born_again')"),
	11, 'the other session goes on');
end_session($other);

($session, $pid) = user_of('seeded');
$node->safe_psql('postgres', "SELECT hilo_seed('seeded', 32)");
$node->safe_psql('postgres', "SELECT hilo_seed('seeded', 100)");
terminate($session, $pid);
is(next_of('seeded'), 101, 'a seeded generator stays where it is');

($session, $pid) = user_of('seeded_low');
$node->safe_psql('postgres', "SELECT hilo_seed('seeded_low', 20)");
terminate($session, $pid);
is(next_of('seeded_low'), 33, 'nor does one go below its seed');

$node->safe_psql('postgres', "SELECT hilo_create('returned', range_size => 4)");
($session, $other) = map { hilo_session($node) } 1, 2;
run_in($session, "SELECT hilo_next_tag('returned')");
# and the next window is reserved
run_in($other, "SELECT hilo_next_tag('returned', 3)");
$pid = pid_of($session);
end_session($session);
wait_for_end($node, $pid);
$node->safe_psql('postgres', "SELECT hilo_seed('returned', 9)");
is(next_of('returned'), 10, 'nor is one used that it returned before the seed');
end_session($other);

$node->safe_psql('postgres', "SELECT hilo_create('altered', range_size => 4)");
($session, $other) = map { hilo_session($node) } 1, 2;
run_in($_, "SELECT hilo_next_tag('altered')") foreach $session, $other;
$pid = pid_of($session);
end_session($session);
wait_for_end($node, $pid);
$node->safe_psql('postgres', "SELECT hilo_alter('altered', '$_')") foreach 'global', 'session';
cmp_ok(next_of('altered'), '>', 8, 'nor one from before another ordering');
end_session($other);

# The same ids are in use again, by another session.
($session, $pid) = user_of('seeded_back');
$other = hilo_session($node);
run_in($other, "SELECT hilo_seed('seeded_back', 0, true)");
is(run_in($other, "SELECT max(id) FROM hilo_next_tag('seeded_back', 10) AS id"),
	10, 'ids after a forced seed');
terminate($session, $pid);
is(next_of('seeded_back'), 33, 'stay with the session that got them');
end_session($other);

# Shutdowns
($session) = user_of('fast');
$node->stop('fast');
end_session($session);
$node->start;
is(next_of('fast'), 4, 'a fast shutdown');

($session) = user_of('smart');
my $logged = -s $node->logfile;
my $stopping = IPC::Run::start(
	[ 'pg_ctl', 'stop', '-D', $node->data_dir, '-m', 'smart' ],
	'>', \my $stdout, '2>', \my $stderr);
$node->wait_for_log(qr/received smart shutdown request/, $logged);
end_session($session);
$stopping->finish;
$node->_update_pid(0);
$node->start;
is(next_of('smart'), 4, 'a smart shutdown');

# Short sessions that overlap lose no id of ranges of one, nor in one order for all.
foreach my $options ("'short', range_size => 1", "'ordered', 'global'")
{
	my ($name) = $options =~ /'(\w+)'/;
	my @ids;

	$node->safe_psql('postgres', "SELECT hilo_create($options)");
	foreach my $round (1 .. 4)
	{
		my @sessions = map { hilo_session($node) } 1 .. 6;
		my @pids = map { pid_of($_) } @sessions;

		push @ids, run_in($_, "SELECT hilo_next_tag('$name')") foreach @sessions;
		end_session($_) foreach @sessions;
		wait_for_end($node, $_) foreach @pids;
	}
	push @ids, split /\n/, $node->safe_psql('postgres', "SELECT hilo_next_tag('$name', 100)");
	is(join(' ', sort { $a <=> $b } @ids), join(' ', 1 .. 124), "short sessions: $options");
}

# The extension goes while the session holds ids, and comes back.
($session, $pid) = user_of('dropped');
$node->safe_psql('postgres', 'DROP EXTENSION hilo');
terminate($session, $pid);
$node->safe_psql('postgres', 'CREATE EXTENSION hilo');
($session, $pid) = user_of('recreated');
$node->safe_psql('postgres', 'DROP EXTENSION hilo');
$node->safe_psql('postgres', 'CREATE EXTENSION hilo');
$node->safe_psql('postgres', "SELECT hilo_seed('recreated', 32)");
terminate($session, $pid);
is(last_of($node, 'recreated'), 32,
	'a generator of a new extension stays where it is');

$node->stop;
my $log = slurp_file($node->logfile, $log_start);
unlike($log, qr/PANIC|TRAP|terminated by signal|WARNING/,
	'the log has no complaint');
is_deeply(
	[
		grep { !/division by zero|terminating|connection to client lost/ }
		  $log =~ /(?:ERROR|FATAL): .*/g
	],
	[],
	'and nothing failed');
done_testing();
