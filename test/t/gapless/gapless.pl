# Numbers without gaps over crashes, dumps and replication.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', allows_streaming => 'logical');
$node->safe_psql('postgres', q{
	CREATE TABLE invoice (no bigint PRIMARY KEY DEFAULT hilo_next('invoice'), n int);
	SELECT hilo_create('invoice', 'gapless');
});
my $numbers = q{SELECT count(*) = max(no) AND min(no) = 1, (SELECT last = max(no) FROM hilo_generators()) FROM invoice};

# A crash takes back what was not committed, and no more.
foreach my $round (1 .. 3)
{
	my @sessions = map { hilo_session($node) } 1 .. 2;

	$node->safe_psql('postgres', 'INSERT INTO invoice SELECT FROM generate_series(1, 500)');
	run_in($sessions[0], 'BEGIN; INSERT INTO invoice SELECT FROM generate_series(1, 100)');
	run_in($sessions[0], 'SAVEPOINT here; INSERT INTO invoice SELECT FROM generate_series(1, 100)');
	run_in($sessions[0], $round == 2 ? 'COMMIT' : 'ROLLBACK TO here');
	$node->safe_psql('postgres', 'CHECKPOINT') if $round == 3;
	run_in($sessions[0], 'INSERT INTO invoice SELECT FROM generate_series(1, 100)');
	crash($node, @sessions);
	is($node->safe_psql('postgres', $numbers), 't|t', "round $round: no gap after a crash");
}

# Many at once, some of which roll back.
my $script = PostgreSQL::Test::Utils::tempdir() . '/script.sql';
append_to_file($script, q{
BEGIN;
INSERT INTO invoice SELECT FROM generate_series(1, 3);
SAVEPOINT here;
INSERT INTO invoice DEFAULT VALUES;
ROLLBACK TO here;
SELECT random() < 0.5 AS back \gset
\if :back
ROLLBACK;
\else
COMMIT;
\endif
});
my ($stdout, $stderr);
is(IPC::Run::run([ 'pgbench', '-n', '-c', 8, '-t', 30, '-f', $script, $node->connstr('postgres') ],
		'>', \$stdout, '2>', \$stderr), 1, 'eight clients') or diag $stderr;
is($node->safe_psql('postgres', $numbers), 't|t', 'no gap');
# during a snapshot that keeps all versions of the row, which then lie on many pages
my $reader = hilo_session($node);
run_in($reader, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM invoice');
my $one = PostgreSQL::Test::Utils::tempdir() . '/one.sql';
append_to_file($one, "INSERT INTO invoice DEFAULT VALUES;\n");
is(IPC::Run::run([ 'pgbench', '-n', '-c', 8, '-t', 400, '-f', $one, $node->connstr('postgres') ],
		'>', \$stdout, '2>', \$stderr), 1, 'eight clients, of a row each') or diag $stderr;
is($node->safe_psql('postgres', $numbers), 't|t', 'no gap');
end_session($reader);
wait_for_sessions($node, 0);
my $written = $node->safe_psql('postgres', 'SELECT max(no) FROM invoice');
# a definition that is altered does not go missing meanwhile
$node->safe_psql('postgres', q{SELECT hilo_create('altered|', range_size => 1), identity_next('altered')});
my $alter = PostgreSQL::Test::Utils::tempdir() . '/alter.sql';
append_to_file($alter, "\\set size random(1, 1000)\nSELECT hilo_alter('altered|', max_range_size => :size);\n" x 2);
append_to_file($alter, "SELECT identity_next('altered');\n");
my $alterer = IPC::Run::start([ 'pgbench', '-n', '-c', 1, '-t', 1000, '-f', $alter, $node->connstr('postgres') ],
	'>', \$stdout, '2>', \$stderr);
is($node->safe_psql('postgres', qq{
	SET statement_timeout = '@{[ $PostgreSQL::Test::Utils::timeout_default ]}s';
	DO \$\$
	BEGIN
		WHILE (SELECT last FROM hilo_generators() WHERE name = 'altered|') < 1000 LOOP
			FOR i IN 1 .. 100 LOOP
				ASSERT identity_current('altered') > 0;
			END LOOP;
		END LOOP;
	END \$\$}), '', 'a definition that is altered is always there');
$alterer->finish;

# and a session that only looks never finds the row missing
my $insert = PostgreSQL::Test::Utils::tempdir() . '/insert.sql';
append_to_file($insert, "INSERT INTO invoice DEFAULT VALUES;\n");
my $writer = IPC::Run::start([ 'pgbench', '-n', '-c', 1, '-t', 10000, '-f', $insert, $node->connstr('postgres') ],
	'>', \$stdout, '2>', \$stderr);
is($node->safe_psql('postgres', qq{
	SET statement_timeout = '@{[ $PostgreSQL::Test::Utils::timeout_default ]}s';
	DO \$\$
	DECLARE
		last_seen bigint := 0;
		seen bigint;
	BEGIN
		WHILE last_seen < $written + 10000 LOOP
			SELECT last INTO seen FROM hilo_generators() WHERE name = 'invoice';
			ASSERT seen >= last_seen, format('%s after %s', seen, last_seen);
			last_seen := seen;
		END LOOP;
	END \$\$}), '', 'what is seen of it goes up');
$writer->finish;

# A dump and its restores: into nothing, with a lower and a higher number there, and
# with another ordering.
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump';
$node->safe_psql('postgres', q{
	SELECT hilo_create(name, 'gapless') FROM unnest('{lower,higher,other,users|}'::text[]) name;
	SELECT hilo_seed('lower', 10), hilo_seed('higher', 1000), hilo_seed('other', 50);
	SELECT hilo_create('shared', 'global'), identity_next('users'), hilo_next_tag('shared'), identity_next('persons')});
wait_for_sessions($node, 0);
$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, $node->connstr('postgres') ], 'a dump');
my $last = $node->safe_psql('postgres', q{SELECT last FROM hilo_generators() WHERE name = 'invoice'});
my $state = q{SELECT name, ordering, last FROM hilo_generators() ORDER BY name};
$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->command_ok([ 'pg_restore', '-d', $node->connstr('fresh'), $dump ], 'restored');
# windows are not in a dump
is($node->safe_psql('fresh', $state), $node->safe_psql('postgres', q{
		SELECT g.name, ordering, CASE ordering WHEN 'gapless' THEN last ELSE reserved END
		FROM hilo_generators() g JOIN hilo_internal.hilo_hi h ON replace(format('%s', h.name), '#public.', '') = g.name ORDER BY g.name}), 'all is as it was');
