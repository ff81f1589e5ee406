# Numbers without gaps in a dump and its restores: into nothing, with a lower and a higher
# number there, and with another ordering.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main');
$node->safe_psql('postgres', q{
	CREATE TABLE invoice (no bigint PRIMARY KEY DEFAULT hilo_next('invoice'), n int);
	SELECT hilo_create('invoice', 'gapless');
	INSERT INTO invoice SELECT FROM generate_series(1, 500)});
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump';
$node->safe_psql('postgres', q{
	SELECT hilo_create(name, 'gapless') FROM unnest('{lower,higher,other,users|}'::text[]) name;
	SELECT hilo_seed('lower', 10), hilo_seed('higher', 1000), hilo_seed('other', 50);
	SELECT hilo_create('shared', 'global'), identity_next('users'), hilo_next_tag('shared'), identity_next('persons')});
wait_for_sessions($node, 0);
$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, $node->connstr('postgres') ], 'a dump');
my $last = $node->safe_psql('postgres',
	q{SELECT last FROM hilo_generators() WHERE name = 'invoice'});
my $state = q{SELECT name, ordering, last FROM hilo_generators() ORDER BY name};
$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->command_ok([ 'pg_restore', '-d', $node->connstr('fresh'), $dump ], 'restored');
# windows are not in a dump
is($node->safe_psql('fresh', $state), $node->safe_psql('postgres', q{
		SELECT g.name, ordering, CASE ordering WHEN 'gapless' THEN last ELSE reserved END
		FROM hilo_generators() g JOIN hilo_internal.hilo_hi h ON replace(format('%s', h.name), '#public.', '') = g.name ORDER BY g.name}), 'all is as it was');
is($node->safe_psql('fresh', q{INSERT INTO invoice DEFAULT VALUES RETURNING no}), $last + 1,
	'and goes on');
is($node->safe_psql('fresh',
		q{SELECT identity_next('users'), hilo_next_tag('shared'), identity_next('persons')}),
	'2|17|17', 'identities and windows, too');
$node->safe_psql('postgres', 'CREATE DATABASE merged');
$node->safe_psql('merged', q{
	CREATE EXTENSION hilo;
	SELECT hilo_create('lower', 'gapless'), hilo_seed('lower', 20);
	SELECT hilo_create('higher', 'gapless'), hilo_seed('higher', 20);
	SELECT hilo_create('other', 'global'), hilo_next_tag('other');
	SELECT hilo_create('shared', 'gapless'), hilo_next_tag('shared')});
wait_for_sessions($node, 0);
my $session = $node->background_psql('merged');
$session->query_safe(q{SELECT hilo_next_tag('other')});
$node->command_ok([ 'pg_restore', '--data-only', '-d', $node->connstr('merged'), '-L',
		_hilo_only($dump), $dump ], 'merged');
is($node->safe_psql('merged', q{SELECT name, ordering, last FROM hilo_generators()
		WHERE name IN ('lower', 'higher', 'other', 'shared') ORDER BY name}),
	"higher|gapless|1000\nlower|gapless|20\nother|global|50\nshared|gapless|16",
	'the higher number stays, by whichever ordering');
is($session->query_safe(q{SELECT hilo_next_tag('other')}), 51, 'a window that was open is closed');
$session->quit;

$node->stop;
done_testing();

# The entries of a dump that are hilo's own rows.
sub _hilo_only
{
	my ($dump) = @_;
	my $list = "$dump.list";

	open my $file, '>', $list or die $!;
	print $file grep { /TABLE DATA \S+ hilo_/ } `pg_restore -l $dump`;
	close $file;
	return $list;
}
