
# Rows with ids that pg_restore and pgloader bring while triggers are off, into columns that a
# sequence or a generator follows: the next row is above them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = hilo_node('loaders', conf => "listen_addresses = '127.0.0.1'");
my @tables = qw(serial identity generator);
my $triggers =
  q{SELECT tgrelid::regclass, tgname, tgenabled FROM pg_trigger WHERE tgname LIKE 'hilo_follow%' ORDER BY 1};

# the rows, in a database without hilo
$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql('source', qq{
	CREATE TABLE $_ (id bigint PRIMARY KEY, note text);
	INSERT INTO $_ SELECT 10 * i, 'brought' FROM generate_series(1, 1000) i}) foreach @tables;

$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/rows", 'source' ], 'pg_dump');
loads('pg_restore', 'pg_restore', '-d', 'target', '--data-only', '--disable-triggers', "$dir/rows");

SKIP:
{
	skip 'pgloader is not to be had', 1 unless defined debian_folder('pgloader');
	my $server = $node->safe_psql('postgres',
		q{SELECT format('pgsql://%s@127.0.0.1:%s', current_user, current_setting('port'))});

	foreach my $reset ('reset sequences', 'reset no sequences')
	{
		append_to_file("$dir/$reset", "load database from $server/source into $server/target"
			  . " with data only, truncate, disable triggers, $reset;");
		loads("pgloader, $reset", 'pgloader', '--root-dir', $dir, "$dir/$reset");
	}
}

$node->stop;
done_testing();

# Check that a program loads the rows, and that new ones are above them.
sub loads
{
	my ($name, @command) = @_;

	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target');
	$node->safe_psql('postgres', 'CREATE DATABASE target');
	$node->safe_psql('target', q{
		CREATE EXTENSION hilo;
		CREATE TABLE serial (id serial PRIMARY KEY, note text);
		CREATE TABLE identity (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text);
		CREATE TABLE generator (id bigint PRIMARY KEY DEFAULT hilo_next('generator'), note text)});
	$node->safe_psql('target',
		"SELECT hilo_attach('$_', 'id'); INSERT INTO $_ (note) VALUES ('before')") foreach @tables;
	my $before = $node->safe_psql('target', $triggers);

	subtest $name => sub {
		$node->command_ok(\@command, 'loads the rows');
		is($node->safe_psql('target', $triggers), $before, 'the triggers are as before');
		is($node->safe_psql('target', "INSERT INTO $_ (note) VALUES ('next') RETURNING id"),
			10001, "$_ goes on")
		  foreach @tables;
	};
	return;
}