is($node->safe_psql('fresh', q{INSERT INTO invoice DEFAULT VALUES RETURNING no}), $last + 1, 'and goes on');
is($node->safe_psql('fresh', q{SELECT identity_next('users'), hilo_next_tag('shared'), identity_next('persons')}),
	'2|17|17', 'identities and windows, too');
$node->safe_psql('postgres', 'CREATE DATABASE merged');
$node->safe_psql('merged', q{
	CREATE EXTENSION hilo;
	SELECT hilo_create('lower', 'gapless'), hilo_seed('lower', 20);
	SELECT hilo_create('higher', 'gapless'), hilo_seed('higher', 20);
	SELECT hilo_create('other', 'global'), hilo_next_tag('other');
	SELECT hilo_create('shared', 'gapless'), hilo_next_tag('shared')});
wait_for_sessions($node, 0);
my $session = $node->background_psql('merged');
$session->query_safe(q{SELECT hilo_next_tag('other')});
$node->command_ok([ 'pg_restore', '--data-only', '-d', $node->connstr('merged'), '-L',
		_hilo_only($dump), $dump ], 'merged');
is($node->safe_psql('merged', q{SELECT name, ordering, last FROM hilo_generators()
		WHERE name IN ('lower', 'higher', 'other', 'shared') ORDER BY name}),
	"higher|gapless|1000\nlower|gapless|20\nother|global|50\nshared|gapless|16",
	'the higher number stays, by whichever ordering');
is($session->query_safe(q{SELECT hilo_next_tag('other')}), 51, 'a window that was open is closed');
$session->quit;

# A publication of all tables does no harm on the other side.
my $subscriber = hilo_node('subscriber');
$node->safe_psql('postgres', 'CREATE PUBLICATION everything FOR ALL TABLES');
$subscriber->safe_psql('postgres', q{
	CREATE TABLE invoice (no bigint PRIMARY KEY, n int);
	SELECT hilo_create('invoice', 'gapless'), hilo_next('invoice')});
my $connstr = $node->connstr . ' dbname=postgres';
$subscriber->safe_psql('postgres',
	"CREATE SUBSCRIPTION all_of_it CONNECTION '$connstr' PUBLICATION everything");
$subscriber->wait_for_subscription_sync($node, 'all_of_it');
$node->safe_psql('postgres', q{
	INSERT INTO invoice SELECT FROM generate_series(1, 10);
	SELECT hilo_create('another', 'gapless'), hilo_next_tag('another');
	SELECT hilo_drop('lower')});
$node->wait_for_catchup('all_of_it');
is($subscriber->safe_psql('postgres', 'SELECT max(no) FROM invoice'),
	$node->safe_psql('postgres', 'SELECT max(no) FROM invoice'), 'rows arrive with their numbers');
is($subscriber->safe_psql('postgres', 'SELECT * FROM hilo_internal.hilo_gapless'), '1|#public.invoice', 'generators are left alone');
is($subscriber->safe_psql('postgres', q{SELECT hilo_next('invoice')}), 2, 'and go on by themselves');
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION all_of_it');
$subscriber->stop;
$node->stop;
unlike(slurp_file($_->logfile), qr/PANIC|TRAP| XX\d{3} /, 'nothing that should never be there') for $node, $subscriber;

# The entries of a dump that are hilo's own rows.
sub _hilo_only
{
	my ($dump) = @_;
	my $list = "$dump.list";

	open my $file, '>', $list or die $!;
	print $file grep { /TABLE DATA \S+ hilo_/ } `pg_restore -l $dump`;
	close $file;
	return $list;
}

done_testing();
