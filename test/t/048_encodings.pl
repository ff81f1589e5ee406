
# Between databases of other encodings, which know the lower case of other
# characters: a dump restores to the same generators, and so do the servers of a hub
# ask for the same ones, or are told that they cannot.

use strict;
use warnings;
use utf8;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hub_node('main', extra => [ '--encoding', 'UTF8', '--locale', 'C' ]);
$node->safe_psql('postgres', "SELECT hilo_create('warm')");

# SQL in UTF-8, in a database of any encoding.
sub run_sql
{
	my ($database, $sql) = @_;
	my $encoding = $database =~ /^ascii/ ? 'SQL_ASCII' : 'UTF8';
	utf8::encode($sql);

	local $ENV{PGCLIENTENCODING} = $encoding;
	return $node->psql($database, $sql, on_error_stop => 1, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
}

sub make_database
{
	my ($name, $encoding) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $name ENCODING '$encoding' LOCALE 'C' TEMPLATE template0");
	return $name;
}

# From SQL_ASCII, which converts nothing; to it; and from where a letter has no lower case.
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';
foreach my $case ([ 'SQL_ASCII', 'UTF8', 'Ärzte' ], [ 'UTF8', 'SQL_ASCII', 'ÜB' ], [ 'EUC_KR', 'UTF8', "x\x{212B}" ], [ 'LATIN1', 'UTF8', 'Ärzte' ])
{
	my ($from, $to, $name) = @$case;
	my $source = make_database(lc($from =~ s/SQL_//r) . '_source', $from);
	my $target = make_database(lc($to =~ s/SQL_//r) . '_of_' . lc $from, $to);

	my ($status, $ids, $error) = run_sql($source, qq{
		SET client_min_messages = warning;
		CREATE EXTENSION hilo;
		SELECT count(hilo_next('$name')) + count(hilo_next('$name|')) FROM generate_series(1, 40);
		SELECT hilo_create('Ohne $name', 'gapless'), hilo_grant('Ohne $name', 'pg_monitor');
		SELECT count(hilo_next('Ohne $name')) FROM generate_series(1, 3)});
	is($status, 0, "$from: ids") or diag $error;
	$node->command_ok([ 'pg_dump', '-E', 'UTF8', '-f', $dump, $source ], "$from: dump");
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $target, '-f', $dump ], "restore into $to");
	(undef, $ids, $error) = run_sql($target, qq{
		SELECT hilo_next('$name') > 40, hilo_next('$name|') > 40, hilo_next('Ohne $name'),
			(SELECT count(*) FROM hilo_generators()), (SELECT count(*) FROM hilo_generators() WHERE '{pg_monitor}' = grants::text)});
	is($ids, 't|t|4|3|1', "$from to $to: they go on") or diag $error;
}

# Two names that are one there.
run_sql(make_database('ascii_two', 'SQL_ASCII'), q{
	CREATE EXTENSION hilo;
	SELECT hilo_create(n), hilo_seed(n, 100 * i), hilo_create(n || ' Nr', 'gapless'), hilo_seed(n || ' Nr', 10 * i)
	  FROM unnest(ARRAY[convert_from('\xc472', 'SQL_ASCII'), convert_from('\xe472', 'SQL_ASCII'), 'orders']) WITH ORDINALITY n (n, i)});
$node->command_ok([ 'pg_dump', '-f', $dump, 'ascii_two' ], 'a dump with two names that are one there');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', make_database('latin1_one', 'LATIN1'), '-f', $dump ], 'is restored');
is((run_sql('latin1_one', q{SELECT string_agg(hilo_next(name)::text, ' ' ORDER BY last) FROM hilo_generators()}))[1],
	'21 31 201 301', 'and the higher number of the two counts');

# A name has 512 bytes of UTF-8, wherever it is made.
is((run_sql('latin1_source', "SELECT hilo_create(repeat('é', 256))"))[0], 0, '256 letters of two bytes');
like((run_sql('latin1_source', "SELECT hilo_create(repeat('é', 257))"))[2], qr/42622: .*\nDETAIL:  It has 514 bytes/, 'no more, although they are 257 bytes here');

# The servers of a hub: where their names would not be the same there, they are told.
my $hubs = 0;
foreach my $case ([ 'latin1_source', 'ascii_source', 0 ], [ 'ascii_source', 'latin1_source', 0 ],
	[ 'ascii_source', 'postgres', 1 ], [ 'latin1_source', 'postgres', 1 ], [ 'postgres', 'ascii_source', 1 ])
{
	my ($database, $hub, $can) = @$case;
	my $name = 'hub' . ++$hubs;
	my ($status, $output, $error) = run_sql($database, sprintf q{
		SET client_min_messages = warning;
		CREATE EXTENSION IF NOT EXISTS postgres_fdw;
		CREATE SERVER %1$s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%2$s', port '%3$s', dbname '%4$s');
		CREATE USER MAPPING FOR CURRENT_USER SERVER %1$s OPTIONS (password_required 'false');
		SELECT hilo_create('Grün %1$s|', hub => '%1$s');
		SELECT identity_next('GRÜN %1$s')}, $name, $node->host, $node->port, $hub);

	if ($can)
	{
		like($output, qr/^1$/m, "$database takes from $hub") or diag $error;
		is((run_sql($hub, "SELECT identity_current('grün $name')"))[1], 1, 'under the same name');
	}
	else
	{
		like($error, qr/55000: hub "$name" has encoding \w+, and this database \w+/, "$database cannot take from $hub");
	}
}

$node->stop;
done_testing();
