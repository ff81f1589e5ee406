
# A table that is dropped, in whatever way, takes its generator along: one with an OID that
# comes again gains neither its number nor its options nor its grants.  A DROP that is rolled
# back brings the generator back, and no id comes twice.  No list of all tables meets an error.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', conf => <<'END');
hilo.prefetch = off
max_prepared_transactions = 2
END
my @ways = qw(alone owner schema owned whole part of_type replica in_function prepared disabled);

$node->safe_psql('postgres', q{
	CREATE ROLE alice LOGIN;
	CREATE ROLE clerk LOGIN;
	GRANT CREATE ON SCHEMA public TO PUBLIC;
	GRANT USAGE, CREATE ON SCHEMA public TO alice});

# Run a statement that may fail; return its SQLSTATE, or its result.
sub result_of
{
	my ($sql, @as) = @_;
	my ($ret, $stdout, $stderr) = $node->psql('postgres', $sql,
		extra_params => [ '-v', 'VERBOSITY=sqlstate', @as ]);

	return $stderr =~ /ERROR:  (\w+)/ ? $1 : $stdout;
}

# Return the keys of tables that are no more, and how many rows of hilo's each has.
sub left_over
{
	return result_of(q{
		SELECT name, count(*) FROM (
			SELECT name::text FROM hilo_internal.hilo_generator UNION ALL SELECT name::text FROM hilo_internal.hilo_hi
			UNION ALL SELECT name::text FROM hilo_internal.hilo_gapless UNION ALL SELECT generator::text FROM hilo_internal.hilo_privilege
			UNION ALL SELECT generator::text FROM hilo_internal.hilo_source) n
		WHERE name ~ '^#' AND NOT EXISTS (SELECT FROM pg_class c WHERE '#' || c.oid = name)
		GROUP BY name ORDER BY name});
}

# Make the tables; for an OID, large objects take those before it.
sub make_tables
{
	my (%oids) = @_;
	my %statements = (
		schema => 'CREATE TABLE sold.schema (id bigint)',
		whole => 'CREATE TABLE whole (id bigint) PARTITION BY RANGE (id)',
		part => 'CREATE TABLE part PARTITION OF whole DEFAULT',
		of_type => 'CREATE TABLE of_type OF typed');

	foreach my $name (@ways)
	{
		my $before = ($oids{$name} // 1) - 1;

		$node->safe_psql('postgres', qq{
			DO 'BEGIN LOOP DECLARE lo oid := lo_create(0); BEGIN PERFORM lo_unlink(lo); EXIT WHEN lo >= $before; END; END LOOP; END'});
		$node->safe_psql('postgres', $statements{$name} // "CREATE TABLE $name (id bigint)");
		# room between them
		$node->safe_psql('postgres', 'SELECT lo_unlink(lo_create(0)) FROM generate_series(1, 50)')
		  if !%oids;
	}
	$node->safe_psql('postgres',
		'ALTER TABLE owner OWNER TO alice; ALTER TABLE owned OWNER TO alice');
	return map { split /\|/ } split /\n/, $node->safe_psql('postgres',
		"SELECT relname, oid FROM pg_class WHERE relname IN ('" . join("', '", @ways) . "')");
}

my $around = 'CREATE SCHEMA sold; CREATE TYPE typed AS (id bigint)';
$node->safe_psql('postgres', $around);
my %oids = make_tables();
is(scalar keys %oids, scalar @ways, 'tables');
foreach (@ways)
{
	my $name = $_ eq 'schema' ? 'sold.schema' : $_;

	$node->safe_psql('postgres', qq{
		ALTER TABLE $name ALTER id SET DEFAULT hilo_next('$name');
		SELECT hilo_create('$name', range_size => 7, ordering => CASE '$_' WHEN 'alone' THEN 'gapless' ELSE 'session' END);
		SELECT hilo_grant('$name', 'clerk');
		INSERT INTO $name SELECT FROM generate_series(1, 20)});
}
is(left_over(), '', 'all are there');

$node->safe_psql('postgres', $_) foreach (
	'DROP TABLE alone',
	'SET ROLE alice; DROP TABLE owner',
	'DROP SCHEMA sold CASCADE',
	'DROP OWNED BY alice',
	'DROP TABLE whole',
	'DROP TYPE typed CASCADE',
	'SET session_replication_role = replica; DROP TABLE replica',
	q{DO $$ BEGIN BEGIN DROP TABLE in_function; RAISE 'x'; EXCEPTION WHEN raise_exception THEN DROP TABLE in_function; END; END $$},
	q{BEGIN; DROP TABLE prepared; PREPARE TRANSACTION 'drop'},
	q{COMMIT PREPARED 'drop'});
is(left_over(), '', 'nothing is left of what was dropped');

# of what is made and undone in one transaction, too
$node->safe_psql('postgres', q{
	BEGIN;
	SAVEPOINT a;
	CREATE TABLE undone (id bigint DEFAULT hilo_next('undone'));
	SAVEPOINT b;
	INSERT INTO undone DEFAULT VALUES;
	RELEASE b;
	SAVEPOINT c;
	INSERT INTO undone DEFAULT VALUES;
	ROLLBACK TO a;
	CREATE TABLE undone (id bigint DEFAULT hilo_next('undone'));
	INSERT INTO undone DEFAULT VALUES;
	DROP TABLE undone;
	CREATE TABLE undone (id bigint DEFAULT hilo_next('undone'));
	SAVEPOINT d;
	INSERT INTO undone DEFAULT VALUES;
	ROLLBACK});
is(left_over(), '', 'nor of tables with a creation that was undone');
is(result_of(q{
	BEGIN;
	CREATE TABLE kept (id bigint DEFAULT hilo_next('kept'));
	SAVEPOINT a;
	INSERT INTO kept DEFAULT VALUES;
	ROLLBACK TO a;
	INSERT INTO kept DEFAULT VALUES RETURNING id;
	COMMIT}), 33, 'though a savepoint takes no number back');

# If event triggers do not run, hilo_check says so, and hilo_drop drops.
my @off = ('ALTER EVENT TRIGGER hilo_forget_tables DISABLE',
	'ALTER EVENT TRIGGER hilo_forget_tables ENABLE ALWAYS');
foreach (\@off,
	$node->safe_psql('postgres', 'SHOW server_version_num') >= 170000
	  ? [ 'SET event_triggers = off', 'RESET event_triggers' ] : ())
{
	my ($off, $on) = @$_;
	my $oid = $oids{disabled};

	$node->safe_psql('postgres', "$off; DROP TABLE disabled; $on");
	is(left_over(), "#$oid|3", "$off: it is left");
	is(result_of(q{SELECT generator, detail, hint FROM hilo_check() WHERE hint <> ''}),
		"#$oid|The table was dropped while event triggers were off. A new table with its OID would get its ids and its grants.|Run hilo_drop('#$oid').", "$off: hilo_check tells");
	is(result_of(qq{SELECT name, owner FROM hilo_generators() WHERE name ~ '#'}), "#$oid|",
		"$off: it has no owner");
	is(result_of("SELECT hilo_next_range('#$oid')"), '42P01', "$off: no ids");
	is(result_of("SELECT hilo_drop('#$oid')", '-U', 'alice'), '42501', "$off: superusers drop it");
	$node->command_ok([ 'pg_dump', '-f', "$PostgreSQL::Test::Utils::tmp_check/dump", 'postgres' ],
		"$off: dump");
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target');
	$node->safe_psql('postgres', 'CREATE DATABASE target');
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', 'target', '-f',
			"$PostgreSQL::Test::Utils::tmp_check/dump" ],
		"$off: restore");
	is($node->safe_psql('target', q{SELECT count(*) FROM hilo_generators() WHERE name ~ '#'}), 0,
		"$off: it is not in a dump");
	result_of("SELECT hilo_drop('#$oid')");
	is(left_over(), '', "$off: it is dropped");
	is(result_of(q{SELECT generator FROM hilo_check() WHERE hint <> ''}), '',
		"$off: hilo_check is content");
	# for the next one, under the same OID
	last if $off =~ /SET/;
	$node->safe_psql('postgres',
		q{CREATE TABLE disabled (id bigint DEFAULT hilo_next('disabled'))});
	$node->safe_psql('postgres',
		q{SELECT hilo_create('disabled'), hilo_grant('disabled', 'clerk')});
	$oids{disabled} = $node->safe_psql('postgres', q{SELECT 'disabled'::regclass::oid});
}
$node->safe_psql('postgres', 'DROP TABLE IF EXISTS disabled');

