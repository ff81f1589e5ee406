
# Names and ids beyond ASCII need a database in UTF8: in others they are refused, by
# whatever they come, and ASCII means the same there as everywhere.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hub_node('main', extra => [ '--encoding', 'UTF8', '--locale', 'C' ]);
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';

# Make a database with some generators of these names.
sub make_database
{
	my ($name, $encoding, @generators) = @_;

	$node->safe_psql('postgres',
		"CREATE DATABASE $name ENCODING '$encoding' LOCALE 'C' TEMPLATE template0");
	$node->safe_psql($name, 'CREATE EXTENSION hilo');
	$node->safe_psql($name, "SELECT hilo_create('$_'), hilo_seed('$_', 100)") foreach @generators;
}

# Return what a database answers, or its error.
sub answer_of
{
	my ($database, $sql) = @_;
	my ($code, $stdout, $stderr) = $node->psql($database, $sql,
		extra_params => [ '-v', 'VERBOSITY=verbose' ]);

	return $code == 0 ? $stdout : $stderr;
}

my $ascii = q{
	SELECT hilo_next_tag('Orders'), hilo_next_id('Orders'), identity_next_id('Users'), document_id('Users|'), document_id('Orders/'),
		docid_fold('Orders/1-A'), hilo_tag('Orders'), document_id_valid('Orders/1'), artificial_id('s', 'a', 1),
		anchor_bucket('Invoices/1$Orders/54-B'), anchor_bucket(repeat('aB$', 100)),
		(hilo_next_range('ranges', 10, separator => '-')).prefix};
make_database('utf8', 'UTF8', 'Orders');
my $expected = answer_of('utf8', $ascii);
like($expected, qr{^101\|Orders/102-A\|Users/1\|}, 'ASCII in UTF8');

# A letter of each, in UTF-8, and the same one in the database.
foreach my $case (
	[ 'LATIN1', "\xc3\xa9" ], [ 'SQL_ASCII', "\xc3\xa9" ], [ 'EUC_JP', "\xe3\x81\x82" ])
{
	my ($encoding, $letter) = @$case;
	my $database = lc $encoding;
	my $refused = qr/0A000: names and ids with non-ASCII characters need a database with encoding UTF8\nDETAIL:  The encoding of this database is $encoding\.\nHINT:  Create the database with ENCODING 'UTF8', or use ASCII only\./;
	local $ENV{PGCLIENTENCODING} = $encoding eq 'SQL_ASCII' ? 'SQL_ASCII' : 'UTF8';

	make_database($database, $encoding, 'Orders');
	is(answer_of($database, $ascii), $expected, "ASCII in $encoding");

	foreach my $call (
		'hilo_next_tag(%s)', 'hilo_next_id(%s)', 'hilo_create(%s)', 'hilo_drop(%s)',
		'hilo_next_range(%s)', q{hilo_next_range('Orders', 1, separator => %s)},
		'identity_next(%s)', 'identity_next_id(%s)', 'docid_fold(%s)', 'hilo_tag(%s)',
		'document_id(%s)', q{document_id(%s || '|')}, q{document_id(%s || '/')},
		'document_id_strategy(%s)',
		'document_id_valid(%s)', q{artificial_id('s', %s)}, 'artificial_id(%s, 1)',
		'anchor_bucket(%s)',
		q{anchor_bucket(%s || '$a')}, q{anchor_to('a', %s)})
	{
		like(answer_of($database, sprintf "SELECT $call", "'a$letter'"), $refused,
			"$encoding: $call");
	}
	like(answer_of($database,
			"LOAD 'hilo'; SET hilo.identity_parts_separator = '$_'; SELECT hilo_next_id('Orders')"),
		qr/0A000|22023|22P05/, "$encoding: separator $_") foreach ($letter, "\xc2\xb5");

	# A default that can only fail is ignored.
	is( answer_of($database, qq{
			CREATE TABLE "t$letter" (id bigint PRIMARY KEY DEFAULT hilo_next_tag('t$letter'), other bigint DEFAULT hilo_next_tag('used'));
			SELECT hilo_create('used'), hilo_create('unused'), hilo_drop('unused');
			SELECT DISTINCT generator FROM hilo_check();
			SELECT count(*) FROM hilo_resync_all();
			DROP TABLE "t$letter"; SELECT hilo_drop('used')}) =~ /ERROR/, '', "$encoding: defaults");

	# A role without CREATE learns that, whatever its table is called.
	is( answer_of($database, qq{
			CREATE ROLE poor_$database; CREATE SCHEMA poor AUTHORIZATION poor_$database; SET ROLE poor_$database;
			CREATE TABLE poor."t$letter" (id bigint DEFAULT hilo_next_tag('poor'));
			SELECT problem, detail FROM hilo_check('poor."t$letter"')}),
		'check failed|there is no table or tag "poor", and permission to create it is denied',
		"$encoding: no right to create");

	# A dump goes where its names are possible; groups have other bytes there.
	$node->safe_psql($database, qq{
		CREATE TABLE "bills$letter" (who text, number int);
		CREATE TRIGGER number BEFORE INSERT ON "bills$letter" FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'who');
		INSERT INTO "bills$letter" VALUES ('$letter'), ('$letter');
		DELETE FROM "bills$letter" WHERE number = 2});
	$node->command_ok([ 'pg_dump', '-f', $dump, $database ], "$encoding: dump");
	$node->safe_psql('postgres',
		"CREATE DATABASE of_$database ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0");
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', "of_$database", '-f', $dump ],
		'restored in UTF8');
	cmp_ok(answer_of("of_$database", "SELECT hilo_next_tag('orders')"), '>', 101,
		'where ids go on');
	is(answer_of("of_$database",
			qq{INSERT INTO "bills$letter" VALUES ('$letter') RETURNING number}),
		3, 'and the numbers of a group');
	$node->safe_psql('utf8', "SELECT hilo_create('a$letter')") if $encoding eq 'LATIN1';
	$node->command_ok([ 'pg_dump', '-a', '-f', $dump, 'utf8' ], 'dump of UTF8');
	like(answer_of($database, "\\i $dump"), $refused, "$encoding refuses a dump with other names");

	# So do the servers of a hub.
	$node->safe_psql('utf8', sprintf q{
		SET client_min_messages = warning;
		CREATE EXTENSION IF NOT EXISTS postgres_fdw;
		CREATE SERVER %1$s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%2$s', port '%3$s', dbname '%1$s');
		CREATE USER MAPPING FOR CURRENT_USER SERVER %1$s OPTIONS (password_required 'false')}, $database, $node->host, $node->port);
	like(answer_of('utf8',
			"SELECT hilo_create('From $database', hub => '$database'), hilo_next_tag('From $database')"),
		qr/\|1$/, "a hub in $encoding");
	like(answer_of('utf8',
			"SELECT hilo_create('$letter $database', hub => '$database'); SELECT hilo_next_tag('$letter $database')"),
		qr/names and ids with non-ASCII characters need a database with encoding UTF8/,
		'and what it refuses');
}

$node->stop;
done_testing();
