
# Flyway and Liquibase on new databases with hilo, as a role that is no superuser: the
# database counts as empty, the migrations run and are valid, what cleans up leaves
# hilo alone, and then they run again.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my ($folder, @program) = java_program('migrations_java', 'Migrate');
my $node = orm_node('migrations_java');
foreach my $tool ('flyway', 'liquibase')
{
	subtest $tool => sub {
		new_database($node, $tool);
		my $output = orm_does($folder, @program, $tool);
		is(join(' ', $output =~ /^((?:migrated|left) \d+)$/mg),
			'migrated 2 left 0 migrated 2 left 0', 'migrations');
		is( join(' ', sort $output =~ /<createTable [^>]*>|autoIncrement="true"|defaultValueComputed="[^"]*"/g),
			$tool eq 'flyway' ? ''
			  : q{<createTable tableName="customers"> <createTable tableName="orders"> }
			  . q{autoIncrement="true" defaultValueComputed="hilo_next('orders'::regclass)"},
			'the tables as the tool reads them');
		is($node->safe_psql($tool,
				q{INSERT INTO orders (item) VALUES ('tea'); SELECT count(*), min(id) FROM orders}),
			'1|1', 'a row');
		is(orm_does($folder, @program, 'jdbc', $tool), "YES\ntrue\n8\n",
			'JDBC sees that the attached column numbers itself, and reads the id back');
		is($node->safe_psql($tool, q{SELECT count(*) FROM pg_extension WHERE extname = 'hilo'}), 1,
			'hilo is there');
	};
}

$node->stop;
done_testing();
