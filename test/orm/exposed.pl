
# Exposed, with a schema tool that believes in a serial: after hilo_attach its model stops the
# program, until the model has hilo's default.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

need_java();
my $folder = orm_folder('exposed');
fetch($folder, 'mvn', '-q', '-B', 'compile', 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies', '-DoutputDirectory=lib');
my @program = ('java', '-cp', "$folder/target/classes:$folder/lib/*", 'MigrateKt');
my $node = orm_node('exposed');
my $default = q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'customers'::regclass};

like(orm_does($folder, @program, 'serial'), qr/BIGSERIAL/, 'a serial');
$node->safe_psql('postgres', q{INSERT INTO customers VALUES (DEFAULT, 'Ada'); SELECT hilo_attach('customers', 'id')});
my $output = '';
ok(!IPC::Run::run([ @program, 'serial' ], '<', \undef, '>&', \$output), 'the program does not start with it');
like($output, qr/relation "customers_id_seq" does not exist/, 'as its sequence is gone');
is($node->safe_psql('postgres', $default), q{hilo_next('customers'::regclass)}, 'the default stays');

foreach my $start (0, 1)
{
	like(orm_does($folder, @program, 'customers'),
		qr/^statement ALTER TABLE customers .* SET DEFAULT hilo_next\('customers'\)\nid @{[ 2 + 4 * $start ]}\nids \[@{[ join ', ', map { 3 + 4 * $start + $_ } 0 .. 2 ]}\]\n$/,
		'with the default in the model');
}
is($node->safe_psql('postgres', $default), q{hilo_next('customers'::regclass)}, 'the default is the same');

$node->stop;
done_testing();
