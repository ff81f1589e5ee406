# What becomes of the window that sessions share when sessions and servers end: it
# stays, so a clean end leaves no gap, and a crash at most what was reserved.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FaultyBuild;

my $node = hilo_node('main', allows_streaming => 1, conf => "shared_preload_libraries = 'hilo'\nrestart_after_crash = on");
my @names = map { "g$_" } 1 .. 20;

sub next_of
{
	my ($session, $name) = @_;

	return run_in($session, "SELECT hilo_next_tag('$name')");
}

# End a session and wait until its server process is gone.
sub end_and_wait
{
	my ($session) = @_;
	my $pid = pid_of($session);

	end_session($session);
	return wait_for_end($node, $pid);
}

$node->safe_psql('postgres',
	join ';', map { "SELECT hilo_create('$_', 'global')" } @names, 'x');

# Session after session, also when the last one is cut off: no gap.
my @sessions = map { hilo_session($node) } 1 .. 3;
is(next_of($sessions[$_ % 3], 'x'), $_ + 1, 'sessions take turns') for 0 .. 4;
is(last_of($node, 'x'), 16, 'in a window of all');
end_and_wait($sessions[0]);
is(last_of($node, 'x'), 16, 'which stays when one ends');
my $pid = pid_of($sessions[1]);
$node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
wait_for_end($node, $pid);
end_session($sessions[1]);
is(next_of($sessions[2], 'x'), 6, 'or is terminated');
run_in($sessions[2], 'BEGIN');
next_of($sessions[2], 'x');
# in the middle of a statement
$pid = pid_of($sessions[2]);
my $blocker = hilo_session($node);
run_in($blocker, 'SELECT pg_advisory_lock(1)');
start_in($sessions[2], 'SELECT pg_advisory_lock(1)');
wait_until_waits($node, $pid, 'advisory');
$node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
wait_for_end($node, $pid);
end_session($blocker);
end_session($sessions[2]);
is(last_of($node, 'x'), 16, 'the last one leaves it open');
is($node->safe_psql('postgres', q{SELECT hilo_next_tag('x')}), 8, 'for the next one');
# one that has many windows open, and a range
my $session = hilo_session($node);
next_of($session, $_) for @names, 'own', @names;
end_and_wait($session);
is( $node->safe_psql('postgres', join ' UNION ', map { "SELECT hilo_next_tag('$_')" } @names),
	3, 'every window goes on');
