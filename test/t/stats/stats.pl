
# The counters of hilo_stats when sessions end, servers stop and slots are all in use.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('stats');
my $counters = 'ranges, ids, handed_out, returned, lost';

# Return counters of a generator, once all sessions have counted.
sub stats
{
	my ($columns, $name) = @_;

	wait_for_sessions($node, 0);
	return $node->safe_psql('postgres',
		"SELECT $columns FROM hilo_stats() WHERE name = '$name'");
}

sub server_stats
{
	my ($columns) = @_;

	wait_for_sessions($node, 0);
	return $node->safe_psql('postgres',
		"SELECT $columns FROM hilo_stats_server()");
}

# Return a session that has used a generator, with its backend.
sub user_of
{
	my ($name, $count) = @_;
	my $session = hilo_session($node);

	run_in($session, 'SET hilo.prefetch = off');
	run_in($session, "SELECT hilo_next_tag('$name', $count)");
	return ($session, pid_of($session));
}

# Return how many ids of a generator are in no counter, once no window is open.
sub unaccounted
{
	my ($name) = @_;

	close_window($name);
	return stats('ids - handed_out - returned - lost', $name);
}

# Count as lost what was not handed out.
sub close_window
{
	my ($name) = @_;

	wait_for_sessions($node, 0);
	return $node->safe_psql('postgres',
		"SELECT hilo_seed('$name', reserved, true) FROM hilo_internal.hilo_hi WHERE name = '$name'");
}

# Use a generator in three sessions at the same time, and by a client's ranges.
sub overlap
{
	my ($name) = @_;
	my @sessions = map { hilo_session($node) } 1 .. 3;

	run_in($_, "SELECT hilo_next_tag('$name')") foreach @sessions;
	run_in($_,
		"SELECT hilo_return_range('$name', high, low - 1, range_no) FROM hilo_next_range('$name', 20)") foreach @sessions, @sessions;
	end_session($_) foreach @sessions;
	return;
}

# Many sessions count side by side, and nothing gets lost.
$node->safe_psql('postgres',
	q{SELECT hilo_create('many', max_value => 100000, range_size => 4, max_range_size => 4), hilo_create('all', 'global', max_value => 100000, range_size => 8, max_range_size => 8)});
$node->command_ok(
	[
		'pgbench', '-n', '-c', 8, '-j', 2, '-t', 500, '-f',
		script("SELECT hilo_next_tag('many'), hilo_next_tag('all');"),
		$node->connstr('postgres')
	],
	'sessions');
# what waits in the list for the next session counts as handed out until it is lost
close_window($_) foreach 'many', 'all';
is(stats('handed_out', $_), 4000, "$_: every id was counted") foreach 'many', 'all';
is(stats('ids - handed_out - returned - lost', $_), 0, "$_: every id is accounted for")
  foreach 'many', 'all';
cmp_ok(stats('windows', 'all'), '>=', 1000, 'windows');
is( $node->safe_psql('postgres', q{
	SELECT (s.ranges, s.ids, s.handed_out, s.prefetched, s.prefetch_hits, s.prefetch_misses, s.returned, s.lost, s.windows, s.flush_waits) =
	       (sum(t.ranges), sum(t.ids), sum(t.handed_out), sum(t.prefetched), sum(t.prefetch_hits), sum(t.prefetch_misses), sum(t.returned), sum(t.lost), sum(t.windows), sum(t.flush_waits))
	  FROM hilo_stats_server() s, hilo_stats() t
	 GROUP BY s.ranges, s.ids, s.handed_out, s.prefetched, s.prefetch_hits, s.prefetch_misses, s.returned, s.lost, s.windows, s.flush_waits}),
	't', 'the server has the sums');
cmp_ok(stats('flush_waits', 'many'), '>', 0, 'the disk was waited for');
cmp_ok(stats('flush_time', 'many'), '>', 0, 'for a time');

# What clients return and is taken again counts twice on both sides, over sessions that
# overlap, and restarts.
$node->safe_psql('postgres',
	q{SELECT hilo_create('overlap', range_size => 32, max_range_size => 32)});
