# Columns that a sequence follows, in dumps: restored, they are as they were and go on above their
# rows.  Without hilo only the triggers are lost.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = hilo_node('followed_dump');
my %next = (serial => 5002, '"An identity"' => 8001, parted => 301);

# what a column draws from, and its trigger
my $state = q{
	SELECT attrelid::regclass, attidentity, pg_get_expr(adbin, adrelid), tgenabled, pg_get_triggerdef(t.oid)
	  FROM pg_attribute LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
	  LEFT JOIN pg_trigger t ON tgrelid = attrelid JOIN pg_class c ON c.oid = attrelid
	 WHERE attname = 'id' AND relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY relname};

sub sql
{
	my ($sql, $database) = @_;

	return $node->safe_psql($database // 'postgres', $sql);
}

# Check that the next id of each table is above its rows.
sub goes_on
{
	my ($what) = @_;

	is(sql("INSERT INTO $_ (note) VALUES ('next') RETURNING id", 'target'), $next{$_},
		"$what: the next id of $_") foreach sort keys %next;
	return;
}

sql(q{
	CREATE TABLE serial (id bigserial PRIMARY KEY, note text);
	CREATE TABLE "An identity" (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text);
	CREATE TABLE parted (id serial, note text) PARTITION BY LIST (note);
	CREATE TABLE parted_rest PARTITION OF parted DEFAULT;
	SELECT hilo_attach(t, 'id') FROM unnest(ARRAY['serial', '"An identity"', 'parted']::regclass[]) t;
	SELECT hilo_attach('"An identity"', 'id', follow => true);
	INSERT INTO serial VALUES (5000); INSERT INTO serial (note) VALUES ('drawn');
	INSERT INTO "An identity" (note) VALUES ('drawn');
	UPDATE "An identity" SET id = DEFAULT;
	INSERT INTO "An identity" OVERRIDING SYSTEM VALUE VALUES (8000);
	INSERT INTO parted SELECT generate_series(1, 300), 'brought'});
my $before = sql($state);
is(scalar(() = $before =~ /\|A\|CREATE TRIGGER "?hilo_follow/g), 4, 'each is followed, always');

foreach (ways_to_restore($dir))
{
	my ($name, $options, @restore) = @$_;

	sql('DROP DATABASE IF EXISTS target');
	sql('CREATE DATABASE target');
	$node->command_ok([ 'pg_dump', @$options, 'postgres' ], "dump: $name");
	$node->command_ok(\@restore, "restore: $name");
	is(sql($state, 'target'), $before, "$name: all is as it was");
	goes_on($name);
}

# The rows alone, without their sequences, and with all triggers off meanwhile
sql('DROP DATABASE target');
sql('CREATE DATABASE target');
$node->command_ok([ 'pg_restore', '-d', 'target', '--schema-only', "$dir/custom" ], 'the schema');
$node->command_ok(
	[ 'pg_restore', '-d', 'target', '--data-only', '--disable-triggers', '-t', 'serial',
		'-t', 'An identity', '-t', 'parted_rest', "$dir/custom" ],
	'the rows, without triggers');
is(sql($state, 'target'), $before, 'the triggers fire always again');
goes_on('without triggers');

# A database without hilo
sql('DROP DATABASE target');
sql('CREATE DATABASE target');
$node->command_ok([ 'pg_dump', '-Fc', '-e', 'plpgsql', '-f', "$dir/without", 'postgres' ],
	'dump without hilo');
$node->command_checks_all([ 'pg_restore', '-d', 'target', "$dir/without" ], 1, [],
	[qr/(?:ERROR:  function public\.hilo_follow\(\) does not exist\n.*){3}errors ignored on restore: 3$/s],
	'without hilo the triggers fail');
is(sql($state, 'target'),
	join("\n", map { s/\|A\|CREATE TRIGGER .*/||/r } split /\n/, $before),
	'and nothing else is lost');
goes_on('without hilo');

$node->stop;
done_testing();
