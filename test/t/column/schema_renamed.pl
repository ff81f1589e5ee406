
# A schema may be renamed between the look at a table and the query of its greatest id: a
# build that waits there shows that the name leads to no other table.

use strict;
use warnings;

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
my $before = 'SPI_connect();';
# an open of a pipe waits for the open of its other end
my $wait = q{fclose(fopen("waits", "w")); { FILE *go = fopen("go", "r"); if (go != NULL) fclose(go); }};
my $library = FaultyBuild::build('waiting', 'owner_query.c', $before, "$wait $before");
FaultyBuild::use_in($node, $library);
$node->safe_psql('postgres', q{
	CREATE SCHEMA app;
	CREATE TABLE app.orders (id bigint PRIMARY KEY DEFAULT hilo_next('app.orders'));
	INSERT INTO app.orders VALUES (100);
	SELECT hilo_create('app.orders')});

mkfifo("$data/go", 0600) or die "mkfifo: $!";
my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->query_until(qr/asked/,
	"\\echo asked\n\\set VERBOSITY verbose\nSELECT hilo_resync('app.orders', 'id');\n");
wait_until('the query', sub { -e "$data/waits" });
$node->safe_psql('postgres', q{
	ALTER SCHEMA app RENAME TO renamed;
	CREATE SCHEMA app;
	CREATE TABLE app.orders (LIKE renamed.orders);
	INSERT INTO app.orders VALUES (700)});
append_to_file("$data/go", '');
unlink "$data/go";
$session->query('SELECT 1');
like($session->{stderr}, qr/42P01: relation "orders" has been renamed/, 'refused');
$session->quit;
is($node->safe_psql('postgres', q{SELECT hilo_resync('renamed.orders', 'id')}), '100',
	'the next time the table is found');
$node->stop;
done_testing();
