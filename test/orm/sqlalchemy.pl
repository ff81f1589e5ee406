
# SQLAlchemy: ids by the server's default, by a client-side allocator, and from its
# own sequence.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my $folder = python_folder('sqlalchemy', '--only-binary', ':all:');

my $node = orm_node('sqlalchemy');
my @program = ("$folder/venv/bin/python", 'insert.py');
orm_does($folder, @program, 'create');
$node->safe_psql('postgres', q{
	SELECT hilo_adopt_sequence('numbered', 'numbered_id_seq', 'efcore', 10);
	ALTER TABLE numbered ALTER id SET DEFAULT hilo_next('numbered')});

side_by_side($node, 'SQLAlchemy', folder => $folder, program => \@program,
	tables => { plain => undef, monotonic => undef, allocated => undef, numbered => '(id - 1) / 10' });
client_cases($node, 'SQLAlchemy', folder => $folder, program => \@program, table => 'allocated',
	cases => [ 'fork', 'tasks', 'databases', 'killed' ], short => { allocated => 100 });
$node->stop;
done_testing();
