# Slots of shared memory are handed on: no database, extension or generator gets
# the window of one that had its place, name or number before, and when there
# are too few of them the windows that are used least give way.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

sub session_of
{
	my ($node, $database) = @_;

	return $node->background_psql($database, on_error_stop => 0);
}

sub ended
{
	my ($node, $session) = @_;
	my $pid = pid_of($session);

	end_session($session);
	return wait_for_end($node, $pid);
}

my $next = q{SELECT hilo_next_tag('x')};
my $node = hilo_node('main', allows_streaming => 1, conf => 'log_statement = none');
my $oid = 54321;

# A database and its copy, one number after the other.
$node->safe_psql('postgres', 'CREATE DATABASE original');
$node->safe_psql('original', q{CREATE EXTENSION hilo; SELECT hilo_create('x', 'global')});
is($node->safe_psql('original', $next), 1, 'an id in a template');
$node->safe_psql('original', q{SELECT hilo_seed('x', 1, true)});
foreach my $end ('a session that ends', 'one that is terminated', 'a walsender')
{
	$node->poll_query_until('postgres',
		q{SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = 'original'});
	$node->safe_psql('postgres', "CREATE DATABASE copy OID = $oid TEMPLATE original");
	my $copy = session_of($node, 'copy');
	my $original = session_of($node, 'original');
	is(run_in($copy, $next), 2, 'a copy goes on as its template');
	is(run_in($copy, $next), 3, 'and on');
	is(run_in($original, $next), 2, 'which does so itself');
	ended($node, $original);
	$node->safe_psql('original', q{SELECT hilo_seed('x', 1, true)});
	end_session($copy) if $end ne 'one that is terminated';
	$node->command_ok([ 'psql', '-XAtq', '-d', $node->connstr('copy') . ' replication=database',
			'-c', $next ],
		'an id in a walsender')
	  if $end eq 'a walsender';
	$node->safe_psql('postgres', 'DROP DATABASE copy (FORCE)');
	end_session($copy) if $end eq 'one that is terminated';
	$node->safe_psql('postgres', "CREATE DATABASE copy OID = $oid TEMPLATE original");
	is($node->safe_psql('copy', "$next; $next"), "2\n3",
		"after $end the next of that number begins as its template");
	$node->poll_query_until('postgres',
		q{SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = 'copy'});
	is($node->safe_psql('copy', q{SELECT last FROM hilo_generators()}), 3, 'and has reserved it');
	$node->safe_psql('postgres', 'DROP DATABASE copy (FORCE)');
}

# Nor is a seed there one of the window of before.
foreach my $sql ("$next FROM generate_series(1, 10)",
	q{SELECT hilo_seed('x', 14), hilo_next_tag('x')})
{
	$node->safe_psql('postgres', "CREATE DATABASE copy OID = $oid TEMPLATE original");
	my @rows = split /\n/, $node->safe_psql('copy', $sql);
	is($rows[-1], @rows > 1 ? 11 : '14|15',
		'a seed of a database that has the number of another one');
	$node->safe_psql('postgres', 'DROP DATABASE copy (FORCE)');
}

# The extension, and a generator, made anew while a session has a part in the window.
my $one = session_of($node, 'postgres');
my $other = session_of($node, 'postgres');
run_in($one, q{SELECT hilo_create('x', 'global')});
run_in($_, $next) for $one, $other, $one;
foreach my $anew (q{DROP EXTENSION hilo; CREATE EXTENSION hilo; SELECT hilo_create('x', 'global')},
	q{SELECT hilo_drop('x'), hilo_create('x', 'global')},
	q{BEGIN; SELECT hilo_drop('x'), hilo_create('x', 'global'); SELECT hilo_next_tag('x'); ROLLBACK;
	  SELECT hilo_drop('x'), hilo_create('x', 'global')})
{
	run_in($one, $anew);
	is(join(' ', map { run_in($_, $next) } $other, $one, $other, $one), '1 2 3 4', 'anew');
}
run_in($one, 'BEGIN; DROP EXTENSION hilo; ROLLBACK');
is(run_in($one, $next), 5, 'a drop that is rolled back');
ended($node, $_) for $one, $other;
is($node->safe_psql('postgres', $next), 6, 'the window is there when the last one has left');
$node->stop;

