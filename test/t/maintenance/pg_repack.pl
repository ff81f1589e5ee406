
# pg_repack, alongside sessions that insert rows with ids and without: none fails, columns stay
# followed, and hilo's own tables are left alone.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my $folder = debian_extension('repack');
plan skip_all => 'there is no pg_repack for this PostgreSQL' unless defined $folder;

my $node = hilo_node('repacked');
my ($tables, $own_tables) = map { qq{
	SELECT string_agg(pg_relation_filenode(oid)::text, ' ' ORDER BY oid) FROM pg_class
	 WHERE relkind = 'r' AND relnamespace = '$_'::regnamespace} } 'public', 'hilo_internal';
my $triggers =
  q{SELECT tgrelid::regclass, tgname, tgenabled FROM pg_trigger WHERE tgname LIKE 'hilo_follow%' ORDER BY 1};

sql(q{
	CREATE EXTENSION pg_repack;
	CREATE TABLE serial (id bigserial PRIMARY KEY, note text);
	CREATE TABLE generator (id bigint PRIMARY KEY DEFAULT hilo_next('generator'), note text);
	SELECT hilo_attach('serial', 'id'), hilo_attach('generator', 'id');
	INSERT INTO serial (note) SELECT 'a row' FROM generate_series(1, 10000);
	INSERT INTO generator (note) SELECT 'a row' FROM generate_series(1, 10000);
	CREATE TABLE stop ();
	CREATE PROCEDURE write(target regclass) LANGUAGE plpgsql AS $$
	DECLARE
		drawn bigint;
		brought bigint := 0;
	BEGIN
		WHILE NOT EXISTS (SELECT FROM stop) LOOP
			EXECUTE format('INSERT INTO %s DEFAULT VALUES RETURNING id', target) INTO drawn;
			ASSERT drawn = brought + 1 OR brought = 0;
			COMMIT;
			brought := drawn + 10;
			EXECUTE format('INSERT INTO %s VALUES (%s)', target, brought);
			COMMIT;
		END LOOP;
	END $$});
my %before = map { $_ => sql($_) } $tables, $own_tables, $triggers;

my %writers;
foreach my $table ('serial', 'generator')
{
	$writers{$table} = hilo_session($node);
	start_in($writers{$table}, "CALL write('$table')");
	has_more_rows($table);
}
$node->command_ok([ "$folder/bin/pg_repack", '-d', 'postgres', '--exclude-extension', 'hilo' ],
	'pg_repack');
isnt(sql($tables), $before{$tables}, 'rewrites tables');
is(sql($own_tables), $before{$own_tables}, "but not hilo's");
is(sql($triggers), $before{$triggers}, 'and leaves the triggers as they are');
has_more_rows($_) foreach sort keys %writers;
sql('INSERT INTO stop DEFAULT VALUES');
is(end_in($writers{$_}), '00000', "$_: each id is the next one") foreach sort keys %writers;

end_session($_) foreach values %writers;
$node->stop;
done_testing();

sub sql
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

# Wait until there are more rows in a table.
sub has_more_rows
{
	my ($table) = @_;
	my $count = sql("SELECT count(*) FROM $table");

	$node->poll_query_until('postgres', "SELECT count(*) > 20 + $count FROM $table")
	  or die "no rows in $table";
	return;
}
