# Many generators at a time: each has a slot as long as there is memory, which grows with
# them; and where there is none, the windows that are used least give way.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FaultyBuild;

my $reserved = q{SELECT count(*), sum(reserved) FROM hilo_internal.hilo_hi};
my $twice = q{SELECT count(*), count(DISTINCT (name, id)), count(DISTINCT name) FROM seen};

# A server, and a table of what was taken.
sub node_of
{
	my ($name, @fault) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', 'client_min_messages = warning');
	$node->start;
	FaultyBuild::use_in($node, FaultyBuild::build($name, @fault)) if @fault;
	$node->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS hilo; CREATE UNLOGGED TABLE seen (name text, id bigint)');
	return $node;
}

# Take an id of each of so many generators; every second one has a window in one order.
sub take
{
	my ($count) = @_;

	return "INSERT INTO seen SELECT name, hilo_next(name)
		FROM (SELECT 'g' || i || repeat('|', i % 2) FROM generate_series(1, $count) i) names (name)";
}

my $node = node_of('many');
my $many = 20_000;
my @sessions = map { hilo_session($node) } 1, 2;
run_in($sessions[0], take($many));
is($node->safe_psql('postgres', $reserved), "$many|" . 24 * $many, "$many generators in a transaction: each keeps its window");
run_in($sessions[1], take($many));
is($node->safe_psql('postgres', $reserved), "$many|" . 40 * $many, 'others take from there, or open the next one');
run_in($_, take($many)) for @sessions;
is($node->safe_psql('postgres', $reserved), "$many|" . 40 * $many, 'and go on');
is($node->safe_psql('postgres', $twice), join('|', 4 * $many, 4 * $many, $many), 'no id twice');
end_session($_) for @sessions;
$node->stop;
$node->start;
is($node->safe_psql('postgres', $reserved), "$many|" . (34 + 4) / 2 * $many, 'what is left was given back');
$node->stop;

SKIP:
{
	my $impossible = FaultyBuild::impossible();
	skip $impossible, 1 if $impossible;

	# Chunks of few slots, of which there is memory for two.
	my $few = node_of('few_chunks', 'shared_slot.c', "#define FIRST_SLOTS 1024\n", "#define FIRST_SLOTS 2\n",
		'shared_slot.c', 'Size		size = sizeof(SharedSlot)', 'Size		size = added > 0 ? (Size) 1 << 50 : sizeof(SharedSlot)');
	my @sessions = map { hilo_session($few) } 1, 2;
	foreach my $session (@sessions, @sessions)
	{
		is(run_in($session, take(40)), '', 'more generators than slots');
	}
	is($few->safe_psql('postgres', $twice), '160|160|40', 'no id twice');
	is(run_in($sessions[0], q{SELECT sum(lost) FROM hilo_stats()}), 0, 'nothing was lost');
	end_session($_) for @sessions;
	$few->stop;
	my $log = slurp_file($few->logfile);
	like($log, qr/LOG:  hilo has room for the windows of 6 generators: /, 'the log says so');
	unlike($log, qr/PANIC|TRAP| XX\d{3} |WARNING/, 'nobody complained');
}

done_testing();
