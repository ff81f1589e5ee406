# Ids that rows bring: the window above one is open before it is on disk, and whatever draws
# from it, or answers for it, comes after the flush.  Nothing but hilo brings WAL to disk here.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node('brought',
	conf => "wal_writer_delay = 10s\nsynchronous_commit = off\nmax_prepared_transactions = 2");

# Make a table that its generator follows, on disk.
sub make_table
{
	my ($name) = @_;

	$node->safe_psql('postgres', "SET synchronous_commit = on; CREATE TABLE $name (id bigint PRIMARY KEY);
		SELECT hilo_create('$name', range_size => 40, max_range_size => 40), hilo_attach('$name', 'id', follow => true); CHECKPOINT");
	return;
}

# Run statements in a session; all that the server has is killed; return the last answer, and
# the next id.
sub around_crash
{
	my ($name, @statements) = @_;
	my $session = hilo_session($node);
	my $answer;

	make_table($name);
	$answer = run_in($session, $_) foreach @statements;
	crash($node, $session);
	return ($answer, $node->safe_psql('postgres', "SELECT hilo_next('$name')"));
}

my ($answer, $next) = around_crash('next', 'BEGIN', 'INSERT INTO next VALUES (1000)',
	"SELECT hilo_next('next')");
is($answer, 1001, 'the first id above one that a row has brought');
cmp_ok($next, '>', 1001, 'and it does not come again after a crash');

($answer, $next) = around_crash('row', 'BEGIN', 'INSERT INTO row VALUES (1000)',
	'INSERT INTO row DEFAULT VALUES RETURNING id');
cmp_ok($next, '>', $answer, 'nor does that of a row');

($answer, $next) = around_crash('client', 'BEGIN', 'INSERT INTO client VALUES (1000)',
	"SELECT high FROM hilo_next_range('client', 5)");
is($answer, 1005, 'a range for a client');
cmp_ok($next, '>', 1005, 'does not come again');

# half of a window of 20 is used: the next one, up to 40, is reserved
($answer, $next) = around_crash('ahead',
	"SELECT max(hilo_next('ahead')) FROM generate_series(1, 12)",
	'BEGIN', 'INSERT INTO ahead VALUES (30)', "SELECT hilo_next('ahead')");
is($answer, 31, 'in a window that was reserved ahead');
cmp_ok($next, '>', 31, 'it does not come again');

($answer, $next) = around_crash('seeded', 'BEGIN', 'INSERT INTO seeded VALUES (1000)',
	"SELECT hilo_seed('seeded', 1010)");
is($answer, 1010, 'a seed above it');
cmp_ok($next, '>', 1010, 'outlasts a crash');
($answer, $next) = around_crash('below', 'BEGIN', 'INSERT INTO below VALUES (1000)',
	"SELECT hilo_seed('below', 990)");
is($answer, 1000, 'a seed below it');
cmp_ok($next, '>', 990, 'does, too');

# a row with its commit on disk has the window on disk
($answer, $next) = around_crash('committed', 'SET synchronous_commit = on',
	'INSERT INTO committed VALUES (1000)',
	'INSERT INTO committed VALUES (1007)', 'INSERT INTO committed VALUES (50000)');
cmp_ok($next, '>', 50000, 'rows that were committed');

# prepared, and not to be seen before the crash nor after
($answer, $next) = around_crash('prepared', 'BEGIN', 'INSERT INTO prepared VALUES (1000)',
	"PREPARE TRANSACTION 'brought'");
$node->safe_psql('postgres', "COMMIT PREPARED 'brought'");
cmp_ok($next, '>', 1000, 'a row that is prepared');

# the window is flushed once, and by no other session
make_table('flushed');
my ($one, $two) = (hilo_session($node), hilo_session($node));
my $flushed = 'SELECT pg_current_wal_flush_lsn()';
my $before = run_in($one, $flushed);
run_in($one, 'BEGIN');
run_in($one, 'INSERT INTO flushed VALUES (1000), (1001), (200000)');
is(run_in($one, $flushed), $before, 'rows flush nothing');
is(run_in($two, "SELECT hilo_next('flushed')"), 200001, 'another session draws');
isnt(run_in($two, $flushed), $before, 'which flushes the window');
$before = run_in($two, $flushed);
run_in($two, 'BEGIN');
run_in($two, 'INSERT INTO flushed VALUES (200005)');
is(run_in($two, "SELECT hilo_next('flushed')"), 200006, 'once');
is(run_in($two, $flushed), $before, 'and no more');
crash($node, $one, $two);
cmp_ok($node->safe_psql('postgres', "SELECT hilo_next('flushed')"), '>', 200006,
	'nor does any of these come again');

$node->stop;
done_testing();
