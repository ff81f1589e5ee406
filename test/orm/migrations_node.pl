
# drizzle-kit, TypeORM and MikroORM on new databases with hilo: they make their tables,
# leave hilo alone and have nothing left to change, also after hilo_attach once the
# model says so.

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
my $attach = q{SELECT hilo_attach('customers', 'id')};

subtest 'drizzle-kit' => sub {
	new_database($node, 'drizzle');
	$node->safe_psql('drizzle',
		q{CREATE TABLE notes (item text); INSERT INTO notes SELECT 'tea' FROM generate_series(1, 10)});
	like(drizzle_kit('new', 'push'), qr/Changes applied/, 'makes the tables');
	is($node->safe_psql('drizzle', 'SELECT min(id), max(id) FROM notes'), '1|10',
		'and ids for the rows that are there');
	like(drizzle_kit('new', 'push'), qr/No changes detected/, 'the new database');
	$node->safe_psql('drizzle', $attach);
	unlike(drizzle_kit('new', 'push'), qr/No changes detected/, 'the former model differs');
	like(drizzle_kit('attached', 'push'), qr/No changes detected/, 'after hilo_attach');
	drizzle_kit('attached', 'pull');
	my $pulled = slurp_file("$folder/out/schema.ts");
	is(join(' ', sort $pulled =~ /^export const (\w+)/mg), 'customers notes orders',
		'pull finds the tables of the application');
	like($pulled, qr/sql`hilo_next\('customers'::regclass\)`/, 'with their defaults');
};

foreach my $tool ('typeorm', 'mikroorm')
{
	# which would drop its trigger
	$attach =~ s/\)$/, follow => false)/ if $tool eq 'mikroorm';
	subtest $tool => sub {
		new_database($node, $tool);
		foreach my $run (1, 2)
		{
			synchronize($tool, 'new', 'update');
			is(synchronize($tool, 'new', 'SQL'), '', "run $run: the new database");
			$node->safe_psql($tool, $attach);
			like(synchronize($tool, 'new', 'SQL'), qr/nextval\('/,
				"run $run: the former model brings its sequence back");
			is(synchronize($tool, 'attached', 'SQL'), '', "run $run: after hilo_attach");
			$node->safe_psql($tool,
				q{INSERT INTO orders (item) VALUES ('tea'); INSERT INTO customers (item) VALUES ('Ada')});
			synchronize($tool, 'attached', 'drop');
		}
		is($node->safe_psql($tool, 'SELECT count(*) FROM hilo_generators()'), 0,
			'the generators go with their tables');
	};
}

$node->stop;
done_testing();

# Run drizzle-kit, which always ends well; return what it says.
sub drizzle_kit
{
	my ($models, $command) = @_;

	$ENV{ORM_MODELS} = $models;
	return `cd $folder && node node_modules/drizzle-kit/bin.cjs $command --config drizzle.config.js </dev/null 2>&1`;
}

sub synchronize
{
	my @arguments = @_;

	return orm_does($folder, 'node', 'synchronize.mjs', @arguments);
}
