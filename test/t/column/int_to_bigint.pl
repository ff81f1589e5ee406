
# int to bigint by the recipes of the documentation, while programs insert, change and delete
# rows: none of their statements fails, and no change is lost.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('int_to_bigint');
my $scripts = PostgreSQL::Test::Utils::tempdir;

# Start programs, each of which ends at its first error.
sub programs
{
	my ($script) = @_;
	my @pgbench = ('pgbench', '-n', '-T', $PostgreSQL::Test::Utils::timeout_default * 10, '-f',
		$script, $node->connstr('postgres'));

	# to files: a program is then pumpable as long as it runs
	return map { IPC::Run::start(\@pgbench, '>&', "$script.$_") } 1 .. 2;
}

# Have programs work during a change, and some time before and after it.
sub beside_programs
{
	my ($what, $table, $statements, @steps) = @_;

	$node->safe_psql('postgres',
		'DROP TABLE IF EXISTS done; CREATE TABLE done (changed int, deleted int)');
	append_to_file("$scripts/$table.sql", $statements);
	my @programs = programs("$scripts/$table.sql");
	my $running = sub { return grep { $_->pumpable } @programs };
	foreach my $step (@steps, '')
	{
		my $rows = $node->safe_psql('postgres', 'SELECT count(*) FROM done');

		wait_until('rows',
			sub { $running->() < 2
				  || $node->safe_psql('postgres', 'SELECT count(*) FROM done') > $rows });
		$node->safe_psql('postgres', $step);
	}
	is(scalar($running->()), 2, "$what: no statement of a program failed")
	  or diag(map { slurp_file("$scripts/$table.sql.$_") } 1, 2);
	foreach my $program (@programs)
	{
		$program->signal('TERM');
		$program->finish;
	}
	wait_for_sessions($node, 0);
	is($node->safe_psql('postgres',
			"SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = '$table'::regclass AND attname = 'id'"),
		'bigint', "$what: the type");
	is($node->safe_psql('postgres', "SELECT count(*) FROM $table WHERE id > 25000"),
		$node->safe_psql('postgres', 'SELECT count(*) + 1 FROM done'),
		"$what: each new row is there");
	is($node->safe_psql('postgres', qq{
		SELECT count(*) FROM $table t LEFT JOIN (SELECT changed, count(*)::int AS times FROM done GROUP BY 1) d ON id = changed
		WHERE id <= 25000 AND length(t::text) - length(replace(t::text, '+', '')) <> coalesce(times, 0)}), 0, "$what: each change");
	is($node->safe_psql('postgres', "SELECT count(*) FROM $table JOIN done ON id = deleted"), 0,
		"$what: each deletion");
	is($node->safe_psql('postgres', "SELECT count(*) FROM hilo_check() WHERE problem IS NOT NULL"),
		0, "$what: hilo_check");
	return;
}

my ($copy, $swap) = doc_examples('As a column swap');
my ($table, @copy) = split /\n\n/, $copy;
$node->safe_psql('postgres', $table);
beside_programs('column swap', 'orders', <<'END', @copy, $swap);
\set changed random(1, 20000)
\set deleted random(20001, 25000)
BEGIN;
INSERT INTO orders (item) VALUES ('new') RETURNING id \gset
INSERT INTO lines VALUES (:id), (:changed);
UPDATE orders SET item = item || '+' WHERE id = :changed;
DELETE FROM orders WHERE id = :deleted;
INSERT INTO done VALUES (:changed, :deleted);
COMMIT;
END

($copy, $swap) = doc_examples('As a table swap');
($table, @copy) = split /\n\n/, $copy;
$node->safe_psql('postgres', $table);
beside_programs('table swap', 'visits', <<'END', @copy, $swap);
\set changed random(1, 20000)
\set deleted random(20001, 25000)
BEGIN;
INSERT INTO visits (page) VALUES ('/new');
UPDATE visits SET page = page || '+' WHERE id = :changed;
DELETE FROM visits WHERE id = :deleted;
INSERT INTO done VALUES (:changed, :deleted);
COMMIT;
END

$node->stop;
done_testing();