foreach my $round (1 .. 6)
{
	overlap('overlap');
	cmp_ok(stats('ids - returned', 'overlap'), '>=', stats('handed_out + lost', 'overlap'),
		"round $round: no more is counted than was reserved");
	$node->restart if $round == 3;
}
is(unaccounted('overlap'), 0, 'overlapping sessions: every id is accounted for');

# What a session hands out is counted when it ends, however it does.
my ($session, $pid) = user_of('quits', 5);
end_session($session);
is(stats($counters, 'quits'), '1|32|5|0|0', 'a session that quits');

($session, $pid) = user_of('terminated', 5);
$node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
end_session($session);
is(stats($counters, 'terminated'), '1|32|5|0|0', 'one that is terminated');

# The window of a global generator, by any session that takes from it.
$node->safe_psql('postgres',
	q{SELECT hilo_create('shared', 'global', range_size => 8, max_range_size => 8)});
($session, $pid) = user_of('shared', 1);
my ($last) = user_of('shared', 1);
end_session($session);
wait_for_end($node, $pid);
end_session($last);
is(stats($counters, 'shared'), '1|4|2|0|0', 'sessions of a window');

# Other databases are counted in the server's.
my $before = server_stats('handed_out');
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('other', q{CREATE EXTENSION hilo; SELECT hilo_next_tag('quits', 3)});
is(server_stats('handed_out') - $before, 3, 'another database');
is(stats('handed_out', 'quits'), 5, 'is not this one');
$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE other');
is($node->safe_psql('copy', 'SELECT name, ranges FROM hilo_stats()'), 'quits|0', 'nor is a copy');

# A crash and a restart set them to zero.
crash($node);
is(stats($counters, 'quits'), '0|0|0|0|0', 'after a crash');
is(server_stats($counters), '0|0|0|0|0', 'the server');
$node->safe_psql('postgres', q{SELECT hilo_next_tag('quits', 3)});
is(stats($counters, 'quits'), '1|32|3|0|0', 'it counts again');
$node->restart;
is(stats($counters, 'quits'), '0|0|0|0|0', 'after a restart');

# The postmaster keeps them if it has the library.
$node->append_conf('postgresql.conf', q{shared_preload_libraries = 'hilo'});
$node->restart;
$node->safe_psql('postgres', q{SELECT hilo_next_tag('quits', 3)});
my ($of_quits, $of_server) = (stats($counters, 'quits'), server_stats($counters));
$node->restart;
is(stats($counters, 'quits'), $of_quits, 'after a restart with the library preloaded');
is(server_stats($counters), $of_server, 'the server, too');
is(unaccounted('quits'), 0, 'every id is accounted for');
crash($node);
is(server_stats($counters), '0|0|0|0|0', 'but not after a crash');

# As many generators as it takes to run out of slots.
$node->append_conf('postgresql.conf', 'hilo.max_generators = 3');
$node->restart;
$node->safe_psql('postgres', "SELECT hilo_next_tag('g$_', $_)") foreach 1 .. 3;
is(stats('handed_out', "g$_"), $_, "g$_") foreach 1 .. 3;
$node->safe_psql('postgres', q{SELECT hilo_next_tag('g4', 4)});
is(stats('handed_out', 'g4'), 4, 'a generator takes the place');
my @kept = grep { stats('ids', "g$_") } 1 .. 3;
is(@kept, 2, 'of one of the others');
$node->safe_psql('postgres', "SELECT hilo_next_tag('g$kept[0]')");
wait_for_sessions($node, 0);
$node->safe_psql('postgres', q{SELECT hilo_next_tag('g5', 5)});
is(join(' ', grep { stats('ids', "g$_") } 1 .. 5), "$kept[0] 4 5",
	'and not of one that was used since then');
is(server_stats('handed_out'), 16, 'the server counts on');

# Windows that end by that.
foreach my $round (1 .. 6)
{
	overlap("e$_") foreach 1 .. 5;
}
is(unaccounted("e$_"), 0, "e$_: every id is accounted for after evictions") foreach 1 .. 5;
$node->stop;
done_testing();

sub script
{
	my ($sql) = @_;
	my $path = PostgreSQL::Test::Utils::tempdir() . '/script.sql';

	append_to_file($path, $sql);
	return $path;
}
