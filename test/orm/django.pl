
# Django: ids by db_default, taken before bulk_create, and from an identity that is
# attached.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my $folder = python_folder('django', '--only-binary', ':all:');

my $node = orm_node('django');
my @program = ("$folder/venv/bin/python", 'insert.py');
orm_does($folder, @program, 'create');
$node->safe_psql('postgres', q{SELECT hilo_attach('auto', 'id')});
side_by_side($node, 'Django', folder => $folder, program => \@program,
	tables => { plain => undef, blocks => undef, auto => undef });
# no ids are kept between two calls, which a fork or threads might share
client_cases($node, 'Django', folder => $folder, program => \@program, table => 'blocks',
	cases => [ 'databases', 'killed' ]);
keeps_numbers($node, 'Django', $folder, @program, 'numbers');

$node->stop;
done_testing();
