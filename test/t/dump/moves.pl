
# What the documentation says of generators that are left behind, by a dump of a part and
# by one without data, and of what DROP ROLE and TRUNCATE leave alone.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', conf => <<'END');
hilo.prefetch = off
hilo.return_on_exit = off
END
my %env = (
	OLD => $node->connstr . ' dbname=postgres',
	NEW => $node->connstr . ' dbname=moved');
$node->safe_psql(
	'postgres', q{
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'));
	CREATE SCHEMA sales;
	CREATE TABLE sales.items (id bigint DEFAULT hilo_next_tag('items'));
	CREATE TABLE sales.prices (id int PRIMARY KEY DEFAULT hilo_next('sales.prices'));
	SELECT hilo_create('sales.prices', max_value => 1000);
	INSERT INTO orders SELECT FROM generate_series(1, 100);
	INSERT INTO sales.items SELECT FROM generate_series(1, 100);
	INSERT INTO sales.prices SELECT FROM generate_series(1, 100);
	DELETE FROM orders WHERE id > 50});

# Return a database with hilo and nothing else.
sub make_database
{
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS moved');
	$node->safe_psql('postgres', 'CREATE DATABASE moved');
	$node->safe_psql('moved', 'CREATE EXTENSION hilo');
	return;
}

# Run a statement in the other database that may fail; return its SQLSTATE, or its
# result.
sub moved
{
	my ($sql) = @_;
	my ($ret, $stdout, $stderr) = $node->psql('moved', $sql,
		extra_params => [ '-v', 'VERBOSITY=sqlstate' ]);

	return $stderr =~ /ERROR:  (\w+)/ ? $1 : $stdout;
}

sub table_of
{
	my ($name) = @_;

	return "INSERT INTO $name DEFAULT VALUES RETURNING id";
}

subtest 'one table' => sub {
	my ($copy, $resync) = split /\n/, (doc_examples('One table or one schema'))[0];

	make_database();
	run_sh($copy, %env);
	is(moved(table_of('orders')), 51, 'its generator begins above the rows');
	moved(q{SELECT hilo_seed('orders', 0, force => true)});
	run_sh($resync, %env);
	is(moved(table_of('orders')), 52, 'and one that was behind goes on above them');
	run_sh((doc_examples('Copying generators'))[0], %env);
	cmp_ok(moved(table_of('orders')), '>', 100, 'or above all that was handed out');
};

subtest 'one schema' => sub {
	my ($copy, $resync) = split /\n/, (doc_examples('One table or one schema'))[1];

	make_database();
	run_sh($copy, %env);
	is(moved(table_of('sales.items')), 101, 'each begins');
	is(moved(table_of('sales.prices')), 101, 'above its rows');
	moved(q{SELECT hilo_seed(name, 0, force => true) FROM unnest('{items,sales.prices}'::text[]) name});
	run_sh($resync, %env);
	is(moved(table_of('sales.items')), 102, 'those that were behind');
	is(moved(table_of('sales.prices')), 102, 'go on above them');
};

subtest 'schemas without generators' => sub {
	my ($resync) = doc_examples('Schemas without generators');

	make_database();
	$node->safe_psql('postgres', 'ALTER DATABASE moved SET hilo.auto_create = off');
	run_sh('pg_dump --schema-only --schema=sales "$OLD" | psql -qX -v ON_ERROR_STOP=1 "$NEW"',
		%env);
	is(moved(table_of('sales.items')), '42704', 'the generator of a tag is missing');
	is(moved("BEGIN; " . table_of('sales.prices') . '; ROLLBACK'), 1, 'that of a table is made');
	run_sh('pg_dump --data-only --schema=sales "$OLD" | psql -qX -v ON_ERROR_STOP=1 "$NEW"', %env);
	moved($resync);
	is(moved(table_of('sales.items')), 101, 'now it is there');
	is(moved(q{SELECT max_value FROM hilo_generators() WHERE name = 'sales.prices'}),
		2147483647, 'for the type of the column');
};

subtest 'TRUNCATE' => sub {
	make_database();
	$node->safe_psql(
		'moved', q{
		CREATE TABLE orders (id bigint DEFAULT hilo_next_tag('orders'), line serial);
		INSERT INTO orders SELECT FROM generate_series(1, 32)});
	is(moved('TRUNCATE orders RESTART IDENTITY; ' . table_of('orders') . ', line'),
		'33|1', 'restarts a sequence and no generator');
	$node->safe_psql('moved',
		q{TRUNCATE orders; SELECT hilo_seed('orders', coalesce(max(id), 0), force => true) FROM orders});
	is(moved(table_of('orders')), 1, 'but a seed does');
};

subtest 'dropped roles' => sub {
	my ($before, $after) = doc_examples('Dropping roles');
	my $owners = q{
		SELECT name, owner FROM hilo_generators() WHERE name LIKE 'of %' ORDER BY name};

	make_database();
	$node->safe_psql('moved',
		'CREATE ROLE alice; CREATE ROLE bob; CREATE ROLE carol; CREATE ROLE clerk');
	foreach my $role (qw(bob carol))
	{
		$node->safe_psql(
			'moved', qq{
			GRANT CREATE ON DATABASE moved TO $role;
			SET ROLE $role;
			SELECT hilo_create('of $role'), hilo_create('for clerk of $role'),
				   hilo_grant('for clerk of $role', 'clerk'),
				   hilo_grant('for clerk of $role', 'alice'), hilo_grant('of $role', 'alice');
			RESET ROLE;
			REASSIGN OWNED BY $role TO alice;
			DROP OWNED BY $role});
	}
	is(moved($owners), "of bob|bob\nof carol|carol", 'REASSIGN OWNED and DROP OWNED do nothing');
	$node->safe_psql('moved', $before);
	$node->safe_psql('moved', 'DROP ROLE bob, carol, clerk');
	is(moved($owners), "of bob|alice\nof carol|", 'one got another owner in time');
	is(moved(q{SET ROLE alice; SELECT hilo_seed('of carol', 10)}),
		'42501', 'the other one is the superusers\'');
	is(moved(q{SET ROLE alice; SELECT hilo_next_tag('of carol')}),
		1, 'who may use it still may');
	is(moved(q{SET ROLE alice; SELECT hilo_next_tag('for clerk of carol')}),
		1, 'also by a grant');
	$node->safe_psql('moved', 'CREATE ROLE clerk');
	is(moved(q{SET ROLE clerk; SELECT hilo_next_tag('for clerk of carol')}),
		'42501', 'a role of a name that was dropped has no rights');
	$node->safe_psql('moved', $after);
	is(moved($owners), "of bob|alice\nof carol|alice", 'now they are another role\'s');
	is(moved(q{SET ROLE alice; SELECT hilo_seed('of carol', 100)}),
		100, 'which may change them');
};

$node->stop;
done_testing();
