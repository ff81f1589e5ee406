
# A schema may be renamed between the look at a source and its change: a build that
# waits there shows that the name leads to no other table.

use strict;
use warnings;

use File::Basename qw(dirname);
use FindBin;
use lib "$FindBin::RealBin/../lib";
use FaultyBuild;
use HiloTest;
use POSIX qw(mkfifo);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $impossible = FaultyBuild::impossible();
plan skip_all => $impossible if $impossible;

my $node = new_node('server');
my $data = $node->data_dir;
my $execute = 'return SPI_execute_extended(statement, &options);';
# who opens a pipe waits for who opens its other end
my $wait = q{fclose(fopen("waits", "w")); { FILE *go = fopen("go", "r"); if (go != NULL) fclose(go); }};
my $library = FaultyBuild::build('waiting', 'relation.c', $execute, "$wait $execute");
FaultyBuild::use_in($node, $library);
# where the background worker looks for it
$node->append_conf('postgresql.conf', "dynamic_library_path = '" . dirname($library) . ":\$libdir'");
$node->reload;
$node->safe_psql('postgres', q{
	CREATE SCHEMA app;
	CREATE TABLE app.hi (entity_name text PRIMARY KEY, hi_value bigint);
	INSERT INTO app.hi VALUES ('orders', 0);
	SELECT hilo_adopt_table('orders', 'app.hi', 'marten', 10)});

mkfifo("$data/go", 0600) or die "mkfifo: $!";
my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->query_until(qr/asked/, "\\echo asked\n\\set VERBOSITY verbose\nSELECT hilo_next('orders');\n");
wait_until('the worker', sub { -e "$data/waits" });
$node->safe_psql('postgres', q{
	ALTER SCHEMA app RENAME TO renamed;
	CREATE SCHEMA app;
	CREATE TABLE app.hi (LIKE renamed.hi);
	INSERT INTO app.hi VALUES ('orders', 700)});
append_to_file("$data/go", '');
unlink "$data/go";
$session->query('SELECT 1');
like($session->{stderr}, qr/42P01: relation "hi" has been renamed/, 'refused');
$session->quit;
is($node->safe_psql('postgres', 'SELECT hi_value FROM app.hi'), '700', 'the table that has the name now is as it was');
is($node->safe_psql('postgres', 'SELECT hi_value FROM renamed.hi'), '0', 'and so is the other one');
is($node->safe_psql('postgres', q{SELECT hilo_next('orders')}), '11', 'the next time the source is found');
$node->stop;
done_testing();
