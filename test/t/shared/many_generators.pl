# Many generators at a time: each has a slot as long as there is a free one; then the
# windows give way in turn.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# what the generators of each kind have reserved: except those with random incarnations that
# have the same upper half, which take a slot from each other
my $reserved = q{SELECT DISTINCT name LIKE '%|', reserved FROM (
	SELECT *, count(*) OVER (PARTITION BY incarnation >> 32) AS alike FROM hilo_internal.hilo_hi) hi
	WHERE alike = 1 ORDER BY 1};
my $twice = q{SELECT count(*), count(DISTINCT (name, id)), count(DISTINCT name) FROM seen};

# A server, and a table of what was taken.
sub node_of
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', 'client_min_messages = warning');
	$node->start;
	$node->safe_psql('postgres',
		'CREATE EXTENSION hilo; CREATE UNLOGGED TABLE seen (name text, id bigint)');
	return $node;
}

# Take an id of each of so many generators; every second one has a window in one order.
sub take
{
	my ($count) = @_;

	return "INSERT INTO seen SELECT name, hilo_next_tag(name)
		FROM (SELECT 'g' || i || repeat('|', i % 2) FROM generate_series(1, $count) i) names (name)";
}

my $node = node_of('many');
my $many = 8_000;
my @sessions = map { hilo_session($node) } 1, 2;
run_in($sessions[0], take($many));
is($node->safe_psql('postgres', $reserved), "f|32\nt|16",
	"$many generators in a transaction: each keeps its window");
run_in($sessions[1], take($many));
is($node->safe_psql('postgres', $reserved), "f|64\nt|16",
	'others take from there, or open the next one');
run_in($_, take($many)) for @sessions;
is($node->safe_psql('postgres', $reserved), "f|64\nt|16", 'and go on');
is($node->safe_psql('postgres', $twice), join('|', 4 * $many, 4 * $many, $many), 'no id twice');
end_session($_) for @sessions;
wait_for_sessions($node, 0);
is($node->safe_psql('postgres', take($many) . "; $reserved"), "f|64\nt|16",
	'what is left waits for the next session');
my $more = 20_000;
@sessions = map { hilo_session($node) } 1, 2;
is(run_in($_, take($more)), '', 'more generators than slots') for @sessions, @sessions;
is($node->safe_psql('postgres', $twice), join('|', (5 * $many + 4 * $more) x 2, $more),
	'no id twice');
end_session($_) for @sessions;
$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP| XX\d{3} |WARNING/, 'the log has no complaint');

done_testing();
