
# Laravel's Eloquent: the default of a column, made with the table or later, and
# ranges; then migrate:fresh.  Debian says which version.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib", "$FindBin::RealBin/../t/lib";
use HiloTest;
use OrmTest;
use Test::More;

my $debian = debian_folder('php-cli', 'php-pgsql', 'php-mbstring', 'php-illuminate-database', 'php-illuminate-events');
plan skip_all => 'php and php-illuminate-database are not to be had' unless defined $debian;
my @php = (
	(glob "$debian/usr/bin/php[0-9]*")[-1], '-n',
	'-d', "include_path=.:$debian/usr/share/php",
	'-d', 'extension_dir=' . (glob "$debian/usr/lib/php/20*")[-1],
	map { ('-d', "extension=$_") } 'pdo', 'pdo_pgsql', 'ctype', 'mbstring');
need('PHP with PDO for PostgreSQL and Eloquent',
	@php, '-r', q{error_reporting(0); require 'Illuminate/Database/autoload.php'; exit(extension_loaded('pdo_pgsql') ? 0 : 1);});

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
