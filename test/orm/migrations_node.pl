
# drizzle-kit, TypeORM and MikroORM on new databases with hilo: they make their tables,
# leave hilo alone and have nothing left to change, also after hilo_attach and
# hilo_detach.  Sequelize and Knex change attached tables, forth and back.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use PostgreSQL::Test::Utils;
use Test::More;

# esbuild, which drizzle-kit needs, is a package for each machine
my $folder = node_folder('migrations_node', '--include=optional');
my $node = orm_node('migrations_node');

subtest 'drizzle-kit' => sub {
	new_database($node, 'drizzle');
	$node->safe_psql('drizzle',
		q{CREATE TABLE notes (item text); INSERT INTO notes SELECT 'tea' FROM generate_series(1, 10)});
	like(drizzle_kit('push'), qr/Changes applied/, 'makes the tables');
	is($node->safe_psql('drizzle', 'SELECT min(id), max(id) FROM notes'), '1|10',
		'and ids for the rows that are there');
	stays_attached('drizzle', sub {
		like(drizzle_kit('push'), qr/No changes detected/, $_[0]);
	});
	drizzle_kit('pull');
	my $pulled = slurp_file("$folder/out/schema.ts");
	is(join(' ', sort $pulled =~ /^export const (\w+)/mg), 'customers notes orders',
		'pull finds the tables of the application');
	is( join(' ', sort $pulled =~ /bigserial\(|hilo_next\('\w+'/g),
		q{bigserial( hilo_next('notes' hilo_next('orders'},
		'with their serial and their defaults');
};

foreach my $tool ('typeorm', 'mikroorm')
{
	subtest $tool => sub {
		new_database($node, $tool);
		foreach my $run (1, 2)
		{
			synchronize($tool, 'update');
			stays_attached($tool, sub {
				is(synchronize($tool, 'SQL'), '', "run $run: $_[0]");
				synchronize($tool, 'update');
			});
			$node->safe_psql($tool, q{INSERT INTO orders (item) VALUES ('tea')});
			synchronize($tool, 'drop');
		}
		is($node->safe_psql($tool, 'SELECT count(*) FROM hilo_generators()'), 0,
			'the generators go with their tables');
	};
}

my %serials = (sequelize => 1, knex => 3);
foreach my $tool (sort keys %serials)
{
	subtest $tool => sub {
		new_database($node, $tool);
		synchronize($tool, 'update');
		my $plain = schema_of($tool);
		$node->safe_psql($tool, q{SELECT hilo_attach(rel, col) FROM hilo_check() WHERE sequence IS NOT NULL});
		my $attached = schema_of($tool);
		is(scalar(() = $attached =~ /^CREATE TRIGGER hilo_follow/mg), $serials{$tool},
			'each serial is attached');
		synchronize($tool, 'update');
		is(schema_of($tool), $attached, 'nothing is left to change');
		synchronize($tool, 'change');
		like(schema_of($tool), qr/character varying\(255\),\n\s+note text\n/, 'a change');
		synchronize($tool, 'back');
		is(schema_of($tool), $attached, 'and back');
		is(synchronize($tool, 'insert'), '4 5', 'rows after rows with ids');
		$node->safe_psql($tool, q{SELECT hilo_detach(rel, col) FROM hilo_check() WHERE sequence IS NOT NULL});
		is(schema_of($tool), $plain, 'detached');
	};
}

$node->stop;
done_testing();

# Check that a tool has nothing to do in its database: in a new one, after hilo_attach of
# its serial, and after hilo_detach.
sub stays_attached
{
	my ($database, $check) = @_;
	my $triggers = q{SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'hilo_follow%'};

	$check->('the new database');
	$node->safe_psql($database, q{
		SELECT hilo_attach('customers', 'id');
		INSERT INTO customers VALUES (7, 'Ada')});
	$check->('after hilo_attach');
	is($node->safe_psql($database, $triggers), 1, 'which has its trigger');
	is($node->safe_psql($database, q{INSERT INTO customers (item) VALUES ('Bob') RETURNING id}), 8,
		'the next row');
	$node->safe_psql($database, q{SELECT hilo_detach('customers', 'id')});
	$check->('after hilo_detach');
	$node->safe_psql($database, q{SELECT hilo_attach('customers', 'id')});
	return;
}

# Run drizzle-kit, which always ends well; return what it says.
sub drizzle_kit
{
	my ($command) = @_;

	return `cd $folder && node node_modules/drizzle-kit/bin.cjs $command --config drizzle.config.js </dev/null 2>&1`;
}

sub synchronize
{
	my @arguments = @_;

	return orm_does($folder, 'node', 'synchronize.mjs', @arguments);
}

sub schema_of
{
	my ($database) = @_;
	my ($schema) = run_command([ 'pg_dump', '-s', '-d', $node->connstr($database) ]);

	# random since 15.14
	return $schema =~ s/^\\(un)?restrict .*//mgr;
}
