
# The owner of a database renames schemas while a superuser looks at tables in
# them: the name in a query never leads to the owner's code.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = hilo_node('renamed');
my $looks = 200;    # at the tables, while names lead to others now and then

$node->safe_psql('postgres', 'CREATE ROLE mallory LOGIN');
$node->safe_psql('postgres', 'CREATE DATABASE hers OWNER mallory');
$node->safe_psql('hers', q{
	CREATE EXTENSION hilo;
	CREATE TABLE t (id bigint PRIMARY KEY DEFAULT hilo_next('t'));
	INSERT INTO t DEFAULT VALUES;
	SET ROLE mallory;
	ALTER SCHEMA public RENAME TO app;
	CREATE SCHEMA public;
	CREATE SCHEMA mine;
	-- not undone by a rollback
	CREATE SEQUENCE mine.traps;
	CREATE FUNCTION mine.trap() RETURNS bigint LANGUAGE plpgsql AS
		$$ BEGIN IF current_user <> 'mallory' THEN PERFORM nextval('mine.traps'); END IF; RETURN 1; END $$;
	CREATE VIEW public.t AS SELECT mine.trap() AS id});
append_to_file("$dir/rename.sql", <<'END');
BEGIN;
ALTER SCHEMA public RENAME TO evil;
ALTER SCHEMA app RENAME TO public;
COMMIT;
BEGIN;
ALTER SCHEMA public RENAME TO app;
ALTER SCHEMA evil RENAME TO public;
COMMIT;
END
my $output = '';
my $renames = IPC::Run::start(
	[ 'pgbench', '-n', '-U', 'mallory', '-T', $PostgreSQL::Test::Utils::timeout_default,
		'-f', "$dir/rename.sql", $node->connstr('hers') ],
	'<', \undef, '>&', \$output);

$node->poll_query_until('hers',
	q{SELECT count(*) = 1 FROM pg_stat_activity WHERE usename = 'mallory'})
  or die "no renames: $output";
# whatever hilo_check's schema is called just now
$node->safe_psql('hers', qq{
	DO \$\$
	DECLARE
		called text;
	BEGIN
		FOR i IN 1 .. $looks LOOP
			BEGIN
				SELECT format('SELECT count(detail) FROM %s.hilo_check()', pronamespace::regnamespace) INTO called
				  FROM pg_proc WHERE proname = 'hilo_check';
				EXECUTE called;
			EXCEPTION WHEN undefined_function OR invalid_schema_name THEN
				NULL;
			END;
		END LOOP;
	END \$\$});
$renames->kill_kill;
is($node->safe_psql('hers', 'SELECT is_called FROM mine.traps'), 'f',
	"no other role ran the owner's code");

$node->stop;
done_testing();
