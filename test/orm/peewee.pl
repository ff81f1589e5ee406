
# Peewee: the default of a column, and a serial that is attached.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my $folder = python_folder('peewee');

my $node = orm_node('peewee');
my @program = ("$folder/venv/bin/python", 'insert.py');
orm_does($folder, @program, 'create');
side_by_side($node, 'Peewee', folder => $folder, program => \@program,
	tables => { plain => undef, auto => undef });
keeps_numbers($node, 'Peewee', $folder, @program, 'numbers');
$node->safe_psql('postgres',
	q{CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'), item text)});
orm_does($folder, "$folder/venv/bin/python", 'return_ids.py');
is($node->safe_psql('postgres',
		q{INSERT INTO orders (item) VALUES ('salt'); SELECT string_agg(id || ' ' || item, ', ' ORDER BY id) FROM orders}),
	'1 tea, 2 milk, 3 bread, 4 salt', 'Python: unused ids come back');
$node->stop;
done_testing();