# OIDs that come again
$node->safe_psql('postgres', $around);
# rows that are dead still have their OIDs
$node->safe_psql('postgres', 'VACUUM pg_class, pg_largeobject_metadata');
$node->stop;
$node->command_ok([ 'pg_resetwal', '-o', $oids{alone} - 10, $node->data_dir ], 'pg_resetwal');
$node->start;
is_deeply({ make_tables(%oids) }, \%oids, 'they are there');
# a part would draw from the whole's
$node->safe_psql('postgres', 'ALTER TABLE whole DETACH PARTITION part');
foreach (@ways)
{
	my $name = $_ eq 'schema' ? 'sold.schema' : $_;

	$node->safe_psql('postgres', "ALTER TABLE $name ADD PRIMARY KEY (id)");
	is(result_of("SELECT hilo_next('$name')", '-U', 'clerk'), '42501', "$_: no grant comes again");
	is(result_of("SELECT hilo_next('$name')"), 1, "$_: no number");
	is(result_of("SELECT ordering, range_size, grants FROM hilo_generators() WHERE name = '$name'"),
		'session|32|{}', "$_: no definition");
}

# Return a command that runs a script.
sub pgbench
{
	my ($name, $sql, @options) = @_;
	my $script = "$PostgreSQL::Test::Utils::tmp_check/$name.sql";

	append_to_file($script, $sql);
	return [ 'pgbench', '-n', @options, '-f', $script, $node->connstr('postgres') ];
}

# tables go while all are listed
my $ddl = IPC::Run::start(pgbench('ddl', <<'END', '-c', 4, '-t', 300), '>&', \my $output);
\set n random(1, 1000000000)
CREATE TABLE t_:n (id serial PRIMARY KEY);
SELECT hilo_attach('t_:n', 'id');
DROP TABLE t_:n;
END
$node->command_ok(
	pgbench('list', 'SELECT count(*) FROM hilo_resync_all(); SELECT count(*) FROM hilo_check();',
		'-c', 2, '-t', 100),
	'lists beside DROP TABLE');
is($ddl->finish, 1, 'DROP TABLE beside lists') or diag($output);

$node->stop;
done_testing();
