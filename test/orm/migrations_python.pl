
# Alembic and Django on new databases with hilo: their migrations have the tables of
# the models and nothing of hilo's, and nothing is left to migrate, also after
# hilo_attach.

use strict;
use warnings;

use File::Copy;
use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $folder = python_folder('migrations_python', '--only-binary', ':all:');

my $node = orm_node('migrations_python');
$ENV{PYTHONPATH} = $folder;

# what hilo_attach leaves as it is; and its trigger
my $column = q{
	SELECT attidentity, pg_get_serial_sequence('customers', 'id'),
		(SELECT count(*) FROM pg_trigger WHERE tgrelid = attrelid) FROM pg_attribute
	WHERE attrelid = 'customers'::regclass AND attname = 'id'};

subtest 'Alembic' => sub {
	my $alembic = "$folder/venv/bin/alembic";

	new_database($node, 'alembic');
	$ENV{ORM_MODELS} = 'with_cast';
	orm_does($folder, $alembic, 'init', 'migrations');
	copy("$folder/alembic_env.py", "$folder/migrations/env.py") or die;
	orm_does($folder, $alembic, 'revision', '--autogenerate', '-m', 'first');
	my ($first) = map { slurp_file($_) } glob "$folder/migrations/versions/*.py";
	is(join(' ', sort $first =~ /op\.(\w+\('\w+')/g),
		"create_table('customers' create_table('invoices' create_table('orders' drop_table('customers' "
		  . "drop_table('invoices' drop_table('orders'",
		'the first migration makes the tables, and its downgrade drops them');
	orm_does($folder, $alembic, 'upgrade', 'head');
	is_clean($folder, [ $alembic, 'check' ], 'the new database');
	append_attach($folder, $first =~ /^revision: str = '(\w+)'/m);
	orm_does($folder, $alembic, 'upgrade', 'head');
	is($node->safe_psql('alembic', $column), 'd|public.customers_id_seq|1',
		'an identity with its trigger');
	is_clean($folder, [ $alembic, 'check' ], 'after hilo_attach');
	orm_does($folder, $alembic, 'downgrade', '-1');
	is($node->safe_psql('alembic', $column), 'd|public.customers_id_seq|0',
		'and without, after the downgrade');
	orm_does($folder, $alembic, 'upgrade', 'head');
	$ENV{ORM_MODELS} = 'without_cast';
	isnt(system("cd $folder && $alembic check >/dev/null 2>&1"), 0,
		'a default without its cast differs');
	$ENV{ORM_MODELS} = 'with_cast';
	my $insert = q{INSERT INTO orders (item) VALUES ('tea') RETURNING id};
	is($node->safe_psql('alembic', $insert), 3,
		'a comparison of defaults that differ in their text has evaluated both');
	orm_does($folder, $alembic, 'downgrade', 'base');
	orm_does($folder, $alembic, 'upgrade', 'head');
	is_clean($folder, [ $alembic, 'check' ], 'the tables again');
	is($node->safe_psql('alembic', $insert), 1, 'which have their own generators');
};

subtest 'Django' => sub {
	my @django = ("$folder/venv/bin/python", '-m', 'django');

	new_database($node, 'django');
	$ENV{DJANGO_SETTINGS_MODULE} = 'django_settings';
	mkdir "$folder/shop" or die;
	append_to_file("$folder/shop/__init__.py", '');
	copy("$folder/django_models.py", "$folder/shop/models.py") or die;
	orm_does($folder, @django, 'makemigrations', 'shop');
	orm_does($folder, @django, 'migrate');
	is_clean($folder, [ @django, 'makemigrations', '--check' ], 'the new database');
	copy("$folder/django_attach.py", "$folder/shop/migrations/0002_attach.py") or die;
	orm_does($folder, @django, 'migrate');
	is($node->safe_psql('django', $column), 'd|public.customers_id_seq|1',
		'an identity with its trigger');
	is_clean($folder, [ @django, 'makemigrations', '--check' ], 'after hilo_attach');
	orm_does($folder, @django, 'migrate', 'shop', '0001');
	is($node->safe_psql('django', $column), 'd|public.customers_id_seq|0',
		'and without, after the reverse migration');
	orm_does($folder, @django, 'migrate');
	loads_rows(@django);
	is_clean($folder, [ @django, 'migrate', '--check' ], 'nothing to migrate');
	is( join(' ',
			orm_does($folder, @django, 'inspectdb', '--include-views',
				'--include-partitions') =~ /^class (\w+)\(/mg),
		'Customers DjangoMigrations Orders',
		'inspectdb finds the tables of the application');
	orm_does($folder, @django, 'migrate', 'shop', 'zero');
	orm_does($folder, @django, 'migrate');
	is($node->safe_psql('django', q{INSERT INTO orders (item) VALUES ('tea') RETURNING id}), 1,
		'a row');
};

unlink "$folder/shop/migrations/0002_attach.py" or die;
copy("$folder/django_rows.py", "$folder/shop/migrations/0002_rows.py") or die;

subtest "Django's tests" => sub {
	my @test = ("$folder/venv/bin/python", '-m', 'django', 'test', 'shop');

	new_database($node, 'with_hilo');
	copy("$folder/django_tests.py", "$folder/shop/tests.py") or die;
	is_clean($folder, [@test], 'one after another');
	is_clean($folder, [ @test, '--parallel', '2', '--keepdb' ], "$_ run in clones that stay")
	  foreach 'first', 'second';
};

subtest 'django-tenants' => sub {
	new_database($node, 'tenants');
	is(orm_does($folder, "$folder/venv/bin/python", 'tenants.py'), "t1 1 2 3\nt2 1 2 3\n",
		'each tenant has its own ids');
};

$node->stop;
done_testing();

# Check that rows which loaddata brings are followed, and that sqlsequencereset does no harm.
sub loads_rows
{
	my (@django) = @_;
	my $insert = q{INSERT INTO customers (item) VALUES ('Bob') RETURNING id};

	append_to_file("$folder/rows.json",
		'[{"model": "shop.customer", "pk": 7, "fields": {"item": "Ada"}}]');
	orm_does($folder, @django, 'loaddata', 'rows.json');
	is($node->safe_psql('django', $insert), 8, 'the next row after loaddata');
	$node->safe_psql('django', q{INSERT INTO customers VALUES (20, 'Carl')});
	my $reset = orm_does($folder, @django, 'sqlsequencereset', '--no-color', 'shop');
	like($reset, qr/setval\(pg_get_serial_sequence\('"customers"'/,
		'sqlsequencereset finds the sequence');
	$node->safe_psql('django', $reset);
	is($node->safe_psql('django', $insert), 21, 'the next row after sqlsequencereset');
	return;
}

# Write a migration that attaches a column, after that revision.
sub append_attach
{
	my ($path, $revision) = @_;

	append_to_file("$path/migrations/versions/attach.py", <<"END");
from alembic import op

revision = "attach"
down_revision = "$revision"


def upgrade():
    op.execute("SELECT hilo_attach('customers', 'id')")


def downgrade():
    op.execute("SELECT hilo_detach('customers', 'id')")
END
	return;
}
