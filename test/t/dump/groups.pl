
# Numbers per group in dumps of every kind: they go on with the table, whatever its OID is then,
# above those that were deleted, and are raised only if the table has groups already.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = new_node('main');
my @psql = ('psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', 'target', '-f');

$node->safe_psql('postgres', q{
	CREATE ROLE owner LOGIN;
	CREATE ROLE alice LOGIN;
	CREATE DATABASE source OWNER owner});
$node->safe_psql('source', q{
	CREATE EXTENSION hilo;
	GRANT CREATE ON SCHEMA public TO PUBLIC});
my $made = q{
	CREATE TABLE %1$s (customer int, name text, number int);
	CREATE TRIGGER number BEFORE INSERT ON %1$s FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', '%2$s', 'customer', 'name');
	INSERT INTO %1$s VALUES (7, 'é,?#'), (7, 'é,?#'), (7, 'é,?#'), (8, NULL), (8, NULL);
	DELETE FROM %1$s WHERE number > 1;};
$node->safe_psql('source',
	'CREATE SCHEMA app;' . sprintf($made, 'app."Odd ""one"".x"', 'gapless') . sprintf($made,
		'app.old_name', 'global') .
	'ALTER TABLE app.old_name RENAME TO new_name', extra_params => [ '-U', 'owner' ]);
$node->safe_psql('source',
	sprintf($made, 'alices', 'gapless')
	  . 'ALTER TABLE alices OWNER TO alice; GRANT SELECT ON alices TO owner');
$node->safe_psql('source', q{
	CREATE TABLE parts (k int, number int) PARTITION BY LIST (k);
	CREATE TABLE part_1 PARTITION OF parts FOR VALUES IN (1);
	CREATE TRIGGER number BEFORE INSERT ON parts FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'k');
	INSERT INTO parts VALUES (1), (1);
	CREATE TABLE dropped (number int);
	CREATE TRIGGER number BEFORE INSERT ON dropped FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
	INSERT INTO dropped VALUES (NULL);
	ALTER EVENT TRIGGER hilo_forget_tables DISABLE;
	DROP TABLE dropped;
	ALTER EVENT TRIGGER hilo_forget_tables ENABLE ALWAYS});
is($node->safe_psql('source', 'SELECT count(*) FROM hilo_internal.hilo_series'), 8,
	'a row that no dump is to have');

my @tables = ('app."Odd ""one"".x"', 'app.new_name', 'alices');

sub make_target
{
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target OWNER owner');
	$node->safe_psql('target', 'CREATE EXTENSION hilo; GRANT CREATE ON SCHEMA public TO PUBLIC')
	  if shift;
	return;
}

sub numbers_are
{
	my ($first, $second, $new, $part, $how, @of) = @_;

	is($node->safe_psql('target', join '; ',
			map { "INSERT INTO $_ VALUES (7, 'é,?#'), (8, NULL), (9, 'new') RETURNING number" } @of),
		join("\n", (($first, $second, $new) x @of)), "$how: the numbers go on");
	is($node->safe_psql('target', 'INSERT INTO parts VALUES (1) RETURNING number'), $part,
		"$how: and of parts") if defined $part;
	return;
}

foreach my $options ([], [ '--inserts' ], [ '-a' ])
{
	make_target(0);
	if (grep { $_ eq '-a' } @$options)
	{
		$node->command_ok([ 'pg_dump', '-s', '-f', "$dir/schema.sql", 'source' ],
			'dump of the schema');
		$node->command_ok([ @psql, "$dir/schema.sql" ], 'restore of the schema');
	}
	$node->command_ok([ 'pg_dump', @$options, '-f', "$dir/plain.sql", 'source' ], "dump @$options");
	$node->command_ok([ @psql, "$dir/plain.sql" ], "restore @$options");
	numbers_are(4, 3, 1, 3, "@$options", @tables);
	is($node->safe_psql('target',
			q{SELECT count(*) FROM hilo_internal.hilo_series WHERE rel::text = ''}),
		0, 'no row of the dropped table');
}

# In parallel, and by the owner of the database.
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/custom", 'source' ], 'dump -Fc');
make_target(0);
$node->command_ok([ 'pg_restore', '-j', 3, '-d', 'target', "$dir/custom" ], 'restore -j');
numbers_are(4, 3, 1, 3, 'in parallel', @tables);
$node->command_ok([ 'pg_dump', '-U', 'owner', '-Fc', '-T', 'part*', '-f', "$dir/owners", 'source' ],
	'dump by the owner of the database');
make_target(1);
$node->command_checks_all([ 'pg_restore', '-U', 'owner', '--no-owner', '-d', 'target',
		"$dir/owners" ],
	1, [], [qr/already exists|must be owner/], 'restore by him');
numbers_are(4, 3, 1, undef, 'by the owner of the database', @tables);

# What is there already is raised, and not lowered; of another owner's table nothing is.
$node->safe_psql('target',
	q{INSERT INTO app.new_name VALUES (7, 'é,?#', 100); ALTER TABLE alices OWNER TO alice});
$node->safe_psql('source',
	q{INSERT INTO app."Odd ""one"".x" VALUES (7, 'é,?#', 50); INSERT INTO alices VALUES (7, 'é,?#', 70)});
$node->command_ok([ 'pg_dump', '-a', '-t', 'hilo_internal.hilo_series', '-f', "$dir/groups.sql",
		'source' ],
	'dump of the groups alone');
my $groups = 'SELECT last FROM hilo_internal.hilo_series ORDER BY rel, columns, grp';
my $before = $node->safe_psql('target', $groups);
$node->safe_psql('target', "BEGIN;\n\\i $dir/groups.sql\nROLLBACK");
is($node->safe_psql('target', $groups), $before, 'a restore that is rolled back raises nothing');
like($node->psql('target', "\\i $dir/groups.sql", extra_params => [ '-U', 'owner' ]), qr/^0/,
	'restore of the groups alone');
numbers_are(51, 4, 2, undef, 'raised', $tables[0]);
numbers_are(101, 4, 2, undef, 'not lowered', $tables[1]);
numbers_are(5, 4, 2, undef, 'not of another owner', $tables[2]);

done_testing();
