# An id that a client has seen never comes back after a crash, although nothing
# but hilo itself brings its WAL to disk: the transaction is open or commits
# asynchronously, and the walwriter sleeps.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use List::Util qw(max);
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node(
	'crash_flush',
	conf => "wal_writer_delay = 10s\nsynchronous_commit = off");

# Run statements in their own session; then the server crashes before
# anything else is written.  Gives the numbers they answered.
sub ids_before_crash
{
	my (@statements) = @_;
	my $session = hilo_session($node);
	my @ids = map { run_in($session, $_) =~ /(\d+)/g } @statements;

	crash($node, $session);
	return @ids;
}

sub make_durable
{
	my (@statements) = @_;

	$node->safe_psql('postgres',
		join(';', 'SET synchronous_commit = on', @statements, 'CHECKPOINT'));
	return;
}

sub is_above
{
	my ($name, $topic, @ids) = @_;
	my $next = $node->safe_psql('postgres', "SELECT hilo_next_tag('$name')");

	ok(@ids > 0 && $next > max(@ids), $topic);
	return;
}

make_durable(map { "SELECT hilo_create('$_')" }
	  qw(committed open rolled_back prefetched gap count text_id range hi seeded forced));

is_above('committed', 'after an asynchronous commit',
	ids_before_crash("SELECT hilo_next_tag('committed')"));

is_above('open', 'in a transaction that is still open',
	ids_before_crash('BEGIN', "SELECT hilo_next_tag('open')"));

is_above('rolled_back', 'after a rollback',
	ids_before_crash('BEGIN', "SELECT hilo_next_tag('rolled_back')", 'ROLLBACK'));

# the first range goes to 32, the second one was reserved before it was needed
my @ids = ids_before_crash(
	# else the first look there writes a page of WAL, which wakes the walwriter
	'SELECT FROM hilo_stats()',
	"SELECT hilo_next_tag('prefetched', 32)",
	"SELECT hilo_next_tag('prefetched') FROM hilo_stats() WHERE name = 'prefetched' AND prefetched = 1");
is($ids[-1], 33, 'a range was reserved ahead');
is_above('prefetched', 'an id of it', @ids);

# it has reserved up to 64 at 17; the crash costs what of that has reached the disk
@ids = ids_before_crash("SELECT hilo_next_tag('gap', 20)");
is($node->safe_psql('postgres', "SELECT hilo_next_tag('gap') BETWEEN 33 AND 65"), 't',
	'a crash costs the rest of a range, and at most the window reserved ahead');

is_above('count', 'many at once',
	ids_before_crash("SELECT hilo_next_tag('count', 1000)"));

is_above('text_id', 'as text',
	ids_before_crash("SELECT hilo_next_id('text_id')"));

is_above('range', 'a range for a client',
	ids_before_crash("SELECT high FROM hilo_next_range('range')"));

is_above('hi', 'a hi',
	map { $_ * 1000 + 999 } ids_before_crash("SELECT hilo_next_hi('hi', 1000)"));

is_above('fresh', 'from a first use',
	ids_before_crash("SELECT hilo_next_tag('fresh')"));

is_above('seeded', 'a seed', ids_before_crash("SELECT hilo_seed('seeded', 5000)"));

is_above('forced', 'a forced seed',
	ids_before_crash("SELECT hilo_seed('forced', 5000, true)"));

# a session has reserved ahead, and the seed is below that
make_durable("SELECT hilo_create('seeded_low', range_size => 32, max_range_size => 32)");
my $ahead = hilo_session($node);
run_in($ahead, 'SELECT FROM hilo_stats()');
run_in($ahead, "SELECT hilo_next_tag('seeded_low')");
run_in($ahead, "SELECT hilo_next_tag('seeded_low', 16)");
@ids = ids_before_crash("SELECT hilo_seed('seeded_low', 50)");
end_session($ahead);
is($ids[0], 50, 'a seed below what is reserved ahead');
is_above('seeded_low', 'it is on disk', @ids);

