
# Peewee: the default of a column, made with the table or by hilo_attach.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

need('Python 3.10 or later with venv',
	'python3', '-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))');
my $folder = orm_folder('peewee');
fetch($folder, 'python3', '-m', 'venv', 'venv');
fetch($folder, "$folder/venv/bin/pip", 'install', '-q', '--no-deps', '-r', 'requirements.txt');

my $node = orm_node('peewee');
my @program = ("$folder/venv/bin/python", 'insert.py');
orm_does($folder, @program, 'create');
side_by_side($node, 'Peewee', folder => $folder, program => \@program, tables => { plain => undef, auto => undef });
$node->stop;
done_testing();