# As many slots as it takes to run out of them.
$node = hilo_node('few',
	conf => "log_statement = none\nshared_preload_libraries = 'hilo'\nhilo.max_generators = 3");
my @names = map { "g$_" } 1 .. 8;
my $all = 'SELECT ' . join ', ', map { "hilo_next_tag('$_')" } @names;

$node->safe_psql('postgres', "SELECT hilo_create('$_', 'global')") for @names;
$one = hilo_session($node);
$other = hilo_session($node);
my @last = (0) x 8;
foreach my $i (1 .. 6)
{
	my @ids = split /\|/, run_in($i % 2 ? $one : $other, $all);

	ok(!(grep { $ids[$_] <= $last[$_] } 0 .. 7), 'one after the other: ids go up');
	@last = @ids;
}
my $two = q{SELECT hilo_next_tag('g7'), hilo_next_tag('g8')};
@last = split /\|/, (map { run_in($_, $two) } $one, $other)[1];
is(run_in($one, $two), join('|', map { $_ + 1 } @last), 'what was used last has kept its window');
ended($node, $_) for $one, $other;
$node->safe_psql('postgres', q{SELECT hilo_seed(name, reserved, true) FROM hilo_internal.hilo_hi});
is($node->safe_psql('postgres',
		q{SELECT handed_out, ids - handed_out - lost FROM hilo_stats_server()}),
	'54|0', 'what an eviction loses is counted');
$node->safe_psql('postgres', qq{SELECT hilo_seed('$_', 1000)}) for @names;

# a database cannot give back what is another one's
$node->safe_psql('postgres', 'CREATE DATABASE other TEMPLATE postgres');
$one = hilo_session($node);
$other = session_of($node, 'other');
run_in($one, q{SELECT hilo_next_tag('g1')});
run_in($other, q{SELECT max(id) FROM hilo_next_tag('g1', 5) id});
run_in($other, q{SELECT hilo_next_tag('g2'), hilo_next_tag('g3')});
is(run_in($other,
		q{SELECT count(*), count(DISTINCT id), min(id) > 1005 FROM hilo_next_tag('g1', 100) id}),
	'100|100|t', 'where the copy stands, ids go on');
my %highest;
foreach my $i (1 .. 5)
{
	foreach my $session ($one, $other)
	{
		my @ids = split /\|/, run_in($session, $all);
		my @before = @{ $highest{$session} // [ (1000) x 8 ] };

		ok(!(grep { $ids[$_] <= $before[$_] } 0 .. 7), 'in two databases ids go up');
		$highest{$session} = \@ids;
	}
}
end_session($_) for $one, $other;

# many at once
$node->safe_psql('postgres', q{
	CREATE UNLOGGED TABLE seen (name text, id bigint, who int, n serial);
	CREATE FUNCTION take() RETURNS void LANGUAGE sql AS $$
		INSERT INTO seen SELECT name, hilo_next_tag(name), pg_backend_pid()
		FROM (SELECT 'g' || 1 + (random() * 7)::int FROM generate_series(1, 20)) AS names (name) $$});
my ($stdout, $stderr);
my $script = PostgreSQL::Test::Utils::tempdir() . '/take.sql';
append_to_file($script, 'SELECT take();');
is(IPC::Run::run([ 'pgbench', '-n', '-c', 8, '-t', 40, '-f', $script, $node->connstr('postgres') ],
		'>', \$stdout, '2>', \$stderr), 1, 'eight clients at eight generators in three slots')
  or diag $stderr;
is($node->safe_psql('postgres', q{
		SELECT count(*), count(*) - count(DISTINCT (name, id)) FROM seen}),
	'6400|0', 'no id twice');
is($node->safe_psql('postgres', q{
		SELECT count(*) FROM (SELECT id - lag(id) OVER (PARTITION BY name, who ORDER BY n) AS step FROM seen) AS steps
		WHERE step < 1}),
	0, 'and each session saw them rise');
is($node->safe_psql('postgres',
		q{SELECT count(*) FROM pg_locks WHERE classid IN ('hilo_internal.hilo_hi'::regclass, 'pg_extension'::regclass)}),
	0, 'no lock is left');
$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP| XX\d{3} |WARNING/, 'the log has no complaint');

done_testing();