# nor is a range taken back if the seed has named its ids
my $range_no = $node->safe_psql('postgres', "SELECT range_no FROM hilo_next_range('seeded_top', 100)");
make_durable;
@ids = ids_before_crash("SELECT hilo_seed('seeded_top', 50)");
is($ids[0], 100, 'a seed within the last range');
is($node->safe_psql('postgres', "SELECT hilo_return_range('seeded_top', 100, 10, $range_no)"),
	'f', 'it is not taken back after a crash');

is_above('made', 'of a generator with a hilo_create that was committed',
	ids_before_crash('BEGIN', "SELECT hilo_create('made', 'global')", "SELECT hilo_next_tag('made')", 'COMMIT',
		"SELECT hilo_next_tag('made')"));

make_durable("SELECT hilo_create('altered', 'gapless')", "SELECT hilo_next_tag('altered')");
is_above('altered', 'of a generator with a hilo_alter that was committed',
	ids_before_crash('BEGIN', "SELECT hilo_alter('altered', 'global')", 'COMMIT', "SELECT hilo_next_tag('altered')"));

make_durable("CREATE SEQUENCE orm_seq INCREMENT 10", "SELECT hilo_adopt_sequence_tag('of_sequence', 'orm_seq', 'efcore')",
	'CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0)',
	"SELECT hilo_adopt_table_tag('of_table', 'mt_hilo', 'marten', 10, key_value => 'Doc')", "SELECT hilo_next_tag('of_table')");
foreach my $source ('sequence', 'table')
{
	is_above("of_$source", "of an ORM's $source",
		ids_before_crash('SELECT FROM hilo_stats()', 'BEGIN', "SELECT hilo_next_tag('of_$source')"));
}

# What this server had of its hub is known here, too, where the hub is taken away.
$node->safe_psql('postgres', 'CREATE DATABASE hub');
$node->safe_psql('hub', "CREATE EXTENSION hilo; SELECT hilo_create('of_hub', 'global'), hilo_grant('of_hub', 'public'), hilo_create('kept'), hilo_grant('kept', 'public');
	CREATE ROLE servers LOGIN; GRANT USAGE ON SCHEMA hilo_internal TO servers; GRANT EXECUTE ON FUNCTION hilo_internal.hilo_hub_take, hilo_internal.hilo_hub_register TO servers");
name_hub($node, 'hub', $node, dbname => 'hub');
make_durable("SELECT hilo_create('of_hub', 'global', hub => 'hub')", "SELECT hilo_next_tag('of_hub')");
@ids = ids_before_crash(map { "SELECT hilo_next_tag('of_hub')" } 1 .. 3);
$node->safe_psql('postgres', "SELECT hilo_alter('of_hub', hub => '')");
is_above('of_hub', 'of a hub that is taken away', @ids);

# What is left of a range from elsewhere is handed out, but after a crash not once more.
my $last = hilo_session($node);
run_in($last, "SELECT hilo_create('kept', hub => 'hub'), hilo_next_tag('kept')");
my $pid = pid_of($last);
end_session($last);
wait_for_end($node, $pid);
make_durable;
@ids = ids_before_crash("SELECT hilo_next_tag('kept')");
is($ids[0], 2, 'what is left of a window is handed out');
is_above('kept', 'and only once', @ids);

# So is an older range that was returned.
make_durable("SELECT hilo_create('returned')");
my $first = hilo_session($node);
my $second = hilo_session($node);
run_in($first, "SELECT hilo_next_tag('returned')");
run_in($second, "SELECT hilo_next_tag('returned')");
run_in($first, "SELECT hilo_release('returned')");
foreach my $session ($second, $first)
{
	$pid = pid_of($session);
	end_session($session);
	wait_for_end($node, $pid);
}
make_durable;
@ids = ids_before_crash("SELECT hilo_next_tag('returned')");
is($ids[0], 2, 'a returned range is handed out again');
is_above('returned', 'but after a crash not once more', @ids, 33);

$node->stop;
done_testing();
