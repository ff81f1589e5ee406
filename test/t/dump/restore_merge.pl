
# A dump's data restored when the extension is installed and names exist: each
# keeps the higher last and the definition that stands, and none is lost.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = new_node('main', conf => q{
hilo.prefetch = off
hilo.return_on_exit = off
synchronous_commit = off
wal_writer_delay = 10s
});

$node->safe_psql(
	'postgres', q{
	CREATE ROLE alice;
	CREATE ROLE bob;
	CREATE DATABASE source;
	CREATE DATABASE existing});
$node->safe_psql(
	'source', q{
	CREATE EXTENSION hilo;
	SELECT hilo_create(name, range_size => 10)
	FROM unnest(ARRAY['a_new', 'higher', 'lower', 'same', 'z_new']) name;
	SELECT hilo_seed('a_new', 77), hilo_seed('higher', 900),
		   hilo_seed('lower', 100), hilo_seed('same', 300),
		   hilo_seed('z_new', 88);
	SELECT hilo_alter(name, owner => 'bob')
	FROM unnest(ARRAY['higher', 'z_new']) name});
$node->safe_psql(
	'existing', q{
	CREATE EXTENSION hilo;
	SELECT hilo_create(name, max_value => 500000, range_size => 20)
	FROM unnest(ARRAY['Higher', 'Lower', 'Same', 'Only_here']) name;
	SELECT hilo_seed('higher', 200), hilo_seed('lower', 500),
		   hilo_seed('same', 300), hilo_seed('only_here', 5);
	SELECT hilo_alter('higher', owner => 'alice')});

my $user = $node->safe_psql('postgres', 'SELECT current_user');
my $generators = q{
	SELECT name, owner, last, max_value, range_size FROM hilo_generators()};

# The sessions below have taken 20 ids from each before the restore.
my $expected = qq{a_new|$user|77|9223372036854775807|10
Higher|alice|900|500000|20
Lower|$user|520|500000|20
Only_here|$user|25|500000|20
Same|$user|320|500000|20
z_new|bob|88|9223372036854775807|10};

sub test_merge
{
	my ($how, $dump, @restore) = @_;

	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target TEMPLATE existing');
	my $session = $node->background_psql('target');
	$session->query_safe(
		qq{SELECT hilo_next_tag('$_')}) foreach qw(higher lower same only_here);

	$node->command_ok([ 'pg_dump', '--data-only', @$dump, 'source' ],
		"$how: dump");
	$node->command_ok([ @restore ], "$how: restore");

	is($node->safe_psql('target', $generators),
		$expected, "$how: the higher last, the definition that stands");
	is($session->query_safe(q{SELECT hilo_next_tag('higher')}),
		901, "$how: a session forgets a range that the dump knows nothing of");
	is($session->query_safe(q{SELECT hilo_next_tag('lower')}),
		521, "$how: and any other");
	is($session->query_safe(q{SELECT hilo_next_tag('a_new')}),
		78, "$how: a new name goes on above its last");
	$session->quit;
	return;
}

test_merge(@$_) foreach ways_to_restore($dir),
  [ 'without triggers', [ '-Fc', '-f', "$dir/off" ],
	'pg_restore', '-d', 'target', '-a', '--disable-triggers', "$dir/off" ];

# Again, over its own result: nothing is lost, nothing is counted twice.
my $before = $node->safe_psql('target', $generators);
$node->command_ok(
	[ 'pg_restore', '-j', '4', '-d', 'target', "$dir/directory" ],
	'the same dump once more');
is($node->safe_psql('target', $generators), $before, 'changes nothing');

# What the merge has raised stays raised, also when the restore is rolled back.
$node->safe_psql('target', q{SELECT hilo_seed('higher', 400, true)});
$node->safe_psql(
	'target', qq{
	BEGIN;
	\\set QUIET on
	\\i $dir/inserts
	ROLLBACK});
is( $node->safe_psql(
		'target', q{SELECT last FROM hilo_generators() WHERE name = 'Higher'}),
	900,
	'last does not go down by a rollback');

# It is on disk when the restore says so.
$node->safe_psql('target', q{SELECT hilo_seed('higher', 400, true)});
$node->safe_psql('target', "\\i $dir/inserts");
crash($node);
is( $node->safe_psql(
		'target', q{SELECT last FROM hilo_generators() WHERE name = 'Higher'}),
	900,
	'nor by a crash');

# What a session, or the window of all, has reserved is not handed out, nor given
# back, if the dump says that it is in use.
my @held = qw(held held_listed held_global held_gapless);
$node->safe_psql(
	'source', q{
	SELECT hilo_create('held'), hilo_create('held_listed'),
		   hilo_create('held_global', 'global'), hilo_create('held_gapless', 'gapless');
	SELECT hilo_seed(name, 20) FROM hilo_generators() WHERE name ^@ 'held'});
$node->safe_psql(
	'target', q{
	SELECT hilo_create('held'), hilo_create('held_listed'),
		   hilo_create('held_global', 'global'), hilo_create('held_gapless', 'global')});
my $session = $node->background_psql('target');
is($session->query_safe("SELECT max(hilo_next_tag('$_')) FROM generate_series(1, 18)"), 18,
	"$_: in use before") foreach @held;
$node->safe_psql('target', q{SELECT hilo_next_tag('held_listed')});
$session->query_safe(q{SELECT hilo_release('held_listed')});
$node->command_ok([ 'pg_dump', '--data-only', '-f', "$dir/held", 'source' ], 'dump');
$node->safe_psql('target', "\\i $dir/held");
cmp_ok($node->safe_psql('target', "SELECT last FROM hilo_generators() WHERE name = '$_'"),
	'>=', 20, "$_: last") foreach @held;
cmp_ok($session->query_safe("SELECT hilo_next_tag('$_')"), '>', 20, "$_: next") foreach @held;
$session->quit;

$node->stop;
done_testing();
