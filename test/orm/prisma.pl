
# Prisma without the programs of its engines, which are not in the package registry: its
# client compiles queries itself, and the engine of its migrations is there as a module,
# too.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my $folder = node_folder('prisma');
# the engine that makes tables is not needed, but would be fetched
$ENV{PRISMA_SCHEMA_ENGINE_BINARY} = '/bin/true';
$ENV{CHECKPOINT_DISABLE} = 1;
fetch($folder, 'node', 'node_modules/prisma/build/index.js', 'generate', '--schema',
	'schema.prisma');

my $node = orm_node('prisma');
my @program = ('node', 'insert.mjs');
orm_does($folder, @program, 'create');
side_by_side($node, 'Prisma', folder => $folder, program => \@program,
	tables => { by_default => undef, known => undef });
client_cases($node, 'Prisma', folder => $folder, program => \@program, table => 'known',
	cases => [ 'databases', 'killed' ]);
keeps_numbers($node, 'Prisma', $folder, @program, 'numbers');

subtest 'migrations' => sub {
	new_database($node, 'migrated');
	is(migrate('model', 'push'), "2\n", 'makes the tables');
	is(migrate('model', 'push'), "0\n", 'the new database');
	is(migrate('without_cast', 'push'), "1\n", 'a default without its cast differs');
	migrate('model', 'push');
	$node->safe_psql('migrated', q{
		SELECT hilo_attach('customers', 'id');
		INSERT INTO customers VALUES (7, 'Ada')});
	is(migrate('model', 'push'), "0\n", 'after hilo_attach');
	is($node->safe_psql('migrated', q{INSERT INTO customers (item) VALUES ('Bob') RETURNING id}), 8,
		'the next row');
	my $pulled = migrate('model', 'pull');
	is(join(' ', $pulled =~ /^model (\w+)/mg), 'customers orders',
		'pull finds the tables of the application');
	like($pulled, qr/autoincrement\(\).*dbgenerated\("hilo_next\('orders'::regclass\)"\)/s,
		'with their defaults');
	$node->safe_psql('migrated', q{SELECT hilo_detach('customers', 'id')});
	is(migrate('model', 'push'), "0\n", 'after hilo_detach');
	migrate('model', 'reset');
	is(hilo_in('migrated'), 0, 'reset drops the schema public, and hilo with it');
	$node->safe_psql('migrated', 'CREATE SCHEMA hilo; CREATE EXTENSION hilo SCHEMA hilo');
	migrate('model', 'reset');
	is(hilo_in('migrated'), 1, 'but no other schema');
};

subtest 'migrate dev' => sub {
	my @databases = map { "DROP DATABASE IF EXISTS $_ WITH (FORCE)" } 'migrated', 'shadow';

	$node->safe_psql('postgres', $databases[0]);
	new_database($node, 'migrated');
	my ($made) = migrate('model', 'dev') =~ /^createMigration (.*CREATE TABLE "orders".*)/s;
	ok(!defined eval { migrate('model', 'dev', $made) },
		'as it makes the first migration, the next one stops');
	like($@, qr/apply cleanly to the shadow database.*function hilo_next\(regclass\) does not exist/s, 'where hilo is missing');
	$node->safe_psql('postgres', $_) foreach @databases;
	new_database($node, 'migrated');
	is( migrate('model', 'dev', "CREATE EXTENSION IF NOT EXISTS hilo; $made",
			q{SELECT hilo_attach('customers', 'id')}),
		"createMigration nothing\n",
		'with the extension in the first, and hilo_attach in the second, nothing is left to do');
};

$node->stop;
done_testing();

sub migrate
{
	my @arguments = @_;

	return orm_does($folder, 'node', 'migrate.mjs', @arguments);
}

sub hilo_in
{
	my ($database) = @_;

	return $node->safe_psql($database, q{SELECT count(*) FROM pg_extension WHERE extname = 'hilo'});
}
