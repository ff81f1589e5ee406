
# TypeORM, Sequelize, Drizzle, MikroORM, Kysely, Knex and Objection, which read the default of the
# column, and SQL by hand, which also takes ids before the rows.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my $folder = node_folder('node');

my @orms = ('typeorm', 'sequelize', 'drizzle', 'mikroorm', 'kysely', 'knex', 'objection');
my $node = orm_node('node');
my @program = ('node', "$folder/insert.mjs");
orm_does($folder, @program, 'create');
$node->safe_psql('postgres',
	q{CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'), item text)});
orm_does($folder, 'node', "$folder/return_ids.mjs");
is($node->safe_psql('postgres',
		q{INSERT INTO orders (item) VALUES ('salt'); SELECT string_agg(id || ' ' || item, ', ' ORDER BY id) FROM orders}),
	'1 tea, 2 milk, 3 bread, 4 salt', 'Node.js: unused ids come back');
is($node->safe_psql('postgres',
		q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'sequelize'::regclass}),
	q{hilo_next('sequelize'::regclass)}, 'Sequelize: what alters the table leaves the default');
side_by_side($node, 'Node', folder => $folder, program => \@program,
	tables => { map { $_ => undef } @orms, 'plain' });
client_cases($node, 'Node', folder => $folder, program => \@program, table => 'plain',
	cases => [ 'databases', 'killed' ]);
is(join(' ', map { "$_:" . orm_does($folder, @program, 'types', 0, $_) =~ s/\n//r } @orms, 'plain'),
	'typeorm:string sequelize:string drizzle:bigint mikroorm:bigint kysely:string knex:string objection:string plain:string',
	'the types of ids');
is(orm_does($folder, @program, 'types as numbers', 0, 'plain'), "number\n",
	'numbers by a parser of types');
keeps_numbers($node, $_, $folder, @program, 'numbers', 0, $_) foreach @orms;
$node->stop;
done_testing();
