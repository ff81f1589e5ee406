
# Peewee: the default of a column, made with the table or by hilo_attach.

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
side_by_side($node, 'Peewee', folder => $folder, program => \@program, tables => { plain => undef, auto => undef });
keeps_numbers($node, 'Peewee', $folder, @program, 'numbers');
$node->stop;
done_testing();
