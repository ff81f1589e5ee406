
# Laravel's Eloquent: the default of a column, an attached one, and ids before the rows;
# then migrate:fresh.  Debian says which version.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my @php = php_command('PHP with Eloquent',
	'Illuminate/Database/autoload.php', q{extension_loaded('pdo_pgsql')}, 'php-illuminate-database',
	'php-illuminate-events',
	'php-illuminate-console', 'php-illuminate-filesystem', 'php-illuminate-container');

my $folder = orm_folder('eloquent');
my $node = orm_node('eloquent');
my @program = (@php, 'insert.php');
orm_does($folder, @program, 'create');
side_by_side($node, 'Eloquent', folder => $folder, program => \@program,
	tables => { by_default => undef, by_id => undef, by_ids => undef });
keeps_numbers($node, 'Eloquent', $folder, @program, 'numbers');

new_database($node, 'fresh');
orm_does($folder, @program, 'fresh', 'fresh');
is($node->safe_psql('fresh', q{SELECT min(id), count(*) FROM by_id}), '1|20',
	'migrate:fresh: ids begin again');
is($node->safe_psql('fresh', q{SELECT count(*) > 0, count(problem) FROM hilo_check()}), 't|0',
	'and hilo_check finds nothing');

subtest 'migrate:fresh' => sub {
	my @artisan = (@php, 'artisan.php', 'artisan');

	plan skip_all => 'its commands need the rest of Laravel'
	  unless eval { orm_does($folder, @artisan, '--version') };
	new_database($node, 'artisan');
	foreach my $run (1, 2)
	{
		orm_does($folder, @artisan, 'migrate:fresh', '--drop-views', '--drop-types');
		is($node->safe_psql('artisan', q{
			WITH o AS (INSERT INTO orders (item) VALUES ('tea') RETURNING id), c AS (INSERT INTO customers (item) VALUES ('Ada') RETURNING id)
			SELECT o.id, c.id FROM o, c}), '1|1', "run $run: rows");
	}
	like(orm_does($folder, @artisan, 'migrate'), qr/Nothing to migrate/,
		'nothing is left to migrate');
	is($node->safe_psql('artisan', q{SELECT count(*) > 0, count(problem) FROM hilo_check()}), 't|0',
		'hilo_check finds nothing');
};
$node->stop;
done_testing();
