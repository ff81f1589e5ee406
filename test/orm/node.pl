
# TypeORM, Sequelize, Drizzle, MikroORM and Kysely, which read the default of the column, and SQL by
# hand with blocks of its own, as with Dapper.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my $folder = node_folder('node');

my $node = orm_node('node');
my @program = ('node', "$folder/insert.mjs");
orm_does($folder, @program, 'create');
$node->safe_psql('postgres', q{CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'), item text)});
orm_does($folder, 'node', "$folder/return_ids.mjs");
is($node->safe_psql('postgres', q{INSERT INTO orders (item) VALUES ('salt'); SELECT string_agg(id || ' ' || item, ', ' ORDER BY id) FROM orders}),
	'1 tea, 2 milk, 3 bread, 4 salt', 'Node.js: unused ids come back');
is($node->safe_psql('postgres', q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'sequelize'::regclass}),
	q{hilo_next('sequelize'::regclass)}, 'Sequelize: what alters the table leaves the default');
side_by_side($node, 'Node', folder => $folder, program => \@program,
	tables => { map { $_ => undef } 'typeorm', 'sequelize', 'drizzle', 'mikroorm', 'kysely', 'plain' });
client_cases($node, 'Node', folder => $folder, program => \@program, table => 'plain',
	cases => [ 'tasks', 'databases', 'failed', 'moved', 'killed' ], short => { plain => 100 });
keeps_numbers($node, $_, $folder, @program, 'numbers', 0, $_) foreach 'typeorm', 'sequelize', 'drizzle', 'mikroorm', 'kysely';
$node->stop;
done_testing();
