# Numbers without gaps over crashes, and while other sessions draw, look and alter.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', allows_streaming => 1);
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
$node->safe_psql('postgres',
	q{SELECT hilo_create('altered|', range_size => 1), identity_next('altered')});
my $alter = PostgreSQL::Test::Utils::tempdir() . '/alter.sql';
append_to_file($alter,
	"\\set size random(1, 1000)\nSELECT hilo_alter('altered|', max_range_size => :size);\n" x 2);
append_to_file($alter, "SELECT identity_next('altered');\n");
my $alterer = IPC::Run::start([ 'pgbench', '-n', '-c', 1, '-t', 1000, '-f', $alter,
		$node->connstr('postgres') ],
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
my $writer = IPC::Run::start([ 'pgbench', '-n', '-c', 1, '-t', 10000, '-f', $insert,
		$node->connstr('postgres') ],
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

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP| XX\d{3} /, 'nothing that should never be there');
done_testing();
