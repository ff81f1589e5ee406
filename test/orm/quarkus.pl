
# Quarkus with Panache: the sequence of a PanacheEntity, and the default of a column.
# Its import.sql adopts the sequence, and inserts rows with their own ids.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

need_java();
my $folder = orm_folder('quarkus');
fetch($folder, 'mvn', '-q', '-B', 'package');
my $node = orm_node('quarkus');
my ($java, @program) = ('java', '-jar', "$folder/target/quarkus-app/quarkus-run.jar");

orm_does($folder, $java, '-Dquarkus.hibernate-orm.schema-management.strategy=create', @program);
is($node->safe_psql('postgres', q{SELECT string_agg(id::text, ' ' ORDER BY id) FROM by_sequence}), '1 2 345', 'the rows of import.sql');
side_by_side($node, 'Quarkus', folder => $folder, program => [ $java, @program ],
	tables => { by_sequence => '(id - 46) / 50', by_default => undef });
keeps_numbers($node, 'Quarkus', $folder, $java, @program, 'numbers');

$node->stop;
done_testing();
