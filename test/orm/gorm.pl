
# GORM: the default of the column, and blocks taken before the rows are sent.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

need('Go', 'go', 'version');
my $folder = orm_folder('gorm');
$ENV{GOPATH} = "$folder/path";
$ENV{GOCACHE} = "$folder/cache";
$ENV{GOFLAGS} = '-mod=readonly -modcacherw';
fetch($folder, 'go', 'build', '-o', 'insert', '.');

my $node = orm_node('gorm');
my @program = ("$folder/insert");
orm_does($folder, @program, 'create');
side_by_side($node, 'GORM', folder => $folder, program => \@program, tables => { items => undef, blocks => undef });
$node->stop;
done_testing();
