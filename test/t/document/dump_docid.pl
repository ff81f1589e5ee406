
# A dump of tables with document ids restores under another separator, and with
# another node tag: what is checked of a finished id never changes with a setting.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';
my $node = hilo_node('main', conf => 'hilo.return_on_exit = off');

$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql(
	'source', q{
	CREATE EXTENSION hilo;
	CREATE TABLE finished (id docid PRIMARY KEY);
	CREATE TABLE made (id text PRIMARY KEY CHECK (document_id_valid(id)), order_id text,
					   n int GENERATED ALWAYS AS (length(document_id_valid(id)::text)) STORED);
	CREATE UNIQUE INDEX ON made (docid_fold(id));
	CREATE TRIGGER made_id BEFORE INSERT ON made
		FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'made', 'hilo', 'order_id');
	INSERT INTO finished VALUES ('users-'), ('users/1'), ('users-1-A'), (repeat('x', 512));
	INSERT INTO made (id, order_id) VALUES (NULL, 'orders/1'), (NULL, NULL), ('made/', NULL), ('made|', 'orders/1'), ('made-', NULL);
	SET hilo.identity_parts_separator = '-';
	INSERT INTO made (id) VALUES (NULL), ('made|')});

my $rows = q{SELECT id FROM finished UNION ALL SELECT id FROM made ORDER BY 1};
my $expected = $node->safe_psql('source', $rows);
like($expected, qr{^made-$}m, 'an id that is a pattern under another separator');

foreach my $separator ('/', '-')
{
	my $database = 'target_' . ord($separator);

	$node->safe_psql('postgres',
		"CREATE DATABASE $database; ALTER DATABASE $database SET hilo.identity_parts_separator = '$separator'");
	restore_into($database);
	is($node->safe_psql($database, $rows), $expected, "separator $separator: a whole dump");

	# Into tables with their trigger, which takes "made-" for a pattern.
	$node->safe_psql($database, 'TRUNCATE finished, made');
	restore_into($database, '--data-only', '--disable-triggers', '-t', 'finished', '-t', 'made');
	is($node->safe_psql($database, $rows), $expected, "separator $separator: the rows alone");

	# Ids go on above those of the source, of each form.
	my $ids = $node->safe_psql($database,
		"INSERT INTO made (id) VALUES (NULL), ('made$separator'), ('made|') RETURNING id");
	like($ids,
		qr{^made\Q$separator\E(\d+)-A\nmade\Q$separator\E(\d{19})-A\nmade\Q$separator\E(\d+)$},
		"separator $separator: forms");
	my @numbers = $ids =~ /(\d+)/g;
	ok($numbers[0] > 3 && $numbers[1] > 1 && $numbers[2] > 2, "separator $separator: ids go on");
}

# Of a table that is restored alone, a resync looks at the ids, by any separator, and makes the
# tag if it is missing.
my %problem = (there => q{rows above last|Run hilo_resync('public.made', 'id').},
	missing => q{no generator|Run hilo_resync('public.made', 'id'). If its ordering was not the default, run hilo_create first.});
foreach my $generators (sort keys %problem)
{
	$node->safe_psql('postgres', "CREATE DATABASE $generators");
	$node->safe_psql($generators, 'CREATE EXTENSION hilo');
	$node->safe_psql($generators, q{SELECT hilo_create('made')}) if $generators eq 'there';
	restore_into($generators, '-t', 'made');
	is( $node->safe_psql($generators,
			q{SELECT problem, hint FROM hilo_check('made'); SELECT rel, generator, last FROM hilo_resync_all()}),
		"$problem{$generators}\nmade|made|3",
		"generators $generators: a resync finds the ids of the table");
	is($node->safe_psql($generators, 'INSERT INTO made DEFAULT VALUES RETURNING id'), 'made/4-A',
		"generators $generators: ids go on");
}

$node->stop;
done_testing();

# Dumps the source with these options and restores that, on a server with
# another node tag as it were.
sub restore_into
{
	my ($database, @options) = @_;

	$node->command_ok([ 'pg_dump', @options, '-f', $dump, 'source' ], "dump @options");
	local $ENV{PGOPTIONS} = '-c hilo.node_tag=ZZ';
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $database, '-f', $dump ],
		"restore into $database");
	return;
}
