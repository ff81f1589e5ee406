
# Laravel's Eloquent: the default of a column, made with the table or later, and
# ranges; then migrate:fresh.  Debian says which version.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my @php = php_command('PHP with Eloquent',
	'Illuminate/Database/autoload.php', q{extension_loaded('pdo_pgsql')}, 'php-illuminate-database', 'php-illuminate-events');

my $folder = orm_folder('eloquent');
my $node = orm_node('eloquent');
my @program = (@php, 'insert.php');
orm_does($folder, @program, 'create');
side_by_side($node, 'Eloquent', folder => $folder, program => \@program,
	tables => { by_default => undef, by_id => undef, by_range => undef });

new_database($node, 'fresh');
orm_does($folder, @program, 'fresh', 'fresh');
is($node->safe_psql('fresh', q{SELECT min(id), count(*) FROM by_id}), '21|20', 'migrate:fresh: ids go on');
is($node->safe_psql('fresh', q{SELECT count(*) FROM hilo_check() WHERE problem IS NOT NULL}), 0, 'and hilo_check finds nothing');

$node->stop;
done_testing();
