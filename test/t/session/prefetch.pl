
# Whatever interrupts reserving ahead leaves the session as able to do so as
# before.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('prefetch');
my $holder = hilo_session($node);
my $session = hilo_session($node);

sub stats
{
	my ($name, $columns) = @_;

	return run_in($session,
		"SELECT $columns FROM hilo_stats() WHERE name = '$name'");
}

# A session has the row in hand.
foreach my $strength ('FOR UPDATE', 'FOR SHARE')
{
	my $name = lc $strength =~ s/ /_/r;
	my $pid = pid_of($session);

	$node->safe_psql('postgres', "SELECT hilo_create('$name')");
	run_in($session, "SELECT hilo_next_tag('$name')");
	run_in($holder,
		"BEGIN; SELECT reserved FROM hilo_internal.hilo_hi WHERE name = '$name' $strength");
	run_in($session, "SELECT hilo_next_tag('$name', 15)");
	start_in($session, "SELECT hilo_next_tag('$name')");
	ok(wait_until_waits($node, $pid, 'Lock'), "$strength: reserving ahead waits");
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	is(end_in($session), '57014', 'and can be cancelled');
	run_in($holder, 'ROLLBACK');

	run_in($session, "SELECT hilo_next_tag('$name', 100)");
	is(stats($name, 'prefetched > 0'), 't', 'later on it reserves ahead again');
}

# Statements are cancelled wherever they are; what got through has no id twice.
$node->safe_psql('postgres',
	"SELECT hilo_create('storm', max_value => 200000, range_size => 8, max_range_size => 8)");
my $dir = PostgreSQL::Test::Utils::tempdir;
my $script = "$dir/storm.sql";
append_to_file(
	$script, join "\n",
	"SET statement_timeout = '1ms';",
	(map { "SELECT hilo_next_tag('storm') FROM generate_series(1, 20 * $_);" } 1 .. 150),
	'RESET statement_timeout;',
	("SELECT hilo_next_tag('storm', 1); SELECT 'reserves ahead' FROM hilo_stats() WHERE name = 'storm' AND prefetched > 0;") x 40);
my @clients = map {
	my %client = (out => "$dir/$_.out", err => "$dir/$_.err");
	$client{run} = IPC::Run::start(
		[ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-f', $script ],
		'>', $client{out}, '2>', $client{err});
	\%client
} (1 .. 3);
$_->{run}->finish foreach @clients;
my (%seen, $ids, $cancelled);
foreach my $client (@clients)
{
	my $output = slurp_file($client->{out});

	like($output, qr/^reserves ahead$/m,
		'a client reserves ahead at the end');
	foreach my $id ($output =~ /^(\d+)$/mg)
	{
		$seen{$id} = 1;
		$ids++;
	}
	$cancelled += () = slurp_file($client->{err}) =~ /canceling statement/g;
}
is(keys %seen, $ids, 'no id was seen twice');
cmp_ok($cancelled, '>', 0, "$ids ids, $cancelled statements cancelled");

end_session($_) foreach ($session, $holder);
$node->stop;
done_testing();
