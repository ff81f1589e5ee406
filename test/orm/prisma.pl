
# Prisma without its engines, which are not in the package registry: its client
# compiles queries itself.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my $folder = node_folder('prisma');
# the engine that makes tables is not needed, but would be fetched
$ENV{PRISMA_SCHEMA_ENGINE_BINARY} = '/bin/true';
$ENV{CHECKPOINT_DISABLE} = 1;
fetch($folder, 'node', 'node_modules/prisma/build/index.js', 'generate', '--schema', 'schema.prisma');

my $node = orm_node('prisma');
my @program = ('node', 'insert.mjs');
orm_does($folder, @program, 'create');
side_by_side($node, 'Prisma', folder => $folder, program => \@program, tables => { by_default => undef, by_range => undef });
$node->stop;
done_testing();
