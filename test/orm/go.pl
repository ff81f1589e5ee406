
# pgx and ent: the default of the column, and ids taken before a COPY.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

need('Go', 'go', 'version');
my $folder = orm_folder('go');
$ENV{GOPATH} = "$folder/path";
$ENV{GOCACHE} = "$folder/cache";
$ENV{GOFLAGS} = '-mod=readonly -modcacherw';
orm_does($folder, 'sh', '-c', 'mkdir -p ent/schema && mv item_schema.go ent/schema');
fetch($folder, 'go', 'tool', 'ent', 'generate', './ent/schema');
fetch($folder, 'go', 'build', '-o', 'insert', '.');

my $node = orm_node('go');
my @program = ("$folder/insert");
orm_does($folder, @program, 'create');
side_by_side($node, 'Go', folder => $folder, program => \@program, tables => { by_pgx => undef, by_copy => undef, items => undef });
$node->stop;
done_testing();
