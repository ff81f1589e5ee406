
# Exposed: the model of a serial stays as it is after hilo_attach.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

need_java();
my $folder = orm_folder('exposed');
fetch($folder, 'mvn', '-q', '-B', 'compile',
	'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies',
	'-DoutputDirectory=lib');
my @program = ('java', '-cp', "$folder/target/classes:$folder/lib/*", 'MigrateKt');
my $node = orm_node('exposed');

like(orm_does($folder, @program), qr/BIGSERIAL.*\nid 1\nids \[2, 3, 4\]\n$/s, 'makes the table');
$node->safe_psql('postgres',
	q{SELECT hilo_attach('customers', 'id'); INSERT INTO customers VALUES (7, 'Ada')});
is(orm_does($folder, @program), "id 8\nids [9, 10, 11]\n",
	'has nothing to change after hilo_attach');

$node->stop;
done_testing();
