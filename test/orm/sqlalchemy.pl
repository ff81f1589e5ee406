
# SQLAlchemy: ids by the server's default, taken before the rows, and from its own
# sequence, adopted or attached.

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
	SELECT hilo_adopt_sequence('numbered', 'id', 'numbered_id_seq', 'efcore', 10);
	ALTER SEQUENCE attached_id_seq OWNED BY attached.id;
	ALTER TABLE attached ALTER id SET DEFAULT nextval('attached_id_seq');
	SELECT hilo_attach('attached', 'id');
	INSERT INTO attached VALUES (7, 'first')});

side_by_side($node, 'SQLAlchemy', folder => $folder, program => \@program,
	tables => {
		plain => undef, monotonic => undef, known => undef, numbered => '(id - 1) / 10',
		attached => undef });
# no ids are kept between two calls, which a fork or threads might share
client_cases($node, 'SQLAlchemy', folder => $folder, program => \@program, table => 'known',
	cases => [ 'databases', 'killed' ]);
keeps_numbers($node, 'SQLAlchemy', $folder, @program, 'numbers');
$node->stop;
done_testing();