is($node->safe_psql('postgres', q{SELECT hilo_next_tag('own')}), 2, 'and its own range');
wait_for_sessions($node, 0);
# no session needs a row that another one holds
$session = hilo_session($node);
next_of($session, $_) for 'g1', 'own';
my $holder = hilo_session($node);
run_in($holder, q{BEGIN; SELECT FROM hilo_internal.hilo_hi WHERE name IN ('g1', 'own') FOR UPDATE});
end_and_wait($session);
is($node->safe_psql('postgres', q{SELECT hilo_next_tag('g1'), hilo_next_tag('own')}), '5|4', 'a window goes on without its row');
end_session($holder);
wait_for_sessions($node, 0);
# a walsender that runs SQL
my $walsender = q{psql -XAtq -d "} . $node->connstr('postgres')
  . q{ replication=database" -c "SELECT hilo_next_tag('g2'), hilo_next_tag('own')"};
is(`$walsender`, "4|5\n", 'ids in a walsender');
$node->poll_query_until('postgres',
	q{SELECT count(*) = 1 FROM pg_stat_activity WHERE datname IS NOT NULL});
is($node->safe_psql('postgres', q{SELECT hilo_next_tag('g2'), hilo_next_tag('own')}), '5|6', 'which leaves a window as others do');

# What was reserved with another node tag is not used with the new one.
$session = hilo_session($node);
is(run_in($session, q{SELECT identity_next('tagged')}), 1, 'an id of a node');
run_in($session, q{SET hilo.node_tag = 'B'});
is(run_in($session, q{SELECT low FROM identity_next('tagged', 20)}), 17, 'a block of another');
end_and_wait($session);

# A restart: no gap, whatever the shutdown, with sessions open and in transactions.
my $expected = 4;
foreach my $mode (qw(fast smart))
{
	@sessions = map { hilo_session($node) } 1 .. 3;
	foreach my $session (@sessions)
	{
		run_in($session, 'BEGIN') if $mode eq 'fast';
		next_of($session, $_) for @names[4 .. 19];
	}
	if ($mode eq 'smart') { end_and_wait($_) for @sessions }
	$node->stop($mode);
	if ($mode eq 'fast') { end_session($_) for @sessions }
	$node->start;
	$expected += 3;
	is( $node->safe_psql('postgres', join ' UNION ', map { "SELECT hilo_next_tag('$_')" } @names[4 .. 19]),
		$expected, "after a $mode shutdown the next id is the next");
	$expected++;
}

# No gap of the ranges that sessions carved, either: nine of them have one each.
@sessions = map { hilo_session($node) } 1 .. 9;
my @got = map { split /\n/, run_in($_, q{SELECT hilo_next_tag('carved', 3)}) } @sessions;
$node->stop('fast');
end_session($_) for @sessions;
$node->start;
push @got, split /\n/, $node->safe_psql('postgres', qq{SELECT hilo_next_tag('carved', $_)}) for 400, 40;
is(join(' ', sort { $a <=> $b } @got), join(' ', 1 .. 467), 'what nine sessions returned comes first, and once');

# A crash: a gap of what was reserved, and no id twice.
@sessions = map { hilo_session($node) } 1 .. 3;
next_of($sessions[$_ % 3], 'crash|') for 0 .. 9;
is(last_of($node, 'crash|'), 48, 'a window in use, and the next one');
crash($node, @sessions);
# what was reserved ahead of need may not have reached the disk
my $last = last_of($node, 'crash|');
like($last, qr/^(16|48)$/, 'after a crash');
is($node->safe_psql('postgres', q{SELECT identity_current('crash')}),
	$last, 'what was reserved counts as used');
$session = hilo_session($node);
is(next_of($session, 'crash|'), $last + 1, 'and ids go on above');
$pid = pid_of($session);
# one process is killed: the postmaster ends the others, and shared memory is new
kill 'KILL', $pid;
$node->poll_query_until('postgres', undef, '');
end_session($session);
$node->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid");
cmp_ok($node->safe_psql('postgres', q{SELECT identity_next('crash')}),
	'>', $last + 1, 'also after a killed process');

# Terminated while it holds the window's lock, with others behind it.
@sessions = map { hilo_session($node) } 1 .. 3;
run_in($sessions[0], q{SET hilo.prefetch = off; SELECT count(*) FROM hilo_next_tag('locked', 1)});
$node->safe_psql('postgres', q{SELECT hilo_drop('locked'), hilo_create('locked', 'global')});
run_in($sessions[0], q{SET hilo.prefetch = off; SELECT count(*) FROM hilo_next_tag('locked', 16)});
my $pause = hilo_session($node);
run_in($pause, q{BEGIN; SELECT FROM hilo_internal.hilo_hi WHERE name = 'locked' FOR UPDATE});
my @pids = map { pid_of($_) } @sessions;
foreach my $i (0 .. 2)
{
	start_in($sessions[$i], q{SELECT hilo_next_tag('locked')});
	wait_until_waits($node, $pids[$i], 'Lock');
}
$node->safe_psql('postgres', "SELECT pg_terminate_backend($pids[0])");
wait_for_end($node, $pids[0]);
end_session($sessions[0]);
run_in($pause, 'COMMIT');
is(join(' ', sort map { (split /\n/, end_in($sessions[$_]))[0] } 1, 2),
	'17 18', 'the others go on when the one at work is terminated');
end_session($_) for @sessions[1, 2], $pause;
is( $node->safe_psql('postgres', q{SELECT count(*) FROM pg_locks WHERE classid IN ('hilo_internal.hilo_hi'::regclass, 'pg_extension'::regclass)}),
	0, 'and no lock is left');

# The library that is not loaded by the postmaster: a restart costs what is left of the windows.
$node->append_conf('postgresql.conf', q{shared_preload_libraries = ''});
foreach (1 .. 2)
{
	$node->restart;
	$last = last_of($node, 'locked');
	@sessions = map { hilo_session($node) } 1 .. 2;
	is(next_of($sessions[$_ % 2], 'locked'), $last + $_, 'not preloaded') for 1 .. 4;
	end_and_wait($_) for @sessions;
	is($node->safe_psql('postgres', q{SELECT hilo_next_tag('locked')}), $last + 5, 'nor does it cost an id between sessions');
}
is($node->safe_psql('postgres', q{SELECT identity_next('locked')}), 1, 'another one');

$node->stop;
my $log = slurp_file($node->logfile);
unlike($log, qr/PANIC|TRAP| XX\d{3} |WARNING/, 'the log has no complaint');

# No shared memory to be had: an error, which harms nothing.
SKIP:
{
	my $impossible = FaultyBuild::impossible();
	skip $impossible, 5 if $impossible;

	my $library = FaultyBuild::build('greedy', 'slot.c',
		'max_generators = 8192', 'max_generators = 0x20000000');
	my $short = PostgreSQL::Test::Cluster->new('short');
	$short->init;
	$short->append_conf('postgresql.conf', q{
client_min_messages = warning
dynamic_shared_memory_type = sysv
});
	$short->start;
	FaultyBuild::use_in($short, $library);
	$session = hilo_session($short);
	foreach my $attempt (1, 2)
	{
		like(state_of($session, q{SELECT identity_next('x')}),
			qr/^53/, "attempt $attempt: insufficient resources");
	}
	like(state_of($session, q{SELECT hilo_next_tag('y')}), qr/^53/, 'also of a session generator');
	is($short->safe_psql('postgres', q{SELECT sum(reserved) FROM hilo_internal.hilo_hi}),
		'', 'nothing was made');
	end_session($session);
	$short->stop;
	unlike(slurp_file($short->logfile), qr/PANIC|TRAP|terminated by signal/, 'no crash');
}

done_testing();
